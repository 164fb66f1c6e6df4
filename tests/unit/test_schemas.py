"""What an editor, a reader of OpenAPI and a model that is given tools are told of every field."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gateway
import memory
from gateway.mcp.schemas import self_contained
from gateway.openapi import document
from gateway.operations import OPERATIONS

ROOT = Path(__file__).resolve().parents[2]
CALL = """
from gateway.client import AsyncClient, Client

async def ask() -> str:
    async with AsyncClient() as client:
        context = await client.query_memory_context(conversation_id="c", {field}="q", include=["turns"])
        return context.{answer}

def write() -> int:
    with Client() as client:
        return client.write_turn(conversation_id="c", user_query="q", agent_response="a").rev
"""


def undescribed(schema: Any, where: str) -> list[str]:
    """The fields of a JSON schema, and of those in it, that say nothing of themselves."""
    if isinstance(schema, list):
        return [name for part in schema for name in undescribed(part, where)]
    if not isinstance(schema, dict):
        return []
    fields = schema.get("properties", {})
    bare = [f"{where}.{name}" for name, field in fields.items() if len(field.get("description", "")) < 4]
    deeper = [name for field, part in fields.items() for name in undescribed(part, f"{where}.{field}")]
    rest = [undescribed(part, where) for key, part in schema.items() if key != "properties"]
    return bare + deeper + [name for part in rest for name in part]


def test_every_field_of_the_openapi_document_has_a_description() -> None:
    schemas = document()["components"]["schemas"]
    assert [name for model, schema in schemas.items() for name in undescribed(schema, model)] == []


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_field_of_an_mcp_tool_has_a_description(operation: Any) -> None:
    assert undescribed(self_contained(operation.request), operation.request.__name__) == []
    assert undescribed(self_contained(operation.response), operation.response.__name__) == []


def test_both_packages_are_typed_for_those_who_install_them() -> None:
    for package in (gateway, memory):
        assert (Path(package.__file__ or "").parent / "py.typed").is_file()


@pytest.mark.long
def test_misspelt_argument_of_the_client_is_found_by_mypy(tmp_path: Path) -> None:
    """As in a project of somebody's own that has the program installed: outside of this tree, without its settings."""
    (tmp_path / "right.py").write_text(CALL.format(field="query", answer="history"), encoding="utf-8")
    (tmp_path / "wrong.py").write_text(CALL.format(field="qurey", answer="histroy"), encoding="utf-8")
    cache = ROOT / ".mypy_cache" / "installed"
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull, "--cache-dir", str(cache)]
    checked = subprocess.run(
        [*command, "right.py", "wrong.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    errors = [line for line in checked.stdout.splitlines() if ": error: " in line]
    assert {line.partition(":")[0] for line in errors} == {"wrong.py"}, checked.stdout + checked.stderr
    for found in (
        'Unexpected keyword argument "qurey" for "query_memory_context"',
        '"QueryMemoryContextResponse" has no attribute "histroy"',
    ):
        assert [line for line in errors if found in line]
