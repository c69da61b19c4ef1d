"""The store as its user meets it: the list, installing, updating, repairing, and all of it without a network."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Actor, Caller
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.paths import shipped
from notochord.services.data.api import Insert, Query
from notochord.services.gems.api import DocumentKind, Gem, GemInstalled, Standing
from notochord.services.gems.signatures import TrustedKeys
from notochord.services.store.api import SOURCE
from notochord.services.store.making import make_index
from support.gems import PackageMaker, sop
from support.shelves import CONTENT, resource
from support.stores import ADDRESS, StoreBench, store_bench

NETWORK = {"network": {"hosts": ["api.example.com"], "reason": "Asks the weather service."}}
NOTES = {"collections": {"notes": {"kind": "table", "version": 1, "fields": {"title": {"type": "string"}}}}}
DAILY = {"type": "cron", "expr": "0 8 * * *"}
MAIL = {"type": "event", "source": "email", "name": "onNewMessage"}

USER = Caller(Actor.USER)


async def kept(shop: StoreBench) -> int:
    store = await shop.gems.service.data("greeter")
    return await store.records.count(Query("notes"))


@pytest.mark.req("GEM-010", "GEMUI-006", "GEMUI-010")
async def test_a_gem_of_the_list_is_installed_in_one_step(shop: StoreBench) -> None:
    shop.publish("1.0.0")
    await shop.store.refresh()
    heard: list[object] = []
    shop.gems.bus.subscribe(GemInstalled, heard.append)
    steps: list[tuple[int, int]] = []
    gem = await shop.store.install("greeter", arrived=lambda here, whole: steps.append((here, whole)))
    assert (gem.id, gem.version, gem.trust) == ("greeter", "1.0.0", "official")
    assert heard == [GemInstalled("greeter", "1.0.0")]
    assert steps[-1][0] == steps[-1][1]
    assert (await shop.store.get("greeter")).standing is Standing.INSTALLED
    assert not any((shop.gems.folder.store_list / "arriving").iterdir())


@pytest.mark.req("GEMUI-007", "GEMUI-008")
async def test_the_list_tells_who_made_a_gem_and_what_it_can_do(shop: StoreBench) -> None:
    shop.publish("1.0.0", permissions=NETWORK)
    await shop.store.refresh()
    found = await shop.store.get("greeter")
    assert found.dossier.publisher == "anna"
    assert found.dossier.gem.hosts == ("api.example.com",)
    assert found.dossier.network_reason == "Asks the weather service."
    assert [tool.name for tool in found.dossier.gem.tools] == ["greet"]


@pytest.mark.req("PERM-008")
async def test_the_list_tells_what_a_gem_would_download_before_it_is_installed(shop: StoreBench) -> None:
    shop.publish("1.0.0", resources=[resource(description="A model")])
    await shop.store.refresh()
    [file] = (await shop.store.get("greeter")).dossier.files
    assert (file.description, file.size, file.hosts) == ("A model", len(CONTENT), ("files.example.com",))


@pytest.mark.req("DOCS-001", "DOCS-002")
async def test_documents_are_there_before_the_gem_is(shop: StoreBench) -> None:
    shop.publish("1.0.0")
    await shop.store.refresh()
    found = await shop.store.get("greeter")
    assert {(one.kind, one.language) for one in found.dossier.documents} == {
        (DocumentKind.README, "en"), (DocumentKind.README, "zh-CN"), (DocumentKind.PROMPT, "en")
    }  # fmt: skip
    assert await shop.store.document("greeter", "docs/README.zh-CN.md") == "# 问候\n"
    with pytest.raises(NotochordError) as refused:
        await shop.store.document("greeter", "docs/../notochord.json")
    assert refused.value.code is Code.NOT_FOUND


async def test_the_last_list_is_there_without_a_network(shop: StoreBench) -> None:
    shop.publish("1.0.0")
    await shop.store.refresh()
    shop.server.down = True
    later = shop.restarted()
    found = await later.refresh()
    assert [one.dossier.gem.id for one in found.gems] == ["greeter"]
    assert found.failure is not None
    assert found.failure.code is Code.NETWORK_UNREACHABLE
    assert found.came_at == shop.clock.milliseconds()
    assert await later.document("greeter", "docs/README.en.md")


async def test_a_list_of_another_source_is_not_taken_for_this_one(shop: StoreBench) -> None:
    shop.publish("1.0.0")
    await shop.store.refresh()
    await shop.store.change_source("https://other.example.com/index.json")
    assert (await shop.store.known()).gems == ()
    assert (await shop.restarted().known()).gems == ()


async def test_a_damaged_list_on_the_disk_is_no_list(shop: StoreBench) -> None:
    shop.publish("1.0.0")
    await shop.store.refresh()
    file = shop.gems.folder.store_list / "list.json"
    await asyncio.to_thread(file.write_bytes, file.read_bytes()[:-9])
    found = await shop.restarted().known()
    assert (found.gems, found.came_at) == ((), 0)


async def test_the_address_of_the_list_is_not_on_the_disk_in_the_clear(shop: StoreBench) -> None:
    shop.publish("1.0.0")
    await shop.store.refresh()
    for file in shop.gems.folder.store_list.glob("*.json"):
        assert b"store.example.com" not in await asyncio.to_thread(file.read_bytes)


async def test_without_a_source_nobody_is_asked(shop: StoreBench) -> None:
    await shop.store.change_source("")
    found = await shop.store.refresh()
    assert (found.gems, found.failure, shop.server.asked) == ((), None, [])


@pytest.mark.req("APP-030")
def test_the_list_comes_from_the_published_index_unless_told_otherwise() -> None:
    assert SOURCE.default == "https://download.notochord.ai/gems/index.json"


@pytest.mark.parametrize(
    "address",
    ["http://store.example.com/", "ftp://x/", "store", "https://a b/", "https://me:pw@x.example.com/", "https://é/"],
)
async def test_the_list_comes_from_https_addresses_only(shop: StoreBench, address: str) -> None:
    with pytest.raises(NotochordError) as refused:
        await shop.store.change_source(address)
    assert refused.value.code is Code.INPUT_INVALID
    assert shop.store.source() == ADDRESS


async def test_a_later_version_is_an_update_which_keeps_data(shop: StoreBench) -> None:
    shop.publish("1.0.0", data=NOTES)
    await shop.store.refresh()
    await shop.store.install("greeter")
    store = await shop.gems.service.data("greeter")
    await store.records.insert(Insert("notes", {"title": "kept"}), USER)
    shop.publish("1.0.0", "1.1.0", data=NOTES)
    assert await shop.store.updates() == {}
    await shop.store.refresh()
    assert await shop.store.updates() == {"greeter": "1.1.0"}
    assert (await shop.store.install("greeter")).version == "1.1.0"
    assert await kept(shop) == 1
    assert await shop.store.updates() == {}


@pytest.mark.req("SOP-150", "SOP-151")
@pytest.mark.parametrize(
    ("before", "after", "more"),
    [
        ({}, {}, False),
        ({"workflows": [sop()]}, {"workflows": [sop(trigger=DAILY)]}, True),
        ({"workflows": [sop()]}, {"workflows": [sop(trigger=MAIL)]}, True),
        ({"workflows": [sop(trigger=MAIL)]}, {"workflows": [sop(trigger=MAIL), sop("more", trigger=DAILY)]}, True),
        ({"workflows": [sop(trigger=DAILY)]}, {"workflows": [sop(trigger={**DAILY, "expr": "0 9 * * *"})]}, False),
        ({"workflows": [sop(trigger=MAIL)]}, {"workflows": [sop(), sop("more")]}, False),
        ({}, {"permissions": NETWORK}, True),
        ({"permissions": NETWORK}, {}, False),
        ({}, {"permissions": {"email": {"read": True}}}, True),
        ({}, {"permissions": {"knowledge": {"permissions": ["facts.read:self:location.city"]}}}, True),
    ],
)
async def test_an_update_that_asks_for_more_is_told_as_one(
    shop: StoreBench, before: dict[str, Any], after: dict[str, Any], more: bool
) -> None:
    shop.publish("1.0.0", **before)
    await shop.store.refresh()
    await shop.store.install("greeter")
    assert not (await shop.store.get("greeter")).asks_more
    shop.publish("1.1.0", **after)
    await shop.store.refresh()
    assert (await shop.store.get("greeter")).asks_more is await shop.store.asks_more("greeter") is more
    await shop.store.install("greeter")
    assert not await shop.store.asks_more("greeter")


@pytest.mark.req("PKG-085", "PKG-086", "PKG-087")
async def test_downloading_again_repairs_the_files_and_keeps_data_and_settings(shop: StoreBench) -> None:
    permissions = {"knowledge": {"permissions": ["facts.read:self:location.city"], "reason": "To greet."}}
    shop.publish("1.0.0", data=NOTES, permissions=permissions)
    await shop.store.refresh()
    await shop.store.install("greeter")
    await (await shop.gems.service.data("greeter")).records.insert(Insert("notes", {"title": "kept"}), USER)
    await shop.gems.service.grants.allow_knowledge("greeter", "facts.read:self:location.city", allowed=True)
    file = shop.gems.folder.packages / "greeter" / "1.0.0" / "tools" / "greet.ts"
    await asyncio.to_thread(_tamper, file)
    assert (await shop.gems.service.dossiers.verify("greeter")).gem.state == Code.FILES_CHANGED
    assert await shop.store.available("greeter")
    await shop.store.repair("greeter")
    assert (await shop.gems.service.dossiers.verify("greeter")).gem.state == "ready"
    assert await kept(shop) == 1
    assert (await shop.gems.service.grants.rights("greeter")).knowledge[0].allowed


def _tamper(file: Path) -> None:
    file.chmod(0o644)
    file.write_text("export default () => 2;\n")


async def test_a_gem_that_is_not_official_here_is_not_downloaded_over(shop: StoreBench) -> None:
    shop.publish("1.0.0")
    await shop.store.refresh()
    assert not await shop.store.available("greeter")
    await shop.gems.service.install(shop.packages.make(key=None), allow_unsigned=True)
    assert not await shop.store.available("greeter")


@pytest.mark.req("GEMUI-014")
async def test_a_fresh_gem_is_allowed_nothing(shop: StoreBench) -> None:
    permissions = {
        "knowledge": {"permissions": ["facts.read:self:location.city"], "reason": "To greet."},
        "connections": [{"id": "weather", "reason": "To ask."}],
        "email": {"read": True},
        **NETWORK,
    }
    shop.publish("1.0.0", permissions=permissions)
    await shop.store.refresh()
    await shop.store.install("greeter")
    found = await shop.gems.service.dossiers.get("greeter")
    assert not any(right.allowed for right in found.rights.knowledge)
    assert (found.rights.mailboxes, found.rights.every_mailbox) == ((), False)
    assert [one.account for one in found.accounts] == [""]


async def test_cancelling_a_download_leaves_nothing(shop: StoreBench) -> None:
    shop.publish("1.0.0")
    await shop.store.refresh()
    tasks: list[asyncio.Task[Gem]] = []

    def arrived(_: int, __: int) -> None:
        tasks[0].cancel()

    tasks.append(asyncio.create_task(shop.store.install("greeter", arrived=arrived)))
    with pytest.raises(asyncio.CancelledError):
        await tasks[0]
    assert await shop.gems.service.all() == ()
    assert not any((shop.gems.folder.store_list / "arriving").iterdir())


async def test_what_an_interrupted_download_left_is_swept(shop: StoreBench) -> None:
    folder = shop.gems.folder.store_list / "arriving"
    await asyncio.to_thread(folder.mkdir, parents=True)
    await asyncio.to_thread((folder / "half.gem").write_bytes, b"half")
    await shop.restarted().start()
    assert not folder.exists()


async def test_what_came_with_the_program_is_installed_without_a_network(tmp_path: Path) -> None:
    package = PackageMaker(tmp_path / "packages").make()
    async with store_bench(tmp_path, bundled=make_index([package], {})) as shop:
        shop.server.down = True
        found = await shop.store.refresh()
        assert [(one.dossier.gem.id, one.size) for one in found.gems] == [("greeter", 0)]
        assert (await shop.store.install("greeter")).version == "1.0.0"


async def test_the_programs_own_list_is_that_of_the_bundled_gems() -> None:
    resources = shipped("resources")
    packages = sorted((resources / "gems").glob("*.gem"))
    made = make_index(packages, {})
    import json

    ours = json.loads((resources / "store" / "index.json").read_text(encoding="utf-8"))
    bare = [{**entry, "texts": {}} for entry in ours["gems"]]
    assert bare == json.loads(made)["gems"], "run installer/store_index.py"


async def test_every_gem_of_the_programs_own_list_is_official(tmp_path: Path) -> None:
    content = (shipped("resources") / "store" / "index.json").read_bytes()
    async with store_bench(tmp_path, keys=TrustedKeys(), bundled=content) as shop:
        found = await shop.store.known()
        assert len(found.gems) == content.count(b'"sha256": "') - content.count(b'     "sha256": "')
        assert "sales-summary" in {one.dossier.gem.id for one in found.gems}
