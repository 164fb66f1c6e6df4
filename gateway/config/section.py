"""What every section of the settings is made of."""

import json
from enum import Enum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0, le=100_000)]
Factor = Annotated[float, Field(gt=0, lt=1)]
Count = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(gt=0, le=1)]


class Secrecy(Enum):
    """What of a setting nobody is shown who looks at the settings. Stands beside the type of the setting."""

    WHOLE = "all of it: only whether it is set"
    NUMBER = "all of it: only how many there are"
    ADDRESS = "whom it names to be let in as, and its query string"


Secret = Annotated[str, Field(repr=False), Secrecy.WHOLE]
Url = Annotated[str, Secrecy.ADDRESS]


class Section(BaseModel):
    """Base of all sections: no unknown key, immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def from_json(value: Any) -> Any:
    """A value that is an array or object, which the environment has as JSON."""
    return json.loads(value) if isinstance(value, str) else value


def off(value: Any) -> Any:
    """YAML reads `off` as false."""
    return "off" if value is False else value
