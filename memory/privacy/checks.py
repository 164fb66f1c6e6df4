"""Checksums and ranges that tell an identifier from a number that only looks like one."""

from datetime import date
from typing import Final

_ID_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ID_CHECKS: Final = "10X98765432"
_PROVINCES: Final = frozenset(
    str(code)
    for codes in ((11, 16), (21, 24), (31, 38), (41, 47), (50, 55), (61, 66), (71, 72), (81, 84), (91, 92))
    for code in range(*codes)
)
_IBAN_LENGTHS: Final = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28,
    "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
    "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
    "LU": 20, "LV": 21, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15,
    "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SE": 24, "SI": 19,
    "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}  # fmt: skip
_CARD_DIGITS: Final = range(12, 20)
_YEAR_MIN: Final = 1900
_YEAR_MAX: Final = 2099


def digits_of(text: str) -> str:
    """The ASCII digits of a text that may have spaces and hyphens between them."""
    return "".join(char for char in text if char in "0123456789")


def luhn(text: str) -> bool:
    """ISO/IEC 7812-1: the check digit of payment cards."""
    digits = digits_of(text)
    if len(digits) not in _CARD_DIGITS or len(set(digits)) == 1:
        return False
    odd = sum(int(digit) for digit in digits[-1::-2])
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (odd + doubled) % 10 == 0


def _is_day(year: str, month: str, day: str) -> bool:
    try:
        return _YEAR_MIN <= date(int(year), int(month), int(day)).year <= _YEAR_MAX
    except ValueError:
        return False


def id_card_18(text: str) -> bool:
    """GB 11643-1999: province, date of birth and the check digit by ISO 7064 MOD 11-2."""
    plain = "".join(char for char in text.upper() if char in "0123456789X")
    if len(plain) != 18 or plain[:2] not in _PROVINCES or not _is_day(plain[6:10], plain[10:12], plain[12:14]):  # noqa: PLR2004
        return False
    total = sum(int(digit) * weight for digit, weight in zip(plain, _ID_WEIGHTS, strict=False))
    return _ID_CHECKS[total % 11] == plain[-1]


def id_card_15(text: str) -> bool:
    """The form before 1999: province and date of birth, no check digit."""
    plain = digits_of(text)
    return plain[:2] in _PROVINCES and _is_day("19" + plain[6:8], plain[8:10], plain[10:12])


def iban(text: str) -> bool:
    """ISO 13616: the country's length and the remainder 1 by 97."""
    plain = "".join(char for char in text.upper() if char.isalnum())
    if _IBAN_LENGTHS.get(plain[:2]) != len(plain):
        return False
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


def ipv6(text: str) -> bool:
    """RFC 4291: eight groups of up to four hexadecimal digits, or fewer with one `::`; without a digit it is a word."""
    groups = [group for group in text.split(":") if group]
    if not any(char in "0123456789" for char in text) or text.count("::") > 1 or ":::" in text:
        return False
    if any(len(group) > 4 for group in groups):  # noqa: PLR2004
        return False
    if "::" in text:
        return 2 <= len(groups) <= 7  # noqa: PLR2004
    return len(groups) == 8 and text[0] != ":" and text[-1] != ":"  # noqa: PLR2004


def us_ssn(text: str) -> bool:
    """Areas 000, 666 and from 900, group 00 and serial 0000 were never given out."""
    plain = digits_of(text)
    return plain[:3] not in {"000", "666"} and plain[0] != "9" and plain[3:5] != "00" and plain[5:] != "0000"


def phone_digits(text: str) -> bool:
    """Seven to fifteen digits (ITU-T E.164 allows fifteen), not one digit over and over."""
    digits = digits_of(text)
    return 7 <= len(digits) <= 15 and len(set(digits)) > 1  # noqa: PLR2004
