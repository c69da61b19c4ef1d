"""Reads a program as a screen reader does: through AT-SPI, from outside its process."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from typing import Any

from jeepney import DBusAddress, HeaderFields, Message, MessageType, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

REGISTRY = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
NOBODY = "/org/a11y/atspi/null"
ACCESSIBLE, COMPONENT, TEXT = (f"org.a11y.atspi.{name}" for name in ("Accessible", "Component", "Text"))
PROPERTIES = "org.freedesktop.DBus.Properties"
LABELLED_BY = 2
FIRST_SERIAL = 1000
SECONDS = 40.0


class State(IntEnum):
    """The states that tests look at, by their numbers in AT-SPI."""

    CHECKED = 4
    ENABLED = 8
    FOCUSABLE = 11
    FOCUSED = 12
    SELECTABLE = 22
    SELECTED = 23
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


@dataclass(frozen=True, slots=True)
class Question:
    """A call over the bus."""

    bus: str
    path: str
    interface: str
    method: str
    form: str = ""
    given: tuple[Any, ...] = ()

    def message(self) -> Message:
        to = DBusAddress(self.path, self.bus, self.interface)
        return new_method_call(to, self.method, self.form or None, self.given)


class Gone(Exception):
    """The object went away, or its program, while it was asked."""


class Reader:
    """A connection to the bus of assistive technology; it ends with `close`."""

    def __init__(self, address: str) -> None:
        self._connection: DBusConnection = open_dbus_connection(bus=address.partition(",")[0])
        self._last = FIRST_SERIAL

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
        """Yield all objects that are shown, outer before inner; each depth is asked for at once."""
        inside: dict[Seen, list[Seen]] = {}
        level = [top]
        while level:
            held = self._ask_all([Question(one.bus, one.path, ACCESSIBLE, "GetChildren") for one in level])
            places = [[(bus, path) for bus, path in body[0] if path != NOBODY] if body else [] for body in held]
            found = iter(self._all_seen([place for some in places for place in some]))
            for one, some in zip(level, places, strict=True):
                inside[one] = [child for child in islice(found, len(some)) if child and child.is_in(State.SHOWING)]
            level = [child for one in level for child in inside[one]]
        return self._flat(top, inside)

    def focused(self, top: Seen) -> list[Seen]:
        """Return all that says it has the keyboard, outer before inner; asks for little, since it is asked often."""
        found: list[tuple[str, str]] = []
        level = [(top.bus, top.path)]
        while level:
            held = self._ask_all([Question(*place, ACCESSIBLE, "GetChildren") for place in level])
            inside = [(bus, path) for body in held if body for bus, path in body[0] if path != NOBODY]
            told = self._ask_all([Question(*place, ACCESSIBLE, "GetState") for place in inside])
            states = [body[0][0] if body else 0 for body in told]
            level = [place for place, state in zip(inside, states, strict=True) if state >> State.SHOWING & 1]
            found += [place for place, state in zip(inside, states, strict=True) if state >> State.FOCUSED & 1]
        return [one for one in self._all_seen(found) if one is not None]

    def _flat(self, top: Seen, inside: dict[Seen, list[Seen]]) -> Iterator[Seen]:
        yield top
        for child in inside.get(top, ()):
            yield from self._flat(child, inside)

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
        (found,) = self._all_seen([(bus, path)])
        if found is None:
            raise Gone(path)
        return found

    def _all_seen(self, places: list[tuple[str, str]]) -> list[Seen | None]:
        questions = [
            question
            for place in places
            for question in (
                Question(*place, ACCESSIBLE, "GetState"),
                Question(*place, ACCESSIBLE, "GetRoleName"),
                Question(*place, PROPERTIES, "Get", "ss", (ACCESSIBLE, "Name")),
                Question(*place, PROPERTIES, "Get", "ss", (ACCESSIBLE, "Description")),
            )
        ]
        bodies = iter(self._ask_all(questions))
        return [self._made(place, list(islice(bodies, 4))) for place in places]

    def _made(self, place: tuple[str, str], told: list[Any]) -> Seen | None:
        if None in told:
            return None
        (states,), (role,), (named,), (described,) = told
        name, description, value = str(named[1]), str(described[1]), ""
        if role == "combo box":
            name, value = self._label(*place) or description, name
        return Seen(*place, role, name, value, description, states[0] | states[1] << 32)

    def _label(self, bus: str, path: str) -> str:
        """Return the text of the label that stands for an object."""
        for relation, objects in self._ask(bus, path, ACCESSIBLE, "GetRelationSet")[0]:
            if relation == LABELLED_BY:
                return " ".join(self._property(place[0], place[1], "Name") for place in objects)
        return ""

    def _children(self, bus: str, path: str) -> list[tuple[str, str]]:
        found = self._ask(bus, path, ACCESSIBLE, "GetChildren")[0]
        return [(child_bus, child) for child_bus, child in found if child != NOBODY]

    def _property(self, bus: str, path: str, name: str) -> str:
        return str(self._ask(bus, path, PROPERTIES, "Get", "ss", (ACCESSIBLE, name))[0][1])

    def _ask(self, bus: str, path: str, interface: str, method: str, form: str = "", given: Any = ()) -> Any:
        (body,) = self._ask_all([Question(bus, path, interface, method, form, given)])
        if body is None:
            raise Gone(f"{method} of {path}")
        return body

    def _ask_all(self, questions: list[Question]) -> list[Any]:
        """Ask all at once; the answer is None where there is no such object any more."""
        waiting = {number + self._last: None for number in range(1, len(questions) + 1)}
        try:
            for serial, question in zip(waiting, questions, strict=True):
                self._connection.send(question.message(), serial)
            self._last += len(questions)
            missing = set(waiting)
            while missing:
                reply = self._connection.receive(timeout=SECONDS)
                serial = reply.header.fields.get(HeaderFields.reply_serial, -1)
                if serial in missing:
                    missing.discard(serial)
                    waiting[serial] = None if reply.header.message_type is MessageType.error else reply.body
        except (ConnectionError, TimeoutError) as error:
            raise Gone(repr(error)) from error
        return list(waiting.values())
