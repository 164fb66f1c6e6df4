"""Each list in its states: nothing there, refused, not just now, and on its way. Each is said in words."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.console.conftest import Visiting
from tests.console.speech import speech
from tests.sampling import sampled

LISTS: Final = {
    "/": ("ListUsers", "nobody"),
    "/reviews": ("ListReviews", "noQuestions"),
    "/audit": ("ListAudit", "noAudit"),
    "/finalizations": ("ListFinalizations", "noFinalizations"),
    "/people/u/conversations": ("ListConversations", "noConversations"),
    "/people/u/memories": ("ListMemories", "noMemories"),
    "/people/u/batch": ("ListJobs", "noJobs"),
    "/people/u/graph": ("GetGraph", "nothingKnown"),
    "/people/u": ("ListMemories", "nothingKnown"),
}
NOTHING: Final[dict[str, Any]] = {
    "items": [], "finalizations": [], "nodes": [], "edges": [], "cursor": "", "total": 0, "counts": {},
}  # fmt: skip
say = speech("zh")


def problem(status: int, code: str, detail: str, **headers: str) -> dict[str, Any]:
    """An answer that refuses."""
    return {"status": status, "json": {"status": status, "code": code, "detail": detail}, "headers": headers}


def nothing(route: Route) -> None:
    route.fulfill(json=NOTHING)


class Screen:
    """A list that is asked for anew, and what is said beside it."""

    def __init__(self, page: Page, url: str, operation: str, none: str) -> None:
        self._page, self._url, self._pattern = page, url, f"**/v1/{operation}"
        self._none = say(none)

    def show(self, answer: Callable[[Route], None]) -> None:
        self._page.unroute_all()
        self._page.route(self._pattern, answer)
        self._page.goto("about:blank")
        self._page.goto(self._url)

    def alert(self, text: str) -> Locator:
        return self._page.get_by_role("alert").filter(has_text=text)

    @property
    def empty(self) -> Locator:
        return self._page.get_by_text(self._none, exact=True).last

    @property
    def waiting(self) -> Locator:
        return self._page.get_by_role("status").get_by_text(say("loading"), exact=True)


@pytest.mark.parametrize("path", sampled(LISTS, 4))
def test_list_says_in_which_state_it_is(visiting: Visiting, path: str) -> None:
    operation, none = LISTS[path]
    visit = visiting("zh")
    visit.refused = True
    screen = Screen(visit.page, f"{visit.gateway.url}/console/#{path}", operation, none)

    screen.show(nothing)
    expect(screen.empty).to_be_visible()
    expect(visit.page.get_by_role("alert")).to_have_count(0)

    screen.show(lambda route: route.fulfill(**problem(403, "forbidden", "it needs the scope 'admin'")))
    expect(screen.alert(f"{say('lacksScope')} it needs the scope 'admin'")).to_be_visible()
    expect(screen.waiting).to_have_count(0)

    away = problem(503, "store_unavailable", "Redis rests", **{"Retry-After": "1"})
    tries = [away]
    screen.show(lambda route: route.fulfill(**tries.pop()) if tries else nothing(route))
    expect(screen.alert(f"{say('notNow')} Redis rests (store_unavailable)")).to_be_visible()
    expect(screen.alert("Redis rests")).to_have_count(0)  # it asked again by itself
    expect(screen.empty).to_be_visible()

    held: list[Route] = []
    slow = True
    screen.show(lambda route: held.append(route) if slow else nothing(route))
    expect(screen.waiting.first).to_be_visible()
    slow = False
    for route in held:
        nothing(route)
    expect(screen.waiting).to_have_count(0)
    expect(screen.empty).to_be_visible()
    visit.trouble.clear()  # the answer of 503
