"""The gallery: every scene renders in both themes and languages."""

from pathlib import Path

from PySide6.QtWidgets import QApplication

from notochord.ui.gallery.rendering import render
from notochord.ui.gallery.scenes import scenes
from notochord.ui.kit.theme.theme import Theme
from support.runners import HandRunner


def test_scenes_have_names_of_their_own() -> None:
    names = [scene.name for scene in scenes()]
    assert len(names) == len(set(names))


def test_each_scene_is_rendered_for_each_theme_language_and_scale(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    written = list(render(qapp, theme, HandRunner(), scenes(), tmp_path))
    assert len(set(written)) == 8 * len(scenes())
    assert all(file.stat().st_size > 1000 for file in written)
