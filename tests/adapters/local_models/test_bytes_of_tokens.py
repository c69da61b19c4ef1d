"""Known fault D2: tokens of single bytes cut characters; what is incomplete waits, and none is lost at the end."""

from collections.abc import Iterator
from itertools import accumulate
from types import SimpleNamespace
from typing import Any, cast

import pytest

from notochord.adapters.local_models.engine import Cancelled, Order, _Writing

JAPANESE = "東京は夜の七時。🌸です"
END = 256
"""The token that ends an answer; every other one is the byte of its number, as in a vocabulary that falls back."""

llama_cpp = pytest.importorskip("llama_cpp").llama_cpp


class ByteModel:
    """Stands for llama.cpp with a model that writes these bytes, a token each, and ends."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._model = SimpleNamespace(vocab=None)

    def generate(self, tokens: list[int], **_: Any) -> Iterator[int]:
        yield from self._content
        yield END

    def detokenize(self, tokens: list[int]) -> bytes:
        return bytes(tokens)


@pytest.fixture(autouse=True)
def end_of_the_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama_cpp, "llama_vocab_is_eog", lambda _, token: token == END)


def written(content: bytes, limit: int, *, moves: int = 0) -> tuple[list[str], str]:
    """Return the pieces as they are told, and how the answer ended."""
    told: list[str] = []
    order = Order("", (), (), limit, 0.0, None)
    writing = _Writing(cast(Any, ByteModel(content)), [1], order, limit, lambda: False)
    return told, writing.answer(told.append, moves=moves).finish


def test_each_character_is_told_once_all_of_its_bytes_are_there() -> None:
    told, finish = written(JAPANESE.encode(), 1000)
    assert told == list(JAPANESE)
    assert finish == "stop"


@pytest.mark.parametrize("limit", range(1, len(JAPANESE.encode())))
def test_bytes_that_are_left_when_the_limit_is_reached_are_told_at_the_end(limit: int) -> None:
    told, finish = written(JAPANESE.encode(), limit)
    ends = list(accumulate(len(letter.encode()) for letter in JAPANESE))
    whole = sum(end <= limit for end in ends)
    left = [] if limit in ends else ["\ufffd"]
    assert told == [*JAPANESE[:whole], *left]
    assert finish == "length"


def test_bytes_that_are_left_when_the_model_ends_are_told_once_and_what_follows_a_broken_character_stays() -> None:
    cut = "日".encode()[:2]
    assert written(b"a" + cut, 1000) == (["a", "\ufffd"], "stop")
    assert "".join(written(cut + b"b" + "本".encode(), 1000)[0]) == "\ufffdb本"


def test_an_answer_after_a_choice_of_tools_begins_with_its_first_character() -> None:
    assert "".join(written(" \n日本".encode(), 1000, moves=3)[0]) == "日本"


def test_a_cancelled_answer_tells_no_half_of_a_character() -> None:
    told: list[str] = []
    asked = iter((False, False, True))
    order = Order("", (), (), 10, 0.0, None)
    writing = _Writing(cast(Any, ByteModel("日".encode())), [1], order, 10, lambda: next(asked))
    with pytest.raises(Cancelled):
        writing.answer(told.append, moves=0)
    assert told == []
