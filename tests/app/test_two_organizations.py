"""Two organizations in one home: nothing of one shows in the other."""

from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.models.api import ModelRef, ProviderDraft, ProviderKind
from notochord.services.organizations.api import KeyPlace
from support.whole import Person, calls, connect, opened, probe, say, scripted, talk


@pytest.mark.req("ORG-003", "ORG-005", "ORG-007")
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
