"""Developers whose keys the user trusts: each speaks for its publisher and its gems only, until it is taken away."""

import asyncio
from pathlib import Path

import pytest
from nacl.signing import SigningKey

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gem_developers.api import DevelopersChanged
from notochord.services.gems.api import Trust
from notochord.services.gems.signatures import TrustedKeys, Verdict, key_id
from support.gems import DEVELOPER, OFFICIAL, STRANGER, PackageMaker, Platform, manifest, platform, public
from support.vaults import MemoryVault

KEY = bytes(DEVELOPER.verify_key)
ONLY_OFFICIAL = TrustedKeys(official=public(OFFICIAL))


def of(publisher: str, gem: str = "org.anna.notes", version: str = "1.0.0") -> dict[str, object]:
    return manifest(id=gem, version=version, author={"name": "A", "publisherId": publisher})


async def outcome(notochord: Platform, package: Path) -> str:
    try:
        return str((await notochord.service.install(package)).trust)
    except NotochordError as refused:
        return refused.code.value


@pytest.mark.req("PKG-070", "PKG-066", "PKG-047")
async def test_a_key_that_the_user_adds_makes_a_package_one_of_a_trusted_developer(
    tmp_path: Path, packages: PackageMaker
) -> None:
    package, vault = packages.make(of("anna"), key=DEVELOPER), MemoryVault()
    async with platform(tmp_path / "org", keys=ONLY_OFFICIAL, vault=vault) as notochord:
        changed: list[object] = []
        notochord.bus.subscribe(DevelopersChanged, changed.append)
        assert await outcome(notochord, package) == "E_UNKNOWN_KEY"
        made = await notochord.service.developers.add(KEY.hex(" ").upper(), " anna ")
        assert (made.key, made.publisher, made.prefix) == (key_id(KEY), "anna", "")
        assert await outcome(notochord, package) == Trust.DEVELOPER
        assert len(changed) == 1
    async with platform(tmp_path / "org", keys=ONLY_OFFICIAL, vault=vault) as notochord:
        assert [one.public_key for one in await notochord.service.developers.all()] == [KEY.hex()]
        assert await outcome(notochord, packages.make(of("anna", version="1.1.0"), key=DEVELOPER)) == Trust.DEVELOPER


@pytest.mark.req("PKG-070")
async def test_a_key_speaks_for_no_publisher_but_the_one_that_it_was_added_for(
    tmp_path: Path, packages: PackageMaker
) -> None:
    async with platform(tmp_path / "org", keys=ONLY_OFFICIAL) as notochord:
        developers = notochord.service.developers
        await developers.add(KEY.hex(), "anna")
        await developers.add(bytes(STRANGER.verify_key).hex(), "eve")
        for_eve = packages.make(of("eve"), key=DEVELOPER)
        assert await outcome(notochord, for_eve) == "E_UNKNOWN_KEY"
        assert await outcome(notochord, packages.make(of("anna"), key=STRANGER)) == "E_UNKNOWN_KEY"
        assert (await notochord.service.install(for_eve, allow_unsigned=True)).trust is Trust.UNKNOWN_KEY
        await notochord.service.remove("org.anna.notes")
        await developers.add(KEY.hex(), "eve")
        assert await outcome(notochord, for_eve) == Trust.DEVELOPER


async def test_a_key_with_a_beginning_of_ids_speaks_for_these_gems_only(tmp_path: Path, packages: PackageMaker) -> None:
    async with platform(tmp_path / "org", keys=ONLY_OFFICIAL) as notochord:
        await notochord.service.developers.add(KEY.hex(), "anna", "org.anna")
        elsewhere = packages.make(of("anna", "org.annabel.notes"), key=DEVELOPER)
        assert await outcome(notochord, elsewhere) == "E_UNKNOWN_KEY"
        assert (await notochord.service.install(elsewhere, allow_unsigned=True)).trust is Trust.UNKNOWN_KEY
        assert await outcome(notochord, packages.make(of("anna"), key=DEVELOPER)) == Trust.DEVELOPER


@pytest.mark.parametrize(
    ("prefixes", "gem", "covered"),
    [
        (("",), "x", True),
        (("org.anna",), "org.anna", True),
        (("org.anna",), "org.anna-notes", True),
        (("org.anna",), "org.annabel", False),
        (("a", "org.anna"), "org.anna.b", True),
        ((), "x", False),
    ],
)
def test_beginnings_are_compared_by_whole_words(prefixes: tuple[str, ...], gem: str, covered: bool) -> None:
    assert Verdict(Trust.DEVELOPER, "anna", prefixes).covers(gem) is covered


async def test_a_key_that_was_taken_away_opens_nothing_more_and_what_is_installed_stays(
    tmp_path: Path, packages: PackageMaker
) -> None:
    async with platform(tmp_path / "org", keys=ONLY_OFFICIAL) as notochord:
        developers = notochord.service.developers
        await developers.add(KEY.hex(), "anna")
        made = await developers.add(KEY.hex(), "eve")
        assert await outcome(notochord, packages.make(of("anna"), key=DEVELOPER)) == Trust.DEVELOPER
        await developers.remove(made.key, "anna")
        assert await outcome(notochord, packages.make(of("anna", version="2.0.0"), key=DEVELOPER)) == "E_UNKNOWN_KEY"
        assert (await notochord.service.get("org.anna.notes")).version == "1.0.0"
        assert [one.publisher for one in await developers.all()] == ["eve"]
        await developers.remove(made.key)
        with pytest.raises(NotochordError) as refused:
            await developers.remove(made.key)
        assert (refused.value.code, await developers.all()) == (Code.NOT_FOUND, ())


async def test_a_key_that_was_taken_away_is_not_brought_back_by_a_reading_that_began_before(
    tmp_path: Path, packages: PackageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = packages.make(of("anna"), key=DEVELOPER)
    async with platform(tmp_path / "org", keys=ONLY_OFFICIAL) as notochord:
        developers = notochord.service.developers
        key = (await developers.add(KEY.hex(), "anna")).key
        read, begun, go_on = developers.all, asyncio.Event(), asyncio.Event()

        async def held_up() -> object:
            monkeypatch.undo()
            found = await read()
            begun.set()
            await go_on.wait()
            return found

        monkeypatch.setattr(developers, "all", held_up)
        adding = asyncio.create_task(developers.add(bytes(STRANGER.verify_key).hex(), "eve"))
        await begun.wait()
        removing = asyncio.create_task(developers.remove(key))
        while any(one.key == key for one in await read()):  # noqa: ASYNC110 - the rows tell, no event does
            await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(adding, removing)
        assert await outcome(notochord, package) == "E_UNKNOWN_KEY"
        assert await outcome(notochord, packages.make(of("eve"), key=STRANGER)) == Trust.DEVELOPER


@pytest.mark.req("PKG-069")
@pytest.mark.parametrize(
    ("key", "publisher", "prefix"),
    [
        ("", "anna", ""),
        (KEY.hex()[:-1], "anna", ""),
        (SigningKey(b"x" * 32).encode().hex() + "00", "anna", ""),
        (bytes(OFFICIAL.verify_key).hex(), "anna", ""),
        ("01" + "00" * 31, "anna", ""),
        ("00" * 32, "anna", ""),
        ("ff" * 32, "anna", ""),
        (KEY.hex(), "", ""),
        (KEY.hex(), "аnna", ""),  # a Cyrillic letter
        (KEY.hex(), "anna\u200b", ""),
        (KEY.hex(), "An na", ""),
        (KEY.hex(), "anna", "org."),
        (KEY.hex(), "a" * 129, ""),
    ],
)
async def test_what_is_no_key_or_no_id_is_refused_and_an_official_key_needs_no_adding(
    tmp_path: Path, key: str, publisher: str, prefix: str
) -> None:
    async with platform(tmp_path / "org", keys=ONLY_OFFICIAL) as notochord:
        with pytest.raises(NotochordError) as refused:
            await notochord.service.developers.add(key, publisher, prefix)
        assert refused.value.code is Code.INPUT_INVALID
        assert await notochord.service.developers.all() == ()
