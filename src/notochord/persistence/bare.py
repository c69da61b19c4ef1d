"""The driver's own connection, for work whose tables are made while the program runs, and for measured hot paths."""

import sqlcipher3.dbapi2 as sqlite
from sqlalchemy import Connection

BareConnection = sqlite.Connection
BareCursor = sqlite.Cursor
IntegrityError = sqlite.IntegrityError


def bare(connection: Connection) -> BareConnection:
    """Return the driver's own connection; what is said there costs a tenth of what it costs through SQLAlchemy."""
    found = connection.connection.driver_connection
    assert isinstance(found, BareConnection)
    return found
