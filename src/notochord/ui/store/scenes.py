"""Pictures of the store in each of its states."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from notochord.ui.gallery.scene import Scene
from notochord.ui.kit.kit import Kit
from notochord.ui.store.page import StorePage
from notochord.viewmodels.gem.values import DocumentKind
from notochord.viewmodels.samples import store as samples
from notochord.viewmodels.store.model import StoreModel

Make = Callable[[str], StoreModel]


def _page(make: Make, tab: str = "") -> Callable[[Kit], QWidget]:
    def made(kit: Kit) -> QWidget:
        page = StorePage(kit, make(kit.sentences.language), _nowhere)
        if tab:
            page.gem.bring_forward(tab)
        return page

    return made


def _refused(language: str) -> StoreModel:
    return samples.gem(language, refused=True)


def _nowhere(_: str) -> None:
    """Links of a picture lead nowhere."""


SCENES = (
    Scene("store", _page(samples.listed), 1064, 640),
    Scene("store-arriving", _page(samples.arriving), 1064, 640),
    Scene("store-offline", _page(samples.offline), 1064, 640),
    Scene("store-nothing-found", _page(samples.nothing_found), 1064, 520),
    Scene("store-empty", _page(samples.empty), 1064, 520),
    Scene("store-loading", _page(samples.bare), 1064, 520),
    Scene("store-failed", _page(samples.failed), 1064, 520),
    Scene("store-gem", _page(samples.gem), 1064, 1000),
    Scene("store-gem-update", _page(samples.update), 1064, 640),
    Scene("store-gem-refused", _page(_refused), 1064, 760),
    Scene("store-introduction", _page(samples.gem, DocumentKind.README), 1064, 760),
    Scene("store-prompts", _page(samples.prompts, DocumentKind.PROMPT), 1064, 640),
    Scene("store-hostile", _page(samples.hostile), 1064, 760),
)
