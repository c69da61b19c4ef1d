"""Markdown as blocks: whatever a text holds, writing it with its marks and reading it gives the same blocks."""

import json
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.services.data.api import Block
from notochord.services.data.markdown_blocks import composed, identified, read_file, split

EXAMPLES: list[str] = json.loads(
    (Path(__file__).parents[2] / "suites" / "commonmark" / "examples.json").read_text(encoding="utf-8")
)
ODD = [
    "a {#b_1}", "a {#b_}", "a {#b_1} {#b_2}\nb {#b_}", "# a {#b_1}", "```\na {#b_x}\n```", "```a {#b_x}\nb", "~~~",
    "--- {#b_1}", "a\n=== {#b_1}", "- a\n  ```\n  b\n  ```", "> a\n\n> b", "* a\n* b\n\n- c",
    "| a |\n|---|\n| b {#b_1}",
    "a\r\nb\rc\0", "\ufeff# a", "<div>\n\na\n\n</div>", "<!-- a\n\nb -->\nc", "[a]: /b\n[c]: /d\n\n[a]",
    "    a\n\n\n    b", "\ta", "a  \n",
]  # fmt: skip


def ids(blocks: list[Block]) -> list[Block]:
    numbers = count()
    return identified(blocks, (), lambda: f"b_{next(numbers)}x")


def there_and_back(text: str) -> None:
    blocks, file = composed(ids(split(text)))
    assert read_file(file) == blocks
    again, same = composed(read_file(file))
    assert (again, same) == (blocks, file)


def test_every_example_of_the_specification_is_read_as_it_was_written() -> None:
    assert len(EXAMPLES) == 652
    for example in (*EXAMPLES, *ODD):
        there_and_back(example)
        written = [(block.type, block.markdown) for block in composed(ids(split(example)))[0]]
        assert written == [(block.type, block.markdown) for block in split(example)]


def test_every_example_between_two_others_stays_three_blocks_or_runs_together_for_good() -> None:
    for example in EXAMPLES:
        there_and_back(f"first\n\n{example}\n\nlast")


@given(st.lists(st.sampled_from([*EXAMPLES, *ODD]), max_size=5).map("\n\n".join))
def test_examples_in_any_order_are_read_as_they_were_written(text: str) -> None:
    there_and_back(text)


@given(st.text(st.sampled_from("a #-=*_>`~|[]:(){}<!/\t\n\\1.b"), max_size=60))
def test_any_text_is_read_as_it_was_written(text: str) -> None:
    there_and_back(text)


@given(st.text(st.sampled_from("a #-=*_>`~|[]:(){}<!/\t\n\\1.b"), max_size=60))
def test_any_file_is_read_the_same_after_it_was_put_in_order(text: str) -> None:
    numbers = count()
    blocks, file = composed(identified(read_file(text), (), lambda: f"b_n{next(numbers)}"))
    assert read_file(file) == blocks


@pytest.mark.req("DATA-261")
@pytest.mark.parametrize(
    ("markdown", "kind"),
    [
        ("# a", "heading"), ("a\n===", "heading"), ("a", "paragraph"), ("- a", "list"), ("1. a", "list"),
        ("```\na\n```", "code"), ("    a", "code"), ("> a", "quote"), ("| a |\n|---|", "table"),
        ("***", "thematic_break"), ("<p>", "html"), ("[a]: /b", "paragraph"),
    ],
)  # fmt: skip
def test_a_block_has_one_of_eight_types(markdown: str, kind: str) -> None:
    assert [block.type for block in split(markdown)] == [kind]


@pytest.mark.req("DATA-263", "DATA-264", "DATA-265", "DATA-266")
def test_the_mark_stands_where_the_page_says() -> None:
    text = "# one\n\ntwo\nlines\n\n```js\ncode\n```\n\nsetext\nheading\n---\n\n- a\n- b\n\n| a |\n|---|\n| b |"
    _, file = composed(ids(split(text)))
    assert file == (
        "# one {#b_0x}\n\ntwo\nlines {#b_1x}\n\n```js {#b_2x}\ncode\n```\n\nsetext\nheading {#b_3x}\n---\n\n"
        "- a\n- b {#b_4x}\n\n| a |\n|---|\n| b | {#b_5x}\n"
    )


def test_blocks_that_run_together_are_one_with_the_id_of_the_first() -> None:
    blocks, _ = composed([Block("b_1", "list", "- a"), Block("b_2", "list", "- b"), Block("b_3", "paragraph", "c")])
    assert [(block.id, block.markdown) for block in blocks] == [("b_1", "- a\n\n- b"), ("b_3", "c")]


def test_unmarked_blocks_get_the_ids_of_missing_blocks_of_the_same_content_and_repeats_new_ones() -> None:
    known = [Block("b_1", "paragraph", "one"), Block("b_2", "paragraph", "two"), Block("b_3", "paragraph", "two")]
    found = read_file("two\n\none {#b_1}\n\nagain {#b_1}\n\ntwo\n\ntwo\n")
    assert [block.id for block in identified(found, known, lambda: "b_new")] == ["b_2", "b_1", "b_new", "b_3", "b_new"]
