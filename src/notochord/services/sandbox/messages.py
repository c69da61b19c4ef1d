"""What a guest may say, read from its frames without trust."""

from dataclasses import dataclass
from typing import TypeAlias

from notochord.core.strict_json import Json
from notochord.services.sandbox.api import MAX_RESULT_CHARACTERS
from notochord.services.sandbox.frames import Frame, ProtocolViolation, decode_apart

_NAME_CHARACTERS = 80
MESSAGE_CHARACTERS = 4_000
_LOG_CHARACTERS = 4_096
_LARGEST_ID = 2**53 - 1
_MOST_PARTS = 2_000

DENIALS = frozenset(
    "read write net env sys run ffi import all rights storage Worker SharedWorker alert confirm prompt".split()  # noqa: SIM905
)
"""What a guest's own program says that the runtime refused."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The guest's program runs."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A call wants something from the host."""

    call: int
    id: int
    target: str
    arguments: Json
    attachment: bytes | None


@dataclass(frozen=True, slots=True)
class Returned:
    """A call ended with a value, still in JSON."""

    call: int
    json: bytes


@dataclass(frozen=True, slots=True)
class Thrown:
    """A call ended with an error; `too_large` when its value was over the limit."""

    call: int
    name: str
    message: str
    too_large: bool


@dataclass(frozen=True, slots=True)
class Logged:
    """A call wrote a line to its console."""

    call: int
    text: str


@dataclass(frozen=True, slots=True)
class Denied:
    """The runtime refused a call something; `what` is a word of DENIALS, or "something"."""

    call: int
    what: str


Message: TypeAlias = Ready | Asked | Returned | Thrown | Logged | Denied


def parse(frame: Frame) -> Message:
    """Return what a frame says. Raises ProtocolViolation."""
    match frame.message:
        case {"type": "ready"}:
            return Ready()
        case {"type": "request", "call": call, "id": identifier, "target": str(target), "arguments": arguments,
              "attached": bool(attached)}:  # fmt: skip
            _check_parts(arguments)
            return Asked(_id(call), _id(identifier), target, arguments, frame.attachment if attached else None)
        case {"type": "returned", "call": call}:
            return Returned(_id(call), frame.attachment)
        case {"type": "thrown", "call": call, "name": str(name), "message": str(message), "tooLarge": bool(large)}:
            return Thrown(_id(call), clean(name, _NAME_CHARACTERS), clean(message, MESSAGE_CHARACTERS), large)
        case {"type": "log", "call": call, "text": str(text)}:
            return Logged(_id(call), clean(text, _LOG_CHARACTERS))
        case {"type": "denied", "call": call, "what": str(what)}:
            return Denied(_id(call), what if what in DENIALS else "something")
        case _:
            raise ProtocolViolation("a frame of no known kind")


async def value_of(returned: Returned) -> Json:
    """Return a call's value. Raises ProtocolViolation, and OverflowError when its JSON is too long (TOOL-031)."""
    if len(returned.json) > MAX_RESULT_CHARACTERS:
        text = returned.json.decode("utf-8", "replace")
        if len(text) > MAX_RESULT_CHARACTERS:
            raise OverflowError
    return await decode_apart(returned.json)


def clean(text: str, characters: int) -> str:
    """Return at most `characters` of a text, with U+FFFD for control characters other than tab and line feed."""
    return "".join(
        letter if letter.isprintable() or letter in "\t\n" else " " if letter.isspace() else "\ufffd"
        for letter in text[:characters]
    )


def _check_parts(arguments: Json) -> None:
    """Refuse arguments of very many parts: while they wait to be looked at they take fifty times their length."""
    level, count = [arguments], 0
    while level:
        count += len(level)
        if count > _MOST_PARTS:
            raise ProtocolViolation("a request has too many parts")
        level = [
            item
            for outer in level
            for item in (outer.values() if isinstance(outer, dict) else outer if isinstance(outer, list) else ())
        ]


def _id(value: Json) -> int:
    if type(value) is int and 0 <= value <= _LARGEST_ID:
        return value
    raise ProtocolViolation("an id is not a number")
