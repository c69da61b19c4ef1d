"""Model files are copied whole or not at all, tell how far they are, and can be deleted."""

import asyncio
from pathlib import Path

import pytest

from notochord.adapters.local_models import folder as folder_module
from notochord.adapters.local_models.client import LocalModels
from notochord.adapters.local_models.folder import ModelFolder, catalogue
from notochord.core.codes import Code
from notochord.core.errors import NotochordError

NAME = catalogue()[0].name


@pytest.fixture
def models(tmp_path: Path) -> LocalModels:
    return LocalModels(folder=tmp_path / "models", command=("nothing",))


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A sound model file outside the folder."""
    return _own(tmp_path)


def _own(tmp_path: Path) -> Path:
    elsewhere = ModelFolder(tmp_path / "elsewhere")
    elsewhere.obtain(NAME)
    return (tmp_path / "elsewhere" / f"{NAME}.gguf").rename(tmp_path / "My model.gguf")


async def test_fetching_tells_how_far_it_is(models: LocalModels) -> None:
    told: list[float] = []
    await models.obtain(NAME, told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0


async def test_a_file_of_the_user_is_copied_and_stays_where_it_was(models: LocalModels, own: Path) -> None:
    added = await models.take_in(own)
    assert (added.name, added.here) == ("My model", True)
    assert own.exists()
    with pytest.raises(NotochordError) as again:
        await models.take_in(own)
    assert again.value.code is Code.FILE_EXISTS


async def test_a_file_that_is_no_model_is_refused(models: LocalModels, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.gguf"
    wrong.write_bytes(b"no model" * 100)
    with pytest.raises(NotochordError) as refused:
        await models.take_in(wrong)
    assert refused.value.code is Code.MODEL_FILE_DAMAGED
    assert not any(model.here for model in await models.catalogue())


async def test_copying_that_is_cancelled_leaves_nothing_behind(
    models: LocalModels, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_module, "CHUNK", 1024)
    begun = asyncio.Event()
    task = asyncio.create_task(models.take_in(own, lambda _: begun.set()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert list((tmp_path / "models").iterdir()) == []


async def test_a_deleted_file_is_gone_and_cannot_be_deleted_twice(models: LocalModels) -> None:
    await models.obtain(NAME)
    await models.discard(NAME)
    assert not any(model.here for model in await models.catalogue())
    for name in (NAME, "../models"):
        with pytest.raises(NotochordError) as refused:
            await models.discard(name)
        assert refused.value.code is Code.MODEL_UNKNOWN
