"""`anamnesis rules`: what the rules make of texts, line by line, and why. For whoever tunes them, and for checks."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from gateway.terminal import show
from memory.errors import InvalidInput
from memory.extraction.facts import find_resolved_facts, introduced_names
from memory.extraction.resolved import resolve_message
from memory.extraction.statements import make_statements
from memory.language.coreference import Utterance, resolve
from memory.language.dates import find_dates
from memory.model.extraction import Said
from memory.privacy.gate import classify
from memory.privacy.identifiers import find_identifiers

Line = Mapping[str, Any]


def _before(line: Line) -> list[Utterance]:
    return [Utterance(str(said["speaker"]), str(said["text"])) for said in line.get("context", ())]


def _resolve(line: Line) -> dict[str, Any]:
    found = resolve(line["text"], _before(line), str(line.get("user_name") or ""))
    return {"resolved": found.text, "changed": found.changed, "reason": found.reason}


def _facts(line: Line) -> dict[str, Any]:
    names = ("subject", "predicate", "object", "polarity", "quote", "rule")
    before, name = _before(line), str(line.get("user_name") or "")
    known = introduced_names([said.text for said in before])
    found = find_resolved_facts(resolve_message(line["text"], before, name), name, known)
    return {"facts": [{name: getattr(fact, name) for name in names} for fact in found]}


def _statements(line: Line) -> dict[str, Any]:
    texts = [*(said.text for said in _before(line) if said.speaker == "user"), line["text"]]
    said = [Said(seq, "user", own=True, text=text, at_ms=0) for seq, text in enumerate(texts, 1)]
    made = make_statements(said, str(line.get("user_name") or ""))
    return {
        "statements": [{"text": one.text, "seqs": one.seqs, "quotes": one.quotes} for one in made.statements],
        "skipped": made.skipped,
        "partly": made.partly,
    }


def _privacy(line: Line) -> dict[str, Any]:
    verdict = classify(line["text"])
    return {"label": verdict.label, "reason": verdict.reason}


def _identifiers(line: Line) -> dict[str, Any]:
    found = find_identifiers(line["text"])
    return {"spans": [{"start": span.start, "end": span.end, "type": span.kind} for span in found]}


def _dates(line: Line) -> dict[str, Any]:
    now = datetime.fromisoformat(line["now"]) if line.get("now") else datetime.now(UTC)
    return {
        "spans": [
            {
                "start": span.start,
                "end": span.end,
                "from": span.begin.isoformat(),
                "to": span.until.isoformat(),
                "grain": span.grain,
            }
            for span in find_dates(line["text"], now)
        ]
    }


RULES: Final[Mapping[str, Callable[[Line], dict[str, Any]]]] = {
    "resolve": _resolve,
    "facts": _facts,
    "statements": _statements,
    "privacy": _privacy,
    "identifiers": _identifiers,
    "dates": _dates,
}


def apply(kind: str, lines: Iterable[str]) -> Iterator[str]:
    """One line of JSON for each line of JSON. Raises InvalidInput that names the line at fault."""
    rule = RULES[kind]
    for number, text in enumerate(lines, 1):
        if text.strip():
            yield json.dumps(rule(_read(text, number)), ensure_ascii=False)


def run(kind: str) -> int:
    """Standard input to standard output."""
    for line in apply(kind, (line.decode("utf-8", "surrogateescape") for line in sys.stdin.buffer)):
        show(line)
    return 0


def _read(text: str, number: int) -> Line:
    try:
        line = json.loads(text)
        if line.get("now"):
            datetime.fromisoformat(line["now"])
        for said in line.get("context", ()):
            str(said["speaker"]) + str(said["text"])
        if "\\u" in text or not text.isascii():
            json.dumps(line, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InvalidInput(
            f"line {number} is not Unicode: it has a lone surrogate, or bytes that are no UTF-8"
        ) from None
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise InvalidInput(f"line {number} is not what is expected: {type(error).__name__}: {error}") from None
    if not isinstance(line.get("text"), str):
        raise InvalidInput(f"line {number} has no `text`")
    return dict(line)
