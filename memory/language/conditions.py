"""Words of conditions that other words hold: what is said under a condition is not said to be so."""

from typing import Final

IF_ZH: Final = "(?<![主只需])要是"
"""要是 as a pattern; not the one that 主要是 (mainly is) holds, nor those of 只要是 and 需要是."""
