"""The folder that the SOPs of a gem work in when they start by themselves."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.api import GemRightsChanged
from support.file_services import workshop_in
from support.gems import FILES, SOP_FILE, PackageMaker, Platform, manifest, platform, sop
from support.vaults import MemoryVault

CRON = {"type": "cron", "expr": "0 8 * * *"}
MAIL = {"type": "event", "source": "email", "name": "onNewMessage"}


def package(packages: PackageMaker, trigger: dict[str, Any] | None, **changes: Any) -> Path:
    """Return a gem with one SOP."""
    entry = sop() if trigger is None else sop(trigger=trigger)
    return packages.make(manifest(workflows=[entry], **changes), {**FILES, **SOP_FILE})


async def refused(work: Any) -> tuple[Code, str]:
    with pytest.raises(NotochordError) as caught:
        await work
    return caught.value.code, str(caught.value.parameters.get("reason", ""))


@pytest.fixture
async def over_files(tmp_path: Path) -> AsyncIterator[Platform]:
    """The service over real files; below `desk` the user's home folder is `home`, the program's own `data`."""
    for name in ("home/notes", "home/.cache", "data"):
        (tmp_path / "desk" / name).mkdir(parents=True)
    async with workshop_in(tmp_path / "desk") as desk, platform(tmp_path / "org", files=desk.files) as made:
        yield made


@pytest.mark.req("PERM-115")
async def test_a_folder_is_chosen_for_one_gem_and_lasts(tmp_path: Path, packages: PackageMaker) -> None:
    vault, heard, place = MemoryVault(), [], tmp_path / "papers"
    place.mkdir()
    async with platform(tmp_path / "org", vault=vault) as made:
        made.bus.subscribe(GemRightsChanged, lambda event: heard.append(event.gem))
        for gem in ("greeter", "other"):
            await made.service.install(package(packages, CRON, id=gem))
        await made.service.grants.choose_working_folder("greeter", place)
    async with platform(tmp_path / "org", vault=vault) as made:
        grants = made.service.grants
        assert (await grants.rights("greeter")).working_folder == str(place)
        assert (await grants.rights("other")).working_folder == ""
        await grants.choose_working_folder("greeter", None)
        assert (await grants.rights("greeter")).working_folder == ""
    assert heard == ["greeter"]


@pytest.mark.req("PERM-116")
@pytest.mark.parametrize(("trigger", "alone"), [(CRON, True), (MAIL, True), (None, False)])
async def test_only_a_gem_whose_sops_start_by_themselves_gets_a_folder(
    greeter: Platform, packages: PackageMaker, tmp_path: Path, trigger: dict[str, Any] | None, alone: bool
) -> None:
    await greeter.service.install(package(packages, trigger, version="1.1.0"))
    rights = await greeter.service.grants.rights("greeter")
    assert (rights.works_alone, rights.working_folder) == (alone, "")
    work = greeter.service.grants.choose_working_folder("greeter", tmp_path)
    if alone:
        await work
    else:
        assert (await refused(work))[0] is Code.NOT_FOUND


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        pytest.param("/", "root", marks=pytest.mark.req("PERM-118")),
        pytest.param("home", "home", marks=pytest.mark.req("PERM-119")),
        pytest.param("home/..", "home", marks=pytest.mark.req("PERM-120")),
        pytest.param("data", "data", marks=pytest.mark.req("PERM-121")),
        pytest.param("/etc", "system", marks=pytest.mark.req("PERM-122")),
        pytest.param("/opt", "system", marks=pytest.mark.req("PERM-123")),
        pytest.param("home/.cache", "hidden", marks=pytest.mark.req("PERM-124")),
        ("gone", "missing"),
    ],
)
async def test_what_no_chat_may_be_held_about_is_no_working_folder_either(
    over_files: Platform, packages: PackageMaker, tmp_path: Path, place: str, reason: str
) -> None:
    grants, notes = over_files.service.grants, tmp_path / "desk/home/notes"
    await over_files.service.install(package(packages, CRON))
    found = await refused(grants.choose_working_folder("greeter", tmp_path / "desk" / place))
    assert found == (Code.FOLDER_REFUSED, reason)
    assert (await grants.rights("greeter")).working_folder == ""
    await grants.choose_working_folder("greeter", notes)
    assert (await grants.rights("greeter")).working_folder == str(notes.resolve())


async def test_an_upgrade_keeps_the_folder_until_nothing_starts_by_itself(
    greeter: Platform, packages: PackageMaker, tmp_path: Path
) -> None:
    async def after(trigger: dict[str, Any] | None, version: str) -> str:
        await greeter.service.install(package(packages, trigger, version=version))
        return (await greeter.service.grants.rights("greeter")).working_folder

    await after(CRON, "1.1.0")
    await greeter.service.grants.choose_working_folder("greeter", tmp_path)
    assert await after(MAIL, "1.2.0") == str(tmp_path)
    assert await after(None, "1.3.0") == ""
    assert await after(CRON, "1.4.0") == ""


async def test_a_gem_that_is_removed_leaves_no_folder_to_the_next_of_its_id(
    over_files: Platform, packages: PackageMaker, tmp_path: Path
) -> None:
    place = tmp_path / "desk/home/papers"
    place.mkdir()
    for expected in ("", ""):
        await over_files.service.install(package(packages, CRON))
        assert (await over_files.service.grants.rights("greeter")).working_folder == expected
        await over_files.service.grants.choose_working_folder("greeter", place)
        await over_files.service.remove("greeter")


async def test_a_folder_that_is_gone_or_leads_elsewhere_is_told_of(
    over_files: Platform, packages: PackageMaker, tmp_path: Path
) -> None:
    grants, place = over_files.service.grants, tmp_path / "desk/home/papers"
    await over_files.service.install(package(packages, CRON))
    assert not await grants.working_folder_lost("greeter")
    place.mkdir()
    await grants.choose_working_folder("greeter", place)
    assert not await grants.working_folder_lost("greeter")
    place.rename(tmp_path / "desk/home/moved")
    assert await grants.working_folder_lost("greeter")
    place.symlink_to(tmp_path / "desk/home/moved")
    assert await grants.working_folder_lost("greeter")
