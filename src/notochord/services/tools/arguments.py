"""Reads the argument text that a model wrote, forgiving where the meaning is plain and clear where it is not."""

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.special_tokens import without_trailing_special_tokens
from notochord.core.strict_json import Json, decode, encode

MAX_CHARACTERS = 4 * 1_048_576


def parse(text: str) -> dict[str, Json]:
    """Return the arguments of a call; no text at all means none.

    Internal tokens of a model (`<|call|>`) after the last bracket are ignored; inside a string they are text.
    Raises NotochordError(TOOL_ARGUMENTS), whose detail tells a model what to do.
    """
    if len(text) > MAX_CHARACTERS:
        raise refused(f"the arguments are longer than {MAX_CHARACTERS} characters. Write in several smaller calls.")
    if not text.strip():
        return {}
    try:
        value = decode(text)
    except ValueError as error:
        value = _without_tokens(text, error)
    if not isinstance(value, dict):
        raise refused('the arguments must be one JSON object such as {"name": "value"}.')
    _refuse_surrogates(value)
    return value


def refused(detail: str) -> NotochordError:
    """Return the error of a call whose arguments cannot be used."""
    return NotochordError(Code.TOOL_ARGUMENTS, Fault.MODEL, detail)


def _without_tokens(text: str, first: ValueError) -> Json:
    stripped = without_trailing_special_tokens(text)
    if stripped != text:
        text = stripped
        try:
            return decode(text) if text.strip() else {}
        except ValueError as error:
            first = error
    if _is_cut_off(text):
        raise refused(
            "the arguments end in the middle: the output limit was reached. The tool did not run. "
            "Call it again with shorter arguments, or in several smaller calls."
        ) from first
    raise refused(f"the arguments are not valid JSON ({first}). Call the tool again with valid JSON.") from first


def _is_cut_off(text: str) -> bool:
    """Tell whether the text ends inside a string, an object or a list."""
    depth, in_string, escaped = 0, False, False
    for letter in text:
        if in_string:
            in_string = escaped or letter != '"'
            escaped = not escaped and letter == "\\"
        elif letter == '"':
            in_string = True
        elif letter in "{[":
            depth += 1
        elif letter in "}]":
            depth -= 1
    return in_string or depth > 0


def _refuse_surrogates(value: Json) -> None:
    try:
        encode(value).encode("utf-8")
    except (UnicodeEncodeError, ValueError) as error:
        raise refused("the arguments hold half a character (a lone surrogate). Write the character itself.") from error
