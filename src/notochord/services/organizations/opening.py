"""Decides whether a key is the right one for an organization, and says what is wrong if it is not."""

from contextlib import closing

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.keys import derived_key, fingerprint
from notochord.core.paths import OrganizationFolder
from notochord.persistence.connection import connect
from notochord.persistence.failures import translated
from notochord.persistence.key_check import refuse_unfit
from notochord.persistence.migrations import migrate
from notochord.services.organizations.description import Description

MAIN_DATABASE = "main.db"


def make_store(folder: OrganizationFolder, key: bytes) -> None:
    """Make the organization's empty main database. Raises NotochordError."""
    migrate(folder.main_database, derived_key(key, MAIN_DATABASE), ())


def is_untouched(folder: OrganizationFolder, key: bytes) -> bool:
    """Tell whether the store is as `make_store` left it: no part of the program has kept anything in it."""
    with (
        translated(folder.main_database),
        closing(connect(folder.main_database, derived_key(key, MAIN_DATABASE))) as db,
    ):
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'").fetchone()
    return int(tables) <= 1


def remove_store(folder: OrganizationFolder) -> None:
    """Remove a store in which nothing is kept. Raises NotochordError for trouble with the disk."""
    with translated(folder.main_database):
        for file in folder.folder.glob(f"{MAIN_DATABASE}*"):
            file.unlink(missing_ok=True)


def refuse_wrong_key(folder: OrganizationFolder, description: Description, key: bytes) -> None:
    """Return if `key` is this organization's and opens its data; nothing is written.

    Raises NotochordError: KEY_WRONG (another key than this organization was made with), ORG_DAMAGED (its main database
    is gone), ORG_MISMATCH (the main database was encrypted with another key), STORE_DAMAGED.
    """
    if fingerprint(key) != description.fingerprint:
        raise NotochordError(
            Code.KEY_WRONG, Fault.USER, "the fingerprint differs", organization=description.id, name=description.name
        )
    if not folder.main_database.is_file():
        raise NotochordError(Code.ORG_DAMAGED, Fault.SYSTEM, "its main database is gone", organization=description.id)
    try:
        refuse_unfit(folder.main_database, derived_key(key, MAIN_DATABASE))
    except NotochordError as error:
        if error.code is not Code.STORE_UNREADABLE:
            raise
        raise NotochordError(
            Code.ORG_MISMATCH, Fault.USER, "its main database is another's", organization=description.id
        ) from error
