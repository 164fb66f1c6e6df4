"""What the flags of a command come to: its settings."""

import argparse

from gateway.config import sources as config
from gateway.config.settings import Settings
from gateway.observe import logs


def settings_of(asked: argparse.Namespace) -> Settings:
    """The settings as file, environment and flags give them; lines of the log go where these say from here on."""
    return loaded_by(asked).settings


def loaded_by(asked: argparse.Namespace) -> config.Loaded:
    """The same, with what said so."""
    flags: dict[config.Key, object] = {}
    for flag, setting in (
        ("host", ("server", "host")),
        ("port", ("server", "port")),
        ("data_dir", ("data", "dir")),
    ):
        if getattr(asked, flag, None) is not None:
            flags[setting] = getattr(asked, flag)
    loaded = config.load_with_origins(asked.config, config.environment(), flags)
    logs.configure(loaded.settings.log.level, loaded.settings.log.format)
    return loaded
