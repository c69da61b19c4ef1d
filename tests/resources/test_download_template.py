"""The template with a file to be downloaded: its tool works on what a server gives, and on nothing else."""

import hashlib
import io
import json
import tarfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.gem_authoring.api import DraftIdentity
from support.egress import Answer
from support.gems import Platform, platform
from support.guests import real_sandbox
from support.shelves import URL, pieces, shelf
from support.workshops import made_workshop

TEXT = "Der Garten ist im Sommer ein Garten, und der Sommer ist kurz. Im Garten!"


def archive(lists: dict[str, list[str]]) -> bytes:
    """Return what the declared address gives, with other words."""
    made, content = io.BytesIO(), json.dumps(lists).encode()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        for name, text in (("package/README.md", b"# Words"), ("package/stopwords-iso.json", content)):
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text))
    return made.getvalue()


WORDS = archive({"de": ["der", "ist", "im", "ein", "und"]})


@asynccontextmanager
async def installed(folder: Path, given: bytes) -> AsyncIterator[Platform]:
    """Install the template with the address of a server that gives some bytes, and WORDS declared."""
    workshop = made_workshop()
    await workshop.new(folder / "draft", "download", DraftIdentity("words", "Words", "me"))
    manifest = json.loads((folder / "draft/manifest.json").read_text(encoding="utf-8"))
    declared = {"url": URL, "sha256": hashlib.sha256(WORDS).hexdigest(), "size": len(WORDS)}
    manifest["resources"][0] |= declared
    (folder / "draft/manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    package = (await workshop.pack(folder / "draft")).package
    _, gateway = await shelf({URL: Answer(pieces=pieces(given))})
    (folder / "talk").mkdir()
    async with (
        real_sandbox(folder / "guests") as sandbox,
        platform(folder / "org", guests=sandbox, downloads=gateway.egress) as made,
    ):
        await made.service.install(package, allow_unsigned=True)
        yield made
    await gateway.egress.close()


async def key_words(notochord: Platform, folder: Path, **arguments: Json) -> Json:
    return await notochord.service.call("words", "key_words", {"text": TEXT, **arguments}, folder / "talk", Cause())


@pytest.mark.req("RES-015", "RES-012", "TOOL-116")
async def test_the_tool_works_on_the_downloaded_words(tmp_path: Path) -> None:
    async with installed(tmp_path, WORDS) as notochord:
        found = await key_words(notochord, tmp_path, language="de", count=2)
        assert found == {"words": [{"word": "garten", "times": 3}, {"word": "sommer", "times": 2}]}
        with pytest.raises(NotochordError, match="there are no words of en; there are de"):
            await key_words(notochord, tmp_path)


@pytest.mark.req("RES-032", "RES-036")
async def test_another_file_than_the_declared_one_reaches_no_tool(tmp_path: Path) -> None:
    other = WORDS[:-1] + bytes([WORDS[-1] ^ 1])
    async with installed(tmp_path, other) as notochord:
        with pytest.raises(NotochordError, match="E_RESOURCE_FAILED: stop-words could not be downloaded"):
            await key_words(notochord, tmp_path, language="de")
