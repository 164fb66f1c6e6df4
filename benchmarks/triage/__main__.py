"""What a nurse must be able to trust, measured through the wire on sets that strangers wrote and labelled.

safety   what a patient says in one conversation, read in another at once, and when it is memory
ordinary what of ordinary messages stands there though they tell nothing of it
recall   what old sessions bring into a new conversation, and that they bring nothing where nothing bears on it
stories  what is held as true when something has changed
consultations  what of public consultations is found when they are memory (with --data alone)
summaries  what is left of them in their summaries, and in what a bot is sent when they go on (with --data alone)

The frozen sets lie beside this file. They are never read while rules are written: look at their figures, not at their
sentences.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

from benchmarks.processes import BenchmarkError
from benchmarks.triage import consultations, ordinary, recall, safety, stories, summaries

PARTS: Final = {"safety": safety, "ordinary": ordinary, "recall": recall, "stories": stories}
CONSULTATIONS: Final = "consultations"
PUBLIC: Final = {CONSULTATIONS: consultations, "summaries": summaries}


def frozen(part: str) -> Path:
    """The set by which a part is judged."""
    return Path(__file__).with_name(f"{part}_frozen.jsonl")


def main() -> int:
    """Measure one part, or all of them, and print what was found."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.triage", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=(*PARTS, *PUBLIC), nargs="?", help="measure this alone (all)")
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="another set than the frozen one")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="where the public consultations are")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE as JSON")
    asked = parser.parse_args()
    if asked.part in PUBLIC and asked.data is None:
        parser.error("say with --data where the public consultations are")
    counted: dict[str, Any] = {}
    try:
        for part, module in PARTS.items():
            if asked.part in {None, part}:
                counted[part] = module.measure(asked.file or frozen(part))
                module.show(counted[part])
        for part, public in PUBLIC.items():
            if asked.data and asked.part in {None, part}:
                counted[part] = public.measure(asked.file or frozen(CONSULTATIONS), asked.data)
                public.show(counted[part])
    except BenchmarkError as error:
        print(f"benchmarks.triage: {error}", file=sys.stderr)
        return 2
    if asked.json:
        asked.json.write_text(json.dumps(counted, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
