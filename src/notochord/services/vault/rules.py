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
    Denial,
    OAuthClient,
    Placement,
    Registration,
    Secret,
)

Checked = TypeVar("Checked")

LONGEST_SECRET = 16 * 1024
LONGEST_NAME = 200
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_PARAMETER = re.compile(r"[A-Za-z0-9_.~-]{1,100}")
_PREFIX = re.compile(r"([\x21-\x7e][\x20-\x7e]{0,39})?")
_VISIBLE = re.compile(r"[\x21-\x7e]+")
_SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,300}")  # RFC 6749, section 3.3
_THIS_COMPUTER = ("localhost", "127.0.0.1", "[::1]")
_FRAMING = {"host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "expect"}


def checked_draft(draft: ConnectionDraft) -> ConnectionDraft:
    """Return the draft with its registration in the form that `denial` compares. Raises INPUT_INVALID."""
    checked_name(draft.name)
    if draft.placement is Placement.QUERY and not _PARAMETER.fullmatch(draft.field):
        raise _invalid("field", "no plain name of a parameter", "why.parameter_name")
    if draft.placement is Placement.HEADER and not _TOKEN.fullmatch(draft.field):
        raise _invalid("field", "no name of a header", "why.header_name")
    if draft.placement is Placement.HEADER and draft.field.lower() in _FRAMING:
        raise _invalid("field", "a header that belongs to the transport", "why.transport_header")
    if draft.placement is not Placement.HEADER and draft.prefix:
        raise _invalid("prefix", "only in a header something stands before the secret", "why.prefix")
    if not _PREFIX.fullmatch(draft.prefix):
        raise _invalid("prefix", "no plain text", "why.prefix")
    if draft.oauth is not None:
        _check_client(draft.oauth, draft.placement)
    if draft.placement is Placement.BASIC and (":" in draft.field or not draft.field.isprintable()):
        raise _invalid("field", "a user name without colon", "why.user_name")
    return replace(draft, registration=checked_registration(draft.registration))


def _check_client(client: OAuthClient, placement: Placement) -> None:
    """Raises INPUT_INVALID for addresses a code or token must not be sent to, and for what no address can carry."""
    if placement is not Placement.BEARER:
        raise _invalid("placement", "a token of a sign-in is sent as a bearer token", "why.not_understood", placement)
    for field, url in (("authorize_url", client.authorize_url), ("token_url", client.token_url)):
        address = read_address(url)
        plain = address is not None and address.scheme == "http"
        if address is None or "#" in url or (plain and not (client.typed and address.host in _THIS_COMPUTER)):
            raise _invalid(field, f"no https address: {url[:100]!r}", "why.oauth_address", url[:100])
    if not client.client_id or len(client.client_id) > LONGEST_SECRET or not _VISIBLE.fullmatch(client.client_id):
        raise _invalid("client_id", "no id of a client", "why.client_id")
    if not all(_SCOPE.fullmatch(scope) for scope in client.scopes):
        raise _invalid("scopes", "no names of scopes", "why.scopes")


def checked_name(name: str) -> str:
    """Raises INPUT_INVALID for a name that shows nothing, or more than one line."""
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise _invalid("name", "a connection needs a name", "why.connection_name")
    return name


def host_of(url: str) -> str:
    """Return the host of an address; empty for one that cannot be read."""
    address = read_address(url)
    return "" if address is None else address.host


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
        return AttachmentDenied(Denial.HOST if scheme in ("https", "http") else Denial.SCHEME, "")
    if address.scheme != "https":
        if registration.plain_http != _origin(address):
            return AttachmentDenied(Denial.SCHEME, address.host)
    elif address.site not in registration.hosts:
        return AttachmentDenied(Denial.HOST, address.host)
    return None if _path_allowed(registration.paths, address.path) else AttachmentDenied(Denial.PATH, address.host)


def attached(connection: Connection, secret: str) -> Attachment:
    """Return what carries the secret."""
    headers: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()
    forms = set(spellings(secret.encode()))
    match connection.placement:
        case Placement.BEARER:
            headers = (("Authorization", f"Bearer {secret}"),)
        case Placement.HEADER:
            headers = ((connection.field, connection.prefix + secret),)
        case Placement.QUERY:
            query = ((connection.field, secret),)
        case Placement.BASIC:
            pair = f"{connection.field}:{secret}".encode()
            headers = (("Authorization", f"Basic {base64.b64encode(pair).decode()}"),)
            forms.update(spellings(pair))
    return Attachment(headers, query, tuple(sorted(forms, key=lambda form: (-len(form), form))))


def checked_registration(registration: Registration) -> Registration:
    """Return the registration in the form that `denial` compares. Raises INPUT_INVALID."""
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
