"""What is asked of a gateway itself, and what it answers."""

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, StringConstraints

from gateway.config.settings import Settings
from memory.model.requests import Request
from memory.model.responses import Response, SparseResponse

SECTIONS: Final = tuple(Settings.model_fields)
Value = bool | int | float | str | dict[str, str]
Unit = Literal["ms", "s", "days", "bytes", "tokens", "characters"]


def _known(section: str) -> str:
    if section not in SECTIONS:
        raise ValueError(f"there is no such section, but {', '.join(SECTIONS)}")
    return section


SectionName = Annotated[str, StringConstraints(max_length=64), AfterValidator(_known)]


class GetSettingsRequest(Request):
    """Every setting of this gateway: its value, its default, what set it, its unit and what it is for.

    Nothing secret: of keys and passwords only whether they are set. Also which versions of what run. Changes nothing.
    """

    section: SectionName | None = Field(default=None, description="Only the settings of this section of config.yaml.")


class SettingItem(SparseResponse):
    """One setting."""

    key: str = Field(description="Its section and its name there, as in `session.ttl_s`.")
    value: Value = Field(description="What holds. Of a secret `set` or `not set`, of API keys how many there are.")
    default: Value = Field(description="What would hold if nothing set it.")
    origin: Literal["default", "file", "environment", "flag"] = Field(
        description="What set it: nothing, the file of `--config`, the environment, or a flag of the command."
    )
    source: str | None = Field(default=None, description="The file, or the name of the variable of the environment.")
    unit: Unit | None = Field(default=None, description="The unit of its number, where it has one.")
    secret: bool = Field(description="True: what is secret of it is not shown, in an address `***` stands for it.")
    why: str = Field(description="What it is for, as config.yaml says it.")


class Versions(SparseResponse):
    """What runs, as far as it is known without looking for it."""

    anamnesis: str = Field(description="This program.")
    python: str = Field(description="What it runs on.")
    server: str | None = Field(
        default=None, description="What keeps sessions, and its version when the gateway last connected to it."
    )
    store: str = Field(description="What keeps memories: sqlite or weaviate.")
    encoding: str = Field(description="What counts tokens.")
    space: str | None = Field(
        default=None, description="Whose vectors memories are searched by; absent: they are searched by words alone."
    )
    generations: list[str] | None = Field(
        default=None,
        description="The indexes of memories that the store has, this gateway's first; absent: it did not answer.",
    )


class GetSettingsResponse(Response):
    """All of them, or of one section, in the order of config.yaml."""

    settings: list[SettingItem] = Field(description="The settings.")
    versions: Versions = Field(description="What runs.")


class RunDoctorRequest(Request):
    """Look at what this gateway runs on, as `anamnesis doctor` does: what is wrong, and what to do about it.

    With a model it makes one real call of a few tokens, past the budget. One process looks, at its own connections,
    once at a time: who asks meanwhile is answered with the same. A part that does not answer is given up after 10 s.
    """

    models: bool = Field(default=True, description="False: leave out the mind and the embedder, and call no model.")


class Checked(Response):
    """One part that was looked at."""

    subject: str = Field(
        description="Which: python, access, privacy, data, redis, store, tokens, worker, mind, embedder."
    )
    ok: bool = Field(description="Whether it is as it should be.")
    text: str = Field(description="How it is, and what to do when it is not as it should be.")


class RunDoctorResponse(Response):
    """What was found."""

    ok: bool = Field(description="Whether every part is as it should be.")
    checks: list[Checked] = Field(description="Part by part.")
