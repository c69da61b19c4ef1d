"""A model file is looked into before llama.cpp gets it."""

import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notochord.adapters.local_models.gguf import inspect
from notochord.core.codes import Code
from notochord.core.errors import NotochordError


def text(value: str) -> bytes:
    content = value.encode()
    return struct.pack("<Q", len(content)) + content


def small_model(*, values: int = 64, offset: int = 0, data: int = 256) -> bytes:
    """Return a file with one tensor of `values` floats, and `data` bytes of weights."""
    facts = [
        text("general.architecture") + struct.pack("<I", 8) + text("llama"),
        text("llama.context_length") + struct.pack("<II", 4, 2048),
        text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("b"),
        text("tokenizer.ggml.scores") + struct.pack("<IIQ", 9, 6, 2) + struct.pack("<ff", 0, 1),
    ]
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, len(facts)) + b"".join(facts)
    head += text("w") + struct.pack("<IQIQ", 1, values, 0, offset)
    return head + bytes(-len(head) % 32) + bytes(data)


def written(folder: Path, content: bytes) -> Path:
    file = folder / "m.gguf"
    file.write_bytes(content)
    return file


def code_of(file: Path) -> Code | None:
    try:
        inspect(file)
    except NotochordError as error:
        return error.code
    return None


def reason(file: Path) -> str:
    with pytest.raises(NotochordError) as caught:
        inspect(file)
    assert caught.value.code is Code.MODEL_FILE_DAMAGED
    return str(caught.value.parameters["reason"])


def test_a_sound_file_says_what_it_is(tmp_path: Path) -> None:
    found = inspect(written(tmp_path, small_model()))
    assert (found.architecture, found.context) == ("llama", 2048)


@pytest.mark.req("MODEL-004")
def test_a_file_that_was_cut_is_refused_with_both_sizes(tmp_path: Path) -> None:
    """Known fault S1."""
    whole = small_model()
    said = reason(written(tmp_path, whole[: int(len(whole) * 0.9)]))
    assert "cut off" in said
    assert str(len(whole)) in said


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=40)
@given(st.integers(0, len(small_model()) - 1))
def test_a_file_cut_anywhere_is_refused(tmp_path: Path, length: int) -> None:
    assert reason(written(tmp_path, small_model()[:length]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60)
@given(st.integers(0, len(small_model()) - 257), st.integers(0, 255))
def test_a_header_with_any_byte_changed_is_read_or_refused(tmp_path: Path, place: int, value: int) -> None:
    content = bytearray(small_model())
    content[place] = value
    assert code_of(written(tmp_path, bytes(content))) in (None, Code.MODEL_FILE_DAMAGED)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>not found</html>" * 20,
        small_model(values=2**62),
        small_model(offset=2**63),
        b"GGUF" + struct.pack("<IQQ", 3, 2**60, 0) + bytes(64),
        b"GGUF" + struct.pack("<IQQ", 9, 1, 0) + bytes(64),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 0) + bytes(64),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, content: bytes) -> None:
    assert reason(written(tmp_path, content))


def test_a_file_that_is_not_there_is_an_unknown_model(tmp_path: Path) -> None:
    with pytest.raises(NotochordError) as caught:
        inspect(tmp_path / "gone.gguf")
    assert caught.value.code is Code.MODEL_UNKNOWN
