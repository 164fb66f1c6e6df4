"""Memories to a file and from one, in the browser: the same files as the command line's."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from gateway.cli import main
from gateway.commands.record_files import Head, Lines
from tests.console.conftest import ADMIN, READER, Visiting
from tests.console.speech import LANGUAGES, speech
from tests.console.test_quality import faults, sign_in, tab_to
from tests.gateways import GatewayProcess
from tests.waiting import wait_until

PAYLOAD = "<img src=x onerror=alert(1)>"


def exported(page: Page, form: str, user: str = "") -> Path:
    page.get_by_label("User id (empty: everybody)").fill(user)
    page.get_by_role("combobox").select_option(form)
    with page.expect_download() as taken:
        page.get_by_role("button", name="Export", exact=True).click()
    assert taken.value.suggested_filename == f"memories-{user or 'all'}.{form}"
    return Path(taken.value.path())


def of_the_command(gateway: GatewayProcess, folder: Path, form: str, user: str) -> str:
    file = folder / f"command.{form}"
    words = ["export", str(file), "--user", user, "--format", form, "--locale", "en", "--url", gateway.url]
    with ThreadPoolExecutor(1) as beside:  # this thread has the browser's event loop
        assert beside.submit(main, words).result() == 0
    return file.read_text(encoding="utf-8")


def test_files_are_those_of_the_command(visiting: Visiting, gateway: GatewayProcess, tmp_path: Path) -> None:
    page = visiting().go("/transfer")
    for user in ("patient-en", "patient-zh"):
        table = exported(page, "csv", user).read_text(encoding="utf-8")
        assert table == of_the_command(gateway, tmp_path, "csv", user)
        title, *text = exported(page, "txt", user).read_text(encoding="utf-8").splitlines()
        assert title.startswith("Memories as of 20")
        assert text == of_the_command(gateway, tmp_path, "txt", user).splitlines()[1:]
        lines, theirs = (
            [json.loads(line) for line in told.splitlines()]
            for told in (
                exported(page, "jsonl", user).read_text(encoding="utf-8"),
                of_the_command(gateway, tmp_path, "jsonl", user),
            )
        )
        assert lines[1:-1] == theirs[1:-1]
        assert (lines[0]["user_id"], lines[-1]["count"]) == (user, len(lines) - 2)
    expect(page.get_by_role("status")).to_contain_text("records exported")


def made(number: int, **more: Any) -> dict[str, Any]:
    """A record of somebody elsewhere."""
    return {
        "memory_id": f"00000000-0000-4000-8000-{number:012}",
        "user_id": "elsewhere",
        "kind": "fact",
        "category": "fact",
        "type": "opinion",
        "text": f"I like tea {number}",
        "source": {"conversation": "c", "unit_id": "", "seqs": [1], "quote": f"I like tea {number}"},
        "occurred_ms": 1_763_764_800_000 + number,
        "recorded_ms": 1_763_764_800_000,
        "subject": "user",
        "predicate": "likes",
        "object": f"tea {number}",
        **more,
    }


def file_of(path: Path, *those: dict[str, Any]) -> Path:
    writer = Lines()
    text = writer.begin(Head("2026-01-31T08:30:00.000Z")) + "".join(map(writer.add, those))
    path.write_text(text + writer.end(), encoding="utf-8")
    return path


@pytest.mark.parametrize("language", LANGUAGES)
def test_import_is_tried_before_it_is_done(
    visiting: Visiting, gateway: GatewayProcess, tmp_path: Path, language: str
) -> None:
    say, user = speech(language), f"brought-{language}"
    wrong = made(2, **{PAYLOAD: 1})
    file = file_of(tmp_path / "some.jsonl", made(1), wrong, *(made(number) for number in range(3, 703)))
    visit = visiting(language)
    page = visit.go("/transfer")
    page.get_by_label(say("fileToImport"), exact=True).set_input_files(file)
    page.get_by_label(say("userOrSame")).fill(user)
    now = page.get_by_role("button", name=say("importNow"))
    expect(now).to_be_disabled()
    page.get_by_role("button", name=say("tryIt")).click()
    expect(page.get_by_role("status")).to_contain_text(say("wouldBecome"))
    for told in (f"701 {say('outcome_added')}", f"0 {say('outcome_same')}", f"1 {say('outcome_refused')}"):
        expect(page.get_by_role("listitem").filter(has_text=told)).to_have_count(1)
    row = page.get_by_role("row").nth(1)
    expect(row).to_contain_text("3")
    expect(row).to_contain_text(PAYLOAD)
    assert page.locator("img").count() == 0
    assert faults(page) == []
    visit.picture(f"transfer-{language}")
    assert gateway.post("ListMemories", {"user_id": user}).json()["items"] == []

    now.click()
    expect(page.get_by_role("status")).to_contain_text(say("became"))
    expect(now).to_be_disabled()
    found = gateway.post("ExportMemories", {"user_id": user, "limit": 1_000}).json()["records"]
    assert len(found) == 701
    page.get_by_role("button", name=say("tryIt")).click()
    expect(page.get_by_role("listitem").filter(has_text=f"701 {say('outcome_same')}")).to_have_count(1)


def test_what_is_no_whole_file_is_refused_at_once(visiting: Visiting, tmp_path: Path) -> None:
    file = file_of(tmp_path / "cut.jsonl", made(1), made(2, user_id="another"))
    visit = visiting()
    asked: list[str] = []
    visit.page.on("request", lambda sent: "ImportMemories" in sent.url and asked.append(sent.url))
    page = visit.go("/transfer")
    chosen = page.get_by_label("File", exact=True)
    again = page.get_by_role("button", name="Try it")
    chosen.set_input_files(file)
    page.get_by_label("Into user id").fill("one")
    again.click()
    expect(page.get_by_role("alert")).to_contain_text("memories of 2 users")
    cut = tmp_path / "cut2.jsonl"
    cut.write_bytes(file.read_bytes()[:-30])
    chosen.set_input_files(cut)
    again.click()
    expect(page.get_by_role("alert")).to_contain_text("Line 4 cannot be read")
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(file.read_bytes().replace(b"tea 1", b"tea 9"))
    chosen.set_input_files(changed)
    again.click()
    expect(page.get_by_role("alert")).to_contain_text("sums do not agree")
    changed.write_bytes(b"something else")
    again.click()
    expect(page.get_by_role("alert")).to_contain_text("choose it again")
    assert asked == []


def test_who_is_no_admin_is_told_so(visiting: Visiting, keyed: GatewayProcess) -> None:
    visit = visiting(at=keyed)
    visit.refused = True
    page = visit.go("/")
    sign_in(visit, READER)
    expect(page.get_by_role("link", name="Export, import")).to_have_count(0)
    visit.go("/transfer")
    page.get_by_role("button", name="Export", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("lacks the scope")


def test_all_is_exported_by_keyboard_alone(visiting: Visiting, keyed: GatewayProcess) -> None:
    about = {"subject": "user", "memory_type": "fact", "topic": "tea"}
    for user in ("a", "b"):
        assert keyed.post("CreateMemory", {"user_id": user, **about}, key=ADMIN).status == 200
    wait_until(lambda: keyed.post("ExportMemories", {}, key=ADMIN).status == 200, "users are listed")
    visit = visiting(at=keyed)
    visit.refused = True
    page = visit.go("/transfer")
    sign_in(visit, ADMIN)
    tab_to(page, "INPUT")
    with page.expect_download() as taken:
        page.keyboard.press("Enter")
    lines = [json.loads(line) for line in Path(taken.value.path()).read_text(encoding="utf-8").splitlines()]
    assert [line.get("user_id") for line in lines] == [None, "a", "b", None]
    assert taken.value.suggested_filename == "memories-all.jsonl"
