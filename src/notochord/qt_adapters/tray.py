"""The icon in the desktop's tray, with its menu, and the system's notifications."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

LOOK_AGAIN = 5000
"""Milliseconds between two looks whether the tray is still there, while nothing else of the program can be seen."""


@dataclass(frozen=True, slots=True)
class TrayEntry:
    """An entry of the menu: without an act it is a heading, without a text a line."""

    text: str = ""
    act: Callable[[], None] | None = None


class Tray(QObject):
    """`pressed` tells of a click on the icon itself; on a desktop without a tray nothing is shown and nothing fails."""

    pressed = Signal()

    def __init__(self, icon: QIcon, name: str) -> None:
        super().__init__()
        self._menu = QMenu()
        self._icon = QSystemTrayIcon(icon, self)
        self._icon.setToolTip(name)
        self._icon.setContextMenu(self._menu)
        self._icon.activated.connect(self._activated)
        self._icon.messageClicked.connect(self._message_clicked)
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
        """Stand in the tray if there is one now; a new menu tries again."""
        if self.available and not self._icon.isVisible():
            self._icon.show()

    def close(self) -> None:
        """Leave the tray."""
        self._watch.stop()
        self._icon.hide()
        self._menu.clear()
        self.deleteLater()

    def set_name(self, name: str) -> None:
        """Say something else when the pointer rests on the icon."""
        self._icon.setToolTip(name)

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
        self.show()

    def notify(self, title: str, text: str, act: Callable[[], None]) -> bool:
        """Let the system tell this; `act` is called when it is clicked. False if the system has no such thing."""
        if not (self.available and QSystemTrayIcon.supportsMessages()):
            return False
        self._on_message = act
        self._icon.showMessage(title, text, self._icon.icon())
        return True

    def watch(self, on_gone: Callable[[], None] | None) -> None:
        """Call `on_gone` when the tray disappears, as long as this is asked for (None: no longer)."""
        self._on_gone = on_gone
        if on_gone is None:
            self._watch.stop()
        else:
            self._watch.start()

    def look(self) -> None:
        """See whether the tray is still there; done by itself every few seconds while `watch` asks for it."""
        if not self.available and (gone := self._on_gone):
            self.watch(None)
            gone()

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is not QSystemTrayIcon.ActivationReason.Context:
            self.pressed.emit()

    def _message_clicked(self) -> None:
        act, self._on_message = self._on_message, None
        if act:
            act()
