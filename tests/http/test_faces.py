"""Every operation has every face, and every face works: HTTP, OpenAPI, clients, command line, pages."""

import ast
import asyncio
import inspect
import json
import re
from typing import Any

import jsonschema_rs
import pytest
from prometheus_client.parser import text_string_to_metric_families
from schemathesis.specs.openapi.definitions import OPENAPI_31

from gateway import client_stub
from gateway.cli import main
from gateway.client import METHODS, WATCHING, AsyncClient, Client, ProblemError
from gateway.console import typescript
from gateway.observe.metrics import DESCRIPTIONS
from gateway.openapi import program_version
from gateway.operating.service import Operating
from gateway.operations import BY_NAME, OPERATIONS, WATCHES, Answerer, Operation
from memory.service import MemoryService
from tests.gateways import GatewayProcess, run_command
from tests.http.conftest import Keys, Start
from tests.mcp_clients import problem_of, session_of

EVERY_OPERATION = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
NOTHING_TO_DO = dict.fromkeys(
    (
        "ReplayFinalization",
        "ConfirmFacts",
        "GetMemory",
        "GetMemUnit",
        "GetErasure",
        "LinkMemories",
        "UnlinkMemories",
        "UpdateMemory",
        "GetMemoryHistory",
        "ArchiveMemory",
        "RestoreMemory",
        "GetDecay",
        "DecideReview",
        "FindPath",
        "MergeNodes",
        "SplitNodes",
        "ResolveMemoryConflict",
        "GetJob",
        "CancelJob",
    ),
    "not_found",
) | {"StartBatch": "batch_expired"}
"""Operations whose example needs a failure or an id first, with the code of their refusal."""
STATUS = {"not_found": 404, "batch_expired": 409}
WITH_FILES = ("ExportMemories", "ImportMemories")
"""Commands that are about files: tests/http/test_transfer_commands.py."""
CSP = "default-src 'none'"


def example_of(operation: Operation, name: str) -> dict[str, Any]:
    """The example, about ids of this test alone."""
    ids = {f: name for f in ("conversation_id", "user_id", "memory_id") if f in operation.example}
    return operation.example | ids


@pytest.fixture(scope="module")
def document(open_gateway: GatewayProcess) -> dict[str, Any]:
    answer = open_gateway.get("/openapi.json")
    assert (answer.status, answer.media) == (200, "application/json")
    return dict(answer.json())


def public_methods(service: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(service, inspect.isfunction) if not name.startswith("_")}


def test_operations_and_service_methods_are_the_same() -> None:
    methods = {Answerer.MEMORY: public_methods(MemoryService), Answerer.GATEWAY: public_methods(Operating)}
    for by, names in methods.items():
        assert {each.method for each in (*OPERATIONS, *WATCHES) if each.by is by} == names
    assert {*METHODS, *WATCHING} == set().union(*methods.values())
    assert len(BY_NAME) == len(OPERATIONS) == len({operation.cli for operation in OPERATIONS})


def test_openapi_document_is_valid(document: dict[str, Any]) -> None:
    jsonschema_rs.Draft202012Validator(OPENAPI_31).validate(document)
    assert document["openapi"].startswith("3.1")
    for name, schema in document["components"]["schemas"].items():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema)
        assert schema.get("description"), f"{name} says what it is"
        assert schema.get("properties") or schema.get("enum"), f"{name} says what is in it"


def test_openapi_document_has_no_reference_to_nowhere(document: dict[str, Any]) -> None:
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(document)))
    assert named <= set(document["components"]["schemas"])


def test_openapi_paths_are_the_operations_and_the_pages(document: dict[str, Any]) -> None:
    pages = {"/health", "/live", "/metrics"}
    others = {operation.also[1] for operation in OPERATIONS if operation.also}
    assert len(others) == 5
    assert set(document["paths"]) == {operation.path for operation in (*OPERATIONS, *WATCHES)} | others | pages


@EVERY_OPERATION
def test_operation_is_documented(document: dict[str, Any], operation: Operation) -> None:
    described = document["paths"][operation.path]["post"]
    assert described["operationId"] == operation.name
    assert described["description"] == operation.description != ""
    assert described["x-scope"] == operation.scope
    body = described["requestBody"]["content"]["application/json"]
    assert body["example"] == operation.example
    schema = {"components": document["components"]} | body["schema"]
    jsonschema_rs.Draft202012Validator(schema).validate(operation.example)
    assert {"200", "400", "401", "403", "404", "408", "409", "413", "415", "503"} <= set(described["responses"])
    refused = {m for s, r in described["responses"].items() if s != "200" for m in r["content"]}
    assert refused == {"application/problem+json"}


def test_examples_work_over_http_and_answer_what_is_documented(
    open_gateway: GatewayProcess, document: dict[str, Any]
) -> None:
    for operation in OPERATIONS:
        answer = open_gateway.post(operation.name, example_of(operation, "faces-http"))
        if operation.name in NOTHING_TO_DO:
            code = NOTHING_TO_DO[operation.name]
            assert (answer.status, answer.json()["code"]) == (STATUS[code], code)
            continue
        assert (answer.status, answer.media) == (200, "application/json"), answer
        assert operation.response.model_config["extra"] == "forbid"
        operation.response.model_validate(answer.json())
        schema = document["paths"][operation.path]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
        jsonschema_rs.Draft202012Validator({"components": document["components"]} | schema).validate(answer.json())


def test_answer_with_everything_included_is_what_is_documented(open_gateway: GatewayProcess) -> None:
    ids = {"conversation_id": "faces-everything", "user_id": "faces-everything"}
    state = {"entities": {"a": 1}, "slot": {"b": [2]}, "pending_action": {"tool_name": "t"}}
    turn = {"user_query": "q", "agent_response": "a", "agent_code": "agent", "occurred_at": "2026-01-31T08:30:00+08:00"}
    open_gateway.post("WriteTurn", ids | turn | {"state": state})
    open_gateway.post("WriteMessages", ids | {"messages": [{"role": "tool", "content": "c", "name": "n"}]})
    open_gateway.post("CheckpointShortMemory", {"conversation_id": "faces-everything", "summary": "s"})
    asked = ids | {"query": "q", "agent_code": "agent", "include": ["full_history", "session", "turns", "explain"]}
    answer = open_gateway.post("QueryMemoryContext", asked).json()
    model = BY_NAME["QueryMemoryContext"].response.model_validate(answer)
    assert model.model_dump(mode="json") == answer
    assert {"full_history", "session", "turns", "explain"} <= set(answer)


def test_patient_id_is_user_id(open_gateway: GatewayProcess) -> None:
    open_gateway.post("UpsertFacts", {"user_id": "patient", "facts": {"allergies": ["青霉素"]}})
    for field in ("user_id", "patient_id"):
        answer = open_gateway.post("QueryMemoryContext", {"conversation_id": "faces-patient", field: "patient"})
        assert answer.json()["safety"]["allergies"] == ["青霉素"]
    both = {"conversation_id": "faces-patient", "user_id": "patient", "patient_id": "patient"}
    assert open_gateway.post("QueryMemoryContext", both).json()["safety"]["allergies"] == ["青霉素"]
    refused = open_gateway.post("QueryMemoryContext", both | {"patient_id": "another"})
    assert (refused.status, refused.json()["errors"][0]["field"]) == (400, "patient_id")


def test_write_that_nobody_can_be_remembered_by_says_so(open_gateway: GatewayProcess) -> None:
    said = {"conversation_id": "faces-nobody", "user_query": "我对青霉素过敏", "agent_response": "已记录"}
    assert open_gateway.post("WriteTurn", said).json()["warnings"] == ["no_user"]
    named = {"conversation_id": "faces-nobody", "entities": {"disease": "感冒"}}
    assert open_gateway.post("UpdateGlobalState", named).json()["warnings"] == ["no_user"]
    assert "warnings" not in open_gateway.post("WriteTurn", said | {"user_id": "somebody"}).json()
    assert "warnings" not in open_gateway.post("WriteTurn", said).json()


async def test_async_client_calls_every_operation(open_gateway: GatewayProcess) -> None:
    async with AsyncClient(open_gateway.url) as client:
        for operation in OPERATIONS:
            call = getattr(client, operation.method)(**example_of(operation, "faces-async"))
            if operation.name in NOTHING_TO_DO:
                with pytest.raises(ProblemError) as refused:
                    await call
                assert refused.value.code == NOTHING_TO_DO[operation.name]
            else:
                assert type(await call) is operation.response


def test_sync_client_calls_every_operation(open_gateway: GatewayProcess) -> None:
    with Client(open_gateway.url) as client:
        for operation in OPERATIONS:
            method = getattr(client, operation.method)
            fields = example_of(operation, "faces-sync")
            if operation.name in NOTHING_TO_DO:
                with pytest.raises(ProblemError, match=NOTHING_TO_DO[operation.name]):
                    method(**fields)
            else:
                assert type(method(**fields)) is operation.response


@pytest.mark.parametrize("lost", [{"memory_id": None}, {"conversation_id": None, "memory_id": "m"}], ids=str)
async def test_null_instead_of_an_id_erases_nothing_by_any_face(
    open_gateway: GatewayProcess, lost: dict[str, str | None]
) -> None:
    """Left out, an id means all of the user; a caller that lost it sends null."""
    user = "faces-null"
    open_gateway.post("UpsertFacts", {"user_id": user, "facts": {"allergies": ["青霉素"]}})
    answer = open_gateway.post("ForgetMemory", {"user_id": user} | lost)
    assert (answer.status, [error["field"] for error in answer.json()["errors"]]) == (400, [next(iter(lost))])
    async with session_of("http", open_gateway) as session:
        told = await session.call_tool("forget_memory", {"user_id": user} | lost)
    assert problem_of(told) == answer.json()
    async with AsyncClient(open_gateway.url) as client:
        with pytest.raises(ProblemError) as refused:
            await client.forget_memory(user_id=user, **lost)
    assert refused.value.problem == answer.json()
    with Client(open_gateway.url) as waiting, pytest.raises(ProblemError, match="invalid_input"):
        waiting.forget_memory(user_id=user, **lost)
    assert open_gateway.post("GetProfile", {"user_id": user}).json()["allergies"] == ["青霉素"]
    assert open_gateway.post("ForgetMemory", {"user_id": user}).json()["profile"]


async def test_client_sends_its_key_and_tells_refusals_apart(keyed_gateway: GatewayProcess, keys: Keys) -> None:
    async with AsyncClient(keyed_gateway.url, keys.reader) as reader:
        profile = await reader.get_profile(user_id="u")
        assert profile.version == 0
        with pytest.raises(ProblemError) as refused:
            await reader.upsert_preferences(user_id="u", preferences={"a": 1})
    assert (refused.value.status, refused.value.code, refused.value.retry_after_s) == (403, "forbidden", None)
    async with AsyncClient(keyed_gateway.url) as nobody:
        with pytest.raises(ProblemError, match="401"):
            await nobody.get_profile(user_id="u")


@pytest.mark.parametrize("client", [AsyncClient, Client])
def test_client_without_such_an_operation_says_so(client: type) -> None:
    made = client("http://127.0.0.1:9")
    with pytest.raises(AttributeError, match="has no operation 'query_memory'"):
        made.query_memory()
    closing = made.close()
    if closing is not None:
        asyncio.run(closing)


def test_types_of_the_console_are_what_would_be_generated() -> None:
    for name, text in typescript.files().items():
        assert (typescript.FOLDER / name).read_text(encoding="utf-8") == text, "run `make generate`"


def test_client_stub_is_what_would_be_generated() -> None:
    assert client_stub.STUB.read_text(encoding="utf-8") == client_stub.render(), "run `make generate`"


@pytest.mark.parametrize("name", ["AsyncClient", "Client"])
def test_client_stub_types_every_operation(name: str) -> None:
    tree = ast.parse(client_stub.STUB.read_text(encoding="utf-8"))
    owner = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    methods = {node.name: node for node in owner.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    for method, operation in METHODS.items():
        stub = methods[method]
        assert isinstance(stub, ast.AsyncFunctionDef) is (name == "AsyncClient")
        assert {argument.arg for argument in stub.args.kwonlyargs} == set(operation.request.model_fields)


def _flags(example: dict[str, Any]) -> list[str]:
    pairs = (("--" + name.replace("_", "-"), value) for name, value in example.items())
    return [part for flag, value in pairs for part in (flag, value if isinstance(value, str) else json.dumps(value))]


def test_command_line_calls_every_operation(open_gateway: GatewayProcess, capsys: pytest.CaptureFixture[str]) -> None:
    for operation in (each for each in OPERATIONS if each.name not in WITH_FILES):
        flags = _flags(example_of(operation, "faces-cli"))
        sure = ["--yes"] if operation.name == "ForgetMemory" else []
        code = main([operation.cli, *flags, *sure, "--url", open_gateway.url])
        shown = capsys.readouterr()
        if operation.name in NOTHING_TO_DO:
            assert code == 1
            assert json.loads(shown.err)["code"] == NOTHING_TO_DO[operation.name]
        else:
            assert code == 0, shown.err
            operation.response.model_validate_json(shown.out)


def test_command_as_a_process_takes_address_and_key_from_the_environment(
    keyed_gateway: GatewayProcess, keys: Keys
) -> None:
    environment = {"ANAMNESIS_URL": keyed_gateway.url, "ANAMNESIS_API_KEY": keys.reader}
    done = run_command("profile", "--user-id", "u", environment=environment)
    assert (done.returncode, json.loads(done.stdout)["user_id"]) == (0, "u")
    refused = run_command("facts", "--user-id", "u", environment=environment)
    assert (refused.returncode, json.loads(refused.stderr)["code"]) == (1, "forbidden")


@pytest.mark.parametrize("path", ["/docs", "/docs/docs.css", "/docs/docs.js", "/openapi.json"])
def test_docs_are_served_with_a_policy(open_gateway: GatewayProcess, path: str) -> None:
    answer = open_gateway.get(path)
    assert answer.status == 200
    policy = answer.headers["content-security-policy"]
    assert policy.startswith(CSP)
    assert "unsafe" not in policy
    assert "http" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_docs_page_uses_nothing_but_what_is_served(open_gateway: GatewayProcess) -> None:
    page = open_gateway.get("/docs").body.decode()
    used = re.findall(r'(?:src|href)="([^"#]+)"', page)
    assert {"/docs/docs.css", "/docs/docs.js"} <= set(used)
    for address in used:
        assert address.startswith("data:") or open_gateway.get(address).status == 200
    assert "<style" not in page, "the policy allows no inline style"
    assert not re.search(r"<script(?![^>]*src=)", page), "the policy allows no inline script"
    assert not re.search(r"\son\w+=", page), "the policy allows no inline handler"
    for asset in ("/docs/docs.css", "/docs/docs.js"):
        assert not re.findall(r"""(?:import|url\()\s*\(?["']?https?:""", open_gateway.get(asset).body.decode())


def test_metrics_are_those_that_are_described(open_gateway: GatewayProcess) -> None:
    open_gateway.post("GetProfile", {"user_id": "metrics"})
    answer = open_gateway.get("/metrics")
    assert (answer.status, answer.media) == (200, "text/plain")
    families = {family.name: family for family in text_string_to_metric_families(answer.body.decode())}
    ours = {name for name in families if not name.startswith("process_")}
    assert ours == set(DESCRIPTIONS)
    assert {name: families[name].documentation for name in ours} == DESCRIPTIONS
    answered = {s.labels["operation"] for s in families["anamnesis_requests"].samples}
    assert "GetProfile" in answered <= {operation.name for operation in (*OPERATIONS, *WATCHES)}


def test_metrics_count_requests_by_operation_and_status(open_gateway: GatewayProcess) -> None:
    def counted(status: str) -> float:
        families = text_string_to_metric_families(open_gateway.get("/metrics").body.decode())
        samples = [s for family in families for s in family.samples if s.name == "anamnesis_requests_total"]
        return sum(s.value for s in samples if s.labels == {"operation": "GetProfile", "status": status})

    before = counted("200"), counted("400")
    open_gateway.post("GetProfile", {"user_id": "counted"})
    open_gateway.post("GetProfile", {"user_id": "*"})
    assert (counted("200"), counted("400")) == (before[0] + 1, before[1] + 1)


def test_what_was_settled_for_a_caller_is_counted(open_gateway: GatewayProcess) -> None:
    def counted() -> float:
        families = text_string_to_metric_families(open_gateway.get("/metrics").body.decode())
        return sum(s.value for each in families for s in each.samples if s.name == "anamnesis_nodes_merged_total")

    before = counted()
    for thing in ("過敏性鼻炎", "过敏性鼻炎"):
        body = {"user_id": "settled", "subject": "user", "memory_type": "fact", "topic": "查出", "object": thing}
        assert open_gateway.post("CreateMemory", body).status == 200
    answer = open_gateway.post("SettleMemories", {"user_id": "settled", "wait_ms": 30_000}).json()
    assert answer["steps"]["merged"] == 1
    assert counted() == before + 1


def test_what_searches_walked_and_what_waits_to_be_settled_is_counted(open_gateway: GatewayProcess) -> None:
    def counted(name: str) -> float:
        families = text_string_to_metric_families(open_gateway.get("/metrics").body.decode())
        return sum(s.value for each in families for s in each.samples if s.name == name)

    created = {"user_id": "walked", "subject": "user", "memory_type": "event", "topic": "slept badly"}
    assert open_gateway.post("CreateMemory", created).json()["status"] == "staged"
    assert counted("anamnesis_jobs_later") > 0
    before = counted("anamnesis_walks_total"), counted("anamnesis_walk_seconds_total")
    for mode in ("fast", "deep"):
        body = {"user_id": "walked", "query": "sleep", "search_mode": mode}
        assert open_gateway.post("SearchMemories", body).status == 200
    assert counted("anamnesis_walks_total") == before[0] + 1
    assert counted("anamnesis_walk_seconds_total") > before[1]


def test_live_answers(open_gateway: GatewayProcess) -> None:
    answer = open_gateway.get("/live")
    assert (answer.status, answer.json()) == (200, {"status": "ok"})


def test_health_names_every_component(open_gateway: GatewayProcess) -> None:
    health = open_gateway.get("/health").json()
    assert set(health) == {"status", "version", "components"}
    assert (health["status"], health["version"]) == ("ok", program_version())
    assert {"redis", "store", "worker"} <= set(health["components"])
    assert {component["status"] for component in health["components"].values()} == {"ok"}


def test_health_with_a_redis_that_is_not_there_says_so_and_operations_answer_503(start: Start) -> None:
    gateway = start(environment={"REDIS_URL": "redis://127.0.0.1:1/0"}, ready=False)
    assert gateway.get("/live").status == 200
    health = gateway.get("/health")
    assert health.status == 503
    assert health.json()["status"] == "down"
    assert health.json()["components"]["redis"]["status"] == "down"
    assert health.json()["components"]["redis"]["reason"]
    refused = gateway.post("WriteTurn", {"conversation_id": "c", "user_query": "q", "agent_response": "a"})
    assert (refused.status, refused.media, refused.json()["code"]) == (
        503,
        "application/problem+json",
        "store_unavailable",
    )
    assert int(refused.headers["retry-after"]) >= 1
    assert gateway.stop() == 0
