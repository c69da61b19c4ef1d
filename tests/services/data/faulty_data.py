"""What the children of the crash and fault tests do with a gem's store: each step is told once it is acknowledged."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json, decode
from notochord.services.data.api import Append, Batches, Insert, MigrationJob, Source
from notochord.services.data.service import DataService
from notochord.services.data.store import EncryptedStore
from support.clocks import HandClock
from support.data import GEM, OWNER, table
from support.databases import KEY
from support.faults import say
from support.vaults import MemoryVault

DECLARED: dict[str, Any] = {
    "collections": {
        **table({"name": {"type": "string", "unique": True}}, indexes=[["name"]])["collections"],
        "seen": {"kind": "log", "fields": {"name": {"type": "string"}}, "retention": {"days": 1}},
    }
}
ROUNDS = 2
DAYS = 40 * 86_400


def service(clock: HandClock | None = None) -> DataService:
    vault = MemoryVault()
    vault.keys[OWNER] = KEY
    return DataService(vault=vault, clock=clock or HandClock(seed=7), device="here")


def source(folder: Path) -> Source:
    return Source(OWNER, folder, DECLARED, "1")


async def write_everything(folder: Path) -> None:
    """Open the store, write of each kind, clean what is old, and close it; failures are told and passed over."""
    clock = HandClock(seed=7)
    clock.advance(DAYS)
    data = service(clock)
    try:
        store = await data.store(source(folder))
    except NotochordError as error:
        say(f"failed {error.code}: {error.detail}")
        say("closed")
        return
    say("opened")
    for number in range(ROUNDS):
        for what, step in _steps(store, number).items():
            await _told(f"{what} {number}", step)
    await _told("clean", store.clean)
    await data.close()
    say("closed")


def _steps(store: EncryptedStore, n: int) -> dict[str, Callable[[], Awaitable[object]]]:
    pair = [Insert("items", {"name": f"{half} {n}"}, f"{half}{n}") for half in ("left", "right")]
    return {
        "insert": lambda: store.records.insert(Insert("items", {"name": f"{n}"}, f"i{n}"), GEM),
        "pair": lambda: store.records.transact((), pair, GEM),
        "append": lambda: store.records.append(Append("seen", {"name": f"{n}"}), GEM),
        "blob": lambda: store.blobs.put(f"blob {n}".encode() * 500, GEM),
        "doc": lambda: store.documents.update("d", f"text {n}\n\nmore", GEM),
        "made": lambda: store.documents.create(f"made {n}", GEM, identifier=f"m{n}", title=""),
        "key": lambda: store.kv_set("key", f"{n}", GEM),
    }


async def _told(what: str, step: Callable[[], Awaitable[object]]) -> None:
    try:
        await step()
    except NotochordError as error:
        say(f"failed {error.code}: {error.detail}")
        return
    say(f"done {what}")


def newer(folder: Path) -> Source:
    """Return the owner in its next version, under which each item has a number."""
    items = table({"name": {"type": "string", "unique": True}, "n": {"type": "integer", "required": True}},
                  indexes=[["name"]], version=2, migrations="m.js")["collections"]  # fmt: skip
    return Source(OWNER, folder, {"collections": {**DECLARED["collections"], **items}}, "2")


async def change_over(folder: Path) -> None:
    """Migrate the store; what is told after `prepared` stands for the record that makes the new version current."""
    data = service()
    try:
        await data.store(source(folder))
        say("opened")
        activation = await data.prepare(newer(folder), _number, before=source(folder))
        say("prepared")
        await activation.commit()
        say("committed")
    except NotochordError as error:
        say(f"failed {error.code}: {error.detail}")
    await data.close()
    say("closed")


async def _number(job: MigrationJob, batches: Batches) -> None:
    while batch := await batches.next():
        results: list[tuple[str, Json]] = []
        for number, (name, data) in enumerate(batch):
            content = decode(data)
            assert isinstance(content, dict)
            results.append((name, {**content, "n": number}))
        await batches.put(results)
