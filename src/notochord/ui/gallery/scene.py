"""A picture that the gallery takes."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from notochord.ui.kit.kit import Kit


@dataclass(frozen=True, slots=True)
class Scene:
    """A screen in a state: `name` such as "chat-streaming", how it is built, and its size in pixels at 1x.

    The widget is shown, laid out, and painted; `build` must leave it as it is to be seen, without waiting for anything.
    """

    name: str
    build: Callable[[Kit], QWidget]
    width: int = 1120
    height: int = 760
