"""Network access: what the lists take, what they refuse with which advice, and the proxy."""

from collections.abc import AsyncIterator

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.services.egress.api import OutsideMode
from notochord.services.egress.service import EgressService
from notochord.services.store.api import SOURCE
from notochord.viewmodels.samples.doors import absent
from notochord.viewmodels.settings.network import (
    HostList,
    NetworkModel,
    ProxyChoice,
    ProxyUse,
    SourceChoice,
    SourceUse,
    as_read,
)
from support.settings import MemorySettings
from support.stores import store_with_an_address


@pytest.fixture
def settings() -> MemorySettings:
    return MemorySettings()


@pytest.fixture
def egress(settings: MemorySettings) -> EgressService:
    return EgressService(
        settings=settings,
        vault=absent("vault"),
        resolver=absent("resolver"),
        sender=absent("sender"),
        environment={},
    )


@pytest.fixture
async def network(egress: EgressService, settings: MemorySettings) -> AsyncIterator[NetworkModel]:
    model = NetworkModel(egress=egress, store=store_with_an_address(settings), events=EventBus())
    await model.start()
    yield model
    await model.close()


@pytest.mark.req("SET-011", "SET-012")
async def test_at_first_everything_outside_is_open_and_nothing_inside(network: NetworkModel) -> None:
    assert network.mode.value is OutsideMode.BLOCK
    assert [list(entries) for entries in network.lists.values()] == [[], [], []]


@pytest.mark.req("SET-013", "SET-014", "SET-015")
async def test_entries_go_into_the_list_that_the_mode_makes_count(network: NetworkModel, egress: EgressService) -> None:
    assert await network.add(network.outside, " ads.example.com ") is None
    await network.choose_mode(OutsideMode.ALLOW)
    assert network.outside is HostList.ALLOWED
    assert await network.add(network.outside, "*.example.com") is None
    assert (egress.rules().blocked, egress.rules().allowed) == (("ads.example.com",), ("*.example.com",))
    await network.choose_mode(OutsideMode.BLOCK)
    assert list(network.lists[HostList.BLOCKED]) == ["ads.example.com"]
    assert list(network.lists[HostList.ALLOWED]) == ["*.example.com"]


@pytest.mark.req("SET-020", "SET-022", "SET-023", "SET-024")
@pytest.mark.parametrize("entry", ["localhost:5173", "192.168.1.20", "nas.local:5000", "*.corp.example.com"])
async def test_the_internal_list_takes_what_the_guide_shows(network: NetworkModel, entry: str) -> None:
    refused = await network.add(HostList.LOCAL, "localhost")
    assert refused is not None
    assert refused.instead == "localhost:5173"
    assert await network.add(HostList.LOCAL, entry) is None
    assert list(network.lists[HostList.LOCAL]) == [entry]


@pytest.mark.req("SET-025", "SET-026")
@pytest.mark.parametrize(
    ("entry", "instead"),
    [("http://nas.local:5000", "nas.local:5000"), ("nas.local/photos", "nas.local"), ("nas local", "nas.local:5000")],
)
async def test_an_entry_that_cannot_be_used_comes_back_with_what_to_write(
    network: NetworkModel, entry: str, instead: str
) -> None:
    refused = await network.add(HostList.LOCAL, entry)
    assert refused is not None
    assert refused.instead == instead
    assert await network.add(HostList.LOCAL, refused.instead) is None


async def test_an_entry_of_the_other_class_is_offered_to_the_other_list(network: NetworkModel) -> None:
    inside = await network.add(HostList.BLOCKED, "nas.local")
    assert inside is not None
    assert inside.other is HostList.LOCAL
    outside = await network.add(HostList.LOCAL, "8.8.8.8")
    assert outside is not None
    assert outside.other is HostList.BLOCKED
    assert await network.add(outside.other, "8.8.8.8") is None


async def test_an_entry_is_listed_once_and_can_be_taken_out(network: NetworkModel) -> None:
    for entry in ("a.example.com", "A.example.com", "", "b.example.com"):
        assert await network.add(HostList.BLOCKED, entry) is None
    assert list(network.lists[HostList.BLOCKED]) == ["a.example.com", "b.example.com"]
    await network.remove(HostList.BLOCKED, "a.example.com")
    assert list(network.lists[HostList.BLOCKED]) == ["b.example.com"]


async def test_a_proxys_password_is_never_shown_and_not_lost(network: NetworkModel, egress: EgressService) -> None:
    address = "http://user:secret@proxy.example.com:3128"
    await network.choose_proxy(ProxyUse.ADDRESS, address)
    shown = network.proxy.value
    assert shown.use is ProxyUse.ADDRESS
    assert "secret" not in shown.address
    await network.choose_proxy(ProxyUse.ADDRESS, shown.address)
    assert egress.rules().proxy == address
    await network.choose_proxy(ProxyUse.DIRECT)
    assert (network.proxy.value, egress.rules().proxy) == (ProxyChoice(ProxyUse.DIRECT), "direct")
    await network.choose_proxy(ProxyUse.SYSTEM)
    assert egress.rules().proxy == ""


async def test_a_proxy_that_cannot_be_used_is_refused(network: NetworkModel) -> None:
    with pytest.raises(NotochordError):
        await network.choose_proxy(ProxyUse.ADDRESS, "socks5://proxy.example.com")
    assert network.proxy.value == ProxyChoice(ProxyUse.SYSTEM)


async def test_the_list_shows_an_entry_as_it_is_kept_and_once_however_it_is_written(network: NetworkModel) -> None:
    for written in ("UPPER.Example.com", "upper.example.COM", "例子.测试", "xn--fsqu00a.xn--0zwm56d"):
        await network.add(HostList.BLOCKED, written)
    assert list(network.lists[HostList.BLOCKED]) == ["upper.example.com", "xn--fsqu00a.xn--0zwm56d"]


@pytest.mark.parametrize(
    ("kept", "read"),
    [
        ("xn--fsqu00a.xn--0zwm56d", "例子.测试 (xn--fsqu00a.xn--0zwm56d)"),
        ("*.xn--bcher-kva.example", "*.bücher.example (*.xn--bcher-kva.example)"),
        ("api.example.com", "api.example.com"),
        ("[::1]:8080", "[::1]:8080"),
        ("xn--bcher-kva.local:5000", "bücher.local:5000 (xn--bcher-kva.local:5000)"),
        ("xn--.example", "xn--.example"),
    ],
)
def test_a_name_in_other_letters_is_read_in_those_with_what_is_sent_behind(kept: str, read: str) -> None:
    assert as_read(kept) == read


@pytest.mark.req("APP-030")
async def test_the_stores_list_comes_from_the_usual_address_another_or_nowhere(
    network: NetworkModel, settings: MemorySettings
) -> None:
    assert network.source.value == SourceChoice(SourceUse.USUAL)
    await network.choose_source(SourceUse.ADDRESS, " https://gems.example.com/index.json ")
    assert network.source.value == SourceChoice(SourceUse.ADDRESS, "https://gems.example.com/index.json")
    await network.choose_source(SourceUse.NONE)
    assert (network.source.value, settings.current(SOURCE)) == (SourceChoice(SourceUse.NONE), "")
    await network.choose_source(SourceUse.USUAL)
    assert (network.source.value.use, settings.current(SOURCE)) == (SourceUse.USUAL, SOURCE.default)


@pytest.mark.parametrize(
    "address", ["", " ", "http://gems.example.com/a.json", "gems.example.com", "https://u@h.com/a"]
)
async def test_what_is_no_https_address_changes_nothing(
    network: NetworkModel, settings: MemorySettings, address: str
) -> None:
    with pytest.raises(NotochordError) as refused:
        await network.choose_source(SourceUse.ADDRESS, address)
    assert refused.value.code is Code.INPUT_INVALID
    assert (network.source.value.use, settings.current(SOURCE)) == (SourceUse.USUAL, SOURCE.default)
