"""What a machine that others use too may add to a promised deadline, and how slow one may be where none is promised."""

import os
from typing import Final

LATE_S: Final = 5.0
"""Seconds beyond a deadline that is promised."""
SLOW_S: Final = float(os.environ.get("TEST_SLOW_S", "5"))
"""Seconds that a server may take longer where a test is not of deadlines; CI allows for more."""
