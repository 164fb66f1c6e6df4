"""What somebody finds who knows the address alone."""

from tests.gateways import GatewayProcess


def test_root_names_the_ways_in_and_each_of_them_is_there(open_gateway: GatewayProcess) -> None:
    answer = open_gateway.get("/")
    assert (answer.status, answer.media) == (200, "application/json")
    ways = answer.json()["ways"]
    assert set(ways) == {"/console/", "/docs", "/openapi.json", "/mcp", "/health", "/live", "/metrics"}
    assert {way: open_gateway.get(way).status for way in ways} == dict.fromkeys(ways, 200) | {"/mcp": 405}


def test_root_leads_browsers_to_the_console(open_gateway: GatewayProcess) -> None:
    answer = open_gateway.send("/", headers={"Accept": "text/html,*/*;q=0.8", "Content-Type": ""}, method="GET")
    assert (answer.status, answer.headers["location"]) == (303, "/console/")
    assert b'<a href="/docs">' in answer.body, "for those that follow no redirect"
    assert "content-security-policy" in answer.headers


def test_root_by_post_is_refused(open_gateway: GatewayProcess) -> None:
    assert open_gateway.send("/", b"{}").status == 405


def test_request_id_comes_back_with_answers_and_refusals(keyed_gateway: GatewayProcess) -> None:
    named = {"X-Request-Id": "my-request"}
    for path in ("/v1/GetProfile", "/nowhere", "/mcp"):
        answer = keyed_gateway.send(path, b"{}", named)
        assert (answer.status // 100, answer.headers["x-request-id"]) == (4, "my-request")
    assert keyed_gateway.send("/live", headers=named, method="GET").headers["x-request-id"] == "my-request"
