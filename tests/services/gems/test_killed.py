"""A process killed at any durable boundary leaves the old state or the new one, and nothing beside it."""

import signal
from pathlib import Path

import pytest

from notochord.core.caller import Actor, Caller, Cause
from support.gems import PackageMaker, Platform, manifest, platform
from support.killed import Change
from support.vaults import FileVault

GEM = Caller(Actor.GEM, "greeter", Cause("talk"))
BEFORE_COMMIT = ["begun", "placed", "activated"]


async def version_after(notochord: Platform, talk: Path) -> str:
    """Return the installed version, having called it; empty for none."""
    gems = await notochord.service.all()
    if not gems:
        return ""
    await notochord.service.call("greeter", "greet", {}, talk, Cause("talk"))
    return gems[0].version


def left(notochord: Platform) -> set[str]:
    """Return the folders of packages and stores that are on the disk."""
    folders = {path for root in ("packages", "store") for path in (notochord.folder.folder / "gems" / root).glob("*")}
    return {path.name for path in folders if not path.name.startswith(".")}


@pytest.mark.parametrize("end", [*BEFORE_COMMIT, "committed"])
async def test_a_first_installation_happened_or_did_not(tmp_path: Path, change_and_die: Change, end: str) -> None:
    home = tmp_path / "org"
    package = PackageMaker(tmp_path / "packages").make()
    assert change_and_die(home, "install", str(package), end) == -signal.SIGKILL
    vault = FileVault(home / "keys.json")
    async with platform(home, vault=vault) as notochord:
        assert await version_after(notochord, tmp_path) == ("1.0.0" if end == "committed" else "")
        installed = {"greeter"} if end == "committed" else set()
        assert left(notochord) == installed
        assert set(vault.keys) == {f"gem:{gem}" for gem in installed}
        await notochord.service.install(package)
        assert await version_after(notochord, tmp_path) == "1.0.0"


@pytest.mark.req("PKG-029", "PKG-055")
@pytest.mark.parametrize(
    ("version", "end"), [("2.0.0", "placed"), ("2.0.0", "activated"), ("2.0.0", "committed"), ("1.0.0", "committed")]
)
async def test_an_upgrade_or_reinstallation_happened_or_did_not_and_the_data_stays(
    tmp_path: Path, change_and_die: Change, version: str, end: str
) -> None:
    home = tmp_path / "org"
    packages = PackageMaker(tmp_path / "packages")
    home.mkdir()
    async with platform(home, vault=FileVault(home / "keys.json")) as first:
        await first.service.install(packages.make())
        await (await first.service.data("greeter")).kv_set("k", "v", GEM)
    newer = packages.make(manifest(version=version), {"tools/greet.ts": "export default 2;"})
    assert change_and_die(home, "install", str(newer), end) == -signal.SIGKILL
    async with platform(home, vault=FileVault(home / "keys.json")) as second:
        assert await version_after(second, tmp_path) == (version if end == "committed" else "1.0.0")
        code = second.sandbox.calls[0].context.instance.code
        assert ((code / "tools/greet.ts").read_text() == "export default 2;") is (end == "committed")
        assert [path.name for path in code.parent.iterdir()] == [code.name]
        assert await (await second.service.data("greeter")).kv_get("k") == "v"


@pytest.mark.req("DATA-490", "DATA-491")
@pytest.mark.parametrize("end", ["dropped", "cleared"])
async def test_a_removal_that_began_is_finished_at_the_next_start(
    tmp_path: Path, change_and_die: Change, end: str
) -> None:
    home = tmp_path / "org"
    home.mkdir()
    async with platform(home, vault=FileVault(home / "keys.json")) as first:
        await first.service.install(PackageMaker(tmp_path / "packages").make())
    assert change_and_die(home, "remove", "greeter", end) == -signal.SIGKILL
    vault = FileVault(home / "keys.json")
    async with platform(home, vault=vault) as second:
        assert await version_after(second, tmp_path) == ""
        assert (left(second), vault.keys) == (set(), {})


async def test_control_without_a_kill_the_same_process_installs(tmp_path: Path, change_and_die: Change) -> None:
    home = tmp_path / "org"
    assert change_and_die(home, "install", str(PackageMaker(tmp_path / "packages").make()), "never") == 0
    async with platform(home, vault=FileVault(home / "keys.json")) as notochord:
        assert await version_after(notochord, tmp_path) == "1.0.0"
