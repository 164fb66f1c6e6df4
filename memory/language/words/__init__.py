"""Word lists that are no words of medicine: a word or phrase a line in `<language>/<name>.txt`."""

from functools import cache
from importlib import resources


def listed(language: str, name: str) -> tuple[str, ...]:
    """The words of one list, in the order of the file. Raises FileNotFoundError when there is none."""
    file = resources.files("memory.language.words").joinpath(language, f"{name}.txt")
    return tuple(filter(None, file.read_text(encoding="utf-8").splitlines()))


@cache
def common() -> frozenset[str]:
    """Words of either language that say little of what a text is about."""
    return frozenset((*listed("en", "common"), *listed("zh", "common")))
