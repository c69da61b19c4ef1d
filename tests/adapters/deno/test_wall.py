"""The system-call filter says what it should for both processors, and the wall says honestly what it is made of."""

import errno
import platform
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from notochord.adapters.deno.wall import landlock, seccomp
from notochord.adapters.deno.wall.system_calls import CLONE3, CLONE_THREAD, PROCESSORS, REFUSED, X32_BIT, Processor
from notochord.adapters.deno.walls import LinuxWall, NoWall
from support.guests import MemoryHost, OpenLauncher, guest_call, make_gem, real_launcher, real_sandbox

linux = pytest.mark.skipif(sys.platform != "linux", reason="the wall is Linux's")
OWN = 4242
ALLOWED, KILLED = 0x7FFF0000, 0x80000000


def refused_with(number: int) -> int:
    return 0x00050000 | number


def judge(processor: Processor, number: int, argument: int = 0, *, audit: int | None = None) -> int:
    """Run the filter as the kernel does and return its verdict."""
    data = struct.pack("<iIQ6Q", number, audit or processor.audit, 0, argument, 0, 0, 0, 0, 0)
    program = list(struct.iter_unpack("<HBBI", seccomp.program(processor, OWN)))
    position, word = 0, 0
    while True:
        code, if_true, if_false, value = program[position]
        position += 1
        if code == 0x20:
            word = struct.unpack_from("<I", data, value)[0]
        elif code == 0x15:
            position += if_true if word == value else if_false
        elif code == 0x45:
            position += if_true if word & value else if_false
        else:
            return int(value)


@pytest.fixture(params=sorted(PROCESSORS))
def processor(request: pytest.FixtureRequest) -> Processor:
    return PROCESSORS[request.param]


def test_every_listed_call_is_refused_and_an_ordinary_one_is_not(processor: Processor) -> None:
    numbers = [row[processor.column] for row in REFUSED.values()]
    for number in numbers:
        if number is not None:
            assert judge(processor, number) == refused_with(errno.EPERM)
    assert judge(processor, 0) == ALLOWED
    assert len({number for number in numbers if number is not None}) == sum(number is not None for number in numbers)


def test_another_processors_numbers_kill(processor: Processor) -> None:
    assert judge(processor, 0, audit=0x40000003) == KILLED


def test_the_second_table_behind_bit_30_is_refused_whole() -> None:
    for number in (0, 1, 41, 59, 512, 547):
        assert judge(PROCESSORS["x86_64"], number | X32_BIT) == refused_with(errno.EPERM)


def test_a_thread_may_be_made_and_a_process_may_not(processor: Processor) -> None:
    assert judge(processor, processor.clone, CLONE_THREAD | 0x100) == ALLOWED
    assert judge(processor, processor.clone, 17) == refused_with(errno.EPERM)
    assert judge(processor, CLONE3) == refused_with(errno.ENOSYS)


def test_signals_and_limits_are_for_itself_only(processor: Processor) -> None:
    for number, own in ((processor.kill, OWN), (processor.kill_thread, OWN), (processor.limits, 0)):
        assert judge(processor, number, own) == ALLOWED
        for other in (1, OWN + 1, 2**32 - 1, 2**64 - 1):
            assert judge(processor, number, other) == refused_with(errno.EPERM)


@linux
@pytest.mark.skipif(platform.machine() != "x86_64", reason="only this processor has a second table")
async def test_the_second_table_is_refused_by_the_kernel_too(tmp_path: Path) -> None:
    source = """export default () => {
      const { symbols: c } = Deno.dlopen('libc.so.6', {
        syscall: { parameters: ['i64', 'i64', 'i64', 'i64'], result: 'i64' },
        __errno_location: { parameters: [], result: 'pointer' } });
      const results = [];
      for (const number of [0x40000000n + 39n, 0x40000000n + 41n]) {
        const result = c.syscall(number, 2n, 1n, 0n);
        results.push([Number(result), new Deno.UnsafePointerView(c.__errno_location()).getInt32()]);
      }
      return results; };"""
    gem = make_gem(tmp_path, tool=source)
    async with real_sandbox(tmp_path, launcher=real_launcher(OpenLauncher)) as sandbox:
        found = await sandbox.call(guest_call(gem), MemoryHost())
    assert found == [[-1, errno.EPERM], [-1, errno.EPERM]]


@linux
def test_the_wall_names_its_parts() -> None:
    text = LinuxWall().describe()
    assert f"Landlock {landlock.version()}" in text or "no Landlock" in text
    assert f"seccomp {platform.machine()}" in text or "no seccomp" in text


@linux
def test_a_kernel_without_the_parts_is_told_honestly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    text = LinuxWall().describe()
    assert "no Landlock" in text
    assert "no seccomp" in text


@linux
async def test_a_tool_runs_behind_what_is_left_of_the_wall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setattr(seccomp, "available", lambda machine: False)
    gem = make_gem(tmp_path, tool="export default () => 'fine';")
    async with real_sandbox(tmp_path, launcher=real_launcher(wall=LinuxWall())) as sandbox:
        assert await sandbox.call(guest_call(gem), MemoryHost()) == "fine"


def test_no_wall_is_called_none() -> None:
    wall = NoWall("not built for Plan9 yet")
    assert wall.describe().startswith("none")
    command: Sequence[str] = ["deno", "run"]
    assert wall.around(command, readable=[], writable=[]) == list(command)
