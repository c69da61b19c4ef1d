"""Every control of the settings is reached with Tab, in the order in which it is seen, and has a name."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from notochord.ui.kit.kit import Kit
from notochord.ui.settings.scenes import SCENES
from support.focus_walk import name_of, out_of_order, walk

CONTROLS = (QAbstractButton, QComboBox, QLineEdit, QAbstractItemView, QAbstractSpinBox)
INSIDE = (QComboBox, QAbstractSpinBox, QAbstractItemView, QLineEdit)
BY_NAME = {scene.name: scene for scene in SCENES}


def controls_in(window: QWidget) -> list[QWidget]:
    """Return the controls that can be used now; what is inside of another control belongs to that."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if isinstance(widget, CONTROLS)
        and widget.isVisibleTo(window)
        and widget.isEnabled()
        and widget.objectName() != "qt_spinbox_lineedit"
        and not is_inside(widget, window)
    ]


def is_inside(widget: QWidget, window: QWidget) -> bool:
    above = widget.parentWidget()
    while above is not None and above is not window:
        if isinstance(above, INSIDE):
            return True
        above = above.parentWidget()
    return False


@pytest.fixture
def shown(kit: Kit, qtbot: QtBot) -> Callable[[str], QWidget]:
    def show(name: str) -> QWidget:
        scene = BY_NAME[name]
        window = scene.build(kit)
        qtbot.addWidget(window)
        window.resize(scene.width, scene.height)
        return window

    return show


@pytest.mark.parametrize("name", [name for name in BY_NAME if "loading" not in name])
def test_tab_reaches_every_control_in_the_order_in_which_it_is_seen(shown: Callable[[str], QWidget], name: str) -> None:
    window = shown(name)
    reached = walk(window)
    missed = [name_of(control) for control in controls_in(window) if not any(is_in(each, control) for each in reached)]
    assert missed == []
    if "page" not in name:  # which has two panes side by side
        assert out_of_order(reached, window) == []


def test_every_control_has_a_name(shown: Callable[[str], QWidget]) -> None:
    windows = {name: shown(name) for name in BY_NAME}
    for window in windows.values():
        window.show()
    nameless = [
        (name, repr(control))
        for name, window in windows.items()
        for control in controls_in(window)
        if not name_of(control)
    ]
    assert nameless == []


def is_in(widget: QWidget, control: QWidget) -> bool:
    return widget is control or control.isAncestorOf(widget)
