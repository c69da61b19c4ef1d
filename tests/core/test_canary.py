"""The search for leaked secrets finds each spelling that it claims to find."""

import base64
from pathlib import Path

import pytest

from support.canary import CHUNK, leaks_below, leaks_in

MARKER = b"sk-canary/+\xc3\xa40123"


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("plain", MARKER),
        ("hex", MARKER.hex().encode()),
        ("base64+0", base64.b64encode(MARKER)),
        ("base64+1", base64.b64encode(b"a" + MARKER + b"b")),
        ("base64url+2", base64.urlsafe_b64encode(b"ab" + MARKER + b"c")),
        ("reversed", MARKER[::-1]),
        ("json", b'"sk-canary/+\\u00e40123"'),
        ("percent", b"sk-canary%2F%2B%C3%A40123"),
    ],
)
def test_each_spelling_is_found_inside_other_content(kind: str, content: bytes) -> None:
    assert kind in leaks_in(b"before " + content + b" after", MARKER)


def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"sk-canary" * 1000)
    assert leaks_below(tmp_path, MARKER) == []


def test_a_marker_across_two_chunks_and_one_in_a_name_are_found(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * (CHUNK - 5) + MARKER + b"x")
    (tmp_path / "marker-in-name").mkdir()
    assert leaks_below(tmp_path, MARKER) == ["large: plain"]
    assert "marker-in-name: plain in the name" in leaks_below(tmp_path, b"marker-in-name")
