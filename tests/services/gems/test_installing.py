"""Installing, upgrading, reinstalling and removing: what is checked, what stays, what goes."""

import asyncio
import errno
import json
import os
from pathlib import Path

import pytest

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.gems.api import GemInstalled, GemRemoved, Trust
from notochord.services.gems.component import COMPONENT
from notochord.services.gems.tables import METADATA
from support.drafts import draft_manifest, written_draft
from support.gems import DEVELOPER, OFFICIAL, STRANGER, PackageMaker, Platform, manifest, platform
from support.schemas import assert_same_schema
from support.workshops import made_workshop

GEM = Caller(Actor.GEM, "greeter", Cause("talk"))


async def refusal(notochord: Platform, package: Path, *, allow_unsigned: bool = True) -> NotochordError:
    with pytest.raises(NotochordError) as caught:
        await notochord.service.install(package, allow_unsigned=allow_unsigned)
    return caught.value


def test_the_described_tables_are_the_migrated_ones() -> None:
    assert_same_schema(METADATA, (COMPONENT,))


@pytest.mark.req("GEM-001", "PKG-004", "PKG-068", "PERM-007")
async def test_a_signed_package_is_installed_without_a_question(notochord: Platform, packages: PackageMaker) -> None:
    told: list[GemInstalled] = []
    notochord.bus.subscribe(GemInstalled, told.append)
    gem = await notochord.service.install(packages.make())
    assert (gem.id, gem.version, gem.trust, gem.state) == ("greeter", "1.0.0", Trust.OFFICIAL, "ready")
    assert await notochord.service.all() == (gem,)
    assert told == [GemInstalled("greeter", "1.0.0")]


@pytest.mark.req("GEM-013", "DATA-473")
async def test_an_installed_gem_has_a_data_folder_of_its_own(notochord: Platform, packages: PackageMaker) -> None:
    await notochord.service.install(packages.make())
    assert (notochord.folder.gem_store("greeter") / "data.db").is_file()
    assert set(notochord.vault.keys) == {"gem:greeter"}


@pytest.mark.req("PERM-009", "PERM-010", "PKG-088")
async def test_after_a_restart_the_gem_is_what_its_record_says(tmp_path: Path, packages: PackageMaker) -> None:
    async with platform(tmp_path / "org") as first:
        before = await first.service.install(packages.make())
    async with platform(tmp_path / "org", vault=first.vault) as second:
        assert await second.service.all() == (before,)


@pytest.mark.req("PKG-072", "PKG-073", "PKG-074")
async def test_an_unsigned_package_is_installed_only_where_that_is_allowed(
    notochord: Platform, packages: PackageMaker
) -> None:
    package = packages.make(key=None)
    assert (await refusal(notochord, package, allow_unsigned=False)).code is Code.UNSIGNED
    assert await notochord.service.all() == ()
    assert (await notochord.service.install(package, allow_unsigned=True)).trust is Trust.UNSIGNED


@pytest.mark.req("PKG-047", "PKG-066", "PKG-070", "APP-038")
async def test_each_outcome_of_a_signature_has_a_state_of_its_own(notochord: Platform, packages: PackageMaker) -> None:
    assert (await notochord.service.check(packages.make(key=OFFICIAL))).trust is Trust.OFFICIAL
    assert (await notochord.service.check(packages.make(key=DEVELOPER))).trust is Trust.DEVELOPER
    assert (await notochord.service.check(packages.make(key=None))).trust is Trust.UNSIGNED
    assert (await notochord.service.check(packages.make(key=STRANGER))).trust is Trust.UNKNOWN_KEY
    assert (await refusal(notochord, packages.make(key=STRANGER), allow_unsigned=False)).code is Code.UNKNOWN_KEY


async def test_less_trust_never_replaces_more(notochord: Platform, packages: PackageMaker) -> None:
    await notochord.service.install(packages.make(key=OFFICIAL))
    for key in (DEVELOPER, None):
        newer = packages.make(manifest(version="2.0.0"), key=key)
        assert (await refusal(notochord, newer)).code is Code.TRUST_LOWER
    assert (await notochord.service.get("greeter")).version == "1.0.0"


async def test_a_developer_cannot_replace_the_gem_of_another(notochord: Platform, packages: PackageMaker) -> None:
    await notochord.service.install(packages.make(key=DEVELOPER))
    other = manifest(version="2.0.0", author={"name": "Eve", "publisherId": "eve"})
    assert (await refusal(notochord, packages.make(other, key=DEVELOPER))).code is Code.PUBLISHER_MISMATCH


@pytest.mark.req("PKG-027")
@pytest.mark.parametrize("older", ["0.9.9", "1.0.0-rc.1"])
async def test_an_older_version_is_refused(notochord: Platform, packages: PackageMaker, older: str) -> None:
    await notochord.service.install(packages.make())
    assert (await refusal(notochord, packages.make(manifest(version=older)))).code is Code.VERSION_OLDER


@pytest.mark.req("PKG-028", "PKG-029", "PKG-052")
@pytest.mark.parametrize("version", ["1.0.0", "1.1.0"])
async def test_a_reinstallation_or_upgrade_replaces_the_files_and_keeps_the_data(
    notochord: Platform, packages: PackageMaker, version: str
) -> None:
    await notochord.service.install(packages.make())
    await (await notochord.service.data("greeter")).kv_set("cursor", "7", GEM)
    await notochord.service.install(packages.make(manifest(version=version), {"tools/greet.ts": "export default 2;"}))
    await notochord.service.call("greeter", "greet", {}, notochord.folder.folder, Cause("talk"))
    code = notochord.sandbox.calls[-1].context.instance.code
    assert (code / "tools/greet.ts").read_text() == "export default 2;"
    assert [folder.name for folder in code.parent.iterdir()] == [code.name]
    assert await (await notochord.service.data("greeter")).kv_get("cursor") == "7"


async def test_an_upgrade_ends_the_processes_of_the_old_version(notochord: Platform, packages: PackageMaker) -> None:
    await notochord.service.install(packages.make())
    await notochord.service.install(packages.make(manifest(version="1.1.0")))
    assert notochord.sandbox.stopped == ["gem:greeter@1.0.0"]


@pytest.mark.req("DATA-490", "DATA-491", "PERM-143", "PERM-144")
async def test_removal_takes_code_data_and_key_with_it(notochord: Platform, packages: PackageMaker) -> None:
    told: list[GemRemoved] = []
    notochord.bus.subscribe(GemRemoved, told.append)
    await notochord.service.install(packages.make())
    await notochord.service.remove("greeter")
    assert not notochord.folder.gem_store("greeter").exists()
    assert not (notochord.folder.packages / "greeter").exists()
    assert (notochord.vault.keys, await notochord.service.all()) == ({}, ())
    assert told == [GemRemoved("greeter")]


@pytest.mark.req("PERM-085")
async def test_removal_leaves_the_results_in_conversations(
    notochord: Platform, packages: PackageMaker, tmp_path: Path
) -> None:
    await notochord.service.install(packages.make())
    result = tmp_path / "talk" / "runs" / "greet-1" / "report.md"
    result.parent.mkdir(parents=True)
    result.write_text("kept")
    await notochord.service.remove("greeter")
    assert result.read_text() == "kept"


@pytest.mark.req("PKG-015", "PKG-060")
async def test_a_failed_first_installation_leaves_nothing_and_tells_its_own_reason(
    notochord: Platform, packages: PackageMaker
) -> None:
    folder = notochord.folder.gem_store("greeter")
    folder.mkdir(parents=True)
    (folder / "data.db").write_bytes(b"not a database, but long enough to be looked at" * 100)
    assert (await refusal(notochord, packages.make())).code is Code.STORE_UNREADABLE
    assert not folder.exists()
    assert await notochord.service.all() == ()
    assert not (notochord.folder.packages / "greeter" / "1.0.0").exists()
    await notochord.service.install(packages.make())


@pytest.mark.req("PKG-055", "PKG-057", "PKG-058", "PKG-059")
@pytest.mark.parametrize("version", ["1.0.0", "1.1.0"])
async def test_a_failed_activation_keeps_the_old_version_running(
    tmp_path: Path, packages: PackageMaker, version: str
) -> None:
    async with platform(tmp_path / "org") as first:
        await first.service.install(packages.make())
    store = first.folder.gem_store("greeter") / "data.db"
    sound = store.read_bytes()
    store.write_bytes(b"damaged" * 1000)
    async with platform(tmp_path / "org", vault=first.vault) as second:
        failure = await refusal(second, packages.make(manifest(version=version)))
        assert failure.code is Code.ACTIVATION_FAILED
        assert "E_STORE_UNREADABLE" in failure.detail
        store.write_bytes(sound)
        assert (await second.service.get("greeter")).version == "1.0.0"
        await second.service.call("greeter", "greet", {}, tmp_path, Cause("talk"))
        assert [item.name for item in (second.folder.packages / "greeter").iterdir()] == ["1.0.0"]


async def test_a_missing_package_is_named(notochord: Platform, tmp_path: Path) -> None:
    failure = await refusal(notochord, tmp_path / "none.gem")
    assert failure.code is Code.FILE_MISSING
    assert "none.gem" in failure.detail


async def test_nothing_is_left_in_the_scratch_folder(notochord: Platform, packages: PackageMaker) -> None:
    await notochord.service.install(packages.make())
    await notochord.service.check(packages.make())
    await refusal(notochord, packages.make(manifest(version="0.1.0")))
    assert list((notochord.folder.packages / ".scratch").iterdir()) == []


@pytest.mark.req("PKG-005", "PKG-006", "PKG-007")
async def test_the_packed_manifest_lists_every_other_file(packages: PackageMaker, notochord: Platform) -> None:
    await notochord.service.install(packages.make())
    installed = notochord.folder.packages / "greeter" / "1.0.0" / "notochord.json"
    content = json.loads(installed.read_text())
    assert content["agents"] == []
    assert set(content["integrity"]["files"]) == {"tools/greet.ts"}


class Trouble:
    """Raises what the system says of a disk at one boundary of an installation, once it is armed."""

    def __init__(self, number: int = errno.ENOSPC) -> None:
        self.at = ""
        self._number = number

    def __call__(self, name: str) -> None:
        if name == self.at:
            raise OSError(self._number, os.strerror(self._number))


@pytest.mark.parametrize("boundary", ["begun", "placed", "activated"])
async def test_a_full_disk_at_a_first_installation_leaves_nothing(
    tmp_path: Path, packages: PackageMaker, boundary: str
) -> None:
    trouble = Trouble()
    async with platform(tmp_path / "org", boundary=trouble) as notochord:
        trouble.at = boundary
        assert (await refusal(notochord, packages.make())).code is Code.DISK_FULL
        assert (await notochord.service.all(), notochord.vault.keys) == ((), {})
        assert not notochord.folder.gem_store("greeter").exists()
        assert not (notochord.folder.packages / "greeter" / "1.0.0").exists()
        trouble.at = ""
        await notochord.service.install(packages.make())


@pytest.mark.parametrize("boundary", ["placed", "activated"])
async def test_a_full_disk_at_an_upgrade_keeps_the_old_version(
    tmp_path: Path, packages: PackageMaker, boundary: str
) -> None:
    trouble = Trouble()
    async with platform(tmp_path / "org", boundary=trouble) as notochord:
        await notochord.service.install(packages.make())
        trouble.at = boundary
        assert (await refusal(notochord, packages.make(manifest(version="2.0.0")))).code is Code.DISK_FULL
        await notochord.service.call("greeter", "greet", {}, tmp_path, Cause("talk"))
        assert (await notochord.service.get("greeter")).version == "1.0.0"
        assert [item.name for item in (notochord.folder.packages / "greeter").iterdir()] == ["1.0.0"]


@pytest.mark.parametrize("boundary", ["begun", "placed", "activated"])
async def test_a_disk_that_cannot_be_written_ends_with_a_reason_and_leaves_nothing(
    tmp_path: Path, packages: PackageMaker, boundary: str
) -> None:
    """Known fault Q5."""
    trouble = Trouble(errno.EROFS)
    async with platform(tmp_path / "org", boundary=trouble) as notochord:
        trouble.at = boundary
        failure = await refusal(notochord, packages.make())
        assert (failure.code, failure.detail) == (Code.DISK_IO, os.strerror(errno.EROFS))
        assert (await notochord.service.all(), notochord.vault.keys) == ((), {})


async def test_a_gem_is_installed_and_called_below_a_folder_that_is_a_link_of_the_user(
    tmp_path: Path, packages: PackageMaker
) -> None:
    """Known fault Q7."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "home").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    async with platform(tmp_path / "home/org") as notochord:
        await notochord.service.install(packages.make())
        found = await notochord.service.call("greeter", "greet", {}, tmp_path, Cause("talk"))
        await notochord.service.remove("greeter")
    assert found == {"input": {}}


async def test_an_installation_cancelled_at_any_moment_happened_or_did_not(
    notochord: Platform, packages: PackageMaker, tmp_path: Path
) -> None:
    await notochord.service.install(packages.make())
    newer = packages.make(manifest(version="2.0.0"))
    for turns in (0, 1, 2, 3, 5, 8, 13, 40):
        task = asyncio.create_task(notochord.service.install(newer))
        for _ in range(turns):
            await asyncio.sleep(0.002)
        task.cancel()
        await asyncio.wait([task])
        await notochord.service.call("greeter", "greet", {}, tmp_path, Cause("talk"))
    assert (await notochord.service.install(newer)).version == "2.0.0"


async def test_two_installations_at_once_end_with_one_gem(notochord: Platform, packages: PackageMaker) -> None:
    versions = ["1.0.0", "1.1.0", "1.2.0"]
    made = [packages.make(manifest(version=version)) for version in versions]
    await asyncio.gather(*(notochord.service.install(package) for package in made), return_exceptions=True)
    (gem,) = await notochord.service.all()
    assert gem.version == "1.2.0"
    assert [item.name for item in (notochord.folder.packages / "greeter").iterdir()] == ["1.2.0"]


def asking(version: str, *slots: str) -> dict[str, object]:
    """Return a manifest that asks for accounts."""
    connections = [{"id": slot, "reason": "Your customers"} for slot in slots]
    return manifest(version=version, permissions={"connections": connections})


@pytest.mark.req("PKG-030", "PERM-014", "PERM-015")
async def test_what_the_user_chose_stays_and_what_is_new_or_comes_back_is_off(
    notochord: Platform, packages: PackageMaker
) -> None:
    await notochord.service.install(packages.make(asking("1.0.0", "crm", "mail")))
    await notochord.service.choose_connection("greeter", "crm", "account-1")
    await notochord.service.choose_connection("greeter", "mail", "account-2")

    async def chosen() -> dict[str, str | None]:
        return {slot: await notochord.service._records.connection("greeter", slot) for slot in ("crm", "mail", "new")}

    await notochord.service.install(packages.make(asking("1.0.0", "crm", "mail")))
    assert await chosen() == {"crm": "account-1", "mail": "account-2", "new": None}
    await notochord.service.install(packages.make(asking("1.1.0", "crm", "new")))
    assert await chosen() == {"crm": "account-1", "mail": None, "new": None}
    await notochord.service.install(packages.make(asking("1.2.0", "crm", "mail")))
    assert await chosen() == {"crm": "account-1", "mail": None, "new": None}


async def test_a_failed_upgrade_takes_back_no_choice(
    notochord: Platform, packages: PackageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    await notochord.service.install(packages.make(asking("1.0.0", "crm")))
    await notochord.service.choose_connection("greeter", "crm", "account-1")

    async def locked(*_: object, **__: object) -> None:
        raise NotochordError(Code.KEYCHAIN_LOCKED, Fault.SYSTEM, "locked")

    monkeypatch.setattr(notochord.data, "prepare", locked)
    assert (await refusal(notochord, packages.make(asking("2.0.0")))).code is Code.ACTIVATION_FAILED
    assert await notochord.service._records.connection("greeter", "crm") == "account-1"


@pytest.mark.req("PKG-036", "PKG-073", "STUDIO-053", "STUDIO-054")
async def test_a_packed_draft_goes_through_the_same_checks_and_upgrades_as_any_package(
    notochord: Platform, tmp_path: Path
) -> None:
    workshop, versions = made_workshop(), []
    for version in ("1.0.0", "1.1.0", "1.1.0"):
        draft = written_draft(tmp_path / version, draft_manifest(version=version))
        packed = await workshop.pack(draft, tmp_path / f"{version}.gem")
        gem = await notochord.service.install(packed.package, allow_unsigned=True)
        versions.append((gem.version, gem.trust))
    assert versions == [("1.0.0", Trust.UNSIGNED), ("1.1.0", Trust.UNSIGNED), ("1.1.0", Trust.UNSIGNED)]
    assert (await refusal(notochord, tmp_path / "1.0.0.gem")).code is Code.VERSION_OLDER
