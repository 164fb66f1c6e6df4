"""Structured logs on standard error. Never with message content, and ids only as digests (`observe/subjects`).

What is logged is named in `extra`. A state that goes on (a store that is down) is told when it begins and when it ends;
what is logged again and again meanwhile is counted instead.
"""

import json
import logging
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from gateway.observe.correlation import current
from gateway.observe.subjects import subject
from memory.visible import visible, visible_line

_PLAIN: Final = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}
_QUIET_S: Final = 60.0
_KEPT_MAX: Final = 1024
_BORROWED: Final = ("docket", "redis", "key_value")
"""Loggers of libraries that tell of the same outages as we, with tracebacks and with the keys of tasks."""
_DOWN: Final = {"ConnectionError", "ConnectionRefusedError", "ConnectionResetError", "TimeoutError", "BusyLoadingError"}
"""Errors of a Redis that cannot be reached."""
_TROUBLE: Final = ("code", "reason", "error")
"""Fields that say why something goes worse than it should."""
_STATES: Final = ("anamnesis.redis",)
"""Loggers whose warnings are of states, told by each of several connections: the first to tell one speaks for all."""
_NOISY: Final = ("docket", "asyncio", "httpx", "httpx2", "openai", "opentelemetry")


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        fields = _fields_of(record)
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return visible(json.dumps(fields, ensure_ascii=False, default=str))


class _TextLines(logging.Formatter):
    """For people: time, level, logger, message, then the fields as name=value."""

    def format(self, record: logging.LogRecord) -> str:
        fields = _fields_of(record)
        time_, level, logger, message = (str(fields.pop(name)) for name in ("time", "level", "logger", "message"))
        named = "".join(f" {name}={_worded(value)}" for name, value in fields.items())
        line = visible_line(f"{time_} {level.upper():<7} {logger}: {message}{named}")
        return line + (f"\n{visible(self.formatException(record.exc_info))}" if record.exc_info else "")


def _fields_of(record: logging.LogRecord) -> dict[str, object]:
    about, request = subject(), current()
    return {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": record.getMessage(),
        **({"request_id": request.request_id} if request is not None else {}),
        **(about.fields() if about is not None else {}),
        **{name: value for name, value in vars(record).items() if name not in _PLAIN},
    }


def _worded(value: object) -> str:
    """A value in one word, or quoted."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if text and not set(text) & set(' "=\n') else json.dumps(text, ensure_ascii=False)


class _Plainly(logging.Filter):
    """What libraries say, in one line: without their traceback, and without the names of tasks.

    Not what they say of a Redis that is down: our own connection to it tells that, once.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.partition(".")[0] not in _BORROWED:
            return True
        error = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] is not None else ""
        if error in _DOWN or "Redis" in str(record.msg):
            return False
        plain = logging.makeLogRecord({name: value for name, value in vars(record).items() if name in _PLAIN})
        plain.msg, plain.args = str(record.msg).partition("%")[0].strip(" ,:.") or "(no words)", ()
        plain.exc_info, plain.exc_text = None, None
        vars(record).clear()
        vars(record).update(vars(plain), error=error or "none")
        return True


class _Once(logging.Filter):
    """What says the same trouble again within a minute is not told, but counted for the next time."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._told: dict[tuple[object, ...], tuple[float, int]] = {}
        self._states: dict[str, dict[str, bool]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        trouble = tuple(str(getattr(record, name, "")) for name in _TROUBLE)
        if record.name in _STATES and record.levelno >= logging.WARNING:
            return self._is_change(record.name, str(record.msg), bad=any(trouble))
        if not any(trouble):
            return True
        key = (record.name, record.levelno, str(record.msg), *trouble)
        now = self._now()
        since, missed = self._told.get(key, (-_QUIET_S, 0))
        if now - since < _QUIET_S:
            self._told[key] = (since, missed + 1)
            return False
        if len(self._told) >= _KEPT_MAX:
            self._told.clear()
        self._told[key] = (now, 0)
        if missed:
            record.repeated = missed
        return True

    def _is_change(self, name: str, news: str, *, bad: bool) -> bool:
        """Whether these news were not told since the last good ones (when they are bad), or bad ones (when good)."""
        told = self._states.get(name, {})
        if news in told:
            return False
        self._states[name] = {each: was_bad for each, was_bad in told.items() if was_bad and bad} | {news: bad}
        return True


class State:
    """Whether something works: logged when that changes, and not otherwise."""

    def __init__(self, log: logging.Logger, what: str) -> None:
        self._log = log
        self._what = what
        self._fails = False

    def fails(self, code: str) -> None:
        """It does not work, for the reason of this code."""
        if not self._fails:
            self._log.warning("%s fails; it is tried again", self._what, extra={"cause": code})
        self._fails = True

    def works(self) -> None:
        """It works."""
        if self._fails:
            self._log.warning("%s works again", self._what)
        self._fails = False


def configure(level: str, style: str) -> None:
    """Send all logs to standard error, one line each."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines() if style == "json" else _TextLines())
    handler.addFilter(_Plainly())
    handler.addFilter(_Once())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for noisy in _NOISY:
        logging.getLogger(noisy).setLevel(max(logging.WARNING, logging.getLevelName(level.upper())))
