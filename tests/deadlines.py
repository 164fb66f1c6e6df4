"""What a machine that others use too may add to a promised deadline."""

from typing import Final

LATE_S: Final = 5.0
