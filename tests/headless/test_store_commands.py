"""`notochord store`: the list, one gem, installing, updating, and where the list comes from, over a real store."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.services.store.api import SOURCE
from support.exchanges import KeptExchange
from support.front_bench import Bench, refused
from support.gems import STRANGER
from support.shelves import resource
from support.stores import ADDRESS, StoreBench, store_bench


@dataclass
class Shop:
    """A command line, and the server that it asks."""

    bench: Bench
    back: StoreBench

    async def give(self, *words: str, json: bool = False, language: str = "en") -> KeptExchange:
        return await self.bench.give("store", *words, to=KeptExchange(json=json, language=language))

    async def refused(self, *words: str) -> Code:
        return await refused(self.bench, "store", *words, to=KeptExchange())

    async def installed(self) -> dict[str, str]:
        return {gem.id: gem.version for gem in await self.back.gems.service.all()}


@pytest.fixture
async def shop(bench: Bench, tmp_path: Path) -> AsyncIterator[Shop]:
    async with store_bench(tmp_path / "shop") as back:
        bench.services = replace(bench.services, store=back.store, gems=back.gems.service)
        yield Shop(bench, back)


async def test_the_list_has_a_line_for_each_gem_and_a_script_gets_all_of_it(shop: Shop) -> None:
    assert (await shop.give("list")).out == "The store lists no gems.\n"
    shop.back.publish("1.0.0")
    assert (await shop.give("list")).out.split() == ["greeter", "1.0.0", "not", "installed", "Greeter"]
    [value] = (await shop.give("list", json=True)).values
    assert isinstance(value, dict)
    [gem] = value["gems"] if isinstance(value["gems"], list) else []
    assert isinstance(gem, dict)
    assert (gem["id"], gem["standing"], gem["publisher"]) == ("greeter", "available", "anna")
    assert (value["source"], value["failure"], value["left_out"]) == (ADDRESS, None, 0)


async def test_what_is_known_is_shown_offline_and_when_the_list_cannot_be_fetched(shop: Shop) -> None:
    shop.back.publish("1.0.0")
    await shop.give("list")
    asked = len(shop.back.server.asked)
    shop.back.server.down = True
    assert "greeter" in (await shop.give("list", "--offline")).out
    assert len(shop.back.server.asked) == asked
    failed = await shop.give("list")
    assert "greeter" in failed.out
    assert "E_NETWORK_UNREACHABLE" in failed.said[0]


async def test_an_entry_that_is_not_official_is_left_out_and_counted(shop: Shop) -> None:
    shop.back.publish("1.0.0", key=STRANGER)
    listed = await shop.give("list")
    assert listed.out == "The store lists no gems.\n"
    assert listed.said[0].startswith("One gem on the list was left out")


async def test_a_gem_is_shown_with_what_it_can_do_and_its_documents_printed(shop: Shop) -> None:
    network = {"hosts": ["api.example.com"], "reason": "Weather"}
    shop.back.publish("1.0.0", permissions={"network": network}, resources=[resource(description="A model")])
    shown = (await shop.give("show", "greeter")).out
    assert shown.startswith("Greeter 1.0.0 (greeter)\n")
    for part in ("api.example.com", "greet", "docs/README.en.md", "anna", "A model  112.3 KiB  files.example.com"):
        assert part in shown
    assert (await shop.give("show", "greeter", "--document", "docs/README.en.md")).out == "# Greeter\n\nGreets.\n"
    assert await shop.refused("show", "greeter", "--document", "docs/none.md") is Code.NOT_FOUND
    assert await shop.refused("show", "nobody") is Code.LISTING_UNKNOWN


@pytest.mark.req("GEM-010")
async def test_a_gem_is_installed_and_updated_in_one_command_each(shop: Shop) -> None:
    shop.back.publish("1.0.0")
    assert (await shop.give("install", "greeter")).out == "Greeter 1.0.0 is installed.\n"
    assert "up to date" in (await shop.give("update")).out
    shop.back.publish("1.1.0")
    told = (await shop.give("update", "--check")).out
    assert ("1.0.0" in told, "1.1.0" in told) == (True, True)
    assert await shop.installed() == {"greeter": "1.0.0"}
    [value] = (await shop.give("update", "greeter", json=True)).values
    assert isinstance(value, dict)
    assert len(value["updated"] if isinstance(value["updated"], list) else []) == 1
    assert await shop.installed() == {"greeter": "1.1.0"}
    assert await shop.refused("update", "nobody") is Code.GEM_UNKNOWN


async def test_a_package_that_is_not_what_the_list_says_is_not_installed(shop: Shop) -> None:
    shop.back.publish("1.0.0", change=lambda entry: entry.update(sha256="0" * 64))
    assert await shop.refused("install", "greeter") is Code.LISTING_MISMATCH
    assert await shop.installed() == {}


async def test_where_the_list_comes_from_is_told_changed_and_held_to_https(shop: Shop) -> None:
    assert ADDRESS in (await shop.give("source")).out
    await shop.give("source", "https://gems.example.com/index.json")
    assert shop.back.store.source() == "https://gems.example.com/index.json"
    assert await shop.refused("source", "http://gems.example.com/index.json") is Code.INPUT_INVALID
    assert shop.back.store.source() == "https://gems.example.com/index.json"
    [value] = (await shop.give("source", "none", json=True)).values
    assert value == {"source": ""}
    asked = len(shop.back.server.asked)
    await shop.give("list")
    assert len(shop.back.server.asked) == asked
    await shop.give("source", "default")
    assert shop.back.store.source() == SOURCE.default


async def test_a_person_is_answered_in_their_language(shop: Shop) -> None:
    shop.back.publish("1.0.0")
    assert "未安装" in (await shop.give("list", language="zh_CN")).out
