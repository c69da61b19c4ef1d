"""Starting at login: an entry where each system looks for one, written only when asked."""

import plistlib
import subprocess
import sys
from pathlib import Path

import pytest

from notochord.adapters.startup.entry_files import launch_agent, xdg_entry
from notochord.adapters.startup.run_key import RunKey
from notochord.adapters.startup.system import start_at_login
from notochord.core.codes import Code
from notochord.core.errors import NotochordError

COMMAND = ("/opt/My app/notochord", "desktop", 'a"b', "50%", "$HOME", "back\\slash")


def read_by_shell(command: str) -> tuple[str, ...]:
    words = f"printf '%s\\n' {command}"
    told = subprocess.run(("sh", "-c", words), capture_output=True, text=True, check=True).stdout
    return tuple(told.splitlines())


async def test_an_entry_is_written_only_when_asked_and_taken_away_again(tmp_path: Path) -> None:
    entry = xdg_entry(COMMAND, {}, tmp_path)
    assert not await entry.enabled()
    assert list(tmp_path.rglob("*")) == []
    await entry.change(True)
    assert await entry.enabled()
    assert (tmp_path / ".config" / "autostart" / "notochord.desktop").is_file()
    await entry.change(False)
    assert not await entry.enabled()
    await entry.change(False)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


async def test_the_configured_folder_is_used(tmp_path: Path) -> None:
    await xdg_entry(COMMAND, {"XDG_CONFIG_HOME": str(tmp_path / "conf")}, tmp_path).change(True)
    assert (tmp_path / "conf" / "autostart" / "notochord.desktop").is_file()


async def test_the_command_is_read_back_as_it_was(tmp_path: Path) -> None:
    """Read by the two rules of the specification: the string escapes of the file, then the quoting of the command."""
    await xdg_entry(COMMAND, {}, tmp_path).change(True)
    text = (tmp_path / ".config" / "autostart" / "notochord.desktop").read_text()
    line = next(line for line in text.splitlines() if line.startswith("Exec="))
    value = line.removeprefix("Exec=").replace("\\\\", "\\").replace("%%", "%")
    assert read_by_shell(value) == COMMAND


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
async def test_an_entry_that_the_desktop_turned_off_does_not_start(tmp_path: Path, line: str) -> None:
    entry = xdg_entry(COMMAND, {}, tmp_path)
    await entry.change(True)
    file = tmp_path / ".config" / "autostart" / "notochord.desktop"
    file.write_text(file.read_text().replace("X-GNOME-Autostart-enabled=true", "") + f"{line}\n")
    assert not await entry.enabled()
    await entry.change(True)
    assert await entry.enabled()


async def test_a_launch_agent_holds_the_command(tmp_path: Path) -> None:
    entry = launch_agent(COMMAND, tmp_path)
    await entry.change(True)
    assert await entry.enabled()
    content = plistlib.loads((tmp_path / "Library" / "LaunchAgents" / "app.notochord.plist").read_bytes())
    assert content["ProgramArguments"] == list(COMMAND)
    assert content["RunAtLoad"] is True


async def test_a_folder_that_cannot_be_written_is_told_of(tmp_path: Path) -> None:
    (tmp_path / ".config").write_text("a file in the way")
    with pytest.raises(NotochordError) as refused:
        await xdg_entry(COMMAND, {}, tmp_path).change(True)
    assert refused.value.code is Code.DISK_IO


@pytest.mark.skipif(sys.platform == "win32", reason="there is a registry")
async def test_without_a_registry_nothing_starts(tmp_path: Path) -> None:
    entry = RunKey(COMMAND)
    assert not await entry.enabled()
    with pytest.raises(NotochordError):
        await entry.change(True)
    assert not await start_at_login(COMMAND, {}, tmp_path).enabled()
