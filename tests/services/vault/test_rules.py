"""A secret goes to the hosts and paths that it was registered for, in whatever way an address is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.services.vault.api import ConnectionDraft, Placement, Registration
from notochord.services.vault.rules import checked_draft, denial


def registered(*hosts: str, paths: tuple[str, ...] = (), plain_http: str = "") -> Registration:
    draft = ConnectionDraft("n", "k", Placement.BEARER, Registration(hosts, paths, plain_http))
    return checked_draft(draft).registration


def reason(registration: Registration, url: str) -> str:
    denied = denial(registration, url)
    return "" if denied is None else denied.reason


@pytest.mark.req("CRED-015", "TOOL-034")
@pytest.mark.parametrize(
    ("host", "url", "expected"),
    [
        ("api.example.com", "https://api.example.com", ""),
        ("api.example.com", "https://api.example.com/x?y#z", ""),
        ("api.example.com", "https://API.Example.COM/x", ""),
        ("API.EXAMPLE.COM", "https://api.example.com/x", ""),
        ("api.example.com", "https://api.example.com:443/x", ""),
        ("api.example.com:443", "https://api.example.com/x", ""),
        ("api.example.com", "https://api.example.com:/x", ""),
        ("api.example.com:8443", "https://api.example.com:8443/x", ""),
        ("api.example.com:8443", "https://api.example.com/x", "host_not_granted"),
        ("api.example.com", "https://api.example.com:8443/x", "host_not_granted"),
        ("bücher.example", "https://xn--bcher-kva.example/", ""),
        ("xn--bcher-kva.example", "https://BÜCHER.example/", ""),
        ("bücher.example", "https://bücher。example/", ""),
        ("[2001:DB8::1]", "https://[2001:db8:0:0::1]/", ""),
        ("example.com", "https://api.example.com/", "host_not_granted"),
        ("api.example.com", "https://example.com/", "host_not_granted"),
        ("api.example.com", "https://api.example.com.evil.net/", "host_not_granted"),
        ("api.example.com", "https://api.example.com./", "host_not_granted"),
        ("api.example.com", "https://evil.net/api.example.com", "host_not_granted"),
        ("api.example.com", "https://api.example.com@evil.net/", "host_not_granted"),
        ("api.example.com", "https://evil.net\\@api.example.com/", "host_not_granted"),
        ("api.example.com", "https://evil.net\\.api.example.com/", "host_not_granted"),
        ("api.example.com", "https://user@api.example.com/", "host_not_granted"),
        ("api.example.com", "https://api.example.com\t.evil.net/", "host_not_granted"),
        ("api.example.com", "https://api.example.com%2eevil.net/", "host_not_granted"),
        ("api.example.com", "https://api.example.com#@evil.net/", ""),
        ("api.example.com", "https:api.example.com/", "host_not_granted"),
        ("api.example.com", "https:///api.example.com/", "host_not_granted"),
        ("api.example.com", " https://api.example.com/", "not_https"),
        ("api.example.com", "https://аpi.example.com/", "host_not_granted"),
        ("127.0.0.1", "https://0x7f.1/", "host_not_granted"),
    ],
)
def test_hosts_are_compared_exactly_whatever_their_spelling(host: str, url: str, expected: str) -> None:
    assert reason(registered(host), url) == expected


@pytest.mark.req("TOOL-036")
@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://api.example.com/", "not_https"),
        ("ws://api.example.com/", "not_https"),
        ("ftp://api.example.com/", "not_https"),
        ("HTTPS://api.example.com/", ""),
        ("http://localhost:8080/v1", ""),
        ("http://LOCALHOST:8080/v1", ""),
        ("http://localhost/v1", "not_https"),
        ("http://localhost:8081/v1", "not_https"),
        ("http://127.0.0.1:8080/v1", "not_https"),
        ("https://localhost:8080/v1", "host_not_granted"),
    ],
)
def test_only_https_and_the_one_plain_origin_carry_a_secret(url: str, expected: str) -> None:
    assert reason(registered("api.example.com", plain_http="http://localhost:8080"), url) == expected


@pytest.mark.req("TOOL-035")
@pytest.mark.parametrize(
    ("prefix", "path", "expected"),
    [
        ("/v1", "/v1", ""),
        ("/v1", "/v1/", ""),
        ("/v1/", "/v1/x", ""),
        ("/v1", "/v1/x?y=/../", ""),
        ("/v1", "/%76%31/x", ""),
        ("/v1", "/%2576%2531/x", "path_not_granted"),
        ("/ä b", "/%C3%A4%20b/c", ""),
        ("/", "/anything", ""),
        ("/v1", "", "path_not_granted"),
        ("/v1", "/", "path_not_granted"),
        ("/v1", "/v10", "path_not_granted"),
        ("/v1", "/v1x/y", "path_not_granted"),
        ("/v1", "/V1/x", "path_not_granted"),
        ("/v1", "//v1/x", "path_not_granted"),
        ("/v1", "/v1/../admin", "path_not_granted"),
        ("/v1", "/v1/%2e%2e/admin", "path_not_granted"),
        ("/v1", "/v1/%2E./admin", "path_not_granted"),
        ("/v1", "/v1/%252e%252e/admin", "path_not_granted"),
        ("/v1", "/v1/..;/admin", "path_not_granted"),
        ("/v1", "/v1/..%2fadmin", "path_not_granted"),
        ("/v1", "/v1/..%5cadmin", "path_not_granted"),
        ("/v1", "/v1%2f..%2fadmin", "path_not_granted"),
        ("/v1", "/v1/./x", "path_not_granted"),
        ("/v1", "/v1/%00/x", "path_not_granted"),
        ("/v1", "/v1/%ff", "path_not_granted"),
        ("/v1", "/v1/%zz", "path_not_granted"),
        ("/v1", "/x/../v1/y", "path_not_granted"),
    ],
)
def test_paths_are_compared_by_whole_segments_after_decoding(prefix: str, path: str, expected: str) -> None:
    assert reason(registered("h.example", paths=(prefix,)), f"https://h.example{path}") == expected


def test_without_paths_every_path_is_registered() -> None:
    assert reason(registered("h.example"), "https://h.example/a/../b%2f") == ""


@given(st.text(alphabet="htps:/@#?.\\%20e1a-[]\t", max_size=40))
def test_no_text_makes_the_secret_go_elsewhere(noise: str) -> None:
    """What is allowed begins with the registered origin, followed by nothing that could continue a host."""
    url = f"https://h.example{noise}"
    if reason(registered("h.example"), url) == "":
        rest = noise.removeprefix(":443").removeprefix(":")
        assert rest == "" or rest[0] in "/?#"


@given(
    st.lists(
        st.sampled_from(["v1", "..", ".", "%2e", "%2E%2e", "%252e", "a", "", "%2f", ";", "%5C", "v1;x"]), max_size=6
    )
)
def test_a_path_that_is_allowed_stays_below_its_prefix_however_often_it_is_decoded(segments: list[str]) -> None:
    from urllib.parse import unquote

    path = "/" + "/".join(segments)
    if reason(registered("h.example", paths=("/v1",)), f"https://h.example{path}") == "":
        for _ in range(4):
            path = unquote(path)
            reached: list[str] = []
            for segment in path.replace("\\", "/").split("/")[1:]:
                name = segment.split(";")[0]
                reached = reached[:-1] if name == ".." else reached + ([segment] if name not in (".",) else [])
            assert reached[:1] == ["v1"]
