"""Writes into the program's log what a page was refused: which gem's page tried what, never the words of the page."""

import logging

from notochord.core.flat_text import flattened

MOST = 1_000
"""Lines of one opened page, so that none fills the log."""

_MOST_CHARACTERS = 120

_log = logging.getLogger(__name__)


class PageIncidents:
    """Those of one opened page, however often it is loaded; each attempt is told once, by what stopped it."""

    def __init__(self, gem: str, page: str) -> None:
        self._name = flattened(f"{gem}/{page}", _MOST_CHARACTERS)
        self._told = 0

    def refused(self, what: str) -> None:
        """Tell that the page was refused something; `what` is said by the program, a host at most is the page's."""
        self._told += 1
        if self._told <= MOST:
            _log.warning("page %s was refused %s", self._name, flattened(what, _MOST_CHARACTERS))
        elif self._told == MOST + 1:
            _log.warning("page %s: what else it is refused is not told", self._name)
