"""The panel "Experts and tools": sub-agents with their work and their models, and the tools of the conversation."""

from collections.abc import Callable

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


class ExpertsPanel(SidePanel):
    """Two columns of which one is seen: "Experts" and "Tools"."""

    def __init__(
        self, kit: Kit, model: ExpertsModel, desk: ChatDesk, close: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(kit, kit.text("window.chat.experts_and_tools"), close, parent)
        self.model, self._desk = model, desk
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
        """Go from an expert's work to the list."""
        self.model.choose("")

    def show_column(self, column: str) -> None:
        """Show "experts" or "tools", unless an expert's work is looked at."""
        chosen = bool(self.model.chosen.value)
        self.columns.setVisible(not chosen)
        self._experts.setVisible(column == "experts" and not chosen)
        self._tools.setVisible(column == "tools" and not chosen)
        self.search.setVisible(column == "tools" and not chosen and len(self.model.tools) >= SEARCH_FROM)

    # -- experts

    def _show_experts(self) -> None:
        column = self._experts.content
        empty(column)
        for expert in self.model.experts:
            column.addWidget(self._expert(expert))
        if not self.model.experts:
            column.addWidget(remark(self.kit, self.kit.text("window.chat.experts_none")))
        column.addStretch(1)

    def _expert(self, expert: Chat) -> QWidget:
        """Return an expert: a press shows its work, the button below gives it another model."""
        kit = self.kit
        card = Card(kit)
        row = card.row()
        title = Ground(kit.text("window.chat.expert_open", title=expert.title), lambda: self.model.choose(expert.id))
        inner = QHBoxLayout(title)
        inner.setContentsMargins(0, 0, 0, 0)
        label = ElidedLabel(kit, expert.title, bold=True)
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        inner.addWidget(label)
        title.setMinimumHeight(kit.theme.line_height() + kit.theme.space.s)
        row.addWidget(title, 1)
        state = kit.text(f"window.chat.expert_{expert.state.value}")
        row.addWidget(Badge(kit, state, TONES.get(expert.state, "success")))
        lower = card.row()
        if expert.role:
            role = Label(kit, role_name(kit, expert.role), size="small", colour="text_soft")
            role.setWordWrap(False)
            lower.addWidget(role)
        picker = ModelPicker(
            kit, kit.text("window.chat.model"), self._desk.models, lambda value: self._set_model(expert.id, value)
        )
        picker.show_model(expert.model)
        lower.addWidget(picker)
        lower.addStretch(1)
        return card

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
            retry=_nothing, edit=_nothing_twice, answered=self.back.setFocus, show_file=_nothing, open_link=_nothing,
            ends={},
        )  # fmt: skip
        self.work = TranscriptPane(self.kit, self._working, self._desk, acts)
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
        column = self._tools.content
        empty(column)
        words = self.search.text().casefold().split()
        for tool in self.model.tools:
            if all(word in f"{tool.name} {tool.description} {self._said(tool)}".casefold() for word in words):
                column.addWidget(self._tool(tool))
        column.addStretch(1)

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


def _nothing(_: str) -> None:
    """The work of an expert is looked at only."""


def _nothing_twice(_: str, __: str) -> None:
    """See `_nothing`."""
