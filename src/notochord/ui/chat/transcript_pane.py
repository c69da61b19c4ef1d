"""The transcript of a conversation: its pieces as texts and cards, and what can be done with each message."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from notochord.core.observable import Change, Inserted, Removed, Replaced
from notochord.ui.chat.cards.call_card import CallActs, CallCard
from notochord.ui.chat.cards.end_card import Acts, EndCard
from notochord.ui.chat.cards.plan_card import PlanCard
from notochord.ui.chat.cards.question import Answers, QuestionCard
from notochord.ui.chat.cards.small_cards import AttachedCard, SummaryCard, WentBackLine, went_back_text
from notochord.ui.chat.hostile_pictures import decoded
from notochord.ui.chat.message_actions import MessageActions, MessageActs
from notochord.ui.chat.piece_texts import GUESSES, ROLES, head_of, stands_close, text_of
from notochord.ui.chat.wording import Moments, model_name, place_name
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.life import until_gone, while_alive
from notochord.ui.kit.transcript.controls import holds_focus
from notochord.ui.kit.transcript.entries import CardEntry, Entry, TextEntry
from notochord.ui.kit.transcript.parts import CardPart
from notochord.ui.kit.transcript.style import TranscriptStyle, TranscriptTexts
from notochord.ui.kit.transcript.view import Transcript
from notochord.viewmodels.chat.conversation import Conversation
from notochord.viewmodels.chat.desk import ChatDesk
from notochord.viewmodels.chat.pieces import (
    Asked,
    Attached,
    CallMade,
    Ended,
    Piece,
    PlanProposed,
    Said,
    SummedUp,
    WentBack,
    Who,
)

NEAR_TOP = 4
"""Heights of the view below the first message at which earlier ones are fetched."""


@dataclass(frozen=True, slots=True)
class PaneActs:
    """What the transcript asks of the page. Texts are ids of messages, paths of files, addresses.

    Without `retry` and `edit` the messages are only read, as those of a sub-agent.
    `answered` hears that the user answered a question, whose buttons go away.
    """

    retry: Callable[[str], None] | None
    edit: Callable[[str, str], None] | None
    answered: Callable[[], None]
    show_file: Callable[[str], None]
    open_link: Callable[[str], None]
    ends: Acts
    open_gem: Callable[[str], None] | None = None


class TranscriptPane(QWidget):
    """Follows `conversation.pieces`; a card in sight is changed in place, so that nothing typed in it is lost.

    `asker` stands over the messages that are answered, where it is not the user who wrote them.
    """

    def __init__(
        self, kit: Kit, conversation: Conversation, desk: ChatDesk, acts: PaneActs, parent: QWidget | None = None, *,
        asker: str = "",
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit, self._conversation, self._desk, self._acts = kit, conversation, desk, acts
        self._pieces: list[Piece] = []
        self._by_key: dict[str, Piece] = {}
        self._open: set[str] = set()
        self._moments = Moments(kit, desk.clock)
        self._badges: dict[str, str] = {}
        self._who = {who: kit.text(f"window.chat.who_{who.value}") for who in (Who.USER, Who.ASSISTANT)}
        self._who[Who.USER] = asker or self._who[Who.USER]
        self._streaming: set[str] = set()
        self._stepping: tuple[int, str, str] | None = None
        """Where another version of a message is to come, of which one, and the action that the keyboard is on."""
        self.view = Transcript(TranscriptStyle.of(kit.theme), TranscriptTexts.of(kit.sentences), self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        self.setFocusProxy(self.view)
        self._answers = Answers(self._approve, self._reject, self._change)
        self._call_acts = CallActs(
            stop=self._stop_call,
            show_file=acts.show_file,
            open_gem=acts.open_gem,
            unfolded=self._unfolded,
            monotonic=desk.clock.monotonic,
            answers=self._answers,
        )
        self.view.set_actions_factory(self._actions)
        self.view.link_activated.connect(acts.open_link)
        self.view.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.view.image_wanted.connect(self._load_picture)
        kit.theme.changed.connect(self._restyle)
        until_gone(self, conversation.pieces.watch(while_alive(self, self._follow)))
        until_gone(self, conversation.watch_text(self._feed))
        until_gone(self, conversation.chat.watch(while_alive(self, lambda _: self.view.refresh_actions())))
        self._load()

    def _restyle(self) -> None:
        self.view.set_style(TranscriptStyle.of(self._kit.theme))

    def show_entry(self, entry: str) -> bool:
        """Go to a message; tell whether it is here."""
        key = self._conversation.key_of(entry)
        if not key or key not in self._by_key:
            return False
        self.view.jump_to(key)
        return True

    def _scrolled(self, value: int) -> None:
        """Fetch what stands before while there is still something to scroll through."""
        if value < NEAR_TOP * self.view.height() and not self._conversation.complete.value:
            self._conversation.want_more()

    def put_away(self) -> None:
        """Let go of everything at once when the page shows something else."""
        self._pieces.clear()
        self._by_key.clear()
        self.view.load(())

    # -- following

    def _load(self) -> None:
        self._pieces = list(self._conversation.pieces)
        self._by_key = {piece.key: piece for piece in self._pieces}
        self._streaming = {piece.key for piece in self._pieces if isinstance(piece, Said) and piece.streaming}
        self.view.load(self._entries(self._pieces))

    def _follow(self, change: Change) -> None:
        pieces = self._conversation.pieces
        match change:
            case Inserted(0, count) if self._pieces:
                self._put_in_front(list(pieces[:count]))
            case Inserted(at, count) if at == len(self._pieces):
                for piece in pieces[at : at + count]:
                    self._append(piece)
            case Removed(at, count) if at + count == len(self._pieces):
                self._cut_off(at)
            case Replaced(at):
                self._replace(at, pieces[at])
            case _:
                self._load()
        self._stand_on_version()

    def _stand_on_version(self) -> None:
        """Who goes from version to version by keyboard stays at it: the strip went with the message."""
        if self._stepping is None or len(self._pieces) <= self._stepping[0]:
            return
        at, left, action = self._stepping
        if self._pieces[at].key != left:
            self._stepping = None
            if self.view.hasFocus():
                self.view.stand_on(self._pieces[at].key, action)

    def _put_in_front(self, pieces: list[Piece]) -> None:
        self._pieces[:0] = pieces
        self._by_key.update((piece.key, piece) for piece in pieces)
        self.view.prepend(self._entries(pieces))

    def _append(self, piece: Piece) -> None:
        self._pieces.append(piece)
        self._by_key[piece.key] = piece
        if isinstance(piece, Said) and piece.streaming:
            self._streaming.add(piece.key)
        before = self._pieces[-2] if len(self._pieces) > 1 else None
        self.view.append(self._entry(piece, before))

    def _cut_off(self, at: int) -> None:
        key = self._pieces[at].key
        for piece in self._pieces[at:]:
            del self._by_key[piece.key]
            self._streaming.discard(piece.key)
        del self._pieces[at:]
        self.view.remove_from(key)

    def _replace(self, at: int, piece: Piece) -> None:
        self._pieces[at] = self._by_key[piece.key] = piece
        if isinstance(piece, Said):
            self._replace_text(piece, self._pieces[at - 1] if at else None)
        elif not self._show_in_card(piece):
            self.view.replace(piece.key, self._entry(piece, self._pieces[at - 1] if at else None))

    def _replace_text(self, piece: Said, before: Piece | None) -> None:
        """Take the end of a text that streamed; only one that became another is laid out again."""
        if piece.key in self._streaming:
            if piece.streaming:
                return
            self._streaming.discard(piece.key)
            self.view.finish(piece.key)
        item = self.view.content.item(piece.key)
        entry = self._entry(piece, before)
        heads = (
            isinstance(item.entry, TextEntry) and isinstance(entry, TextEntry) and head_of(item.entry) == head_of(entry)
        )
        if not heads or self.view.text_of(piece.key) != piece.text:
            self.view.replace(piece.key, entry)

    def _show_in_card(self, piece: Piece) -> bool:
        """Change a card that is in sight in place; one that is over is made anew, unless the keyboard is in it."""
        part = self.view.content.item(piece.key).parts[0]
        card = self.view.cards.alive(part) if isinstance(part, CardPart) else None
        held = card is not None and holds_focus(card)
        match card, piece:
            case (CallCard(), CallMade(state=state)) if not state.over or held:
                card.show_piece(piece)
            case (PlanCard(), PlanProposed()):
                card.show_piece(piece)
            case _:
                return False
        focus = QApplication.focusWidget()
        if held and not (holds_focus(card) and focus is not None and focus.isVisible()):
            self._acts.answered()  # somewhere else: what had the keyboard is gone, or hidden and keeps it all the same
        return True

    def _feed(self, key: str, text: str) -> None:
        if key in self._streaming:
            self.view.feed(key, text)

    # -- entries

    def _entries(self, pieces: Sequence[Piece]) -> list[Entry]:
        return [self._entry(piece, before) for piece, before in zip(pieces, (None, *pieces), strict=False)]

    def _entry(self, piece: Piece, before: Piece | None) -> Entry:
        """Make an entry; what belongs to the piece before it stands close to that."""
        close = stands_close(piece, before)
        if isinstance(piece, Said):
            return self._text(piece, close=close)
        key = piece.key
        return CardEntry(
            key, lambda parent: self._card(key, parent), height=GUESSES[type(piece)], name=self._name_of(piece),
            text=text_of(piece), close=close,
        )  # fmt: skip

    def _text(self, piece: Said, *, close: bool) -> TextEntry:
        text = self._conversation.text_of(piece) if piece.streaming else piece.text
        if not piece.leads:
            return TextEntry(piece.key, ROLES[piece.who], text, streaming=piece.streaming, close=close)
        when = self._moments.write(piece.at) if piece.at else ""
        if len(piece.siblings) > 1 and piece.among in piece.siblings:
            when = f"{when}  {piece.siblings.index(piece.among) + 1}/{len(piece.siblings)}".strip()
        who, badge = self._who[piece.who], self._badge(piece.model)
        return TextEntry(piece.key, ROLES[piece.who], text, who, badge, when, streaming=piece.streaming)

    def _badge(self, model: str) -> str:
        """Return the model's name and where it runs; made once for each model."""
        if model and model not in self._badges:
            place = place_name(self._kit, self._desk.models.runs_at(model))
            self._badges[model] = f"{model_name(model)} · {place}"
        return self._badges.get(model, "")

    def _name_of(self, piece: Piece) -> str:
        match piece:
            case CallMade(name=name, state=state):
                return f"{name}: {self._kit.text(f'window.chat.call_{state.value}')}"
            case PlanProposed():
                return self._kit.text("window.chat.plan")
            case Asked(approval=approval):
                return f"{approval.question.title}: {self._kit.text('window.chat.call_asks')}"
            case Attached():
                return self._kit.text("window.chat.attachments")
            case SummedUp():
                return self._kit.text("window.chat.summed_up")
            case WentBack():
                return went_back_text(self._kit, piece)
            case _:
                return self._kit.text("window.chat.ended")

    def _card(self, key: str, parent: QWidget) -> QWidget:
        """Make the card of a piece as it is now; the transcript asks again when it comes back into view."""
        return self._make_card(self._by_key[key], parent)

    def _make_card(self, piece: Piece, parent: QWidget) -> QWidget:
        kit, opened = self._kit, piece.key in self._open
        match piece:
            case CallMade():
                return CallCard(kit, piece, self._call_acts, open=opened, parent=parent)
            case PlanProposed():
                return PlanCard(kit, piece, self._answers, self._acts.open_link, parent)
            case Asked(approval=approval):
                return QuestionCard(kit, approval, self._answers, parent)
            case Attached():
                return AttachedCard(kit, piece, self._acts.show_file, parent)
            case SummedUp():
                return SummaryCard(kit, piece, self._unfolded, open=opened, parent=parent)
            case WentBack():
                return WentBackLine(kit, piece, parent)
            case Ended():
                return self._end_card(piece, parent)
            case Said():
                raise TypeError("a text is not a card")

    def _end_card(self, piece: Ended, parent: QWidget) -> EndCard:
        chat = self._conversation.chat.value
        model = piece.model or (chat.model if chat else "")
        badge = self._badge(piece.model) if piece.alone else ""
        return EndCard(self._kit, piece, model, self._acts.ends, parent, go=self._goer(piece), badge=badge)

    def _load_picture(self, _: str, address: str) -> None:
        """Get a picture that the user asked for; one that cannot be had or shown says so in its place."""
        chat = self._conversation.chat.value
        if chat is None:
            return

        def show(content: bytes) -> None:
            image = decoded(content)
            self.view.show_image(address, None if image.isNull() else image)

        self._kit.runner.run(
            self, "picture", self._desk.pictures.load(chat, address), done=show,
            failed=lambda _: self.view.show_image(address, None),
        )  # fmt: skip

    # -- what can be done with a message

    def _actions(self, key: str, parent: QWidget) -> QWidget | None:
        piece = self._by_key.get(key)
        if not isinstance(piece, Said) or piece.who is Who.REASONING or not piece.entry:
            return None
        return MessageActions(self._kit, piece, self._message_acts(piece), idle=not self._conversation.answering,
                              parent=parent)  # fmt: skip

    def _message_acts(self, piece: Said) -> MessageActs:
        entry, source, retry, edit = piece.entry, self._conversation.source_of, self._acts.retry, self._acts.edit
        return MessageActs(
            copy=lambda: QGuiApplication.clipboard().setText(source(entry)),
            edit=(lambda: edit(entry, source(entry))) if edit is not None else None,
            retry=(lambda: retry(entry)) if retry is not None else None,
            go=self._goer(piece),
        )

    def _goer(self, piece: Said | Ended) -> Callable[[int], None]:
        """Return what goes to another alternative of the answer or message."""

        def go(step: int) -> None:
            if holds_focus(self.view.viewport()):
                name = self._kit.text(f"window.chat.branch_{'next' if step > 0 else 'previous'}")
                self._stepping = self._pieces.index(piece), piece.key, name
                self.view.setFocus(Qt.FocusReason.TabFocusReason)
            self._kit.runner.run(self, "other branch", self._conversation.show_sibling(piece.among, step))

        return go

    def _unfolded(self, key: str, open: bool) -> None:
        (self._open.add if open else self._open.discard)(key)

    def _stop_call(self, call: str) -> None:
        self._kit.runner.run(self, "stop a call", self._conversation.stop_call(call))

    def _approve(self, approval: str, note: str) -> None:
        self._acts.answered()
        self._kit.runner.run(self, "approve", self._desk.questions.approve(approval, note))

    def _reject(self, approval: str, reason: str) -> None:
        self._acts.answered()
        self._kit.runner.run(self, "reject", self._desk.questions.reject(approval, reason))

    def _change(self, approval: str, wish: str) -> None:
        self._acts.answered()
        self._kit.runner.run(self, "ask for changes", self._desk.questions.ask_for_changes(approval, wish))
