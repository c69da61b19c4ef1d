"""What the SOPs of installed gems call, as found at the installation: nothing else may be called later."""

from collections.abc import Mapping

from sqlalchemy import Connection, delete, insert, select

from notochord.services.gems.tables import SOP_CALLS

SopCalls = Mapping[str, tuple[str, ...]]
"""The targets of each SOP by its name, sorted."""


def keep(connection: Connection, gem: str, calls: SopCalls) -> None:
    """Put these in place of what was found in the version before (SOP-112)."""
    forget(connection, gem)
    rows = [{"gem": gem, "sop": sop, "target": target} for sop, targets in calls.items() for target in targets]
    if rows:
        connection.execute(insert(SOP_CALLS), rows)


def forget(connection: Connection, gem: str) -> None:
    connection.execute(delete(SOP_CALLS).where(SOP_CALLS.c.gem == gem))


def kept(connection: Connection) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return those of all gems, by the gem."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for row in connection.execute(select(SOP_CALLS).order_by(SOP_CALLS.c.gem, SOP_CALLS.c.sop, SOP_CALLS.c.target)):
        of_gem = found.setdefault(row.gem, {})
        of_gem[row.sop] = (*of_gem.get(row.sop, ()), row.target)
    return found
