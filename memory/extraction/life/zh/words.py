"""Places, as several frames of Chinese name them."""

from typing import Final

from memory.language.words import listed

PLACES: Final = "|".join(sorted(listed("zh", "places"), key=len, reverse=True))
PLACE: Final = (
    rf"(?:(?:{PLACES})(?:市|省|县)?[\u4e00-\u9fff]{{0,6}}?(?:区|县|镇|街道?|路|小区|新区|郊区|乡下|那边"
    rf"|这边)?|[\u4e00-\u9fff]{{1,6}}?(?:省|市|县|区|镇|乡|村|岛|州|苑|花园|小区|公寓|新城))"
)
