"""What a tool writes to its console is in the gem's log, and nowhere on the disk in the open."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from support.canary import leaks_below
from support.gems import PackageMaker, Platform, manifest, platform, tool
from support.guests import real_sandbox

TALKER = """export default (input) => {
  console.log("hello", { a: [1] }, 2n); console.error("canary-of-the-console");
  if (input.who) throw new Error(`no ${input.who}`);
  return 1;
}"""


@pytest.fixture
async def guests(tmp_path: Path, packages: PackageMaker) -> AsyncIterator[Platform]:
    async with real_sandbox(tmp_path) as sandbox, platform(tmp_path / "org", guests=sandbox) as made:
        await made.service.install(packages.make(manifest(tools=[tool()]), {"tools/greet.ts": TALKER}))
        yield made


async def test_lines_and_failures_are_in_the_log_which_goes_with_the_gem(guests: Platform, tmp_path: Path) -> None:
    cause = Cause("talk")
    await guests.service.call("greeter", "greet", {}, tmp_path, cause)
    with pytest.raises(NotochordError):
        await guests.service.call("greeter", "greet", {"who": "Bob"}, tmp_path, cause)
    written = ["hello { a: [ 1 ] } 2n", "canary-of-the-console"]
    lines = await guests.service.log("greeter", 10)
    assert [line.text for line in lines] == [*written, *written, "E_TOOL_FAILED: no Bob"]
    assert {line.tool for line in lines} == {"greet"}
    code = guests.folder.folder / "gems" / "packages"
    assert [leak for leak in leaks_below(tmp_path / "org", b"canary-of-the-console")
            if not (tmp_path / "org" / leak.split(":")[0]).is_relative_to(code)] == []  # fmt: skip
    await guests.service.remove("greeter")
    with pytest.raises(NotochordError) as found:
        await guests.service.log("greeter", 10)
    assert found.value.code is Code.GEM_UNKNOWN


async def test_a_log_that_cannot_be_kept_keeps_no_call_from_its_value(
    guests: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(gem: str, lines: object) -> None:
        raise NotochordError(Code.DISK_FULL, Fault.SYSTEM)

    monkeypatch.setattr(guests.service._logs, "add", full)
    assert await guests.service.call("greeter", "greet", {}, tmp_path, Cause("talk")) == 1
