"""The console's cookie: what it says, who can make one, and when it ends."""

import re
from collections.abc import Iterator

import pytest

from gateway.auth import hash_key
from gateway.http import cookies as module
from gateway.http.cookies import Cookies, CookieTerms

MINE, OTHER = hash_key("ana_mine_mine_mine"), hash_key("ana_other_other_other")
TERMS = CookieTerms(session_s=3600, allow_http=False, secret="")
NOW = 1_800_000_000.0


class Clock:
    """Stands for the module `time`."""

    now = NOW

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


def sent(cookies: Cookies, stored: str = MINE) -> str:
    """The Cookie header that a browser makes of it."""
    return cookies.signed_in(stored)[0].partition(";")[0]


def who(cookies: Cookies, header: str) -> str | None:
    """Whose key a Cookie header tells of."""
    visitor = cookies.visitor_of(header)
    return visitor and visitor.stored


def test_visit_is_named_alike_when_the_cookie_comes_back(clock: Clock) -> None:
    cookies = Cookies([MINE], TERMS)
    set_cookie, visit = cookies.signed_in(MINE)
    visitor = cookies.visitor_of(set_cookie.partition(";")[0])
    assert visitor is not None
    assert visitor.visit == visit != cookies.signed_in(MINE)[1]


def test_two_cookies_of_our_name_are_nobodys(clock: Clock) -> None:
    cookies = Cookies([MINE, OTHER], TERMS)
    assert who(cookies, f"{sent(cookies, MINE)}; {sent(cookies, OTHER)}") is None
    assert who(cookies, f"{sent(cookies, MINE)}; {cookies.name}=x") is None


def test_other_cookies_may_be_long(clock: Clock) -> None:
    cookies = Cookies([MINE], TERMS)
    assert who(cookies, f"other={'x' * 10_000}; {sent(cookies)}") == MINE


def test_cookie_names_the_key_that_signed_in(clock: Clock) -> None:
    cookies = Cookies([MINE, OTHER], TERMS)
    assert who(cookies, sent(cookies, MINE)) == MINE
    assert who(cookies, f"theme=dark; {sent(cookies, OTHER)}; x=y") == OTHER


def test_cookie_is_kept_from_scripts_other_sites_and_plain_http(clock: Clock) -> None:
    set_cookie, visit = Cookies([MINE], TERMS).signed_in(MINE)
    assert re.fullmatch(
        r"__Host-anamnesis=[\w.-]+; Path=/; Max-Age=3600; HttpOnly; SameSite=Strict; Secure", set_cookie
    )
    assert MINE.removeprefix("sha256:") not in set_cookie
    assert visit not in set_cookie, "nor is the cookie made from what the page knows of it"


def test_cookie_over_plain_http_is_another_one(clock: Clock) -> None:
    plain = Cookies([MINE], CookieTerms(3600, allow_http=True, secret=""))
    assert plain.signed_in(MINE)[0].endswith("; HttpOnly; SameSite=Strict")
    assert who(Cookies([MINE], TERMS), sent(plain)) is None


@pytest.mark.parametrize(("after_s", "whose"), [(0, MINE), (3599, MINE), (3600, None), (-60, MINE), (-61, None)])
def test_cookie_holds_as_long_as_it_says(clock: Clock, after_s: int, whose: str | None) -> None:
    cookies = Cookies([MINE], TERMS)
    header = sent(cookies)
    clock.now = NOW + after_s
    assert who(cookies, header) == whose


def test_cookie_ends_with_its_key(clock: Clock) -> None:
    header = sent(Cookies([MINE, OTHER], TERMS))
    assert who(Cookies([OTHER], TERMS), header) is None
    assert who(Cookies([MINE], TERMS), header) == MINE, "every replica reads it"


def test_cookie_needs_the_secret_where_there_is_one(clock: Clock) -> None:
    with_secret = Cookies([MINE], CookieTerms(3600, allow_http=False, secret="of this deployment"))
    assert who(with_secret, sent(Cookies([MINE], TERMS))) is None
    assert who(with_secret, sent(with_secret)) == MINE


def test_cookie_that_was_changed_anywhere_is_nobodys(clock: Clock) -> None:
    cookies = Cookies([MINE, OTHER], TERMS)
    name, _, value = sent(cookies).partition("=")
    for place, found in enumerate(value):
        changed = value[:place] + ("0" if found != "0" else "1") + value[place + 1 :]
        assert who(cookies, f"{name}={changed}") is None, place


@pytest.mark.parametrize(
    "header",
    ["", "=", "__Host-anamnesis", "__Host-anamnesis=", "__Host-anamnesis=1.2.3.4.5", "__Host-anamnesis=....",
     "__Host-anamnesis=1.x.²³.n.s", "__Host-anamnesis=" + "1" * 5000, "__Host-anamnesis=1." + "9" * 4000 + ".1.1.1"],
)  # fmt: skip
def test_what_is_no_cookie_of_ours_is_nobodys(clock: Clock, header: str) -> None:
    assert who(Cookies([MINE], TERMS), header) is None
