"""A new conversation: examples, the composer, its model and its folder."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.chat.attachments_row import empty
from notochord.ui.chat.composer_view import ComposerActs, ComposerView
from notochord.ui.chat.dialogs import ask_for_folder
from notochord.ui.chat.drop_target import DropTarget
from notochord.ui.chat.model_picker import ModelPicker
from notochord.ui.chat.plan_switch import PlanSwitch
from notochord.ui.chat.wording import place_name
from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.controls.buttons import Button, IconButton
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label, remark
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.page import ChatPageModel


class NewChatView(DropTarget):
    """Everything that is settled when a conversation begins."""

    def __init__(self, kit: Kit, page: ChatPageModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._page, self._model = kit, page, page.new
        space, text = kit.theme.space, kit.text
        column = QVBoxLayout(self)
        column.setContentsMargins(space.xl, space.xl, space.xl, space.xl)
        column.setSpacing(space.m)
        column.addStretch(2)
        heading = Label(kit, text("window.chat.new_heading"), size="display", bold=True)
        heading.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(heading)
        self.where = remark(kit, "")
        self.where.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.where)
        column.addSpacing(space.s)
        self.composer = self._make_composer()
        self._centred(column, self.composer)
        self._centred(column, self._folder_row())
        self._examples = QHBoxLayout()
        self._examples.setSpacing(space.s)
        holder = QWidget()
        holder.setLayout(self._examples)
        self._centred(column, holder)
        column.addStretch(3)
        bind(self, page.examples, self._show_examples)
        bind(self, self._model.model, lambda _: self._show_model())
        bind(self, page.desk.models.default, lambda _: self._show_model())
        bind_list(self, page.desk.models.options, self._show_model)
        bind(self, self._model.folder, self._show_folder)
        bind(self, self._model.plan_mode, self.plan.show_on)
        bind(self, self._model.beginning, lambda on: self.composer.setEnabled(not on))
        self.lead_to(self.composer)

    def choose_folder(self) -> None:
        """Let the user choose the folder that the conversation is about (CHAT-009)."""
        ask_for_folder(self._kit, self, self._folder_chosen)

    def _make_composer(self) -> ComposerView:
        kit, desk = self._kit, self._page.desk
        self.plan = PlanSwitch(kit, self._model.plan_mode.set)
        name = kit.text("window.chat.model")
        self.model = ModelPicker(kit, name, desk.models, self._model.model.set, usual=True)
        return ComposerView(
            kit, self._model.composer, desk.send_with_control, ComposerActs(), extras=(self.plan, self.model)
        )

    def _folder_row(self) -> QWidget:
        holder, kit = QWidget(), self._kit
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(kit.theme.space.xs)
        self.folder = Button(kit, kit.text("window.chat.folder_chat"), self.choose_folder, icon_name="folder-chat")
        self.folder_path = ElidedLabel(kit, "", colour="text_soft", middle=True)
        self.forget = IconButton(kit, "close", kit.text("window.chat.folder_forget"), self._model.forget_folder)
        row.addStretch(1)
        row.addWidget(self.folder)
        row.addWidget(self.folder_path)
        row.addWidget(self.forget)
        row.addStretch(1)
        return holder

    def _centred(self, column: QVBoxLayout, widget: QWidget) -> None:
        if widget is not self.composer:
            self.composer.share_width(widget)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(widget, 1000)
        row.addStretch(1)
        column.addLayout(row)

    def _show_examples(self, keys: tuple[str, ...]) -> None:
        empty(self._examples)
        self._examples.setContentsMargins(0, 0, 0, 0)
        self._examples.addStretch(1)
        for key in keys[:3]:
            button = Button(self._kit, self._kit.text(key), partial(self._suggest, key))
            self._examples.addWidget(button)
        self._examples.addStretch(1)

    def _suggest(self, key: str) -> None:
        self._model.suggest(self._kit.text(f"{key}.prompt"))
        self.composer.setFocus()

    def _show_model(self) -> None:
        desk = self._page.desk
        chosen = self._model.model.value
        option = next((option for option in desk.models.options if option.value == chosen), None)
        model = option.model if option else desk.models.default.value
        self.model.show_model(model, option.role if option else "")
        if model:
            place = desk.models.runs_at(model)
            self.where.setText(self._kit.text(f"window.chat.goes_{place.value}", place=place_name(self._kit, place)))
        else:
            self.where.setText(self._kit.text("window.chat.no_model"))

    def _show_folder(self, folder: Path | None) -> None:
        self.folder_path.setText(str(folder or ""))
        self.folder_path.setVisible(folder is not None)
        self.forget.setVisible(folder is not None)

    def _folder_chosen(self, folder: Path) -> None:
        self._kit.runner.run(self, "choose a folder", self._model.choose_folder(folder))
