"""What the parts are told of the settings: one function for each value that the domain or an adapter takes."""

import math

from gateway.auth import is_loopback
from gateway.config.settings import Settings
from gateway.http.bounds import Timeouts
from gateway.http.server import Listening
from gateway.http.turns import Shares
from gateway.process.processes import how_many
from memory.consolidation.boundaries import BoundarySettings
from memory.consolidation.memunit import UnitSettings
from memory.consolidation.reviews import ReviewSettings
from memory.retrieval.decay import BoostSettings, DecaySettings, Law, Step
from memory.service import BrainSettings, RecallSettings, SessionSettings
from memory.stores.redis.sessions import SessionTimes


def whole_ms(seconds: float) -> int:
    """Milliseconds, at least one."""
    return max(1, round(seconds * 1000))


def listening(settings: Settings, port: int, *, shared: bool) -> Listening:
    """Where and how one of the processes listens: memory, and what one address may have, are spread over them."""
    server = settings.server
    return Listening(
        host=server.host,
        port=port,
        timeouts=Timeouts(
            header_s=server.header_timeout_s,
            body_s=server.body_timeout_s,
            keepalive_s=server.keepalive_timeout_s,
            send_s=server.send_timeout_s,
        ),
        shutdown_timeout_s=server.shutdown_timeout_s,
        connections_max=server.connections_max,
        connections_of_peer=_of_peer(settings, server.connections_max),
        held_bytes_max=_each(settings, server.held_bytes_max),
        shared=shared,
    )


def shares(settings: Settings) -> Shares:
    """What one caller may have of the requests that one of the processes works on."""
    server = settings.server
    several = sum(not key.revoked for key in settings.auth.keys) > 1
    return Shares(
        of_key=_each(settings, server.key_share * server.in_flight_max) if several else None,
        of_peer=_of_peer(settings, server.in_flight_max),
        of_user=_each(settings, server.user_share * server.in_flight_max),
        user_bytes=_each(settings, server.held_bytes_max) // 2,
    )


def _of_peer(settings: Settings, most: int) -> int | None:
    """Who listens on loopback only is asked by one machine, which is one address."""
    return None if is_loopback(settings.server.host) else _each(settings, settings.server.peer_share * most)


def _each(settings: Settings, most: float) -> int:
    """The part of one process: the kernel spreads connections over them evenly."""
    return max(1, round(most / how_many(settings.server.processes)))


def lease_s(settings: Settings) -> float:
    """How long an attempt may be without a sign of life: never longer than it would wait alive."""
    return min(settings.finalization.lease_s, settings.finalization.hold_s)


def session_times(settings: Settings) -> SessionTimes:
    """Section `session` in milliseconds."""
    session = settings.session
    return SessionTimes(
        ttl_ms=whole_ms(session.ttl_s),
        max_age_ms=whole_ms(session.max_age_s),
        journal_ttl_ms=whole_ms(session.journal_ttl_s),
        idempotency_ttl_ms=whole_ms(session.idempotency_ttl_s),
        lease_ms=whole_ms(session.checkpoint_lease_s),
        profile_ttl_ms=whole_ms(session.ttl_s),
        profile_kept_ms=whole_ms(session.profile_kept_s),
    )


def session_settings(settings: Settings, encoding: str) -> SessionSettings:
    """What the service is told of section `session`."""
    session = settings.session
    return SessionSettings(
        locale=session.locale,
        token_threshold_ratio=session.token_threshold_ratio,
        recent_turns=session.recent_turns,
        model_context_window=session.model_context_window,
        auto_checkpoint=session.auto_checkpoint,
        lease_ms=whole_ms(lease_s(settings)),
        turns_max=session.turns_max,
        bytes_max=session.bytes_max,
        stamp=f"{encoding}:{session.locale}".encode(),
        standing=f":{settings.recall.core_budget_tokens}:{session.timezone}".encode(),
    )


def decay_settings(settings: Settings) -> DecaySettings:
    """Section `decay`."""
    decay = settings.decay
    return DecaySettings(
        fact=Law(decay.fact),
        episode=Law(decay.episode),
        fact_step=Step(decay.fact_grace_days, decay.fact_factor),
        episode_step=Step(decay.episode_grace_days, decay.episode_factor),
        episode_max_age_days=decay.episode_max_age_days,
        review_below=decay.review_below,
        forget_below=decay.forget_below,
        forgets=decay.forget,
    )


def boost_settings(settings: Settings) -> BoostSettings:
    """Section `curation`."""
    curation = settings.curation
    promote_at = curation.promote_at if curation.review == "rules" else math.inf
    cooldown_ms = round(curation.boost_cooldown_s * 1000)
    return BoostSettings(curation.boost_step, cooldown_ms, curation.boost_per_day, promote_at)


def review_settings(settings: Settings) -> ReviewSettings:
    """Section `curation`."""
    asked = settings.curation
    return ReviewSettings(asked.review, asked.promote_at, asked.keep_level, round(asked.keep_cooldown_s * 1000))


def recall_settings(settings: Settings) -> RecallSettings:
    """Section `recall`."""
    recall = settings.recall
    return RecallSettings(
        enabled=recall.enabled,
        deadline_s=recall.deadline_ms / 1000,
        budget_tokens=recall.budget_tokens,
        limit=recall.limit,
        least_score=recall.least_score,
        least_bearing=recall.least_bearing,
        search_mode=recall.search_mode,
        asked_mode=settings.graph.search_mode,
        decay=decay_settings(settings),
        time_weight=recall.time_weight,
        core_budget_tokens=recall.core_budget_tokens,
        boost=None if settings.curation.boost == "off" else boost_settings(settings),
        boost_shown=settings.curation.boost == "recalled",
    )


def brain_settings(settings: Settings) -> BrainSettings:
    """Section `brain`."""
    return BrainSettings(**settings.brain.model_dump())


def unit_settings(settings: Settings) -> UnitSettings:
    """Section `memunit`, and what of `session` decides how long summaries are."""
    session, asked = settings.session, settings.memunit
    boundaries = BoundarySettings(
        gap_ms=round(asked.gap_s * 1000),
        messages_max=asked.messages_max,
        tokens_max=asked.tokens_max,
        by_topic=asked.by_topic,
    )
    return UnitSettings(session.token_threshold_ratio * session.model_context_window, session.locale, boundaries)
