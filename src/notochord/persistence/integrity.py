"""Finds damage in a database: pages that were changed from outside, and a structure that does not hold together."""

import sqlcipher3.dbapi2 as sqlite

MOST = 20
LONGEST = 200


def faults_in(connection: sqlite.Connection) -> tuple[str, ...]:
    """Return what is wrong with an encrypted database, at most MOST short lines; nothing if it is sound.

    Reads the whole file: seconds for each gigabyte.
    """
    lines: list[str] = []
    for question in ("PRAGMA cipher_integrity_check", f"PRAGMA integrity_check({MOST})", "PRAGMA foreign_key_check"):
        try:
            rows = connection.execute(question).fetchmany(MOST)
        except sqlite.DatabaseError as error:
            if isinstance(error, sqlite.OperationalError):  # the disk or a lock, not the content
                raise
            rows = [(str(error),)]
        for row in rows:
            lines += [part[:LONGEST] for part in " ".join(map(str, row)).splitlines() if part != "ok"]
    return tuple(lines[:MOST])
