"""`ctx.extract` on this side: the text of a file that the tool may read, or of a page that it may fetch."""

import asyncio
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from notochord.core.caller import Caller
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json, encode
from notochord.services.egress.api import Egress, HostGrant, Leave, Request, Response
from notochord.services.extract.api import MAX_BYTES, Document, DocumentFormat, Extract, Extracted
from notochord.services.gems.guest_arguments import GuestArguments, refused
from notochord.services.gems.host_files import MAX_PATH, RunFiles
from notochord.services.gems.host_http import MAX_URL
from notochord.services.sandbox.api import HostAnswer, HostRequest

SECONDS = 120.0
"""For fetching a document."""

MAX_ANSWER = 20 * 1024 * 1024
_FAILED = 400
_FROM_FILE = frozenset({"path", "format", "encoding"})
_FROM_URL = frozenset({"url", "format", "encoding"})


class GuestExtract:
    """The documents of one call. `grant` is None for a tool without the network permission (PERM-032)."""

    def __init__(
        self, extract: Extract, *, files: RunFiles, egress: Egress, grant: HostGrant | None, caller: Caller
    ) -> None:
        self._extract = extract
        self._files = files
        self._egress = egress
        self._grant = grant
        self._caller = caller

    async def answer(self, request: HostRequest) -> HostAnswer | None:
        """Do what is asked; None for a target that is not about documents."""
        match request.target:
            case "extract.fromFile":
                return await self._from_file(GuestArguments(request.target, request.arguments, _FROM_FILE))
            case "extract.fromUrl":
                return await self._from_url(GuestArguments(request.target, request.arguments, _FROM_URL))
            case _:
                return None

    async def _from_file(self, arguments: GuestArguments) -> HostAnswer:
        path = arguments.text("path", limit=MAX_PATH)
        wanted, encoding = _format(arguments), _encoding(arguments)
        content = await self._files.content(path, max_bytes=MAX_BYTES)
        name = PurePosixPath(path).name
        return await self._answered(Document(content, name=name, format=wanted, encoding=encoding))

    async def _from_url(self, arguments: GuestArguments) -> HostAnswer:
        url, wanted, encoding = arguments.text("url", limit=MAX_URL), _format(arguments), _encoding(arguments)
        if self._grant is None:
            detail = "this tool has no network permission, which fromUrl needs"
            raise NotochordError(Code.PERM_DENIED, Fault.GUEST, detail)
        leave = Leave(caller=self._caller, grant=self._grant)
        asked = Request(method="GET", url=url, leave=leave, max_bytes=MAX_BYTES, timeout=SECONDS)
        response = await self._egress.fetch(asked)
        if response.status >= _FAILED:
            host = urlsplit(response.url).hostname or ""
            raise NotochordError(Code.NETWORK_UNREACHABLE, Fault.NETWORK, f"it answered {response.status}", host=host)
        media_type, charset = _media_type(response)
        return await self._answered(
            Document(
                response.body,
                name=unquote(urlsplit(response.url).path).rpartition("/")[2],
                media_type=media_type,
                format=wanted,
                encoding=encoding or charset,
            )
        )

    async def _answered(self, document: Document) -> HostAnswer:
        found = await self._extract.extract(document)
        packed = await asyncio.to_thread(_packed, found)
        if len(packed) > MAX_ANSWER:
            detail = f"the text has more than {MAX_ANSWER} bytes"
            raise NotochordError(Code.PAYLOAD_TOO_LARGE, Fault.GUEST, detail, limit=MAX_ANSWER)
        return HostAnswer(None, packed)


def _format(arguments: GuestArguments) -> DocumentFormat | None:
    text = arguments.text_or_none("format", limit=16)
    if text is None:
        return None
    try:
        return DocumentFormat(text)
    except ValueError:
        raise refused(f"extract: format must be one of {', '.join(DocumentFormat)}") from None


def _encoding(arguments: GuestArguments) -> str:
    return arguments.text_or_none("encoding", limit=40) or ""


def _media_type(response: Response) -> tuple[str, str]:
    """Return media type and, of a text, its character set as the server says."""
    value = next((value for name, value in response.headers if name.lower() == "content-type"), "")
    media, _, rest = value.partition(";")
    charset = rest.lower().partition("charset=")[2].partition(";")[0].strip(" \"'")
    return media.strip().lower(), charset if _is_text_encoding(charset) else ""


def _is_text_encoding(name: str) -> bool:
    """Tell whether a name that a server gave is one of an encoding; a made-up one is passed over."""
    try:
        _ = b" ".decode(name[:40], "replace")
    except (LookupError, ValueError):
        return False
    return name.isascii() and bool(name)


def _packed(found: Extracted) -> bytes:
    shown: dict[str, Json] = {
        "format": found.format.value,
        "title": found.title,
        "parts": [
            {"name": part.name, "text": part.text}
            if part.rows is None
            else {"name": part.name, "text": part.text, "rows": [list(row) for row in part.rows]}
            for part in found.parts
        ],
        "properties": dict(found.properties),
        "attachments": [
            {"filename": one.filename, "mimeType": one.mime_type, "sizeBytes": one.size} for one in found.attachments
        ],
        "warnings": list(found.warnings),
        "truncated": found.truncated,
    }
    return encode(shown).encode("utf-8", "replace")
