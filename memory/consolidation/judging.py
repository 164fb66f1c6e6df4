"""Who judges what was said in a session, once it is remembered."""

from typing import Final, NamedTuple

from memory.consolidation.corrections import Corrector
from memory.consolidation.curate import Curator


class Judging(NamedTuple):
    """`curator`: which memories the answers rested on; `corrector`: what was taken back. None: nobody judges that."""

    curator: Curator | None = None
    corrector: Corrector | None = None


UNJUDGED: Final = Judging()
