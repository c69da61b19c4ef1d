"""Which model each assistant of a gem uses; not there while no model has been added (MODEL-108 to MODEL-120)."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from notochord.ui.gem.parts import Group
from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.breakable import breakable
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.keyed_rows import KeyedRows
from notochord.ui.settings.model_choice import ModelChoice
from notochord.ui.settings.parts import Row
from notochord.viewmodels.gem.assistants import AssistantRow
from notochord.viewmodels.gem.model import GemModel
from notochord.viewmodels.settings.choices import ModelOption


class AssistantView(QWidget):
    """An assistant, its role or model, where that leads, and one line if the model may not be able."""

    def __init__(self, kit: Kit, row: AssistantRow, model: GemModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._model, self._name = kit, model, row.name
        space = kit.theme.space
        column = QVBoxLayout(self)
        column.setContentsMargins(space.l, space.m, space.l, space.m)
        column.setSpacing(space.xs)
        name = kit.text("window.settings.roles.model_of", name=row.name)
        self.choice = ModelChoice(kit, name, kit.text("window.settings.agents.default"))
        self.choice.activated.connect(lambda _: self._choose())
        needs = [kit.text(f"window.gem.ability.{ability}") for ability in row.requires]
        listed = kit.text("window.settings.list.separator").join(needs)
        self.row = Row(
            kit, breakable(row.name), self.choice, kit.text("window.gem.requires", abilities=listed) if needs else ""
        )
        column.addWidget(self.row)
        self.uses = Label(kit, "", size="small", colour="text_soft")
        column.addWidget(self.uses)

    def show_row(self, row: AssistantRow) -> None:
        """Show the assistant as it is now."""
        options = self._model.assistants.options.value
        self.choice.offer(options.models, options.roles)
        self.choice.show_value(row.value)
        self.uses.setText(uses_text(self._kit, row.uses))
        self.row.set_hint(self._kit.text(f"window.gem.notice.{row.notice.value}") if row.notice.value else "")

    def _choose(self) -> None:
        command = self._model.assistants.choose(self._name, self.choice.value)
        self._kit.runner.run(self, "choose for an assistant", command)


class ModelsGroup(Group):
    """The assistants, and what answers the gem's own questions."""

    def __init__(self, kit: Kit, model: GemModel, parent: QWidget | None = None) -> None:
        super().__init__(kit, kit.text("window.gem.model"), parent=parent)
        self._model = model
        self.rows: KeyedRows[AssistantRow, AssistantView] = KeyedRows(
            model.assistants.rows,
            key=lambda row: (row.name, row.requires),
            make=lambda row: AssistantView(kit, row, model),
            show=lambda view, row: view.show_row(row),
            spacing=0,
            parent=self,
        )
        self._own = Label(kit, "", size="small", colour="text_soft")
        self._own.setContentsMargins(kit.theme.space.l, kit.theme.space.m, kit.theme.space.l, kit.theme.space.m)
        self.fill([self.rows, self._own])
        bind_list(self, model.assistants.rows, self._fit)
        bind(self, model.assistants.own_calls, self._show_own)
        bind(self, model.assistants.options, lambda _: self._offer())

    def _offer(self) -> None:
        for row in self._model.assistants.rows:
            if (view := self.rows.views.get((row.name, row.requires))) is not None:
                view.show_row(row)

    def _show_own(self, option: ModelOption | None) -> None:
        self._own.setText(self._kit.text("window.gem.own_calls", uses=uses_text(self._kit, option)))
        self._own.setVisible(option is not None)
        self._fit()

    def _fit(self) -> None:
        self.setVisible(bool(self._model.assistants.rows) or self._model.assistants.own_calls.value is not None)


def uses_text(kit: Kit, option: ModelOption | None) -> str:
    """Return which model answers and whether anything leaves this computer."""
    if option is None:
        return kit.text("window.settings.agents.uses_nothing")
    place = kit.text("window.settings.stays_here" if option.on_this_computer else "window.settings.leaves")
    return kit.text("window.settings.agents.uses", model=option.model, provider=option.provider, place=place)
