"""Asks the process that has an organization to bring its window to the front; loaded where another one answers."""

from pathlib import Path

from notochord.core.errors import NotochordError
from notochord.core.sentences import Sentences
from notochord.core.strict_json import Json
from notochord.headless.control import client, messages
from notochord.headless.control.channel import Channel
from notochord.headless.control.server import RAISE


class _Silent:
    """An Exchange for a command that asks nothing and tells nothing."""

    def __init__(self) -> None:
        self.sentences = Sentences("en", {})
        self.json = True
        self.interactive = False

    async def write(self, text: str) -> None:
        return

    async def emit(self, value: Json) -> None:
        return

    async def say(self, text: str) -> None:
        return

    async def ask(self, question: str) -> str:
        return ""

    async def ask_hidden(self, question: str) -> str:
        return ""

    async def read_all(self) -> str:
        return ""


async def raised(channel: Channel) -> bool:
    """Tell whether the process at the other end has done so."""
    try:
        return await client.command(channel, _message(), _Silent()) == 0
    except (NotochordError, client.NotBegun):
        return False


def _message() -> messages.Command:
    return messages.Command(
        protocol=messages.PROTOCOL, words=[RAISE], folder=str(Path.home()), language="en", json=True, interactive=False
    )
