"""What the set-up shows in its third and fourth step: the tables of the settings, on the open organization."""

from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QWidget

from notochord.app.desktop.holder import Holder
from notochord.app.desktop.screens import Screens
from notochord.headless.services import Services
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.providers_table import ProvidersTable
from notochord.ui.settings.roles_table import RolesTable
from notochord.viewmodels.settings.providers import ProvidersModel
from notochord.viewmodels.settings.roles import RolesModel
from notochord.viewmodels.start.setup import Step


def setup_panes(kit: Kit, holder: Holder, screens: Screens) -> Mapping[Step, Callable[[], QWidget]]:
    """Return what makes the tables once the organization is open (SETUP-029, SETUP-036)."""

    async def begin(model: ProvidersModel) -> None:
        await model.start()
        await model.look_for_ollama()

    def services() -> Services:
        if holder.services is None:
            raise RuntimeError("the organization is not open yet")
        return holder.services

    def providers() -> QWidget:
        found = services()
        model = ProvidersModel(models=found.models, settings=found.settings, events=found.events)
        screens.own(model)
        table = ProvidersTable(kit, model)
        kit.runner.run(table, "load providers", begin(model))
        return table

    def roles() -> QWidget:
        found = services()
        model = RolesModel(models=found.models, settings=found.settings, events=found.events)
        screens.own(model)
        table = RolesTable(kit, model)
        kit.runner.run(table, "load roles", model.start())
        return table

    return {Step.MODEL: providers, Step.ROLES: roles}
