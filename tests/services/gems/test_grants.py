"""What a user allows a gem: kept durably, and only for as long as the gem asks for it."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from notochord.persistence.database import Database
from notochord.services.gems.api import ALL_MAILBOXES, GrantKind, Trust
from notochord.services.gems.component import COMPONENT
from notochord.services.gems.grants import Grants
from notochord.services.gems.manifest import read
from notochord.services.gems.records import Record, Records
from support.gems import KEY, manifest

HOME, FOOD = "facts.read:self:location.home.*", "facts.read:self:pref.food.*"


def record(**permissions: Any) -> Record:
    raw = {**manifest(permissions=permissions), "integrity": {"files": {}}}
    return Record(read(raw), Trust.OFFICIAL, "1.0.0", {}, 0)


def asking(*knowledge: str, mail: bool = True) -> Record:
    email: dict[str, Any] = {"email": {"read": True}} if mail else {}
    return record(knowledge={"permissions": list(knowledge)}, **email)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    made = await Database.open(tmp_path / "main.db", KEY, (COMPONENT,))
    yield made
    await made.close()


@pytest.mark.req("GEMUI-020", "GEMUI-030")
async def test_nothing_is_allowed_before_the_user_allows_it_and_it_is_kept(database: Database) -> None:
    await Records(database).put(asking(HOME))
    grants = Grants(database)
    assert await grants.of("greeter") == {GrantKind.MAILBOX: frozenset(), GrantKind.KNOWLEDGE: frozenset()}
    await grants.set("greeter", GrantKind.KNOWLEDGE, HOME, allowed=True)
    await grants.set("greeter", GrantKind.KNOWLEDGE, HOME, allowed=True)
    await grants.set("greeter", GrantKind.MAILBOX, ALL_MAILBOXES, allowed=True)
    assert await Grants(database).of("greeter") == {
        GrantKind.MAILBOX: frozenset({"*"}),
        GrantKind.KNOWLEDGE: frozenset({HOME}),
    }
    assert (await grants.of("other"))[GrantKind.KNOWLEDGE] == frozenset()


@pytest.mark.req("GEMUI-021", "PERM-173", "PERM-174")
async def test_what_is_taken_back_is_gone_at_the_next_reading(database: Database) -> None:
    await Records(database).put(asking(HOME))
    grants = Grants(database)
    await grants.set("greeter", GrantKind.KNOWLEDGE, HOME, allowed=True)
    await grants.set("greeter", GrantKind.KNOWLEDGE, HOME, allowed=False)
    assert (await grants.of("greeter"))[GrantKind.KNOWLEDGE] == frozenset()


@pytest.mark.req("PERM-015")
async def test_an_upgrade_keeps_what_is_still_asked_for_and_what_is_asked_again_later_is_off(
    database: Database,
) -> None:
    records, grants = Records(database), Grants(database)
    await records.put(asking(HOME, FOOD))
    for kind, target in (
        (GrantKind.KNOWLEDGE, HOME),
        (GrantKind.KNOWLEDGE, FOOD),
        (GrantKind.MAILBOX, ALL_MAILBOXES),
    ):
        await grants.set("greeter", kind, target, allowed=True)
    await records.put(asking(HOME, mail=False))
    await records.put(asking(HOME, FOOD))
    assert await grants.of("greeter") == {GrantKind.MAILBOX: frozenset(), GrantKind.KNOWLEDGE: frozenset({HOME})}


@pytest.mark.req("GEMUI-051")
async def test_a_gem_that_is_removed_leaves_no_grant_to_the_next_of_its_name(database: Database) -> None:
    records, grants = Records(database), Grants(database)
    await records.put(asking(HOME))
    await grants.set("greeter", GrantKind.KNOWLEDGE, HOME, allowed=True)
    await records.drop("greeter")
    await records.put(asking(HOME))
    assert (await grants.of("greeter"))[GrantKind.KNOWLEDGE] == frozenset()
