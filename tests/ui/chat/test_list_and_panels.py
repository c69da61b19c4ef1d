"""The list of conversations, dialogs, panels of files, cards and pictures, one by one."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QStandardPaths, Qt
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from notochord.core.clock import SystemClock
from notochord.core.sentences import Sentences
from notochord.ui.chat.activity_line import ActivityLine
from notochord.ui.chat.cards.card import pretty
from notochord.ui.chat.cards.end_card import EndCard
from notochord.ui.chat.cards.question import Answers, QuestionCard
from notochord.ui.chat.cards.small_cards import SummaryCard
from notochord.ui.chat.chat_list import ChatListView
from notochord.ui.chat.composer_view import _png
from notochord.ui.chat.dialogs import RenameDialog, ask_for_export, ask_to_delete, file_name
from notochord.ui.chat.experts_panel import ExpertActs, ExpertsPanel
from notochord.ui.chat.files_panel import FilesPanel
from notochord.ui.chat.hostile_pictures import MOST_PIXELS, decoded
from notochord.ui.chat.message_actions import MessageActions, MessageActs
from notochord.ui.chat.model_picker import ModelPicker
from notochord.ui.chat.new_chat_view import NewChatView
from notochord.ui.chat.wording import file_size
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.item_model import ITEM
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.failures import Remedy
from notochord.viewmodels.chat.live import Activity, Doing
from notochord.viewmodels.chat.pieces import Asked, Ended, SummedUp
from notochord.viewmodels.chat.values import ChatState, ExportForm
from notochord.viewmodels.samples import chat as samples
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from support.windows import destroyed, unnamed

NO_ACTS = ExpertActs(lambda: None, lambda _: None, lambda *_: None)


def shown(qtbot: QtBot, widget: QWidget, width: int = 400, height: int = 500) -> None:
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    QApplication.processEvents()


@pytest.mark.req("CHAT-003", "CHAT-004")
def test_the_list_shows_pinned_and_recent_with_the_labels_of_each_language(kit: Kit, qtbot: QtBot) -> None:
    for language, pinned, recent in (("en", "Pinned", "Recent"), ("zh_CN", "已置顶", "最近")):
        mine = replace(kit, sentences=Sentences.load(language))
        view = ChatListView(mine, samples.chat_list(language), Navigation())
        shown(qtbot, view)
        model = view.rows.model()
        names = [model.index(row, 0).data() for row in range(model.rowCount())]
        assert (names[0], names[3]) == (pinned, recent)


@pytest.mark.req("CHAT-005", "CHAT-006", "CHAT-007")
def test_each_conversation_has_a_menu_that_renames_pins_and_deletes(kit: Kit, qtbot: QtBot) -> None:
    model = samples.chat_list("en")
    view = ChatListView(kit, model, Navigation())
    shown(qtbot, view)
    pinned, recent = model.pinned[0], model.recent[0]
    assert [entry.text for entry in view.entries(recent) if entry.text] == ["Rename", "Pin", "Delete"]
    assert [entry.text for entry in view.entries(pinned) if entry.text] == ["Rename", "Unpin", "Delete"]
    view.rows.setCurrentIndex(view.rows.model().index(1, 0))
    assert view.rows.more.isVisible()
    assert pinned.title in view.rows.more.accessibleName()


def test_the_menu_stays_with_the_row_of_the_keyboard_when_the_row_before_goes(kit: Kit, qtbot: QtBot) -> None:
    model = samples.chat_list("en")
    view = ChatListView(kit, model, Navigation())
    shown(qtbot, view)
    rows = view.rows
    rows.setFocus()
    at = next(row for row in range(rows.model().rowCount()) if rows.model().index(row, 0).data(ITEM) == model.recent[0])
    rows.setCurrentIndex(rows.model().index(at, 0))
    model.rows.remove(at, 1)
    assert rows.visualRect(rows.currentIndex()).contains(rows.more.geometry().center())


def test_enter_opens_a_conversation_and_a_hit_leads_to_its_message(kit: Kit, qtbot: QtBot) -> None:
    model, navigation = samples.chat_list("en"), Navigation()
    view = ChatListView(kit, model, navigation)
    shown(qtbot, view)
    view.rows.setCurrentIndex(view.rows.model().index(1, 0))
    QTest.keyClick(view.rows, Qt.Key.Key_Return)
    assert navigation.place.value == Place(Page.CHAT, model.pinned[0].id)
    view._go(model._as_hits([samples.found(model.recent[0].id, "entry-7")])[0])
    assert navigation.place.value == Place(Page.CHAT, f"{model.recent[0].id}#entry-7")


def test_enter_in_the_search_opens_what_these_words_find_and_not_what_earlier_ones_did(kit: Kit, qtbot: QtBot) -> None:
    model, navigation = samples.chat_list("en"), Navigation()
    asked: list[str] = []

    async def search(words: str) -> None:
        asked.append(words)
        model.words.set(words)
        hits = [samples.found(model.recent[1].id, "new")] if words == "mail" else []
        model.hits.reset(model._as_hits(hits))

    model.search = search  # type: ignore[method-assign]
    model.hits.reset(model._as_hits([samples.found(model.recent[0].id, "old")]))
    view = ChatListView(kit, model, navigation)
    shown(qtbot, view)
    QTest.keyClicks(view.search, "mail")
    QTest.keyClick(view.search, Qt.Key.Key_Return)
    assert asked[-1] == "mail"
    assert navigation.place.value == Place(Page.CHAT, f"{model.recent[1].id}#new")
    view.search.setText("nothing like it")
    QTest.keyClick(view.search, Qt.Key.Key_Return)
    assert navigation.place.value == Place(Page.CHAT, f"{model.recent[1].id}#new")


def test_the_state_of_a_conversation_is_told_to_assistive_technology(kit: Kit, qtbot: QtBot) -> None:
    view = ChatListView(kit, samples.chat_list("en"), Navigation())
    shown(qtbot, view)
    index = view.rows.model().index(2, 0)
    assert "waiting for you" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert index.data(ITEM).state == "waiting"
    assert not unnamed(view)


def test_a_question_about_an_endless_word_shows_all_of_it(kit: Kit, qtbot: QtBot) -> None:
    owner = QWidget()
    shown(qtbot, owner)
    dialog = ask_to_delete(kit, owner, samples.chat("en", title=f"{'x' * 150}!"), lambda: None)
    heading = next(label for label in dialog.findChildren(Label) if "!" in label.text())
    assert heading.sizeHint().width() <= heading.width()
    assert heading.height() >= heading.heightForWidth(heading.width()) > 3 * kit.theme.line_height("large") // 2
    dialog.reject()


def test_deleting_asks_and_names_what_goes(kit: Kit, qtbot: QtBot) -> None:
    owner, gone = QWidget(), list[str]()
    shown(qtbot, owner)
    own = samples.chat("en")
    dialog = ask_to_delete(kit, owner, own, lambda: gone.append(own.id))
    assert own.title in dialog.windowTitle()
    dialog.reject()
    assert not gone
    chosen = samples.chat("en", own_folder=False)
    dialog = ask_to_delete(kit, owner, chosen, lambda: gone.append(chosen.id))
    dialog.act.click()
    assert gone == [chosen.id]
    destroyed()


def test_a_title_without_a_visible_character_cannot_be_given(kit: Kit, qtbot: QtBot) -> None:
    owner, given = QWidget(), list[str]()
    shown(qtbot, owner)
    dialog = RenameDialog(kit, owner, "old", given.append)
    dialog.open()
    dialog.field.setText("   ")
    assert not dialog.act.isEnabled()
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    assert given == []
    dialog.field.setText("new")
    dialog.act.click()
    assert given == ["new"]
    destroyed()


def test_the_export_asks_for_a_file_without_stopping_the_program(kit: Kit, qtbot: QtBot) -> None:
    owner, chosen = QWidget(), list[Path]()
    shown(qtbot, owner)
    dialog = ask_for_export(kit, owner, samples.chat("en"), ExportForm.JSON, chosen.append)
    assert isinstance(dialog, QFileDialog)
    dialog.fileSelected.emit("/tmp/chat.json")
    assert chosen == [Path("/tmp/chat.json")]
    dialog.reject()
    destroyed()


@pytest.mark.parametrize("there", [True, False])
def test_the_export_begins_in_the_documents_or_else_at_home(
    kit: Kit, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    place = tmp_path / "Papers"
    if there:
        place.mkdir()
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(place))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    owner = QWidget()
    shown(qtbot, owner)
    dialog = ask_for_export(kit, owner, samples.chat("en"), ExportForm.MARKDOWN, lambda _: None)
    assert dialog.directory().absolutePath() == str(place if there else tmp_path)
    dialog.reject()
    destroyed()


def test_a_model_that_is_loaded_is_said_to_read(kit: Kit, qtbot: QtBot) -> None:
    page = samples.page("en", samples.begun("en"), state=ChatState.ANSWERING)
    conversation = samples.shown(page).conversation
    line = ActivityLine(kit, conversation, SystemClock())
    shown(qtbot, line)
    conversation.activity.set(Activity(Doing.LOADING, share=0.5))
    assert (line.label.text(), line.bar.isVisible()) == ("Loading the model: 50 %", True)
    conversation.activity.set(Activity(Doing.LOADING, share=1.0))
    assert (line.label.text(), line.bar.isVisible()) == ("The model is loaded and is reading the conversation…", False)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("a/b: c?", "a b c"),
        ("CON", "CON chat"),
        ("…", "…"),
        ("nul.txt", "nul.txt chat"),
        (" . ", "chat"),
        ("表", "表"),
    ],
)
def test_a_title_becomes_a_name_that_every_system_takes(title: str, name: str) -> None:
    """Known-faults L1, L2 and L4."""
    assert file_name(title) == name
    assert len(file_name("x" * 300)) <= 100


def test_models_are_offered_with_where_they_run(kit: Kit, qtbot: QtBot) -> None:
    chosen: list[str] = []
    picker = ModelPicker(kit, "Model", samples.desk().models, chosen.append, usual=True)
    shown(qtbot, picker)
    picker.show_model(samples.LOCAL)
    assert "This computer" in picker.accessibleName()
    entries = [entry for entry in picker.entries() if entry.text]
    assert entries[0].text == "The default model"
    assert any("Internal network" in entry.text for entry in entries)
    act = next(entry.act for entry in entries if "llama-70b" in entry.text)
    assert act is not None
    act()
    assert chosen == ["Office/llama-70b"]


def test_a_rate_limit_counts_down(kit: Kit, qtbot: QtBot) -> None:
    error = samples.FAILURES[0]
    pressed: list[str] = []
    card = EndCard(
        kit,
        Ended("k", "e", "failed", error.code, True, error),
        samples.MODEL,
        {Remedy.RETRY: lambda: pressed.append("x")},
    )
    shown(qtbot, card)
    button = card.buttons[Remedy.RETRY]
    assert button.text() == "Retry (24 s)"
    card._tick()
    assert button.text() == "Retry (23 s)"
    for _ in range(23):
        card._tick()
    assert button.text() == "Retry"
    assert not card._timer.isActive()
    button.click()
    assert pressed


def test_an_answer_that_failed_without_a_word_leads_to_its_alternatives(kit: Kit, qtbot: QtBot) -> None:
    error, gone = samples.FAILURES[1], list[int]()
    end = Ended("k", "e0", "failed", error.code, True, error, ("e0", "e1"), "e0")
    card = EndCard(kit, end, samples.MODEL, {}, go=gone.append)
    shown(qtbot, card)
    assert not card.previous.isEnabled()
    card.next.click()
    assert gone == [1]


def test_while_an_answer_is_under_way_a_message_can_only_be_copied(kit: Kit, qtbot: QtBot) -> None:
    acts = MessageActs(lambda: None, lambda: None, lambda: None, lambda _: None)
    piece = samples.question("text", siblings=("q0", "q1"))
    busy = MessageActions(kit, piece, acts, idle=False)
    idle = MessageActions(kit, piece, acts, idle=True)
    for strip in (busy, idle):
        shown(qtbot, strip, 200, 30)
        assert not unnamed(strip)
    assert not hasattr(busy, "retry")
    assert not idle.previous.isEnabled()
    assert idle.next.isEnabled()


def test_the_panels_have_names_for_every_control(kit: Kit, qtbot: QtBot) -> None:
    experts = ExpertsPanel(kit, samples.experts("en"), samples.desk(), NO_ACTS)
    files = FilesPanel(kit, samples.files("en", shows="table"), lambda: None)
    for panel in (experts, files):
        shown(qtbot, panel)
        assert not unnamed(panel)


def test_the_keyboard_and_a_menu_stay_at_an_expert_and_a_tool_while_they_change(kit: Kit, qtbot: QtBot) -> None:
    model = samples.experts("en")
    panel = ExpertsPanel(kit, model, samples.desk(), NO_ACTS)
    shown(qtbot, panel)
    first, second = model.experts[0], model.experts[1]
    picker = panel.cards[second.id].model
    picker.setFocus()
    model.experts.replace(1, replace(second, state=ChatState.FAILED))
    model.experts.replace(0, replace(first, state=ChatState.IDLE))
    assert panel.cards[second.id].model is picker
    assert picker.hasFocus()
    assert panel.cards[second.id].state.text == "Failed"
    panel.columns.choose("tools")
    panel.show_column("tools")
    box = panel.boxes[model.tools[2].name]
    box.setFocus()
    model.tools.replace(2, replace(model.tools[2], on=not model.tools[2].on))
    assert box.hasFocus()
    assert box.isChecked() == model.tools[2].on
    panel.search.setText(model.tools[2].name)
    assert list(panel.boxes) == [model.tools[2].name]


@pytest.mark.req("MODEL-073")
@pytest.mark.parametrize(("language", "label"), [("en", "Earlier messages summarised"), ("zh_CN", "已总结较早的消息")])
def test_the_divider_of_a_summary_shows_its_text_when_it_is_pressed(
    kit: Kit, qtbot: QtBot, language: str, label: str
) -> None:
    heard: list[tuple[str, bool]] = []
    kit = replace(kit, sentences=Sentences.load(language).in_window())
    card = SummaryCard(kit, SummedUp("s", "They greeted.", 7), lambda *told: heard.append(told), open=False)
    shown(qtbot, card)
    assert card.button.text() == label
    assert not card.summary.isVisible()
    QTest.keyClick(card.button, Qt.Key.Key_Return)
    assert card.summary.isVisible()
    assert card.summary.toPlainText() == "They greeted."
    QTest.mouseClick(card.button, Qt.MouseButton.LeftButton)
    assert not card.summary.isVisible()
    assert heard == [("s", True), ("s", False)]


def test_a_question_has_room_for_its_answers_in_a_narrow_panel(kit: Kit, qtbot: QtBot) -> None:
    asked = next(piece for piece in samples.approvals("en") if isinstance(piece, Asked))
    card = QuestionCard(kit, asked.approval, Answers(*[lambda *_: None] * 3))
    shown(qtbot, card, 260, 400)
    question = card.question
    for button in (question.allow, question.reject):
        assert button.width() >= button.sizeHint().width()
    assert question.reason.y() > question.reject.y()
    assert question.reason.width() > 150
    card.resize(700, 400)
    qtbot.waitUntil(lambda: question.reason.y() < question.allow.geometry().bottom())
    assert question.reason.geometry().right() > 600


def test_a_file_that_could_run_is_only_shown_in_its_folder(kit: Kit, qtbot: QtBot) -> None:
    panel = FilesPanel(kit, samples.files("en", shows="nothing"), lambda: None)
    shown(qtbot, panel)
    texts = {button.text() for button in panel.findChildren(Button)}
    assert "Show in folder" in texts
    assert "Open" not in texts


def test_a_new_conversation_says_where_what_is_written_goes(kit: Kit, qtbot: QtBot) -> None:
    page = samples.new_page()
    view = NewChatView(kit, page)
    shown(qtbot, view, 900, 600)
    assert view.where.text() == "What you write is sent to the model's provider."
    page.new.model.set("local")
    assert view.where.text() == "What you write stays on this computer."
    assert view.folder.text() == "Start a chat around a folder"
    assert not unnamed(view)


def test_one_byte_is_no_bytes(kit: Kit) -> None:
    assert [file_size(kit, size) for size in (0, 1, 2)] == ["0 bytes", "1 byte", "2 bytes"]


def test_arguments_are_laid_out_without_being_changed() -> None:
    assert pretty(r'{"url":"https://a.example/\u202ex"}') == '{\n  "url": "https://a.example/\\u202ex"\n}'
    assert pretty('{"a":1,"b":"<é>"}') == '{\n  "a": 1,\n  "b": "<é>"\n}'
    for text in ("plain", '{"a":1', '{"a":1,"a":2}', "[NaN]"):
        assert pretty(text) == text


def test_pictures_are_scaled_down_while_they_are_read_and_no_svg_is_read() -> None:
    image = QImage(3000, 10, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    found = decoded(_png(image))
    assert found.width() == MOST_PIXELS
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>1</script></svg>'
    assert decoded(svg).isNull()
    assert decoded(b"no picture").isNull()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert QImageWriter(buffer, QByteArray(b"bmp")).write(image)
    assert not decoded(bytes(buffer.data().data())).isNull()
