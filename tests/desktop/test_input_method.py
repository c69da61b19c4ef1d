"""An input method of the system (IBus) composes in the message field: the Enter that ends it sends nothing."""

from pathlib import Path

from desktop.conftest import Start
from support.provider_threads import Provider
from support.screens import Screen, wait

DAEMON = ("ibus-daemon", "--panel", "disable", "--config", "disable", "--emoji-extension", "disable")
ENGINE = "xkb:us::eng"
"""IBus's own engine composes a character from its number after Ctrl+Shift+U, and Enter ends that."""


def test_the_enter_that_ends_a_composition_sends_nothing_and_the_next_one_does(
    screen: Screen, start: Start, prepared: Path, provider: Provider
) -> None:
    screen.environment["QT_IM_MODULE"] = "ibus"
    screen.start(*DAEMON)
    wait(lambda: screen.tell("ibus", "engine", ENGINE) == "" and screen.tell("ibus", "engine") == ENGINE, "IBus")
    program = start()
    program.find("No gem is installed yet…")
    screen.key("ctrl+n")
    message = program.tab_to("Message", "text")
    screen.key("ctrl+shift+u")
    screen.type("4e2d")
    assert program.text(message) == ""
    screen.key("Return")
    program.until(lambda: program.text(message) == "中", "the composed character")
    assert provider.script.bodies == []
    screen.key("Return")
    program.until(lambda: bool(provider.script.bodies), "the message at the provider")
    assert provider.script.bodies[0]["messages"][-1]["content"] == "中"
