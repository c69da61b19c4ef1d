"""The transcript for assistive technology: a list with one item per message, each with its text.

The Python bindings want the pointers of interfaces: a wrong answer of `interface_cast` ends the process, so all of it
is in this file. Interfaces live as long as their objects; nothing is done while nobody listens.
"""

from typing import TYPE_CHECKING

import shiboken6  # noqa: TID251 - the bindings ask for raw pointers here
from PySide6.QtCore import QObject, QPoint, QRect, QSize
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
    QAccessibleObject,
    QAccessibleTextInsertEvent,
    QAccessibleTextInterface,
    QWindow,
)
from PySide6.QtWidgets import QAccessibleWidget, QWidget

from notochord.ui.kit.transcript.clipboard import part_leaves
from notochord.ui.kit.transcript.entries import CardEntry, Role
from notochord.ui.kit.transcript.parts import CardPart, Item

if TYPE_CHECKING:
    from notochord.ui.kit.transcript.view import Transcript

MOST_TEXT = 200_000
"""Characters of one message that are handed out."""


class Node(QObject):
    """One message, as an object that Qt can own."""

    def __init__(self, view: "Transcript", item: Item) -> None:
        super().__init__(view)
        self.view = view
        self.item = item

    def text(self) -> str:
        """What the message says."""
        out: list[str] = []
        for part in self.item.parts:
            if isinstance(part, CardPart):
                out.append(part.entry.text)
            elif not part.hidden:
                out += [leaf.text for leaves in part_leaves(self.view.content, part) for leaf in leaves]
            if sum(map(len, out)) > MOST_TEXT:
                break
        return "\n".join(out)[:MOST_TEXT]

    def name(self) -> str:
        """Who says it."""
        entry = self.item.entry
        if isinstance(entry, CardEntry):
            return entry.name
        who = entry.who or (self.view.texts.reasoning if entry.role is Role.REASONING else "")
        return " ".join(filter(None, (who, entry.badge, entry.when)))

    def area(self) -> QRect:
        """Where it is on the screen."""
        view, first, last = self.view, self.item.parts[0], self.item.parts[-1]
        top = view.anchor.top_of(first.index)
        height = view.anchor.top_of(last.index) + view.content.heights[last.index] - top
        corner = view.viewport().mapToGlobal(QPoint(int(view.left()), int(max(-1e6, min(1e6, top)))))
        return QRect(corner, QSize(int(view.content.width), int(min(1e6, height))))


class _NodeText(QAccessibleTextInterface):
    def __init__(self, node: Node) -> None:
        super().__init__()
        self._node = node

    def text(self, startOffset: int, endOffset: int) -> str:
        return self._node.text()[startOffset:endOffset]

    def characterCount(self) -> int:
        return len(self._node.text())

    def cursorPosition(self) -> int:
        return 0

    def setCursorPosition(self, position: int) -> None:
        pass

    def selectionCount(self) -> int:
        return 0

    def selection(self, selectionIndex: int) -> object:
        return (0, 0)

    def addSelection(self, startOffset: int, endOffset: int) -> None:
        pass

    def removeSelection(self, selectionIndex: int) -> None:
        pass

    def setSelection(self, selectionIndex: int, startOffset: int, endOffset: int) -> None:
        pass

    def characterRect(self, offset: int) -> QRect:
        return QRect()

    def offsetAtPoint(self, point: QPoint) -> int:
        return -1

    def scrollToSubstring(self, startIndex: int, endIndex: int) -> None:
        self._node.view.reveal(self._node.item)

    def attributes(self, offset: int) -> object:
        return ("", 0, self.characterCount())


class _NodeFace(QAccessibleObject):
    def __init__(self, node: Node) -> None:
        super().__init__(node)
        self._node = node
        self._text = _NodeText(node)
        self._pointer = shiboken6.VoidPtr(shiboken6.getCppPointer(self._text)[0])
        self._none = shiboken6.VoidPtr(0)

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self._node.view)

    def window(self) -> QWindow:
        return self._node.view.window().windowHandle()

    def child(self, index: int) -> QAccessibleInterface:
        controls = self._controls()
        found = controls[index] if 0 <= index < len(controls) else None
        return QAccessible.queryAccessibleInterface(found)  # type: ignore[arg-type]  # None, too

    def childCount(self) -> int:
        return len(self._controls())

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        return None  # type: ignore[return-value]  # for none

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        subject, controls = child.object() if child is not None else None, self._controls()
        return next((at for at, control in enumerate(controls) if control is subject), -1)

    def _controls(self) -> list[QWidget]:
        return self._node.view.overlays.controls_of(self._node.item)

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        state, view = QAccessible.State(), self._node.view
        area = self._node.area()
        window = QRect(view.viewport().mapToGlobal(QPoint(0, 0)), view.viewport().size())
        state.offscreen = not window.intersects(area)
        state.readOnly = state.focusable = True
        state.focused = view.current is self._node.item and view.hasFocus()
        return state

    def rect(self) -> QRect:
        return self._node.area()

    def text(self, t: QAccessible.Text) -> str:
        return self._node.name() if t is QAccessible.Text.Name else ""

    def setText(self, t: QAccessible.Text, text: str) -> None:
        pass

    def interface_cast(self, t: QAccessible.InterfaceType) -> int:
        wanted = t is QAccessible.InterfaceType.TextInterface
        return self._pointer if wanted else self._none  # type: ignore[return-value]  # a pointer


class _ListFace(QAccessibleWidget):
    """The list: a card in view stands for itself, every other entry for its node; the way to the newest is the last."""

    def __init__(self, view: "Transcript") -> None:
        super().__init__(view, QAccessible.Role.List, view.accessibleName())
        self._view = view

    def childCount(self) -> int:
        return self._view.content.roster.count_items() + self._view.overlays.newest.isVisible()

    def child(self, index: int) -> QAccessibleInterface:
        roster, newest = self._view.content.roster, self._view.overlays.newest
        if index == roster.count_items() and newest.isVisible():
            return QAccessible.queryAccessibleInterface(newest)
        if not 0 <= index < roster.count_items():
            return None  # type: ignore[return-value]  # for none
        item = roster.item(index)
        part = item.parts[0]
        card = self._view.cards.alive(part) if isinstance(part, CardPart) else None
        return QAccessible.queryAccessibleInterface(card if card is not None else node_of(self._view, item))

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        found = child.object() if child is not None else None
        if found is self._view.overlays.newest:
            return self._view.content.roster.count_items()
        item = found.item if isinstance(found, Node) else self._view.cards.item_of(found)
        roster = self._view.content.roster
        return roster.place(item.entry.id) if item is not None and roster.knows(item.entry.id) else -1

    def text(self, t: QAccessible.Text) -> str:
        return self._view.accessibleName() if t is QAccessible.Text.Name else ""


_NODES = "_notochord_nodes"
_alive: dict[int, list[QAccessibleInterface]] = {}


def introduce(view: "Transcript") -> None:
    """Let assistive technology find the conversation as a list; to be called whenever it comes into view.

    A class whose methods were connected meanwhile counts as another one, and Qt asks for its interface anew.
    """
    if not isinstance(QAccessible.queryAccessibleInterface(view), _ListFace):
        _register(view, _ListFace(view))


def _register(subject: QObject, face: QAccessibleInterface) -> None:
    """Keep an interface of an object for as long as the object lives.

    A factory of interfaces would be handed every object of the process, and the bindings end the process for those of
    the browser engine, which were compiled without run-time types.
    """
    key = id(subject)
    QAccessible.registerAccessibleInterface(face)
    if key not in _alive:  # connected after Qt, which deletes its interfaces at the same signal
        subject.destroyed.connect(lambda _=None: _alive.pop(key, None))
    _alive.setdefault(key, []).append(face)


def node_of(view: "Transcript", item: Item) -> Node:
    """The object that stands for a message, made when it is first asked for."""
    nodes: dict[int, Node] = view.__dict__.setdefault(_NODES, {})
    node = nodes.get(id(item))
    if node is None or node.item is not item:
        node = nodes[id(item)] = Node(view, item)
        _register(node, _NodeFace(node))
    return node


def dropped(view: "Transcript") -> None:
    """Let go of the messages of a conversation that is shown no more."""
    nodes: dict[int, Node] = view.__dict__.pop(_NODES, {})
    for node in nodes.values():
        node.deleteLater()


def forgot(view: "Transcript", item: Item) -> None:
    """Let go of a message that is gone."""
    node = view.__dict__.get(_NODES, {}).pop(id(item), None)
    if node is not None:
        node.deleteLater()


def grew(view: "Transcript", item: Item) -> None:
    """Tell who listens that text was added to a message."""
    if QAccessible.isActive():
        node = node_of(view, item)
        text = node.text()
        QAccessible.updateAccessibility(QAccessibleTextInsertEvent(node, max(0, len(text) - 1), text[-1:]))


def completed(view: "Transcript", item: Item) -> None:
    """Read an answer out when it is complete."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(view, node_of(view, item).text()))


def focused(view: "Transcript", item: Item) -> None:
    """Tell who listens that the keyboard stands on a message."""
    if QAccessible.isActive():
        event = QAccessibleEvent(node_of(view, item), QAccessible.Event.Focus)
        QAccessible.updateAccessibility(event)
