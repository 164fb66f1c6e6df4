"""Pronouns: how often the rules name the right person, and every query in real chats that they change.

    python -m benchmarks.coreference gap gap_validation.tsv     (the Gendered Ambiguous Pronouns corpus)
    python -m benchmarks.coreference chats FILE...              (the formats of benchmarks.dialogues)

`gap` prints coverage and precision: the weights were fitted on the first, third, fifth ... of its rows. `chats` takes
each user turn with its last five utterances, as a query comes, and lists what is changed, to be read by hand.
"""

import argparse
import csv
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from benchmarks.dialogues import reader_of
from memory.language.coreference.resolving import Utterance, choose_antecedent, resolve

_SHOWN = 2
_SHOWN_CHARS = 60


def gap(path: Path) -> None:
    """Of a pronoun and two names: which one is meant, or neither said."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for name, part in (("fitted on", rows[0::2]), ("not fitted on", rows[1::2]), ("all", rows)):
        chosen = [(row, _choice(row)) for row in part]
        named = [row[f"{'AB'[choice]}-coref"] == "TRUE" for row, choice in chosen if choice is not None]
        precision = sum(named) / max(1, len(named))
        print(f"{name}: {len(part)} rows, coverage {len(named) / len(part):.3f}, precision {precision:.3f}")


def _choice(row: dict[str, str]) -> int | None:
    start = int(row["Pronoun-offset"])
    names = [(int(row[f"{one}-offset"]), int(row[f"{one}-offset"]) + len(row[one])) for one in "AB"]
    return choose_antecedent(row["Text"], (start, start + len(row["Pronoun"])), names)


def chats(paths: Sequence[Path]) -> None:
    """Every user turn as a query; those that change, as a list in Markdown."""
    turns = changed = 0
    for path in paths:
        text = path.read_text(encoding="utf-8")
        said: dict[str, list[Utterance]] = defaultdict(list)
        for line in reader_of(text)(text):
            before = said[line["conversation"]]
            if line["role"] == "user":
                turns += 1
                found = resolve(line["content"], before)
                if found.changed:
                    changed += 1
                    print(f"- {path.stem}: {_shown(before)}**{line['content']}** -> {found.text}")
            before.append(Utterance(line.get("name", line["role"]), line["content"]))
    print(f"\n{turns} user turns, {changed} changed")


def _shown(before: Sequence[Utterance]) -> str:
    return "".join(f"{one.text[-_SHOWN_CHARS:]!r} / " for one in before[-_SHOWN:])


def main() -> None:
    """Read the command line, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("gap").add_argument("file", type=Path)
    commands.add_parser("chats").add_argument("files", type=Path, nargs="+")
    asked = parser.parse_args()
    if asked.command == "gap":
        gap(asked.file)
    else:
        chats(asked.files)


if __name__ == "__main__":
    main()
