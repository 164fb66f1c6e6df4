"""Errors that only HTTP knows."""

from gateway.http.answers import Answer, refusal
from memory.errors import MemoryGatewayError, TemporaryError


class MethodNotAllowed(MemoryGatewayError):  # noqa: N818 - see memory/errors.py
    """The path is there, but not for this method."""

    code, status, title = "method_not_allowed", 405, "Method not allowed"


class LoginLimited(TemporaryError):  # noqa: N818
    """Too many keys were tried from this address within a minute."""

    code, status, title = "login_limited", 429, "Too many tries"
    retry_after_s = 60


class StreamLimited(TemporaryError):  # noqa: N818
    """As many streams of events are open as may be, in this process or with this key. Ask now and then instead."""

    code, status, title = "stream_limited", 429, "Too many streams"
    retry_after_s = 15


def wrong_method(allowed: str) -> Answer:
    """What answers another method than these: `allowed` as in the header Allow."""
    return refusal(MethodNotAllowed(f"use {allowed.partition(',')[0]}"), {"Allow": allowed})
