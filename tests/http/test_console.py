"""Who may look at the console: signing in by key, the cookie, and what pages of other origins cannot do with it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from http.client import HTTPConnection
from pathlib import Path

import pytest

from gateway.auth import hash_key
from gateway.console import sign_in
from gateway.console.sign_in import BODY_BYTES_MAX, TRIES_A_MINUTE, WrongKeys
from gateway.http.cookies import Cookies, CookieTerms
from gateway.http.refusals import LoginLimited
from gateway.operations import OPERATIONS, READ, WATCHES, Operation
from tests.gateways import LOOPBACK, Answer, GatewayProcess, Wire, request_bytes, start_gateway
from tests.http.conftest import Keys, Start

OWN = {"Sec-Fetch-Site": "same-origin"}
MARK = "X-Anamnesis-Console"
SESSION = "/console/session"


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory, keys: Keys) -> Iterator[GatewayProcess]:
    environment = {"ANAMNESIS_AUTH__KEYS": keys.entries()}
    gateway = start_gateway(tmp_path_factory.mktemp("console"), environment=environment)
    yield gateway
    gateway.kill()


@dataclass(frozen=True, slots=True)
class Browser:
    """Somebody with a cookie; without `value` nobody yet."""

    gateway: GatewayProcess
    value: str = ""
    visit: str = "1"

    def ask(self, path: str, body: object = None, *, method: str = "POST", **headers: str) -> Answer:
        """As a page of the console asks, unless the headers say otherwise."""
        sent = OWN | {MARK: self.visit} | {name.replace("_", "-"): value for name, value in headers.items()}
        if self.value:
            sent |= {"Cookie": f"theme=dark; {self.value}"}
        return self.gateway.send(path, b"" if body is None else json.dumps(body).encode(), sent, method=method)

    def sign_in(self, key: str) -> "Browser":
        answer = self.ask(SESSION, {"key": key})
        assert answer.status == 200, answer.body
        return Browser(self.gateway, answer.headers["set-cookie"].partition(";")[0], answer.json()["visit"])

    def profile(self, **headers: str) -> Answer:
        return self.ask("/v1/GetProfile", {"user_id": "u"}, **headers)


@pytest.fixture(scope="module")
def reader(gateway: GatewayProcess, keys: Keys) -> Browser:
    return Browser(gateway).sign_in(keys.reader)


def test_who_signed_in_is_known_and_may_what_the_key_may(reader: Browser) -> None:
    here = reader.ask(SESSION, method="GET").json()
    assert (here["tenant"], here["scopes"], here["open"]) == ("t1", ["read"], False)
    assert reader.profile().status == 200
    refused = reader.ask("/v1/ForgetMemory", {"user_id": "u"})
    assert (refused.status, refused.json()["code"]) == (403, "forbidden")


def test_who_did_not_sign_in_is_nobody(gateway: GatewayProcess) -> None:
    nobody = Browser(gateway)
    assert nobody.ask(SESSION, method="GET").status == 401
    assert nobody.profile().status == 401


def test_admin_may_what_admin_includes(gateway: GatewayProcess, keys: Keys) -> None:
    admin = Browser(gateway).sign_in(keys.admin)
    assert admin.ask(SESSION, method="GET").json()["scopes"] == ["admin", "erase", "read", "write"]
    assert admin.ask("/v1/ListReviews", {}).status == 200


@pytest.mark.parametrize("key", ["ana_nobody_has_this", "ana_revoked_of_tenant_1"])
def test_key_that_is_not_known_signs_nobody_in(gateway: GatewayProcess, key: str) -> None:
    answer = Browser(gateway).ask(SESSION, {"key": key})
    assert answer.status == 401
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("body", [{}, {"key": ""}, {"key": 7}, {"key": "k" * 513}, {"key": "k", "more": 1}, [], "k"])
def test_wrong_request_to_sign_in_is_refused(gateway: GatewayProcess, body: object) -> None:
    assert from_elsewhere(gateway, "127.0.0.7", body) == 400


HOSTILE = {
    "no JSON": b"{",
    "two keys": b'{"key": "a", "key": "b"}',
    "NaN": b'{"key": NaN}',
    "half a pair": b'{"key": "\\ud800"}',
    "no UTF-8": b'{"key": "\xff"}',
    "deep": b"[" * 10_000,
    "long number": b'{"key": ' + b"9" * 5_000 + b"}",
    "large": b'{"key": "' + b"k" * 100_000 + b'"}',
    "nothing": b"",
}


@pytest.mark.parametrize(("number", "body"), list(enumerate(HOSTILE.values())), ids=list(HOSTILE))
def test_hostile_body_signs_nobody_in(gateway: GatewayProcess, number: int, body: bytes) -> None:
    expected = 413 if len(body) > BODY_BYTES_MAX else 400
    assert from_elsewhere(gateway, f"127.0.2.{number + 1}", body) == expected


def from_elsewhere(gateway: GatewayProcess, address: str, body: object) -> int:
    """The status of a try to sign in from another address: tries are counted by it."""
    connection = HTTPConnection(LOOPBACK, gateway.port, source_address=(address, 0), timeout=20)
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request("POST", SESSION, sent, OWN | {MARK: "1", "Content-Type": "application/json"})
    status = connection.getresponse().status
    connection.close()
    return status


def test_unknown_keys_are_tried_ten_times_a_minute_and_no_more(tmp_path: Path, keys: Keys) -> None:
    environment = {"ANAMNESIS_AUTH__KEYS": keys.entries(), "ANAMNESIS_SERVER__PROCESSES": "1"}
    alone = start_gateway(tmp_path, environment=environment)
    try:
        tries = [from_elsewhere(alone, "127.0.0.8", {"key": f"wrong {number}"}) for number in range(TRIES_A_MINUTE + 1)]
        assert tries == [401] * TRIES_A_MINUTE + [429]
        assert from_elsewhere(alone, "127.0.0.8", {"key": keys.admin}) == 200, "behind a proxy all have one address"
        assert from_elsewhere(alone, "127.0.0.9", {"key": "wrong"}) == 401, "others may still mistype"
    finally:
        alone.kill()


def test_network_of_the_sixth_version_counts_as_one() -> None:
    wrong = WrongKeys()
    for number in range(TRIES_A_MINUTE):
        wrong.count(f"2001:db8:1:2::{number:x}")
    with pytest.raises(LoginLimited):
        wrong.count("2001:db8:1:2:ffff::1")
    wrong.count("2001:db8:1:3::1")


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec_Fetch_Site": "same-site"},  # another port of this host: SameSite=Strict lets it send the cookie
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "none"},
        {"Sec_Fetch_Site": ""},
        {"Sec_Fetch_Site": "", "Origin": "http://evil.example"},
        {"Sec_Fetch_Site": "", "Origin": "null"},
        {"X_Anamnesis_Console": ""},
    ],
)  # fmt: skip
def test_cookie_counts_only_from_the_consoles_own_pages(reader: Browser, headers: dict[str, str]) -> None:
    refused = reader.profile(**headers)
    assert (refused.status, refused.json()["code"]) == (403, "forbidden")
    assert reader.ask(SESSION, method="DELETE", **headers).status == 403


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_operation_is_let_in_by_cookie_as_by_key_and_from_no_other_page(
    reader: Browser, keys: Keys, operation: Operation
) -> None:
    by_key = reader.gateway.post(operation.name, {}, key=keys.reader)
    by_cookie = reader.ask(operation.path, {})
    assert (by_cookie.status, by_cookie.json().get("code")) == (by_key.status, by_key.json().get("code"))
    strange = [{"Sec_Fetch_Site": "same-site"}, {"Sec_Fetch_Site": "", "Origin": "http://evil.example"}, {MARK: ""}]
    assert [reader.ask(operation.path, {}, **headers).status for headers in strange] == [403] * len(strange)
    assert reader.ask(operation.path, {}, **{MARK: "of another visit"}).status == 401


@pytest.mark.parametrize("watch", [each for each in WATCHES if each.scope == READ], ids=lambda watch: watch.name)
def test_watch_is_let_in_by_cookie_where_the_browser_names_the_own_page(reader: Browser, watch: Operation) -> None:
    """An EventSource sends no header of ours: where a browser does not say where it comes from, it is nobody's."""
    own = reader.ask(f"{watch.path}?conversation_id=nobodys", method="GET", X_Anamnesis_Console="")
    assert own.status == 404
    strange = [{"Sec_Fetch_Site": ""}, {"Sec_Fetch_Site": "same-site"}, {"Sec_Fetch_Site": "cross-site"}]
    asked = [
        reader.ask(f"{watch.path}?conversation_id=nobodys", method="GET", X_Anamnesis_Console="", **headers).status
        for headers in strange
    ]
    assert asked == [403] * len(strange)


def test_page_does_not_act_for_who_signed_in_beside_it(reader: Browser, keys: Keys) -> None:
    beside = reader.sign_in(keys.other_writer)
    page = Browser(reader.gateway, beside.value, reader.visit)
    refused = page.profile()
    assert (refused.status, refused.json()["code"]) == (401, "unauthorized")
    assert "somebody else" in refused.json()["detail"]
    assert reader.profile(X_Anamnesis_Console="0").status == 401
    assert beside.profile().status == 200


def test_over_plain_http_a_look_is_known_by_the_mark(reader: Browser) -> None:
    """There browsers say neither Sec-Fetch-Site nor, with a look, Origin."""
    assert reader.ask(SESSION, method="GET", Sec_Fetch_Site="").status == 200
    assert reader.ask(SESSION, method="GET", Sec_Fetch_Site="", X_Anamnesis_Console="").status == 403
    assert reader.ask(SESSION, method="GET", Sec_Fetch_Site="", Origin="http://evil.example").status == 403


def test_cookie_may_come_in_several_lines(reader: Browser, keys: Keys) -> None:
    lines = {"Cookie": f"a=1\r\nCookie: {reader.value}"} | OWN | {MARK: reader.visit}
    assert reader.gateway.send("/v1/GetProfile", b'{"user_id": "u"}', lines).status == 200
    by_key = {"Cookie": "a=1\r\nCookie: b=2", "Authorization": f"Bearer {keys.reader}"}
    assert reader.gateway.send("/v1/GetProfile", b'{"user_id": "u"}', by_key).status == 200


def test_what_is_asked_for_by_a_path_is_kept_nowhere(reader: Browser) -> None:
    for path in ("/graph/u", "/graph/u?format=graphml"):
        answer = reader.ask(path, method="GET")
        assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_body_of_a_stranger_is_read_no_further_than_a_key(gateway: GatewayProcess) -> None:
    large = b'{"key": "k", ' + b", ".join(b'"%d": 1' % number for number in range(100_000)) + b"}"
    assert gateway.send(SESSION, large, OWN | {MARK: "1"}).status == 413
    chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(large), large)
    in_chunks = OWN | {MARK: "1", "Transfer-Encoding": "chunked", "Content-Length": ""}
    assert gateway.send(SESSION, chunked, in_chunks).status == 400
    head = request_bytes(SESSION, b"", in_chunks)
    with Wire(gateway.port, timeout_s=5) as wire:
        wire.send(head)
        refused = wire.read()
    assert refused is not None
    assert refused.status == 400, "before a byte of the body"


@pytest.mark.parametrize(
    "headers", [{"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"}, {"X_Anamnesis_Console": ""}]
)
def test_no_other_page_signs_a_browser_in(gateway: GatewayProcess, keys: Keys, headers: dict[str, str]) -> None:
    refused = Browser(gateway).ask(SESSION, {"key": keys.admin}, **headers)
    assert refused.status == 403
    assert "set-cookie" not in refused.headers


def test_unknown_keys_are_forgotten_after_a_minute_and_in_number(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr(sign_in.time, "monotonic", lambda: now)
    wrong = WrongKeys()
    for _ in range(TRIES_A_MINUTE):
        wrong.count("192.0.2.1")
    with pytest.raises(LoginLimited):
        wrong.count("192.0.2.1")
    now += 60.1
    wrong.count("192.0.2.1")
    monkeypatch.setattr(sign_in, "_PEERS_MAX", 3)
    for number in range(10):
        wrong.count(f"198.51.100.{number}")
    assert len(wrong._tried) == 3


def test_cookie_of_another_version_is_nobodys() -> None:
    stored = hash_key("ana_a_key_that_is_known")
    terms = CookieTerms(3600, allow_http=False, secret="")
    cookies = Cookies([stored], terms)
    name, _, value = cookies.signed_in(stored)[0].partition(";")[0].partition("=")
    head = value.rpartition(".")[0]
    for version, known in (("1", True), ("2", False)):
        other = f"{version}.{head.partition('.')[2]}"
        signed = f"{name}={other}.{cookies._signature(stored, other)}"
        assert (cookies.visitor_of(signed) is not None) == known, version


def test_sign_ins_are_counted(gateway: GatewayProcess, reader: Browser) -> None:
    figures = gateway.get("/metrics").body.decode()
    assert 'anamnesis_requests_total{operation="SignIn",status="200"}' in figures


def test_look_by_a_path_needs_no_mark_but_the_same_origin(reader: Browser) -> None:
    path = "/graph/u"
    assert reader.ask(path, method="GET", X_Anamnesis_Console="").status == 200
    assert reader.ask(path, method="GET", Sec_Fetch_Site="same-site").status == 403


def test_browser_that_does_not_name_the_site_is_known_by_its_origin(reader: Browser) -> None:
    host = f"{LOOPBACK}:{reader.gateway.port}"
    assert reader.profile(Sec_Fetch_Site="", Origin=f"http://{host}", Host=host).status == 200


def test_forged_cookie_is_nobodys(gateway: GatewayProcess, keys: Keys) -> None:
    for key in ("ana_made_up_by_somebody", keys.revoked):
        stored = hash_key(key)
        cookie, visit = Cookies([stored], CookieTerms(3600, allow_http=False, secret="")).signed_in(stored)
        assert Browser(gateway, cookie.partition(";")[0], visit).profile().status == 401, key


def test_key_counts_before_a_cookie(reader: Browser, keys: Keys) -> None:
    assert reader.profile(Authorization="Bearer ana_wrong_wrong_wrong").status == 401
    other = reader.ask("/v1/ListReviews", {}, Authorization=f"Bearer {keys.other_admin}")
    assert other.status == 200, "the reader's cookie would be refused"


def test_cookie_is_no_way_into_mcp(reader: Browser) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert reader.ask("/mcp", body, Accept="application/json, text/event-stream").status == 401


def test_who_signs_out_loses_the_cookie(reader: Browser) -> None:
    answer = reader.ask(SESSION, method="DELETE")
    assert answer.status == 200
    assert "Max-Age=0" in answer.headers["set-cookie"]


def test_answers_about_who_is_here_are_kept_nowhere(reader: Browser) -> None:
    assert reader.ask(SESSION, method="GET").headers["cache-control"] == "no-store"


def test_key_never_comes_back(gateway: GatewayProcess, keys: Keys) -> None:
    answer = Browser(gateway).ask(SESSION, {"key": keys.writer})
    told = answer.body.decode() + json.dumps(dict(answer.headers))
    assert keys.writer not in told
    assert hash_key(keys.writer).removeprefix("sha256:") not in told
    assert keys.writer not in gateway.log_text()


@pytest.mark.parametrize(
    ("path", "method", "allowed"),
    [
        ("/console/", "POST", "GET, HEAD"),
        (SESSION, "PUT", "GET, HEAD, POST, DELETE"),
        ("/console", "DELETE", "GET, HEAD"),
    ],
)
def test_other_methods_are_not_for_these_paths(gateway: GatewayProcess, path: str, method: str, allowed: str) -> None:
    answer = gateway.send(path, method=method)
    assert (answer.status, answer.headers["allow"]) == (405, allowed)


def test_browser_is_led_from_the_front_to_the_console(gateway: GatewayProcess) -> None:
    led = gateway.send("/", headers={"Accept": "text/html"}, method="GET")
    assert (led.status, led.headers["location"]) == (303, "/console/")
    assert "/console/" in gateway.get("/").json()["ways"], "a program is told the ways"
    assert gateway.get("/console/").status == 200


def test_without_keys_everybody_on_this_machine_is_here(open_gateway: GatewayProcess) -> None:
    here = Browser(open_gateway).ask(SESSION, method="GET").json()
    assert (here["tenant"], here["open"]) == ("default", True)
    for method in ("GET", "POST", "DELETE"):
        body = {"key": "k"} if method == "POST" else None
        strange = Browser(open_gateway).ask(SESSION, body, method=method, Origin="http://evil.example")
        assert strange.status == 403, method
        rebound = {"Host": "evil.example", "Origin": "http://evil.example"}
        assert Browser(open_gateway).ask(SESSION, body, method=method, **rebound).status == 403, method


def test_console_that_is_off_is_not_there(tmp_path: Path, keys: Keys, reader: Browser) -> None:
    environment = {"ANAMNESIS_AUTH__KEYS": keys.entries(), "ANAMNESIS_CONSOLE__ENABLED": "false"}
    off = start_gateway(tmp_path, environment=environment)
    try:
        assert off.get("/console/").status == 404
        assert off.send("/", headers={"Accept": "text/html"}, method="GET").status == 200
        assert Browser(off, reader.value, reader.visit).profile().status == 401, "its cookies count for nothing"
    finally:
        off.kill()


def test_cookie_of_a_key_that_is_revoked_ends_with_the_next_request(start: Start) -> None:
    """The operator writes `revoked` beside the key, and starts anew. Who has another key is still signed in."""
    kept, revoked = "ana_key_that_is_kept", "ana_key_that_is_revoked"

    def settings(*gone: str) -> dict[str, str]:
        known = [
            {"hash": hash_key(key), "tenant": "t1", "scopes": ["read"], "revoked": key in gone}
            for key in (kept, revoked)
        ]
        return {"ANAMNESIS_AUTH__KEYS": json.dumps(known), "ANAMNESIS_CONSOLE__SECRET": "the deployment's own secret"}

    first = start("same", environment=settings())
    one, other = Browser(first).sign_in(kept), Browser(first).sign_in(revoked)
    assert [one.profile().status, other.profile().status] == [200, 200]
    first.stop()
    again = start("same", environment=settings(revoked))
    one, other = replace(one, gateway=again), replace(other, gateway=again)
    refused = other.profile()
    assert (refused.status, refused.json()["code"]) == (401, "unauthorized")
    assert other.ask(SESSION, method="GET").status == 401
    watched = other.ask("/v1/WatchConversation?conversation_id=c", method="GET", X_Anamnesis_Console="")
    assert watched.status == 401
    assert one.profile().status == 200
