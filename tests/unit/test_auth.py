"""API keys: hashed, they alone decide tenant and scopes."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.auth import (
    ALL_SCOPES,
    DEFAULT_TENANT,
    KEY_PREFIX,
    Authenticator,
    allows,
    hash_key,
    is_loopback,
    new_key,
    require_safe_binding,
    require_scope,
)
from gateway.config.access import ApiKey
from gateway.operations import SCOPES
from memory.errors import Forbidden, SetupError, Unauthorized

KEY = "ana_key_of_the_first_tenant"
OTHER = "ana_key_of_the_second_tenant"


def authenticator(*keys: ApiKey) -> Authenticator:
    return Authenticator(keys)


@pytest.fixture
def known() -> Authenticator:
    return authenticator(
        ApiKey(hash=hash_key(KEY), tenant="t1", scopes=("read",)),
        ApiKey(hash=hash_key(OTHER).removeprefix("sha256:"), tenant="t2", scopes=("read", "write")),
    )


def test_scopes_are_those_of_the_operations() -> None:
    assert set(SCOPES) == ALL_SCOPES


def test_tenants_are_those_whose_keys_are_let_in(known: Authenticator) -> None:
    revoked = ApiKey(hash=hash_key("ana_gone"), tenant="t3", scopes=("read",), revoked=True)
    assert list(known.tenants) == ["t1", "t2"]
    assert list(authenticator(revoked).tenants) == [], "nobody may ask for what is there"
    assert list(authenticator().tenants) == [DEFAULT_TENANT]


def test_new_keys_are_long_and_never_the_same() -> None:
    keys = {new_key() for _ in range(100)}
    assert len(keys) == 100
    assert all(key.startswith(KEY_PREFIX) and len(key) > 40 and key.isascii() for key in keys)


def test_hash_key_is_the_sha256_of_the_key() -> None:
    assert hash_key("a") == "sha256:" + hashlib.sha256(b"a").hexdigest()


@settings(deadline=None)
@given(key=st.text(st.characters(max_codepoint=0xDFFF)))
def test_hash_key_takes_whatever_a_header_may_hold(key: str) -> None:
    try:
        key.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return  # headers are decoded with surrogateescape: no other surrogates come
    assert len(hash_key(key)) == len("sha256:") + 64


def test_caller_without_keys_is_the_default_tenant_with_all_scopes() -> None:
    open_to_all = authenticator()
    assert open_to_all.open
    for header in (None, "Bearer x", "nonsense"):
        caller = open_to_all.identify(header)
        assert (caller.tenant, caller.scopes) == (DEFAULT_TENANT, ALL_SCOPES)


@pytest.mark.parametrize("header", [f"Bearer {KEY}", f"bearer {KEY}", f"BEARER {KEY}", f"Bearer  {KEY} "])
def test_caller_with_a_known_key_has_its_tenant_and_scopes(known: Authenticator, header: str) -> None:
    caller = known.identify(header)
    assert (caller.tenant, caller.scopes) == ("t1", {"read"})


def test_caller_hash_without_its_prefix_is_known_too(known: Authenticator) -> None:
    assert known.identify(f"Bearer {OTHER}").tenant == "t2"


def test_caller_plain_key_is_hashed_when_read() -> None:
    caller = authenticator(ApiKey(key=KEY, tenant="t1")).identify(f"Bearer {KEY}")
    assert (caller.tenant, caller.scopes) == ("t1", {"read", "write"})


@pytest.mark.parametrize(
    "header",
    [None, "", "Bearer", "Bearer ", f"Basic {KEY}", KEY, f"Bearer{KEY}", f"Bearer {KEY}x", f"Bearer {KEY[:-1]}",
     f"Bearer {KEY.upper()}", f"Bearer {hash_key(KEY)}", f"Bearer {KEY}, Bearer {OTHER}", "Bearer " + "k" * 1000,
     "Bearer \udcff", f"\ufeffBearer {KEY}"],
)  # fmt: skip
def test_caller_with_a_malformed_or_unknown_key_is_unauthorized(known: Authenticator, header: str | None) -> None:
    with pytest.raises(Unauthorized) as refused:
        known.identify(header)
    assert KEY not in refused.value.detail


def test_caller_without_the_scope_is_forbidden(known: Authenticator) -> None:
    for scope in ("write", "erase", "admin", "operate"):
        with pytest.raises(Forbidden, match=scope):
            require_scope(known.identify(f"Bearer {KEY}"), scope)


@pytest.mark.parametrize("scope", sorted(set(SCOPES) - {"operate"}))
def test_caller_with_admin_may_do_everything_in_the_tenant(scope: str) -> None:
    admin = authenticator(ApiKey(hash=hash_key(KEY), tenant="t", scopes=("admin",)))
    require_scope(admin.identify(f"Bearer {KEY}"), scope)


def test_caller_with_every_other_scope_may_not_operate() -> None:
    """Settings are those of all tenants: no scope of one of them includes them."""
    admin = authenticator(ApiKey(hash=hash_key(KEY), tenant="t", scopes=("read", "write", "erase", "admin")))
    with pytest.raises(Forbidden, match="operate"):
        require_scope(admin.identify(f"Bearer {KEY}"), "operate")


def test_caller_with_operate_alone_may_do_nothing_else() -> None:
    operator = authenticator(ApiKey(hash=hash_key(KEY), tenant="t", scopes=("operate",))).identify(f"Bearer {KEY}")
    assert [scope for scope in SCOPES if allows(operator, scope)] == ["operate"]


def test_caller_with_a_revoked_key_is_unauthorized_and_nothing_is_open() -> None:
    only_revoked = authenticator(ApiKey(hash=hash_key(KEY), tenant="t", revoked=True))
    assert not only_revoked.open
    for header in (None, f"Bearer {KEY}"):
        with pytest.raises(Unauthorized):
            only_revoked.identify(header)


@pytest.mark.parametrize(
    "key", [ApiKey(tenant="t"), ApiKey(tenant="t", name="the bot", hash=hash_key(KEY), key=KEY)], ids=["none", "both"]
)
def test_authenticator_needs_either_hash_or_key(key: ApiKey) -> None:
    with pytest.raises(SetupError, match=key.name or key.tenant):
        authenticator(key)


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True), ("::", False), ("10.0.0.1", False),
     ("", False), ("192.168.0.1", False), ("example.com", False), ("localhost.example.com", False), ("1", False)],
)  # fmt: skip
def test_is_loopback_knows_what_only_this_machine_reaches(host: str, expected: bool) -> None:  # noqa: FBT001 - a table
    assert is_loopback(host) is expected


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "example.com", ""])  # noqa: S104 - it is refused
def test_require_safe_binding_without_keys_says_what_to_do(known: Authenticator, host: str) -> None:
    with pytest.raises(SetupError, match="anamnesis new-key"):
        require_safe_binding(host, authenticator())
    require_safe_binding(host, known)
    require_safe_binding("127.0.0.1", authenticator())
