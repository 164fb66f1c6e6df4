"""`anamnesis rules`: what the rules make of texts, line by line, and why. For whoever tunes them, and for checks."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from gateway.config.settings import Settings
from gateway.terminal import show
from gateway.wiring.words import use_words
from memory.clinical.health.reading import read_health
from memory.clinical.safety import read_safety
from memory.errors import InvalidInput
from memory.extraction.facts.reading import find_resolved_facts, introduced_names
from memory.extraction.statements.reading import make_statements
from memory.extraction.statements.resolved import resolve_message
from memory.language.coreference.resolving import Utterance, resolve
from memory.language.dates.reading import find_dates
from memory.model.extraction import Said
from memory.privacy.gate.decision import classify
from memory.privacy.identifiers import find_identifiers

Line = Mapping[str, Any]


def _before(line: Line) -> list[Utterance]:
    return [Utterance(said["speaker"], said["text"]) for said in line.get("context", ())]


def _resolve(line: Line) -> dict[str, Any]:
    found = resolve(line["text"], _before(line), line.get("user_name") or "")
    return {"resolved": found.text, "changed": found.changed, "reason": found.reason}


def _facts(line: Line) -> dict[str, Any]:
    names = ("subject", "predicate", "object", "polarity", "quote", "rule")
    before, name = _before(line), line.get("user_name") or ""
    known = introduced_names([said.text for said in before])
    found = find_resolved_facts(resolve_message(line["text"], before, name), name, known)
    return {"facts": [{name: getattr(fact, name) for name in names} for fact in found]}


def _safety(line: Line) -> dict[str, Any]:
    before = line.get("context") or [{"speaker": "user", "text": ""}]
    asked = before[-1]["text"] if before[-1]["speaker"] != "user" else ""
    return {"safety": [found._asdict() for found in read_safety(line["text"], asked)]}


def _health(line: Line) -> dict[str, Any]:
    before = line.get("context") or [{"speaker": "user", "text": ""}]
    asked = before[-1]["text"] if before[-1]["speaker"] != "user" else ""
    return {"health": [found._asdict() for found in read_health(line["text"], asked)]}


def _statements(line: Line) -> dict[str, Any]:
    texts = [*(said.text for said in _before(line) if said.speaker == "user"), line["text"]]
    said = [Said(seq, "user", own=True, text=text, at_ms=0) for seq, text in enumerate(texts, 1)]
    made = make_statements(said, line.get("user_name") or "")
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
    "health": _health,
    "safety": _safety,
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


def run(kind: str, settings: Settings) -> int:
    """Standard input to standard output, with the words of medicine of these settings."""
    use_words(settings)
    for line in apply(kind, (line.decode("utf-8", "surrogateescape") for line in sys.stdin.buffer)):
        show(line)
    return 0


def _read(text: str, number: int) -> Line:
    try:
        line = json.loads(text)
        if "\\u" in text or not text.isascii():
            json.dumps(line, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InvalidInput(
            f"line {number} is not Unicode: it has a lone surrogate, or bytes that are no UTF-8"
        ) from None
    except RecursionError:
        raise InvalidInput(f"line {number} is nested too deeply") from None
    except ValueError as error:
        raise InvalidInput(f"line {number} is not JSON: {error}") from None
    wrong = _wrong(line)
    if wrong:
        raise InvalidInput(f"line {number} {wrong}")
    return dict(line)


def _wrong(line: Any) -> str:
    """What is the matter with a line, as the end of a sentence; empty when nothing is."""
    if not isinstance(line, dict):
        return f"must be a JSON object with `text`, not {_named(line)}"
    if "text" not in line:
        return "has no `text`"
    for name in ("text", "user_name", "now"):
        value = line.get(name, "")
        if not (isinstance(value, str) or (value is None and name != "text")):
            return f"has a `{name}` that is {_named(line[name])}; it must be a string"
    return _wrong_now(line.get("now")) or _wrong_context(line.get("context", []))


def _wrong_now(now: str | None) -> str:
    try:
        datetime.fromisoformat(now or "2026-01-31")
    except ValueError:
        return f"has a `now` that is no time: {now!r}; write it as 2026-01-31T08:30:00Z"
    return ""


def _wrong_context(context: Any) -> str:
    if not isinstance(context, list):
        return f"has a `context` that is {_named(context)}; it must be an array of what was said before"
    for place, said in enumerate(context, 1):
        if not isinstance(said, dict):
            return f"has {_named(said)} as entry {place} of `context`; each must be an object with `speaker` and `text`"
        for name in ("speaker", "text"):
            if not isinstance(said.get(name), str):
                return f"has no string `{name}` in entry {place} of `context`"
    return ""


def _named(value: Any) -> str:
    """A JSON value by its kind, as a reader of JSON calls it."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    for kind, name in ((dict, "an object"), (list, "an array"), (str, "a string")):
        if isinstance(value, kind):
            return name
    return "a number"
