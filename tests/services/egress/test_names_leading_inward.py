"""A name is what it resolves to: inward answers, mixed answers, and answers that change."""

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.egress.api import HostGrant, Leave
from support.egress import AGENT, PUBLIC, Answer, RecordingSender, bench, get, rules

NAME = "wiki.corp.example.com"
URL = f"http://{NAME}/"
PUBLIC_V6 = "2606:2800:220:1::1"
RANGES = {
    "10.": "PERM-041",
    "172.": "PERM-042",
    "192.168.": "PERM-043",
    "169.254.": "PERM-044",
    "100.": "PERM-045",
    "fc": "PERM-046",
    "fd": "PERM-046",
    "fe": "PERM-046",
    "::ffff:10.": "PERM-046",
    "64:ff9b": "PERM-046",
    "2002:": "PERM-046",
}
"""The rows that each range has; what is this computer itself has rows elsewhere."""


def row_of(address: str) -> list[str]:
    return [row for start, row in RANGES.items() if address.startswith(start)]


INWARD = [
    *("127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255"),
    *("192.168.0.1", "192.168.255.255", "169.254.169.254", "100.64.0.1", "100.127.255.255", "224.0.0.1"),
    *("255.255.255.255", "::1", "::", "fc00::1", "fdff::1", "fe80::1", "fe80::1%1", "fec0::1", "ff02::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1"),
    *("2002:7f00:1::1", "2002:c0a8:101::1", "::127.0.0.1", "::ffff:0:10.0.0.1"),
]


@pytest.mark.req("PERM-047")
@pytest.mark.parametrize("address", [pytest.param(one, marks=pytest.mark.req(*row_of(one)), id=one) for one in INWARD])
async def test_a_name_that_resolves_inward_is_local(address: str) -> None:
    sender = RecordingSender()
    parts = await bench(sender, lists=rules(mode="allow", allowed=["*.example.com"]), names={NAME: [address]})
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(get(URL))
    assert caught.value.code is Code.NETWORK_LOCAL_CLOSED
    assert sender.sent == []

    await parts.egress.change_rules(rules(local=["*.corp.example.com"]))
    await parts.egress.fetch(get(URL))
    assert len(sender.sent) == 1
    await parts.egress.close()


@pytest.mark.parametrize("inward", ["127.0.0.1", "10.0.0.1", "fe80::1", "::ffff:192.168.0.1", "64:ff9b::a00:1"])
@pytest.mark.parametrize("public", [PUBLIC, PUBLIC_V6])
@pytest.mark.parametrize("first", ["inward", "public"])
async def test_one_inward_answer_among_public_ones_makes_the_name_local(inward: str, public: str, first: str) -> None:
    sender = RecordingSender()
    answers = [inward, public] if first == "inward" else [public, inward]
    parts = await bench(sender, names={NAME: answers, "plain.example.com": [public]})
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(get(URL))
    assert caught.value.code is Code.NETWORK_LOCAL_CLOSED
    assert sender.sent == []

    await parts.egress.fetch(get("http://plain.example.com/"))
    assert sender.sent[0].addresses == (public,)
    await parts.egress.close()


async def test_a_name_is_resolved_once_and_the_checked_address_is_dialled_whatever_it_resolves_to_next() -> None:
    sender = RecordingSender()
    parts = await bench(sender, names={NAME: [[PUBLIC], ["127.0.0.1"]]})
    await parts.egress.fetch(get(URL))
    assert sender.sent[0].addresses == (PUBLIC,)
    assert parts.resolver.asked == [NAME]
    assert await parts.resolver.resolve(NAME) == ("127.0.0.1",)  # the control: who asks again is led inward
    await parts.egress.close()


@pytest.mark.req("PERM-034")
async def test_a_redirect_to_a_name_that_leads_inward_by_now_is_refused() -> None:
    sender = RecordingSender(Answer(302, (("Location", "/again"),)), Answer(302, (("Location", "/again"),)))
    parts = await bench(sender, names={NAME: [[PUBLIC], ["10.0.0.1"]]})
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(get(URL))
    assert caught.value.code is Code.NETWORK_LOCAL_CLOSED
    assert [sent.addresses for sent in sender.sent] == [(PUBLIC,)]

    parts.resolver.names[NAME] = [PUBLIC]
    await parts.egress.fetch(get(URL))
    assert [sent.addresses for sent in sender.sent] == [(PUBLIC,)] * 3
    await parts.egress.close()


@pytest.mark.req("SET-027")
@pytest.mark.parametrize("name", ["nas.local", "nas", NAME])
async def test_a_listed_address_does_not_open_the_names_that_lead_to_it(name: str) -> None:
    sender = RecordingSender()
    parts = await bench(sender, lists=rules(local=["192.168.1.20"]), names={name: ["192.168.1.20"]})
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(get(f"http://{name}/"))
    assert caught.value.code is Code.NETWORK_LOCAL_CLOSED
    await parts.egress.fetch(get("http://192.168.1.20/"))
    assert len(sender.sent) == 1
    await parts.egress.close()


async def test_a_listed_name_that_turns_out_to_be_public_obeys_the_outside_list() -> None:
    sender = RecordingSender()
    lists = rules(blocked=["*.example.com"], local=["*.corp.example.com"])
    parts = await bench(sender, lists=lists, names={NAME: [PUBLIC]})
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(get(URL))
    assert caught.value.code is Code.NETWORK_BLOCKED
    await parts.egress.change_rules(rules(local=["*.corp.example.com"]))
    await parts.egress.fetch(get(URL))
    assert len(sender.sent) == 1
    await parts.egress.close()


@pytest.mark.parametrize("answer", [(), ("not an address",), ("1.2.3",)])
async def test_a_name_without_a_usable_address_is_unreachable(answer: tuple[str, ...]) -> None:
    sender = RecordingSender()
    parts = await bench(sender, names={NAME: answer})
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(get(URL))
    assert caught.value.code is Code.NETWORK_UNREACHABLE
    assert sender.sent == []
    await parts.egress.close()


@pytest.mark.req("PERM-026")
async def test_a_host_that_a_gem_did_not_ask_for_is_not_even_looked_up() -> None:
    sender = RecordingSender()
    parts = await bench(sender, names={"stolen-words.evil.example": [PUBLIC]})
    grant = HostGrant(("api.example.com",))
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(get("https://stolen-words.evil.example/", Leave(AGENT, grant=grant)))
    assert caught.value.code is Code.PERM_DENIED
    assert "stolen-words.evil.example" in caught.value.detail
    assert parts.resolver.asked == []
    await parts.egress.fetch(get("https://stolen-words.evil.example/"))
    assert parts.resolver.asked == ["stolen-words.evil.example"]
    await parts.egress.close()
