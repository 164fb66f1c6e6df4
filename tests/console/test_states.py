"""Each list and detail in its states: nothing there, refused, not just now, and on its way. Each is said in words."""

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
PERSON: Final = "patient-zh"
say = speech("zh")
DETAILS: Final = {
    "GetProfile": ("", "section.safety >> text=头孢"),
    "GetTimeline": (f"/conversations/{PERSON}-3", "text=今天头痛好一些了。"),
    "QueryMemoryContext": (f"/conversations/{PERSON}-3", "figure.tokens"),
    "ExplainMemory": ("/memories/{memory}", "ol.timeline li.message"),
    "GetMemoryHistory": ("/memories/{memory}", f"text={say('noChanges')}"),
    "GetDecay": ("/memories/{memory}", "figure.curve"),
}
"""What is asked for one thing, where of a person's, and what is seen once it is there."""
NOTHING: Final[dict[str, Any]] = {
    "items": [], "finalizations": [], "nodes": [], "edges": [], "cursor": "", "total": 0, "counts": {},
}  # fmt: skip


def problem(status: int, code: str, detail: str, **headers: str) -> dict[str, Any]:
    """An answer that refuses."""
    return {"status": status, "json": {"status": status, "code": code, "detail": detail}, "headers": headers}


def nothing(route: Route) -> None:
    route.fulfill(json=NOTHING)


def as_it_is(route: Route) -> None:
    route.continue_()


class Screen:
    """What is asked for anew, and what is said beside it. `none`: of a list with nothing in it."""

    def __init__(self, page: Page, url: str, operation: str, none: str = "") -> None:
        self._page, self._url, self._pattern = page, url, f"**/v1/{operation}"
        self._none = say(none) if none else ""

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

    def shows_when_it_is_there(self, arrived: Callable[[], None], *, answer: Callable[[Route], None]) -> None:
        """Away, it is asked for again by itself; while it is on its way that is said; then it is shown."""
        away = problem(503, "store_unavailable", "Redis rests", **{"Retry-After": "1"})
        rests = True  # until that has been seen: a page that follows what changes asks again at once
        self.show(lambda route: route.fulfill(**away) if rests else answer(route))
        expect(self.alert(f"{say('notNow')} Redis rests (store_unavailable)")).to_be_visible()
        rests = False
        expect(self.alert("Redis rests")).to_have_count(0)
        arrived()

        held: list[Route] = []
        slow = True
        self.show(lambda route: held.append(route) if slow else answer(route))
        expect(self.waiting.first).to_be_visible()
        slow = False
        for route in held:
            answer(route)
        expect(self.waiting).to_have_count(0)
        arrived()

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

    screen.shows_when_it_is_there(lambda: expect(screen.empty).to_be_visible(), answer=nothing)
    visit.trouble.clear()  # the answer of 503


@pytest.mark.parametrize("operation", sampled(DETAILS, 3))
def test_detail_says_in_which_state_it_is(visiting: Visiting, operation: str) -> None:
    visit = visiting("zh")
    visit.refused = True
    listed = {"user_id": PERSON, "kinds": ["fact"], "contains": "阑尾"}
    (memory,) = visit.gateway.post("ListMemories", listed).json()["items"]
    path, there = DETAILS[operation]
    path = path.format(memory=memory["memory_id"])
    screen = Screen(visit.page, f"{visit.gateway.url}/console/#/people/{PERSON}{path}", operation)

    screen.show(lambda route: route.fulfill(**problem(403, "forbidden", "it needs the scope 'admin'")))
    expect(screen.alert(f"{say('lacksScope')} it needs the scope 'admin'")).to_be_visible()
    screen.show(lambda route: route.fulfill(**problem(404, "not_found", "no such thing")))
    expect(screen.alert(say("notFound"))).to_be_visible()
    expect(visit.page.locator(there)).to_have_count(0)

    def arrived() -> None:
        expect(visit.page.locator(there).first).to_be_visible()
        expect(visit.page.get_by_role("alert")).to_have_count(0)

    screen.shows_when_it_is_there(arrived, answer=as_it_is)
    visit.trouble.clear()
