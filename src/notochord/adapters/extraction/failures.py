"""Why a document is not read, as the child tells it."""

from enum import StrEnum


class Why(StrEnum):
    """The kinds that the app gives a code to."""

    UNSUPPORTED = "unsupported"
    ENCRYPTED = "encrypted"
    NO_TEXT = "no_text"
    DAMAGED = "damaged"
    LIMIT = "limit"


class Unreadable(Exception):
    """A document cannot be read; the text says why in English."""

    def __init__(self, why: Why, detail: str) -> None:
        super().__init__(detail)
        self.why = why
        self.detail = detail
