"""What the service is told about its surroundings."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the tenant and the scopes come from the API key, never from a body."""

    tenant: str
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """Defaults of the session tier (config.yaml, section `session`). Times are in milliseconds.

    `lease_ms`: what has been begun and shows nothing after this long is taken up by somebody else.
    """

    locale: str
    token_threshold_ratio: float
    recent_turns: int
    model_context_window: int
    auto_checkpoint: bool
    lease_ms: int
    stamp: bytes

    @property
    def threshold_tokens(self) -> float:
        """At how many tokens a summary is due, for a request that says nothing else."""
        return self.token_threshold_ratio * self.model_context_window
