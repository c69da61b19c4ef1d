"""Text that is arriving: collected, and taken into the content once for each frame."""

from notochord.core.surrogates import SurrogateMender
from notochord.ui.kit.transcript.content import NEAR, Content
from notochord.ui.kit.transcript.parts import Item, TextPart
from notochord.ui.kit.transcript.row import Row
from notochord.viewmodels.chat.markdown.splitter import Splitter

MOST_ROWS = 24
"""A live part with more is closed and another begun, so that no step walks over a long answer."""
KEPT_ROWS = 4


class Stream:
    """Feeds one entry."""

    def __init__(self, content: Content, item: Item) -> None:
        part = item.parts[-1]
        if not isinstance(part, TextPart):
            raise TypeError("a card takes no text")
        self._content = content
        self._item = item
        self._part = part
        self._mender = SurrogateMender()
        self._waiting: list[str] = []
        self._before = 0
        self._closed: list[TextPart] = []
        """Parts that came to their end, and are still laid out."""
        self._splitter = Splitter(content.parser)
        part.live, part.splitter, part.measured = True, self._splitter, -1.0
        self._splitter.feed(part.source)
        part.rows = [Row(segment) for segment in self._splitter.segments]

    def feed(self, text: str) -> None:
        """Take text; it shows after the next flush."""
        self._waiting.append(text)

    def flush(self) -> list[tuple[TextPart, int]]:
        """Show what came; return the parts that were closed, with the rows they kept."""
        whole = self._mender.feed("".join(self._waiting))
        self._waiting.clear()
        if whole:
            self._item.add(whole)
            self._splitter.feed(whole)
        return self._take()

    def finish(self) -> None:
        """Take the rest; from now on the text is like any other."""
        self.flush()
        if rest := self._mender.end():
            self._item.add(rest)
            self._splitter.feed(rest)
        self._splitter.finish()
        self._take()
        rows = self._part.rows or []
        del rows[len(self._splitter.segments) - self._before :]
        for part in self._item.parts:
            if isinstance(part, TextPart) and part.live:
                self._settle(part)
                if part is not self._part:
                    self._content.let_go(part)

    def _take(self) -> list[tuple[TextPart, int]]:
        rows = self._part.rows
        if rows is None:
            rows = self._part.rows = []
        rows += [Row(segment) for segment in self._splitter.segments[self._before + len(rows) :]]
        self._part.measured = -1.0
        closed = []
        while len(self._part.rows or ()) > MOST_ROWS:
            keep = min(MOST_ROWS, len(self._part.rows or ()) - KEPT_ROWS)
            closed.append((self._part, keep))
            self._before += keep
            self._closed.append(self._part)
            self._part = self._content.split(self._part, keep)
        for part in self._item.parts:
            if isinstance(part, TextPart) and part is not self._part and part.live and self._moved(part):
                part.measured = -1.0
        self._let_go()
        return closed

    def _let_go(self) -> None:
        """Lay out no longer what is far from the view: a reply without an end must not fill the memory."""
        while len(self._closed) > NEAR and abs(self._closed[0].index - self._content.anchor) > NEAR:
            part = self._closed.pop(0)
            self._settle(part)
            self._content.let_go(part)

    @staticmethod
    def _moved(part: TextPart) -> bool:
        return any(row.outdated for row in part.rows or ())

    def _settle(self, part: TextPart) -> None:
        """Keep the source of a live part, so that its rows may go."""
        segments = [row.segment for row in part.rows or ()]
        mid_line = {id(after) for after in segments if 0 in after.joins}
        part.source = "".join(
            segment.source(ends=not (n + 1 < len(segments) and id(segments[n + 1]) in mid_line))
            for n, segment in enumerate(segments)
        )
        part.goes_on = segments[0].goes_on if segments else part.goes_on
        part.env, part.live = self._splitter.env, False
