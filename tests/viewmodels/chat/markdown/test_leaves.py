"""What a reader sees of Markdown: marks, links, formulas and prices, lists, tables, Chinese."""

import pytest

from notochord.viewmodels.chat.markdown.grammar import make_parser
from notochord.viewmodels.chat.markdown.leaves import (
    BOLD,
    CODE,
    FORMULA,
    IMAGE,
    ITALIC,
    LINK,
    STRIKE,
    Kind,
    Leaf,
    leaves_of,
)
from notochord.viewmodels.chat.markdown.splitter import Splitter

PARSER = make_parser()


def read(text: str, *, keeps_lines: bool = False) -> list[Leaf]:
    splitter = Splitter(PARSER, keeps_lines=keeps_lines)
    splitter.feed(text)
    splitter.finish()
    return [leaf for segment in splitter.segments for leaf in leaves_of(splitter, segment)]


def marked(text: str, flag: int) -> list[str]:
    return [
        leaf.line.text[span.start : span.end] for leaf in read(text) for span in leaf.line.spans if span.flags & flag
    ]


@pytest.mark.parametrize(
    ("text", "bold"),
    [
        ("**「中文」**后", "「中文」"),
        ("前**「中文」**后", "「中文」"),
        ("**中文\uff1a**English", "中文\uff1a"),
        ("**名称:**值", "名称:"),
        ('**"引号"**后面', '"引号"'),
        ("这是**重点。**然后", "重点。"),
        ("**テスト(注)**です", "テスト(注)"),
        ("**한국어(韓國語)**를", "한국어(韓國語)"),
        ("plain **bold** text", "bold"),
    ],
)
def test_emphasis_is_found_where_a_reader_expects_it(text: str, bold: str) -> None:
    assert marked(text, BOLD) == [bold]


@pytest.mark.parametrize("text", ["a * b * c", "2*3*4 snake_case_name", "** not bold **", 'a**"b"**c'])
def test_emphasis_in_other_scripts_is_as_commonmark_says(text: str) -> None:
    assert marked(text, BOLD) == []


def test_lines_that_a_person_wrote_stay_lines_also_around_pictures_and_marks() -> None:
    (leaf,) = read("one\n**two\nthree**\n第四行\nlast", keeps_lines=True)
    assert leaf.text.split("\u2028") == ["one", "two", "three", "第四行", "last"]
    apart = read("before\n![p](https://example.com/p.png)\nafter", keeps_lines=True)
    assert [(one.kind, one.text) for one in apart] == [(Kind.TEXT, "before"), (Kind.IMAGE, "p"), (Kind.TEXT, "after")]


def test_tasks_of_a_list_have_boxes_and_what_only_looks_like_one_stays() -> None:
    found = read("- [ ] buy **milk**\n- [X] done\n- [y] none\n- `[ ] ` code\n1. [ ] numbered\n\n[ ] no item")
    assert [(leaf.marker, leaf.text) for leaf in found] == [
        ("☐", "buy milk"),
        ("☑", "done"),
        ("•", "[y] none"),
        ("•", "[ ]  code"),
        ("1.", "[ ] numbered"),
        ("", "[ ] no item"),
    ]
    assert marked("- [ ] buy **milk**", BOLD) == ["milk"]


def test_lines_of_chinese_join_without_a_space() -> None:
    assert [leaf.text for leaf in read("第一行\n第二行\n\none\ntwo 中\nthree")] == ["第一行第二行", "one two 中 three"]


def test_every_mark_is_read() -> None:
    text = "**b** *i* ~~s~~ `c` [l](https://e.org)"
    found = [marked(text, flag) for flag in (BOLD, ITALIC, STRIKE, CODE, LINK)]
    assert found == [["b"], ["i"], ["s"], ["c"], ["l"]]


def test_prices_are_no_formulas_and_formulas_are() -> None:
    text = "costs $5 to $10, $/PR is down, $x^2$ and \\(y\\) and $$z$$"
    assert marked(text, FORMULA) == ["x^2", "y", "z"]
    assert read(text)[0].text == "costs $5 to $10, $/PR is down, x^2 and y and z"


@pytest.mark.parametrize("text", ["US$5-$6", "A$5 and B$", "$HOME/$USER", "pay $ 5 $ now", "`$x$`", "\\$x$", "$", "$$"])
def test_dollars_that_are_none_stay_dollars(text: str) -> None:
    assert marked(text, FORMULA) == []


def test_a_formula_on_its_own_lines_is_a_block() -> None:
    found = read("Text:\n$$\na\n- b\n$$\nmore\n\n\\[\nx\n\\]\n")
    assert [(leaf.kind, leaf.text) for leaf in found] == [
        (Kind.TEXT, "Text:"),
        (Kind.FORMULA, "a\n- b"),
        (Kind.TEXT, "more"),
        (Kind.FORMULA, "x"),
    ]


def test_html_is_text() -> None:
    assert [leaf.text for leaf in read('<script>alert(1)</script>\n\n<b onclick="x">hi</b>')] == [
        "<script>alert(1)</script>",
        '<b onclick="x">hi</b>',
    ]


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "file:///etc/passwd", "ftp://e.org", "data:text/html,x", "x:y"]
)
def test_only_web_and_mail_addresses_are_links(address: str) -> None:
    assert marked(f"[go]({address})", LINK) == []
    assert marked("[go](https://e.org) [me](mailto:a@e.org)", LINK) == ["go", "me"]


def test_bare_addresses_are_links_without_the_marks_after_them() -> None:
    text = "See https://e.org/a(b). 见https://例子.测试/路径。And (https://e.org/x)!"
    assert marked(text, LINK) == ["https://e.org/a(b)", "https://例子.测试/路径", "https://e.org/x"]


def test_a_diagram_is_code_and_nothing_else() -> None:
    text = '```mermaid\nstyle A fill:red"/><svg onload="x"><rect fill="x\nclick A "javascript:alert(1)"\n```'
    assert [(leaf.kind, leaf.line.spans) for leaf in read(text)] == [(Kind.CODE, ())]


def test_lists_and_quotes_are_flat_with_their_depth() -> None:
    found = read("- a\n  1. b\n     > c\n- d\n\n0. zero\n")
    assert [(leaf.text, leaf.marker, leaf.depth, leaf.quotes) for leaf in found] == [
        ("a", "•", 1, 0),
        ("b", "1.", 2, 0),
        ("c", "", 2, 1),
        ("d", "•", 1, 0),
        ("zero", "0.", 1, 0),
    ]


def test_an_empty_item_has_its_marker() -> None:
    assert [(leaf.text, leaf.marker) for leaf in read("- \n- b")] == [("", "•"), ("b", "•")]


def test_a_table_has_rows_and_sides() -> None:
    (leaf,) = read("| a | b |\n|:-:|--:|\n| **1** | 2 |\n")
    assert leaf.text == "a\tb\n1\t2"
    assert leaf.sides == ("center", "right")


def test_a_picture_in_a_paragraph_becomes_a_block_between_its_halves() -> None:
    found = read("before ![alt](https://e.org/p.png) after")
    assert [(leaf.kind, leaf.text) for leaf in found] == [
        (Kind.TEXT, "before "),
        (Kind.IMAGE, "alt"),
        (Kind.TEXT, " after"),
    ]


def test_a_picture_in_a_table_is_named_and_can_be_asked_for() -> None:
    (leaf,) = read("| a |\n|---|\n| ![alt](https://e.org/p.png) |\n")
    cell = leaf.rows[1][0]
    assert (cell.text, cell.spans[0].flags, cell.spans[0].address) == ("▣ alt", IMAGE, "https://e.org/p.png")


@pytest.mark.parametrize(
    ("text", "bold"),
    [
        ("**one****two**", ["onetwo"]),
        ("**one****two****three** four", ["onetwothree"]),
        ("**「一」****二**三", ["「一」二"]),
        ("**a *b* c****d**", ["a ", "b", " cd"]),
        ("a****b", []),
        ("****b****", ["b"]),
        ("**a**b****c", ["a"]),
    ],
)
def test_bold_texts_that_touch_are_both_bold(text: str, bold: list[str]) -> None:
    assert marked(text, BOLD) == bold


def test_bold_that_arrives_in_halves_changes_its_look_once() -> None:
    splitter = Splitter(PARSER)
    looks: list[bool] = []
    for chunk in ("**bold", " text", "**", " and", " more"):
        splitter.feed(chunk)
        (leaf,) = leaves_of(splitter, splitter.segments[-1])
        looks.append(any(span.flags & BOLD for span in leaf.line.spans))
    assert looks == [False, False, True, True, True]
