"""Knows the tables inside of full-text tables, which no statement of a gem may write.

Full-text tables write them by statements of their own while another runs. What the gem itself wrote is told from that
by compiling its statement without running it. R*Tree tables compile theirs when they are first looked at, so their
inner tables cannot be told apart; they hold numbers only.
"""

from collections.abc import Callable, Sequence
from typing import Any

Run = Callable[..., Sequence[Any]]

_NAMES = """
SELECT lower(name) FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow' AND (
  name LIKE '%\\_data' ESCAPE '\\' OR name LIKE '%\\_idx' ESCAPE '\\' OR name LIKE '%\\_content' ESCAPE '\\'
  OR name LIKE '%\\_docsize' ESCAPE '\\' OR name LIKE '%\\_config' ESCAPE '\\')
"""


class Shadows:
    """The inner tables of a database as its schema is now; `run` runs a statement of this program."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._version: int | None = None
        self._names: frozenset[str] = frozenset()

    def names(self) -> frozenset[str]:
        """Return their names in lower case."""
        version = self._run("PRAGMA schema_version")[0][0]
        if version != self._version:
            self._names = frozenset(row[0] for row in self._run(_NAMES))
            self._version = version
        return self._names
