"""Mends text with surrogates, halves of UTF-16 characters, which nothing can store or send alone."""


def has_surrogates(text: str) -> bool:
    """Tell whether a text has a surrogate in it."""
    try:
        text.encode("utf-16-le")  # much quicker than to search for one
    except UnicodeEncodeError:
        return True
    return False


def mended(text: str) -> str:
    """Return the text with neighbouring surrogates joined, and U+FFFD for one that stands alone."""
    if not has_surrogates(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class SurrogateMender:
    """Mends a text that comes in pieces, which may be cut between the two surrogates of a character."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """Return what is whole by now; a high surrogate at the end waits for the low one."""
        text = self._held + piece
        self._held = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return mended(text[: len(text) - len(self._held)])

    def end(self) -> str:
        """Return what is left: U+FFFD if the low surrogate never came."""
        held, self._held = self._held, ""
        return mended(held)
