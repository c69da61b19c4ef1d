"""What the sentences say, and where."""

import re
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.sentences import LANGUAGES, Sentences, joined

OF_THE_COMMAND_LINE = re.compile(r"(?<![\w-])--[a-z]|notochord [a-z]+ |`")
ONLY_THERE = {"E_USAGE_INVALID", "E_TOUR_FAILED"}
"""Codes that only the command line can come to tell."""
SOURCES = Path(__file__).parents[2] / "src" / "notochord"


def reasons_of_the_window() -> set[str]:
    """Return the reasons that are given anywhere but in the commands themselves."""
    files = [file for file in SOURCES.rglob("*.py") if file.relative_to(SOURCES).parts[0] != "headless"]
    return {key for file in files for key in re.findall(r'"(why\.[a-z_]+)"', file.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_failure_sends_people_in_the_window_to_the_command_line(language: str) -> None:
    texts = Sentences.load(language).in_window().texts
    heard = reasons_of_the_window() | {key for key in texts if key.startswith("E_")} - ONLY_THERE
    assert len(heard) > 100
    assert not {key for key in heard & texts.keys() if OF_THE_COMMAND_LINE.search(texts[key])}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_window_says_stands_in_the_place_of_another_sentence(language: str) -> None:
    sentences = Sentences.load(language)
    own = [key.removeprefix("window.said.") for key in sentences.texts if key.startswith("window.said.")]
    assert own
    assert not {key for key in own if key not in sentences.texts}


def test_the_command_line_goes_on_naming_its_commands() -> None:
    error = NotochordError(Code.MODEL_NOT_CHOSEN, Fault.USER)
    sentences = Sentences.load("en")
    assert "notochord provider add" in sentences.failure(error)
    assert "Settings › Model providers" in sentences.in_window().failure(error)


def test_a_failure_begins_with_its_code_in_a_terminal_and_ends_with_it_in_the_window() -> None:
    sentences, error = Sentences.load("en"), NotochordError(Code.GUEST_START, Fault.SYSTEM, "gone", reason="gone")
    assert sentences.failure(error).startswith("E_GUEST_START: ")
    assert sentences.in_window().failure(error).endswith(" (E_GUEST_START)")


def test_sentences_stand_apart_by_a_space_except_after_chinese_punctuation() -> None:
    assert joined(("Reads.", "", "Writes.")) == "Reads. Writes."
    assert joined(("读取。", "写入。")) == "读取。写入。"
