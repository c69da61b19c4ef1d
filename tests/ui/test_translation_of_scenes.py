"""Every scene in a made-up language: no sentence bypasses the catalogue, nothing is cut when texts are longer."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from notochord.core.sentences import Sentences
from notochord.ui.gallery.scenes import scenes
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.theme.theme import Theme
from support.pseudo_language import CLOSE, OPEN, pseudo
from support.runners import HandRunner
from support.seen_widgets import has_no_name, is_cut, texts, visible

SOURCE = Path(__file__).parents[2] / "src" / "notochord"
TRANSLATED = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
"""A sentence without another in it: those that hold others become so when the inner ones are taken out."""
CODES = re.compile(r"\bE_[A-Z_]+\b")
ADDRESSES = re.compile(r"\bhttps?://\S+|(?:\*\.)?\b[\w-]+(?:\.[\w-]+)+\b")
SEPARATORS = re.compile(r"[\n\t|·•–—,:;()/+=\[\]{}<>\"'“”‘’「」]+")
NAMES = frozenset({
    "Notochord", "OpenAI", "Anthropic", "Google", "Gemini", "OpenRouter", "Ollama", "English", "简体中文",
    "Ctrl", "Shift", "Alt", "Meta", "Esc", "Enter", "Tab", "AM", "PM", "KB", "MB", "GB", "TB", "kB", "ms", "min",
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
})  # fmt: skip
"""Names that are the same in every language, key names, units, and what the locale writes in dates."""


@cache
def sample_texts() -> str:
    """Return every text that stands in the samples and scenes: what users, models and gems would have written."""
    files = [
        *SOURCE.glob("viewmodels/samples/**/*.py"),
        *SOURCE.glob("ui/**/scenes.py"),
        *SOURCE.glob("ui/**/samples.py"),
    ]
    found = [
        node.value
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return "\n".join(found).casefold()


def untranslated(text: str) -> list[str]:
    """Return the parts of a shown text that neither come from the catalogue nor from the samples."""
    left = ADDRESSES.sub("\n", CODES.sub("\n", text.replace("&&", "&")))
    while TRANSLATED.search(left):
        left = TRANSLATED.sub("\n", left)
    return [part for part in map(str.strip, SEPARATORS.split(left)) if not _is_sample(part)]


def _is_sample(part: str) -> bool:
    words = [word.casefold() for word in re.findall(r"[^\W\d_]{2,}", part) if word not in NAMES]
    if not words or part.casefold() in sample_texts():
        return True
    return all(word in sample_texts() for word in words) and len(words) <= 2


ROUNDS = 60


@dataclass(frozen=True, slots=True)
class Findings:
    """What is wrong with scenes: (scene, kind of widget, text)."""

    bypassing: set[tuple[str, str, str]] = field(default_factory=set)
    cut: set[tuple[str, str, str]] = field(default_factory=set)
    nameless: set[tuple[str, str, str]] = field(default_factory=set)


def look_at_all(application: QApplication, kit: Kit, *, higher: int = 1) -> Findings:
    """Lay out one scene after the other, so much higher than in the gallery, and look at each widget that is seen."""
    found = Findings()
    for scene in scenes():
        before = set(QApplication.topLevelWidgets())
        widget = scene.build(kit)
        widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        widget.resize(scene.width, scene.height * higher)
        widget.show()
        for _ in range(4):
            application.processEvents()
        _settle(widget)
        for part in visible(widget):
            _look_at(part, scene.name, found)
        for window in set(QApplication.topLevelWidgets()) - before:
            window.close()
            window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return found


def _settle(widget: QWidget) -> None:
    """Let layouts come to rest: some need a few rounds, more on a busy machine. What stays cut is cut."""
    for _ in range(ROUNDS):
        if not any(map(is_cut, visible(widget))):
            return
        QTest.qWait(5)


def _look_at(part: QWidget, scene: str, found: Findings) -> None:
    kind = type(part).__name__
    said = list(texts(part))
    if any(map(untranslated, said)):
        found.bypassing.update((scene, kind, text) for text in said if untranslated(text))
    if is_cut(part):
        found.cut.add((scene, kind, next(filter(None, said), "")))
    if has_no_name(part):
        found.nameless.add((scene, kind, part.objectName()))


@pytest.fixture(scope="module")
def in_made_up_language(qapp: QApplication, theme: Theme) -> Findings:
    """Samples that load sentences by themselves get the made-up ones too."""
    made_up = pseudo()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sentences, "load", lambda _: made_up)
        return look_at_all(qapp, Kit(theme, made_up, HandRunner()))


@pytest.fixture(scope="module")
def in_english_twice_as_large(qapp: QApplication, theme: Theme) -> Iterator[Findings]:
    theme.set_text_size(200)
    yield look_at_all(qapp, Kit(theme, Sentences.load("en"), HandRunner()), higher=2)
    theme.set_text_size(100)


@pytest.mark.req("APP-006")
def test_no_sentence_of_a_scene_bypasses_the_catalogue(in_made_up_language: Findings) -> None:
    assert not in_made_up_language.bypassing


def test_no_text_of_a_scene_is_cut_when_texts_are_longer(in_made_up_language: Findings) -> None:
    assert not in_made_up_language.cut


def test_no_text_of_a_scene_is_cut_when_letters_are_twice_as_large(in_english_twice_as_large: Findings) -> None:
    assert not in_english_twice_as_large.cut


def test_every_control_of_a_scene_has_a_name_and_a_role(in_made_up_language: Findings) -> None:
    assert not in_made_up_language.nameless


def test_a_sentence_in_the_code_and_a_control_without_a_name_are_found(qapp: QApplication, kit: Kit) -> None:
    page = QWidget()
    field, narrow = QLineEdit(page), Label(kit, "Nobody ever translated this sentence", page)
    narrow.resize(20, 10)
    page.show()
    qapp.processEvents()
    found = Findings()
    for part in (field, narrow):
        _look_at(part, "made up", found)
    page.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert (len(found.bypassing), len(found.cut), len(found.nameless)) == (1, 1, 1)
