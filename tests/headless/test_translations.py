"""Both languages say the same, and each code and key has its sentence once."""

import json
import re
import string
from collections import Counter
from pathlib import Path

import pytest

import notochord.headless
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import shipped
from notochord.core.sentences import LANGUAGES, Sentences, language_of

KEY = re.compile(
    r'"((?:approval|call|chat|entry|gem|headless|help|model|network|option|org|provider|role|undo|usage)'
    r'\.[a-z_.-]*[a-z])"'
)


def texts(language: str) -> dict[str, dict[str, str]]:
    folder = shipped("translations") / language
    return {file.name: json.loads(file.read_text(encoding="utf-8")) for file in folder.glob("*.json")}


def merged(language: str) -> dict[str, str]:
    return {key: text for file in texts(language).values() for key, text in file.items()}


def places(text: str) -> list[str]:
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name is not None})


def test_both_languages_have_the_same_files_and_keys() -> None:
    english, chinese = ({name: set(file) for name, file in texts(language).items()} for language in ("en", "zh_CN"))
    assert english == chinese


def test_both_languages_fill_in_the_same_parameters() -> None:
    chinese = merged("zh_CN")
    different = [key for key, text in merged("en").items() if places(text) != places(chinese[key])]
    assert different == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_empty_or_has_a_nameless_place(language: str) -> None:
    assert [key for key, text in merged(language).items() if not text.strip() or "" in places(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_key_stands_in_one_file_only(language: str) -> None:
    count = Counter(key for file in texts(language).values() for key in file)
    assert [key for key, times in count.items() if times > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_code_has_a_sentence(language: str) -> None:
    assert sorted(set(Code) - merged(language).keys()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_for_a_code_that_does_not_exist(language: str) -> None:
    assert sorted(key for key in merged(language) if key.startswith("E_") and key not in set(Code)) == []


def test_each_key_that_the_front_end_names_has_a_sentence() -> None:
    folder = Path(notochord.headless.__file__).parent
    named = {key for file in folder.rglob("*.py") for key in KEY.findall(file.read_text(encoding="utf-8"))}
    assert len(named) > 60
    assert sorted(named - merged("en").keys()) == []


def test_chinese_sentences_use_chinese_punctuation() -> None:
    wrong = [key for key, text in merged("zh_CN").items() if re.search(r"[\u4e00-\u9fff\u201d}] ?[,;:?!(]", text)]
    assert wrong == []


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh_CN"),
        ({"LANG": "zh_TW"}, "zh_CN"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zh_CN", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_US", "LC_MESSAGES": "zh_SG"}, "zh_CN"),
        ({"LANG": "zh_CN", "LC_ALL": ""}, "zh_CN"),
    ],
)
def test_the_system_chooses_the_language(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


def test_a_language_that_is_not_offered_gives_english() -> None:
    assert Sentences.load("../en").language == "en"


def test_a_failure_begins_with_its_code_and_is_told_in_the_language() -> None:
    error = NotochordError(Code.CHECKS_FAILED, Fault.SYSTEM, "english", count=3)
    assert Sentences.load("zh_CN").failure(error).startswith("E_CHECKS_FAILED\uff1a未通过的检查\uff1a3 项")


def test_a_missing_parameter_shows_as_an_ellipsis() -> None:
    error = NotochordError(Code.CHECKS_FAILED, Fault.SYSTEM)
    assert "failed: …." in Sentences.load("en").failure(error)


def test_a_parameter_is_never_read_as_a_place() -> None:
    sentences = Sentences("en", {"E_NOT_FOUND": "No {name}."})
    error = NotochordError(Code.NOT_FOUND, Fault.USER, name="{secret.__class__}")
    assert sentences.failure(error) == "E_NOT_FOUND: No {secret.__class__}."


def test_a_code_without_a_sentence_is_told_by_its_detail() -> None:
    error = NotochordError(Code.NOT_FOUND, Fault.USER, "nothing there")
    assert Sentences("en", {}).failure(error) == "E_NOT_FOUND: nothing there"
