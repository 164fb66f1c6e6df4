"""What a key says to be an identifier is one, and labels that differ by what was replaced alone are not one.

That no field of a tool brings an identifier anywhere: test_graph_privacy.py.
"""

import json
import re
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from memory.model.extraction import Likely
from memory.privacy.policy import KINDS
from memory.providers.openai_calls import OpenAIEndpoint
from memory.providers.openai_embedder import OpenAIEmbedder, OpenAIEmbedderSettings
from tests.contract.graph_calls import SAID_AT, create
from tests.contract.test_graph_stores import CUES
from tests.contract.test_privacy import ALL, CANARIES, bytes_of, in_clear, replacer
from tests.contract.test_settling import Judge
from tests.openai_server import DIMENSION, ScriptedServer, numbers_of

pytestmark = pytest.mark.parametrize("commands", ["fakeredis"], indirect=True)

U = {"user_id": "u1"}
REPLACED = [ALL, dict.fromkeys(KINDS, "pseudonym")]
OTHERS = {
    "email": "han.mei@mail.example.com",
    "url": "https://example.com/han-mei?b=2",
    "mobile": "139 8765 4321",
    "landline": "(021)87654321转802",
    "phone": "+44 20 7946 0123",
    "id_card": "110105194912310038",
    "passport": "E87654321",
    "card": "5500 0000 0000 0004",
    "iban": "GB82 WEST 1234 5698 7654 32",
    "ssn": "321-54-9876",
    "ip": "192.168.17.99",
    "plate": "京B54321",
    "birth": "1985年5月9日",
    "account": "HM_messenger88",
    "name": "韩梅",
    "address": "北京市海淀区知春路66号",
}
"""One more of each kind."""
SAID_BY_KEY = {
    "account": ("微信号", "支付宝账号"),
    "passport": ("护照号", "passport number"),
    "name": ("姓名", "联系人姓名"),
    "address": ("住址", "家庭住址"),
    "birth": ("出生日期", "生日"),
}
"""What a topic and a key say of what stands beside them, where nothing else tells that it is one."""
BODY = re.compile(r":[A-Z2-7]{28,}")
"""What tells two pseudonyms of a kind apart."""

Make = Callable[..., OpenAIEmbedder]


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer() as running:
        yield running


@pytest.fixture
async def embedder_of(server: ScriptedServer) -> AsyncIterator[Make]:
    made: list[OpenAIEmbedder] = []

    def make(**settings: Any) -> OpenAIEmbedder:
        point = OpenAIEndpoint(server.url, "key", deadline_s=10.0, retries_max=1, backoff_s=0.001)
        made.append(OpenAIEmbedder(OpenAIEmbedderSettings("a-model", point, DIMENSION, **settings)))
        return made[-1]

    yield make
    for embedder in made:
        await embedder.close()


class Believing(Judge):
    """Says of all that it is asked about that it is one."""

    async def same(self, tenant: str, locale: str, pairs: Sequence[Likely]) -> list[bool | None]:  # noqa: ARG002
        return [True] * len(pairs)


def said(kind: str, values: dict[str, str] = CANARIES) -> str:
    """So that it is known for one of its kind."""
    return CUES.get(kind, "{}").format(values[kind])


@pytest.mark.parametrize("kind", SAID_BY_KEY)
async def test_what_a_topic_or_a_key_says_to_be_an_identifier_is_one(
    make_world: Callable[..., Any], tmp_path: Path, kind: str
) -> None:
    here = await make_world(minds={"replacer": replacer(ALL)})
    value, made = CANARIES[kind], list[dict[str, Any]]()
    for key in SAID_BY_KEY[kind]:
        made.append(await create(here, key, value, quote=f"{key}是{value}"))
        made.append(await create(here, f"登记{key}", "前台", subject="小店", attributes={key: value}))
        body = {"memory_id": made[-1]["memory_id"], "attributes": {f"新{key}": value, key: None}}
        made.append(await here.call("UpdateMemory", **U, **body))
    shown = [each["memory"] for each in made]
    assert kind not in in_clear(json.dumps(shown, ensure_ascii=False).encode())
    assert kind not in in_clear(bytes_of(tmp_path))
    assert all(each["occurred_at"].startswith("2025") for each in shown), "a birth that is replaced is no time either"


@pytest.mark.parametrize("policy", REPLACED, ids=["redact", "pseudonym"])
async def test_labels_that_differ_by_what_was_replaced_alone_are_not_made_one(
    make_world: Callable[..., Any], embedder_of: Make, server: ScriptedServer, policy: dict[str, Any]
) -> None:
    server.embed = lambda text: numbers_of(BODY.sub("", text))  # two of a kind mean the same
    minds = {"replacer": replacer(policy), "judge": Believing({})}
    here = await make_world(minds=minds, embedder=embedder_of())
    labels = set[str]()
    for kind in KINDS:
        for number, values in enumerate((CANARIES, OTHERS)):
            made = await create(here, f"在用{number}", f"{said(kind, values)} 的事", occurred_at=SAID_AT)
            assert values[kind] not in repr(made)
            labels.add(made["memory"]["object"])
    assert len(labels) == len(KINDS) * (1 if policy is ALL else 2)
    steps = (await here.call("SettleMemories", **U))["steps"]
    assert steps["checked"] >= len(labels)
    shown = await here.call("GetGraph", **U, include=["merged"])
    assert shown["merged"] == []
    assert labels <= {node["label"] for node in shown["nodes"]}
    assert all("aliases" not in node for node in shown["nodes"])
