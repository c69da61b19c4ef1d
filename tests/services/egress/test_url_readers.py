"""Our reading of an address against two other readers: what we accept, they never take to another host."""

import ipaddress
import socket
from urllib.parse import urlsplit

import httpx2
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from notochord.core.errors import NotochordError
from notochord.services.egress.hosts import read_host
from notochord.services.egress.url import DEFAULT_PORTS, Url, join, read_url
from notochord.services.vault.addresses import read_address

VISIBLE = (
    r"http: https: HTTP: // / \ \\ ? # @ : :80 :443 :8080 :0 :: [ ] [::1] [::ffff:7f00:1] [fe80::1%25x] % %2e %2f"
    " %40 %00 %5b . .. ; - _ * , $ & = + ~ | user user:pw 127.0.0.1 127.1 0x7f.1 0177.1 2130706433 10 0 09 0x 256"
    " 1.2.3.4.5 example.com EXAMPLE evil.org localhost xn-- xn--bcher-kva bücher faß ß ﬀ K"
    " 。 ． ｡ １ ① ／ ： ＠ ？ ＃ ℀ İ ı а"
)
INVISIBLE = (" ", "\t", "\n", "\r", "\0", "\x7f", "\x85", "\u2028", "\u200d", "\u00ad", "\u202e", "\ud800")
PIECES = st.sampled_from([*VISIBLE.split(" "), *INVISIBLE])
TEXTS = st.one_of(
    st.builds("".join, st.lists(PIECES, max_size=10)),
    st.builds(lambda parts: "http://" + "".join(parts), st.lists(PIECES, max_size=8)),
    st.builds(lambda text: "https://" + text, st.text(max_size=20)),
    st.builds(
        lambda number, rest: f"http://{number}{rest}", st.integers(0, 2**33), st.sampled_from(["", "/", ".", ":1"])
    ),
)


def read(text: str) -> Url | None:
    try:
        return read_url(text)
    except NotochordError:
        return None


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


@settings(max_examples=600)
@given(TEXTS)
@example("http://example.com\\@evil.org/")
@example("http://evil.org#@example.com/")
@example("http://evil.org?@example.com/")
@example("http://example.com:80@evil.org/")
def test_what_we_accept_is_the_same_host_and_port_to_httpx_and_the_standard_library(text: str) -> None:
    url = read(text)
    if url is None:
        return
    try:
        other = httpx2.URL(text)
    except (httpx2.InvalidURL, ValueError, TypeError, UnicodeError):
        pass
    else:
        assert read_host(bracketed(other.raw_host.decode())).text == url.host.text
        assert (other.port or DEFAULT_PORTS[other.scheme]) == url.port
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return
    assert parts.hostname is not None
    assert read_host(bracketed(parts.hostname)).text == url.host.text
    assert (port or DEFAULT_PORTS[parts.scheme]) == url.port


@settings(max_examples=400)
@given(TEXTS)
def test_the_normal_form_means_the_same_to_everybody_and_is_stable(text: str) -> None:
    url = read(text)
    if url is None:
        return
    normal = str(url)
    assert normal.isascii()
    assert read_url(normal) == url
    other, parts = httpx2.URL(normal), urlsplit(normal)
    assert other.raw_host.decode() == url.host.text == parts.hostname
    assert (other.port or DEFAULT_PORTS[other.scheme]) == url.port == (parts.port or DEFAULT_PORTS[parts.scheme])
    assert other.userinfo == b""
    assert (parts.username, parts.password) == (None, None)


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from(["0", "1", "7f", "0x7f", "0X1", "177", "0177", "255", "256", "08", "65535", "16777216"]))
)
def test_numbers_are_read_as_the_system_reads_them_or_refused(labels: list[str]) -> None:
    text = ".".join(labels)
    try:
        host = read_host(text)
    except NotochordError:
        return
    if host.address is not None:
        assert str(host.address) == str(ipaddress.IPv4Address(socket.inet_aton(text)))


@settings(max_examples=200)
@given(st.integers(0, 2**128 - 1))
def test_every_ipv6_address_has_one_form_whatever_its_spelling(number: int) -> None:
    address = ipaddress.IPv6Address(number)
    forms = {read_host(f"[{address}]").text, read_host(f"[{address.exploded}]").text}
    assert len(forms) == 1


BASE = read_url("https://example.com/dir/page?q")


@settings(max_examples=400)
@given(st.one_of(TEXTS, st.builds("".join, st.lists(PIECES, max_size=6))))
def test_a_redirect_is_taken_to_the_host_that_httpx_would_take_it_to(reference: str) -> None:
    try:
        url = join(BASE, reference)
        other = httpx2.URL(str(BASE)).join(reference)
        host = read_host(bracketed(other.raw_host.decode()))
    except (NotochordError, httpx2.InvalidURL, ValueError, TypeError, UnicodeError):
        return
    assert host.text == url.host.text


@pytest.mark.parametrize(
    ("reference", "result"),
    [
        *(
            ("x", "https://example.com/dir/x"),
            ("/x", "https://example.com/x"),
            ("?r", "https://example.com/dir/page?r"),
        ),
        *(("//other.org/x", "https://other.org/x"), ("../x", "https://example.com/x"), ("", str(BASE))),
        *(("#part", str(BASE)), ("http://other.org", "http://other.org/"), ("/ü", "https://example.com/%C3%BC")),
    ],
)
def test_a_location_is_relative_to_where_it_was_found(reference: str, result: str) -> None:
    assert str(join(BASE, reference)) == result


@settings(max_examples=300)
@given(TEXTS)
def test_the_vault_sees_the_site_that_is_dialled(text: str) -> None:
    url = read(text)
    if url is None:
        return
    address = read_address(str(url))
    assert address is not None
    assert (address.scheme, address.site, address.path) == (url.scheme, url.authority, url.path)
