"""Writes into the program's log what guests were refused: who tried what, never the words of a guest."""

import logging

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.sandbox.messages import clean

MOST = 1_000
"""Lines of one process, so that none fills the log."""

SUSPICIOUS = frozenset(
    {
        Code.PERM_DENIED,
        Code.CANCELLED,
        Code.PATH_OUTSIDE,
        Code.PATH_INVALID,
        Code.PATH_TRAVERSAL,
        Code.NETWORK_BLOCKED,
        Code.NETWORK_LOCAL_CLOSED,
        Code.NETWORK_ADDRESS_INVALID,
        Code.NETWORK_REDIRECTS,
        Code.SQL_REFUSED,
        Code.SQL_LIMIT,
        Code.PAYLOAD_TOO_LARGE,
    }
)
"""With these the host refuses what a gem has no right to; anything else is a mistake like any other."""

_ENDINGS = frozenset(
    {
        Code.GUEST_PROTOCOL,
        Code.GUEST_MEMORY,
        Code.GUEST_CRASHED,
        Code.GUEST_START,
        Code.TIMEOUT,
        Code.PAYLOAD_TOO_LARGE,
        Code.PATH_OUTSIDE,
    }
)
_MOST_CHARACTERS = 120

_log = logging.getLogger(__name__)


class Incidents:
    """Those of one process; each is told once for each call."""

    def __init__(self, name: str) -> None:
        self._name = clean(name, _MOST_CHARACTERS)
        self._told: set[tuple[int, str]] = set()

    def denied(self, call: int, what: str) -> None:
        """Tell that the runtime refused something."""
        self._tell(call, f"the runtime refused {what}")

    def forged(self, call: int) -> None:
        """Tell that a call was answered that there is not."""
        self._tell(call, "it answered a call that there is not")

    def refused(self, call: int, target: str, error: NotochordError) -> None:
        """Tell that a request was refused, unless it was a mistake only."""
        if error.code in SUSPICIOUS:
            self._tell(call, f"{clean(target, _MOST_CHARACTERS)!r} was refused with {error.code}")

    def failed(self, call: int, error: NotochordError, *, by_runtime: bool) -> None:
        """Tell how a call failed if it was for what it tried or took."""
        if by_runtime:
            self._tell(call, "the runtime refused what the call failed for")
        elif error.code in _ENDINGS:
            self._tell(call, f"it failed with {error.code}")

    def _tell(self, call: int, what: str) -> None:
        if (call, what) in self._told or len(self._told) > MOST:
            return
        self._told.add((call, what))
        if len(self._told) > MOST:
            _log.warning("guest %s: what else it is refused is not told", self._name)
        else:
            _log.warning("guest %s, call %d: %s", self._name, call, what)


def not_started(name: str, error: NotochordError) -> None:
    """Tell that code is not run at all."""
    if error.code in _ENDINGS:
        _log.warning("guest %s: it is not run: %s", clean(name, _MOST_CHARACTERS), error.code)
