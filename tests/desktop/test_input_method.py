"""A Chinese input method of the system (Wubi in IBus) composes in the message field: its Enter sends nothing."""

from pathlib import Path

from desktop.conftest import Start
from support.provider_threads import Provider
from support.screens import Screen, wait

DAEMON = ("ibus-daemon", "--panel", "disable", "--config", "disable", "--emoji-extension", "disable")
WUBI = "table:wubi-jidian86"
LETTERS = "khk"
"""What is typed for 中: Enter takes the letters as they are, the space bar the character."""


def test_the_enter_of_a_composition_sends_nothing_and_the_next_one_does(
    screen: Screen, start: Start, prepared: Path, provider: Provider
) -> None:
    screen.environment["QT_IM_MODULE"] = "ibus"
    screen.start(*DAEMON)
    wait(lambda: screen.tell("ibus", "engine", WUBI) == "" and screen.tell("ibus", "engine") == WUBI, "IBus")
    program = start()
    program.find("No gem is installed yet…")
    screen.key("ctrl+n")
    message = program.tab_to("Message", "text")
    screen.type(LETTERS)
    screen.key("Return")
    program.until(lambda: program.text(message) == LETTERS, "the letters as they are")
    screen.type(LETTERS)
    screen.key("space")
    program.until(lambda: program.text(message) == f"{LETTERS}中", "the character")
    assert provider.script.bodies == []
    screen.key("Return")
    program.until(lambda: bool(provider.script.bodies), "the message at the provider")
    assert provider.script.bodies[0]["messages"][-1]["content"].endswith(f"\n{LETTERS}中")
