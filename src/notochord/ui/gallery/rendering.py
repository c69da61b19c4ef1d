"""Renders scenes into PNG files: both themes, both languages, 1x and 2x."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from notochord.core.sentences import LANGUAGES, Sentences
from notochord.ui.gallery.scene import Scene
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.runner import Runner
from notochord.ui.kit.theme.theme import Theme, ThemeChoice

SCALES = (1, 2)
FONTS = ("Inter", "Noto Sans", "Noto Sans CJK SC", "Sans Serif")
TEXT = 13.3
POINTS_IN_PIXEL = 0.75


def render(
    application: QApplication, theme: Theme, runner: Runner, scenes: Sequence[Scene], folder: Path
) -> Iterator[Path]:
    """Write `<name>-<theme>-<language>-<scale>x.png` for each scene into `folder`; yield each. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    theme.set_system_font(picture_font())
    theme.set_reduced_motion(True)
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        theme.choose(choice)
        for language in LANGUAGES:
            kit = Kit(theme, Sentences.load(language).in_window(), runner)
            for scene in scenes:
                yield from render_one(application, kit, scene, folder, f"{choice.value}-{language}")


def render_one(
    application: QApplication, kit: Kit, scene: Scene, folder: Path, state: str, scales: Sequence[int] = SCALES
) -> Iterator[Path]:
    """Write `<name>-<state>-<scale>x.png` for one scene as the kit has it now; yield each. Raises OSError."""
    widget = scene.build(kit)
    try:
        for scale in scales:
            file = folder / f"{scene.name}-{state}-{scale}x.png"
            if not picture(application, widget, scene, scale).save(str(file)):
                raise OSError(f"cannot write {file}")
            yield file
    finally:
        _destroy(widget)


def picture_font() -> QFont:
    """Return the font of the pictures: the size of today's desktops, with Chinese that fits the Latin letters."""
    font = QFont()
    font.setFamilies(list(FONTS))
    font.setPointSizeF(TEXT * POINTS_IN_PIXEL)
    return font


def picture(application: QApplication, widget: QWidget, scene: Scene, scale: int) -> QPixmap:
    """Return the scene as it looks on a screen with this scale."""
    widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    widget.resize(scene.width, scene.height)
    widget.show()
    for _ in range(4):
        application.processEvents()
    found = QPixmap(QSize(scene.width, scene.height) * scale)
    found.setDevicePixelRatio(scale)
    found.fill(widget.palette().window().color())
    painter = QPainter(found)
    widget.render(painter, QPoint())
    painter.end()
    return found


def _destroy(widget: QWidget) -> None:
    widget.close()
    widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
