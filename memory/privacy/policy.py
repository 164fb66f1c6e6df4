"""What becomes of each kind of identifier on its way to one destination."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

Kind = Literal[
    "email", "url", "mobile", "landline", "phone", "id_card", "passport", "card", "iban", "ssn", "ip", "plate",
    "birth", "account", "name", "address",
]  # fmt: skip
KINDS: Final[tuple[str, ...]] = get_args(Kind)
Choice = Literal["keep", "redact", "pseudonym"]
DEFAULT: Final = "default"
"""In a list of choices: what holds for the kinds that are not named."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A choice for every kind; what is not named is kept."""

    choices: Mapping[str, Choice] = field(default_factory=dict)

    @classmethod
    def of(cls, named: Mapping[Any, Choice]) -> "Policy":
        """From choices by kind, with `default` for the kinds that are not named."""
        rest = named.get(DEFAULT, "keep")
        return cls({kind: named.get(kind, rest) for kind in KINDS})

    def choice(self, kind: str) -> Choice:
        """What becomes of this kind."""
        return self.choices.get(kind, "keep")

    def kinds(self, *choices: Choice) -> frozenset[str]:
        """The kinds of which one of these choices holds."""
        return frozenset(kind for kind in KINDS if self.choice(kind) in choices)

    @property
    def replaced(self) -> frozenset[str]:
        """The kinds that do not stay as they are."""
        return self.kinds("redact", "pseudonym")
