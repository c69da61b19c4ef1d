"""`ctx.storage.sql` on this side: statements go to the process of the gem's own database, unread."""

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.gems.guest_arguments import GuestArguments
from notochord.services.raw_databases.api import RawDatabases, RawSource
from notochord.services.sandbox.api import HostAnswer, HostRequest

NAMESPACE = "storage.sql"
_NONE: frozenset[str] = frozenset()


class GuestSql:
    """What one call may do with its gem's database: everything that SQL may do there (DATA-436)."""

    def __init__(self, databases: RawDatabases, source: RawSource) -> None:
        self._databases = databases
        self._source = source

    async def answer(self, request: HostRequest) -> HostAnswer | None:
        """Do what is asked; None for a target that is not about the database."""
        match request.target:
            case "storage.sql.query":
                rows = await self._databases.query(self._source, _statement(request))
                return HostAnswer(rows.odd, rows.json)
            case "storage.sql.insert":
                made = await self._databases.insert(self._source, _statement(request))
                return HostAnswer(None if made is None else str(made))
            case _:
                return None


def _statement(request: HostRequest) -> bytes:
    GuestArguments(request.target, request.arguments, _NONE)
    if request.attachment is None:
        detail = "the statement is missing"
        raise NotochordError(Code.SQL_FAILED, Fault.GUEST, detail, reason=detail)
    return request.attachment
