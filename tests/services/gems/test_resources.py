"""Files that gems declare: downloaded by the program, checked, kept, shared and taken away."""

import asyncio
import hashlib
import stat
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.core.strict_json import Json
from notochord.services.gems.api import GemResource, GemResourceChanged, ResourceState
from notochord.services.gems.resource_files import ResourceFiles
from notochord.services.gems.resources import GemResources
from notochord.services.sandbox.api import Host, HostRequest
from support.egress import Answer
from support.eventually import until
from support.gems import PackageMaker, Platform, manifest, platform
from support.killed_resources import record
from support.shelves import CONTENT, MIRROR, URL, ShelfSender, pieces, redirect, resource, rules, shelf
from support.vaults import MemoryVault

GOOD = Answer(pieces=pieces(CONTENT))


@dataclass
class Desk:
    """A service with servers behind it."""

    platform: Platform
    sender: ShelfSender
    packages: PackageMaker
    talk: Path

    async def install(self, *entries: dict[str, Any], **changes: Any) -> None:
        declared = {"resources": list(entries)} if entries else {}
        await self.platform.service.install(self.packages.make(manifest(**declared, **changes)))

    async def path(self, identifier: Json = "model") -> Path:
        """Call a tool that asks where a file is."""

        async def ask(value: Json, host: Host) -> Json:
            return (await host.answer(HostRequest("resources.path", {"id": identifier}, None))).value

        self.platform.sandbox.tools["tools/greet.ts"] = ask
        found = await self.platform.service.call("greeter", "greet", {}, self.talk, Cause())
        assert isinstance(found, str)
        return Path(found)

    async def refusal(self, identifier: Json = "model") -> NotochordError:
        with pytest.raises(NotochordError) as caught:
            await self.path(identifier)
        return caught.value

    async def shown(self) -> GemResource:
        (one,) = await self.platform.service.resources("greeter")
        return one

    @property
    def store(self) -> Path:
        return self.platform.folder.gem_store("greeter")


@asynccontextmanager
async def desk(
    folder: Path,
    answers: Mapping[str, Answer] | None = None,
    *,
    lists: Any = None,
    names: Mapping[str, list[str]] | None = None,
    vault: MemoryVault | None = None,
) -> AsyncIterator[Desk]:
    sender, gateway = await shelf(answers, lists=lists, names=names)
    talk = folder / "talk"
    talk.mkdir(exist_ok=True)
    async with platform(folder / "org", downloads=gateway.egress, vault=vault) as made:
        yield Desk(made, sender, PackageMaker(folder / f"packages{len(list(folder.iterdir()))}"), talk)
    await gateway.egress.close()


@pytest.mark.req("TOOL-116", "TOOL-117", "RES-012", "RES-018")
async def test_a_file_is_downloaded_when_a_tool_first_asks_for_it(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.install(resource())
        assert here.sender.asked == []
        path = await here.path()
        assert (path.is_absolute(), path.read_bytes(), here.sender.asked) == (True, CONTENT, [URL])


@pytest.mark.req("TOOL-124")
async def test_a_file_that_is_there_is_not_downloaded_again(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.install(resource())
        assert await here.path() == await here.path()
        assert here.sender.asked == [URL]


@pytest.mark.req("TOOL-114", "TOOL-115")
async def test_only_a_gem_that_declares_files_has_the_namespace(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.install()
        assert (await here.refusal()).code is Code.PERM_DENIED
        assert "resources" not in here.platform.sandbox.calls[0].namespaces
        await here.install(resource(), version="1.0.1")
        _ = await here.path()
        assert "resources" in here.platform.sandbox.calls[1].namespaces


@pytest.mark.req("TOOL-125", "RES-017")
@pytest.mark.parametrize("identifier", ["other", "", "../model", "model/../model", URL, "MODEL"])
async def test_an_id_that_is_not_declared_is_refused(tmp_path: Path, identifier: str) -> None:
    async with desk(tmp_path) as here:
        await here.install(resource())
        assert (await here.refusal(identifier)).code is Code.NOT_FOUND
        assert here.sender.asked == []


@pytest.mark.req("TOOL-121")
async def test_a_file_is_read_only_and_nothing_unfinished_lies_beside_it(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.install(resource())
        path = await here.path()
        assert stat.S_IMODE(path.stat().st_mode) == 0o444
        assert [entry.name for entry in path.parent.iterdir()] == [path.name]
        assert list((here.store / "downloads").iterdir()) == []


@pytest.mark.req("TOOL-119")
async def test_several_calls_at_once_share_one_download(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.install(resource())
        here.sender.gate.clear()
        calls = [asyncio.create_task(here.path()) for _ in range(5)]
        await until(lambda: bool(here.sender.asked))
        here.sender.gate.set()
        assert len(set(await asyncio.gather(*calls))) == 1
        assert here.sender.asked == [URL]


async def test_who_stops_waiting_does_not_stop_the_others(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.install(resource())
        here.sender.gate.clear()
        first, second = asyncio.create_task(here.path()), asyncio.create_task(here.path())
        await until(lambda: bool(here.sender.asked))
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        here.sender.gate.set()
        assert (await second).read_bytes() == CONTENT
        assert here.sender.asked == [URL]


@pytest.mark.req("RES-006", "RES-030", "RES-031", "RES-032")
@pytest.mark.parametrize(
    "wrong",
    [
        Answer(404),
        Answer(500, (), pieces(CONTENT)),
        Answer(206, (), pieces(CONTENT)),
        Answer(pieces=pieces(CONTENT[:-1])),
        Answer(pieces=()),
        Answer(pieces=pieces(CONTENT + b"x")),
        Answer(pieces=(b"X" * 16_384,) * 1_000),
        Answer(pieces=pieces(CONTENT[:-1] + b"x")),
    ],
    ids=["missing", "failing", "a part", "shorter", "nothing", "longer", "endless", "other content"],
)
async def test_what_is_not_as_declared_is_discarded_and_the_mirror_is_tried(tmp_path: Path, wrong: Answer) -> None:
    async with desk(tmp_path, {URL: wrong, MIRROR: GOOD}) as here:
        await here.install(resource(mirrors=["https://files.example.com/gone", MIRROR]))
        assert (await here.path()).read_bytes() == CONTENT
        assert here.sender.asked == [URL, "https://files.example.com/gone", MIRROR]


@pytest.mark.req("TOOL-126", "TOOL-127", "RES-036")
async def test_a_failure_tells_of_each_address_why(tmp_path: Path) -> None:
    async with desk(tmp_path, {URL: Answer(pieces=(b"short",)), MIRROR: Answer(503)}) as here:
        await here.install(resource(mirrors=[MIRROR, "https://lost.example/x"]))
        error = await here.refusal()
        assert error.code is Code.RESOURCE_FAILED
        for text in (URL, "it has 5 bytes", MIRROR, "it answered 503", "https://lost.example/x", "no such name"):
            assert text in error.detail
        assert not (here.store / "resources").exists() or not list((here.store / "resources").iterdir())


@pytest.mark.req("TOOL-128", "TOOL-129", "RES-037", "RES-042")
async def test_after_a_failure_the_gem_stays_and_the_next_call_begins_from_the_start(tmp_path: Path) -> None:
    async with desk(tmp_path, {URL: Answer(pieces=pieces(CONTENT[:-1]))}) as here:
        await here.install(resource())
        assert (await here.refusal()).code is Code.RESOURCE_FAILED
        assert (await here.shown()).state is ResourceState.FAILED
        assert (await here.platform.service.get("greeter")).state == "ready"
        here.sender.answers[URL] = GOOD
        assert (await here.path()).read_bytes() == CONTENT
        assert (await here.shown()).failure is None


@pytest.mark.req("RES-023", "RES-024", "RES-026")
@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("http://cdn.example.net/model.bin", "E_NETWORK_ADDRESS_INVALID"),
        ("https://127.0.0.1/model.bin", "E_NETWORK_LOCAL_CLOSED"),
        ("https://[::1]/model.bin", "E_NETWORK_LOCAL_CLOSED"),
        ("https://169.254.169.254/latest", "E_NETWORK_LOCAL_CLOSED"),
        ("https://router/model.bin", "E_NETWORK_LOCAL_CLOSED"),
        ("https://inward.example/model.bin", "E_NETWORK_LOCAL_CLOSED"),
        ("ftp://cdn.example.net/model.bin", "E_NETWORK_ADDRESS_INVALID"),
        ("file:///etc/passwd", "E_NETWORK_ADDRESS_INVALID"),
    ],
)
async def test_a_redirect_to_http_or_inward_is_refused_even_where_the_user_listed_it(
    tmp_path: Path, target: str, code: str
) -> None:
    lists = rules(local=["127.0.0.1:443", "[::1]:443", "169.254.169.254", "router", "inward.example"])
    names = {"inward.example": ["10.0.0.5"], "router": ["192.168.0.1"]}
    async with desk(tmp_path, {URL: redirect(target)}, lists=lists, names=names) as here:
        await here.install(resource())
        assert code in (await here.refusal()).detail
        assert here.sender.asked == [URL]


@pytest.mark.req("RES-025")
@pytest.mark.parametrize(("hops", "arrives"), [(5, True), (6, False)])
async def test_five_redirects_are_followed_and_no_more(tmp_path: Path, hops: int, arrives: bool) -> None:
    steps = {f"https://cdn.example.net/{n}": redirect(f"https://cdn.example.net/{n - 1}") for n in range(1, hops)}
    answers = {URL: redirect(f"https://cdn.example.net/{hops - 1}"), **steps, "https://cdn.example.net/0": GOOD}
    async with desk(tmp_path, answers) as here:
        await here.install(resource())
        if arrives:
            assert (await here.path()).read_bytes() == CONTENT
        else:
            assert "E_NETWORK_REDIRECTS" in (await here.refusal()).detail


@pytest.mark.req("RES-027", "RES-028", "RES-029")
async def test_hosts_that_the_user_blocks_are_not_downloaded_from(tmp_path: Path) -> None:
    lists = rules(blocked=["files.example.com", "cdn.example.net"])
    second = "https://mirror.example.org/other"
    async with desk(tmp_path, {MIRROR: redirect("https://cdn.example.net/x"), second: GOOD}, lists=lists) as here:
        await here.install(resource(mirrors=[MIRROR, second]))
        _ = await here.path()
        assert here.sender.asked == [MIRROR, second]


@pytest.mark.req("RES-033")
async def test_without_room_on_the_disk_nothing_is_begun(tmp_path: Path) -> None:
    sender, gateway = await shelf()
    made = GemResources(
        gateway=gateway.egress,
        store_folder=lambda gem: tmp_path / gem,
        bus=EventBus(),
        free=lambda files: len(CONTENT),
    )
    with pytest.raises(NotochordError) as caught:
        await made.path("g", record())
    assert (caught.value.code, sender.asked) == (Code.DISK_FULL, [])
    await made.close()
    await gateway.egress.close()


@pytest.mark.req("RES-010", "RES-034", "TOOL-118")
async def test_a_required_file_comes_after_the_installation_which_does_not_wait(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        here.sender.gate.clear()
        await here.install(resource(required=True))
        await until(lambda: here.sender.asked == [URL])
        assert (await here.shown()).state is ResourceState.DOWNLOADING
        here.sender.gate.set()
        await until(lambda: (here.store / "resources").exists() and any((here.store / "resources").iterdir()))
        assert (await here.path()).read_bytes() == CONTENT
        assert here.sender.asked == [URL]


@pytest.mark.req("RES-011", "RES-035", "RES-038")
@pytest.mark.parametrize("required", [True, False])
async def test_what_failed_is_tried_again_at_the_next_start(tmp_path: Path, required: bool) -> None:
    vault = MemoryVault()
    async with desk(tmp_path, {URL: Answer(500)}, vault=vault) as here:
        await here.install(resource(required=required))
        if not required:
            assert (await here.refusal()).code is Code.RESOURCE_FAILED
            here.sender.answers[URL] = Answer(pieces=(b"short",))
        assert (await here.refusal()).code is Code.RESOURCE_FAILED
    async with desk(tmp_path, vault=vault) as here:
        await until(lambda: here.sender.asked == [URL])
        assert (await here.path()).read_bytes() == CONTENT


async def test_a_file_that_nobody_asked_for_is_not_downloaded_at_the_start(tmp_path: Path) -> None:
    vault = MemoryVault()
    async with desk(tmp_path, vault=vault) as here:
        await here.install(resource())
    async with desk(tmp_path, vault=vault) as here:
        assert (await here.shown()).state is ResourceState.ABSENT
        assert here.sender.asked == []


@pytest.mark.req("RES-039", "RES-040", "TOOL-123")
async def test_an_upgrade_keeps_what_is_the_same_and_deletes_what_is_not_declared(tmp_path: Path) -> None:
    other = b"other content"
    second = resource(
        id="table", url="https://files.example.com/table", size=len(other), sha256=hashlib.sha256(other).hexdigest()
    )
    async with desk(tmp_path, {URL: GOOD, second["url"]: Answer(pieces=(other,))}) as here:
        await here.install(resource(), second)
        model, table = await here.path("model"), await here.path("table")
        await here.install(resource(id="renamed", url="https://files.example.com/new"), version="1.1.0")
        assert await here.path("renamed") == model
        assert (len(here.sender.asked), table.exists()) == (2, False)
        changed = {"sha256": second["sha256"], "size": len(other), "url": second["url"]}
        await here.install(resource(**changed), version="1.2.0")
        assert await here.path("model") == table != model


@pytest.mark.req("RES-041")
async def test_removing_a_gem_deletes_its_files_and_ends_its_downloads(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.install(resource())
        path = await here.path()
        await here.platform.service.remove("greeter")
        assert not path.exists()
        await here.install(resource())
        here.sender.gate.clear()
        waiting = asyncio.create_task(here.platform.service.download("greeter", "model"))
        await until(lambda: len(here.sender.asked) == 2)
        await here.platform.service.remove("greeter")
        with pytest.raises(NotochordError) as caught:
            await waiting
        assert caught.value.code is Code.CANCELLED
        assert not here.store.exists()


@pytest.mark.req("RES-019", "RES-020", "RES-021", "RES-022")
async def test_what_is_shown_of_a_file_is_its_description_size_hosts_and_when_it_comes(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.install(resource(mirrors=[MIRROR, URL + "2"], description="A model"))
        shown = await here.shown()
        assert (shown.description, shown.size, shown.hosts, shown.required) == (
            "A model", len(CONTENT), ("files.example.com", "mirror.example.org"), False,
        )  # fmt: skip


@pytest.mark.req("RES-013", "RES-014")
async def test_without_a_description_the_id_is_shown(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.install(resource())
        assert (await here.shown()).description == "model"


async def test_progress_is_told_from_the_beginning_to_the_end(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.install(resource())
        told: list[int] = []
        forget = here.platform.bus.subscribe(GemResourceChanged, lambda event: told.append(event.received))
        _ = await here.path()
        forget()
        assert (told[0], told[-1], told == sorted(told)) == (0, len(CONTENT), True)
        assert 3 < len(told) < 110


@pytest.mark.parametrize("deed", ["content", "link", "gone", "folder"])
async def test_a_file_that_was_touched_is_downloaded_again(tmp_path: Path, deed: str) -> None:
    async with desk(tmp_path) as here:
        await here.install(resource())
        path = await here.path()
        path.unlink()
        if deed == "content":
            path.write_bytes(b"x" * len(CONTENT))
        elif deed == "link":
            (tmp_path / "secret").write_bytes(b"secret")
            path.symlink_to(tmp_path / "secret")
        if deed == "folder":
            path.mkdir()
            error = await here.refusal()
            assert error.code is Code.DISK_IO
            path.rmdir()
        found = await here.path()
        assert (found, found.read_bytes(), found.is_symlink()) == (path, CONTENT, False)
        assert not (tmp_path / "secret").exists() or (tmp_path / "secret").read_bytes() == b"secret"


async def test_a_link_planted_where_a_download_goes_is_not_followed(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.install(resource())
        (here.store / "downloads").mkdir(parents=True)
        (tmp_path / "target").write_bytes(b"mine")
        (here.store / "downloads" / record().sha256).symlink_to(tmp_path / "target")
        assert (await here.path()).read_bytes() == CONTENT
        assert (tmp_path / "target").read_bytes() == b"mine"


def test_the_room_of_the_disk_is_asked_where_the_file_will_lie(tmp_path: Path) -> None:
    assert ResourceFiles(tmp_path / "store").free() > 0


@pytest.mark.req("DATA-496")
async def test_each_organization_downloads_its_own_files_and_keeps_them(tmp_path: Path) -> None:
    homes = [tmp_path / name for name in ("one", "two")]
    for home in homes:
        home.mkdir()
    async with desk(homes[0]) as one, desk(homes[1]) as two:
        for here in (one, two):
            await here.install(resource())
        first = await one.path()
        assert two.sender.asked == []
        second = await two.path()
        assert (two.sender.asked, first.samefile(second)) == ([URL], False)
        await one.platform.service.remove("greeter")
        assert (first.exists(), second.read_bytes()) == (False, CONTENT)
