"""The exchange with the terminal, pipe or file that this process was started with."""

import errno
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TextIO

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.sentences import Sentences
from notochord.core.strict_json import Json, encode
from notochord.headless.exchange import ReaderGone
from notochord.headless.line_input import LineInput
from notochord.headless.printable import printable

EchoOff = Callable[[int], AbstractContextManager[None]]
"""Shows nothing of what is typed on a descriptor until the block ends."""

ForgetTyped = Callable[[int], None]
"""Drops what was typed on a descriptor and not read yet."""


class Terminal:
    """Implements Exchange on three streams. What it shows to a person is made printable first."""

    def __init__(
        self,
        *,
        given: TextIO,
        out: TextIO,
        messages: TextIO,
        echo_off: EchoOff,
        forget_typed: ForgetTyped,
        sentences: Sentences,
        json: bool,
    ) -> None:
        self._echo_off = echo_off
        self._forget_typed = forget_typed
        self._descriptor = given.fileno()
        self._input = LineInput(self._descriptor)
        self._out = out
        self._messages = messages
        self.sentences = sentences
        self.json = json
        self.interactive = given.isatty() and messages.isatty()

    def speak(self, language: str) -> None:
        """Go on in the organization's language, if it has chosen one."""
        if language and language != self.sentences.language:
            self.sentences = Sentences.load(language)

    async def write(self, text: str) -> None:
        _put(self._out, printable(text))

    async def emit(self, value: Json) -> None:
        _put(self._out, encode(value) + "\n")

    async def say(self, text: str) -> None:
        _put(self._messages, printable(text) + "\n")

    async def ask(self, question: str) -> str:
        """See `Exchange.ask`. What was typed or pasted before a person saw the question is no answer to it."""
        self._begin_anew()
        self._prompt(question)
        return _answered(await self._input.line(), question)

    async def ask_hidden(self, question: str) -> str:
        self._begin_anew()
        with self._echo_off(self._descriptor):
            self._prompt(question)
            answer = await self._input.line()
        if self.interactive:
            _put(self._messages, "\n")
        return _answered(answer, question)

    async def read_all(self) -> str:
        return await self._input.rest()

    def _begin_anew(self) -> None:
        if self.interactive:
            self._forget_typed(self._descriptor)
            self._input.forget()

    def _prompt(self, question: str) -> None:
        if self.interactive:
            _put(self._messages, printable(question))


def _answered(answer: str | None, question: str) -> str:
    if answer is None:
        raise NotochordError(
            Code.ANSWER_NEEDED, Fault.USER, "the input ended before an answer", question=question.strip()
        )
    return answer


def _put(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError as error:
        _give_up(stream)
        raise ReaderGone from error
    except OSError as error:
        _give_up(stream)
        code = Code.DISK_FULL if error.errno == errno.ENOSPC else Code.DISK_IO
        raise NotochordError(code, Fault.SYSTEM, "the output cannot be written", path=stream.name) from error


def _give_up(stream: TextIO) -> None:
    """Send the rest nowhere: what is still buffered would be tried again, and fail, when the interpreter ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
