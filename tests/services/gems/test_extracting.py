"""`ctx.extract`: documents that a tool may read or fetch, and no others."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.egress.api import HostGrant, Response
from notochord.services.extract.api import MAX_BYTES, Attachment, Document, DocumentFormat, Extracted, Part
from notochord.services.sandbox.api import Host, HostRequest
from support.gems import PackageMaker, Platform, manifest, platform, tool

NETWORK = {"network": {"hosts": ["files.example.com"], "reason": "Documents"}}
FOUND = Extracted(
    format=DocumentFormat.CSV,
    title="T",
    parts=(Part("", "a\tb", (("a", "b"),)), Part("2", "c")),
    properties={"author": "Anna"},
    attachments=(Attachment("a.png", "image/png", 3),),
    warnings=("w",),
    truncated=True,
)


@dataclass
class Keeping:
    """A reader that keeps what it was given."""

    documents: list[Document] = field(default_factory=list)

    async def read(self, document: Document) -> Extracted:
        self.documents.append(document)
        return FOUND

    async def close(self) -> None:
        return None


async def ask(made: Platform, talk: Path, target: str, /, **arguments: Json) -> Any:
    """Call the tool, which asks the host, and return what came beside the answer."""
    came: list[bytes | None] = []

    async def asking(value: Json, host: Host) -> Json:
        answer = await host.answer(HostRequest(target, arguments, None))
        came.append(answer.attachment)
        return answer.value

    made.sandbox.tools["tools/greet.ts"] = asking
    assert await made.service.call("greeter", "greet", {}, talk, Cause()) is None
    assert came[0] is not None
    return json.loads(came[0])


async def refusal(made: Platform, talk: Path, target: str, /, **arguments: Json) -> NotochordError:
    with pytest.raises(NotochordError) as caught:
        await ask(made, talk, target, **arguments)
    return caught.value


@pytest.mark.req("PERM-006", "TOOL-009")
async def test_every_tool_reads_documents_of_its_folders_without_a_permission(tmp_path: Path, talk: Path) -> None:
    reader = Keeping()
    (talk / "in").mkdir()
    (talk / "in" / "list.csv").write_bytes(b"a,b")
    async with platform(tmp_path / "org", reader=reader) as made:
        await made.service.install(PackageMaker(tmp_path).make())
        found = await ask(made, talk, "extract.fromFile", path="workspace:in/list.csv", format="csv", encoding="cp437")
    assert reader.documents == [Document(b"a,b", "list.csv", "", DocumentFormat.CSV, "cp437")]
    assert found == {
        "format": "csv",
        "title": "T",
        "parts": [{"name": "", "text": "a\tb", "rows": [["a", "b"]]}, {"name": "2", "text": "c"}],
        "properties": {"author": "Anna"},
        "attachments": [{"filename": "a.png", "mimeType": "image/png", "sizeBytes": 3}],
        "warnings": ["w"],
        "truncated": True,
    }


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"path": "workspace:../secret"}, Code.PATH_OUTSIDE),
        ({"path": "workspace:/etc/passwd"}, Code.PATH_OUTSIDE),
        ({"path": "/proc/self/environ"}, Code.FILE_MISSING),
        ({"path": "workspace:.hidden"}, Code.PATH_INVALID),
        ({"path": "none.pdf"}, Code.FILE_MISSING),
        ({"path": "workspace:none.pdf"}, Code.FILE_MISSING),
        ({"path": 1}, Code.INPUT_INVALID),
        ({}, Code.INPUT_INVALID),
        ({"path": "workspace:a", "format": "exe"}, Code.INPUT_INVALID),
        ({"path": "workspace:a", "encoding": "x" * 41}, Code.INPUT_INVALID),
        ({"path": "workspace:a", "more": 1}, Code.INPUT_INVALID),
    ],
    ids=str,
)
async def test_what_a_tool_may_not_read_is_not_extracted(
    tmp_path: Path, talk: Path, arguments: dict[str, Json], code: Code
) -> None:
    reader = Keeping()
    async with platform(tmp_path / "org", reader=reader) as made:
        await made.service.install(PackageMaker(tmp_path).make())
        assert (await refusal(made, talk, "extract.fromFile", **arguments)).code is code
    assert reader.documents == []


@pytest.mark.req("PERM-032")
async def test_a_document_is_fetched_under_the_network_permission_of_the_tool(tmp_path: Path, talk: Path) -> None:
    reader = Keeping()
    async with platform(tmp_path / "org", reader=reader) as made:
        await made.service.install(
            PackageMaker(tmp_path).make(manifest(permissions=NETWORK, tools=[tool(permissions={"network": True})]))
        )
        headers = (("Content-Type", 'text/html; charset="Shift_JIS"'),)
        made.egress.response = Response(200, "https://files.example.com/a/b%20c.htm?x=1", headers, b"<html>")
        await ask(made, talk, "extract.fromUrl", url="https://files.example.com/start")
        (request,) = made.egress.requests
        assert (request.method, request.url) == ("GET", "https://files.example.com/start")
        assert request.leave.grant == HostGrant(("files.example.com",))
        assert request.max_bytes == MAX_BYTES
        assert reader.documents == [Document(b"<html>", "b c.htm", "text/html", None, "shift_jis")]
        made.egress.response = Response(404, "https://files.example.com/a", (), b"not here")
        assert (await refusal(made, talk, "extract.fromUrl", url="https://files.example.com/a")).code is (
            Code.NETWORK_UNREACHABLE
        )
        assert len(reader.documents) == 1


@pytest.mark.req("PERM-032")
async def test_a_tool_without_the_network_permission_fetches_no_document(tmp_path: Path, talk: Path) -> None:
    async with platform(tmp_path / "org", reader=Keeping()) as made:
        await made.service.install(PackageMaker(tmp_path).make(manifest(permissions=NETWORK)))
        error = await refusal(made, talk, "extract.fromUrl", url="https://files.example.com/a")
        assert (error.code, made.egress.requests) == (Code.PERM_DENIED, [])


async def test_an_encoding_that_a_server_made_up_is_passed_over(tmp_path: Path, talk: Path) -> None:
    reader = Keeping()
    async with platform(tmp_path / "org", reader=reader) as made:
        await made.service.install(
            PackageMaker(tmp_path).make(manifest(permissions=NETWORK, tools=[tool(permissions={"network": True})]))
        )
        for charset in ("no-such", "rot13", "x\u00fc"):
            headers = (("Content-Type", f"text/plain; charset={charset}"),)
            made.egress.response = Response(200, "https://files.example.com/", headers, b"text")
            await ask(made, talk, "extract.fromUrl", url="https://files.example.com/")
    assert [document.encoding for document in reader.documents] == [""] * 3


async def test_a_document_that_cannot_be_read_fails_with_its_code(tmp_path: Path, talk: Path) -> None:
    (talk / "a.pdf").write_bytes(b"%PDF-1.4 and no more")
    (talk / "b.txt").write_bytes(b"")
    async with platform(tmp_path / "org") as made:
        await made.service.install(PackageMaker(tmp_path).make())
        assert (await refusal(made, talk, "extract.fromFile", path="workspace:a.pdf")).code is Code.EXTRACT_DAMAGED
        assert (await refusal(made, talk, "extract.fromFile", path="workspace:b.txt")).code is Code.EXTRACT_EMPTY
