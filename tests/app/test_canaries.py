"""Markers that people, models and gems put in are found in no byte of the data, and keys where they belong alone."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.headless.services import Services
from notochord.services.chat.api import Chat
from notochord.services.organizations.api import KeyPlace
from notochord.services.vault.api import ConnectionDraft, Placement, Registration, Secret
from support.canary import leaks_below
from support.strict_servers import OpenAiServer
from support.whole import KEY, Person, Script, around, calls, connect, opened, probe, say, scripted, talk

CHAT, ARGUMENT, SECRET, KEPT = (f"{name}-Canary-7f3a91" for name in ("chat", "argument", "secret", "kept"))


async def live(services: Services, server: OpenAiServer, script: Script, folder: Path) -> Chat:
    """Put every marker in by its own way and return the conversation."""
    await connect(services, server)
    registration = Registration(("api.example.com",))
    await services.vault.add(ConnectionDraft("weather", "api", Placement.BEARER, registration), Secret(SECRET))
    await services.gems.install(probe(folder, "keeps"), allow_unsigned=True)
    Person(services)
    chat = await talk(services)
    script.play(
        calls("read_skill", name="probe"),
        calls("gem_probe_keeps", text=KEPT),
        calls("fs_search", text=ARGUMENT),
        calls("fs_write", path="open.txt", content="an ordinary file"),
    )
    assert await say(services, chat, f"Remember {CHAT}") == "done"
    assert await services.gems.call("probe", "kept", {}, folder, Cause()) == KEPT
    return chat


@pytest.mark.req("SETUP-012", "SETUP-013", "SETUP-014", "APP-014")
async def test_no_marker_is_found_in_the_data_while_it_is_open_or_closed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with scripted() as (server, script), opened(home, place=KeyPlace.MEMORY) as services:
        await live(services, server, script, tmp_path)
        found = {marker: leaks_below(home, marker.encode()) for marker in (CHAT, ARGUMENT, SECRET, KEPT, KEY)}
        assert not any(found.values()), found
    for marker in (CHAT, ARGUMENT, SECRET, KEPT, KEY):
        assert leaks_below(home, marker.encode()) == []


@pytest.mark.req("CRED-012", "CRED-013", "SETUP-016")
async def test_the_record_and_the_model_get_no_secret_and_files_stay_as_they_are(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home", place=KeyPlace.MEMORY) as services:
        chat = await live(services, server, script, tmp_path)
        assert (chat.folder / "open.txt").read_bytes() == b"an ordinary file"
        record = str(await services.chats.entries(chat.id))
        sent = str(script.bodies) + str(script.background)
    for secret in (KEY, SECRET):
        assert secret not in record
        assert secret not in sent


@pytest.mark.req("SETUP-018", "SETUP-020")
async def test_a_copy_of_encrypted_data_cannot_be_opened(tmp_path: Path) -> None:
    home, stolen = tmp_path / "home", tmp_path / "stolen"
    async with around(home) as surroundings:
        made = await surroundings.organizations.create("acme", KeyPlace.MEMORY)
        async with surroundings.opener.open(made.id) as services:
            key = services.unlocked.key
    assert leaks_below(home, key) == []
    shutil.copytree(home, stolen)
    async with around(stolen) as surroundings:
        with pytest.raises(NotochordError) as caught:
            async with surroundings.opener.open(made.id):
                pass
    assert caught.value.code is Code.KEY_MISSING


@pytest.mark.req("SETUP-021", "ORG-016", "ORG-018")
async def test_a_copy_of_encrypted_data_opens_with_its_recovery_key_alone(tmp_path: Path) -> None:
    home, moved, file = tmp_path / "home", tmp_path / "moved", tmp_path / "acme.recovery"
    async with scripted() as (server, script), around(home) as surroundings:
        made = await surroundings.organizations.create("acme", KeyPlace.MEMORY)
        other = await surroundings.organizations.create("other", KeyPlace.MEMORY)
        await surroundings.organizations.save_recovery_key(made.id, file)
        await surroundings.organizations.save_recovery_key(other.id, tmp_path / "other.recovery")
        async with surroundings.opener.open(made.id) as services:
            chat = await live(services, server, script, tmp_path)
    shutil.copytree(home, moved)
    async with around(moved) as surroundings:
        with pytest.raises(NotochordError) as caught:
            await surroundings.organizations.recover(made.id, tmp_path / "other.recovery")
        assert caught.value.code is Code.RECOVERY_OTHER_ORG
        await surroundings.organizations.recover(made.id, file)
        async with surroundings.opener.open(made.id) as services:
            assert CHAT in str(await services.chats.entries(chat.id))


@pytest.mark.req("SETUP-025", "SETUP-026")
async def test_a_copy_of_data_that_is_not_encrypted_opens_as_it_is(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        chat = await live(services, server, script, tmp_path)
    shutil.copytree(tmp_path / "home", tmp_path / "moved")
    async with opened(tmp_path / "moved") as services:
        assert CHAT in str(await services.chats.entries(chat.id))
        assert await services.gems.call("probe", "kept", {}, tmp_path, Cause()) == KEPT


@pytest.mark.req("SETUP-017")
async def test_what_is_sent_to_the_provider_is_the_same_with_and_without_encryption(tmp_path: Path) -> None:
    sent = []
    for place in (KeyPlace.MEMORY, KeyPlace.FILE):
        async with scripted() as (server, script), opened(tmp_path / place, place=place) as services:
            await live(services, server, script, tmp_path)
            sent.append([_without_time(body) for body in script.bodies])
    assert sent[0] == sent[1]


def _without_time(body: dict[str, Any]) -> dict[str, Any]:
    """Leave out the moment, which stands before the user's message."""
    messages = [message for message in body["messages"] if message["role"] != "user"]
    users = [message["content"].rpartition("]")[2] for message in body["messages"] if message["role"] == "user"]
    return {**body, "messages": messages, "users": users}
