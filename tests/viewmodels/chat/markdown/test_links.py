"""Where a link leads: its full host, spelled out."""

import pytest

from notochord.viewmodels.chat.markdown.grammar import make_parser
from notochord.viewmodels.chat.markdown.links import link_to


def test_a_name_in_another_script_is_spelled_out() -> None:
    link = link_to("https://аррӏе.com/login")
    assert link is not None
    assert link.host == "xn--80ak6aa92e.com"
    assert link.described.splitlines()[0] == "xn--80ak6aa92e.com (аррӏе.com)"


def test_a_spelled_name_says_how_it_reads() -> None:
    link = link_to("https://xn--fsqu00a.xn--0zwm56d/x")
    assert link is not None
    assert link.reads == "例子.测试"


def test_a_name_before_the_host_is_not_taken_for_it() -> None:
    link = link_to("https://bank.example@evil.example/")
    assert link is not None
    assert link.host == "evil.example"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "https://",
        "https:///x",
        "javascript:x",
        "https://a b",
        "https://a\u202eb",
        "http://[::1",
        "https://" + "a" * 3000,
    ],
)
def test_what_is_no_address_is_no_link(address: str) -> None:
    assert link_to(address) is None


def test_an_address_in_a_text_is_shown_as_it_was_written() -> None:
    """Decoded it would read as the name of another host."""
    [paragraph] = make_parser().parse("<https://xn--80ak6aa92e.com/%D0%B0>")[1:2]
    assert [child.content for child in paragraph.children or () if child.type == "text"] == [
        "https://xn--80ak6aa92e.com/%D0%B0"
    ]
