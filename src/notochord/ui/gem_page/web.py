"""What the view of a page asks of the browser engine, which is no part of the views."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget

from notochord.viewmodels.gem_page.model import GemPageModel


class WebView(Protocol):
    """Shows one page; tells the page's model what becomes of it."""

    @property
    def widget(self) -> QWidget: ...

    @property
    def found(self) -> SignalInstance: ...

    def load(self, entry: str, surroundings: str, background: str) -> None:
        """Load the page from its beginning; `surroundings` is how the program looks, as JSON."""

    def post(self, text: str) -> None:
        """Send the page an answer, or how the program looks now."""

    def look(self, background: str) -> None:
        """Show this colour where the page has none of its own."""

    def find_text(self, text: str) -> None: ...

    def find_next(self) -> None: ...

    def find_previous(self) -> None: ...

    def set_zoom(self, factor: float) -> None: ...

    def kill(self) -> None:
        """End the page's process at once."""

    async def close_page(self) -> None:
        """End what the page is served with."""


MakeWeb = Callable[[GemPageModel], WebView]
