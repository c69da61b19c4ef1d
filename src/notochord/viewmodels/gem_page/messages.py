"""What a page may say, read from text that is not trusted."""

from dataclasses import dataclass

from notochord.core.strict_json import Json, decode

MAX_CHARACTERS = 1024 * 1024
"""How long one message may be."""

MAX_ABOUT = 4_000
"""How much of an element is told to the agent that is asked about it."""

PREFIX = "tool."

_LARGEST = 2**53 - 1


@dataclass(frozen=True, slots=True)
class CallMessage:
    """The page asks for a tool of its gem; `target` is `tool.<name>`."""

    number: int
    target: str
    arguments: Json

    @property
    def tool(self) -> str:
        """The tool's name; empty if the target is none."""
        return self.target.removeprefix(PREFIX) if self.target.startswith(PREFIX) else ""


@dataclass(frozen=True, slots=True)
class CancelMessage:
    """The page no longer waits for a call."""

    number: int


@dataclass(frozen=True, slots=True)
class AskMessage:
    """The user pressed the bubble of an element; `about` is the element's text."""

    agent: str
    about: str


Message = CallMessage | CancelMessage | AskMessage


def read_message(text: str) -> Message:
    """Return the message. Raises ValueError for what is none; a text that is too long is the caller's affair."""
    value = decode(text)
    if not isinstance(value, dict):
        raise ValueError("a message is an object")
    match value:
        case {"kind": "call", "number": number, "target": str(target), "arguments": arguments} if len(value) == 4:
            return CallMessage(_number(number), target, arguments)
        case {"kind": "cancel", "number": number} if len(value) == 2:
            return CancelMessage(_number(number))
        case {"kind": "ask", "agent": str(agent), "about": str(about)} if len(value) == 3:
            return AskMessage(agent, about[:MAX_ABOUT])
        case _:
            raise ValueError("no message of a page")


def _number(value: Json) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= _LARGEST:
        raise ValueError("the number of a call is a positive whole number")
    return value
