"""A terminal of its own kind: what is typed, and when it counts."""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TextIO

import pytest

from notochord.adapters.console import echo_off, forget_typed
from notochord.core.sentences import Sentences
from notochord.headless.terminal import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo terminals of this kind")


@dataclass
class Seat:
    """A person's side of a pseudo terminal, and the streams that a program has of it."""

    person: int
    given: TextIO
    shown: TextIO

    def type(self, text: str) -> None:
        os.write(self.person, text.encode())

    def wait_for(self, text: str) -> None:
        seen = b""
        while text.encode() not in seen:
            seen += os.read(self.person, 4096)

    def terminal(self, forget: Callable[[int], None] = forget_typed) -> Terminal:
        return Terminal(
            given=self.given,
            out=self.shown,
            messages=self.shown,
            echo_off=echo_off,
            forget_typed=forget,
            sentences=Sentences.load("en"),
            json=False,
        )


@pytest.fixture
def seat() -> Iterator[Seat]:
    person, program = os.openpty()
    with (
        os.fdopen(person, "r+b", 0) as mine,
        os.fdopen(program, "r") as given,
        os.fdopen(os.dup(program), "w") as shown,
    ):
        yield Seat(mine.fileno(), given, shown)


class PromptedTerminal(Terminal):
    """Answers each question once it is shown, as a person does."""

    seat: Seat
    answer = "n\n"

    def _prompt(self, question: str) -> None:
        super()._prompt(question)
        self.seat.type(self.answer)


def prompted(seat: Seat, forget: Callable[[int], None]) -> PromptedTerminal:
    made = seat.terminal(forget)
    made.__class__ = PromptedTerminal
    assert isinstance(made, PromptedTerminal)
    made.seat = seat
    return made


@pytest.mark.parametrize("typed", ["y\n", "y", "first\ny\n"])
async def test_what_was_typed_before_a_question_was_shown_is_no_answer_to_it(seat: Seat, typed: str) -> None:
    """A pasted text whose second line is a yes would otherwise allow what the first line leads to."""
    seat.type(typed)
    seat.wait_for(typed.strip().splitlines()[-1])  # the echo: it has arrived
    assert await prompted(seat, forget_typed).ask("Allow this? [y/N] ") == "n"


async def test_lines_that_were_read_with_an_earlier_answer_are_no_answer_either(seat: Seat) -> None:
    terminal = prompted(seat, forget_typed)
    terminal.answer = "tell me about it\ny\n"
    assert await terminal.ask("What? ") == "tell me about it"
    terminal.answer = "n\n"
    assert await terminal.ask("Allow this? [y/N] ") == "n"


async def test_control_without_forgetting_the_early_yes_counts(seat: Seat) -> None:
    seat.type("y\n")
    seat.wait_for("y")
    assert await prompted(seat, lambda descriptor: None).ask("Allow this? [y/N] ") == "y"
