"""Everything below /console/: its files, and who is signed in."""

from typing import Final

from gateway.console.assets import HOME, Assets
from gateway.console.sign_in import METHODS, SignInEndpoint
from gateway.http.answers import Answer
from gateway.http.origin import READS
from gateway.http.refusals import wrong_method
from gateway.http.request import Handling, Request

SESSION: Final = HOME + "session"


class Console:
    """The management console over HTTP."""

    def __init__(self, sign_in: SignInEndpoint, assets: Assets) -> None:
        self._sign_in = sign_in
        self._assets = assets

    def admit(self, request: Request, path: str) -> Handling | Answer:
        """Answer what lies at or below /console."""
        if path == SESSION:
            if request.method.decode() in METHODS.split(", "):
                return self._sign_in.admit(request)
            return wrong_method(METHODS)
        return self._assets.answer(request, path) if request.method in READS else wrong_method("GET, HEAD")
