"""A file that cannot be opened is told by what is wrong with it, and is left as it was."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.persistence import connection as connections
from notochord.persistence import migrations
from notochord.persistence.connection import connect
from notochord.persistence.database import Database
from notochord.persistence.migrations import Component
from support.databases import KEY, database_in

NOTES = Component("notes", (lambda connection: connection.execute("CREATE TABLE notes (body TEXT) STRICT"),))
NEWER = Component("notes", (*NOTES.steps, lambda connection: connection.execute("CREATE TABLE more (x TEXT) STRICT")))


def fill(folder: Path) -> Path:
    async def write() -> None:
        async with database_in(folder, NOTES) as database:
            row = text("INSERT INTO notes VALUES (:body)")
            await database.write(lambda connection: [connection.execute(row, {"body": "x" * 3000}) for _ in range(50)])

    asyncio.run(write())
    return folder / "main.db"


def content_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def failure_of_opening(path: Path, key: bytes = KEY, component: Component = NOTES) -> NotochordError:
    async def open_it() -> None:
        await (await Database.open(path, key, (component,))).close()

    with pytest.raises(NotochordError) as caught:
        asyncio.run(open_it())
    return caught.value


def plain_database(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (x)")
    connection.commit()
    connection.close()


def cut(length: int) -> Callable[[Path], None]:
    return lambda path: os.truncate(path, length)


def flip_first_page(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[1000] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (cut(0), Code.STORE_DAMAGED),
        (cut(100), Code.STORE_DAMAGED),
        (cut(4096), Code.STORE_DAMAGED),
        (cut(4096 * 7), Code.STORE_DAMAGED),
        (cut(4096 * 7 + 77), Code.STORE_DAMAGED),
        (lambda path: path.write_bytes(b"no database " * 1000), Code.STORE_UNREADABLE),
        (plain_database, Code.STORE_UNREADABLE),
        (flip_first_page, Code.STORE_UNREADABLE),
    ],
    ids=["empty", "part of a page", "one page", "seven pages", "in a page", "text", "plain", "another first page"],
)
def test_a_spoilt_file_is_told_and_kept(tmp_path: Path, spoil: Callable[[Path], object], code: Code) -> None:
    path = fill(tmp_path)
    spoil(path)
    before = content_of(tmp_path)
    assert failure_of_opening(path).code is code
    assert content_of(tmp_path) == before


def left_by_a_kill(tmp_path: Path) -> Path:
    """Return a database as a killed process leaves it: with something in the log."""
    path = fill(tmp_path)
    (tmp_path / "killed").mkdir()
    connection = connect(path, KEY)
    connection.execute("CREATE TABLE later (x TEXT) STRICT")
    for name in ("main.db", "main.db-wal"):
        shutil.copyfile(tmp_path / name, tmp_path / "killed" / name)
    connection.close()
    return tmp_path / "killed" / "main.db"


def test_a_wrong_key_does_not_fold_a_log_into_the_file(tmp_path: Path) -> None:
    path = left_by_a_kill(tmp_path)
    before = content_of(path.parent)
    assert failure_of_opening(path, bytes(32)).code is Code.STORE_UNREADABLE
    assert content_of(path.parent) == before


def test_without_the_check_beforehand_a_wrong_key_would_fold_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = left_by_a_kill(tmp_path)
    before = content_of(path.parent)
    monkeypatch.setattr(migrations, "refuse_unfit", lambda path, key: None)
    assert failure_of_opening(path, bytes(32)).code is Code.STORE_UNREADABLE
    assert content_of(path.parent) != before


def test_a_torn_first_page_is_mended_from_the_log(tmp_path: Path) -> None:
    path = left_by_a_kill(tmp_path)
    flip_first_page(path)

    async def count() -> int:
        async with database_in(path.parent, NOTES) as database:
            assert await database.check() == ()
            question = text("SELECT count(*) FROM notes")
            return await database.read(lambda connection: connection.execute(question).scalar_one())

    assert asyncio.run(count()) == 50


def test_a_log_without_its_file_is_not_taken_for_a_new_database(tmp_path: Path) -> None:
    (tmp_path / "main.db-wal").write_bytes(b"x" * 5000)
    assert failure_of_opening(tmp_path / "main.db").code is Code.STORE_DAMAGED
    assert not (tmp_path / "main.db").exists()


def test_a_newer_file_is_refused_and_kept(tmp_path: Path) -> None:
    path = fill(tmp_path)

    async def upgrade() -> None:
        await (await Database.open(path, KEY, (NEWER,))).close()

    asyncio.run(upgrade())
    before = content_of(tmp_path)
    assert failure_of_opening(path).code is Code.STORE_NEWER
    assert content_of(tmp_path) == before


def test_an_upgrade_keeps_a_copy_that_the_older_program_opens(tmp_path: Path) -> None:
    path = fill(tmp_path)

    async def rows(name: str, component: Component) -> int:
        async with database_in(tmp_path, component, name=name) as database:
            question = text("SELECT count(*) FROM notes")
            return await database.read(lambda connection: connection.execute(question).scalar_one())

    assert asyncio.run(rows(path.name, NEWER)) == 50
    assert asyncio.run(rows("main.db.bak", NOTES)) == 50


def test_a_failed_migration_changes_nothing(tmp_path: Path) -> None:
    path = fill(tmp_path)
    broken = Component("notes", (*NEWER.steps, lambda connection: connection.execute("CREATE TABLE more (y TEXT)")))
    before = path.read_bytes()
    assert failure_of_opening(path, component=broken).code is Code.INTERNAL
    assert path.read_bytes() == before


def test_damage_in_the_middle_is_found_by_the_check_and_stops_an_upgrade(tmp_path: Path) -> None:
    path = fill(tmp_path)
    content = bytearray(path.read_bytes())
    content[4096 * 20 + 500] ^= 1
    path.write_bytes(content)

    async def check() -> tuple[str, ...]:
        async with database_in(tmp_path, NOTES) as database:
            return await database.check()

    found = asyncio.run(check())
    assert any("page 21" in line for line in found)
    assert failure_of_opening(path, component=NEWER).code is Code.STORE_DAMAGED
    assert path.read_bytes() == content
    assert not (tmp_path / "main.db.bak").exists()


def test_a_file_that_another_program_locks_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = fill(tmp_path)
    monkeypatch.setattr(connections, "BUSY_MILLISECONDS", 10)
    other = connect(path, KEY)
    other.execute("BEGIN IMMEDIATE")
    try:
        assert failure_of_opening(path).code is Code.STORE_LOCKED
    finally:
        other.close()


def test_an_upgrade_waits_for_nobody_who_reads_and_copies_no_half_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fill(tmp_path)
    monkeypatch.setattr(connections, "BUSY_MILLISECONDS", 10)
    reader, writer = connect(path, KEY, read_only=True), connect(path, KEY)
    writer.execute("INSERT INTO notes VALUES ('first')")
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM notes").fetchone()
    writer.execute("INSERT INTO notes VALUES ('in the log')")
    try:
        assert failure_of_opening(path, component=NEWER).code is Code.STORE_LOCKED
        asyncio.run(open_and_close(path))
    finally:
        reader.close()
        writer.close()
    assert not (tmp_path / "main.db.bak").exists()


async def open_and_close(path: Path) -> None:
    await (await Database.open(path, KEY, (NOTES,))).close()


async def test_a_reader_is_not_kept_from_a_database_that_is_written_to(tmp_path: Path) -> None:
    async with database_in(tmp_path, NOTES) as database:
        row = text("INSERT INTO notes VALUES ('x')")
        question = text("SELECT count(*) FROM notes")
        writes = [database.write(lambda connection: connection.execute(row)) for _ in range(100)]
        reads = [database.read(lambda connection: connection.execute(question).scalar_one()) for _ in range(100)]
        await asyncio.gather(*writes, *reads)
        assert await database.read(lambda connection: connection.execute(question).scalar_one()) == 100


async def test_a_reader_cannot_change_anything(tmp_path: Path) -> None:
    async with database_in(tmp_path, NOTES) as database:
        with pytest.raises(NotochordError) as caught:
            await database.read(lambda connection: connection.execute(text("INSERT INTO notes VALUES ('x')")))
        assert caught.value.code is Code.STORE_READ_ONLY


async def test_an_error_shows_no_value_that_was_to_be_stored(tmp_path: Path) -> None:
    async with database_in(tmp_path, NOTES) as database:
        row = text("INSERT INTO missing VALUES (:body)")
        with pytest.raises(NotochordError) as caught:
            await database.write(lambda connection: connection.execute(row, {"body": "sk-secret"}))
        shown = f"{caught.value} {caught.value.__cause__} {caught.value.__cause__!r}"
        assert "sk-secret" not in shown


def test_a_wrong_key_is_told_without_a_word_on_standard_error(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = fill(tmp_path)
    capfd.readouterr()
    failure_of_opening(path, bytes(32))
    wrong = connections.connect
    with pytest.raises(NotochordError):
        wrong(path, bytes(32))
    assert capfd.readouterr() == ("", "")


WRITER = """
import asyncio, sys
from pathlib import Path
from sqlalchemy import text
from notochord.core.errors import NotochordError
from notochord.persistence.database import Database
from persistence.test_troubled_files import NOTES
from support.databases import KEY

async def main(path):
    try:
        database = await Database.open(path, KEY, (NOTES,))
    except NotochordError as error:
        print(error.code)
        return
    row = text("INSERT INTO notes VALUES (:body)")
    written = 0
    try:
        while written < 1000:
            await database.write(lambda connection: connection.execute(row, {"body": "x" * 3000}))
            written += 1
    except NotochordError as error:
        print(error.code)
    count = text("SELECT count(*) FROM notes")
    print(written == await database.read(lambda connection: connection.execute(count).scalar_one()))
    print(await database.check() == ())
    await database.close()

asyncio.run(main(Path(sys.argv[1])))
"""


def run_writer(path: Path, *prefix: str) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)}
    command = [*prefix, sys.executable, "-c", WRITER, str(path)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert not run.stderr, run.stderr
    return run.stdout.split()


def test_a_full_disk_is_told_and_keeps_what_was_written(tmp_path: Path) -> None:
    mount = f'mount -t tmpfs -o size=2m tmpfs {tmp_path} && exec "$@"'
    small = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh")
    if shutil.which("unshare") is None or subprocess.run([*small, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no right to mount a small disk")
    assert run_writer(tmp_path / "main.db", *small) == ["E_DISK_FULL", "True", "True"]


def test_a_file_that_may_not_be_written_is_told_and_kept(tmp_path: Path) -> None:
    path = fill(tmp_path)
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    before = content_of(tmp_path)
    prefix = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all") if not os.getuid() else ()
    try:
        assert run_writer(path, *prefix)[0] in ("E_STORE_READ_ONLY", "E_STORE_UNREADABLE")
    finally:
        tmp_path.chmod(0o755)
    assert content_of(tmp_path) == before
