"""The line above a conversation: title, model, cost, and what can be done with the whole of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QHBoxLayout, QWidget

from notochord.ui.chat.dialogs import RenameDialog, title_of
from notochord.ui.chat.wording import tokens
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.buttons import IconButton
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.controls.menus import LINE, MenuEntry, MenuIconButton
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.conversation import Conversation
from notochord.viewmodels.chat.values import Chat, ExportForm


@dataclass(frozen=True, slots=True)
class HeaderActs:
    """What the header asks of the page."""

    find: Callable[[], None]
    files: Callable[[], None]
    export: Callable[[ExportForm], None]
    delete: Callable[[], None]
    pin: Callable[[bool], None]


class ChatHeader(QWidget):
    """Beside the title stands which agent of a gem one talks with, or which folder about."""

    def __init__(self, kit: Kit, conversation: Conversation, acts: HeaderActs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._conversation, self._acts = kit, conversation, acts
        self._gem_name = ""
        space, text = kit.theme.space, kit.text
        row = QHBoxLayout(self)
        row.setContentsMargins(space.xl, space.s, space.m, space.s)
        row.setSpacing(space.s)
        self.title = ElidedLabel(kit, "", size="large", bold=True)
        row.addWidget(self.title)
        self.rename = IconButton(kit, "edit", text("window.chat.rename"), self._rename, size=15)
        row.addWidget(self.rename)
        self.folder = ElidedLabel(kit, "", size="small", colour="text_soft", middle=True)
        row.addWidget(self.folder, 1)
        row.addStretch(0)
        self.usage = Label(kit, "", size="small", colour="text_soft")
        self.usage.setWordWrap(False)
        row.addWidget(self.usage)
        self.find_button = IconButton(kit, "search", text("window.chat.find"), acts.find)
        self.files = IconButton(kit, "folder", text("window.chat.files"), acts.files)
        self.more = MenuIconButton(kit, "more", text("window.chat.more"), self._entries)
        for button in (self.find_button, self.files, self.more):
            row.addWidget(button)
        bind(self, conversation.chat, self._show)
        bind(self, conversation.usage, self._show_usage)

    def name_gem(self, name: str) -> None:
        """Say what the gem is called whose agent one talks with; until then its id stands there."""
        self._gem_name = name
        self._show(self._conversation.chat.value)

    def _show(self, chat: Chat | None) -> None:
        if chat is None:
            return
        self.title.setText(title_of(self._kit, chat))
        gem, _, agent = chat.role.partition("/")
        if agent and not chat.parent:
            self.folder.setText(self._kit.text("window.chat.with_agent", agent=agent, gem=self._gem_name or gem))
        else:
            self.folder.setText("" if chat.own_folder else str(chat.folder))
        self.rename.setVisible(not chat.parent)

    def _show_usage(self, usage: tuple[int, int]) -> None:
        taken, given = usage
        self.usage.setText(
            self._kit.text("window.chat.usage", taken=tokens(self._kit, taken), given=tokens(self._kit, given))
        )
        self.usage.setVisible(bool(taken or given))
        self.usage.setToolTip(self._kit.text("window.chat.usage_tip"))

    def _rename(self) -> None:
        chat = self._conversation.chat.value
        if chat is None:
            return

        def rename(title: str) -> None:
            self._kit.runner.run(self, "rename", self._conversation.rename(title))

        RenameDialog(self._kit, self, chat.title, rename).open()

    def _entries(self) -> Sequence[MenuEntry]:
        chat, text, acts = self._conversation.chat.value, self._kit.text, self._acts
        if chat is None:
            return ()
        pin = text("window.chat.unpin" if chat.pinned else "window.chat.pin")
        return (
            MenuEntry(pin, lambda: acts.pin(not chat.pinned), "pin"),
            MenuEntry(text("window.chat.rename"), self._rename, "edit"),
            LINE,
            MenuEntry(text("window.chat.export_markdown"), lambda: acts.export(ExportForm.MARKDOWN), "download"),
            MenuEntry(text("window.chat.export_json"), lambda: acts.export(ExportForm.JSON), "download"),
            LINE,
            MenuEntry(text("window.chat.delete"), acts.delete, "delete"),
        )
