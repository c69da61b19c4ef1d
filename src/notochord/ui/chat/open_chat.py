"""An open conversation: header, transcript, what it tells, composer, and the panel beside."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from notochord.ui.chat.activity_line import ActivityLine
from notochord.ui.chat.attachments_row import QueueView
from notochord.ui.chat.composer_view import ComposerActs, ComposerView
from notochord.ui.chat.dialogs import ask_for_export, ask_to_delete
from notochord.ui.chat.drop_target import DropTarget
from notochord.ui.chat.experts_panel import ExpertActs, ExpertsPanel
from notochord.ui.chat.files_panel import FilesPanel
from notochord.ui.chat.header import ChatHeader, HeaderActs
from notochord.ui.chat.model_picker import ModelPicker
from notochord.ui.chat.notices_row import NoticesRow
from notochord.ui.chat.plan_switch import PlanSwitch
from notochord.ui.chat.transcript_pane import PaneActs, TranscriptPane
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.brought import gem_name
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.find_bar import FindBar
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.failures import Remedy
from notochord.viewmodels.chat.page import ChatPageModel, OpenChat
from notochord.viewmodels.chat.values import Chat, ExportForm, ExportWords
from notochord.viewmodels.shell.navigation import Page

PANEL_WIDTH = 340
NARROWEST = 380


class OpenChatView(DropTarget):
    """`open_link` is given addresses of links in messages."""

    def __init__(
        self, kit: Kit, page: ChatPageModel, shown: OpenChat, open_link: Callable[[str], None],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit, self._page, self._shown = kit, page, shown
        self._conversation, self._desk, self._open_link = shown.conversation, page.desk, open_link
        self.panel: ExpertsPanel | FilesPanel | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        acts = HeaderActs(self._find, self.toggle_files, self._export, self._delete, self._pin)
        self.header = ChatHeader(kit, self._conversation, acts)
        column.addWidget(self.header)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setChildrenCollapsible(False)
        column.addWidget(self._split, 1)
        main = QWidget()
        main.setMinimumWidth(NARROWEST)
        self._split.addWidget(main)
        self._fill(main)
        bind(self, self._conversation.chat, self._show_chat)
        bind(self, shown.writing.outbox.busy, lambda _: self._show_busy())
        bind(self, shown.writing.outbox.held, lambda _: self._show_busy())
        bind(self, page.wanted_entry, self._show_wanted)
        bind(self, self._conversation.complete, lambda _: self._show_wanted(page.wanted_entry.value))
        for keys, act in ((QKeySequence.StandardKey.Find, self._find), ("Ctrl+Shift+E", self.toggle_experts)):
            QShortcut(QKeySequence(keys), self, act, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._name_gem()
        self.lead_to(self.composer)

    def toggle_experts(self) -> None:
        """Show "Experts and tools", or put it away."""
        if isinstance(self.panel, ExpertsPanel):
            self._close_panel()
        else:
            acts = ExpertActs(self._close_panel, self._open_link, self._open_file_of)
            panel = ExpertsPanel(self._kit, self._desk.experts(self._conversation.id), self._desk, acts)
            self._open_panel(panel)
            self._kit.runner.run(panel, "experts", panel.model.start())

    def toggle_files(self) -> None:
        """Show the conversation's files, or put them away."""
        if isinstance(self.panel, FilesPanel):
            self._close_panel()
        else:
            self._open_files("")

    def _fill(self, main: QWidget) -> None:
        kit, space = self._kit, self._kit.theme.space
        column = QVBoxLayout(main)
        column.setContentsMargins(0, 0, 0, space.m)
        column.setSpacing(space.s)
        ends = {
            Remedy.RETRY: lambda: self._back_to_writing(self._page.retry),
            Remedy.CONTINUE: lambda: self._back_to_writing(lambda: self._page.go_on(kit.text("window.chat.go_on"))),
            Remedy.CHANGE_MODEL: lambda: self.model.click(),
            Remedy.MEND_KEY: lambda: self._page.navigation.go(Page.SETTINGS, "providers"),
            Remedy.OPEN_NETWORK: lambda: self._page.navigation.go(Page.SETTINGS, "network"),
            Remedy.OPEN_LIMITS: lambda: self._page.navigation.go(Page.SETTINGS, "system"),
            Remedy.NEW_CHAT: lambda: self._page.navigation.go(Page.CHAT),
        }
        writing = self._shown.writing
        acts = PaneActs(
            retry=lambda entry: self._back_to_writing(lambda: self._page.retry_entry(entry)),
            edit=writing.composer.begin_edit,
            answered=self._write,
            show_file=self._open_files,
            open_link=self._open_link,
            ends=ends,
            open_gem=lambda gem: self._page.navigation.go(Page.GEM, gem),
        )
        self.pane = TranscriptPane(kit, self._conversation, self._desk, acts)
        self.find_bar = FindBar(kit, self.pane.view, self._read, kit.text("window.chat.find"))
        column.addWidget(self.find_bar)
        column.addWidget(self.pane, 1)
        self.activity = ActivityLine(kit, self._conversation, self._desk.clock, main)
        self.notices = NoticesRow(kit, self._conversation, self._desk.show_folder, self._write, main)
        self.queue = QueueView(kit, writing, self._write, main)
        self.composer = self._make_composer(main)
        for above in (self.notices, self.activity, self.queue):
            self.composer.share_width(above)
        for widget in (self.notices, self.activity, self.queue, self.composer):
            row = QHBoxLayout()
            row.setContentsMargins(space.xl, 0, space.xl, 0)
            row.addStretch(1)
            row.addWidget(widget, 1000)
            row.addStretch(1)
            column.addLayout(row)

    def _make_composer(self, main: QWidget) -> ComposerView:
        kit, writing = self._kit, self._shown.writing
        self.plan = PlanSwitch(kit, self._set_plan)
        self.model = ModelPicker(kit, kit.text("window.chat.model"), self._desk.models, self._set_model)
        name = kit.text("window.chat.experts_and_tools")
        self.experts = Button(kit, name, self.toggle_experts, icon_name="agent", gives_way=True)
        acts = ComposerActs(self._stop, self._recall)
        return ComposerView(
            kit, writing.composer, self._desk.send_with_control, acts, main, extras=(self.plan, self.model),
            sides=(self.experts,),
        )  # fmt: skip

    # -- showing

    def _show_chat(self, chat: Chat | None) -> None:
        if chat is not None:
            self.plan.show_on(chat.plan_mode)
            self.plan.setVisible("/" not in chat.role)
            self.experts.setVisible("/" not in chat.role)
            self.model.show_model(chat.model)
        self._show_busy()

    def _name_gem(self) -> None:
        chat = self._conversation.chat.value
        gem, slash, _ = chat.role.partition("/") if chat is not None else ("", "", "")
        if slash:

            def name(found: tuple[str, bool]) -> None:
                called, official = found
                self.header.name_gem(gem_name(self._kit, gem, called, official=official))

            self._kit.runner.run(self, "name a gem", self._page.gem_name(gem), done=name)

    def _show_busy(self) -> None:
        outbox = self._shown.writing.outbox
        self.composer.show_busy(self._conversation.answering or outbox.busy.value, held=outbox.held.value)

    def _show_wanted(self, entry: str) -> None:
        """Go to a message that was searched for, as soon as it is here."""
        if entry and self.pane.show_entry(entry):
            self._page.wanted_entry.set("")
        elif entry:
            self._conversation.want_all()

    # -- the panel

    def _open_files(self, path: str) -> None:
        chat = self._conversation.chat.value
        if chat is None:
            return
        panel = self.panel
        if not isinstance(panel, FilesPanel):
            model = self._desk.files_of(chat)
            panel = FilesPanel(self._kit, model, self._close_panel)
            self._open_panel(panel)
            self._kit.runner.run(panel, "files", model.start())
        if path:
            self._kit.runner.run(panel, "show a file", panel.model.show(path))

    def _open_file_of(self, folder: Path, path: str) -> None:
        """Show a file of a sub-agent, whose folder is the conversation's or lies in it."""
        chat = self._conversation.chat.value
        if chat is not None and (folder / path).is_relative_to(chat.folder):
            self._open_files((folder / path).relative_to(chat.folder).as_posix())
        else:
            self._desk.show_folder(folder)

    def _open_panel(self, panel: ExpertsPanel | FilesPanel) -> None:
        self._close_panel()
        self.panel = panel
        self._split.addWidget(panel)
        self._split.setStretchFactor(0, 1)
        self._split.setStretchFactor(1, 0)
        self._split.setSizes([max(NARROWEST, self.width() - PANEL_WIDTH), PANEL_WIDTH])
        panel.setFocus()

    def _close_panel(self) -> None:
        panel, self.panel = self.panel, None
        if panel is not None:
            self._kit.runner.run(self, "close a panel", panel.model.close())
            panel.hide()
            panel.setParent(None)  # else the splitter gives the next one its place
            panel.deleteLater()
            self.composer.setFocus()

    # -- commands

    def _find(self) -> None:
        self._conversation.want_all()
        self.find_bar.begin()

    def _write(self) -> None:
        self.composer.setFocus()

    def _read(self) -> None:
        self.pane.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _back_to_writing(self, act: Callable[[], None]) -> None:
        """Do what a button asks that goes away with it; the keyboard goes on where messages are written."""
        self._write()
        act()

    def _stop(self) -> None:
        self.composer.setFocus()
        self._kit.runner.run(self, "stop", self._shown.writing.outbox.stop())

    def _recall(self) -> None:
        """Change the last message that the user wrote."""
        entry = self._conversation.last_question()
        if entry and not self._conversation.answering:
            self._shown.writing.composer.begin_edit(entry, self._conversation.source_of(entry))

    def _set_plan(self, on: bool) -> None:
        self._kit.runner.run(self, "plan mode", self._conversation.set_plan_mode(on))

    def _set_model(self, model: str) -> None:
        self._kit.runner.run(self, "model", self._conversation.set_model(model))

    def _pin(self, pinned: bool) -> None:
        self._kit.runner.run(self, "pin", self._desk.list.pin(self._conversation.id, pinned))

    def _export(self, form: ExportForm) -> None:
        chat = self._conversation.chat.value
        if chat is None:
            return

        def export(target: Path) -> None:
            self._kit.runner.run(
                self, "export", self._conversation.export(target, form, ExportWords.of(self._kit.text))
            )

        ask_for_export(self._kit, self, chat, form, export)

    def _delete(self) -> None:
        chat = self._conversation.chat.value
        if chat is not None:
            ask_to_delete(self._kit, self, chat, self._delete_now)

    def _delete_now(self) -> None:
        self._kit.runner.run(self, "delete", self._desk.list.delete(self._conversation.id))
