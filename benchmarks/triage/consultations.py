"""What a nurse must find later of public consultations, found by rules when they have become memory.

The labels lie here; the dialogues themselves do not: `--data` names a folder with `cmtmedqa_dev.json` (Zhongjing
CMtMedQA, Apache-2.0) and `dialmed_dev.jsonl` (DialMed, MIT). Found: a fact of the predicate that is wanted contains one
of the label's words, and its object or attributes all that the label asks for besides. Right: a fact that is held as
so meets any label at all. Wrong person: it meets a label of somebody else only.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.evaluation.embedded import embedded_gateway
from benchmarks.processes import BenchmarkError
from benchmarks.triage.sets import OURS, live_through, plain, read_set
from gateway.client import AsyncClient

JUDGED: Final = (
    "symptom", "medication", "test", "vital", "disease", "allergy", "surgery", "pregnancy", "age", "gender",
)  # fmt: skip
"""Predicates of labels that are looked for; facts of other predicates are not judged."""
_USER: Final = "user"
_AT_ONCE: Final = 4
_LIMIT: Final = 1_000
_PATIENT: Final = "患者："

Label = Mapping[str, Any]


class Consultation(NamedTuple):
    """A dialogue by its id, what must be found of it, and what else may."""

    name: str
    must: Sequence[Label]
    may: Sequence[Label]


class Fact(NamedTuple):
    """What was found. `said`: object and attributes."""

    predicate: str
    object: str
    said: str
    own: bool


class Read(NamedTuple):
    """A consultation with the facts that are held of it as so."""

    labels: Consultation
    facts: Sequence[Fact]


def consultations(path: Path) -> list[Consultation]:
    """The labels of a set. Raises BenchmarkError."""
    return read_set(path, lambda each: Consultation(each["id"], each["must"], each["may"]))


class Dialogues:
    """The public dialogues by id, as messages. Raises BenchmarkError where they are not."""

    def __init__(self, folder: Path) -> None:
        try:
            found = json.loads((folder / "cmtmedqa_dev.json").read_text(encoding="utf-8"))
            self._asked = {each["id"]: each for each in found}
            lines = (folder / "dialmed_dev.jsonl").read_text(encoding="utf-8").splitlines()
            self._said = [json.loads(line)["original_dialog"] for line in lines]
        except (OSError, ValueError, KeyError) as error:
            raise BenchmarkError(f"{folder}: not the public consultations ({error})") from None

    def messages(self, name: str) -> list[dict[str, str]]:
        """The messages of one."""
        source, _, number = name.partition(":")
        if source == "dialmed":
            return [
                {"role": "user" if line.startswith(_PATIENT) else "assistant", "text": line.partition("：")[2]}
                for line in self._said[int(number)]
            ]
        one = self._asked[number]
        pairs = [*one["history"], (one["instruction"], one["output"])]
        return [
            {"role": role, "text": text}
            for pair in pairs
            for role, text in zip((_USER, "assistant"), pair, strict=True)
        ]


async def read_all(url: str, material: Sequence[Consultation], dialogues: Dialogues) -> list[Read]:
    """All consultations, a few at a time."""
    found: list[Read] = []
    async with AsyncClient(url, timeout_s=60.0) as client:
        starts = range(0, len(material), _AT_ONCE)
        for start in track(starts, "consulting", console=Console(stderr=True), transient=True):
            part = material[start : start + _AT_ONCE]
            found += await asyncio.gather(*(_read_one(client, each, dialogues) for each in part))
    return found


async def _read_one(client: AsyncClient, labels: Consultation, dialogues: Dialogues) -> Read:
    user = labels.name.replace(":", "-")
    await live_through(client, user, [dialogues.messages(labels.name)])
    page = await client.list_memories(user_id=user, kinds=["fact"], limit=_LIMIT)
    facts = [
        Fact(
            fact.predicate or "",
            fact.object or "",
            " ".join((fact.object or "", *(fact.attributes or {}).values())),
            fact.subject == _USER,
        )
        for fact in page.items
        if fact.polarity == "+" and not fact.superseded_by
    ]
    return Read(labels, facts)


def meets(label: Label, fact: Fact, *, whole: bool = True) -> bool:
    """Whether a fact says what a label does; not `whole`: without what is wanted besides."""
    told = [label["predicate"]] if isinstance(label["predicate"], str) else label["predicate"]
    if fact.predicate not in {name for one in told for name in OURS.get(one, (one,))}:
        return False
    text, said = plain(fact.object), plain(fact.said)
    named = any(plain(word) in text or text in plain(word) for word in label["any_of"])
    return named and (not whole or all(plain(word) in said for word in label.get("with", ())))


def figures(read: Iterable[Read]) -> dict[str, dict[str, int]]:
    """Counts by predicate of the labels, and of the facts that were found."""
    counts: Counter[tuple[str, str]] = Counter()
    judged = {name for one in JUDGED for name in OURS.get(one, (one,))}
    for labels, facts in read:
        for label in labels.must:
            name = _name(label)
            if name not in JUDGED:
                continue
            met = any(meets(label, fact) and fact.own == _is_own(label) for fact in facts)
            for key in (name, "all"):
                counts[key, "must"] += 1
                counts[key, "found"] += met
        for fact in facts:
            if fact.predicate not in judged:
                continue
            fitting = [
                label
                for label in (*labels.must, *labels.may)
                if meets(label, fact, whole=False) and not label.get("denied") and not label.get("suspected")
            ]
            for key in (fact.predicate, "all"):
                counts[key, "facts"] += 1
                counts[key, "right"] += bool(fitting)
                counts[key, "wrong person"] += bool(fitting) and all(_is_own(each) != fact.own for each in fitting)
    names = ("must", "found", "facts", "right", "wrong person")
    return {key: {name: counts[key, name] for name in names} for key in sorted({key for key, _ in counts})}


def measure(path: Path, folder: Path) -> dict[str, Any]:
    """Live through all consultations of a set. Raises BenchmarkError."""
    material, dialogues = consultations(path), Dialogues(folder)
    with embedded_gateway("auto", "none") as url:
        return figures(asyncio.run(read_all(url, material, dialogues)))


def show(counted: Mapping[str, Mapping[str, int]]) -> None:
    """Print the figures."""
    table = Table("", "must be found", "found", "facts", "right", "wrong person")
    for predicate, each in counted.items():
        table.add_row(predicate, *map(str, each.values()))
    Console().print(table)


def _name(label: Label) -> str:
    return label["predicate"] if isinstance(label["predicate"], str) else str(label["predicate"][0])


def _is_own(label: Label) -> bool:
    return bool(label.get("who", _USER) == _USER)
