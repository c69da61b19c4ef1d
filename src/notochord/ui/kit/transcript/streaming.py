"""Gives what arrives to the content, once a frame however many chunks there were, and later if a frame was costly."""

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from notochord.ui.kit.transcript import accessible
from notochord.ui.kit.transcript.entries import TextEntry
from notochord.ui.kit.transcript.parts import Item
from notochord.ui.kit.transcript.stream import Stream

if TYPE_CHECKING:
    from notochord.ui.kit.transcript.view import Transcript

FRAME_MS = 33.0
MOST_MS = 250.0


class Streaming(QObject):
    """The texts that are arriving in one transcript."""

    def __init__(self, view: "Transcript") -> None:
        super().__init__(view)
        self._view = view
        self._streams: dict[str, Stream] = {}
        self._waiting: set[str] = set()
        self._cost = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.flush)

    @property
    def idle(self) -> bool:
        """Whether everything that came is shown."""
        return not self._waiting

    def begin(self, item: Item) -> None:
        """Expect text for an entry, if it says that it is streaming."""
        if isinstance(item.entry, TextEntry) and item.entry.streaming:
            self._streams[item.entry.id] = Stream(self._view.content, item)

    def feed(self, entry_id: str, text: str) -> None:
        """Take text; it shows with the next frame. Raises KeyError."""
        self._streams[entry_id].feed(text)
        self._waiting.add(entry_id)
        if not self._timer.isActive():
            self._timer.start(int(max(FRAME_MS, min(MOST_MS, 2 * self._cost))))

    def finish(self, entry_id: str) -> None:
        """Show the rest of a text, which is like any other from now on."""
        stream = self._streams.pop(entry_id, None)
        if stream is None:
            return
        self._flush(entry_id, stream)
        stream.finish()
        self._waiting.discard(entry_id)
        self._view.content.changed_all(entry_id)
        self._tell(entry_id)
        self._view.renew()
        accessible.completed(self._view, self._view.content.item(entry_id))

    def drop(self, entry_id: str) -> None:
        """Expect nothing more for an entry that goes away."""
        self._streams.pop(entry_id, None)
        self._waiting.discard(entry_id)

    def stop(self) -> None:
        """Expect nothing more for any."""
        self._streams.clear()
        self._waiting.clear()
        self._timer.stop()

    def flush(self) -> None:
        """Show what came now."""
        begin = time.perf_counter()
        for entry_id in sorted(self._waiting):
            self._flush(entry_id, self._streams[entry_id])
            self._tell(entry_id)
        self._waiting.clear()
        self._view.renew()
        self._cost = (time.perf_counter() - begin) * 1000

    def _flush(self, entry_id: str, stream: Stream) -> None:
        for part, rows in stream.flush():
            self._view.selection.split(part.index, rows)

    def _tell(self, entry_id: str) -> None:
        item = self._view.content.item(entry_id)
        for part in item.parts:
            self._view.finder.changed(part)
        accessible.grew(self._view, item)
