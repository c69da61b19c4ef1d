"""Every spelling of a local address is seen for what it is; what has no single meaning is refused."""

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.egress.url import read_url
from support.egress import PUBLIC, RecordingSender, bench, get, rules

# host as written, port, the entry that opens it, the address that is then dialled
LOCAL = [
    ("127.0.0.1", "localhost:80", "127.0.0.1"),
    ("127.0.0.1.", "localhost:80", "127.0.0.1"),
    ("127.0.0.1:80", "localhost:80", "127.0.0.1"),
    ("127.1", "localhost:80", "127.0.0.1"),
    ("127.0.1", "localhost:80", "127.0.0.1"),
    ("2130706433", "localhost:80", "127.0.0.1"),
    ("0x7f000001", "localhost:80", "127.0.0.1"),
    ("0X7F000001", "localhost:80", "127.0.0.1"),
    ("017700000001", "localhost:80", "127.0.0.1"),
    ("0177.0.0.1", "localhost:80", "127.0.0.1"),
    ("0x7f.0.0.1", "localhost:80", "127.0.0.1"),
    ("0x7f.1", "localhost:80", "127.0.0.1"),
    ("127.0x0.0.01", "localhost:80", "127.0.0.1"),
    ("00000177.0.0.1", "localhost:80", "127.0.0.1"),
    ("１２７.0.0.1", "localhost:80", "127.0.0.1"),
    ("127。0。0。1", "localhost:80", "127.0.0.1"),
    ("127．0．0．1", "localhost:80", "127.0.0.1"),
    ("127｡0｡0｡1", "localhost:80", "127.0.0.1"),
    ("①②⑦.⓪.⓪.①", "localhost:80", "127.0.0.1"),
    ("0ｘ7f.1", "localhost:80", "127.0.0.1"),
    ("[::1]", "localhost:80", "::1"),
    ("[0:0:0:0:0:0:0:1]", "localhost:80", "::1"),
    ("[0000:0000:0000:0000:0000:0000:0000:0001]", "localhost:80", "::1"),
    ("[::0.0.0.1]", "localhost:80", "::1"),
    ("[::ffff:127.0.0.1]", "localhost:80", "127.0.0.1"),
    ("[::ffff:7f00:1]", "localhost:80", "127.0.0.1"),
    ("[0:0:0:0:0:ffff:7f00:0001]", "localhost:80", "127.0.0.1"),
    ("[::FFFF:127.0.0.1]", "localhost:80", "127.0.0.1"),
    ("[::127.0.0.1]", "[::127.0.0.1]:80", "::7f00:1"),
    ("[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]:80", "64:ff9b::7f00:1"),
    ("[64:ff9b::7f00:1]", "[64:ff9b::7f00:1]:80", "64:ff9b::7f00:1"),
    ("[64:ff9b:1::7f00:1]", "[64:ff9b:1::7f00:1]:80", "64:ff9b:1::7f00:1"),
    ("[2002:7f00:1::]", "[2002:7f00:1::]:80", "2002:7f00:1::"),
    ("[::ffff:0:127.0.0.1]", "[::ffff:0:7f00:1]:80", "::ffff:0:7f00:1"),
    ("localhost", "localhost:80", "127.0.0.1"),
    ("localhost.", "localhost:80", "127.0.0.1"),
    ("LOCALHOST", "localhost:80", "127.0.0.1"),
    ("LocalHost.", "localhost:80", "127.0.0.1"),
    ("ｌｏｃａｌｈｏｓｔ", "localhost:80", "127.0.0.1"),
    ("ⓛocalhost", "localhost:80", "127.0.0.1"),
    ("local\u00adhost", "localhost:80", "127.0.0.1"),
    ("app.localhost", "app.localhost:80", "127.0.0.1"),
    ("a.b.localhost.", "*.localhost:80", "127.0.0.1"),
    ("127.0.0.2", "127.0.0.2:80", "127.0.0.2"),
    ("127.255.255.254", "127.255.255.254:80", "127.255.255.254"),
    ("0", "0.0.0.0:80", "0.0.0.0"),
    ("0.0.0.0", "0.0.0.0:80", "0.0.0.0"),
    ("0x0", "0.0.0.0:80", "0.0.0.0"),
    ("[::]", "[::]:80", "::"),
    ("0.1.2.3", "0.1.2.3", "0.1.2.3"),
    ("10.1.2.3", "10.1.2.3", "10.1.2.3"),
    ("10.66051", "10.1.2.3", "10.1.2.3"),
    ("012.1.2.3", "10.1.2.3", "10.1.2.3"),
    ("167838211", "10.1.2.3", "10.1.2.3"),
    ("172.16.0.1", "172.16.0.1", "172.16.0.1"),
    ("172.31.255.255", "172.31.255.255", "172.31.255.255"),
    ("0xac.0x10.1", "172.16.0.1", "172.16.0.1"),
    ("192.168.1.20", "192.168.1.20", "192.168.1.20"),
    ("192.168.276", "192.168.1.20", "192.168.1.20"),
    ("3232235796", "192.168.1.20", "192.168.1.20"),
    ("[::ffff:192.168.1.20]", "192.168.1.20", "192.168.1.20"),
    ("[64:ff9b::192.168.1.20]", "[64:ff9b::c0a8:114]", "64:ff9b::c0a8:114"),
    ("[2002:c0a8:114::1]", "[2002:c0a8:114::1]", "2002:c0a8:114::1"),
    ("169.254.169.254", "169.254.169.254", "169.254.169.254"),
    ("0xa9fea9fe", "169.254.169.254", "169.254.169.254"),
    ("2852039166", "169.254.169.254", "169.254.169.254"),
    ("0251.0376.0251.0376", "169.254.169.254", "169.254.169.254"),
    ("[::ffff:a9fe:a9fe]", "169.254.169.254", "169.254.169.254"),
    ("[64:ff9b::a9fe:a9fe]", "[64:ff9b::a9fe:a9fe]", "64:ff9b::a9fe:a9fe"),
    ("100.64.0.1", "100.64.0.1", "100.64.0.1"),
    ("100.127.255.255", "100.127.255.255", "100.127.255.255"),
    ("192.0.0.192", "192.0.0.192", "192.0.0.192"),
    ("224.0.0.251", "224.0.0.251", "224.0.0.251"),
    ("255.255.255.255", "255.255.255.255", "255.255.255.255"),
    ("4294967295", "255.255.255.255", "255.255.255.255"),
    ("[fc00::1]", "[fc00::1]", "fc00::1"),
    ("[fd00:ec2::254]", "[fd00:ec2::254]", "fd00:ec2::254"),
    ("[fdff:ffff::1]", "[fdff:ffff::1]", "fdff:ffff::1"),
    ("[fe80::1]", "[fe80::1]", "fe80::1"),
    ("[FEBF::1]", "[febf::1]", "febf::1"),
    ("[fec0::1]", "[fec0::1]", "fec0::1"),
    ("[ff02::1]", "[ff02::1]", "ff02::1"),
    ("router", "router", "192.168.1.1"),
    ("ROUTER.", "router", "192.168.1.1"),
    ("nas.local", "nas.local", "192.168.1.1"),
    ("NAS.Local.", "nas.local", "192.168.1.1"),
    ("nas。local", "nas.local", "192.168.1.1"),
    ("vault.internal", "vault.internal", "192.168.1.1"),
    ("printer.home.arpa", "*.home.arpa", "192.168.1.1"),
]
NAMES = {name: ["192.168.1.1"] for name in ("router", "nas.local", "vault.internal", "printer.home.arpa")}


@pytest.mark.req("SET-016", "SET-017", "PERM-048", "APP-010")
@pytest.mark.parametrize(("host", "entry", "address"), LOCAL)
async def test_a_local_address_is_closed_in_every_spelling_and_nobody_hears_of_it(
    host: str, entry: str, address: str
) -> None:
    sender = RecordingSender()
    parts = await bench(sender, names=NAMES)
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(get(f"http://{host}/"))
    assert caught.value.code is Code.NETWORK_LOCAL_CLOSED
    assert (sender.sent, parts.resolver.asked) == ([], [])

    await parts.egress.change_rules(rules(local=[entry]))  # the control: without the barrier it is dialled
    await parts.egress.fetch(get(f"http://{host}/"))
    assert address in sender.sent[0].addresses
    await parts.egress.close()


# what is refused, and the same aim written honestly
INVALID = [
    ("http://user@10.0.0.1/", "http://10.0.0.1/"),
    ("http://user:password@10.0.0.1/", "http://10.0.0.1/"),
    ("http://@10.0.0.1/", "http://10.0.0.1/"),
    ("http://example.com@10.0.0.1/", "http://10.0.0.1/"),
    ("http://example.com:80@10.0.0.1/", "http://10.0.0.1/"),
    ("http://10.0.0.1\\@example.com/", "http://10.0.0.1/"),
    ("http://10.0.0.1\\.example.com/", "http://10.0.0.1/"),
    ("http://example.com\\@10.0.0.1/", "http://10.0.0.1/"),
    ("http:\\\\10.0.0.1/", "http://10.0.0.1/"),
    ("http:/\\10.0.0.1/", "http://10.0.0.1/"),
    ("http:/10.0.0.1/", "http://10.0.0.1/"),
    ("http:10.0.0.1/", "http://10.0.0.1/"),
    ("http:///10.0.0.1/", "http://10.0.0.1/"),
    ("http:////10.0.0.1/", "http://10.0.0.1/"),
    ("//10.0.0.1/", "http://10.0.0.1/"),
    ("10.0.0.1", "http://10.0.0.1/"),
    (" http://10.0.0.1/", "http://10.0.0.1/"),
    ("http://10.0.0.1/ ", "http://10.0.0.1/"),
    ("http:// 10.0.0.1/", "http://10.0.0.1/"),
    ("ht\ttp://10.0.0.1/", "http://10.0.0.1/"),
    ("http://10.0.\n0.1/", "http://10.0.0.1/"),
    ("http://10.0.0.1\r\nHost: x/", "http://10.0.0.1/"),
    ("http://10.0.0.1\x00.example.com/", "http://10.0.0.1/"),
    ("http://10.0.0.1%00.example.com/", "http://10.0.0.1/"),
    ("http://10.0.0.1%2f.example.com/", "http://10.0.0.1/"),
    ("http://%31%30.0.0.1/", "http://10.0.0.1/"),
    ("http://10%2e0%2e0%2e1/", "http://10.0.0.1/"),
    ("http://10.0.0.1%20/", "http://10.0.0.1/"),
    ("http://10.0.0.1../", "http://10.0.0.1/"),
    ("http://10..0.1/", "http://10.0.0.1/"),
    ("http://.10.0.0.1/", "http://10.0.0.1/"),
    ("http://10.0.0.1.5/", "http://10.0.0.1/"),
    ("http://10.0.0.256/", "http://10.0.0.1/"),
    ("http://10.0.0.0x/", "http://10.0.0.0/"),
    ("http://10.0.0.09/", "http://10.0.0.9/"),
    ("http://10.0.0.-1/", "http://10.0.0.1/"),
    ("http://4294967296/", "http://10.0.0.1/"),
    ("http://99999999999999999999/", "http://10.0.0.1/"),
    ("http://[10.0.0.1]/", "http://10.0.0.1/"),
    ("http://[fe80::1%25eth0]/", "http://[fe80::1]/"),
    ("http://[fe80::1%eth0]/", "http://[fe80::1]/"),
    ("http://[fd00::1/", "http://[fd00::1]/"),
    ("http://fd00::1/", "http://[fd00::1]/"),
    ("http://[fd00::1]x/", "http://[fd00::1]/"),
    ("http://[fd00::1].example.com/", "http://[fd00::1]/"),
    ("http://[::ffff:10.0.0.1.]/", "http://10.0.0.1/"),
    ("http://[v1.fe80::a]/", "http://[fe80::a]/"),
    ("http://10.0.0.1:0/", "http://10.0.0.1:1/"),
    ("http://10.0.0.1:65536/", "http://10.0.0.1:65535/"),
    ("http://10.0.0.1:8o/", "http://10.0.0.1:80/"),
    ("http://10.0.0.1:+80/", "http://10.0.0.1:80/"),
    ("http://10.0.0.1:８０/", "http://10.0.0.1:80/"),
    ("http://10.0.0.1:80:90/", "http://10.0.0.1:80/"),
    ("http://10.0.0.1:-80/", "http://10.0.0.1:80/"),
    ("http://nas..local/", "http://nas.local/"),
    ("http://nas.local../", "http://nas.local/"),
    ("http://.nas.local/", "http://nas.local/"),
    ("http://-nas.local/", "http://nas.local/"),
    ("http://nas .local/", "http://nas.local/"),
    ("http://nas$.local/", "http://nas.local/"),
    ("http://nas,local/", "http://nas.local/"),
    ("http://*.nas.local/", "http://nas.local/"),
    ("http://" + "a" * 64 + ".local/", "http://nas.local/"),
    ("http://" + "a." * 127 + "local/", "http://nas.local/"),
    ("http://℀.local/", "http://nas.local/"),
    ("http://nas.local／x/", "http://nas.local/"),
    ("http://nas\u202e.local/", "http://nas.local/"),
    ("http://nas\ud800.local/", "http://nas.local/"),
    ("http:///", "http://nas.local/"),
    ("http://:80/", "http://nas.local:80/"),
    ("http://", "http://nas.local/"),
    ("", "http://nas.local/"),
    ("ftp://nas.local/", "http://nas.local/"),
    ("file:///etc/passwd", "http://nas.local/"),
    ("file://nas.local/etc/passwd", "http://nas.local/"),
    ("gopher://nas.local/", "http://nas.local/"),
    ("javascript:alert(1)", "http://nas.local/"),
    ("data:text/plain,x", "http://nas.local/"),
    ("ws://nas.local/", "http://nas.local/"),
    ("view-source:http://nas.local/", "http://nas.local/"),
    ("httpｓ://nas.local/", "https://nas.local/"),
    ("http：//nas.local/", "http://nas.local/"),
    ("http://nas.local/a\\..\\b", "http://nas.local/b"),
    ("http://nas.local/open/..%2fsecret", "http://nas.local/secret"),
    ("http://nas.local/open/..%5csecret", "http://nas.local/secret"),
    ("http://nas.local/open/%2e%2e%2fsecret", "http://nas.local/secret"),
    ("http://nas.local/open/..;/secret", "http://nas.local/secret"),
    ("http://nas.local/open/%252e%252e/secret", "http://nas.local/secret"),
    ("http://nas.local/open/%25252e%25252e/secret", "http://nas.local/secret"),
]
OPEN = ["10.0.0.0", "10.0.0.1", "10.0.0.9", "[fd00::1]", "[fe80::1]", "[fe80::a]", "nas.local"]


@pytest.mark.parametrize(("trick", "honest"), INVALID)
async def test_an_address_without_one_clear_meaning_is_refused_even_if_everything_it_may_mean_is_listed(
    trick: str, honest: str
) -> None:
    sender = RecordingSender()
    parts = await bench(sender, lists=rules(local=OPEN), names=NAMES)
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(get(trick))
    assert caught.value.code is Code.NETWORK_ADDRESS_INVALID
    assert (sender.sent, parts.resolver.asked) == ([], [])

    await parts.egress.fetch(get(honest))
    assert len(sender.sent) == 1
    await parts.egress.close()


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("HTTP://Example.COM", "http://example.com/"),
        ("https://example.com.:443/a#part", "https://example.com/a"),
        ("http://example.com:80?q", "http://example.com/?q"),
        ("http://example.com:00080/", "http://example.com/"),
        ("http://example.com:/", "http://example.com/"),
        ("https://bücher.example/ü?ä=ö", "https://xn--bcher-kva.example/%C3%BC?%C3%A4=%C3%B6"),
        ("https://BÜCHER.example/", "https://xn--bcher-kva.example/"),
        ("https://faß.example/", "https://xn--fa-hia.example/"),
        ("https://例子.测试/", "https://xn--fsqu00a.xn--0zwm56d/"),
        ("https://my_bucket.example.com/", "https://my_bucket.example.com/"),
        ("https://r3---sn-abc.example.com/", "https://r3---sn-abc.example.com/"),
        ("https://example.com/a/./b/../c", "https://example.com/a/c"),
        ("https://example.com/a/%2e%2E/b", "https://example.com/b"),
        ("https://example.com/../../a/..", "https://example.com/"),
        ("https://example.com/a/%2f/b%20c", "https://example.com/a/%2f/b%20c"),
        ("https://example.com/100%", "https://example.com/100%25"),
        ("https://example.com/.../x", "https://example.com/.../x"),
        ("https://example.com/?a=\\b", "https://example.com/?a=%5Cb"),
        ("https://[2606:4700:0::1111]:8443/", "https://[2606:4700::1111]:8443/"),
        ("https://example.com/a?x=@b:c/d", "https://example.com/a?x=@b:c/d"),
    ],
)
def test_an_address_has_one_normal_form(text: str, normal: str) -> None:
    assert str(read_url(text)) == normal
    assert str(read_url(normal)) == normal


@pytest.mark.req("PERM-037", "SET-012")
@pytest.mark.parametrize(
    "address",
    [
        *("1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"),
        *("169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0"),
        *("192.0.1.0", "198.18.0.1", "223.255.255.255", PUBLIC, "[2606:4700::1111]", "[64:ff9b::808:808]"),
        *("[2002:808:808::1]", "[fbff::1]", "[fe00::1]"),
    ],
)
async def test_an_address_beside_a_local_range_is_outside_and_open(address: str) -> None:
    sender = RecordingSender()
    parts = await bench(sender)
    await parts.egress.fetch(get(f"http://{address}/"))
    assert sender.sent[0].addresses == (address.strip("[]"),)
    await parts.egress.close()
