"""Another language is one value and one folder of words; a deployment's words are a folder."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.config.sources import load
from gateway.wiring.words import use_words
from memory.clinical.health.reading import read_health
from memory.clinical.languages import OWN, Language, use
from memory.clinical.safety import read_safety
from memory.clinical.sketch import pattern
from memory.errors import SetupError

EN = OWN[1]


@pytest.fixture(autouse=True)
def ours_again() -> Iterator[None]:
    yield
    use()


def write(folder: Path, **files: str) -> Path:
    for name, lines in files.items():
        language, _, kind = name.partition("_")
        (folder / language).mkdir(parents=True, exist_ok=True)
        (folder / language / f"{kind}.txt").write_text(lines, encoding="utf-8")
    return folder


def spanish() -> Language:
    """What a small language has to say: the rest it takes from another until it says it itself."""
    grammar = replace(
        EN.grammar,
        written=pattern(r"\b(?:soy|tengo|me|al?|la|el|no|mi)\b"),
        telling=pattern(r"al[eé]rgic|alergia"),
        allergic=pattern(r"al[eé]rgic|alergia"),
        allergies=(pattern(r"(?P<no>\bno )?\btengo alergia a(?: la| el| los| las)?\s(?P<x><S>)"),),
        denied_before=pattern(r"\bno (?:tengo|tuve|he tenido|padezco)\b[^.]*$"),
        had_before=pattern(r"\b(?:tengo|padezco|sufro de)\s$"),
        own_before=pattern(r"\bmi\s$"),
        people=pattern(
            r"\b(?:(?P<own>yo|tengo|mi)|(?P<relative>mi (?:madre|padre))|(?P<pronoun>ella)|(?P<other>vecino))\b"
        ),
    )
    return Language("es", grammar, EN.health, EN.corrections)


def told(text: str) -> set[tuple[str, str, str, bool]]:
    return {(each.subject, each.kind, each.text, each.denied) for each in read_safety(text)}


def test_a_third_language_is_one_value_and_one_folder(tmp_path: Path) -> None:
    words = write(
        tmp_path, es_drug="penicilina\tdrug\nibuprofeno\tdrug\n", es_disease="asma\tchronic\nhipertensión\tchronic\n"
    )
    use((OWN[0], spanish()), words)  # a second language in Latin letters has to tell itself from English by `written`
    assert ("user", "allergy", "penicilina", False) in told("Tengo alergia a la penicilina.")
    assert ("user", "disease", "hipertensión", False) in told("Tengo hipertensión desde hace años.")
    assert told("No tengo asma.") <= {("user", "disease", "asma", True)}
    assert ("user", "allergy", "青霉素", False) in told("我对青霉素过敏。")
    use()
    assert told("Tengo alergia a la penicilina.") == set()


def test_words_of_a_deployment_are_read_with_ours(tmp_path: Path) -> None:
    said = "我对莫须有胶囊过敏，每天吃莫须有胶囊5mg。"
    words = write(tmp_path / "words", zh_drug="莫须有\tdrug\t莫须有（自制）\n", en_disease="florb disease\tchronic\n")
    use_words(load(None, {}, {("rules", "words_dir"): str(words)}))
    assert any(each.text.startswith("莫须有") for each in read_safety(said))
    assert ("user", "disease", "florb disease", False) in told("I have florb disease.")
    assert any(each.kind == "medication" for each in read_health("我每天吃莫须有5mg"))
    assert ("user", "allergy", "头孢", False) in told("我对头孢过敏")


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({}, "no words of medicine there"),
        ({"zh_drugs": "甲\tdrug\n"}, "no kind of words"),
        ({"zh_drug": "没有标签\n"}, "drug.txt:1: expected"),
    ],
)
def test_a_folder_that_holds_no_words_is_refused_by_name(tmp_path: Path, files: dict[str, str], why: str) -> None:
    settings = load(None, {}, {("rules", "words_dir"): str(write(tmp_path, **files))})
    with pytest.raises(SetupError, match=f"rules.words_dir: .*{why}"):
        use_words(settings)
