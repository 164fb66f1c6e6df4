"""One row makes a predicate: what a profile, a relation, a prompt and the schema of an answer say follows from it."""

import subprocess
import sys

from memory.model.predicates import PREDICATES, importance_of, told_to_models
from memory.session.safety import LIST_OF

NEW_ROW = """
import memory.model.predicates as table
zh, en = ("血型是", "血型不是"), ("has blood type", "does not have blood type")
row = table._row("blood_type", "血型", zh, en, single=True)
table.PREDICATES = {**table.PREDICATES, "blood_type": row}

from memory.consolidation.knowledge.profiles import user_profile
from memory.graph.triples import PREDICATES as of_relations
from memory.model.memory import Category, Kind, Memory, Source, Type
from memory.providers.mind_answer import ASKED
from memory.providers.mind_prompt import load_prompt
from memory.scope import UserScope

fact = Memory(
    "m", "u", Kind.FACT, Category.FACT, Type.FACT, "我是A型血", Source("c", "", (1,), "我是A型血"), 1, 1,
    subject="user", predicate="blood_type", object="A型",
)
profile = user_profile(UserScope("t", "u"), [fact], "zh")
print("血型：A型" in profile.text)
print(of_relations["blood_type"].holds["en"] == "has blood type")
print("blood_type" in ASKED and "blood_type" in load_prompt("zh", "production").text)
print(table.is_single("blood_type"))
"""


def test_new_predicate_is_one_row() -> None:
    said = subprocess.run([sys.executable, "-c", NEW_ROW], capture_output=True, text=True, check=False)
    assert said.stdout.split() == ["True"] * 4, said.stderr


def test_table_says_what_safety_and_models_need() -> None:
    assert set(LIST_OF.values()) == {"allergies", "chronic_diseases", "surgery_history", "states"}
    for row in PREDICATES.values():
        assert row.label["zh"] != row.name
        assert 0 < row.importance <= 1
        assert {*row.label, *row.holds, *row.denied, *row.hint} == {"zh", "en"}
    assert importance_of("of a caller's own") == 0.5
    assert "symptom (a complaint; denied when it has passed)" in told_to_models("en")
    assert "pregnancy" not in told_to_models("en").split(", ")
