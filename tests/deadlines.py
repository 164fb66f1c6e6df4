"""What a machine that others use too may add to a promised deadline."""

import os
from typing import Final

LATE_S: Final = float(os.environ.get("TEST_LATE_S", "5"))
"""Seconds; CI allows for more, as nobody knows what its machine does beside it."""
