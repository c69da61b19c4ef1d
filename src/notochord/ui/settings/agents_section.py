"""Settings › AI Settings › Agent (MODEL-036): which role or model each agent uses, and whether it uses gems."""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.kit.bindings import bind
from notochord.ui.kit.brought import gem_name
from notochord.ui.kit.controls.choices import Switch
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.keyed_rows import KeyedRows
from notochord.ui.settings.model_choice import ModelChoice
from notochord.ui.settings.pane_view import PaneView
from notochord.ui.settings.parts import Column, Group, Row
from notochord.ui.settings.removal import agent_name
from notochord.viewmodels.settings.agents import AgentOptions, AgentRow, AgentsModel, ToolOfChoice


class AgentView(QWidget):
    """An agent: what it is, its role or model, where that leads, and the tools that can be taken from it."""

    def __init__(self, kit: Kit, row: AgentRow, model: AgentsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._model, self._name = kit, model, row.name
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.xs)
        gem = gem_name(kit, row.official_gem, row.gem, official=bool(row.official_gem))
        shown = f"{gem} › {row.title}" if row.gem else agent_name(kit, row.name)
        self.choice = ModelChoice(
            kit, kit.text("window.settings.roles.model_of", name=shown), kit.text("window.settings.agents.default")
        )
        self.choice.activated.connect(lambda _: self._choose())
        explanation = row.about if row.gem else kit.text(f"window.settings.agent.{row.name}.remark")
        self.row = Row(kit, shown, self.choice, explanation)
        column.addWidget(self.row)
        self.uses = Label(kit, "", size="small", colour="text_soft")
        column.addWidget(self.uses)
        self.tools = {tool: self._switch(tool, shown) for tool, _ in row.tools}

    def _switch(self, tool: ToolOfChoice, agent: str) -> Switch:
        """Put a line below for a tool that the agent can be given; the agent's name is read out with it."""
        said = self._kit.text(f"window.settings.agents.tool.{tool}")
        switch = Switch(self._kit, said)
        switch.setAccessibleDescription(agent)
        switch.clicked.connect(lambda given: self._give(tool, given))
        line = QHBoxLayout()
        line.setSpacing(self._kit.theme.space.l)
        line.addWidget(Label(self._kit, said, size="small"), 1)
        line.addWidget(switch)
        self._column.addLayout(line)
        return switch

    def show_row(self, row: AgentRow, options: AgentOptions) -> None:
        """Show the agent as it is now."""
        text = self._kit.text
        self.choice.offer(options.models, options.roles)
        self.choice.show_value(row.value)
        if row.uses is None:
            self.uses.setText(text("window.settings.agents.uses_nothing"))
        else:
            place = text("window.settings.stays_here" if row.uses.on_this_computer else "window.settings.leaves")
            told = text("window.settings.agents.uses", model=row.uses.model, provider=row.uses.provider, place=place)
            self.uses.setText(told)
        self.row.set_hint(self._hint(row))
        for tool, given in row.tools:
            self.tools[tool].setChecked(given)

    def _hint(self, row: AgentRow) -> str:
        if row.gone:
            return self._kit.text("window.settings.agents.gone.hint")
        return self._kit.text(f"window.settings.agents.notice.{row.notice}") if row.notice else ""

    def _give(self, tool: ToolOfChoice, given: bool) -> None:
        self._kit.runner.run(self, "tool of an agent", self._model.give(self._name, tool, given=given))

    def _choose(self) -> None:
        self._kit.runner.run(self, "choose for an agent", self._model.choose(self._name, self.choice.value))


class AgentsSection(Column):
    """The agents under their title."""

    def __init__(self, kit: Kit, model: AgentsModel, parent: QWidget | None = None) -> None:
        text = kit.text
        super().__init__(kit, text("window.settings.agents.title"), text("window.settings.agents.remark"), parent)
        self._kit, self._model = kit, model
        group = Group(kit, "")
        self.rows: KeyedRows[AgentRow, AgentView] = KeyedRows(
            model.agents,
            key=lambda row: row.name,
            make=lambda row: AgentView(kit, row, model),
            show=lambda view, row: view.show_row(row, model.options.value),
            spacing=kit.theme.space.l,
        )
        group.card.column.addWidget(self.rows)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(group)
        column.addStretch(1)
        self.column.addWidget(PaneView(kit, model.state, content, self._load), 1)
        bind(self, model.options, self._show_options)

    def _show_options(self, options: AgentOptions) -> None:
        for row in self._model.agents:
            if (view := self.rows.views.get(row.name)) is not None:
                view.show_row(row, options)

    def _load(self) -> None:
        self._kit.runner.run(self, "load agents", self._model.load())
