"""Pictures of Home in each of its states."""

from PySide6.QtWidgets import QWidget

from notochord.ui.gallery.scene import Scene
from notochord.ui.home.page import HomePage
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.home.model import Reading
from notochord.viewmodels.samples.home import home
from notochord.viewmodels.shell.navigation import Navigation


def _usual(kit: Kit) -> QWidget:
    return HomePage(kit, home(kit.sentences.language))


def _installing(kit: Kit) -> QWidget:
    model = home(kit.sentences.language, waits=False)
    model.installing.set(frozenset({"/home/anna/weather.gem"}))
    return HomePage(kit, model)


def _no_model(kit: Kit) -> QWidget:
    navigation = Navigation()
    navigation.model_connected.set(False)
    return HomePage(kit, home(kit.sentences.language, navigation=navigation, waits=False, gems=False))


def _loading(kit: Kit) -> QWidget:
    return HomePage(kit, home(kit.sentences.language, waits=False, gems=False, reading=Reading.LOADING))


def _failed(kit: Kit) -> QWidget:
    return HomePage(kit, home(kit.sentences.language, waits=False, gems=False, reading=Reading.FAILED))


SCENES = (
    Scene("home", _usual, 1064, 760),
    Scene("home-installing", _installing, 1064, 520),
    Scene("home-no-model", _no_model, 1064, 520),
    Scene("home-loading", _loading, 1064, 520),
    Scene("home-failed", _failed, 1064, 520),
)
