"""What a screen reader finds on each screen, asked through AT-SPI from another process."""

import asyncio
from pathlib import Path

import pytest

from desktop.conftest import Start
from support.assistive import State
from support.provider_threads import Provider
from support.screens import Screen
from support.shown_programs import ShownProgram
from support.strict_servers import Say
from support.whole import opened, say, talk

CONTROLS = frozenset({
    "push button", "toggle button", "check box", "radio button", "combo box", "text", "password text", "spin box",
    "list", "table", "tree", "tree table", "slider", "page tab list", "link", "menu item",
})  # fmt: skip
NO_ROLE = ("unknown", "invalid", "")
SECTIONS = "Settings sections"
TITLE = "Heights"
QUESTION, ANSWER = "How high is Mont Blanc?", "4 806 metres, **give or take** some snow."


def check(program: ShownProgram, screen: str, *wanted: tuple[str, str]) -> None:
    """Wait until these controls are there, and every control has a role and a name."""
    wrong: list[str] = []

    def look() -> bool:
        used = [one for one in program.seen() if one.is_in(State.FOCUSABLE) or one.role in CONTROLS]
        without = [one for one in used if one.role in NO_ROLE or (not one.name.strip() and one.role in CONTROLS)]
        strange = {one.role for one in used if one.role not in CONTROLS and one.role not in AROUND}
        missing = set(wanted) - {(one.role, one.name) for one in used}
        wrong[:] = [f"{one.role} {one.value!r} has no name" for one in without]
        wrong[:] += [f"{role} is no control" for role in strange] + [f"no {one}" for one in missing]
        return bool(used) and not wrong

    try:
        program.until(look, screen)
    except AssertionError as error:
        raise AssertionError(f"{screen}: {wrong}") from error


AROUND = frozenset(
    {"filler", "list item", "table cell", "scroll pane", "panel", "label", "page tab", "frame", "dialog"}
)
"""What can have the keyboard without being a control of its own: items, texts that can be selected, their frames."""


def test_every_control_of_the_set_up_has_a_name_and_a_role(screen: Screen, start: Start) -> None:
    program = start()
    program.find("Step 1 of 5")
    check(program, "language", ("combo box", "Language"), ("push button", "Next"))
    program.press("Next", "push button")
    program.find("Step 2 of 5")
    check(program, "encryption", ("radio button", "Don't encrypt"))
    program.press("Don't encrypt", "radio button")
    program.press("Next", "push button")
    program.find("Step 3 of 5")
    program.find("Connect a provider…", "push button")
    check(program, "model", ("push button", "Skip"))
    program.press("Connect a provider…", "push button")
    check(program, "connect", ("text", "Name"), ("combo box", "Provider"), ("push button", "Connect"))
    screen.key("Escape")
    program.press("Skip", "push button")
    program.find("Step 5 of 5")
    check(program, "done", ("push button", "Get started"))


def test_every_control_of_home_and_the_settings_has_a_name_and_a_role(
    screen: Screen, start: Start, prepared: Path
) -> None:
    program = start()
    program.find("No gem is installed yet…")
    check(program, "home", *(("push button", name) for name in ("Search and commands", "Home", "Chat", "Settings")))
    screen.key("ctrl+comma")
    sections = program.tab_to(SECTIONS, "list")
    screen.key("Home")
    names: list[str] = []

    def listed() -> bool:
        names[:] = [one.name for one in program.children(sections) if one.is_in(State.SELECTABLE)]
        return len(names) == 9

    program.until(listed, "the nine sections")
    for name in names:
        program.until(lambda name=name: program.chosen(SECTIONS, "list") == [name], name)  # type: ignore[misc]
        check(program, name, ("list", SECTIONS))
        screen.key("Down")


@pytest.mark.req("CHAT-001")
def test_every_control_of_a_conversation_has_a_name_and_its_messages_are_items_with_text(
    screen: Screen, start: Start, prepared: Path, provider: Provider
) -> None:
    asyncio.run(have_talked(prepared, provider))
    program = start()
    program.find("No gem is installed yet…")
    screen.key("ctrl+n")
    check(program, "new chat", ("text", "Message"), ("push button", "Send"), ("check box", "Plan first"))
    screen.key("ctrl+k")
    program.tab_to("Search chats, gems, settings and commands", "text")
    check(program, "palette")
    screen.type(TITLE)
    program.until(lambda: any(TITLE in one.name for one in program.seen() if one.role == "list item"), "the chat")
    screen.key("Return")
    transcript = program.find("Conversation", "list")
    program.until(lambda: len(program.children(transcript)) == 2, "the messages")
    check(program, "chat", ("text", "Message"), ("push button", "Send"))

    def shown() -> list[tuple[str, str, bool]]:
        return [(one.role, program.text(one), bool(one.name)) for one in program.children(transcript)]

    answer = "4 806 metres, give or take some snow."
    program.until(lambda: shown() == [("list item", text, True) for text in (QUESTION, answer)], "the texts")


async def have_talked(home: Path, provider: Provider) -> None:
    provider.script.play(Say(ANSWER))
    async with opened(home) as services:
        chat = await talk(services)
        await services.chats.rename(chat.id, TITLE)
        assert await say(services, chat, QUESTION) == "done"
