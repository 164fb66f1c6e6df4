"""The part of the composition root that makes who judges sessions and memories."""

from gateway.config.settings import Settings
from gateway.wiring.settings import boost_settings
from memory.consolidation.corrections import Corrector
from memory.consolidation.curate import Curator
from memory.consolidation.judging import Judging
from memory.consolidation.remember import Rememberer
from memory.errors import SetupError
from memory.service import Ports


def judging_of(settings: Settings, ports: Ports) -> Judging:
    """Who judges sessions. Raises SetupError when a model is to do it and there is none."""
    asks, memories, minds = settings.curation.judge == "openai", ports.memories, ports.minds
    judge = minds.judge if asks else None
    if asks and judge is None:
        raise SetupError("curation.judge is openai: it asks the model of section mind, set mind.provider to openai too")
    uses = settings.curation.boost == "used"
    return Judging(
        Curator(memories, ports.store, boost_settings(settings), judge) if uses else None,
        Corrector(memories, Rememberer(memories, minds), judge) if judge is not None else None,
    )
