"""Searches answers for secrets, also across the borders of chunks, before anybody reads them (OPEN-098)."""

import re
from collections.abc import Iterable

MARK = b"[redacted]"


class Redaction:
    """Replaces every spelling of the secrets it was told of. One instance belongs to one answer."""

    def __init__(self, spellings: Iterable[str]) -> None:
        texts = {form for spelling in spellings if spelling for form in _forms(spelling)}
        self._spellings = tuple(sorted(texts, key=len, reverse=True))
        self._first = frozenset(text[0] for text in self._spellings)
        self._pattern = re.compile(b"|".join(re.escape(text) for text in self._spellings)) if texts else None
        self._held = b""

    def text(self, text: str) -> str:
        """Return a complete text, such as a header, without secrets."""
        if self._pattern is None:
            return text
        clean = self._pattern.sub(MARK, text.encode("utf-8", "surrogateescape"))
        return clean.decode("utf-8", "surrogateescape")

    def feed(self, chunk: bytes) -> bytes:
        """Return what is safe to show by now; what could be the beginning of a secret is held back."""
        if self._pattern is None:
            return chunk
        data = self._held + chunk
        border = self._beginning(data)
        if not any(text in data for text in self._spellings):  # the usual case, much faster than the pattern
            self._held = data[border:]
            return data[:border]
        shown, position = [], 0
        for match in self._pattern.finditer(data):
            if match.start() >= border:
                break
            shown += [data[position : match.start()], MARK]
            position = match.end()
            if position > border:
                border = position + self._beginning(data[position:])
        shown.append(data[position:border])
        self._held = data[border:]
        return b"".join(shown)

    def end(self) -> bytes:
        """Return what was held back, at the end of the answer."""
        rest, self._held = self._held, b""
        return rest if self._pattern is None else self._pattern.sub(MARK, rest)

    def _beginning(self, data: bytes) -> int:
        """Return where the earliest part of `data` begins that could grow into a spelling; its length if none does."""
        if not self._spellings:
            return len(data)
        for place in range(max(0, len(data) - len(self._spellings[0]) + 1), len(data)):
            if data[place] in self._first and any(text.startswith(data[place:]) for text in self._spellings):
                return place
        return len(data)


def _forms(spelling: str) -> tuple[bytes, ...]:
    return tuple(spelling.encode(encoding, "surrogatepass") for encoding in ("utf-8", "utf-16-le", "utf-16-be"))
