"""The page of the store, without Qt."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.viewmodels.settings.pane import READY
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from notochord.viewmodels.store.model import StoreModel
from notochord.viewmodels.store.prompts import prompt_in
from notochord.viewmodels.store.updates import StoreUpdates
from support.eventually import until
from support.stores import StoreBench, store_bench


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[StoreBench]:
    async with store_bench(tmp_path) as made:
        yield made


@pytest.fixture
async def model(shop: StoreBench) -> AsyncIterator[StoreModel]:
    shop.publish("1.0.0")
    navigation = Navigation(Place(Page.STORE))
    made = StoreModel(store=shop.store, events=shop.gems.bus, navigation=navigation, language="en")
    await made.start()
    yield made
    await made.close()


async def test_the_list_is_shown_and_searched(model: StoreModel) -> None:
    assert model.state.value == READY
    assert [row.id for row in model.rows] == ["greeter"]
    model.search("greet ANNA")
    assert len(model.rows) == 1
    model.search("nothing")
    assert (len(model.rows), model.empty.value) == (0, False)


@pytest.mark.req("GEMUI-009")
async def test_the_page_of_a_gem_opens_once_it_is_installed(model: StoreModel) -> None:
    model.install("greeter")
    await until(lambda: model._navigation.place.value == Place(Page.GEM, "greeter"))
    assert model.work.value == {}


async def test_a_failed_installation_is_told_and_the_page_stays(shop: StoreBench, model: StoreModel) -> None:
    shop.server.down = True
    model.install("greeter")
    await until(lambda: "greeter" in model.failures.value)
    assert model._navigation.place.value == Place(Page.STORE)


async def test_updates_are_told_to_home(shop: StoreBench, model: StoreModel) -> None:
    await shop.store.install("greeter")
    told: list[dict[str, str]] = []
    updates = StoreUpdates(
        store=shop.store, events=shop.gems.bus, clock=shop.clock, tell=lambda found: told.append(dict(found))
    )
    await updates.start()
    shop.publish("1.1.0")
    await shop.store.refresh()
    await until(lambda: told[-1] == {"greeter": "1.1.0"})
    await updates.close()


@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        ("A note.\n\n```\nSay *this*\n```\n", "Say *this*"),
        ("A note.\n\n> Say\n> this", "Say\nthis"),
        ("# Hi\nSay", "Say"),
    ],
)
def test_what_is_said_is_found_in_a_prompts_document(text: str, prompt: str) -> None:
    assert prompt_in(text) == prompt
