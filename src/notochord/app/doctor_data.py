"""Reads every page of an organization's databases: the one of the program, and the stores of its gems."""

import asyncio
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.keys import derived_key
from notochord.headless.services import Finding, Health
from notochord.persistence.connection import connect
from notochord.persistence.failures import translated
from notochord.persistence.integrity import faults_in
from notochord.services.data.opening import DATABASE
from notochord.services.gems.calls import owner_of
from notochord.services.organizations.api import Organization, Organizations, Unlocked
from notochord.services.raw_databases.api import DATABASE as RAW_DATABASE
from notochord.services.raw_databases.files import raw_key
from notochord.services.vault.tables import STORE_KEYS


async def organization_finding(one: Organization, organizations: Organizations) -> Finding:
    """Tell whether the organization opens and its data is whole; nothing in it is changed."""
    try:
        unlocked = await organizations.unlock(one.id)
    except NotochordError as error:
        if error.code is Code.ORG_OPEN:
            return Finding(one.name, Health.NOTE, "doctor.org.held", {"pid": error.parameters.get("pid", 0)})
        if error.code is Code.ORG_UNDECIDED:
            return Finding(one.name, Health.NOTE, "doctor.org.undecided")
        return Finding(one.name, Health.BAD, "doctor.org.closed", {"problem": f"{error.code}: {error.detail}"})
    try:
        return await asyncio.to_thread(_databases, one.name, unlocked)
    finally:
        await organizations.release(unlocked)


def _databases(name: str, unlocked: Unlocked) -> Finding:
    """Look at each database: its cipher's check first, then its structure."""
    main = unlocked.folder.main_database
    if not main.exists():  # made when the organization is first opened
        return Finding(name, Health.GOOD, "doctor.org.good", {"count": 0})
    key = derived_key(unlocked.key, main.name)
    if problem := _problem(main, key):
        return _damaged(name, main.name, problem)
    names = (DATABASE, RAW_DATABASE)
    stores = sorted(file for name in names for file in unlocked.folder.gem_stores.glob(f"*/{name}"))
    keys = _store_keys(main, key) if stores else {}
    for file in stores:
        gem = file.parent.name
        known = keys.get(owner_of(gem))
        if known is not None and file.name == RAW_DATABASE:
            known = raw_key(known)
        if problem := "its key is missing" if known is None else _problem(file, known):
            return _damaged(name, f"{gem}/{file.name}", problem)
    return Finding(name, Health.GOOD, "doctor.org.good", {"count": 1 + len(stores)})


def _problem(file: Path, key: bytes) -> str:
    try:
        with translated(file), closing(connect(file, key, read_only=True)) as connection:
            return "; ".join(faults_in(connection))
    except NotochordError as error:
        return f"{error.code}: {error.detail}"


def _store_keys(main: Path, key: bytes) -> Mapping[str, bytes]:
    with translated(main), closing(connect(main, key, read_only=True)) as connection:
        return dict(connection.execute(f"SELECT owner, key FROM {STORE_KEYS.name}"))


def _damaged(name: str, file: str, problem: str) -> Finding:
    return Finding(name, Health.BAD, "doctor.org.damaged", {"file": file, "problem": problem})
