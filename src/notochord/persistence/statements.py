"""Runs a statement of a hot path on the driver's own connection, which costs a tenth of the way through SQLAlchemy."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection
from sqlalchemy.dialects.sqlite import dialect
from sqlalchemy.sql.dml import UpdateBase

from notochord.persistence.bare import bare

Value = str | int | None

_DIALECT = dialect(paramstyle="named")


class Prepared:
    """An insert, update or delete that is put into words once for each set of columns that it is given.

    For what every step of an answer runs (`tests/bench/bench_agent_step.py`); elsewhere `Connection.execute` is the
    way. Errors are the driver's, which `Database` translates as it does SQLAlchemy's.
    """

    def __init__(self, statement: UpdateBase) -> None:
        self._statement = statement
        self._texts: dict[tuple[str, ...], str] = {}

    def run(self, connection: Connection, values: Mapping[str, Value]) -> None:
        """Run the statement once; `values` are its columns and its bound parameters by name."""
        bare(connection).execute(self._text(values), values)

    def run_each(self, connection: Connection, rows: Sequence[Mapping[str, Value]]) -> None:
        """Run the statement for each of `rows`, all with the same names."""
        if rows:
            bare(connection).executemany(self._text(rows[0]), rows)

    def _text(self, values: Mapping[str, Value]) -> str:
        names = tuple(values)
        text = self._texts.get(names)
        if text is None:
            text = self._texts[names] = str(self._statement.compile(dialect=_DIALECT, column_keys=names))
        return text
