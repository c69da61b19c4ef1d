"""Pictures of the view of a gem's page. A drawing stands for what the engine shows, which needs a screen of its own."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from notochord.ui.gallery.scene import Scene
from notochord.ui.gem_page.view import GemPageView
from notochord.ui.gem_page.web import WebView
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.painting import panel
from notochord.viewmodels.gem_page.model import GemPageModel, PageState
from notochord.viewmodels.samples.gem_page import asked_link, gem_page, no_model


class DrawnPage(QWidget):
    """Implements `WebView` by a drawing of a page with three cards."""

    found = Signal(int, int, bool)

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def widget(self) -> QWidget:
        return self

    def load(self, entry: str, surroundings: str, background: str) -> None: ...

    def post(self, text: str) -> None: ...

    def look(self, background: str) -> None: ...

    def find_text(self, text: str) -> None: ...

    def find_next(self) -> None: ...

    def find_previous(self) -> None: ...

    def set_zoom(self, factor: float) -> None: ...

    def kill(self) -> None: ...

    async def close_page(self) -> None: ...

    def paintEvent(self, _: QPaintEvent) -> None:
        space, colour = self._kit.theme.space, self._kit.theme.colour
        painter = QPainter(self)
        for row in range(3):
            card = self.rect().adjusted(space.xl, 0, -space.xl, 0)
            card.setTop(space.xl + row * 80)
            card.setHeight(64)
            panel(painter, card, self._kit.theme.tokens.radius.medium, colour("raised"), colour("border"))
        painter.end()


def _view(kit: Kit, model: GemPageModel) -> GemPageView:
    def make(_: GemPageModel) -> WebView:
        return DrawnPage(kit)

    return GemPageView(kit, model, make, lambda: None)


def _in(state: PageState) -> Scene:
    def build(kit: Kit) -> QWidget:
        return _view(kit, gem_page(kit.sentences.language, state))

    return Scene(f"gem-page-{state.value}", build, 900, 520)


def _problems(kit: Kit) -> QWidget:
    failed = ("pages/board.js:12: Uncaught TypeError: total is not a function",)
    return _view(kit, gem_page(kit.sentences.language, PageState.SHOWN, problems=failed, busy=True))


def _link(kit: Kit) -> QWidget:
    model = gem_page(kit.sentences.language, PageState.SHOWN)
    view = _view(kit, model)
    model.link.set(asked_link())
    assert view.question is not None
    view.question.setWindowFlags(Qt.WindowType.Widget)
    view.question.setAutoFillBackground(True)
    view.question.move(180, 140)
    return view


def _no_talk(kit: Kit) -> QWidget:
    model = gem_page(kit.sentences.language, PageState.SHOWN)
    model.talk_failure.set(no_model())
    return _view(kit, model)


SCENES = (
    *(_in(state) for state in PageState),
    Scene("gem-page-problems", _problems, 900, 520),
    Scene("gem-page-no-talk", _no_talk, 900, 520),
    Scene("gem-page-link", _link, 900, 520),
)
