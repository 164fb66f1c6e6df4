"""Commands that are the gateway, or work on what it stores: they load all of it."""

import argparse
import asyncio

from gateway.commands import stores
from gateway.commands.asked import loaded_by, settings_of
from gateway.commands.doctor import diagnose
from gateway.config.settings import Settings
from gateway.process import serve as processes
from gateway.process.data_folder import prepare
from gateway.terminal import EXIT_REFUSED, show
from memory.errors import SetupError


def serve(asked: argparse.Namespace) -> int:
    """`anamnesis serve`."""
    loaded = loaded_by(asked)
    settings = loaded.settings
    if asked.no_worker and not settings.redis.url:
        raise SetupError(
            "--no-worker leaves finalisation to `anamnesis worker`, which needs a Redis to share with this gateway: "
            "set REDIS_URL, or leave out --no-worker"
        )
    prepare(settings, serves=True)
    return processes.serve(loaded, work=settings.finalization.enabled and not asked.no_worker)


def worker(asked: argparse.Namespace) -> int:
    """`anamnesis worker`."""
    settings = settings_of(asked)
    if not settings.redis.url:
        raise SetupError("`anamnesis worker` needs a Redis to share with its gateways: set REDIS_URL")
    prepare(settings, serves=False)
    return processes.work_alone(settings, asked.metrics_port)


def doctor(asked: argparse.Namespace) -> int:
    """`anamnesis doctor`; 1 when something is wrong."""
    findings = asyncio.run(diagnose(settings_of(asked)))
    for finding in findings:
        show(finding)
    return 0 if all(finding.ok for finding in findings) else EXIT_REFUSED


def verify(asked: argparse.Namespace) -> int:
    """`anamnesis verify-store`."""
    return stores.verify(_prepared(asked), repair=asked.repair)


def reindex(asked: argparse.Namespace) -> int:
    """`anamnesis reindex`."""
    return stores.reindex(_prepared(asked), drop_old=asked.drop_old)


def move(asked: argparse.Namespace) -> int:
    """`anamnesis move-store`."""
    return stores.move(_prepared(asked), to=asked.to, prune=asked.prune)


def _prepared(asked: argparse.Namespace) -> Settings:
    """The settings of a command that works on the data folder."""
    settings = settings_of(asked)
    prepare(settings, serves=False)
    return settings
