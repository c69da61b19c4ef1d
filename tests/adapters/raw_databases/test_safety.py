"""A raw database keeps what it acknowledged and shows nobody what is in it, whatever ends its process."""

import asyncio
import contextlib
import os
import random
import signal
import sys
from pathlib import Path

import pytest
import sqlcipher3.dbapi2 as sqlite

from notochord.adapters.deno.wall import landlock
from notochord.adapters.raw_databases.launcher import RawChild
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.raw_databases.files import raw_key
from notochord.services.raw_databases.service import RawDatabaseService
from support.canary import leaks_below
from support.raw_databases import SOURCE, Raw, raw_databases, row, source
from support.vaults import MemoryVault

MARKER = b"canary-4c1f-of-the-raw-database"


def child_of(service: RawDatabaseService, owner: str) -> int:
    process = service._owners[owner].process
    assert isinstance(process, RawChild)
    return process.process_id


@pytest.mark.req("DATA-439")
async def test_each_gem_has_a_process_of_its_own(tmp_path: Path) -> None:
    async with raw_databases() as service:
        for owner in ("gem:a", "gem:b"):
            await Raw(service, source(tmp_path, owner=owner)).ask("SELECT 1")
        processes = {child_of(service, "gem:a"), child_of(service, "gem:b"), os.getpid()}
    assert len(processes) == 3


@pytest.mark.req("DATA-437")
async def test_two_gems_do_not_see_each_others_tables(tmp_path: Path) -> None:
    async with raw_databases() as service:
        one, other = (Raw(service, source(tmp_path, owner=owner)) for owner in ("gem:a", "gem:b"))
        await one.ask("CREATE TABLE secrets (a)")
        assert [table.name for table in await service.tables(one.owner)] == ["secrets"]
        assert await service.tables(other.owner) == ()
        with pytest.raises(NotochordError) as found:
            await other.ask("SELECT * FROM secrets")
        assert found.value.code is Code.SQL_FAILED
        assert (one.owner.folder / "raw.db").exists()


@pytest.mark.req("DATA-446", "DATA-445")
async def test_a_gem_that_never_asks_has_no_database(tmp_path: Path) -> None:
    async with raw_databases() as service:
        raw = Raw(service, source(tmp_path))
        await service.start(raw.owner)
        assert await service.tables(raw.owner) == ()
        assert not raw.owner.folder.exists()
        await raw.ask("SELECT 1")
        assert (raw.owner.folder / "raw.db").exists()


@pytest.mark.req("DATA-438", "DATA-478")
async def test_nothing_that_was_written_can_be_read_on_the_disk_not_even_half_way(tmp_path: Path) -> None:
    vault = MemoryVault()
    async with raw_databases(vault=vault) as service:
        raw = Raw(service, source(tmp_path))
        await raw.ask("CREATE TABLE t (a)")
        await raw.ask("CREATE INDEX i ON t (a)")
        text = MARKER.decode() * 200
        much = "INSERT INTO t SELECT ? || x FROM (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 4000) SELECT x FROM c)"  # noqa: E501 - one statement
        writing = asyncio.create_task(raw.ask(much, [text]))
        while not writing.done():  # larger than what is kept in memory: pages go to the log before the end
            assert leaks_below(tmp_path, MARKER) == []
            await asyncio.sleep(0.05)
        await writing
        await raw.ask("SELECT a FROM t ORDER BY a DESC LIMIT 1")
        assert (raw.owner.folder / "raw.db-wal").stat().st_size > 16 * 1024 * 1024
        assert leaks_below(tmp_path, MARKER) == []
    assert leaks_below(tmp_path, MARKER) == []
    assert (raw.owner.folder / "raw.db-wal").stat().st_size == 0
    connection = sqlite.connect(str(raw.owner.folder / "raw.db"))
    connection.execute(f"PRAGMA key = \"x'{raw_key(vault.keys['gem:a']).hex()}'\"")
    assert connection.execute("SELECT count(*) FROM t WHERE a GLOB ?", (f"{MARKER.decode()}*",)).fetchone() == (4000,)
    connection.close()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
async def test_the_key_is_in_no_command_line_and_no_environment(tmp_path: Path) -> None:
    vault = MemoryVault()
    async with raw_databases(vault=vault) as service:
        await Raw(service, source(tmp_path)).ask("SELECT 1")
        place = Path("/proc") / str(child_of(service, "gem:a"))
        told = (place / "cmdline").read_bytes() + (place / "environ").read_bytes()
    for key in (vault.keys["gem:a"], raw_key(vault.keys["gem:a"])):
        assert key not in told
        assert key.hex().encode() not in told.lower()


async def test_what_was_acknowledged_stays_whenever_the_process_is_killed(tmp_path: Path) -> None:
    chance = random.Random(7)
    acknowledged = 0
    async with raw_databases() as service:
        raw = Raw(service, source(tmp_path))
        await raw.ask("CREATE TABLE t (n UNIQUE, filling)")
        for _ in range(6):
            loop = asyncio.get_running_loop()
            kill = loop.call_later(chance.uniform(0.01, 0.15), os.kill, child_of(service, "gem:a"), signal.SIGKILL)
            with contextlib.suppress(NotochordError):
                while True:
                    await raw.add("t", n=acknowledged + 1, filling="x" * 3000)
                    acknowledged += 1
            kill.cancel()
            numbers = [one["n"] for one in await raw.ask("SELECT n FROM t ORDER BY n")]
            assert numbers[:acknowledged] == list(range(1, acknowledged + 1))
            assert len(numbers) - acknowledged in (0, 1)  # the one whose answer got lost
            acknowledged = len(numbers)
            assert await raw.ask("SELECT count(*) AS bad FROM t WHERE length(filling) <> 3000") == [{"bad": 0}]


async def test_a_statement_whose_caller_went_away_is_given_up(tmp_path: Path) -> None:
    async with raw_databases() as service:
        raw = Raw(service, source(tmp_path))
        await raw.ask("CREATE TABLE t (a)")
        endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) INSERT INTO t SELECT x FROM c"
        task = asyncio.create_task(raw.ask(endless))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await raw.ask("SELECT * FROM t") == []


@pytest.mark.req("DATA-462", "DATA-463")
async def test_a_write_leaves_nothing_but_the_row(tmp_path: Path) -> None:
    async with raw_databases() as service:
        raw = Raw(service, source(tmp_path))
        await raw.ask("CREATE TABLE t (a)")
        await service.insert(raw.owner, row("t", a=1))
        tables = {one["name"] for one in await raw.ask("SELECT name FROM sqlite_master")}
        assert tables == {"t", "notochord_migrations"}
        assert await raw.ask("SELECT * FROM t") == [{"a": 1}]
        assert sorted(path.name for path in raw.owner.folder.iterdir()) == ["raw.db", "raw.db-wal"]


ATTACKS = {
    "the network": "import socket; socket.socket()",
    "another process": "import os; os._exit(0) if os.fork() == 0 else os.wait()",
    "a new file": "open({folder!r} + '/taken', 'wb').write(b'x')",
    "the data of the same gem": "open({folder!r} + '/data.db', 'rb').read()",
    "deleting": "import os; os.unlink({folder!r} + '/data.db')",
}


async def attack(folder: Path, deed: str, *, confined: bool) -> int:
    (folder / "raw.db").touch()
    (folder / "data.db").touch()
    lines = [f"import sys; sys.path.insert(0, {str(SOURCE)!r})", "from pathlib import Path"]
    lines += ["from notochord.adapters.raw_databases.confinement import confine"]
    lines += [f"confine(Path({str(folder / 'raw.db')!r}), 1 << 20, 1 << 27)"] if confined else []
    script = "\n".join([*lines, deed.format(folder=str(folder))])
    null = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(sys.executable, "-I", "-c", script, stderr=null)
    return await process.wait()


@pytest.mark.skipif(sys.platform != "linux" or not landlock.version(), reason="the barriers of Linux")
@pytest.mark.parametrize("deed", ATTACKS.values(), ids=ATTACKS)
async def test_a_child_that_was_taken_over_reaches_nothing_but_its_database(tmp_path: Path, deed: str) -> None:
    assert await attack(tmp_path, deed, confined=False) == 0
    assert await attack(tmp_path, deed, confined=True) != 0
    assert await attack(tmp_path, "open({folder!r} + '/raw.db', 'r+b').write(b'x')", confined=True) == 0
