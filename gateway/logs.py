"""Structured logs on standard error. Never with message content: what is logged is named in `extra`."""

import json
import logging
import sys
from typing import Final

_PLAIN: Final = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03d}",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        fields |= {k: v for k, v in vars(record).items() if k not in _PLAIN}
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return json.dumps(fields, ensure_ascii=False, default=str)


def configure(level: str, style: str) -> None:
    """Send all logs to standard error, one line each."""
    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    handler.setFormatter(_JsonLines() if style == "json" else plain)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for noisy in ("docket", "asyncio", "httpx", "httpx2", "openai"):
        logging.getLogger(noisy).setLevel(max(logging.WARNING, logging.getLevelName(level.upper())))
