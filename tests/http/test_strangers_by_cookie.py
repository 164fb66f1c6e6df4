"""Who signed in to the console of another tenant learns no more than who came with a key (F2)."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from gateway.operations import WATCHES, Operation
from tests.gateways import Answer
from tests.http.conftest import Keys, Start
from tests.http.strangers import RULES, Owner, Question, normal, questions, seen, settle
from tests.http.test_console import Browser

QUIET = {
    "ANAMNESIS_AUDIT__LEVEL": "off",
    "ANAMNESIS_EMBEDDINGS__PROVIDER": "none",
    "ANAMNESIS_FINALIZATION__HOLD_S": "1",
    "ANAMNESIS_SESSION__SWEEP_INTERVAL_S": "0.2",
}
"""What a stranger's own requests leave is none of this: test_audited_requests looks at it."""


def asked_by(browser: Browser, operation: Operation, body: Mapping[str, Any]) -> Answer:
    """As a page of the console asks: an EventSource sends no mark."""
    if operation not in WATCHES:
        return browser.ask(operation.path, body)
    return browser.ask(f"{operation.path}?{urlencode(body)}", method="GET", X_Anamnesis_Console="")


def one_of_each(owner: Owner) -> list[Question]:
    """Each way to name something of the owner's once; what may change something comes last."""
    first = {(one.operation.name, *one.named): one for one in reversed(list(questions(owner)))}
    return sorted(first.values(), key=lambda one: RULES[one.operation.name].changes)


def test_f2_cookie_of_another_tenant_gets_the_answer_of_what_does_not_exist(start: Start, keys: Keys) -> None:
    gateway = start(environment=QUIET | {"ANAMNESIS_AUTH__KEYS": keys.entries()})
    owner = settle(gateway, keys.admin, Owner("t1", "t1-ann", "canaryt1annquartz"))
    before = seen(gateway, keys.admin, owner)
    mine, stranger = Browser(gateway).sign_in(keys.admin), Browser(gateway).sign_in(keys.other_admin)
    for operation, about in (("GetProfile", {"user_id": owner.user}), ("GetMemory", {"memory_id": owner.memories[0]})):
        assert owner.user in mine.ask(f"/v1/{operation}", about).body.decode(), "a cookie shows its own tenant's"

    asked, leaks = one_of_each(owner), []
    for one in asked:
        theirs = asked_by(stranger, one.operation, one.body)
        nobodys = asked_by(stranger, one.operation, one.about_nobody())
        assert (theirs.status == 403) == (one.operation.scope == "operate"), "it is let in, as far as its key is"
        assert theirs.status < 500
        assert theirs.status != 401
        same = normal(theirs, one) == normal(nobodys, one) or "cursor" in one.named  # a place among one's own
        if not same or owner.canary.encode() in theirs.body:
            leaks.append(f"{one.operation.name} {one.named}: {theirs} but of nobody {nobodys}")
    assert leaks == []
    assert {one.operation.name for one in asked} == RULES.keys()
    assert seen(gateway, keys.admin, owner) == before
