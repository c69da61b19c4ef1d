"""Frames are written and read as the contract says, and what is no frame is refused before it costs anything."""

import asyncio
import contextlib
import json
import struct
from pathlib import Path
from typing import TypedDict, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.core.strict_json import Json
from notochord.services.sandbox import frames
from notochord.services.sandbox.frames import ProtocolViolation, encode_frame, read_frame
from notochord.services.sandbox.limits import GuestLimits
from notochord.services.sandbox.messages import Asked, Logged, clean, parse

CONTRACT = Path(__file__).parents[2] / "contracts" / "guest_frames.json"


class Sample(TypedDict):
    name: str
    message: dict[str, Json]
    attachment: str
    bytes: str


SAMPLES = cast("list[Sample]", json.loads(CONTRACT.read_text(encoding="utf-8"))["frames"])


class Stream:
    """Bytes to read, and how many were asked for at most."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.most = 0

    async def read(self, count: int) -> bytes:
        self.most = max(self.most, count)
        if len(self._content) < count:
            raise EOFError
        taken, self._content = self._content[:count], self._content[count:]
        return taken


def frame(text: bytes, attachment: bytes = b"") -> bytes:
    return struct.pack("<II", len(text), len(attachment)) + text + attachment


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["name"])
async def test_both_directions_follow_the_contract(sample: Sample) -> None:
    content = bytes.fromhex(sample["bytes"])
    assert b"".join(encode_frame(sample["message"], bytes.fromhex(sample["attachment"]))) == content
    read = await read_frame(Stream(content).read, GuestLimits())
    assert (read.message, read.attachment.hex()) == (sample["message"], sample["attachment"])


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"[]", b"1", b'{"a":NaN}', b'{"a":1,"a":2}', b'{"a":"\xff"}', b"[" * 100_000, b'{"a":' * 300 + b"1"],
    ids=["empty", "cut", "array", "number", "NaN", "key twice", "no UTF-8", "deep", "deep objects"],
)
async def test_what_is_no_json_object_is_a_violation(text: bytes) -> None:
    with pytest.raises(ProtocolViolation):
        await read_frame(Stream(frame(text)).read, GuestLimits())


@pytest.mark.parametrize("lengths", [(2**32 - 1, 0), (2, 2**32 - 1), (8 * 2**20 + 1, 0), (2, 20 * 2**20 + 1)])
async def test_a_length_beyond_the_limit_is_refused_before_anything_is_read(lengths: tuple[int, int]) -> None:
    stream = Stream(struct.pack("<II", *lengths) + b"{}")
    with pytest.raises(ProtocolViolation):
        await read_frame(stream.read, GuestLimits())
    assert stream.most == 8


async def test_half_a_character_becomes_a_replacement_character() -> None:
    read = await read_frame(Stream(frame(b'{"a":["\\ud83d","\\ud83d\\ude00"]}')).read, GuestLimits())
    assert read.message == {"a": ["\ufffd", "😀"]}


async def test_half_a_character_in_an_answer_is_written_as_text() -> None:
    assert b'{"a":"?"}' in encode_frame({"a": "\ud83d"})[0]


@given(st.binary(max_size=400))
async def test_no_bytes_do_more_than_be_refused(content: bytes) -> None:
    stream = Stream(content)
    try:
        while True:
            parse(await read_frame(stream.read, GuestLimits()))
    except (ProtocolViolation, EOFError):
        pass


VALUES: st.SearchStrategy[Json] = st.sampled_from([None, True, -1, 0, 7, 2**60, 1.5, "", "files.read", [], {}, [{}]])
KINDS = st.sampled_from(["ready", "request", "returned", "thrown", "log", "call"])
FIELDS = st.sampled_from(["call", "id", "target", "arguments", "attached", "name", "message", "tooLarge", "text"])


@given(KINDS, st.dictionaries(FIELDS, VALUES, max_size=8))
async def test_no_fields_do_more_than_be_refused(kind: str, fields: dict[str, Json]) -> None:
    head, attachment = encode_frame({**fields, "type": kind})
    with contextlib.suppress(ProtocolViolation):
        parse(await read_frame(Stream(head + attachment).read, GuestLimits()))


@pytest.mark.parametrize("call", [True, 1.5, "1", None, -1, 2**53, []])
async def test_an_id_is_a_whole_number(call: Json) -> None:
    head, _ = encode_frame({"type": "log", "call": call, "text": "x"})
    with pytest.raises(ProtocolViolation):
        parse(await read_frame(Stream(head).read, GuestLimits()))


async def test_an_empty_attachment_is_told_from_none() -> None:
    for attached, expected in ((True, b""), (False, None)):
        message: dict[str, Json] = {
            "type": "request", "call": 1, "id": 2, "target": "files.write", "arguments": {}, "attached": attached,
        }  # fmt: skip
        read = parse(await read_frame(Stream(encode_frame(message)[0]).read, GuestLimits()))
        assert isinstance(read, Asked)
        assert read.attachment == expected


async def test_a_line_of_the_console_is_cut_and_cleaned() -> None:
    head, _ = encode_frame({"type": "log", "call": 1, "text": "\x1b[31mred\r\x00\n" + "x" * 10_000})
    logged = parse(await read_frame(Stream(head).read, GuestLimits()))
    assert isinstance(logged, Logged)
    assert logged.text.startswith("\ufffd[31mred \ufffd\n")
    assert len(logged.text) == 4_096


@given(st.text(max_size=200))
def test_cleaned_text_holds_nothing_that_steers_a_terminal(text: str) -> None:
    assert all(letter.isprintable() or letter in "\t\n\ufffd" for letter in clean(text, 100))


async def turns_while_read(content: bytes) -> int:
    """Return how many turns others got on the loop while a frame was read."""
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    try:
        await read_frame(Stream(frame(content)).read, GuestLimits())
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    return turns


async def test_a_large_frame_is_parsed_beside_the_loop() -> None:
    text = json.dumps({"type": "request", "arguments": {"text": "x, " * 2_000_000}}).encode()
    assert await turns_while_read(text) > 0


async def test_control_a_small_frame_is_parsed_on_the_loop() -> None:
    assert await turns_while_read(b'{"type":"ready"}') == 0


@pytest.mark.parametrize("text", [b'{"a":[' + b"1," * 3_000_000 + b"1]}", b'{"a":[' + b'"\\"",' * 400_000 + b"1]}"])
async def test_a_frame_of_very_many_parts_is_refused_unread(text: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "decode_hostile", None)
    with pytest.raises(ProtocolViolation, match="too many parts"):
        await read_frame(Stream(frame(text)).read, GuestLimits())
