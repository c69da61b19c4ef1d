"""The page of a gem from top to bottom, in the order of GEMUI-015."""

from collections.abc import Coroutine
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget

from notochord.core.codes import Code
from notochord.ui.gem.abilities import AbilitiesChapter
from notochord.ui.gem.accounts_group import AccountsGroup
from notochord.ui.gem.folder_group import FolderGroup
from notochord.ui.gem.head import Head
from notochord.ui.gem.models_group import ModelsGroup
from notochord.ui.gem.parts import Chapter, Group
from notochord.ui.gem.problems import ProblemsChapter
from notochord.ui.gem.rights_groups import KnowledgeGroup, MailboxesGroup
from notochord.ui.gem.setup import SetupChapter
from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.controls.notice_bar import NoticeBar
from notochord.ui.kit.controls.scroll_page import ScrollPage
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.tab_order import put_in_order
from notochord.viewmodels.gem.model import GemModel
from notochord.viewmodels.gem.needs import Need, NeedKind
from notochord.viewmodels.gem.shown import GemShown


class MainView(ScrollPage):
    """Sections that a gem does not ask for are not there; run records come with the runs of SOPs."""

    def __init__(self, kit: Kit, model: GemModel, parent: QWidget | None = None) -> None:
        super().__init__(kit, kit.text("window.gem.page_name"), parent)
        self._kit, self._model = kit, model
        self.column.setSpacing(kit.theme.space.xl)
        self.head = Head(kit, model, self)
        self.stopped = NoticeBar(
            kit, "", "error", self, action=kit.text("window.gem.verify_again"),
            on_action=lambda: self._run("look at a gem's files", model.verify()),
        )  # fmt: skip
        self.repair = NoticeBar(
            kit, kit.text("window.gem.download_again.why"), "info", self,
            action=kit.text("window.gem.download_again"),
            on_action=lambda: self._run("download a gem again", model.download_again()),
        )  # fmt: skip
        self.update_bar = NoticeBar(
            kit, "", "info", self, action=kit.text("window.gem.update_now"),
            on_action=lambda: self._run("update a gem", model.update_now()),
        )  # fmt: skip
        self.verified = NoticeBar(
            kit, kit.text("window.gem.verified"), "success", self, on_close=lambda: model.verified.set(False)
        )
        self.setup = SetupChapter(kit, model, self.lead_to, self)
        self.settings = Chapter(kit, kit.text("window.gem.settings"), self)
        self.models, self.accounts = ModelsGroup(kit, model, self), AccountsGroup(kit, model, self)
        self.mailboxes, self.knowledge = MailboxesGroup(kit, model, self), KnowledgeGroup(kit, model, self)
        self._groups: dict[NeedKind, Group] = {
            NeedKind.MODEL: self.models,
            NeedKind.ACCOUNT: self.accounts,
            NeedKind.MAILBOX: self.mailboxes,
            NeedKind.KNOWLEDGE: self.knowledge,
        }
        self.folder = FolderGroup(kit, model, self)
        self._settings: tuple[Group, ...] = (*self._groups.values(), self.folder)
        for group in self._settings:
            self.settings.column.addWidget(group)
        self.abilities, self.problems = AbilitiesChapter(kit, model, self), ProblemsChapter(kit, model, self)
        for part in (
            self.head, self.stopped, self.repair, self.update_bar, self.verified, self.setup, self.settings,
            self.abilities, self.problems,
        ):  # fmt: skip
            self.column.addWidget(part)
        self.column.addStretch(1)
        bind(self, model.shown, self._show)
        bind(self, model.can_repair, lambda _: self._show(model.shown.value))
        bind(self, model.update, self._show_update)
        bind(self, model.verified, self.verified.setVisible)
        bind_list(self, model.assistants.rows, self._fit)
        bind_list(self, model.accounts.rows, self._fit)
        bind(self, model.assistants.own_calls, lambda _: self._fit())
        bind_list(self, model.needs, self._fit)
        bind(self, model.mailboxes, lambda _: self._fit())
        bind(self, model.folder_lost, lambda _: self._fit())

    def lead_to(self, need: Need) -> None:
        """Bring the place where a need is met into sight, with the keyboard in its first control."""
        group = self._groups[need.kind]
        self.ensureWidgetVisible(group)
        for inner in group.findChildren(QWidget):
            if inner.focusPolicy() & Qt.FocusPolicy.TabFocus and inner.isVisibleTo(self) and inner.isEnabled():
                inner.setFocus(Qt.FocusReason.TabFocusReason)
                QTimer.singleShot(0, inner, partial(self.ensureWidgetVisible, inner))
                return

    def _show(self, found: GemShown | None) -> None:
        changed = found is not None and found.problem == Code.FILES_CHANGED
        self.stopped.setVisible(found is not None and bool(found.problem))
        self.repair.setVisible(changed and self._model.can_repair.value)
        if found is not None and changed:
            self.stopped.tell(self._kit.text("window.gem.files_changed", path=found.changed_file or "…"))
        elif found is not None and found.problem:
            self.stopped.tell(self._kit.text(found.problem))
        self._fit()

    def _show_update(self, version: str) -> None:
        self.update_bar.setVisible(bool(version))
        more = self._kit.text("window.gem.update.more") if self._model.update_asks_more.value else ""
        said = self._kit.text("window.gem.update", version=version)
        self.update_bar.tell(f"{said} {more}".strip())

    def _fit(self) -> None:
        """Take the heading of the settings away from a gem that has nothing to set; parts above are filled by now."""
        self.settings.setVisible(any(not group.isHidden() for group in self._settings))
        put_in_order(self.column)

    def _run(self, name: str, command: Coroutine[Any, Any, None]) -> None:
        self._kit.runner.run(self, name, command)
