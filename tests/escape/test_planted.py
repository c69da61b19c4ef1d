"""What a package or an earlier run left in a gem's folders opens nothing; where nobody looks, it does."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from escape.arena import SECRET, Barriers, open_launcher, program_log
from notochord.adapters.deno.walls import NoWall
from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.sandbox import service as service_module
from notochord.services.sandbox.api import GemInstance
from support.gems import PackageMaker, platform
from support.guests import MemoryHost, guest_call, make_gem, real_launcher, real_sandbox

READ = "export default (path) => Deno.readTextFileSync(path);"


def link(place: Path, secret: Path) -> Path:
    place.symlink_to(secret)
    return place


def relative_link(place: Path, secret: Path) -> Path:
    place.symlink_to(os.path.relpath(secret, place.parent))
    return place


def linked_folder(place: Path, secret: Path) -> Path:
    place.symlink_to(secret.parent, target_is_directory=True)
    return place / secret.name


def deep_link(place: Path, secret: Path) -> Path:
    (place / "a" / "b").mkdir(parents=True)
    return link(place / "a" / "b" / "c", secret)


def link_to_a_link(place: Path, secret: Path) -> Path:
    link(place.with_name("first"), secret)
    return link(place, place.with_name("first"))


def second_name(place: Path, secret: Path) -> Path:
    os.link(secret, place)
    return place


PLANTED: dict[str, Callable[[Path, Path], Path]] = {
    made.__name__: made for made in (link, relative_link, linked_folder, deep_link, link_to_a_link, second_name)
}
FOLDERS = ("code", "resources")
CASES = [pytest.param(folder, name, id=f"{name} in {folder}") for folder in FOLDERS for name in PLANTED]


def lay_out(root: Path, folder: str, name: str) -> tuple[GemInstance, str]:
    """Return a gem with something planted in it, and the path that leads to the secret."""
    (root / "outside").mkdir()
    (root / "outside" / "secret.txt").write_text(SECRET)
    gem = make_gem(root, tool=READ)
    gem.resources.mkdir()
    place = (gem.code if folder == "code" else gem.resources) / "planted"
    return gem, str(PLANTED[name](place, root / "outside" / "secret.txt"))


async def read(root: Path, gem: GemInstance, path: str, **options: object) -> Json:
    async with real_sandbox(root, **options) as sandbox:  # type: ignore[arg-type]
        return await sandbox.call(guest_call(gem, path), MemoryHost())


@pytest.mark.parametrize(("folder", "name"), CASES)
async def test_a_gem_with_something_planted_is_not_run(tmp_path: Path, folder: str, name: str) -> None:
    gem, path = lay_out(tmp_path, folder, name)
    with program_log() as log, pytest.raises(NotochordError) as caught:
        await read(tmp_path, gem, path)
    assert caught.value.code is Code.GUEST_START
    assert "guest gem@1: it is not run: E_GUEST_START" in log.taken()


@pytest.mark.parametrize(("folder", "name"), CASES)
async def test_control_where_nobody_looks_it_leads_outside(
    tmp_path: Path, folder: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "find_foreign", lambda root: None)
    gem, path = lay_out(tmp_path, folder, name)
    assert await read(tmp_path, gem, path, launcher=real_launcher(wall=NoWall("taken away"))) == SECRET


@pytest.mark.parametrize("name", [name for name in PLANTED if name != "second_name"])
async def test_what_is_planted_while_a_gem_runs_stops_at_the_wall(tmp_path: Path, name: str) -> None:
    """A second name of a file is the file itself, which no wall can tell: making one takes the right to the file."""
    gem, _ = lay_out(tmp_path, "code", "link")
    (gem.code / "planted").unlink()
    async with real_sandbox(tmp_path, launcher=open_launcher(Barriers.WALL)) as sandbox:
        assert await sandbox.call(guest_call(gem, str(gem.code / "tool.ts")), MemoryHost()) == READ
        path = PLANTED[name](gem.resources / "planted", tmp_path / "outside" / "secret.txt")
        with pytest.raises(NotochordError) as caught:
            await sandbox.call(guest_call(gem, str(path)), MemoryHost())
    assert caught.value.code is Code.TOOL_FAILED


async def test_a_folder_that_was_moved_leads_its_links_nowhere(tmp_path: Path) -> None:
    """A link that stays inside leads outside once the folder lies elsewhere; links are refused wherever they lead."""
    gem = make_gem(tmp_path, tool=READ)
    (gem.code / "inside.txt").write_text("inside")
    (gem.code / "planted").symlink_to("../code/inside.txt")
    moved = tmp_path / "moved" / "code"
    moved.parent.mkdir()
    gem.code.rename(moved)
    with pytest.raises(NotochordError) as caught:
        await read(tmp_path, GemInstance("gem@1", moved, tmp_path / "kept"), str(moved / "planted"))
    assert caught.value.code is Code.GUEST_START


@pytest.mark.parametrize("kind", ["pipe", "socket"])
async def test_a_special_file_keeps_a_gem_from_starting(tmp_path: Path, kind: str) -> None:
    gem = make_gem(tmp_path, tool=READ)
    os.mknod(gem.code / "special", {"pipe": 0o010600, "socket": 0o140600}[kind])
    with pytest.raises(NotochordError) as caught:
        await read(tmp_path, gem, str(gem.code / "special"))
    assert caught.value.code is Code.GUEST_START


@pytest.mark.parametrize("module", ["../other/tool.ts", "/etc/passwd", "a/../../x.ts", "..\\other.ts", "", "."])
async def test_a_module_outside_of_its_gem_is_not_run(tmp_path: Path, module: str) -> None:
    gem = make_gem(tmp_path, tool=READ)
    async with real_sandbox(tmp_path) as sandbox:
        with program_log() as log, pytest.raises(NotochordError):
            await sandbox.call(guest_call(gem, module=module), MemoryHost())
        assert log.taken() or module == "."
        assert await sandbox.call(guest_call(gem, str(gem.code / "tool.ts")), MemoryHost()) == READ


async def test_a_home_that_is_reached_through_a_link_of_the_user_is_none_of_that(tmp_path: Path) -> None:
    """Some systems and stores redirect folders; only what lies inside of a gem is held against it."""
    (tmp_path / "real").mkdir()
    (tmp_path / "home").symlink_to(tmp_path / "real")
    home = tmp_path / "home"
    source = "export default () => Deno.readTextFileSync(new URL('note.txt', import.meta.url));"
    files = {"tools/greet.ts": source, "tools/note.txt": "own"}
    async with real_sandbox(home) as sandbox, platform(home / "org", guests=sandbox) as made:
        await made.service.install(PackageMaker(tmp_path / "packages").make(files=files))
        assert await made.service.call("greeter", "greet", {}, tmp_path, Cause("talk")) == "own"
