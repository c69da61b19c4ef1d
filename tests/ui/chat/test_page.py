"""The page on a real loop over the real chat service: sending, streaming, switching, approvals, panels, keys."""

import asyncio
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QPushButton, QWidget

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.sentences import Sentences
from notochord.services.chat.api import NewChat, Outgoing
from notochord.services.gems.api import Gems, Trust
from notochord.services.models.api import Finish, Text
from notochord.services.tools.api import Session
from notochord.ui.chat.attachments_row import CHIP_WIDTH
from notochord.ui.chat.cards.call_card import CallCard
from notochord.ui.chat.cards.end_card import EndCard
from notochord.ui.chat.cards.question import Question
from notochord.ui.chat.experts_panel import ExpertActs, ExpertsPanel
from notochord.ui.chat.message_actions import MessageActions
from notochord.ui.chat.new_chat_view import NewChatView
from notochord.ui.chat.open_chat import PANEL_WIDTH, OpenChatView
from notochord.ui.kit.controls.buttons import IconButton
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.transcript.entries import TextEntry
from notochord.viewmodels.chat import conversation
from notochord.viewmodels.chat.beginning import talk_about
from notochord.viewmodels.chat.failures import Remedy
from notochord.viewmodels.shell.navigation import Page, Place
from support.chat_seats import ended, opened, said, seat_in, shows, the_only
from support.desks import OneGem
from support.scripted_models import CHAT_MODEL, Hold, call, reply, say, use
from support.windows import focus_order, unnamed, until_seen


async def test_a_first_message_begins_a_conversation_and_its_answer_streams(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit, reply(Text("One "), Text("two"))) as seat:
        seat.room.office.models.hold = hold = Hold()
        assert isinstance(seat.page.content, NewChatView)
        edit = seat.page.content.composer.edit
        QTest.keyClicks(edit, "Count")
        QTest.keyClick(edit, Qt.Key.Key_Return)
        await until_seen(lambda: isinstance(seat.page.content, OpenChatView) and seat.texts() == ["Count", "One "])
        await until_seen(lambda: seat.open.composer.stop.isVisible())
        hold.go.set()
        chat = seat.room.navigation.place.value.subject
        await ended(seat, chat)
        await until_seen(lambda: seat.texts()[0] == "Count" and "".join(seat.texts()[1:]) == "One two")
        await until_seen(lambda: not seat.open.composer.stop.isVisible())


async def test_two_conversations_stream_and_what_is_typed_stays_with_its_own(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit, say("first answer"), say("second answer")) as seat:
        seat.room.office.models.hold = hold = Hold()
        chats = []
        for text in ("A", "B"):
            chats.append(await opened(seat))
            QTest.keyClicks(seat.open.composer.edit, text)
            QTest.keyClick(seat.open.composer.edit, Qt.Key.Key_Return)
            await until_seen(lambda: len(seat.texts()) == 2)
            QTest.keyClicks(seat.open.composer.edit, f"unsent {text}")
        seat.room.navigation.go(Page.CHAT, chats[0])
        await until_seen(lambda: shows(seat, chats[0]))
        assert seat.open.composer.edit.toPlainText() == "unsent A"
        assert seat.texts() == ["A", "first answer"]
        hold.go.set()
        for chat, answer in zip(chats, ("first answer", "second answer"), strict=True):
            seat.room.navigation.go(Page.CHAT, chat)
            await until_seen(partial(shows, seat, chat))
            await ended(seat, chat)
            assert seat.texts()[1] == answer


@pytest.mark.req("CHAT-018", "CHAT-020")
async def test_a_tool_is_allowed_on_its_card_which_shows_the_exact_arguments(tmp_path: Path, kit: Kit) -> None:
    asks = use(call("note.write", {"name": "a", "text": "b"}))
    async with seat_in(tmp_path, kit, asks, say("Done.")) as seat:
        seat.room.office.notes.asks = True
        chat = await opened(seat)
        seat.room.desk.writing(chat).outbox.post("write")
        await until_seen(lambda: any(c.question for c in seat.shown(CallCard)))
        card = await the_only(seat, CallCard)
        assert card.question is not None
        assert card.arguments.toPlainText() == '{\n  "name": "a",\n  "text": "b"\n}'
        assert seat.room.office.notes.texts == {}
        QTest.mouseClick(card.question.allow, Qt.MouseButton.LeftButton)
        await ended(seat, chat)
        assert seat.room.office.notes.texts == {"a": "b"}
        assert await seat.room.office.approvals.permitted(chat, "tool", "note.write")


async def test_a_call_that_lacked_an_account_says_so_and_leads_to_the_gem_also_after_the_chat_was_opened_again(
    tmp_path: Path, kit: Kit
) -> None:
    def refuse(name: str, session: Session) -> None:
        if name == "note.read":
            parameters = {"why": "why.account_not_chosen", "gem": "issues", "name": "Issues", "slot": "github"}
            raise NotochordError(Code.PERM_DENIED, Fault.POLICY, "the user has chosen no account", **parameters)

    both = use(call("note.read", {"name": "a"}), call("note.fail", {}, id="2"))
    async with seat_in(tmp_path, kit, both, say("It needs an account.")) as seat:
        seat.room.office.notes.on_run = refuse
        chat = await opened(seat)
        seat.room.desk.writing(chat).outbox.post("read")
        await ended(seat, chat)
        seat.room.navigation.go(Page.CHAT)
        await until_seen(lambda: isinstance(seat.page.content, NewChatView))
        seat.room.navigation.go(Page.CHAT, chat)
        await until_seen(lambda: shows(seat, chat) and len(seat.shown(CallCard)) == 2)
        lacking, broken = (card for card in seat.shown(CallCard) if isinstance(card, CallCard))
        said = [label.text() for label in lacking.failure.findChildren(Label)]
        assert said == ["This is not allowed: no account is chosen for “github”; "
                        "choose one on the page of the gem Issues. (E_PERM_DENIED)"]  # fmt: skip
        assert not broken.failure.isVisible()
        (button,) = lacking.failure.findChildren(QPushButton)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert seat.room.navigation.place.value == Place(Page.GEM, "issues")


async def test_in_a_conversation_with_an_agent_of_a_gem_there_are_no_plans_and_no_experts(
    tmp_path: Path, kit: Kit
) -> None:
    async with seat_in(tmp_path, kit, gem_agents=OneGem()) as seat:
        await opened(seat)
        assert (seat.open.plan.isVisible(), seat.open.experts.isVisible()) == (True, True)
        await talk_about("a row", "board", "helper", seat.room.desk, seat.room.navigation)
        await until_seen(lambda: shows(seat, seat.room.navigation.place.value.subject))
        assert (seat.open.plan.isVisible(), seat.open.experts.isVisible()) == (False, False)
        assert seat.open.header.folder.text() == "with helper, an agent of board"
        assert seat.open.composer.edit.toPlainText() == "> a row\n\n"
        assert seat.open.composer.edit.hasFocus()


@dataclass(frozen=True)
class OneInstalled:
    """The gem that is asked for is installed, with this name and signature."""

    trust: Trust
    name: str = "Paperwork"

    async def get(self, _: str) -> "OneInstalled":
        return self

    async def all(self) -> tuple[()]:
        return ()


@pytest.mark.parametrize(("trust", "name"), [(Trust.OFFICIAL, "文书助手"), (Trust.UNSIGNED, "Paperwork")])
async def test_a_gem_that_comes_along_is_called_in_the_windows_language_also_over_a_chat_with_its_agent(
    tmp_path: Path, kit: Kit, trust: Trust, name: str
) -> None:
    chinese = replace(kit, sentences=Sentences.load("zh_CN").in_window())
    async with seat_in(tmp_path, chinese, gem_agents=OneGem()) as seat:
        seat.room.desk.gems = cast("Gems", OneInstalled(trust))
        await talk_about("a row", "paperwork", "helper", seat.room.desk, seat.room.navigation)
        await until_seen(lambda: shows(seat, seat.room.navigation.place.value.subject))
        expected = chinese.text("window.chat.with_agent", agent="helper", gem=name)
        await until_seen(lambda: seat.open.header.folder.text() == expected)


async def test_a_reason_that_is_being_typed_survives_and_an_answer_from_elsewhere_ends_the_question(
    tmp_path: Path, kit: Kit
) -> None:
    both = use(call("note.write", {"name": "a", "text": "b"}), call("note.read", {"name": "a"}, id="2"))
    async with seat_in(tmp_path, kit, both, say("Done.")) as seat:
        seat.room.office.notes.asks = True
        chat = await opened(seat)
        seat.room.desk.writing(chat).outbox.post("write")
        await until_seen(lambda: any(c.question for c in seat.shown(CallCard)))
        card = next(c for c in seat.shown(CallCard) if c.question)
        assert card.question is not None
        QTest.keyClicks(card.question.reason, "not that")
        seat.open._conversation._show_end()
        assert card.question.reason.text() == "not that"
        (pending,) = await seat.room.office.approvals.pending()
        await seat.room.office.approvals.decide(pending.id, approve=False, by="terminal")
        await until_seen(lambda: not any(c.question for c in seat.shown(CallCard)))
        await ended(seat, chat)


async def test_a_stopped_answer_keeps_its_model_and_the_keyboard_goes_on_writing(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit, reply(Text("One "), Text("two"))) as seat:
        seat.room.office.models.hold = hold = Hold()
        chat = await opened(seat)
        seat.room.desk.writing(chat).outbox.post("Count")
        await hold.reached.wait()
        await until_seen(lambda: seat.open.composer.stop.isVisible())
        QTest.mouseClick(seat.open.composer.stop, Qt.MouseButton.LeftButton)
        assert seat.open.composer.edit.hasFocus()
        await ended(seat, chat)
        await until_seen(lambda: (str(CHAT_MODEL), "One ") in said(seat))


async def test_a_failure_is_retried_from_its_card(tmp_path: Path, kit: Kit) -> None:
    lost = NotochordError(Code.NETWORK_UNREACHABLE, Fault.SYSTEM, "", host="api.example.org")
    async with seat_in(tmp_path, kit, lost, say("There.")) as seat:
        chat = await opened(seat)
        seat.room.desk.writing(chat).outbox.post("hello")
        await until_seen(lambda: bool(seat.shown(EndCard)))
        await ended(seat, chat)
        card = await the_only(seat, EndCard)
        assert "api.example.org" in card.sentence.text()
        QTest.mouseClick(card.buttons[Remedy.RETRY], Qt.MouseButton.LeftButton)
        await until_seen(lambda: seat.texts()[-1:] == ["There."])
        await ended(seat, chat)
        await until_seen(lambda: not seat.shown(EndCard))


async def test_an_answer_that_reached_the_output_limit_says_so_and_goes_on_from_its_card(
    tmp_path: Path, kit: Kit
) -> None:
    async with seat_in(tmp_path, kit, reply(Text("One, two"), finish=Finish.LENGTH), say("three.")) as seat:
        chat = await opened(seat)
        seat.room.desk.writing(chat).outbox.post("Count")
        await until_seen(lambda: bool(seat.shown(EndCard)))
        await ended(seat, chat)
        other = await opened(seat)
        await until_seen(lambda: shows(seat, other))
        seat.room.navigation.go(Page.CHAT, chat)
        await until_seen(lambda: shows(seat, chat) and bool(seat.shown(EndCard)))
        card = await the_only(seat, EndCard)
        assert "output limit" in card.sentence.text()
        QTest.mouseClick(card.buttons[Remedy.CONTINUE], Qt.MouseButton.LeftButton)
        await until_seen(lambda: seat.texts()[-1:] == ["three."])
        await ended(seat, chat)


@pytest.mark.req("CHAT-025", "CHAT-026", "CHAT-030", "CHAT-031")
async def test_the_panel_beside_the_box_lists_experts_and_tools(tmp_path: Path, kit: Kit) -> None:
    steps = [use(call("agent.delegate", {"task": "Think."})), say("Done.")]
    async with seat_in(tmp_path, kit, *steps, sub_agent=[say("Thought.")]) as seat:
        chat = await opened(seat)
        await seat.room.office.chats.send(chat, Outgoing("delegate"))
        assert seat.open.experts.text() == "Experts and tools"
        QTest.mouseClick(seat.open.experts, Qt.MouseButton.LeftButton)
        panel = seat.open.panel
        assert isinstance(panel, ExpertsPanel)
        await until_seen(lambda: len(panel.model.experts) == 1 and bool(panel.model.tools))
        panel.model.choose(panel.model.experts[0].id)
        work = panel.work
        assert work is not None
        await until_seen(lambda: len(work._pieces) == 2)
        assert [work.view.text_of(piece.key) for piece in work._pieces] == ["Think.", "Thought."]
        heads = [work.view.content.item(piece.key).entry for piece in work._pieces]
        assert [head.who for head in heads if isinstance(head, TextEntry)] == ["Task", "Assistant"]
        for piece in work._pieces:
            strip = work._actions(piece.key, panel)
            assert isinstance(strip, MessageActions)
            assert [button.accessibleName() for button in strip.findChildren(IconButton)] == ["Copy"]
            strip.deleteLater()
        QTest.keyClick(panel.back, Qt.Key.Key_Escape)
        panel.columns.choose("tools")
        panel.show_column("tools")

        def boxes() -> list[QCheckBox]:
            return [box for box in panel.findChildren(QCheckBox) if box.accessibleName() == "note.read"]

        await until_seen(lambda: len(boxes()) == 1)
        QTest.keyClick(boxes()[0], Qt.Key.Key_Space)
        await until_seen(lambda: any(tool.name == "note.read" and not tool.on for tool in panel.model.tools))


def is_about(panel: QWidget, width: int) -> bool:
    return abs(panel.width() - width) < 20


async def test_a_panel_that_takes_the_place_of_another_is_as_wide(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit) as seat:
        chat = await opened(seat)
        widths: list[int] = []
        for _ in range(2):
            panel = ExpertsPanel(
                seat.open._kit, seat.room.desk.experts(chat), seat.room.desk,
                ExpertActs(lambda: None, lambda _: None, lambda *_: None),
            )  # fmt: skip
            seat.open._open_panel(panel)
            await until_seen(partial(is_about, panel, PANEL_WIDTH))
            widths.append(panel.width())
        seat.open._close_panel()
        await asyncio.sleep(0)  # the panels' models begin to close
        assert widths[0] == widths[1]


@pytest.mark.parametrize("let_go", [False, True])
async def test_files_dragged_over_a_chat_show_where_they_land(tmp_path: Path, kit: Kit, let_go: bool) -> None:
    file = tmp_path / "sales.csv"
    file.write_bytes(b"1,2")
    async with seat_in(tmp_path, kit) as seat:
        await opened(seat)
        edit, data = seat.open.composer.edit, QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(file))])
        before = edit.placeholderText()
        buttons, keys, copy = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
        QApplication.sendEvent(seat.open, QDragEnterEvent(QPoint(50, 90), copy, data, buttons, keys))
        assert edit.placeholderText() == kit.text("window.chat.hint_drop")
        end = QDropEvent(QPointF(50, 90), copy, data, buttons, keys) if let_go else QDragLeaveEvent()
        QApplication.sendEvent(seat.open, end)
        assert edit.placeholderText() == before
        await until_seen(lambda: len(seat.open.composer.attachments.chips) == int(let_go))


async def test_files_dropped_anywhere_are_attached(tmp_path: Path, kit: Kit) -> None:
    file = tmp_path / "sales.csv"
    file.write_bytes(b"x" * 1000)
    async with seat_in(tmp_path, kit) as seat:
        chat = await opened(seat)
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(file))])
        buttons, keys, copy = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
        enter = QDragEnterEvent(QPointF(50, 90).toPoint(), copy, data, buttons, keys)
        QApplication.sendEvent(seat.open, enter)
        assert enter.isAccepted()
        QApplication.sendEvent(seat.open, QDropEvent(QPointF(50, 90), copy, data, buttons, keys))
        composer = seat.room.desk.writing(chat).composer
        await until_seen(lambda: [one.name for one in composer.attachments] == ["sales.csv"])
        await until_seen(lambda: len(seat.open.composer.attachments.chips) == 1)
        QTest.mouseClick(seat.open.composer.attachments.chips[0].remove, Qt.MouseButton.LeftButton)
        await until_seen(lambda: not composer.attachments)


async def test_escape_leaves_an_earlier_message_as_it_is(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit) as seat:
        chat = await opened(seat)
        composer, edit = seat.room.desk.writing(chat).composer, seat.open.composer.edit
        composer.set_text("half written")
        composer.begin_edit("an-entry", "what was sent")
        await until_seen(lambda: edit.toPlainText() == "what was sent" and edit.hasFocus())
        QTest.keyClick(edit, Qt.Key.Key_Escape)
        await until_seen(lambda: edit.toPlainText() == "half written" and not composer.editing.value)
        assert edit.hasFocus()


async def test_the_keyboard_stays_at_the_files_that_are_sent_along_and_goes_back_to_writing(
    tmp_path: Path, kit: Kit
) -> None:
    files = [tmp_path / f"a long name of a file {number}.csv" for number in range(6)]
    for file in files:
        file.write_bytes(b"x")
    async with seat_in(tmp_path, kit) as seat:
        chat = await opened(seat)
        await seat.room.desk.writing(chat).composer.attach(files)
        row = seat.open.composer.attachments
        await until_seen(lambda: len(row.chips) == 6)
        await until_seen(lambda: len({chip.y() for chip in row.chips}) > 1)
        assert {chip.width() for chip in row.chips} == {CHIP_WIDTH}
        row.chips[5].remove.setFocus()

        def is_on_last_of(left: int) -> bool:
            return len(row.chips) == left and row.chips[-1].remove.hasFocus()

        for left in range(5, 0, -1):
            QTest.keyClick(row.chips[-1].remove, Qt.Key.Key_Return)
            await until_seen(partial(is_on_last_of, left))
        QTest.keyClick(row.chips[0].remove, Qt.Key.Key_Space)
        await until_seen(seat.open.composer.edit.hasFocus)


async def test_who_presses_a_button_at_the_message_by_mouse_goes_on_writing(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit) as seat:
        await opened(seat)
        view = seat.open
        view.composer.edit.setFocus()
        QTest.mouseClick(view.plan, Qt.MouseButton.LeftButton)
        assert view.plan.isChecked()
        assert view.composer.edit.hasFocus()
        QTest.keyClicks(view.composer.edit, "go on")
        assert view.composer.edit.toPlainText() == "go on"
        await until_seen(lambda: bool((chat := view._conversation.chat.value) and chat.plan_mode))


async def test_every_control_of_an_open_conversation_is_reached_by_tab_and_has_a_name(tmp_path: Path, kit: Kit) -> None:
    steps = [use(call("note.read", {"name": "a"})), say("Read.")]
    async with seat_in(tmp_path, kit, *steps) as seat:
        chat = await opened(seat)
        await seat.room.office.chats.send(chat, Outgoing("read"))
        await until_seen(lambda: bool(seat.shown(CallCard)))
        seat.room.desk.writing(chat).composer.set_text("something to send")
        view = seat.open
        card = await the_only(seat, CallCard)
        wanted = [
            view.header.rename, view.header.find_button, view.header.files, view.header.more, view.pane.view,
            card.fold, view.composer.edit, view.composer.attach, view.plan, view.model, view.experts,
            view.composer.button,
        ]  # fmt: skip
        await until_seen(lambda: [one for one in focus_order(seat.page.window()) if one in wanted] == wanted)
        assert not unnamed(seat.page.window())


async def test_tab_goes_from_the_conversation_through_the_questions_in_their_order_to_the_message(
    tmp_path: Path, kit: Kit
) -> None:
    both = use(*(call("note.write", {"name": name, "text": "x"}, id=name) for name in ("c1", "c2")))
    async with seat_in(tmp_path, kit, both, say("Done.")) as seat:
        seat.room.office.notes.asks = True
        chat = await opened(seat)
        seat.room.desk.writing(chat).outbox.post("write")
        await until_seen(lambda: len([card for card in seat.shown(Question) if card.isVisible()]) == 2)
        view = seat.open
        cards = sorted(seat.shown(CallCard), key=lambda card: card.mapToGlobal(QPoint(0, 0)).y())
        wanted: list[QWidget] = [view.pane.view]
        for card in cards:
            assert isinstance(card, CallCard)
            assert card.question is not None
            wanted += [card.arguments, card.question.allow, card.question.reject, card.question.reason]
        wanted.append(view.composer.edit)

        def walked() -> list[QWidget]:
            return [widget for widget in focus_order(seat.page.window()) if widget in wanted]

        await until_seen(lambda: walked() == wanted)
        await seat.room.office.chats.stop(chat)
        await ended(seat, chat)


async def test_find_goes_through_the_hits_and_escape_closes(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit, say("A whale and another whale.")) as seat:
        chat = await opened(seat)
        await seat.room.office.chats.send(chat, Outgoing("hello"))
        await until_seen(lambda: len(seat.texts()) == 2)
        seat.open._find()
        QTest.keyClicks(seat.open.find_bar.field, "whale")
        await until_seen(lambda: seat.open.find_bar.count.text() == "1/2")
        QTest.keyClick(seat.open.find_bar.field, Qt.Key.Key_Return)
        await until_seen(lambda: seat.open.find_bar.count.text() == "2/2")
        QTest.keyClick(seat.open.find_bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        await until_seen(lambda: seat.open.find_bar.count.text() == "1/2")
        QTest.keyClick(seat.open.find_bar.field, Qt.Key.Key_Escape)
        assert not seat.open.find_bar.isVisible()


async def test_a_deleted_conversation_leaves_for_a_new_one(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit) as seat:
        chat = await opened(seat)
        await seat.room.office.chats.delete(chat)
        await until_seen(lambda: isinstance(seat.page.content, NewChatView))
        assert seat.room.navigation.place.value == Place(Page.CHAT)


async def test_what_stands_before_comes_when_the_user_scrolls_there_and_what_is_read_does_not_move(
    tmp_path: Path, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation, "AHEAD", 20)
    monkeypatch.setattr(conversation, "FIRST_PAGE", 20)
    monkeypatch.setattr(conversation, "PAGE", 10)
    monkeypatch.setattr(conversation, "BETWEEN_PAGES", 0.0)
    long = "a line of text that takes some room\n\n" * 12
    async with seat_in(tmp_path, kit, *[say(f"{number} {long}") for number in range(25)]) as seat:
        chat = (await seat.room.office.chats.create(NewChat())).id
        for number in range(25):
            await seat.room.office.chats.send(chat, Outgoing(f"question {number}"))
        seat.room.navigation.go(Page.CHAT, chat)
        await until_seen(lambda: shows(seat, chat))
        assert 20 <= len(seat.open.pane._pieces) < 50
        view = seat.open.pane.view
        view.scroll_by(-view.verticalScrollBar().value())
        read = seat.open.pane._pieces[1].key
        place = next(top for part, top, _ in view.anchor.visible() if part.entry.id == read)
        await until_seen(lambda: len(seat.open.pane._pieces) >= 40)
        assert place == next(top for part, top, _ in view.anchor.visible() if part.entry.id == read)
        seat.open._find()
        await until_seen(lambda: len(seat.open.pane._pieces) == 50)
        assert seat.texts()[0] == "question 0"


async def test_a_message_that_was_searched_for_is_gone_to_however_far_back_it_is(
    tmp_path: Path, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation, "AHEAD", 5)
    monkeypatch.setattr(conversation, "FIRST_PAGE", 5)
    monkeypatch.setattr(conversation, "BETWEEN_PAGES", 0.0)
    long = "a line of text that takes some room\n\n" * 12
    async with seat_in(tmp_path, kit, *[say(f"{number} {long}") for number in range(12)]) as seat:
        chat = (await seat.room.office.chats.create(NewChat())).id
        for number in range(12):
            await seat.room.office.chats.send(chat, Outgoing(f"question {number}"))
        wanted = (await seat.room.office.chats.entries(chat))[4].id
        seat.room.navigation.go(Page.CHAT, f"{chat}#{wanted}")
        assert seat.room.navigation.place.value == Place(Page.CHAT, chat)
        await until_seen(lambda: shows(seat, chat) and seat.room.page.wanted_entry.value == "")
        part, _, _ = next(iter(seat.open.pane.view.anchor.visible()))
        assert part.entry.id.startswith(wanted)
