"""API keys, as far as those who use them may know of each other."""

from typing import NamedTuple


class Key(NamedTuple):
    """One API key of a tenant, and nothing of the key itself. `name` is what the audit calls it; empty: it has none."""

    name: str
    scopes: tuple[str, ...]
    revoked: bool
