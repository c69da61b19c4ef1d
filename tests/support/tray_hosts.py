"""A tray as KDE and other desktops have one: programs register an icon with it over the session bus."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageType,
    message_bus,
    new_error,
    new_method_call,
    new_method_return,
)
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from support.screens import wait

WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
PROPERTIES = "org.freedesktop.DBus.Properties"
TICK = 0.2


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of an icon's menu, by its number there."""

    number: int
    text: str


class TrayHost:
    """Serves from a thread of its own until `close`."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._items: list[tuple[str, str]] = []
        self._ending = threading.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="tray host")
        self._thread.start()
        assert self._ready.wait(60)

    def close(self) -> None:
        self._ending.set()
        self._thread.join()

    def icon(self) -> "TrayIcon":
        """Wait for the one icon in the tray."""
        wait(lambda: bool(self._items), "an icon in the tray")
        (found,) = self._items
        return TrayIcon(self._address, *found)

    def _serve(self) -> None:
        with open_dbus_connection(bus=self._address) as connection:
            connection.send_and_get_reply(message_bus.RequestName(WATCHER))
            self._ready.set()
            while not self._ending.is_set():
                try:
                    self._answer(connection, connection.receive(timeout=TICK))
                except TimeoutError:
                    continue

    def _answer(self, connection: DBusConnection, message: Message) -> None:
        if message.header.message_type is not MessageType.method_call:
            return
        fields = message.header.fields
        given: dict[str, Callable[[], Message]] = {
            "RegisterStatusNotifierItem": lambda: self._register(message),
            "Get": lambda: new_method_return(message, "v", (PROPERTIES_OF_HOST[message.body[1]],)),
            "GetAll": lambda: new_method_return(message, "a{sv}", (PROPERTIES_OF_HOST,)),
        }
        name = fields[HeaderFields.member]
        unknown = "org.freedesktop.DBus.Error.UnknownMethod"
        connection.send(given[name]() if name in given else new_error(message, unknown))

    def _register(self, message: Message) -> Message:
        (named,) = message.body
        sender = message.header.fields[HeaderFields.sender]
        self._items.append((sender, named) if named.startswith("/") else (named, "/StatusNotifierItem"))
        return new_method_return(message)


PROPERTIES_OF_HOST: dict[str, Any] = {
    "IsStatusNotifierHostRegistered": ("b", True),
    "ProtocolVersion": ("i", 0),
    "RegisteredStatusNotifierItems": ("as", []),
}


class TrayIcon:
    """An icon as the tray shows it, with its menu."""

    def __init__(self, address: str, bus: str, path: str) -> None:
        self._address = address
        self._bus = bus
        self._path = path

    @property
    def title(self) -> str:
        return str(self._property("ToolTip")[2])

    @property
    def has_picture(self) -> bool:
        return bool(self._property("IconName") or self._property("IconPixmap"))

    def press(self) -> None:
        """Click on it."""
        self._ask(self._path, ITEM, "Activate", "ii", (0, 0))

    def menu(self) -> list[Entry]:
        """Return what its menu offers now, without headings and lines."""
        _, (_, _, children) = self._ask(self._property("Menu"), MENU, "GetLayout", "iias", (0, -1, []))
        found = [(number, told) for _, (number, told, _) in children]
        return [
            Entry(number, told["label"][1])
            for number, told in found
            if "label" in told and told.get("enabled", ("b", True))[1]
        ]

    def choose(self, text: str) -> None:
        """Choose an entry of its menu."""
        (number,) = [entry.number for entry in self.menu() if entry.text == text]
        self._ask(self._property("Menu"), MENU, "Event", "isvu", (number, "clicked", ("s", ""), 0))

    def _property(self, name: str) -> Any:
        return self._ask(self._path, PROPERTIES, "Get", "ss", (ITEM, name))[0][1]

    def _ask(self, path: str, interface: str, method: str, form: str, given: tuple[Any, ...]) -> Any:
        with open_dbus_connection(bus=self._address) as connection:
            call = new_method_call(DBusAddress(path, self._bus, interface), method, form, given)
            reply = connection.send_and_get_reply(call, timeout=60)
        assert reply.header.message_type is not MessageType.error, f"{method}: {reply.body}"
        return reply.body
