"""EML: subject, people and date, the text of a mail, and a list of what is attached."""

import email
import email.policy
from email.message import EmailMessage

from notochord.adapters.extraction.failures import Unreadable, Why
from notochord.adapters.extraction.findings import Findings, paragraphs
from notochord.adapters.extraction.web import text_of_html

MAX_PARTS = 2_000
_SHOWN = ("from", "to", "cc", "date")


def read_eml(content: bytes, found: Findings) -> None:
    message = email.message_from_bytes(content, policy=email.policy.default)
    found.title(_header(message, "subject"))
    for name in _SHOWN:
        found.property(name, _header(message, name))
    body, attached = _sorted_parts(message)
    for part in attached:
        found.attachment(_filename(part), part.get_content_type(), _size(part))
    plain = [_text(part) for part in body if part.get_content_type() == "text/plain"]
    rich = [text_of_html(_text(part)) for part in body if part.get_content_type() == "text/html"]
    pieces = plain if any(text.strip() for text in plain) else rich
    found.part("", paragraphs("\n\n".join(text for text in pieces if text.strip()).replace("\r\n", "\n")))


def _sorted_parts(message: EmailMessage) -> tuple[list[EmailMessage], list[EmailMessage]]:
    """Return what is to be read and what is attached; a mail inside the mail is attached."""
    body: list[EmailMessage] = []
    attached: list[EmailMessage] = []
    waiting = [message]
    count = 0
    while waiting:
        part = waiting.pop()
        count += 1
        if count > MAX_PARTS:
            raise Unreadable(Why.LIMIT, f"the mail has more than {MAX_PARTS} parts")
        if part.is_multipart() and part.get_content_maintype() == "multipart":
            waiting.extend(reversed([inner for inner in part.iter_parts() if isinstance(inner, EmailMessage)]))
        elif part.is_multipart() or _is_attached(part):
            attached.append(part)
        else:
            body.append(part)
    return body, attached


def _is_attached(part: EmailMessage) -> bool:
    try:
        disposition = part.get_content_disposition()
    except Exception:  # a header that the standard library cannot make sense of
        disposition = None
    return disposition == "attachment" or part.get_content_maintype() != "text" or bool(_filename(part))


def _text(part: EmailMessage) -> str:
    try:
        return str(part.get_content(errors="replace"))
    except (LookupError, ValueError, KeyError):
        return _bytes(part).decode("utf-8", "replace")


def _bytes(part: EmailMessage) -> bytes:
    try:
        payload = part.get_payload(decode=True)
    except Exception:  # damaged transfer encodings
        return b""
    return payload if isinstance(payload, bytes) else b""


def _size(part: EmailMessage) -> int:
    if part.is_multipart():
        return sum(len(inner.as_bytes()) for inner in part.iter_parts())
    return len(_bytes(part))


def _filename(part: EmailMessage) -> str:
    try:
        return str(part.get_filename() or "")
    except Exception:  # a header that the standard library cannot make sense of
        return ""


def _header(message: EmailMessage, name: str) -> str:
    """Return a header as it reads, or as it was written if it cannot be decoded."""
    try:
        return str(message.get(name) or "")
    except Exception:  # a header that the standard library cannot make sense of
        raw = next((value for key, value in message.raw_items() if key.lower() == name), "")
        return str(raw)
