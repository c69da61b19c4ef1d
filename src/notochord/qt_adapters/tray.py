"""The icon in the desktop's tray, with its menu, and the system's notifications."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

LOOK_AGAIN = 5000
"""Milliseconds between two looks whether there is a tray: panels come after the program, and go before it."""


@dataclass(frozen=True, slots=True)
class TrayEntry:
    """An entry of the menu: without an act it is a heading, without a text a line."""

    text: str = ""
    act: Callable[[], None] | None = None


class Tray(QObject):
    """`pressed` tells of a click on the icon itself, `changed` that a tray came or went.

    On a desktop without a tray nothing is shown and nothing fails. The icon is made when a tray is there: Qt decides
    once for each icon by which way it gets there.
    """

    pressed = Signal()
    changed = Signal()

    def __init__(self, icon: QIcon, name: str) -> None:
        super().__init__()
        self._picture = icon
        self._name = name
        self._menu = QMenu()
        self._icon: QSystemTrayIcon | None = None
        self._on_message: Callable[[], None] | None = None
        self._on_gone: Callable[[], None] | None = None
        self._watch = QTimer(self)
        self._watch.setInterval(LOOK_AGAIN)
        self._watch.timeout.connect(self.look)

    @property
    def available(self) -> bool:
        """Tell whether the desktop shows tray icons now; GNOME shows none, and a panel may come and go."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    @property
    def menu(self) -> QMenu:
        return self._menu

    def show(self) -> None:
        """Stand in the tray from now on, whenever there is one."""
        self._watch.start()
        self.look()

    def close(self) -> None:
        """Leave the tray."""
        self._watch.stop()
        self._take_away()
        self._menu.clear()
        self.deleteLater()

    def set_menu(self, entries: Sequence[TrayEntry]) -> None:
        """Show these entries from the next opening on."""
        self._menu.clear()
        for entry in entries:
            if not entry.text:
                self._menu.addSeparator()
                continue
            action = self._menu.addAction(entry.text.replace("&", "&&"))
            action.setEnabled(entry.act is not None)
            if act := entry.act:
                action.triggered.connect(lambda _=False, act=act: act())

    def notify(self, title: str, text: str, act: Callable[[], None]) -> bool:
        """Let the system tell this; `act` is called when it is clicked. False if the system has no such thing."""
        self.look()
        if self._icon is None or not QSystemTrayIcon.supportsMessages():
            return False
        self._on_message = act
        self._icon.showMessage(title, text, self._picture)
        return True

    def watch(self, on_gone: Callable[[], None] | None) -> None:
        """Call `on_gone` once when the tray is not there, as long as this is asked for (None: no longer)."""
        self._on_gone = on_gone

    def look(self) -> None:
        """See whether there is a tray; done by itself every few seconds."""
        there = self.available
        if there is not (self._icon is not None):
            self._put_up() if there else self._take_away()
            self.changed.emit()
        if not there and (gone := self._on_gone):
            self.watch(None)
            gone()

    def _put_up(self) -> None:
        self._icon = QSystemTrayIcon(self._picture, self)
        self._icon.setToolTip(self._name)
        self._icon.setContextMenu(self._menu)
        self._icon.activated.connect(self._activated)
        self._icon.messageClicked.connect(self._message_clicked)
        self._icon.show()

    def _take_away(self) -> None:
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is not QSystemTrayIcon.ActivationReason.Context:
            self.pressed.emit()

    def _message_clicked(self) -> None:
        act, self._on_message = self._on_message, None
        if act:
            act()
