"""The list from which a role or an agent gets its model."""

from PySide6.QtWidgets import QWidget

from notochord.ui.kit.kit import Kit
from notochord.ui.settings.parts import Choice
from notochord.ui.settings.removal import role_name
from notochord.viewmodels.settings.choices import ModelOption, RoleOption


class ModelChoice(Choice):
    """First what stands for nothing chosen, then the roles where there are any, then the models."""

    def __init__(self, kit: Kit, name: str, nothing: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._kit = kit
        self._nothing = nothing
        self._offered: object = None

    def offer(self, models: tuple[ModelOption, ...], roles: tuple[RoleOption, ...] = ()) -> None:
        """Show these to choose from; an open list is not disturbed by the same ones."""
        if self._offered == (models, roles):
            return
        self._offered = (models, roles)
        self.blockSignals(True)
        self.forget()
        self.offer_value(self._nothing, "")
        for role in roles:
            shown = role_name(self._kit, role.name)
            if role.option is None:
                shown = self._kit.text("window.settings.agents.role_without_model", name=shown)
            self.offer_value(shown, role.name)
        if roles and models:
            self.insertSeparator(self.count())
        for model in models:
            self.offer_value(f"{model.model} · {model.provider}", model.value)
        self.blockSignals(False)

    def show_value(self, value: str) -> None:
        """Show what is chosen; what is no longer there is named as such."""
        if value and not self.has(value):
            self.offer_value(self._kit.text("window.settings.agents.gone", name=value), value)
        self.show_choice(value)
