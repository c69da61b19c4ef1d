"""One gem of the store: who made it, what it can do, and its introduction, before it is installed."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from notochord.ui.chat.wording import file_size
from notochord.ui.gem.abilities import AbilitiesChapter
from notochord.ui.gem.introduction_view import DocumentsView
from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.breakable import breakable
from notochord.ui.kit.controls.badges import Badge, LetterIcon
from notochord.ui.kit.controls.buttons import Button, IconButton
from notochord.ui.kit.controls.choices import Segmented
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.controls.middle import Middle
from notochord.ui.kit.controls.notice_bar import NoticeBar
from notochord.ui.kit.controls.scroll_page import ScrollPage
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.tab_order import put_in_order
from notochord.ui.settings.parts import Choice
from notochord.ui.store.actions import OTHER, Actions
from notochord.viewmodels.gem.values import DocumentKind
from notochord.viewmodels.store.model import StoreModel
from notochord.viewmodels.store.rows import StoreRow

ICON = 48
CAN = "can"
"""The tab before those of the introduction."""


class StoreGemView(QWidget):
    """Everything that one has to know before one installs it, since nobody asks again (GEMUI-006 to GEMUI-008)."""

    def __init__(
        self, kit: Kit, model: StoreModel, open_link: Callable[[str], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._kit, self._model = kit, model
        self._tab = CAN
        space, text = kit.theme.space, kit.text
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, space.xl, 0, space.s)
        column.setSpacing(space.m)
        above = QVBoxLayout()
        above.setContentsMargins(0, 0, 0, 0)
        above.setSpacing(space.m)
        self.actions_row = Actions(kit, model, primary=True)
        above.addLayout(self._head())
        self._description = Label(kit, "", selectable=True)
        self._description.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        above.addWidget(self._description)
        self.failure = NoticeBar(
            kit, "", "error", action=text("window.store.retry"), on_action=lambda: model.install(model.gem.value)
        )
        self.other = NoticeBar(kit, text("window.store.other"), "warning")
        self.more = NoticeBar(kit, text("window.store.asks_more"), "info")
        for notice in (self.failure, self.more, self.other):
            above.addWidget(notice)
        self.documents = DocumentsView(kit, model.introduction, open_link, self._again)
        above.addLayout(self._bar())
        column.addWidget(Middle(kit, above))
        self._can = ScrollPage(kit, text("window.store.can"))
        self._can.column.addWidget(AbilitiesChapter(kit, model))
        self._can.column.addStretch(1)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._can)
        self._stack.addWidget(self.documents)
        column.addWidget(self._stack, 1)
        column.addWidget(Middle(kit, self._foot()))
        bind(self, model.row, self._show)
        bind(self, model.work, lambda _: self._show_work())
        bind(self, model.failures, lambda _: self._show_work())
        bind(self, model.gem, lambda _: self.show_tab(CAN))
        bind_list(self, model.introduction.tabs, self._show_tabs)
        bind_list(self, model.introduction.chapters, self._offer_prompts)

    def show_tab(self, tab: str) -> None:
        """Show what the gem can do, or a part of its introduction."""
        if tab != CAN:
            command = self._model.introduction.choose_tab(DocumentKind(tab))
            self._kit.runner.run(self, "read an introduction", command)
        self.bring_forward(tab)

    def bring_forward(self, tab: str) -> None:
        """Bring a tab to the front whose content is there already."""
        self._tab = tab
        self._show_tabs()
        self._offer_prompts()

    def _head(self) -> QHBoxLayout:
        kit, model, text = self._kit, self._model, self._kit.text
        row = QHBoxLayout()
        row.setSpacing(kit.theme.space.m)
        row.addWidget(IconButton(kit, "chevron-left", text("window.store.back"), model.go_to_list))
        self._icon = QVBoxLayout()
        row.addLayout(self._icon)
        words, facts = QVBoxLayout(), QHBoxLayout()
        words.setSpacing(2)
        facts.setSpacing(kit.theme.space.s)
        self._name = ElidedLabel(kit, "", size="title", bold=True)
        self._maker = ElidedLabel(kit, "", size="small", colour="text_soft")
        words.addWidget(self._name)
        facts.addWidget(self._maker)
        facts.addWidget(Badge(kit, text("window.store.official"), "success"))
        facts.addStretch(1)
        words.addLayout(facts)
        row.addLayout(words, 1)
        row.addWidget(self.actions_row, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _bar(self) -> QHBoxLayout:
        """The tabs, and the languages of the introduction."""
        row = QHBoxLayout()
        row.setSpacing(self._kit.theme.space.m)
        self._tabs = QHBoxLayout()
        row.addLayout(self._tabs)
        row.addStretch(1)
        row.addWidget(self.documents.languages)
        return row

    def _foot(self) -> QHBoxLayout:
        """The prompts that can be tried at once."""
        text = self._kit.text
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(self._kit.theme.space.s)
        self.prompts = Choice(text("window.store.prompt"))
        self.attempt = Button(self._kit, text("window.store.try"), self._say, icon_name="new-chat")
        row.addWidget(self.prompts, 1)
        row.addWidget(self.attempt)
        return row

    def _show(self, gem: StoreRow | None) -> None:
        if gem is None:
            return
        text = self._kit.text
        while (item := self._icon.takeAt(0)) is not None:
            if (before := item.widget()) is not None:
                before.hide()
                before.deleteLater()
        self._icon.addWidget(LetterIcon(self._kit, gem.name, gem.id, ICON))
        self._name.setText(gem.name)
        key = "window.store.made_by.size" if gem.size else "window.store.made_by"
        named = {"version": gem.version, "publisher": gem.publisher}
        said = text(key, **named, size=file_size(self._kit, gem.size)) if gem.size else text(key, **named)
        self._maker.setText(said)
        self._description.setText(breakable(gem.description))
        self.other.setVisible(gem.standing == OTHER)
        self.more.setVisible(gem.asks_more)
        self._show_work()

    def _show_work(self) -> None:
        if (gem := self._model.row.value) is None:
            return
        self.actions_row.show_row(gem)
        error = self._model.failures.value.get(gem.id)
        self.failure.setVisible(error is not None)
        if error is not None:
            self.failure.tell(self._kit.failure(error))

    def _show_tabs(self) -> None:
        while (item := self._tabs.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        text, there = self._kit.text, [tab.value for tab in self._model.introduction.tabs]
        if self._tab not in (CAN, *there):
            self._tab = CAN
        if there:
            options = [(CAN, text("window.store.can")), *((tab, text(f"window.gem.tab.{tab}")) for tab in there)]
            self._tabs.addWidget(
                Segmented(self._kit, text("window.store.tabs"), options, self._tab, self.show_tab)
            )  # fmt: skip
        self._stack.setCurrentWidget(self._can if self._tab == CAN else self.documents)
        many = len(self._model.introduction.languages) > 1
        self.documents.languages.setVisible(many and self._tab != CAN)
        put_in_order(self._column)

    def _offer_prompts(self) -> None:
        shown = self._tab == DocumentKind.PROMPT and self._model.can_say and len(self._model.introduction.chapters) > 0
        self.prompts.forget()
        for chapter in self._model.introduction.chapters if shown else ():
            self.prompts.offer_value(chapter.name, chapter.name)
        self.prompts.setVisible(shown)
        self.attempt.setVisible(shown)

    def _say(self) -> None:
        if isinstance(prompt := self.prompts.value, str):
            self._kit.runner.run(self, "try a prompt", self._model.say(prompt))

    def _again(self) -> None:
        self._kit.runner.run(self, "read the store", self._model.load())
