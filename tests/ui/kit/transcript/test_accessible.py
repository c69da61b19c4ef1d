"""What assistive technology reads."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from notochord.ui.kit.transcript.entries import CardEntry, Role, TextEntry
from support.transcript_views import Bench
from support.transcripts import chat, large_message


@pytest.fixture(autouse=True)
def listening() -> Iterator[None]:
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


def test_the_conversation_is_a_list_with_an_item_for_each_message(bench: Bench) -> None:
    view = bench.load(*chat(300), TextEntry("big", Role.ASSISTANT, large_message(60_000), who="Assistant"))
    found = QAccessible.queryAccessibleInterface(view)
    assert found.role() is QAccessible.Role.List
    assert found.text(QAccessible.Text.Name) == "Conversation"
    assert found.childCount() == 301
    item = found.child(0)
    assert item.role() is QAccessible.Role.ListItem
    assert item.text(QAccessible.Text.Name).startswith("You")
    assert found.indexOfChild(item) == 0
    assert item.state().offscreen


def test_an_item_has_the_text_of_its_message_without_marks(bench: Bench) -> None:
    view = bench.load("Some **bold** text.\n\n- item")
    item = QAccessible.queryAccessibleInterface(view).child(0)
    text = item.textInterface()
    assert text is not None
    assert text.text(0, text.characterCount()) == "Some bold text.\nitem"
    assert not item.state().offscreen
    assert item.rect().width() == int(view.content.width)


def test_a_card_in_view_stands_for_itself(bench: Bench) -> None:
    def make(parent: QWidget) -> QWidget:
        card = QWidget(parent)
        QHBoxLayout(card).addWidget(QPushButton("Allow"))
        return card

    view = bench.load(CardEntry("card", make, name="Approval"))
    card = QAccessible.queryAccessibleInterface(view).child(0)
    assert card.text(QAccessible.Text.Name) == "Approval"
    button = card.child(0)
    assert (button.role(), button.text(QAccessible.Text.Name)) == (QAccessible.Role.Button, "Allow")


def test_reading_while_an_answer_streams_sees_it_grow(bench: Bench) -> None:
    view = bench.load(*chat(20), TextEntry("live", Role.ASSISTANT, who="Assistant", streaming=True))
    found, lengths = QAccessible.queryAccessibleInterface(view), list[int]()
    for _ in range(20):
        view.feed("live", "More words. ")
        view.streaming.flush()
        text = found.child(20).textInterface()
        assert text is not None
        lengths.append(text.characterCount())
    view.finish("live")
    assert lengths == sorted(set(lengths))


def test_another_conversation_has_other_items(bench: Bench) -> None:
    view = bench.load(*chat(30))
    found = QAccessible.queryAccessibleInterface(view)
    for number in range(found.childCount()):
        found.child(number)
    bench.load("Only this.")
    text = found.child(0).textInterface()
    assert found.childCount() == 1
    assert text is not None
    assert text.text(0, 99) == "Only this."


def test_a_screen_reader_finds_the_controls_of_a_message_in_it_and_the_way_to_the_newest_last(bench: Bench) -> None:
    long_line = "word " * 200
    view = bench.load(
        TextEntry("why", Role.REASONING, "because", who="Reasoning", folded=True),
        f"```python\n{long_line}\n```\n\n![a picture](https://example.com/p.png)\n\n" + "text\n\n" * 100,
    )
    view.anchor.to_start()
    view.settle()
    found = QAccessible.queryAccessibleInterface(view)
    assert found.childCount() == 3

    def names(item: QAccessibleInterface) -> list[str]:
        return [item.child(at).text(QAccessible.Text.Name) for at in range(item.childCount())]

    assert names(found.child(0)) == ["Reasoning: Show reasoning"]
    assert names(found.child(1)) == [
        "Wrap long lines of this code",
        "Copy this code",
        "Scroll sideways",
        "a picture: Load picture from example.com",
    ]
    assert [found.child(1).indexOfChild(found.child(1).child(at)) for at in range(4)] == [0, 1, 2, 3]
    assert found.child(2).text(QAccessible.Text.Name) == "Jump to the latest"
    assert found.indexOfChild(found.child(2)) == 2
    view.jump_to_end()
    view.settle()
    assert found.childCount() == 2


def test_a_message_is_told_to_have_the_keyboard_only_while_the_conversation_has_it(bench: Bench) -> None:
    view = bench.load("one", "two")
    view.setFocus()
    view.go_to_message(-1)
    item = QAccessible.queryAccessibleInterface(view).child(1)
    assert item.state().focused
    view.clearFocus()
    assert not item.state().focused
