"""Pictures of the chat page in its states."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.ui.chat.chat_list import ChatListView
from notochord.ui.chat.experts_panel import ExpertActs, ExpertsPanel
from notochord.ui.chat.files_panel import FilesPanel
from notochord.ui.chat.open_chat import OpenChatView
from notochord.ui.chat.page import ChatPage
from notochord.ui.gallery.scene import Scene
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.beginning import quoted as quotation
from notochord.viewmodels.chat.live import Activity, Doing
from notochord.viewmodels.chat.notices import FilesAreAsTheyWere, ModelWasReplaced
from notochord.viewmodels.chat.page import ChatPageModel
from notochord.viewmodels.chat.pieces import Piece
from notochord.viewmodels.chat.values import ChatState
from notochord.viewmodels.samples import chat as samples
from notochord.viewmodels.shell.navigation import Navigation, Page, Place

Pieces = Callable[[str], list[Piece]]


def _nowhere(_: str) -> None:
    """Links of a picture lead nowhere."""


def _page(kit: Kit, model: ChatPageModel) -> ChatPage:
    page = ChatPage(kit, model, _nowhere)
    page.setAutoFillBackground(True)
    return page


def _new(kit: Kit) -> QWidget:
    model = samples.new_page()
    model.examples.set(("window.chat.example_gem", "window.chat.example_write", "window.chat.example_files"))
    return _page(kit, model)


def _conversation(kit: Kit, pieces: Pieces) -> QWidget:
    return _page(kit, samples.page(kit.sentences.language, pieces(kit.sentences.language)))


def _streaming(kit: Kit) -> QWidget:
    language = kit.sentences.language
    model = samples.page(language, samples.begun(language), state=ChatState.ANSWERING, activity=Activity(Doing.WRITING))
    samples.writing(model, language)
    return _page(kit, model)


def _waiting(kit: Kit, pieces: Pieces) -> QWidget:
    language = kit.sentences.language
    return _page(kit, samples.page(language, pieces(language), state=ChatState.WAITING, plan_mode=True))


def _offline(kit: Kit) -> QWidget:
    model = samples.page(kit.sentences.language, samples.offline(kit.sentences.language), state=ChatState.FAILED)
    samples.waits(model, kit.sentences.language)
    return _page(kit, model)


def _with_files(kit: Kit) -> QWidget:
    language = kit.sentences.language
    model = samples.page(language, samples.with_files(language))
    samples.attach_many(model)
    return _page(kit, model)


def _notices(kit: Kit) -> QWidget:
    model = samples.page(kit.sentences.language, samples.branched(kit.sentences.language), own_folder=False)
    samples.shown(model).conversation.notices.extend(
        (FilesAreAsTheyWere(), ModelWasReplaced("Old/gpt-4", samples.MODEL))
    )
    return _page(kit, model)


def _dragged_over(kit: Kit) -> QWidget:
    page = _conversation(kit, samples.long_answer)
    assert isinstance(page, ChatPage)
    assert isinstance(page.content, OpenChatView)
    page.content.composer.await_drop(True)
    return page


def _with_agent(kit: Kit) -> QWidget:
    model = samples.page(kit.sentences.language, [], role=f"{samples.ISSUES}/triage", title="")
    quoted = "#4711 Umlauts in file names are lost\nOpened by ada, three days ago"
    samples.shown(model).writing.composer.text.set(f"{quotation(quoted)}\n\n")
    page = _page(kit, model)
    assert isinstance(page.content, OpenChatView)
    page.content.header.name_gem("GitHub issues")
    return page


def _opening(kit: Kit) -> QWidget:
    page = _page(kit, samples.new_page())
    page.show_slow()
    return page


def _trouble(kit: Kit) -> QWidget:
    model = samples.new_page()
    model.problem.set(NotochordError(Code.CHAT_UNKNOWN, Fault.USER, "", chat="sample"))
    return _page(kit, model)


def _beside(kit: Kit, panel: QWidget) -> QWidget:
    """Put a panel where it stands: at the right of a conversation."""
    holder = QWidget()
    holder.setAutoFillBackground(True)
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    row.addWidget(_conversation(kit, samples.long_answer), 1)
    panel.setFixedWidth(340)
    row.addWidget(panel)
    return holder


def _experts(kit: Kit, column: str) -> QWidget:
    acts = ExpertActs(lambda: None, lambda _: None, lambda *_: None)
    panel = ExpertsPanel(kit, samples.experts(kit.sentences.language), samples.desk(), acts)
    panel.columns.choose(column)
    panel.show_column(column)
    return _beside(kit, panel)


def _files(kit: Kit, shows: str) -> QWidget:
    return _beside(kit, FilesPanel(kit, samples.files(kit.sentences.language, shows=shows), lambda: None))


def _list(kit: Kit) -> QWidget:
    view = ChatListView(kit, samples.chat_list(kit.sentences.language), Navigation(Place(Page.CHAT, "c2")))
    view.setAutoFillBackground(True)
    view.setContentsMargins(0, 8, 0, 8)
    view.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, False)
    return view


SCENES = (
    Scene("chat-new", _new),
    Scene("chat-answer", partial(_conversation, pieces=samples.long_answer), height=960),
    Scene("chat-streaming", _streaming),
    Scene("chat-calls", partial(_conversation, pieces=samples.calls)),
    Scene("chat-approval", partial(_waiting, pieces=samples.approvals)),
    Scene("chat-plan", partial(_waiting, pieces=samples.plan)),
    Scene("chat-plan-approved", partial(_conversation, pieces=partial(samples.plan, waits=False)), height=560),
    Scene("chat-failures", partial(_conversation, pieces=samples.failures)),
    Scene("chat-ended-early", partial(_conversation, pieces=samples.ended_early)),
    Scene("chat-offline", _offline, height=560),
    Scene("chat-dragged-over", _dragged_over, height=560),
    Scene("chat-attachments", _with_files, width=760, height=480),
    Scene("chat-branches", _notices),
    Scene("chat-with-agent", _with_agent, height=560),
    Scene("chat-experts", partial(_experts, column="experts"), width=1240),
    Scene("chat-tools", partial(_experts, column="tools"), width=1240),
    Scene("chat-files", partial(_files, shows=""), width=1240),
    Scene("chat-file-table", partial(_files, shows="table"), width=1240),
    Scene("chat-file-version", partial(_files, shows="markdown"), width=1240),
    Scene("chat-opening", _opening, height=480),
    Scene("chat-trouble", _trouble, height=480),
    Scene("chat-list", _list, width=280, height=420),
)
