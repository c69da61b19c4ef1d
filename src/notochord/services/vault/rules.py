"""Where a secret may go: checks registrations when they are made and requests when they are sent."""

import base64
import re
from dataclasses import replace
from typing import TypeVar
from urllib.parse import quote

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.spellings import spellings
from notochord.services.vault.addresses import Address, read_address, read_prefix, read_site, readings_of
from notochord.services.vault.api import (
    Attachment,
    AttachmentDenied,
    Connection,
    ConnectionDraft,
    Placement,
    Registration,
    Secret,
)

Checked = TypeVar("Checked")

LONGEST_SECRET = 16 * 1024
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_PARAMETER = re.compile(r"[A-Za-z0-9_.~-]{1,100}")
_FRAMING = {"host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "expect"}


def checked_draft(draft: ConnectionDraft) -> ConnectionDraft:
    """Return the draft with its registration in the form that `denial` compares. Raises INPUT_INVALID."""
    if not draft.name.strip():
        raise _invalid("name", "a connection needs a name", "why.connection_name")
    if draft.placement is Placement.QUERY and not _PARAMETER.fullmatch(draft.field):
        raise _invalid("field", "no plain name of a parameter", "why.parameter_name")
    if draft.placement is Placement.HEADER and not _TOKEN.fullmatch(draft.field):
        raise _invalid("field", "no name of a header", "why.header_name")
    if draft.placement is Placement.HEADER and draft.field.lower() in _FRAMING:
        raise _invalid("field", "a header that belongs to the transport", "why.transport_header")
    if draft.placement is Placement.BASIC and (":" in draft.field or not draft.field.isprintable()):
        raise _invalid("field", "a user name without colon", "why.user_name")
    return replace(draft, registration=_checked_registration(draft.registration))


def checked_secret(placement: Placement, secret: Secret) -> str:
    """Return the text of a secret that can be sent where it is to be put. Raises INPUT_INVALID."""
    text = secret.reveal()
    if not text or len(text) > LONGEST_SECRET:
        raise _invalid("secret", "empty or too long", "why.secret_length")
    if not text.isprintable() or text != text.strip():
        raise _invalid("secret", "with line breaks, control characters or spaces around it", "why.secret_characters")
    if placement in (Placement.BEARER, Placement.HEADER) and not text.isascii():
        raise _invalid("secret", "with characters that no header can carry", "why.secret_characters")
    return text


def denial(registration: Registration, url: str) -> AttachmentDenied | None:
    """Return why the secret may not go to `url`; None if it may."""
    address = read_address(url)
    if address is None:
        scheme = url.partition(":")[0].lower()
        return AttachmentDenied("host" if scheme in ("https", "http") else "scheme", "")
    if address.scheme != "https":
        if registration.plain_http != _origin(address):
            return AttachmentDenied("scheme", address.host)
    elif address.site not in registration.hosts:
        return AttachmentDenied("host", address.host)
    return None if _path_allowed(registration.paths, address.path) else AttachmentDenied("path", address.host)


def attached(connection: Connection, secret: str) -> Attachment:
    """Return what carries the secret."""
    headers: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()
    forms = set(spellings(secret.encode()))
    match connection.placement:
        case Placement.BEARER:
            headers = (("Authorization", f"Bearer {secret}"),)
        case Placement.HEADER:
            headers = ((connection.field, secret),)
        case Placement.QUERY:
            query = ((connection.field, secret),)
        case Placement.BASIC:
            pair = f"{connection.field}:{secret}".encode()
            headers = (("Authorization", f"Basic {base64.b64encode(pair).decode()}"),)
            forms.update(spellings(pair))
    return Attachment(headers, query, tuple(sorted(forms, key=lambda form: (-len(form), form))))


def _checked_registration(registration: Registration) -> Registration:
    hosts = tuple(_required(read_site(host), "host", host) for host in registration.hosts)
    prefixes = tuple(_required(read_prefix(path), "path", path) for path in registration.paths)
    plain = ""
    if registration.plain_http:
        address = _required(read_address(registration.plain_http), "plain_http", registration.plain_http)
        if address.scheme != "http" or address.path != "/":
            raise _invalid("plain_http", "no http origin", "why.http_origin")
        plain = _origin(address)
    if not hosts and not plain:
        raise _invalid("hosts", "a secret needs a host that it may be sent to", "why.secret_host")
    return Registration(hosts, tuple("/" + "/".join(quote(part, safe="") for part in path) for path in prefixes), plain)


def _origin(address: Address) -> str:
    return f"{address.scheme}://{address.site}"


def _path_allowed(prefixes: tuple[str, ...], path: str) -> bool:
    if not prefixes:
        return True
    readings = readings_of(path)
    wanted = [prefix for prefix in map(read_prefix, prefixes) if prefix is not None]
    if readings is None:
        return False
    return any(all(reading[: len(prefix)] == prefix for reading in readings) for prefix in wanted)


def _required(value: Checked | None, field: str, text: str) -> Checked:
    if value is None:
        raise _invalid(field, f"not understood: {text[:100]!r}", "why.not_understood", text[:100])
    return value


def _invalid(field: str, detail: str, why: str, text: str = "") -> NotochordError:
    return NotochordError(Code.INPUT_INVALID, Fault.USER, f"{field}: {detail}", field=field, text=text, why=why)
