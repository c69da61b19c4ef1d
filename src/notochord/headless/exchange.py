"""A command's way to the person or the script that gave it: the terminal here, or one beyond the control endpoint."""

from typing import Protocol

from notochord.core.errors import NotochordError, Parameter
from notochord.core.sentences import Sentences
from notochord.core.strict_json import Json


class Exchange(Protocol):
    """Output, questions and answers. Every method raises ReaderGone once nobody reads any more."""

    @property
    def sentences(self) -> Sentences:
        """The language of this exchange."""

    @property
    def json(self) -> bool:
        """Whether the result is wanted as JSON."""

    @property
    def interactive(self) -> bool:
        """Whether a person sits at the other end, rather than a script."""

    async def write(self, text: str) -> None:
        """Put a part of the result on standard output, as it is."""

    async def emit(self, value: Json) -> None:
        """Put one JSON value on standard output, on a line of its own."""

    async def say(self, text: str) -> None:
        """Put a message on standard error, on a line of its own."""

    async def ask(self, question: str) -> str:
        """Return one line of answer. Raises ANSWER_NEEDED at the end of the input."""

    async def ask_hidden(self, question: str) -> str:
        """Return one line that is not shown while it is typed. Raises ANSWER_NEEDED at the end of the input."""

    async def read_all(self) -> str:
        """Return the rest of the standard input. Raises PAYLOAD_TOO_LARGE, INPUT_INVALID (no UTF-8)."""


class ReaderGone(Exception):
    """Whoever read the output is gone (a closed pipe, a client that ended)."""


async def tell(exchange: Exchange, key: str, /, **parameters: Parameter) -> None:
    """Say a sentence."""
    await exchange.say(exchange.sentences.sentence(key, **parameters))


async def show(exchange: Exchange, value: Json, text: str) -> None:
    """Give a command's result: `value` to a script, `text` to a person."""
    if exchange.json:
        await exchange.emit(value)
    elif text:
        await exchange.write(text + "\n")


async def done(exchange: Exchange, value: Json, key: str, /, **parameters: Parameter) -> None:
    """Tell that something was done: `value` to a script, a sentence to a person."""
    await show(exchange, value, exchange.sentences.sentence(key, **parameters))


async def confirm(exchange: Exchange, key: str, /, **parameters: Parameter) -> bool:
    """Ask a question that only a clear yes answers with yes."""
    return is_yes(await exchange.ask(exchange.sentences.sentence(key, **parameters) + " [y/N] "))


def is_yes(answer: str) -> bool:
    return answer.strip().lower() in {"y", "yes", "是", "好"}


async def report(exchange: Exchange, error: NotochordError) -> None:
    """Tell why a command failed, and give a script the same as JSON."""
    told = exchange.sentences.failure(error)
    if exchange.json:
        await exchange.emit({"error": {"code": str(error.code), "message": told}})
    await exchange.say(f"notochord: {told}")
