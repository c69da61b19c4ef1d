"""The view of a gem's page: what stands in its place, what its buttons do, and how the keyboard goes through it."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from notochord.ui.gem_page.look import page_language, page_values
from notochord.ui.gem_page.view import GemPageView
from notochord.ui.gem_page.web import WebView
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.theme.theme import ThemeChoice
from notochord.viewmodels.gem_page.model import GemPageModel, PageState
from notochord.viewmodels.samples.gem_page import asked_link, gem_page
from support.focus_walk import names_walked, shown


class PlayedWeb(QWidget):
    """Implements `WebView`: notes what it is told."""

    found = Signal(int, int, bool)

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[str, object]] = []
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def widget(self) -> QWidget:
        return self

    def load(self, entry: str, surroundings: str, background: str) -> None:
        self.told.append(("load", entry))

    def post(self, text: str) -> None:
        self.told.append(("post", text))

    def look(self, background: str) -> None:
        self.told.append(("look", background))

    def find_text(self, text: str) -> None:
        self.told.append(("find", text))
        self.found.emit(1 if text else 0, 3 if text else 0, True)

    def find_next(self) -> None:
        self.told.append(("next", None))

    def find_previous(self) -> None:
        self.told.append(("previous", None))

    def set_zoom(self, factor: float) -> None:
        self.told.append(("zoom", factor))

    def kill(self) -> None:
        self.told.append(("kill", None))

    async def close_page(self) -> None:
        self.told.append(("close", None))


class Seat:
    """A view with a model in a state, in a window that is shown."""

    def __init__(self, kit: Kit, qtbot: QtBot, model: GemPageModel) -> None:
        self.web = PlayedWeb()
        self.back = 0
        self.model = model
        self.view = GemPageView(kit, model, self._make, self._back)
        qtbot.addWidget(self.view)
        qtbot.addWidget(self.web)
        self.view.resize(700, 400)
        self.view.show()

    def _make(self, _: GemPageModel) -> WebView:
        return self.web

    def _back(self) -> None:
        self.back += 1

    @property
    def texts(self) -> str:
        return "\n".join(label.text() for label in self.view.findChildren(QLabel) if label.isVisible())


Make = Callable[..., Seat]


@pytest.fixture
def seat(kit: Kit, qtbot: QtBot) -> Make:
    def make(state: PageState = PageState.SHOWN, **more: object) -> Seat:
        return Seat(kit, qtbot, gem_page("en", state, **more))  # type: ignore[arg-type]

    return make


def test_a_page_is_shown_under_its_name_and_that_of_its_gem(seat: Make) -> None:
    made = seat()
    assert made.view.body.currentWidget() is made.web
    assert made.web.told[0] == ("load", "pages/board.html")
    assert made.view.accessibleName() == "Invoices · What is due"
    assert made.web.accessibleName() == "What is due"


@pytest.mark.parametrize(
    ("state", "words", "again"),
    [
        (PageState.FAILED, "E_FILES_CHANGED", True),
        (PageState.CRASHED, "ended unexpectedly", True),
        (PageState.STOPPED, "was stopped", True),
        (PageState.GONE, "no longer installed", False),
        (PageState.UNSAFE, "cannot be shown here", False),
    ],
)
def test_a_page_that_cannot_be_shown_says_why_and_whether_it_can_be_loaded_anew(
    seat: Make, state: PageState, words: str, again: bool
) -> None:
    made = seat(state)
    assert words in made.texts
    assert made.web.told == []
    assert hasattr(made.view.body.currentWidget(), "button") is again


@pytest.mark.parametrize("state", [PageState.CRASHED, PageState.STOPPED, PageState.GONE, PageState.FAILED])
def test_the_process_of_a_page_that_ended_is_ended_too(seat: Make, state: PageState) -> None:
    made = seat()
    made.model.state.set(state)
    assert ("kill", None) in made.web.told
    assert made.view.body.currentWidget() is not made.web


def test_a_busy_page_is_told_of_and_its_process_ended_when_it_is_loaded_anew(seat: Make, kit: Kit) -> None:
    made = seat(busy=True)
    assert "does not respond" in made.texts
    with pytest.raises(AssertionError, match="open"):  # a sample's door leads nowhere
        made.view.reload()
    assert ("kill", None) in made.web.told


def test_problems_of_a_page_are_counted_and_the_first_is_shown(seat: Make) -> None:
    made = seat(problems=("board.js:1: broken", "b"))
    assert "2 things on this page failed. The first: board.js:1: broken" in made.texts


def test_the_host_is_shown_before_a_link_is_opened(seat: Make, kit: Kit) -> None:
    made = seat()
    opened: list[str] = []
    made.model._open_link = opened.append
    made.model.link.set(asked_link())
    assert made.view.question is not None
    assert made.view.question.windowTitle() == "Open xn--bcher-kva.example?"
    made.view.question.act.click()
    assert opened == ["https://xn--bcher-kva.example/orders?number=4711"]
    assert made.model.link.value is None


def test_a_link_that_is_refused_is_not_opened(seat: Make) -> None:
    made = seat()
    opened: list[str] = []
    made.model._open_link = opened.append
    made.model.link.set(asked_link())
    assert made.view.question is not None
    made.view.question.reject()
    assert (opened, made.model.link.value) == ([], None)


def test_finding_goes_through_the_bar(seat: Make) -> None:
    made = seat()
    made.view.begin_find()
    bar = made.view.find_bar
    assert bar is not None
    QTest.keyClicks(bar.field, "due")
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert (("find", "due") in made.web.told, ("next", None) in made.web.told) == (True, True)
    assert bar.count.text() == "1/3"
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_zoom_and_theme_reach_the_page(seat: Make, kit: Kit) -> None:
    made = seat()
    made.model.change_zoom(1)
    assert made.web.told[-1] == ("zoom", 1.1)
    kit.theme.choose(ThemeChoice.DARK)
    name, text = made.web.told[-1]
    assert (name, '"theme":"dark"' in str(text)) == ("post", True)


def test_the_keyboard_begins_in_the_page_and_reaches_every_button_each_of_which_has_a_name(
    seat: Make, qtbot: QtBot
) -> None:
    made = seat()
    window = shown(qtbot, made.view)
    window.setFocus()
    assert made.web.hasFocus()
    found = ["Back to the gem", "Find in this page", "Show smaller", "Show larger", "Reload", "What is due"]
    assert sorted(names_walked(window)) == sorted(found)


def test_values_for_pages_are_colours_and_a_font(kit: Kit) -> None:
    values = page_values(kit)
    assert values["text-soft"] == kit.theme.colours.text_soft
    assert values["font-size"].endswith("px")
    assert page_language(kit) == "en"
    assert not any(letter in value for value in values.values() for letter in "{};<")
