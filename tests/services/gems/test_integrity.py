"""The files of an installed gem are compared with what was installed before each use."""

import os
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.integrity import SETTLING, Inspection
from notochord.services.gems.manifest import FileRecord
from support.gems import FILES, PackageMaker, Platform, platform

CAUSE = Cause("talk", "main", "turn", "", "step")


def change_a_file(folder: Path) -> None:
    file = folder / "tools/greet.ts"
    file.chmod(0o644)
    file.write_text("export default () => evil;")
    file.chmod(0o444)


def change_in_place_with_old_times(folder: Path) -> None:
    file = folder / "tools/greet.ts"
    before = file.stat()
    file.chmod(0o644)
    file.write_text(FILES["tools/greet.ts"].replace("1", "2"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    file.chmod(0o444)


def add_a_file(folder: Path) -> None:
    (folder / "extra.ts").write_text("")


def remove_a_file(folder: Path) -> None:
    (folder / "tools/greet.ts").unlink()


def put_a_link(folder: Path) -> None:
    content = (folder / "tools/greet.ts").rename(folder.parent / "kept.ts")
    (folder / "tools/greet.ts").symlink_to(content)


def make_writable(folder: Path) -> None:
    (folder / "tools/greet.ts").chmod(0o666)


def change_the_manifest(folder: Path) -> None:
    file = folder / "notochord.json"
    file.chmod(0o644)
    file.write_text("{}")
    file.chmod(0o444)


def take_the_folder(folder: Path) -> None:
    folder.rename(folder.parent.parent / "away")


CHANGES = [
    change_a_file,
    change_in_place_with_old_times,
    add_a_file,
    remove_a_file,
    put_a_link,
    make_writable,
    change_the_manifest,
    take_the_folder,
]


@pytest.mark.req("PKG-076", "PKG-080", "PKG-081", "PKG-082")
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
async def test_a_gem_whose_files_changed_is_stopped_before_the_call(
    greeter: Platform, talk: Path, change: Callable[[Path], None]
) -> None:
    await greeter.service.call("greeter", "greet", {}, talk, CAUSE)
    change(greeter.folder.packages / "greeter" / "1.0.0")
    for _ in range(2):
        with pytest.raises(NotochordError) as caught:
            await greeter.service.call("greeter", "greet", {}, talk, CAUSE)
        assert caught.value.code is Code.FILES_CHANGED
    assert len(greeter.sandbox.calls) == 1
    assert greeter.sandbox.stopped[0] == "gem:greeter@1.0.0"
    assert (await greeter.service.get("greeter")).state == "E_FILES_CHANGED"


@pytest.mark.req("PKG-076", "PKG-081")
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_is_found_after_any_number_of_checks_that_only_looked_at_traces(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    inspection = settled(tmp_path / "greeter" / "1.0.0")
    for _ in range(3):
        inspection.check()
        assert inspection.is_quickly_sound()
    change(tmp_path / "greeter" / "1.0.0")
    assert not inspection.is_quickly_sound()
    with pytest.raises(NotochordError) as caught:
        inspection.check()
    assert caught.value.code is Code.FILES_CHANGED


def test_a_file_that_changed_just_now_is_read_again(tmp_path: Path) -> None:
    """Its next change could get the same time: nothing is skipped because it was looked at a moment ago."""
    inspection = Inspection(tmp_path / "a", gem_in(tmp_path / "a"))
    inspection.check()
    assert not inspection.is_quickly_sound()
    time.sleep(SETTLING / 1e9 + 0.05)
    inspection.check()
    assert inspection.is_quickly_sound()


def gem_in(folder: Path) -> dict[str, FileRecord]:
    """Write a small gem, read-only, and return its records."""
    contents = {"tools/greet.ts": FILES["tools/greet.ts"], "notochord.json": '{"id":"a"}'}
    for path, text in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
        (folder / path).chmod(0o444)
    return {path: FileRecord(sha256(text.encode()).hexdigest(), len(text)) for path, text in contents.items()}


def settled(folder: Path) -> Inspection:
    """Return an inspection that has seen its files a while after they were written."""
    inspection = Inspection(folder, gem_in(folder))
    time.sleep(SETTLING / 1e9 + 0.05)
    inspection.check()
    return inspection


@pytest.mark.req("PKG-075")
async def test_a_change_while_the_program_was_closed_is_found_at_the_first_use(
    tmp_path: Path, packages: PackageMaker, talk: Path
) -> None:
    async with platform(tmp_path / "org") as first:
        await first.service.install(packages.make())
    change_in_place_with_old_times(first.folder.packages / "greeter" / "1.0.0")
    async with platform(tmp_path / "org", vault=first.vault) as second:
        with pytest.raises(NotochordError) as caught:
            await second.service.call("greeter", "greet", {}, talk, CAUSE)
        assert caught.value.code is Code.FILES_CHANGED


@pytest.mark.req("PKG-083")
async def test_files_that_systems_leave_in_folders_change_nothing(greeter: Platform, talk: Path) -> None:
    folder = greeter.folder.packages / "greeter" / "1.0.0" / "tools"
    for name in (".DS_Store", "Thumbs.db", "desktop.ini"):
        (folder / name).write_bytes(b"left")
    await greeter.service.call("greeter", "greet", {}, talk, CAUSE)


async def test_a_reinstallation_repairs_a_changed_gem(greeter: Platform, packages: PackageMaker, talk: Path) -> None:
    change_a_file(greeter.folder.packages / "greeter" / "1.0.0")
    with pytest.raises(NotochordError):
        await greeter.service.call("greeter", "greet", {}, talk, CAUSE)
    await greeter.service.install(packages.make())
    await greeter.service.call("greeter", "greet", {}, talk, CAUSE)
    assert (await greeter.service.get("greeter")).state == "ready"
