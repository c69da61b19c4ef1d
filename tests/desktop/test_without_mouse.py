"""From the first start to quitting by keys alone, on a screen: what a screen reader hears, and what is kept."""

import asyncio
from pathlib import Path

import pytest

from desktop.conftest import Start
from notochord.services.chat.api import Chat, Entry
from notochord.services.models.api import Text
from notochord.viewmodels.shell.preferences import THEME
from support.provider_threads import Provider
from support.screens import Screen
from support.shown_programs import ShownProgram
from support.strict_servers import Say
from support.whole import KEY, opened

QUESTION, ANSWER = "What is the capital of France", "It is Paris, on the Seine."


def set_up(program: ShownProgram, screen: Screen, provider: Provider) -> None:
    """All five steps: the language, no encryption, a server of one's own, the roles."""
    program.press("Next", "push button")
    program.find("Step 2 of 5")
    program.press("Don't encrypt", "radio button")
    program.press("Next", "push button")
    program.press("Connect a provider…", "push button")
    program.step_to("Private", "Provider", "combo box")
    for field, text in (("Name", "office"), ("Address", provider.server.base_url), ("API key", KEY)):
        program.tab_to(field, "text", "password text")
        screen.type(text)
    program.press("Connect", "push button")
    program.find("Models of office")
    program.tab_to("Models", "list")
    screen.key("Home", "space")
    program.press("Save", "push button")
    program.press("Next", "push button")
    program.find("Step 4 of 5")
    program.press("Next", "push button")
    program.press("Get started", "push button")


def talk(program: ShownProgram, screen: Screen) -> None:
    screen.key("ctrl+n")
    program.tab_to("Message", "text")
    screen.type(QUESTION)
    screen.key("Return")
    program.until(lambda: ANSWER in heard(program), "the answer")
    program.until(lambda: QUESTION in heard(program), "the question")
    program.find("A title")
    program.until(lambda: len(program.children(program.find("Conversation", "list"))) == 2, "the two messages")
    program.tab_to("Conversation", "list")
    screen.key("ctrl+a", "ctrl+c")
    message = program.tab_to("Message", "text")
    screen.key("ctrl+v")
    program.until(lambda: ANSWER in program.text(message), "what was copied")


def heard(program: ShownProgram) -> str:
    """Return the text of all messages of the conversation."""
    transcript = program.find("Conversation", "list")
    return "\n".join(program.text(message) for message in program.children(transcript))


def choose_dark(program: ShownProgram, screen: Screen) -> None:
    screen.key("ctrl+comma")
    program.step_to("System", "Settings sections", "list")
    program.step_to("Dark", "Theme", "combo box")


@pytest.mark.req("SETUP-001", "SETUP-043")
def test_everything_from_the_first_start_to_quitting_goes_without_a_mouse(
    screen: Screen, provider: Provider, start: Start, home: Path
) -> None:
    provider.script.play(Say(ANSWER))
    program = start()
    set_up(program, screen, provider)
    program.find("No gem is installed yet…")
    talk(program, screen)
    choose_dark(program, screen)
    screen.key("ctrl+q")
    assert program.ends() == (0, "")
    chat, entries, theme = asyncio.run(kept(home))
    assert [part for entry in entries for part in entry.message.parts] == [Text(QUESTION), Text(ANSWER)]
    assert (chat.title, theme) == ("A title", "dark")


async def kept(home: Path) -> tuple[Chat, tuple[Entry, ...], str]:
    async with opened(home, name="Personal") as services:
        (chat,) = await services.chats.all()
        return chat, await services.chats.entries(chat.id), services.settings.current(THEME)
