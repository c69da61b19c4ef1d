"""Pictures of a gem's page, its data and its introduction."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from notochord.ui.gallery.scene import Scene
from notochord.ui.gem.page import GemPage
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.gem.model import GemModel
from notochord.viewmodels.gem.place import GemPlace
from notochord.viewmodels.gem.values import DocumentKind
from notochord.viewmodels.samples import gem as samples

Make = Callable[[str], GemModel]


def _page(make: Make) -> Callable[[Kit], QWidget]:
    return lambda kit: GemPage(kit, make(kit.sentences.language), _nowhere)


def _prompts(language: str) -> GemModel:
    return samples.introduction(language, tab=DocumentKind.PROMPT)


def _loading(language: str) -> GemModel:
    return samples.bare(language, GemPlace(samples.GEM))


def _empty(language: str) -> GemModel:
    return samples.data(language, collections=0)


def _many(language: str) -> GemModel:
    return samples.data(language, collections=64)


def _nowhere(_: str) -> None:
    """Links of a picture lead nowhere."""


SCENES = (
    Scene("gem", _page(samples.full), 1064, 3090),
    Scene("gem-simple", _page(samples.simple), 1064, 760),
    Scene("gem-procedures", _page(samples.procedures), 1064, 1400),
    Scene("gem-files-changed", _page(samples.tampered), 1064, 760),
    Scene("gem-hostile", _page(samples.hostile), 1064, 2900),
    Scene("gem-folders", _page(samples.with_folders), 1064, 900),
    Scene("gem-no-folders", _page(samples.without_folders), 1064, 900),
    Scene("gem-update", _page(samples.later), 1064, 620),
    Scene("gem-loading", _page(_loading), 1064, 520),
    Scene("gem-failed", _page(samples.failed), 1064, 520),
    Scene("gem-data", _page(samples.data), 1064, 760),
    Scene("gem-data-empty", _page(_empty), 1064, 520),
    Scene("gem-data-many", _page(_many), 1064, 1200),
    Scene("gem-exporting", _page(samples.exporting), 1064, 520),
    Scene("gem-exported", _page(samples.exported), 1064, 520),
    Scene("gem-introduction", _page(samples.introduction), 1064, 760),
    Scene("gem-prompts", _page(_prompts), 1064, 640),
)
