"""The menu of a place in the transcript, or of the message that the keyboard stands on, with its links."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from notochord.ui.kit.transcript.clipboard import markdown_of, message_data, part_leaves
from notochord.ui.kit.transcript.parts import Item, TextPart
from notochord.viewmodels.chat.markdown.leaves import LINK
from notochord.viewmodels.chat.markdown.links import Link, link_to

if TYPE_CHECKING:
    from notochord.ui.kit.transcript.view import Transcript

MOST_LINKS = 12


def show(view: "Transcript", at: QPoint | None, screen: QPoint) -> None:
    """Open the menu for a point of the viewport; for the current message if there is none."""
    menu = make(view, at)
    menu.popup(screen)


def make(view: "Transcript", at: QPoint | None) -> QMenu:
    """Build the menu; it goes away when it is closed."""
    menu = QMenu(view)
    menu.aboutToHide.connect(menu.deleteLater)
    item = view.current if at is None else view.pointer.item_at(QPointF(at))
    if not view.selection.empty:
        menu.addAction(view.texts.copy, view.copy)
        menu.addAction(view.texts.copy_markdown, lambda: _copy(markdown_of(view.content, view.selection)))
        menu.addSeparator()
    if item is not None and item.text:
        message = item
        menu.addAction(view.texts.copy_message, lambda: _copy_message(view, message))
        if view.selection.empty:
            menu.addAction(view.texts.copy_markdown, lambda: _copy(message.text))
        menu.addSeparator()
    if at is None:
        links = _links(view, item) if item is not None else []
    else:
        span = view.pointer.link_at(QPointF(at))
        link = link_to(span.address) if span is not None else None
        links = [link] if link is not None else []
    for link in links:
        _add_link(view, menu, link)
    menu.addAction(view.texts.select_all, view.select_all)
    return menu


def _add_link(view: "Transcript", menu: QMenu, link: Link) -> None:
    host = link.host.replace("&", "&&")
    action = menu.addAction(view.texts.open_link.format(host=host), lambda: view.link_activated.emit(link.address))
    action.setToolTip(link.described)
    menu.addAction(view.texts.copy_link, lambda: _copy(link.address))
    menu.addSeparator()


def _links(view: "Transcript", item: Item) -> list[Link]:
    """The links of a message, each once."""
    found: dict[str, Link] = {}
    for part in item.parts:
        if not isinstance(part, TextPart):
            continue
        for leaves in part_leaves(view.content, part):
            for leaf in leaves:
                for line in (leaf.line, *(cell for row in leaf.rows for cell in row)):
                    for span in line.spans:
                        link = link_to(span.address) if span.flags & LINK else None
                        if link is not None and len(found) < MOST_LINKS:
                            found.setdefault(link.address, link)
    return list(found.values())


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def _copy_message(view: "Transcript", item: Item) -> None:
    QGuiApplication.clipboard().setMimeData(message_data(item, view.content))
