"""Redis URLs taken apart, and slots of a cluster."""

from typing import Any

import pytest

from memory.errors import InvariantBroken, SetupError
from memory.stores.redis.address import Address, Host, Tls, Topology
from memory.stores.redis.slots import slot_of, units_of, units_of_packed
from memory.stores.redis.wire import pack


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://localhost", {}),
        ("redis://:p%40ss@h:7000/3", {"hosts": (Host("h", 7000),), "database": 3, "password": "p@ss"}),
        ("rediss://u:p@h", {"hosts": (Host("h", 6379),), "username": "u", "password": "p", "tls": Tls()}),
        ("unix:///run/x.sock?db=2", {"hosts": (), "path": "/run/x.sock", "database": 2}),
        (
            "redis+sentinel://u:p@s1,s2:26380,[::1]:7/main/4?sentinel_password=q",
            {
                "hosts": (Host("s1", 26379), Host("s2", 26380), Host("::1", 7)),
                "topology": Topology.SENTINEL,
                "service": "main",
                "database": 4,
                "username": "u",
                "password": "p",
                "sentinel_password": "q",
            },
        ),
        ("redis+cluster://a:1,b", {"hosts": (Host("a", 1), Host("b", 6379)), "topology": Topology.CLUSTER}),
        (
            "rediss://h?ssl_ca_certs=/ca.pem",
            {"hosts": (Host("h", 6379),), "tls": Tls(ca_file="/ca.pem"), "query": (("ssl_ca_certs", "/ca.pem"),)},
        ),
        (
            "rediss://h?ssl_cert_reqs=none",
            {
                "hosts": (Host("h", 6379),),
                "tls": Tls(verified=False, name_checked=False),
                "query": (("ssl_cert_reqs", "none"),),
            },
        ),
    ],
)
def test_redis_url_is_taken_apart(url: str, expected: dict[str, Any]) -> None:
    assert Address.parse(url) == Address(**{"hosts": (Host("localhost", 6379),), **expected})


@pytest.mark.parametrize(
    "url",
    [
        "http://h",
        "redis://h:port",
        "redis://h:0",
        "redis://h:65536",
        "redis://h/x",
        "redis://a,b",
        "unix://",
        "unix+sentinel:///x",
        "localhost:6379",
        "redis+sentinel://h:1",
        "redis+cluster://h/1",
        "redis+magic://h",
        "redis://h?ssl_ca_certs=/x",
        "redis://h?timeout=1",
    ],
)
def test_redis_url_that_is_none_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(SetupError, match=r"redis\.url") as refused:
        Address.parse(url.replace("://", "://:secret@", 1))
    assert "secret" not in str(refused.value)


def test_redis_url_with_a_certificate_that_is_not_there_is_refused_by_its_name() -> None:
    tls = Address.parse("rediss://h?ssl_ca_certs=/not/there.pem").tls
    assert tls is not None
    with pytest.raises(SetupError, match=r"/not/there\.pem"):
        tls.context()


def test_url_of_a_node_keeps_user_and_certificates() -> None:
    address = Address.parse("rediss+cluster://u:p%40@a:1,b:2?ssl_ca_certs=%2Fca.pem")
    again = Address.parse(address.url_of(Host("::1", 3)))
    assert again.hosts == (Host("::1", 3),)
    assert (again.username, again.password, again.tls) == (address.username, address.password, address.tls)


def test_slots_are_those_of_the_specification() -> None:
    known = {b"123456789": 12739, b"foo": 12182, b"{user1000}.following": 3443, b"foo{}{bar}": 8363}
    assert {key: slot_of(key) for key in known} == known
    assert slot_of(b"a:{t/c}:1") == slot_of(b"b:{t/c}") == slot_of(b"t/c")


def test_units_keep_a_transaction_together_and_find_the_key_of_a_script() -> None:
    commands = [("GET", "x"), ("MULTI",), ("GET", "{a}1"), ("SET", "{a}2", 1), ("EXEC",), ("EVALSHA", "f", 1, "x")]
    one, group, script = units_of(commands)
    assert (one.slot, one.replies, one.transaction) == (slot_of(b"x"), 1, False)
    assert (group.slot, group.replies, group.transaction) == (slot_of(b"a"), 4, True)
    assert script.slot == one.slot
    assert units_of_packed(b"".join(map(pack, commands))) == (one, group, script)


def test_units_refuse_a_transaction_over_slots() -> None:
    with pytest.raises(InvariantBroken):
        units_of([("MULTI",), ("GET", "a"), ("GET", "b"), ("EXEC",)])


def test_units_of_commands_without_a_key_may_go_anywhere() -> None:
    assert [unit.slot for unit in units_of([("PING",), ("EVAL", "return 1", 0)])] == [None, None]
