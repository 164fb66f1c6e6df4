"""The part of the composition root that makes what identifiers become, by section `privacy`."""

import importlib
from functools import partial
from typing import NamedTuple

from gateway.auth import DEFAULT_TENANT
from gateway.config.settings import Settings
from gateway.observe.metrics import Metrics
from memory.errors import SetupError
from memory.ports import Pseudonyms
from memory.privacy.policy import Policy
from memory.privacy.replacer import Replacer
from memory.privacy.withheld import Withheld


class Privacy(NamedTuple):
    """What endpoints are not shown, and what the store is given instead."""

    withheld: Withheld
    replacer: Replacer


def privacy_of(settings: Settings, metrics: Metrics) -> Privacy:
    """By section `privacy`. Raises SetupError as `require_keys`."""
    require_keys(settings)
    store = Policy.of(settings.privacy.store)
    withheld = Withheld(Policy.of(settings.privacy.model).replaced, partial(metrics.replaced, "model"))
    return Privacy(withheld, Replacer(store, pseudonyms_of(settings), partial(metrics.replaced, "store")))


def require_keys(settings: Settings) -> None:
    """Raise SetupError when a tenant has no key for the pseudonyms that are asked for."""
    wanted = Policy.of(settings.privacy.store).kinds("pseudonym")
    tenants = {key.tenant for key in settings.auth.keys} or {DEFAULT_TENANT}
    without = sorted(tenants - set(settings.privacy.keys))
    if wanted and without:
        raise SetupError(
            f"privacy.store asks for pseudonyms ({', '.join(sorted(wanted))}), and privacy.keys has no key for "
            f"{', '.join(without)}: make one with `anamnesis pseudonyms new-key --tenant {without[0]}`"
        )


def pseudonyms_of(settings: Settings) -> Pseudonyms | None:
    """Pseudonyms by the configured keys; None without any. The library is loaded only when there is one."""
    if not settings.privacy.keys:
        return None
    made: Pseudonyms = importlib.import_module("memory.providers.siv_pseudonyms").SivPseudonyms(settings.privacy.keys)
    return made
