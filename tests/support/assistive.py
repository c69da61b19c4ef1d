"""Reads a program as a screen reader does: through AT-SPI, from outside its process."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from jeepney import DBusAddress, MessageType, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

REGISTRY = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
NOBODY = "/org/a11y/atspi/null"
ACCESSIBLE, COMPONENT, TEXT = (f"org.a11y.atspi.{name}" for name in ("Accessible", "Component", "Text"))
PROPERTIES = "org.freedesktop.DBus.Properties"
LABELLED_BY = 2
SECONDS = 20.0


class State(IntEnum):
    """The states that tests look at, by their numbers in AT-SPI."""

    CHECKED = 4
    ENABLED = 8
    FOCUSABLE = 11
    FOCUSED = 12
    SHOWING = 25


@dataclass(frozen=True, slots=True)
class Seen:
    """What a screen reader is told of one object. `bus` and `path` are its address.

    On Linux Qt tells a combo box's value where its name should be; what it is for is then its label or description.
    """

    bus: str
    path: str
    role: str
    name: str
    value: str
    description: str
    states: int

    def is_in(self, state: State) -> bool:
        return bool(self.states >> state & 1)


class Gone(Exception):
    """The object went away, or its program, while it was asked."""


class Reader:
    """A connection to the bus of assistive technology; it ends with `close`."""

    def __init__(self, address: str) -> None:
        self._connection: DBusConnection = open_dbus_connection(bus=address.partition(",")[0])

    def close(self) -> None:
        self._connection.close()

    def program(self, process: int) -> Seen | None:
        """Return the program with this process number, once it tells of itself."""
        for bus, path in self._children(*REGISTRY):
            try:
                if self._process(bus) == process:
                    return self._seen(bus, path)
            except Gone:
                continue
        return None

    def walk(self, top: Seen) -> Iterator[Seen]:
        """Yield all objects that are shown, outer before inner."""
        yield top
        try:
            children = self._children(top.bus, top.path)
        except Gone:
            return
        for bus, path in children:
            try:
                found = self._seen(bus, path)
            except Gone:
                continue
            if found.is_in(State.SHOWING):
                yield from self.walk(found)

    def children(self, seen: Seen) -> list[Seen]:
        """Return what is directly inside, shown or not."""
        return [self._seen(bus, path) for bus, path in self._children(seen.bus, seen.path)]

    def text(self, seen: Seen) -> str:
        """Return the text of an object that has one. Raises Gone."""
        return str(self._ask(seen.bus, seen.path, TEXT, "GetText", "ii", (0, -1))[0])

    def area(self, seen: Seen) -> tuple[int, int, int, int]:
        """Return left, top, width and height on the screen. Raises Gone."""
        left, top, width, height = self._ask(seen.bus, seen.path, COMPONENT, "GetExtents", "u", (0,))[0]
        return left, top, width, height

    def _process(self, bus: str) -> int:
        to = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
        return int(self._ask(*to, "GetConnectionUnixProcessID", "s", (bus,))[0])

    def _seen(self, bus: str, path: str) -> Seen:
        low, high = self._ask(bus, path, ACCESSIBLE, "GetState")[0]
        role = str(self._ask(bus, path, ACCESSIBLE, "GetRoleName")[0])
        name, description = self._property(bus, path, "Name"), self._property(bus, path, "Description")
        value = ""
        if role == "combo box":
            name, value = self._label(bus, path) or description, name
        return Seen(bus, path, role, name, value, description, low | high << 32)

    def _label(self, bus: str, path: str) -> str:
        """Return the text of the label that stands for an object."""
        for relation, objects in self._ask(bus, path, ACCESSIBLE, "GetRelationSet")[0]:
            if relation == LABELLED_BY:
                return " ".join(self._property(*one, "Name") for one in objects)
        return ""

    def _children(self, bus: str, path: str) -> list[tuple[str, str]]:
        found = self._ask(bus, path, ACCESSIBLE, "GetChildren")[0]
        return [(child_bus, child) for child_bus, child in found if child != NOBODY]

    def _property(self, bus: str, path: str, name: str) -> str:
        return str(self._ask(bus, path, PROPERTIES, "Get", "ss", (ACCESSIBLE, name))[0][1])

    def _ask(self, bus: str, path: str, interface: str, method: str, form: str = "", given: Any = ()) -> Any:
        message = new_method_call(DBusAddress(path, bus, interface), method, form or None, given)
        try:
            reply = self._connection.send_and_get_reply(message, timeout=SECONDS)
        except (ConnectionError, TimeoutError) as error:
            raise Gone(f"{method} of {path}: {error!r}") from error
        if reply.header.message_type is MessageType.error:
            raise Gone(f"{method} of {path}: {reply.body}")
        return reply.body
