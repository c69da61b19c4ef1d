"""What goes wrong outside ends in a code that says so, and the conversation goes on."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Iterator
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.headless.services import Services
from notochord.services.agents.api import CallStarted
from notochord.services.chat.api import Chat, ChatEvent, NewChat, Outgoing
from notochord.services.models.api import ProviderDraft, ProviderKind
from notochord.services.organizations.api import KeyPlace
from notochord.services.vault.api import Secret
from support.strict_servers import AnthropicServer, Call, Drop, Fail, OpenAiServer, Say
from support.whole import (
    SUMMARY_GEM,
    Person,
    Script,
    around,
    calls,
    connect,
    opened,
    probe,
    say,
    scripted,
    talk,
)


async def code_of(awaitable: object) -> Code:
    with pytest.raises(NotochordError) as caught:
        await awaitable  # type: ignore[misc]
    return caught.value.code


async def goes_on(services: Services, chat: Chat, script: Script) -> None:
    """The next message is accepted by the strict server, and answered."""
    script.turns.clear()
    assert await say(services, chat, "And now?") == "done"


async def failed(services: Services, chat: Chat, text: str) -> Code:
    """Send a message whose answer fails; it stays in the record."""
    code = await code_of(services.chats.send(chat.id, Outgoing(text)))
    entries = await services.chats.entries(chat.id)
    assert text in str(entries)
    return code


async def stopped_after(services: Services, chat: Chat, answering: Awaitable[object], tool: str) -> None:
    """Stop an answer once the call of this tool runs."""
    begun = asyncio.Event()

    def hear(event: ChatEvent) -> None:
        if isinstance(event.event, CallStarted) and event.event.name == tool:
            begun.set()

    services.events.subscribe(ChatEvent, hear)
    task = asyncio.ensure_future(answering)
    await begun.wait()
    await asyncio.sleep(0.3)
    await services.chats.stop(chat.id)
    await task


# -- providers


async def test_a_wrong_key_is_told_and_the_message_stays(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        chat, right = await talk(services), server.key
        server.key = "another"
        assert await failed(services, chat, "Hear me") is Code.MODEL_KEY_REFUSED
        server.key = right
        await goes_on(services, chat, script)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Fail(400, "alpha does not support tools"), Code.MODEL_NO_TOOLS),
        (Say("Ünïcödé " * 20, split=3, cut=True), Code.MODEL_STREAM_BROKEN),
        (Fail(402, "no credit"), Code.MODEL_QUOTA),
    ],
    ids=["no tools", "cut in a character", "no credit"],
)
async def test_what_the_provider_refuses_or_breaks_off_is_told(tmp_path: Path, answer: Fail | Say, code: Code) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        chat = await talk(services)
        script.play(answer)
        assert await failed(services, chat, "Hear me") is code
        await goes_on(services, chat, script)


async def test_a_connection_that_is_lost_before_the_answer_begins_is_made_anew(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        chat = await talk(services)
        script.play(Drop())
        assert await say(services, chat, "Hear me") == "done"
        assert len(script.bodies) == 2


@pytest.mark.parametrize("kind", [ProviderKind.COMPATIBLE, ProviderKind.ANTHROPIC])
async def test_what_the_gateway_refuses_comes_through_each_of_the_official_clients(
    tmp_path: Path, kind: ProviderKind
) -> None:
    made = OpenAiServer() if kind is ProviderKind.COMPATIBLE else AnthropicServer()
    async with made as server:
        url = server.base_url
    async with opened(tmp_path / "home") as services:
        await services.models.add_provider(ProviderDraft("gone", kind, url, ("alpha",)), Secret("sk"))
        assert await code_of(services.models.listed_models("gone")) is Code.NETWORK_UNREACHABLE


async def test_arguments_that_are_no_json_go_back_to_the_model(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        chat = await talk(services)
        script.play(Say(calls=(Call("fs_write", '{"path": "a.txt", "conte'),)))
        assert await say(services, chat, "Write it") == "done"
        assert Code.TOOL_ARGUMENTS in script.results()[-1]
        assert list(chat.folder.iterdir()) == []


# -- tools


@pytest.mark.parametrize(("tool", "said"), [("throws", "the tool broke"), ("huge", "E_"), ("floods", "")])
async def test_a_tool_that_throws_or_gives_too_much_is_told_to_the_model(tmp_path: Path, tool: str, said: str) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        await services.gems.install(probe(tmp_path, tool), allow_unsigned=True)
        Person(services)
        chat = await talk(services)
        script.play(calls("read_skill", name="probe"), calls(f"gem_probe_{tool}"))
        assert await say(services, chat, "Run it") == "done"
        assert said in script.results()[-1]
        assert len(script.results()[-1]) < 200_000
        assert await services.gems.call("probe", "kept", {}, tmp_path, Cause()) is None


@pytest.mark.parametrize("tool", ["hangs", "spins"])
async def test_a_tool_that_hangs_is_stopped_with_its_answer(tmp_path: Path, tool: str) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        await services.gems.install(probe(tmp_path, tool), allow_unsigned=True)
        Person(services)
        chat = await talk(services)
        script.play(calls("read_skill", name="probe"), calls(f"gem_probe_{tool}"))
        answering = services.chats.send(chat.id, Outgoing("Run it"))
        assert await code_of(stopped_after(services, chat, answering, f"gem.probe.{tool}")) is Code.CANCELLED
        await goes_on(services, chat, script)


# -- packages, folders, keys, processes


async def test_a_package_that_is_cut_or_tampered_with_changes_nothing(tmp_path: Path) -> None:
    content = SUMMARY_GEM.read_bytes()
    cut, changed = tmp_path / "cut.gem", tmp_path / "changed.gem"
    cut.write_bytes(content[: len(content) // 2])
    middle = len(content) // 2
    changed.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    async with opened(tmp_path / "home") as services:
        for package in (cut, changed):
            code = await code_of(services.gems.install(package))
            assert code in (Code.PACKAGE_INVALID, Code.HASH_MISMATCH, Code.SIG_INVALID)
        assert await services.gems.all() == ()
        assert list(services.unlocked.folder.packages.glob("sales-summary/*")) == []


async def test_a_folder_that_may_not_be_chosen_is_refused(tmp_path: Path) -> None:
    async with scripted() as (server, _), opened(tmp_path / "home") as services:
        await connect(services, server)
        for folder in (Path("/"), Path.home(), services.unlocked.folder.folder):
            new = NewChat(model="fake/alpha", folder=folder)
            assert await code_of(services.chats.create(new)) is Code.FOLDER_REFUSED
        assert await services.chats.all() == ()


async def test_a_key_of_another_organization_opens_nothing_and_the_data_stays(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with opened(home, name="one") as services:
        first = services.unlocked.folder
    async with opened(home, name="two") as services:
        second = services.unlocked.folder
    before = first.main_database.read_bytes()
    first.key.write_bytes(second.key.read_bytes())
    async with around(home) as surroundings:
        assert await code_of(surroundings.organizations.unlock(first.folder.name)) in (Code.KEY_WRONG, Code.ORG_DAMAGED)
    assert first.main_database.read_bytes() == before


async def test_a_second_process_is_told_who_holds_the_organization(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with around(home) as surroundings:
        made = await surroundings.organizations.create("acme", KeyPlace.FILE)
        async with surroundings.opener.open(made.id), around(home) as others:
            with pytest.raises(NotochordError) as caught:
                await others.organizations.unlock(made.id)
    assert (caught.value.code, caught.value.parameters["pid"]) == (Code.ORG_OPEN, os.getpid())


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 6 MB, if this user may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ("mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)), capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(("umount", "-l", str(folder)), check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a tmpfs")
async def test_a_full_disk_is_told_and_what_was_written_stays(small_disk: Path) -> None:
    async with scripted() as (server, script), opened(small_disk / "home") as services:
        await connect(services, server)
        chat = await talk(services)
        await say(services, chat, "Before")
        filler = small_disk / "filler"
        with filler.open("wb") as file:
            while True:
                try:
                    os.write(file.fileno(), bytes(65536))
                except OSError:
                    break
        code = await code_of(services.chats.send(chat.id, Outgoing("x" * 3_000_000)))
        assert code is Code.DISK_FULL
        filler.unlink()
        assert "Before" in str(await services.chats.entries(chat.id))
        await goes_on(services, chat, script)
