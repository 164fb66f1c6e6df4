"""The part of the composition root that makes who judges sessions and memories."""

from gateway.config.settings import Settings
from gateway.wiring.settings import boost_settings
from gateway.wiring.stores import Stores
from memory.consolidation.corrections import Corrector
from memory.consolidation.curate import Curator
from memory.consolidation.judging import Judging
from memory.consolidation.remember import Rememberer
from memory.errors import SetupError
from memory.ports import Judge


def judging_of(settings: Settings, stores: Stores, rememberer: Rememberer, judge: Judge | None) -> Judging:
    """Who judges sessions. Raises SetupError when a model is to do it and there is none."""
    asked = None
    if settings.curation.judge == "openai":
        if judge is None:
            message = "curation.judge is openai: it asks the model of section mind, set mind.provider to openai too"
            raise SetupError(message)
        asked = judge
    uses = settings.curation.boost == "used"
    return Judging(
        Curator(stores.memories, stores.long_term, boost_settings(settings), asked) if uses else None,
        Corrector(stores.memories, rememberer, asked) if asked is not None else None,
    )
