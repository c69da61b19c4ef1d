"""The page: its sections, the way to them, and the search for a setting by words of either language."""

from dataclasses import replace

import pytest

from notochord.core.sentences import LANGUAGES, Sentences
from notochord.services.egress.api import Response
from notochord.viewmodels.samples.settings import page
from notochord.viewmodels.settings.page import AI_SECTIONS, SECTION_TITLES, SETTINGS, Section, SettingsModel
from notochord.viewmodels.shell.navigation import Navigation, Page
from support.settings_bench import SettingsBench


def found(model: SettingsModel, words: str) -> list[str]:
    model.search(words)
    return [setting.title for setting in model.found.value or ()]


@pytest.mark.req("SET-001", "SET-005")
def test_the_sections_have_the_names_of_the_guide() -> None:
    english, chinese = (Sentences.load(language) for language in LANGUAGES)
    titles = dict(SECTION_TITLES)
    assert [english.sentence(titles[section]) for section in AI_SECTIONS] == ["Model providers", "Roles", "Agent"]
    assert [chinese.sentence(titles[section]) for section in AI_SECTIONS] == ["模型服务商", "角色", "Agent"]
    assert {chinese.sentence(titles[one]) for one in (Section.ACCOUNTS, Section.ORGANIZATION)} == {"账号", "组织"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_is_searched_has_a_text(language: str) -> None:
    sentences = Sentences.load(language)
    keys = [f"window.settings.{key}" for keys in SETTINGS.values() for key in keys]
    assert [key for key in keys if sentences.sentence(key) == key] == []
    assert set(SETTINGS) == set(Section)


@pytest.mark.parametrize(
    ("language", "words", "first"),
    [
        ("en", "recovery", "Save recovery key…"),
        ("en", "THEME", "Theme"),
        ("en", "auto-compress", "Auto-compress conversations"),
        ("en", "statistics", "Statistics"),
        ("en", "read_skill", "Knows the installed gems and opens them (read_skill)"),
        ("zh_CN", "代理", "代理"),
        ("zh_CN", "恢复密钥", "保存恢复密钥…"),
        ("zh_CN", "主题", "主题"),
        ("zh_CN", "压缩", "自动压缩对话"),
        ("zh_CN", "GGUF", "添加自己的文件…"),
    ],
)
def test_a_setting_is_found_by_words_of_the_language(language: str, words: str, first: str) -> None:
    assert found(page(language), words)[0] == first


def test_what_explains_a_setting_is_searched_too_and_counts_less() -> None:
    titles = found(page("en"), "token")
    assert titles[0] == "Token limit per run"
    assert "Auto-compress conversations" in titles


def test_words_that_nothing_answers_to_find_nothing_and_no_words_end_the_search() -> None:
    model = page("en")
    assert found(model, "xyzzy") == []
    assert model.found.value == ()
    model.search(" ")
    assert model.found.value is None


def test_the_navigation_leads_to_a_section() -> None:
    navigation = Navigation()
    model = page("en")
    model = type(model)(sentences=Sentences.load("en"), navigation=navigation, sections=model.sections)
    navigation.go(Page.SETTINGS, "network")
    assert model.section.value is Section.NETWORK
    navigation.go(Page.SETTINGS)
    navigation.go(Page.CHAT, "roles")
    assert model.section.value is Section.NETWORK


async def test_reading_a_section_leaves_the_one_that_is_shown(bench: SettingsBench) -> None:
    """Else two sections that are chosen one right after the other would call each other back for ever."""
    shown = page("en", Section.STATISTICS)
    sections = replace(shown.sections, providers=bench.providers)
    model = SettingsModel(sentences=Sentences.load("en"), navigation=Navigation(), sections=sections)
    model.section.set(Section.STATISTICS)
    bench.bench.egress.answer = Response(200, "", (), b'{"models": [{"name": "qwen3:8b"}]}')
    await model.read(Section.PROVIDERS)
    assert model.section.value is Section.STATISTICS
    assert bench.providers.ollama.value == ("qwen3:8b",)
