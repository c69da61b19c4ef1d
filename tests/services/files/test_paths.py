"""Relative paths are read in one way on every system, and names are made that every system accepts."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis.strategies import booleans, characters, lists, one_of, sampled_from, text

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.files.paths import MAX_NAME_BYTES, SAFE_NAME_BYTES, numbered, parse, safe_name

HOSTILE = text(
    one_of(characters(), sampled_from('/\\.:~ \0\n\x7f\u2028\ud800CONconAUXnul19lptcom¹*?<>|"')), max_size=40
)


@given(HOSTILE, booleans())
def test_whatever_is_accepted_stays_below_the_root(path: str, hide_dots: bool) -> None:
    try:
        parts = parse(path, hide_dots=hide_dots)
    except NotochordError as error:
        assert error.code in (Code.PATH_OUTSIDE, Code.PATH_INVALID)  # noqa: PT017 - both are right here
        return
    root = Path("/root/of/all")
    assert os.path.normpath(root.joinpath(*parts)) == str(root.joinpath(*parts))
    for part in parts:
        assert part not in ("", ".", "..")
        assert not set(part) & set("/\\:\0\n")
        assert part == part.rstrip(". ")
        assert len(os.fsencode(part)) <= MAX_NAME_BYTES
        assert not (hide_dots and part.startswith("."))


@given(lists(text(characters(categories=["L", "N"]), min_size=1, max_size=8), min_size=1, max_size=5))
def test_ordinary_names_are_accepted_as_they_are(names: list[str]) -> None:
    reserved = {"con", "prn", "aux", "nul"} | {f"{kind}{mark}" for kind in ("com", "lpt") for mark in "0123456789¹²³"}
    assume(not any(name.lower() in reserved for name in names))
    assert parse("/".join(names)) == tuple(names)


@given(HOSTILE, booleans())
def test_a_safe_name_is_one_component_and_stays_when_made_safe_again(name: str, hide_dots: bool) -> None:
    safe = safe_name(name, hide_dots=hide_dots)
    assert parse(safe, hide_dots=hide_dots) == (safe,)
    assert len(safe.encode()) <= SAFE_NAME_BYTES
    assert safe_name(safe, hide_dots=hide_dots) == safe


@pytest.mark.req("TOOL-067", "PERM-058")
@pytest.mark.parametrize(
    "path",
    ["../x", "a/../../x", "a/..", "..", "/etc/passwd", "//server/share", "\\\\server\\x", "C:\\x", "c:x", "C:/x"],
)
def test_a_path_that_leaves_the_folder_is_refused(path: str) -> None:
    with pytest.raises(NotochordError) as caught:
        parse(path)
    assert caught.value.code is Code.PATH_OUTSIDE


@pytest.mark.parametrize(
    "path",
    [
        "CON",
        "nul.txt",
        "LPT1.md",
        "aux.",
        "a/Com1",
        "COM¹.txt",
        "nul .txt",
        "CONIN$",
        "a.",
        "a ",
        "a/b. ",
        "...",
        "a\\b",
        *(
            "a\0b",
            "a\nb",
            "a\x7f",
            "a\x9fb",
            "file:stream",
            "a\u2028b",
            "half \ud800",
            "x" * 256,
            "好" * 86,
            "a/" * 101,
        ),
    ],
)
def test_a_name_that_not_every_system_can_hold_is_refused(path: str) -> None:
    with pytest.raises(NotochordError) as caught:
        parse(path)
    assert caught.value.code is Code.PATH_INVALID
    assert str(caught.value.parameters["path"]).isprintable()


@pytest.mark.parametrize("path", ["console.txt", "com10", "auxiliary", "nul-1", "a b.txt", "好.csv", "..a", "x" * 255])
def test_names_that_only_look_reserved_are_accepted(path: str) -> None:
    assert parse(path) == (path,)


@pytest.mark.req("PERM-094", "PERM-095", "TOOL-070", "TOOL-071")
@pytest.mark.parametrize("path", [".env", "a/.git/config", ".git/x", "a/.b"])
def test_dot_entries_are_closed_at_every_depth_where_they_are_hidden(path: str) -> None:
    assert parse(path)
    with pytest.raises(NotochordError) as caught:
        parse(path, hide_dots=True)
    assert caught.value.code is Code.PATH_INVALID


@pytest.mark.parametrize(
    ("path", "parts"), [("", ()), (".", ()), ("./a", ("a",)), ("inbox/", ("inbox",)), ("a//b", ("a", "b"))]
)
def test_the_usual_ways_to_write_a_path_mean_the_same(path: str, parts: tuple[str, ...]) -> None:
    assert parse(path, hide_dots=True) == parts


@pytest.mark.parametrize(
    ("name", "number", "expected"),
    [
        ("report.pdf", 2, "report (2).pdf"),
        ("report", 3, "report (3)"),
        (".env", 2, ".env (2)"),
        ("a.b.c", 2, "a.b (2).c"),
    ],
)
def test_the_number_stands_before_the_extension(name: str, number: int, expected: str) -> None:
    assert numbered(name, number) == expected


def test_the_number_of_a_folder_stands_at_the_end() -> None:
    assert numbered("v1.0", 2, folder=True) == "v1.0 (2)"


def test_long_names_are_shortened_to_different_names_that_keep_the_extension() -> None:
    one, other = safe_name("好" * 300 + "1.pdf"), safe_name("好" * 300 + "2.pdf")
    assert one != other
    assert one.endswith(".pdf")


@pytest.mark.skipif(sys.platform == "win32", reason="such names cannot be made there")
def test_names_of_attached_files_become_safe_and_stay_apart() -> None:
    titles = [f"a{letter}b" for letter in '<>:"/\\|?*\t'] + ["dot.", "space ", "🎈"]
    assert [safe_name(title) for title in titles] == ["a_b"] * 10 + ["dot", "space", "🎈"]
