"""A Chinese utterance rewritten so that it stands alone: at most one mention, replaced only where that is safe.

Find the mention, give up early where the query itself says who is meant, gather candidates from the last utterances
and choose by a decision list. A wrong antecedent misleads a search more than a pronoun does, so every doubt ends in
leaving the text as it is.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from memory.language.coreference.values import USER, Resolution, Utterance, unchanged
from memory.language.coreference.zh.candidates import read
from memory.language.coreference.zh.choice import Choice, Heard, choose
from memory.language.coreference.zh.mentions import POINTING, Mention, find_mention
from memory.language.coreference.zh.people import addressed, people
from memory.language.coreference.zh.words import PERSON_NOUNS
from memory.language.tagger import OTHER, PERSON, Tagger, default_tagger

QUERY_CHARS_MAX: Final = 40
"""A longer query stands alone."""


class _Said(NamedTuple):
    """What was said before, and by whom the query is asked."""

    context: Sequence[Utterance]
    user_name: str


def resolve_zh(query: str, context: Sequence[Utterance], user_name: str, tagger: Tagger | None = None) -> Resolution:
    """Replace the mention of a Chinese query; see `memory.language.coreference.resolving.resolve`."""
    if len(query) > QUERY_CHARS_MAX:
        return unchanged(query, "too_long")
    if not POINTING.search(query):
        return unchanged(query, "no_pronoun")
    tagger = tagger or default_tagger()
    mention = find_mention(query, tagger)
    if isinstance(mention, str):
        return unchanged(query, mention)
    return _replaced(query, mention, _antecedent(query, mention, _Said(context, user_name), tagger))


def _antecedent(query: str, mention: Mention, said: _Said, tagger: Tagger) -> Choice | str:
    if not said.context:
        return "no_context"
    if _named_in(query, mention, tagger):
        return "antecedent_in_query"
    return choose(mention, _hear(query, said, tagger, persons=mention.kind in ("person", "people")))


def _replaced(query: str, mention: Mention, choice: Choice | str) -> Resolution:
    if isinstance(choice, str):
        return unchanged(query, choice)
    old = query[mention.start : mention.end]
    if choice.text in query:
        return unchanged(query, "antecedent_in_query")
    if not choice.source.startswith("role") and query[mention.end :].startswith("叫什么"):
        return unchanged(query, "name_asked")
    text = query[: mention.start] + choice.text + query[mention.end :]
    return Resolution(text, changed=True, reason=f"{mention.rule}.{choice.source}: {old} -> {choice.text}")


def _named_in(query: str, mention: Mention, tagger: Tagger) -> bool:
    """Whether the query names a person (or a thing) before its pronoun, or says after it who that is."""
    before = tagger.tag(query[: mention.start])
    if mention.kind in ("person", "people"):
        rest = query[mention.end :]
        if rest.startswith(("是", "就是", "叫", "名叫")) and any(token.kind == PERSON for token in tagger.tag(rest)):
            return True
        return bool(people(query[: mention.start], before)) or any(
            token.kind == PERSON or token.text in PERSON_NOUNS for token in before
        )
    return any(token.kind != OTHER for token in before)


def _hear(query: str, said: _Said, tagger: Tagger, *, persons: bool) -> Heard:
    talkers = [said.user_name] if said.user_name else []
    for utterance in said.context:
        talkers.extend(addressed(utterance.text[:QUERY_CHARS_MAX]))
    talkers.extend(addressed(query))
    return Heard(
        [read(utterance.text, tagger, persons=persons) for utterance in said.context], _weak(said.context), talkers
    )


def _weak(context: Sequence[Utterance]) -> int | None:
    """The last utterance, unless it is known to be the asker's own."""
    last = len(context) - 1
    own = context[last].speaker == USER
    told_apart = len(context) == 1 or any(utterance.speaker != USER for utterance in context)
    return None if own and told_apart else last
