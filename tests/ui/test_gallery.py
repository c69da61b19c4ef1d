"""The gallery: every scene renders; `notochord gallery` takes all themes, languages and scales of them."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from notochord.core.sentences import LANGUAGES, Sentences
from notochord.ui.gallery.rendering import picture, render, render_one
from notochord.ui.gallery.scene import Scene
from notochord.ui.gallery.scenes import scenes
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.theme.theme import Theme, ThemeChoice
from support.runners import HandRunner

IN_TURN = (
    ((ThemeChoice.LIGHT, "en"), (ThemeChoice.DARK, "zh_CN")),
    ((ThemeChoice.DARK, "en"), (ThemeChoice.LIGHT, "zh_CN")),
)
"""Two states for each scene, so that neighbours, which are alike, are seen in all four."""
MOST_BELOW = 45
"""Pixels of margin below the last control of a page."""


@pytest.fixture
def still(qapp: QApplication, theme: Theme) -> Iterator[Theme]:
    font = QFont(qapp.font())
    theme.set_reduced_motion(True)
    yield theme
    theme.set_system_font(font)
    theme.set_reduced_motion(False)
    theme.choose(ThemeChoice.LIGHT)


def test_scenes_have_names_of_their_own() -> None:
    names = [scene.name for scene in scenes()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("scene", "states"),
    [pytest.param(scene, IN_TURN[number % 2], id=scene.name) for number, scene in enumerate(scenes())],
)
def test_each_scene_is_rendered_and_leaves_nothing_behind(
    qapp: QApplication, still: Theme, tmp_path: Path, scene: Scene, states: tuple[tuple[ThemeChoice, str], ...]
) -> None:
    for choice, language in states:
        still.choose(choice)
        kit = Kit(still, Sentences.load(language), HandRunner())
        (file,) = render_one(qapp, kit, scene, tmp_path, f"{choice.value}-{language}", scales=(1,))
        assert file.stat().st_size > 1000


def test_a_scene_is_rendered_for_each_theme_language_and_scale(
    qapp: QApplication, still: Theme, tmp_path: Path
) -> None:
    scene = scenes()[0]
    written = {file.name for file in render(qapp, still, HandRunner(), (scene,), tmp_path)}
    assert written == {
        f"{scene.name}-{theme}-{language}-{scale}x.png"
        for theme, language, scale in product(("light", "dark"), LANGUAGES, (1, 2))
    }


def test_a_page_scrolls_no_further_than_to_its_last_control(qapp: QApplication, kit: Kit) -> None:
    (scene,) = [scene for scene in scenes() if scene.name == "settings-system"]
    page = scene.build(kit)
    picture(qapp, page, scene, 1)
    (area,) = [area for area in (page, *page.findChildren(QScrollArea)) if isinstance(area, QScrollArea)]
    content = area.widget()
    assert content is not None
    ends = [
        part.mapTo(content, QPoint(0, part.height())).y()
        for part in content.findChildren(QWidget)
        if part.isVisibleTo(page) and part.layout() is None
    ]
    room, told = area.viewport().height(), content.height()
    page.close()
    page.deleteLater()
    assert told <= max(room, max(ends) + MOST_BELOW)
