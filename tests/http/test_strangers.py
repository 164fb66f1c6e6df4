"""F2: two tenants, two users each. What is somebody else's is answered as what does not exist, and stays as it is."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.gateways import Answer, GatewayProcess, start_gateway
from tests.http.conftest import Keys
from tests.http.strangers import CONFLICT, RULES, Owner, Question, asked_of, normal, questions, seen, settle, unruled
from tests.weaviate_server import WeaviateServer

AT_ONCE = 6
READS_COMPARED_MAX = 3
REQUESTS_MIN = 2_000


@pytest.fixture(params=["sqlite", pytest.param("weaviate", marks=pytest.mark.integration)])
def gateway(request: pytest.FixtureRequest, tmp_path: Path, keys: Keys) -> Iterator[GatewayProcess]:
    environment = {
        "ANAMNESIS_AUTH__KEYS": keys.entries(),
        "ANAMNESIS_AUDIT__LEVEL": "off",  # a stranger's own requests are in their audit: test_audited_requests asks
        "ANAMNESIS_EMBEDDINGS__PROVIDER": "none",
        "ANAMNESIS_RECALL__DEADLINE_MS": "10000",
        "ANAMNESIS_SESSION__SWEEP_INTERVAL_S": "0.2",
        "ANAMNESIS_FINALIZATION__HOLD_S": "1",
    }
    server = WeaviateServer(tmp_path / "weaviate")
    if request.param == "weaviate":
        server.start()
        environment |= {f"ANAMNESIS_{name}": value for name, value in server.gateway_settings().items()}
    started = start_gateway(tmp_path / "gateway", environment=environment)
    yield started
    started.kill()
    server.kill()


class Strangers:
    """Asks, compares, and counts."""

    def __init__(self, gateway: GatewayProcess) -> None:
        self._gateway = gateway
        self.requests: Counter[str] = Counter()
        self.leaks: list[str] = []

    def ask(self, key: str, owner: Owner, asked: list[Question], *, same_tenant: bool) -> None:
        """Reads several at once; what may change something one after the other, after them."""
        reads = [one for one in asked if not RULES[one.operation.name].changes]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(lambda one: self._one(key, owner, one, same_tenant=same_tenant), reads))
        for one in asked:
            if RULES[one.operation.name].changes:
                self._one(key, owner, one, same_tenant=same_tenant)

    def _one(self, key: str, owner: Owner, question: Question, *, same_tenant: bool) -> None:
        """A read is compared again where it differs: what a stranger's own memories say changes as they are shown.

        What belongs to somebody else differs every time.
        """
        tries = 1 if RULES[question.operation.name].changes else READS_COMPARED_MAX
        leak = ""
        for _ in range(tries):
            leak = self._compared(key, owner, question, same_tenant=same_tenant)
            if not leak:
                return
        self.leaks.append(leak)

    def _compared(self, key: str, owner: Owner, question: Question, *, same_tenant: bool) -> str:
        """What the answer tells; empty if nothing."""
        name = question.operation.name
        rule = RULES[name]
        about_owner = asked_of(self._gateway, question.operation, question.body, key)
        self.requests[name] += 1
        if same_tenant and rule.conflict and rule.changes:  # of nobody it would make something
            about_nobody, told = None, _conflict(about_owner)
        else:
            about_nobody = asked_of(self._gateway, question.operation, question.about_nobody(), key)
            self.requests[name] += 1
            told = normal(about_owner, question) == normal(about_nobody, question)
            told |= same_tenant and rule.conflict and _conflict(about_owner)
            told |= "cursor" in question.named  # a place in the order of all ids, in a list of one's own
        if owner.canary.encode() in about_owner.body:
            self.leaks.append(f"{name} {question.body}: {about_owner} has the canary")
        leaks = not told or about_owner.status >= 500
        return f"{name} {question.body}: {about_owner} but of nobody {about_nobody}" if leaks else ""


def _conflict(answer: Answer) -> bool:
    """The same tenant writes under another user's name: it is told, and nothing more."""
    return answer.status == 409 and answer.json()["code"] == CONFLICT and "detail" in answer.json()


def test_f2_every_operation_has_a_rule_for_strangers() -> None:
    assert unruled() == set(), "say in tests/http/strangers.py how a stranger could name what isn't his"


@pytest.mark.long
def test_f2_strangers_get_the_answer_of_what_does_not_exist(gateway: GatewayProcess, keys: Keys) -> None:
    key_of = {"t1": keys.admin, "t2": keys.other_admin}
    owners = [
        settle(gateway, key_of[tenant], Owner(tenant, f"{tenant}-{name}", f"canary{tenant}{name}quartz"))
        for tenant in key_of
        for name in ("ann", "bob")
    ]
    before = [seen(gateway, key_of[owner.tenant], owner) for owner in owners]
    for owner, views in zip(owners, before, strict=True):
        blind = [name for name, view in views.items() if owner.canary.encode() not in view and "end" not in name]
        assert not blind, f"what the owner sees has no canary: {blind}"
        assert len(owner.memories) > 5
        assert len(owner.facts) > 1
        assert owner.units

    strangers = Strangers(gateway)
    for tenant, key in key_of.items():
        settle(gateway, key, Owner(tenant, f"{tenant}-eve", "of the stranger's own"))
    for owner in owners:
        foreign = key_of["t2" if owner.tenant == "t1" else "t1"]
        strangers.ask(foreign, owner, list(questions(owner)), same_tenant=False)
        for tenant, key in key_of.items():
            asked = list(questions(owner, f"{tenant}-eve"))
            same_tenant = tenant == owner.tenant
            if same_tenant:  # into what has ended a tenant may write as whom it likes
                asked = [one for one in asked if _is_guarded(one, owner)]
            strangers.ask(key, owner, asked, same_tenant=same_tenant)
    after = [seen(gateway, key_of[owner.tenant], owner) for owner in owners]
    print(f"F2: {strangers.requests.total()} requests, leaks {len(strangers.leaks)}: {dict(strangers.requests)}")
    assert not strangers.leaks, "\n".join(strangers.leaks[:5])
    assert after == before
    assert strangers.requests.keys() == RULES.keys()
    assert strangers.requests.total() >= REQUESTS_MIN


def _is_guarded(question: Question, owner: Owner) -> bool:
    """Whether a user of the same tenant is kept out: of memories always, of conversations while they live."""
    rule = RULES[question.operation.name]
    if (
        not rule.changes
        or question.named.keys() & {"memory_id", "fact_ids", "item_id"}
        or question.operation.name == "ForgetMemory"
    ):
        return True
    return rule.conflict and question.named["conversation_id"] in owner.conversations[1:]
