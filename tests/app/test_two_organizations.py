"""Two organizations in one home: nothing of one shows in the other."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.packing import pack
from notochord.services.models.api import ModelRef, ProviderDraft, ProviderKind
from notochord.services.organizations.api import KeyPlace
from support.eventually import until
from support.gems import draft, manifest
from support.memory_folders import on_disk
from support.whole import Person, around, calls, connect, opened, probe, say, scripted, talk

tmp_path = pytest.fixture(on_disk)
"""A gem reads files here, which Deno lets nobody do below /dev, where memory is."""


@pytest.mark.req("ORG-003", "ORG-005", "ORG-007", "DATA-494")
async def test_conversations_gems_and_accounts_are_of_one_organization(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with scripted() as (server, _), opened(home, name="one", place=KeyPlace.FILE) as services:
        await connect(services, server)
        await services.gems.install(probe(tmp_path, "keeps"), allow_unsigned=True)
        chat = await talk(services)
        await say(services, chat, "Hello")
    async with opened(home, name="two") as services:
        assert await services.chats.all() == ()
        with pytest.raises(NotochordError) as caught:
            await services.chats.get(chat.id)
        assert caught.value.code is Code.CHAT_UNKNOWN
        assert await services.gems.all() == ()
        assert await services.vault.connections() == ()
        assert await services.models.providers() == ()


@pytest.mark.req("ORG-014")
async def test_which_model_is_used_is_a_setting_of_each_organization(tmp_path: Path) -> None:
    home, draft = tmp_path / "home", ProviderDraft("Ollama", ProviderKind.OLLAMA, models=("small", "large"))
    for name, model in (("one", "small"), ("two", "large")):
        async with opened(home, name=name, place=KeyPlace.FILE) as services:
            await services.models.add_provider(draft, None)
            await services.models.set_role("chat", ModelRef("Ollama", model))
    for name, model in (("one", "small"), ("two", "large")):
        async with opened(home, name=name, place=KeyPlace.FILE) as services:
            assert (await services.models.choose()).model == ModelRef("Ollama", model)


@pytest.mark.req("DATA-495", "DATA-500", "ORG-012")
async def test_a_gem_in_both_has_its_own_data_in_each(tmp_path: Path) -> None:
    home, package = tmp_path / "home", probe(tmp_path, "keeps")
    for name in ("one", "two"):
        async with opened(home, name=name) as services:
            await services.gems.install(package, allow_unsigned=True)
            assert await services.gems.call("probe", "kept", {}, tmp_path, Cause()) is None
            await services.gems.call("probe", "keeps", {"text": name}, tmp_path, Cause())
    for name in ("one", "two"):
        async with opened(home, name=name) as services:
            assert await services.gems.call("probe", "kept", {}, tmp_path, Cause()) == name


@pytest.mark.req("DATA-500")
async def test_an_agent_reads_no_file_of_another_organization(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with opened(home, name="one") as services:
        theirs = services.unlocked.folder.description
    async with scripted() as (server, script), opened(home, name="two") as services:
        await connect(services, server)
        Person(services)
        chat = await talk(services)
        script.play(
            calls("fs_cat", path=str(theirs)), calls("fs_cat", path=f"../../../{theirs.parent.name}/{theirs.name}")
        )
        await say(services, chat, "Read theirs")
        assert all(Code.PATH_OUTSIDE in result for result in script.results())
        assert len(script.results()) == 2


def package(folder: Path, code: str, **changes: Any) -> Path:
    """Make an unsigned gem with one tool."""
    made = folder / "greeter.gem"
    made.write_bytes(pack(draft(folder / "greeter", manifest(**changes), {"tools/greet.ts": code}), key=None))
    return made


LOOKS_AROUND = """export default function () {
  const seen = [];
  for (let up = "../"; up.length <= 24; up += "../") {
    try {
      seen.push(...[...Deno.readDirSync(new URL(up, import.meta.url))].map((entry) => entry.name));
    } catch (error) {
      if (!/NotCapable|PermissionDenied/.test(error.name)) throw error;
    }
  }
  return seen;
}"""


@pytest.mark.req("DATA-501")
async def test_a_gem_that_looks_around_sees_its_own_folder_and_no_organization(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with opened(home, name="one") as services:
        other = services.unlocked.organization.id
    async with opened(home, name="two") as services:
        await services.gems.install(package(tmp_path, LOOKS_AROUND), allow_unsigned=True)
        seen = await services.gems.call("greeter", "greet", {}, tmp_path, Cause())
        assert isinstance(seen, list)
        assert "tools" in seen
        organizations = services.unlocked.folder.folder.parent
        assert other in {path.name for path in organizations.iterdir()}
        assert not {path.name for path in organizations.iterdir()} & {str(name) for name in seen}


@pytest.mark.req("DATA-504")
async def test_leaving_an_organization_ends_the_calls_of_its_tools(tmp_path: Path) -> None:
    waits = "export default async (_, ctx) => { await ctx.files.write('began', ''); await new Promise(() => {}); };"
    home, talk = tmp_path / "home", tmp_path / "talk"
    talk.mkdir()
    async with opened(home, name="one") as services:
        await services.gems.install(package(tmp_path, waits), allow_unsigned=True)
        call = asyncio.create_task(services.gems.call("greeter", "greet", {}, talk, Cause()))

        async def began() -> bool:
            return any(talk.rglob("began"))

        await until(began)
        assert not call.done()
    with pytest.raises(NotochordError) as caught:
        await asyncio.wait_for(call, 60)
    assert caught.value.code is Code.CANCELLED


@pytest.mark.req("DATA-507")
async def test_what_a_gem_stored_goes_with_its_organization(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with opened(home, name="one") as services:
        await services.gems.install(probe(tmp_path, "keeps"), allow_unsigned=True)
        await services.gems.call("probe", "keeps", {"text": "kept"}, tmp_path, Cause())
        deleted, store = services.unlocked.organization.id, services.unlocked.folder.gem_store("probe")
    assert (store / "data.db").exists()
    async with opened(home, name="two") as services:
        current = services.unlocked.organization.id
    async with around(home) as surroundings:
        await surroundings.organizations.make_current(current)
        await surroundings.organizations.delete(deleted, "one")
        assert [one.id for one in await surroundings.organizations.all()] == [current]
    assert [path for path in home.rglob("*") if deleted in str(path)] == []
