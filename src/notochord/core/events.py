"""A typed event bus that wakes people up; what must not be lost is a row in the outbox instead."""

import logging
from collections.abc import Callable
from typing import Any, TypeVar

Event = TypeVar("Event")
Unsubscribe = Callable[[], None]

_log = logging.getLogger(__name__)


class EventBus:
    """Delivers each event, in the loop's thread and in order, to those who asked for its exact type."""

    def __init__(self) -> None:
        self._handlers: dict[type[Any], list[Callable[[Any], None]]] = {}

    def subscribe(self, kind: type[Event], handler: Callable[[Event], None]) -> Unsubscribe:
        """Call `handler` for every later event of exactly this type, until the returned function is called."""
        handlers = self._handlers.setdefault(kind, [])
        handlers.append(handler)

        def unsubscribe() -> None:
            if handler in handlers:
                handlers.remove(handler)

        return unsubscribe

    def publish(self, event: object) -> None:
        """Hand `event` to its subscribers; one that fails is logged and keeps nobody else from hearing it."""
        for handler in tuple(self._handlers.get(type(event), ())):
            try:
                handler(event)
            except Exception:
                _log.exception("a subscriber of %s failed", type(event).__name__)
