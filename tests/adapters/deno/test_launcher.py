"""How guests are started: what goes onto the command line and into the environment, and what a failure says."""

from pathlib import Path

import pytest
from deno import find_deno_bin

from notochord.adapters.deno.launcher import DenoLauncher
from notochord.adapters.deno.walls import NoWall
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.paths import shipped
from notochord.services.sandbox.ports import GuestOrder
from support.guests import MemoryHost, guest_call, make_gem, real_launcher, real_sandbox


def order(folder: Path, code: str, resources: str) -> GuestOrder:
    return GuestOrder(folder / code, folder / resources, folder / "state")


@pytest.mark.parametrize(
    ("code", "resources", "expected"),
    [("a", "b", "{0}/a,{0}/b"), ("x,y", "b", ".,{0}/b"), ("x,/c", "x,/r", ".,../r")],
)
def test_a_comma_in_a_path_never_reaches_the_list(tmp_path: Path, code: str, resources: str, expected: str) -> None:
    flags = real_launcher().flags(order(tmp_path, code, resources))
    assert flags[-1] == f"--allow-read={expected.format(tmp_path)}"


def test_the_runtime_of_a_procedure_has_no_compiler(tmp_path: Path) -> None:
    def is_jitless(jitless: bool) -> bool:
        flags = real_launcher().flags(GuestOrder(tmp_path, tmp_path, tmp_path, jitless=jitless))
        return any(flag.startswith("--v8-flags=") and flag.endswith(",--jitless") for flag in flags)

    assert (is_jitless(True), is_jitless(False)) == (True, False)


def test_a_folder_that_cannot_be_written_without_a_comma_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotochordError) as caught:
        real_launcher().flags(order(tmp_path, "code", "r,/etc"))
    assert caught.value.code is Code.GUEST_START


async def test_a_missing_runtime_is_a_clear_error(tmp_path: Path) -> None:
    launcher = DenoLauncher(deno=tmp_path / "no-deno", program=shipped("sandbox") / "main.ts", wall=NoWall("test"))
    gem = make_gem(tmp_path, tool="export default () => 1;")
    async with real_sandbox(tmp_path, launcher=launcher) as sandbox:
        with pytest.raises(NotochordError) as caught:
            await sandbox.call(guest_call(gem), MemoryHost())
    assert caught.value.code is Code.GUEST_START


async def test_a_program_that_does_not_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "main.ts").write_text("throw new Error('broken program');")
    launcher = DenoLauncher(deno=Path(find_deno_bin()), program=tmp_path / "program" / "main.ts", wall=NoWall("test"))
    gem = make_gem(tmp_path, tool="export default () => 1;")
    async with real_sandbox(tmp_path, launcher=launcher) as sandbox:
        with pytest.raises(NotochordError) as caught:
            await sandbox.call(guest_call(gem), MemoryHost())
    assert caught.value.code is Code.GUEST_START
    assert "broken program" in caught.value.detail


async def test_the_environment_holds_nothing_of_the_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_PROGRAM", "1")

    class Curious(DenoLauncher):
        def flags(self, order: GuestOrder) -> list[str]:
            return ["run", "--quiet", "--no-prompt", "--no-check", "--allow-all"]

    gem = make_gem(tmp_path, tool="export default () => Object.keys(Deno.env.toObject()).sort();")
    async with real_sandbox(tmp_path, launcher=real_launcher(Curious)) as sandbox:
        found = await sandbox.call(guest_call(gem), MemoryHost())
    assert found == [
        "DENO_DIR", "DENO_NO_PACKAGE_JSON", "DENO_NO_PROMPT", "DENO_NO_UPDATE_CHECK", "DENO_WEBGPU_BACKEND", "HOME",
        "LANG", "NO_COLOR", "TZ",
    ]  # fmt: skip
