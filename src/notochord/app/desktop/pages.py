"""Which page is built how, at its first visit."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from notochord.viewmodels.shell.navigation import Page

if TYPE_CHECKING:
    from notochord.app.desktop.workplace import Workplace

PageMaker = Callable[[], QWidget]

MODEL_FILES = "providers"
"""The section of the settings in which model files of this computer are chosen."""


def page_makers(workplace: "Workplace") -> Mapping[Page, PageMaker]:
    """Return what makes each page but Home. What a page needs is imported when it is made."""
    return {Page.CONNECT_MODEL: lambda: _connect_model(workplace)}


def _connect_model(workplace: "Workplace") -> QWidget:
    from notochord.ui.start.connect_view import ConnectView
    from notochord.viewmodels.settings.providers import ProvidersModel
    from notochord.viewmodels.start.connect import ConnectModel

    doors, navigation = workplace.services, workplace.navigation
    providers = ProvidersModel(models=doors.models, settings=doors.settings, events=doors.events)
    workplace.screens.own(providers)
    model = ConnectModel(
        providers=providers,
        leave=lambda: navigation.go(Page.HOME),
        settings=lambda: navigation.go(Page.SETTINGS, MODEL_FILES),
    )
    view = ConnectView(workplace.kit, model)
    workplace.kit.runner.run(view, "look for models", model.start())
    return view
