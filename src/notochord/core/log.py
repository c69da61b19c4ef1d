"""Logging with redaction: a secret that was registered never reaches a handler."""

import logging
from collections.abc import Iterable

REDACTED = "[redacted]"
_SHORTEST = 6


class Redactor(logging.Filter):
    """Replaces registered secrets in every record that passes; install it on handlers, not on loggers."""

    def __init__(self) -> None:
        super().__init__()
        self._secrets: set[str] = set()

    def register(self, spellings: Iterable[str]) -> None:
        """Hide these texts from now on; texts shorter than six characters would hide ordinary words and are left."""
        self._secrets.update(text for text in spellings if len(text) >= _SHORTEST)

    def clean(self, text: str) -> str:
        """Return `text` with every registered secret replaced."""
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = text.replace(secret, REDACTED)
        return text

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self.clean(record.getMessage()), ()
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = self.clean(record.exc_text)
        record.exc_info = None
        return True
