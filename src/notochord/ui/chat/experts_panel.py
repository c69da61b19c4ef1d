"""The panel "Experts and tools": sub-agents with their work and their models, and the tools of the conversation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.chat.attachments_row import empty
from notochord.ui.chat.cards.card import Card
from notochord.ui.chat.model_picker import ModelPicker
from notochord.ui.chat.side_panel import Scroll, SidePanel
from notochord.ui.chat.transcript_pane import PaneActs, TranscriptPane
from notochord.ui.chat.wording import role_name
from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.brought import tool_said
from notochord.ui.kit.controls.badges import Badge
from notochord.ui.kit.controls.buttons import Ground
from notochord.ui.kit.controls.choices import Segmented
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label, remark
from notochord.ui.kit.controls.search_field import SearchField
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.unseen import shown
from notochord.viewmodels.chat.conversation import Conversation
from notochord.viewmodels.chat.desk import ChatDesk
from notochord.viewmodels.chat.experts import ExpertsModel
from notochord.viewmodels.chat.values import Chat, ChatState, ChatTool

TONES = {ChatState.ANSWERING: "accent", ChatState.WAITING: "warning", ChatState.FAILED: "danger"}
SEARCH_FROM = 10
"""Tools from which on they can be searched."""


@dataclass(frozen=True, slots=True)
class ExpertActs:
    """What the panel asks of the page; a file is shown by the folder of the sub-agent and the path in it."""

    close: Callable[[], None]
    open_link: Callable[[str], None]
    show_file: Callable[[Path, str], None]


class ExpertsPanel(SidePanel):
    """Two columns of which one is seen: "Experts" and "Tools"."""

    def __init__(
        self, kit: Kit, model: ExpertsModel, desk: ChatDesk, acts: ExpertActs, parent: QWidget | None = None
    ) -> None:
        super().__init__(kit, kit.text("window.chat.experts_and_tools"), acts.close, parent)
        self.model, self._desk, self._acts = model, desk, acts
        self.cards: dict[str, ExpertCard] = {}
        self.boxes: dict[str, QCheckBox] = {}
        self.none = remark(kit, kit.text("window.chat.experts_none"))
        self._working: Conversation | None = None
        self.work: TranscriptPane | None = None
        text = kit.text
        options = (("experts", text("window.chat.experts")), ("tools", text("window.chat.tools")))
        self.columns = Segmented(kit, text("window.chat.experts_and_tools"), options, "experts", self.show_column)
        self.column.addWidget(self.columns, 0, Qt.AlignmentFlag.AlignLeft)
        self._experts = Scroll(kit, text("window.chat.experts"))
        self._tools = Scroll(kit, text("window.chat.tools"))
        self.search = SearchField(kit, text("window.chat.tools_search"), lambda _: self._show_tools())
        for widget in (self._experts, self.search, self._tools):
            self.column.addWidget(widget)
        bind_list(self, model.experts, self._show_experts)
        bind_list(self, model.tools, self._show_tools)
        bind(self, model.chosen, self._show_chosen)
        self.show_column("experts")

    def go_back(self) -> None:
        """Go from an expert's work to the list, where the keyboard is on that expert again."""
        before = self.model.chosen.value
        self.model.choose("")
        if (card := self.cards.get(before)) is not None:
            card.title.setFocus(Qt.FocusReason.BacktabFocusReason)

    def show_column(self, column: str) -> None:
        """Show "experts" or "tools", unless an expert's work is looked at."""
        chosen = bool(self.model.chosen.value)
        self.columns.setVisible(not chosen)
        self._experts.setVisible(column == "experts" and not chosen)
        self._tools.setVisible(column == "tools" and not chosen)
        self.search.setVisible(column == "tools" and not chosen and len(self.model.tools) >= SEARCH_FROM)

    # -- experts

    def _show_experts(self) -> None:
        """Change the cards in place, so that the keyboard and an open menu stay where they are."""
        column, before = self._experts.content, self.cards
        self.cards = {}
        for expert in self.model.experts:
            card = before.pop(expert.id, None) or ExpertCard(
                self.kit, expert, self._desk, self._choose, self._set_model
            )
            card.show_expert(expert)
            self.cards[expert.id] = card
        for gone in before.values():
            gone.hide()
            gone.deleteLater()
        while column.takeAt(0) is not None:
            pass
        for card in self.cards.values():
            column.addWidget(card)
        self.none.setVisible(not self.cards)
        column.addWidget(self.none)
        column.addStretch(1)

    def _choose(self, expert: str) -> None:
        self.model.choose(expert)

    def _set_model(self, expert: str, model: str) -> None:
        self.kit.runner.run(self, "model of an expert", self.model.set_model(expert, model))

    def _show_chosen(self, expert: str) -> None:
        """Show the work of an expert, or the list."""
        self._put_work_away()
        found = next((chat for chat in self.model.experts if chat.id == expert), None)
        self.back.setVisible(found is not None)
        self.heading.setText(found.title if found else self.kit.text("window.chat.experts_and_tools"))
        self.show_column(self.columns.value)
        if found is None:
            return
        self._working = self._desk.conversation(found.id)
        acts = PaneActs(
            retry=None, edit=None, answered=self.back.setFocus, open_link=self._acts.open_link, ends={},
            show_file=lambda path: self._acts.show_file(found.folder, path),
        )  # fmt: skip
        self.work = TranscriptPane(
            self.kit, self._working, self._desk, acts, asker=self.kit.text("window.chat.who_task")
        )
        self.column.addWidget(self.work, 1)
        self.kit.runner.run(self.work, "work of an expert", self._working.start())
        self.back.setFocus()

    def _put_work_away(self) -> None:
        work, working, self.work, self._working = self.work, self._working, None, None
        if work is not None and working is not None:
            self.kit.runner.run(self, "put work away", working.close())
            work.hide()
            work.deleteLater()

    # -- tools

    def _show_tools(self) -> None:
        """Change the boxes in place as long as they are the same tools."""
        words = self.search.text().casefold().split()
        found = [
            tool
            for tool in self.model.tools
            if all(word in f"{tool.name} {tool.description} {self._said(tool)}".casefold() for word in words)
        ]
        if [tool.name for tool in found] != list(self.boxes):
            self._build_tools(found)
        for tool in found:
            self.boxes[tool.name].setChecked(tool.on)

    def _build_tools(self, tools: Sequence[ChatTool]) -> None:
        column = self._tools.content
        keyboard = next((name for name, box in self.boxes.items() if box.hasFocus()), "")
        empty(column)
        self.boxes = {}
        for tool in tools:
            column.addWidget(self._tool(tool))
        column.addStretch(1)
        if keyboard in self.boxes:
            self.boxes[keyboard].setFocus()

    def _tool(self, tool: ChatTool) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, self.kit.theme.space.xs)
        column.setSpacing(0)
        box = QCheckBox(shown(tool.name, code=True).replace("&", "&&"))
        box.setChecked(tool.on)
        box.setAccessibleName(tool.name)
        box.setAccessibleDescription(self._said(tool)[:300])
        box.clicked.connect(lambda on: self._switch(tool.name, on))
        self.boxes[tool.name] = box
        column.addWidget(box)
        line = ElidedLabel(self.kit, self._said(tool), size="small", colour="text_soft")
        line.setContentsMargins(self.kit.theme.space.xl, 0, 0, 0)
        row = QHBoxLayout()
        row.addSpacing(self.kit.theme.space.xl)
        row.addWidget(line)
        column.addLayout(row)
        return holder

    def _said(self, tool: ChatTool) -> str:
        return tool_said(self.kit, tool.name, tool.description)

    def _switch(self, tool: str, on: bool) -> None:
        self.kit.runner.run(self, "switch a tool", self.model.switch(tool, on))


class ExpertCard(Card):
    """A sub-agent: a press shows its work, the button below gives it another model."""

    def __init__(
        self, kit: Kit, expert: Chat, desk: ChatDesk, choose: Callable[[str], None],
        set_model: Callable[[str, str], None],
    ) -> None:  # fmt: skip
        super().__init__(kit)
        row = self.row()
        self.title = Ground("", lambda: choose(expert.id))
        inner = QHBoxLayout(self.title)
        inner.setContentsMargins(0, 0, 0, 0)
        self._name = ElidedLabel(kit, "", bold=True)
        self._name.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        inner.addWidget(self._name)
        self.title.setMinimumHeight(kit.theme.line_height() + kit.theme.space.s)
        row.addWidget(self.title, 1)
        self.state = Badge(kit, "", "success")
        row.addWidget(self.state)
        lower = self.row()
        if expert.role:
            role = Label(kit, role_name(kit, expert.role), size="small", colour="text_soft")
            role.setWordWrap(False)
            lower.addWidget(role)
        name = kit.text("window.chat.model")
        self.model = ModelPicker(kit, name, desk.models, lambda value: set_model(expert.id, value))
        lower.addWidget(self.model)
        lower.addStretch(1)

    def show_expert(self, expert: Chat) -> None:
        """Show how the sub-agent is now."""
        self._name.setText(expert.title)
        self.title.setAccessibleName(self.kit.text("window.chat.expert_open", title=expert.title))
        self.state.show_as(
            self.kit.text(f"window.chat.expert_{expert.state.value}"), TONES.get(expert.state, "success")
        )
        self.model.show_model(expert.model)
