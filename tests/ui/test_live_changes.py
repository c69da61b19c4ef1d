"""Every scene while it is shown: another theme leaves each text its size, another size of text reaches all of them."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget

from notochord.core.sentences import Sentences
from notochord.ui.gallery.rendering import picture
from notochord.ui.gallery.scene import Scene
from notochord.ui.gallery.scenes import scenes
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.theme.theme import Theme, ThemeChoice
from support.runners import HandRunner

LARGER = 150


@pytest.fixture
def changing(theme: Theme) -> Iterator[Theme]:
    theme.set_reduced_motion(True)
    yield theme
    theme.set_text_size(100)
    theme.choose(ThemeChoice.LIGHT)
    theme.set_reduced_motion(False)


def sizes(top: QWidget) -> dict[QWidget, float]:
    return {part: part.font().pointSizeF() for part in (top, *top.findChildren(QWidget)) if part.isVisibleTo(top)}


def differing(before: dict[QWidget, float], after: dict[QWidget, float], factor: float) -> set[str]:
    """Return the widgets whose text is not `factor` times as large as before; half a point is rounding."""
    kept = before.keys() & after.keys()
    return {
        f"{type(part).__name__} {part.accessibleName() or part.objectName()}: {before[part]} {after[part]}"
        for part in kept
        if abs(after[part] - factor * before[part]) > 0.5
    }


# A bare transcript is given its style by the page that it stands on.
SCENES = [scene for scene in scenes() if not scene.name.startswith("transcript-")]


@pytest.mark.parametrize("scene", [pytest.param(scene, id=scene.name) for scene in SCENES])
def test_each_text_keeps_its_size_in_another_theme_and_grows_with_the_others(
    qapp: QApplication, changing: Theme, scene: Scene
) -> None:
    top = scene.build(Kit(changing, Sentences.load("en"), HandRunner()))
    try:
        picture(qapp, top, scene, 1)
        plain = sizes(top)
        changing.choose(ThemeChoice.DARK)
        qapp.processEvents()
        assert not differing(plain, sizes(top), 1)
        changing.set_text_size(LARGER)
        qapp.processEvents()
        assert not differing(plain, sizes(top), LARGER / 100)
    finally:
        top.close()
        top.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
