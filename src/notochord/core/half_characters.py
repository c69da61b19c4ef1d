"""Mends text in which characters came in halves (UTF-16 surrogates): nothing can store or send a half alone."""


def has_halves(text: str) -> bool:
    """Tell whether a text holds half a character."""
    try:
        text.encode("utf-16-le")  # much quicker than to search for one
    except UnicodeEncodeError:
        return True
    return False


def mended(text: str) -> str:
    """Return the text with neighbouring halves joined, and U+FFFD for a half that stands alone."""
    if not has_halves(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class Mender:
    """Mends a text that comes in pieces, which may be cut between the halves of a character."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """Return what is whole by now; a first half at the end waits for the second."""
        text = self._held + piece
        self._held = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return mended(text[: len(text) - len(self._held)])

    def end(self) -> str:
        """Return what is left: U+FFFD if the second half never came."""
        held, self._held = self._held, ""
        return mended(held)
