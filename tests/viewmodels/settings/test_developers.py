"""Trusted developers in the settings, over the gems service on a real store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.signatures import TrustedKeys, key_id
from notochord.viewmodels.settings.developers import DevelopersModel
from notochord.viewmodels.settings.pane import Pane
from support.eventually import until
from support.gems import DEVELOPER, OFFICIAL, PackageMaker, Platform, manifest, platform, public

KEY = bytes(DEVELOPER.verify_key)


@pytest.fixture
async def notochord(tmp_path: Path) -> AsyncIterator[Platform]:
    async with platform(tmp_path / "org", keys=TrustedKeys(official=public(OFFICIAL))) as made:
        yield made


@pytest.fixture
async def model(notochord: Platform) -> AsyncIterator[DevelopersModel]:
    service = notochord.service
    made = DevelopersModel(developers=service.developers, dossiers=service.dossiers, events=notochord.bus)
    await made.start()
    yield made
    await made.close()


@pytest.mark.req("PKG-070")
async def test_a_key_is_added_shown_with_the_gems_that_it_signed_and_removed(
    notochord: Platform, model: DevelopersModel, tmp_path: Path
) -> None:
    assert (list(model.rows), model.state.value.pane) == ([], Pane.READY)
    await model.add(KEY.hex(), "anna", "")
    package = PackageMaker(tmp_path / "packages").make(manifest(), key=DEVELOPER)
    await notochord.service.install(package)
    await until(lambda: [row.gems for row in model.rows] == [("greeter",)])
    (row,) = model.rows
    assert (row.key, row.publisher, row.prefix) == (key_id(KEY), "anna", "")
    await model.remove(row)
    assert list(model.rows) == []


async def test_one_of_two_entries_of_a_key_is_removed(model: DevelopersModel) -> None:
    for prefix in ("", "org.anna"):
        await model.add(KEY.hex(), "anna", prefix)
    await model.remove(model.rows[1])
    assert [row.prefix for row in model.rows] == [""]


async def test_what_is_no_key_is_refused_and_nothing_changes(model: DevelopersModel) -> None:
    with pytest.raises(NotochordError) as refused:
        await model.add("12 34", "anna", "")
    assert (refused.value.code, list(model.rows)) == (Code.INPUT_INVALID, [])


async def test_what_the_command_line_adds_is_seen(notochord: Platform, model: DevelopersModel) -> None:
    await notochord.service.developers.add(KEY.hex(), "anna")
    await until(lambda: len(model.rows) == 1)
