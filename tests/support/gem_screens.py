"""Shows the page of a gem, reads it from top to bottom, and notes what its commands are asked for."""

from typing import Any

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from notochord.ui.gem.page import GemPage
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.gem.model import GemModel
from support.focus_walk import shown


def page_of(kit: Kit, qtbot: QtBot, model: GemModel, width: int = 1064, height: int = 760) -> GemPage:
    page = GemPage(kit, model, lambda _: None)
    shown(qtbot, page, width, height)
    return page


def seen(widget: QWidget) -> list[str]:
    """Return the texts of the labels that are shown, from top to bottom."""
    labels = [label for label in widget.findChildren(Label) if label.isVisible()]
    return [label.text() for label in sorted(labels, key=lambda one: one.mapTo(widget, one.rect().topLeft()).y())]


def heard(model: GemModel, name: str) -> list[Any]:
    """Let a command of the model only note what it was asked for."""
    calls: list[Any] = []

    async def note(*given: Any, **named: Any) -> None:
        calls.append((*given, *named.values()))

    setattr(model, name, note)
    return calls
