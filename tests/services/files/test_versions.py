"""The versions of a file: listed, read and put back, with what it holds now kept first."""

from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.files.api import may_be_opened
from support.file_services import workshop_in

AGENT = Cause("chat", "branch", "turn")


async def test_versions_are_listed_latest_first_and_one_is_put_back(tmp_path: Path) -> None:
    async with workshop_in(tmp_path) as shop:
        for content in (b"one", b"two", b"three"):
            await shop.files.write(shop.root, "a.txt", content, AGENT)
        found = await shop.files.versions(shop.root, "a.txt", "chat")
        assert [await shop.files.read_version(one.id, max_bytes=10) for one in found] == [b"two", b"one"]
        assert all(one.by_agent for one in found)
        await shop.files.restore(shop.root, "a.txt", found[1].id, Cause("chat"))
        assert (shop.folder / "a.txt").read_bytes() == b"one"
        now = await shop.files.versions(shop.root, "a.txt", "chat")
        assert await shop.files.read_version(now[0].id, max_bytes=10) == b"three"
        assert not now[0].by_agent


async def test_a_deleted_file_comes_back_and_another_conversation_sees_no_versions(tmp_path: Path) -> None:
    async with workshop_in(tmp_path) as shop:
        await shop.files.write(shop.root, "a.txt", b"one", AGENT)
        await shop.files.delete(shop.root, "a.txt", AGENT)
        (version,) = await shop.files.versions(shop.root, "a.txt", "chat")
        assert await shop.files.versions(shop.root, "a.txt", "other") == ()
        await shop.files.restore(shop.root, "a.txt", version.id, Cause("chat"))
        assert (shop.folder / "a.txt").read_bytes() == b"one"


async def test_a_version_that_is_too_large_to_show_or_unknown_is_refused(tmp_path: Path) -> None:
    async with workshop_in(tmp_path) as shop:
        await shop.files.write(shop.root, "a.txt", b"12345", AGENT)
        await shop.files.write(shop.root, "a.txt", b"", AGENT)
        (version,) = await shop.files.versions(shop.root, "a.txt", "chat")
        for name, code in ((version.id, Code.PAYLOAD_TOO_LARGE), ("unknown", Code.NOT_FOUND)):
            with pytest.raises(NotochordError) as caught:
                await shop.files.read_version(name, max_bytes=4)
            assert caught.value.code is code


@pytest.mark.parametrize("name", ["run.sh", "a.desktop", "page.html", "x.svg", "a.pdf.exe", "noend", "m.py", "a.lnk"])
def test_what_could_run_is_not_opened(name: str) -> None:
    assert not may_be_opened(name)


@pytest.mark.parametrize("name", ["a.txt", "b.PDF", "表.csv", "p.png"])
def test_documents_and_pictures_may_be_opened(name: str) -> None:
    assert may_be_opened(name)
