"""Lists and packages that lie: each attack is blocked, and succeeds with its barrier taken away where there is one."""

import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json, encode
from notochord.services.gems.api import Publication, Standing
from notochord.services.store import index as reading
from notochord.services.store.index import MAX_INDEX_BYTES, read_index
from support.egress import PUBLIC, Answer, rules
from support.gems import DEVELOPER, OFFICIAL, STRANGER, manifest
from support.stores import ADDRESS, StoreBench, digest

INSIDE = "10.0.0.5"


async def refused(shop: StoreBench) -> Code:
    """Install the greeter, which has to fail, and return why; nothing may be installed then."""
    with pytest.raises(NotochordError) as failure:
        await shop.store.install("greeter")
    assert await shop.gems.service.all() == ()
    return failure.value.code


async def other_package(shop: StoreBench, **change: Any) -> bytes:
    """Return an officially signed package that is not the listed one."""
    return shop.packages.make(manifest(**change)).read_bytes()


async def swap(shop: StoreBench, content: bytes, *, listed: bool) -> None:
    """Serve another package than the listed one; with `listed` under its own size and hash."""
    [entry] = shop.publish("1.0.0")
    shop.server.give(f"/gems/{entry['package']}", content)
    if listed:
        entry.update(size=len(content), sha256=digest(content))
        shop.list([entry])
    await shop.store.refresh()


@pytest.mark.req("GEMUI-011", "GEMUI-013")
async def test_a_package_with_another_hash_is_not_installed(shop: StoreBench) -> None:
    [entry] = shop.publish("1.0.0", change=lambda entry: entry.update(sha256="0" * 64))
    await shop.store.refresh()
    assert await refused(shop) is Code.LISTING_MISMATCH
    assert entry["sha256"] == "0" * 64


@pytest.mark.parametrize("change", [{"id": "other"}, {"version": "0.9.0"}, {"version": "2.0.0"}, {"description": "x"}])
@pytest.mark.req("GEMUI-013")
async def test_a_package_that_is_another_than_the_listed_one_is_not_installed(
    shop: StoreBench, change: dict[str, str]
) -> None:
    await swap(shop, await other_package(shop, **change), listed=True)
    assert await refused(shop) is Code.LISTING_MISMATCH


async def test_without_the_comparison_another_package_would_be_installed(
    shop: StoreBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("notochord.services.gems.publications._check_is", lambda *_: None)
    await swap(shop, await other_package(shop, id="other"), listed=True)
    assert (await shop.store.install("greeter")).id == "other"


@pytest.mark.parametrize("key", [DEVELOPER, STRANGER], ids=["developer", "stranger"])
@pytest.mark.req("GEMUI-010")
async def test_a_gem_without_an_official_signature_is_not_even_listed(shop: StoreBench, key: Any) -> None:
    shop.publish("1.0.0", key=key)
    found = await shop.store.refresh()
    assert (found.gems, found.left_out) == ((), 1)


@pytest.mark.req("GEMUI-010")
async def test_a_package_without_its_official_signature_is_not_installed(shop: StoreBench) -> None:
    by_developer = shop.packages.make(manifest(), key=DEVELOPER).read_bytes()
    await swap(shop, by_developer, listed=True)
    assert await refused(shop) is Code.GEM_NOT_OFFICIAL


@pytest.mark.req("GEMUI-012")
async def test_a_gem_whose_permissions_are_not_validly_written_is_not_listed(shop: StoreBench) -> None:
    [entry] = shop.publish("1.0.0")
    from nacl.signing import SigningKey

    from notochord.services.gems.signatures import sign

    assert isinstance(OFFICIAL, SigningKey)
    entry["manifest"]["permissions"] = {"network": {"hosts": "everywhere", "reason": ""}}
    entry["signature"] = json.loads(sign(json.dumps(entry["manifest"]).encode(), OFFICIAL, "anna"))
    shop.list([entry])
    assert (await shop.store.refresh()).gems == ()


@pytest.mark.req("GEMUI-008")
async def test_a_list_cannot_show_other_rights_than_the_signed_ones(shop: StoreBench) -> None:
    def hide(entry: dict[str, Any]) -> None:
        entry["manifest"].pop("permissions")

    network = {"network": {"hosts": ["evil.example.com"], "reason": "x"}}
    shop.publish("1.0.0", change=hide, permissions=network)
    assert (await shop.store.refresh()).gems == ()


async def test_a_list_cannot_lead_to_a_downgrade(shop: StoreBench) -> None:
    shop.publish("2.0.0")
    await shop.store.refresh()
    await shop.store.install("greeter")
    shop.publish("1.0.0")
    await shop.store.refresh()
    assert (await shop.store.get("greeter")).standing is Standing.INSTALLED
    assert await shop.store.updates() == {}
    with pytest.raises(NotochordError) as failure:
        await shop.store.install("greeter")
    assert failure.value.code is Code.VERSION_OLDER


async def test_a_list_cannot_replace_a_gem_of_another_publisher(shop: StoreBench) -> None:
    mine = manifest(author={"name": "Ben", "publisherId": "ben"})
    await shop.gems.service.install(shop.packages.make(mine, key=None), allow_unsigned=True)
    shop.publish("9.0.0")
    await shop.store.refresh()
    assert (await shop.store.get("greeter")).standing is Standing.OTHER
    with pytest.raises(NotochordError) as failure:
        await shop.store.install("greeter")
    assert failure.value.code is Code.PUBLISHER_MISMATCH


@pytest.mark.parametrize(
    "package",
    ["http://store.example.com/a.gem", "file:///etc/passwd", "//[", "data:,x", "javascript:x"],
)
async def test_a_package_comes_over_https_only(shop: StoreBench, package: str) -> None:
    shop.publish("1.0.0", change=lambda entry: entry.update(package=package))
    assert (await shop.store.refresh()).gems == ()


@pytest.mark.parametrize("package", ["../x.gem", "/etc/x.gem", "a\\b.gem", "https://x.example.com/a.gem", "x.zip"])
async def test_the_programs_own_list_names_files_beside_it_only(shop: StoreBench, package: str) -> None:
    [entry] = shop.publish("1.0.0", change=lambda entry: entry.update(package=package))
    content = json.dumps({"format": 1, "gems": [entry]}).encode()
    assert read_index(content, "", shop.gems.service.publications).entries == {}


async def test_a_package_in_the_users_own_network_is_not_fetched(shop: StoreBench) -> None:
    shop.resolver.names["inside.example.com"] = [INSIDE]
    shop.publish("1.0.0", change=lambda entry: entry.update(package="https://inside.example.com/a.gem"))
    await shop.store.refresh()
    before = len(shop.server.asked)
    assert await refused(shop) is Code.NETWORK_LOCAL_CLOSED
    assert len(shop.server.asked) == before


async def test_a_redirect_of_a_package_inward_is_not_followed(shop: StoreBench) -> None:
    shop.resolver.names["inside.example.com"] = [INSIDE]
    [entry] = shop.publish("1.0.0")
    shop.server.answers[f"/gems/{entry['package']}"] = Answer(
        302, (("Location", "https://inside.example.com/a.gem"),), ()
    )
    await shop.store.refresh()
    assert await refused(shop) is Code.NETWORK_LOCAL_CLOSED


async def test_with_the_network_opened_by_the_user_the_same_redirect_is_followed(shop: StoreBench) -> None:
    shop.resolver.names["inside.example.com"] = [INSIDE]
    [entry] = shop.publish("1.0.0")
    path = f"/gems/{entry['package']}"
    content = b"".join(shop.server.answers[path].pieces)
    shop.server.answers[path] = Answer(302, (("Location", "https://inside.example.com/a.gem"),), ())
    shop.server.give("/a.gem", content)
    await shop.egress.change_rules(rules(local=["inside.example.com"]))
    await shop.store.refresh()
    assert (await shop.store.install("greeter")).id == "greeter"


async def test_no_redirect_leads_over_an_address_without_https(shop: StoreBench) -> None:
    shop.resolver.names["plain.example.com"] = [PUBLIC]
    shop.server.answers["/gems/index.json"] = Answer(302, (("Location", "http://plain.example.com/i.json"),), ())
    back = (("Location", "https://store.example.com/whole.json"),)
    shop.server.answers["/i.json"] = Answer(302, back, ())
    shop.server.give("/whole.json", b'{"format": 1, "gems": []}')
    failure = (await shop.store.refresh()).failure
    assert failure is not None
    assert failure.code is Code.LISTING_REFUSED
    assert not [asked for asked in shop.server.asked if asked.target == "/i.json"]


async def test_an_endless_list_is_given_up(shop: StoreBench) -> None:
    shop.server.answers["/gems/index.json"] = Answer(pieces=(b" " * (1024 * 1024),) * 64)
    failure = (await shop.store.refresh()).failure
    assert failure is not None
    assert failure.code is Code.PAYLOAD_TOO_LARGE


async def test_an_endless_package_is_given_up(shop: StoreBench) -> None:
    [entry] = shop.publish("1.0.0")
    shop.server.answers[f"/gems/{entry['package']}"] = Answer(pieces=(b"x" * 65_536,) * 1_000)
    await shop.store.refresh()
    assert await refused(shop) is Code.LISTING_MISMATCH
    assert not any((shop.gems.folder.store_list / "arriving").iterdir())


async def test_a_missing_package_is_told_with_its_host(shop: StoreBench) -> None:
    [entry] = shop.publish("1.0.0")
    del shop.server.answers[f"/gems/{entry['package']}"]
    await shop.store.refresh()
    assert await refused(shop) is Code.LISTING_REFUSED


async def test_a_changed_document_is_passed_over(shop: StoreBench) -> None:
    def change(entry: dict[str, Any]) -> None:
        entry["documents"]["docs/README.en.md"] = "[click](https://evil.example.com)"

    shop.publish("1.0.0", change=change)
    await shop.store.refresh()
    assert "evil" not in json.dumps(await documents(shop))


async def documents(shop: StoreBench) -> list[str]:
    found = []
    for one in (await shop.store.get("greeter")).dossier.documents:
        with suppress(NotochordError):
            found.append(await shop.store.document("greeter", one.path))
    return found


@pytest.mark.parametrize(
    "change",
    [
        {"size": -1},
        {"size": 10**12},
        {"size": "12"},
        {"size": True},
        {"sha256": "X" * 64},
        {"manifest": []},
        {"manifest": None},
        {"signature": {}},
        {"signature": "x"},
        {"package": ""},
        {"package": 5},
        {"texts": {"en": {"name": "x" * 65, "description": ""}}},
        {"texts": {"../en": {"name": "x", "description": ""}}},
        {"texts": []},
        {"documents": {"docs/README.en.md": 5}},
    ],
)
async def test_a_bad_entry_is_left_out_and_the_others_stay(shop: StoreBench, change: dict[str, Json]) -> None:
    [good] = shop.publish("1.0.0", id="other")
    [bad] = shop.publish("1.0.0", change=lambda entry: entry.update(change))
    shop.list([bad, good])
    found = await shop.store.refresh()
    assert ([one.dossier.gem.id for one in found.gems], found.left_out) == (["other"], 1)


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b'{"format": 2, "gems": []}', b'{"format":1,"gems":{}}', b"\xff"]
)
async def test_what_is_no_list_leaves_the_one_before(shop: StoreBench, content: bytes) -> None:
    shop.publish("1.0.0")
    await shop.store.refresh()
    shop.server.give("/gems/index.json", content)
    found = await shop.store.refresh()
    assert found.failure is not None
    assert found.failure.code is Code.LISTING_INVALID
    assert [one.dossier.gem.id for one in found.gems] == ["greeter"]


class SignsEverything:
    """Plays publications that vouch for whatever has an id and a version."""

    def read(self, manifest: Json, signature: Json) -> Publication:
        raise NotochordError(Code.SIG_INVALID, Fault.NETWORK, encode(manifest)[:20])


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
NAMES = ("manifest", "signature", "package", "size", "sha256", "texts", "documents")
ENTRIES = st.fixed_dictionaries({}, optional={name: PLAIN for name in NAMES})


@given(entries=st.lists(ENTRIES | PLAIN, max_size=4), form=st.sampled_from([1, 1, 1, 2, None, "1"]))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_whatever_a_list_holds_reading_it_ends_in_a_list_or_a_refusal(entries: list[Any], form: Any) -> None:
    content = json.dumps({"format": form, "gems": entries}).encode(errors="replace")
    if form != 1:
        with pytest.raises(NotochordError, match="E_LISTING_INVALID"):
            read_index(content, ADDRESS, SignsEverything())  # type: ignore[arg-type]
        return
    with suppress(NotochordError):  # a key twice, a number beyond all bounds: no list
        found = read_index(content, ADDRESS, SignsEverything())  # type: ignore[arg-type]
        assert found.entries == {}
        assert found.left_out == len(entries)


@given(content=st.binary(max_size=400))
@settings(max_examples=100)
def test_bytes_that_are_no_list_are_refused(content: bytes) -> None:
    with pytest.raises(NotochordError) as refusal:
        read_index(content, ADDRESS, SignsEverything())  # type: ignore[arg-type]
    assert refusal.value.code is Code.LISTING_INVALID


def test_a_list_over_its_limit_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "decode", lambda _: pytest.fail("parsed"))
    with pytest.raises(NotochordError):
        read_index(b" " * (MAX_INDEX_BYTES + 1), ADDRESS, SignsEverything())  # type: ignore[arg-type]


async def test_two_installations_of_one_gem_go_one_after_the_other(shop: StoreBench) -> None:
    shop.publish("1.0.0")
    await shop.store.refresh()
    gems = await asyncio.gather(shop.store.install("greeter"), shop.store.install("greeter"))
    assert [gem.id for gem in gems] == ["greeter", "greeter"]
