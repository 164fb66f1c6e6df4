"""Sizes may only shrink: files up to 400 lines, functions up to 60, parameters up to 6. Exceptions by name.

No two files of tests have one name.

A method's `self` does not count. Run by `make lint` as `python -m tests.ratchet`; complexity is ruff's (C901, 8).
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
PARAMETERS_MAX = 6
TEST_FILE_LINES_MAX = 500

FILES: dict[str, tuple[int, str]] = {}
"""File: lines it may have, and why."""

PARAMETERS: dict[str, tuple[int, str]] = {
    "MemoryService.__init__": (9, "the ports of the domain, named once"),
    "replay": (7, "the options of the command, by name"),
    "WeaviateMemoryStore.__init__": (8, "its collaborators and its index generation, named where it is made"),
    "DocketJobs.__init__": (9, "its settings, each named at the one place that makes it"),
}
"""Function: parameters it may have (self counted here), and why."""


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every function with its class's name before it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield f"{node.name}.{part.name}", part
    for part in tree.body:
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            yield part.name, part


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many it has, self counted."""
    named = function.args
    return len(named.posonlyargs) + len(named.args) + len(named.kwonlyargs)


def findings(path: Path) -> Iterator[str]:
    """What is too large in one file."""
    name = str(path.relative_to(ROOT))
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    allowed = FILES.get(name, (TEST_FILE_LINES_MAX if name.startswith("tests/") else FILE_LINES_MAX, ""))[0]
    if lines > allowed:
        yield f"{name}: {lines} lines, allowed are {allowed}"
    for function_name, node in functions(ast.parse(text)):
        size = (node.end_lineno or node.lineno) - node.lineno + 1
        if size > FUNCTION_LINES_MAX:
            yield f"{name}: {function_name} has {size} lines, allowed are {FUNCTION_LINES_MAX}"
        limit = PARAMETERS.get(function_name, (PARAMETERS_MAX + function_name.count("."), ""))[0]
        if parameters(node) > limit and not name.startswith("tests/"):
            yield f"{name}: {function_name} has {parameters(node)} parameters, allowed are {limit}"


def named_alike(paths: Iterable[Path]) -> Iterator[str]:
    """Files of tests with one name: pytest collects the first of them alone."""
    first: dict[str, Path] = {}
    for path in paths:
        if first.setdefault(path.name, path) is not path:
            yield f"{path.relative_to(ROOT)}: named as {first[path.name].relative_to(ROOT)}"


def main() -> int:
    """Look at every file; returns 1 when something has outgrown its size, or tests are named alike."""
    found = [
        finding
        for folder in ("memory", "gateway", "benchmarks", "tests")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for finding in findings(path)
    ]
    found += named_alike(sorted((ROOT / "tests").rglob("test_*.py")))
    sys.stdout.write("".join(f"{finding}\n" for finding in found) or "sizes: ok\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
