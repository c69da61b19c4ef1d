"""A database of any older version becomes one of this version, step by step or at once."""

import asyncio
from pathlib import Path
from types import ModuleType

import pytest
from sqlalchemy import text

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.persistence import outbox_migrations
from notochord.persistence.database import Database
from notochord.persistence.migrations import Component, Step
from support.databases import KEY, database_in


def step(number: int) -> Step:
    if number == 1:
        return lambda connection: connection.execute("CREATE TABLE steps (n INTEGER) STRICT")
    return lambda connection: connection.execute(f"INSERT INTO steps VALUES ({number})")


def version(count: int) -> Component:
    return Component("steps", tuple(step(number) for number in range(1, count + 1)))


def steps_of(folder: Path, component: Component, name: str = "main.db") -> list[int]:
    async def look() -> list[int]:
        async with database_in(folder, component, name=name) as database:
            question = text("SELECT n FROM steps ORDER BY n")
            return list(await database.read(lambda connection: connection.execute(question).scalars().all()))

    return asyncio.run(look())


@pytest.mark.parametrize("path", [(5,), (1, 5), (1, 2, 3, 4, 5), (4, 5)])
def test_skipping_versions_gives_the_same_as_taking_each(tmp_path: Path, path: tuple[int, ...]) -> None:
    found = [steps_of(tmp_path, version(count)) for count in path]
    assert found[-1] == [2, 3, 4, 5]


def test_the_copy_from_before_an_upgrade_opens_in_the_new_program(tmp_path: Path) -> None:
    steps_of(tmp_path, version(2))
    steps_of(tmp_path, version(5))
    (tmp_path / "restored").mkdir()
    (tmp_path / "restored" / "main.db").write_bytes((tmp_path / "main.db.bak").read_bytes())
    assert steps_of(tmp_path / "restored", version(5)) == [2, 3, 4, 5]


def test_opening_without_an_upgrade_makes_no_copy(tmp_path: Path) -> None:
    steps_of(tmp_path, version(2))
    steps_of(tmp_path, version(2))
    assert not (tmp_path / "main.db.bak").exists()


async def test_a_component_of_another_program_version_is_refused(tmp_path: Path) -> None:
    async with database_in(tmp_path, version(2), Component("later", (lambda _: None,))):
        pass
    with pytest.raises(NotochordError) as caught:
        await Database.open(tmp_path / "main.db", KEY, (version(2),))
    assert (caught.value.code, caught.value.detail) == (Code.STORE_NEWER, "newer: later")


def test_a_package_whose_steps_do_not_count_up_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m0002_late.py").write_text("")
    package = ModuleType("late")
    package.__path__ = [str(tmp_path)]
    with pytest.raises(ValueError, match="count up"):
        Component.of("late", package)


def test_a_package_is_read_in_order() -> None:
    assert len(Component.of("outbox", outbox_migrations).steps) == 1
