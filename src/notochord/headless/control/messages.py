"""The messages of the control endpoint: one JSON object in a frame, read without trust on both sides."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeAlias, TypeVar

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json, decode, encode

PROTOCOL = 1
MAX_WORDS = 4096
LONGEST_TEXT = 262_144


@dataclass(frozen=True, slots=True)
class Command:
    """Client: carry out these words. The first message; `raise` as the only word brings the window to the front."""

    type: ClassVar[str] = "command"
    protocol: int
    words: list[str]
    folder: str
    language: str
    json: bool
    interactive: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """Client: what was answered to the question with this number; `given` is false at the end of the input."""

    type: ClassVar[str] = "answer"
    number: int
    text: str
    given: bool


@dataclass(frozen=True, slots=True)
class Cancel:
    """Client: stop."""

    type: ClassVar[str] = "cancel"


@dataclass(frozen=True, slots=True)
class Begun:
    """Server: the command is under way; before this, nothing has happened."""

    type: ClassVar[str] = "begun"
    protocol: int


@dataclass(frozen=True, slots=True)
class Output:
    """Server: a part of the result."""

    type: ClassVar[str] = "output"
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """Server: a message for standard error."""

    type: ClassVar[str] = "note"
    text: str


@dataclass(frozen=True, slots=True)
class Value:
    """Server: a JSON value of the result, as text."""

    type: ClassVar[str] = "value"
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """Server: something is asked, in the place of what was asked before and is not answered.

    `kind` is "line", "hidden" or "all" (the rest of the standard input).
    """

    type: ClassVar[str] = "question"
    number: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """Server: the last message, with the exit status."""

    type: ClassVar[str] = "ended"
    status: int


Message: TypeAlias = Command | Answer | Cancel | Begun | Output | Note | Value | Question | Ended
FROM_CLIENT = (Command, Answer, Cancel)
FROM_SERVER = (Begun, Output, Note, Value, Question, Ended)
Kind = TypeVar("Kind", bound=Message)


def pack(message: Message) -> bytes:
    """Return a message as a frame."""
    values: dict[str, Json] = {field.name: getattr(message, field.name) for field in fields(message)}
    return encode({"type": message.type, **values}).encode("utf-8", "surrogatepass")


def unpack(frame: bytes, kinds: tuple[type[Kind], ...]) -> Kind:
    """Read a frame that must hold one of these kinds, with exactly its fields. Raises CONTROL_PROTOCOL."""
    try:
        # Names of files may hold bytes that are not text; Python carries them as lone surrogates.
        found = decode(frame.decode("utf-8", "surrogatepass"))
    except ValueError as error:
        raise broken("no JSON") from error
    if not isinstance(found, dict):
        raise broken("no object")
    named = found.pop("type", None)
    for kind in kinds:
        if kind.type == named:
            return _built(kind, found)
    raise broken("unknown type")


def broken(detail: str) -> NotochordError:
    """Return the failure of a peer that does not keep to the protocol."""
    return NotochordError(Code.CONTROL_PROTOCOL, Fault.SYSTEM, detail)


def _built(kind: type[Kind], values: dict[str, Any]) -> Kind:
    wanted = {field.name: field.type for field in fields(kind)}
    if values.keys() != wanted.keys() or not all(_fits(values[name], wanted[name]) for name in wanted):
        raise broken("wrong fields")
    return kind(**values)


def _fits(value: Json, wanted: object) -> bool:
    if wanted == list[str]:
        return isinstance(value, list) and len(value) <= MAX_WORDS and all(isinstance(word, str) for word in value)
    return type(value) is wanted
