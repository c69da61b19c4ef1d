"""The grammar of the command line."""

import re
from pathlib import Path

import pytest

from notochord.core.sentences import LANGUAGES, Sentences
from notochord.headless.catalogue import commands
from notochord.headless.command import Command
from notochord.headless.parser import BadUsage, HelpWanted, Parsed, parse, wants_json

FOLDER = Path("/somewhere/here").absolute()
ENGLISH = Sentences.load("en")


def read(*words: str, sentences: Sentences = ENGLISH) -> Parsed:
    return parse(words, commands(), sentences, FOLDER)


def help_of(*words: str, language: str) -> str:
    with pytest.raises(HelpWanted) as wanted:
        read(*words, "--help", sentences=Sentences.load(language))
    return str(wanted.value)


@pytest.mark.parametrize(
    "words",
    [("--json", "--org", "acme", "--home", "h", "org", "list"), ("org", "list", "--home", "h", "--json", "--org=acme")],
)
def test_the_common_options_may_stand_before_or_behind_the_command(words: tuple[str, ...]) -> None:
    parsed = read(*words)
    assert (parsed.organization, parsed.json, parsed.home) == ("acme", True, FOLDER / "h")


def test_a_common_option_between_the_words_counts_too() -> None:
    assert read("org", "--json", "list").json


def test_without_a_command_the_window_is_meant() -> None:
    assert read().command.words == ("desktop",)


def test_without_options_nothing_is_chosen() -> None:
    parsed = read("org", "list")
    assert (parsed.organization, parsed.json, parsed.home) == ("", False, None)


@pytest.mark.parametrize(
    "words",
    [
        ("nothing",),
        ("org",),
        ("org", "create"),
        ("org", "create", "a", "b"),
        ("org", "create", "a", "--key", "pocket"),
        ("org", "list", "--hom", "x"),
        ("chat", "a", "b"),
        ("chat", "--seed", "x", "a"),
        ("provider", "add", "x"),
        ("provider", "add", "x", "--kind", "openai", "--key", "sk-1"),
        ("network", "add", "blocked"),
        ("gem", "install"),
    ],
    ids=" ".join,
)
def test_words_that_make_no_command_are_bad_usage(words: tuple[str, ...]) -> None:
    with pytest.raises(BadUsage, match=r"(?s)^Usage: notochord"):
        read(*words)


@pytest.mark.parametrize("given", ["x.gem", "../x.gem", "/tmp/x.gem"])
def test_paths_count_from_where_the_command_was_given(given: str) -> None:
    assert read("gem", "install", given).arguments.package == FOLDER / given


def test_a_text_may_begin_with_a_dash_behind_two_dashes() -> None:
    assert read("chat", "--", "--json").arguments.text == "--json"


def test_permissions_and_attachments_may_be_given_more_than_once() -> None:
    parsed = read("chat", "--allow", "gem:a", "--allow", "gem:b", "--attach", "x", "--attach", "y", "hello")
    assert parsed.arguments.allow == ["gem:a", "gem:b"]
    assert parsed.arguments.attach == [FOLDER / "x", FOLDER / "y"]


def test_a_value_that_is_called_like_a_command_is_a_value() -> None:
    parsed = read("--org", "chat", "gem", "call", "doctor", "usage")
    assert (parsed.organization, parsed.command.words) == ("chat", ("gem", "call"))
    assert (parsed.arguments.gem, parsed.arguments.tool) == ("doctor", "usage")


def test_one_reading_leaves_nothing_for_the_next() -> None:
    read("chat", "--allow", "gem:a", "hello")
    assert read("chat", "hello").arguments.allow == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", commands(), ids=lambda command: " ".join(command.words))
def test_each_command_explains_itself_in_both_languages(command: Command, language: str) -> None:
    text = help_of(*command.words, language=language)
    assert Sentences.load(language).sentence("usage.prefix") in text
    assert not re.search(r"\b(?:option|help)\.[a-z]", text)


def test_the_whole_help_names_every_command() -> None:
    for words in ((), ("--json",)):
        text = help_of(*words, language="en")
        for command in commands():
            assert f"    {command.words[0]}" in text


def test_a_wrong_word_is_answered_with_all_that_would_be_right() -> None:
    with pytest.raises(BadUsage, match=r"'chat'.*'doctor'"):
        read("caht", "chat")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("org", "erase"), "COMMAND 不能是 'erase'，可选："),
        (("gem", "install"), "缺少 FILE"),
        (("org", "list", "--hom", "x"), "无法识别 --hom x"),
        (("chat", "--seed", "x", "hello"), "--seed 需要数字，而不是 'x'"),
        (("chat", "--seed"), "--seed 后面需要一个值"),
        (("org", "list", "--json=1"), "--json 不接受值，不能写 '1'"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_what_is_wrong_with_the_words_is_told_in_chinese(words: tuple[str, ...], told: str) -> None:
    with pytest.raises(BadUsage) as wrong:
        read(*words, sentences=Sentences.load("zh_CN"))
    assert told in wrong.value.message
    assert not re.search(r"usage:|argument|invalid|required|expected|unrecognized", str(wrong.value))


def test_the_nearest_word_is_named() -> None:
    with pytest.raises(BadUsage, match="the nearest is “chat”"):
        read("caht")


def test_a_group_alone_shows_what_belongs_to_it() -> None:
    with pytest.raises(BadUsage, match=r"(?s)Create an organization.*COMMAND is missing"):
        read("org")


def test_bad_usage_is_told_to_a_script_as_an_error() -> None:
    with pytest.raises(BadUsage) as wrong:
        read("org", "erase", "--json")
    error = wrong.value.as_json()
    assert error == {"error": {"code": "E_USAGE_INVALID", "message": wrong.value.message}}


@pytest.mark.parametrize(
    ("words", "wanted"), [(("org", "--json"), True), (("org", "--", "--json"), False), (("org",), False)]
)
def test_json_is_wanted_also_by_words_that_make_no_command(words: tuple[str, ...], wanted: bool) -> None:
    assert wants_json(words) is wanted


def test_bad_usage_is_told_in_chinese() -> None:
    with pytest.raises(BadUsage, match=r"(?s)用法\uff1a.*命令有误"):
        read("org", "erase", sentences=Sentences.load("zh_CN"))


def test_no_option_takes_a_secret() -> None:
    names = " ".join(help_of(*command.words, language="en") for command in commands())
    for forbidden in ("--password", "--api-key", "--secret", "--token"):
        assert forbidden not in names
