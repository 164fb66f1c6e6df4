"""The console's files, as a browser asks for them."""

import gzip
from pathlib import Path

import pytest

from gateway.console.assets import Assets, _below
from gateway.http.answers import Answer
from gateway.http.request import Request

FILES = {"index.html": b"<!doctype html><title>Anamnesis</title>", "assets/index-1a.js": b"export {}" * 500}


def get(path: str, **headers: str) -> Answer:
    named = {name.replace("_", "-").encode(): value.encode() for name, value in headers.items()}
    return Assets(FILES).answer(Request(b"GET", path.encode(), named), path)


def head_of(answer: Answer) -> dict[str, str]:
    lines = answer.encode(b"", b"id", with_body=False).decode().split("\r\n")[1:]
    return {name.lower(): value for name, _, value in (line.partition(": ") for line in lines if line)}


def test_index_is_asked_for_again_and_its_files_are_kept_forever() -> None:
    assert head_of(get("/console/"))["cache-control"] == "no-cache"
    assert "immutable" in head_of(get("/console/assets/index-1a.js"))["cache-control"]


def test_file_has_the_type_that_a_browser_needs_to_run_it() -> None:
    assert head_of(get("/console/"))["content-type"] == "text/html; charset=utf-8"
    assert head_of(get("/console/assets/index-1a.js"))["content-type"] == "text/javascript; charset=utf-8"


def test_page_may_load_and_ask_nothing_but_its_own() -> None:
    policy = head_of(get("/console/"))["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


def test_file_that_the_browser_has_is_not_sent_again() -> None:
    tag = head_of(get("/console/"))["etag"]
    kept = get("/console/", if_none_match=tag)
    assert (kept.status, kept.encode(b"", b"id", with_body=True)[-4:]) == (304, b"\r\n\r\n")
    assert head_of(kept)["content-length"] == head_of(get("/console/"))["content-length"]
    assert get("/console/", if_none_match=f'"other", {tag.removeprefix("W/")}').status == 304, "compared weakly"
    assert get("/console/", if_none_match="*").status == 304
    assert get("/console/", if_none_match='"another"').status == 200


def test_file_is_sent_packed_to_who_takes_it() -> None:
    packed = get("/console/assets/index-1a.js", accept_encoding="br, gzip")
    assert head_of(packed)["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == FILES["assets/index-1a.js"]
    assert len(packed.body) * 10 < len(FILES["assets/index-1a.js"])
    for refused in ("", "br", "gzip;q=0", "gzip; q=0.000", "xgzipx", "identity"):
        assert "content-encoding" not in head_of(get("/console/assets/index-1a.js", accept_encoding=refused)), refused


def test_folder_leads_to_its_page() -> None:
    found = get("/console")
    assert (found.status, head_of(found)["location"]) == (308, "/console/")


@pytest.mark.parametrize("path", ["/console/index.htm", "/console/assets/", "/console/../auth.py", "/console//"])
def test_other_paths_are_not_there(path: str) -> None:
    assert get(path).status == 404


def test_without_its_files_the_page_says_how_to_get_them() -> None:
    page = Assets({}).answer(Request(b"GET", b"/console/", {}), "/console/").body.decode()
    assert page.count("make console") == 2, "in both languages"


def test_what_the_build_says_of_itself_is_shown_to_nobody(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    for name in ("index.html", ".made-of.json", "assets/index-1a.js"):
        (tmp_path / name).write_text("x", encoding="ascii")
    assert sorted(name for name, _ in _below(tmp_path, "")) == ["assets/index-1a.js", "index.html"]
