"""The view of one page of a gem: its name, what can be done with it, the page itself or why it is not shown."""

import logging
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from notochord.core.errors import NotochordError
from notochord.ui.gem_page.look import page_language, page_values
from notochord.ui.gem_page.web import MakeWeb, WebView
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.buttons import IconButton
from notochord.ui.kit.controls.confirm import Confirm
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.find_bar import FindBar
from notochord.ui.kit.controls.lead import Lead
from notochord.ui.kit.controls.notice_bar import NoticeBar
from notochord.ui.kit.controls.states import State
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.gem_page.model import GemPageModel, Link, PageState

_log = logging.getLogger(__name__)
_ENDED = frozenset({PageState.FAILED, PageState.CRASHED, PageState.STOPPED, PageState.GONE, PageState.UNSAFE})
_AGAIN = frozenset({PageState.FAILED, PageState.CRASHED, PageState.STOPPED})


class GemPageView(Lead):
    """`make_web` makes the engine's view when the page is loaded for the first time; `back` leads to the gem."""

    def __init__(
        self, kit: Kit, model: GemPageModel, make_web: MakeWeb, back: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._kit, self._model, self._make_web = kit, model, make_web
        self.web: WebView | None = None
        self.find_bar: FindBar | None = None
        self.question: Confirm | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addLayout(self._head(back))
        self._busy = NoticeBar(
            kit, kit.text("window.gem_page.busy"), "warning",
            action=kit.text("window.gem_page.reload"), on_action=self.reload,
        )  # fmt: skip
        self._problems = NoticeBar(kit, "", "warning")
        self.talk_failure = NoticeBar(kit, "", "error", on_close=lambda: model.talk_failure.set(None))
        space = kit.theme.space
        bars = QVBoxLayout()
        bars.setContentsMargins(space.m, 0, space.m, 0)
        bars.setSpacing(space.s)
        for bar in (self._busy, self._problems, self.talk_failure):
            bar.hide()
            bars.addWidget(bar)
        self._column.addLayout(bars)
        self.body = QStackedWidget()
        self._column.addWidget(self.body, 1)
        for keys, act in (("Ctrl+F", self.begin_find), ("F5", self.reload), ("Ctrl+R", self.reload)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)
        model.send = self._post
        bind(self, model.details, lambda _: self._name())
        bind(self, model.problems, self._show_problems)
        bind(self, model.talk_failure, self._show_talk_failure)
        bind(self, model.busy, self._busy.setVisible)
        bind(self, model.state, self._show)
        bind(self, model.opened, lambda number: self._load() if number else None)
        bind(self, model.zoom, lambda factor: self.web.set_zoom(factor) if self.web else None)
        bind(self, model.link, self._ask)
        kit.theme.changed.connect(self._look)

    def begin_find(self) -> None:
        """Show the bar to search the page with."""
        if self.find_bar is not None and self._model.state.value is PageState.SHOWN:
            self.find_bar.begin()

    def reload(self) -> None:
        """Load the page anew; one that never returns is ended first."""
        if self.web is not None and self._model.busy.value:
            self.web.kill()
        self._kit.runner.run(self, "reload the page", self._model.reload())

    def _head(self, back: Callable[[], None]) -> QHBoxLayout:
        kit, text, space = self._kit, self._kit.text, self._kit.theme.space
        row = QHBoxLayout()
        row.setContentsMargins(space.m, space.s, space.m, space.s)
        row.setSpacing(space.xs)
        row.addWidget(IconButton(kit, "chevron-left", text("window.gem_page.back"), back))
        row.addSpacing(space.xs)
        self._title = ElidedLabel(kit, "")
        row.addWidget(self._title, 1)
        smaller, larger = text("window.gem_page.smaller"), text("window.gem_page.larger")
        self._find_button = IconButton(kit, "search", text("window.gem_page.find"), self.begin_find)
        row.addWidget(self._find_button)
        row.addWidget(IconButton(kit, "text-smaller", smaller, lambda: self._model.change_zoom(-1)))
        row.addWidget(IconButton(kit, "text-larger", larger, lambda: self._model.change_zoom(1)))
        row.addWidget(IconButton(kit, "retry", text("window.gem_page.reload"), self.reload))
        return row

    def _name(self) -> None:
        details = self._model.details.value
        name = f"{details.gem_name} · {details.title}" if details else ""
        self._title.setText(name)
        self.setAccessibleName(name or self._kit.text("window.gem_page.page"))

    def _load(self) -> None:
        details = self._model.details.value
        if details is None:
            return
        try:
            web = self.web or self._begin_web()
        except (ImportError, OSError) as error:  # a library of the system is missing, or there is no port
            _log.error("the browser engine cannot be started: %s", error)
            self._model.loaded(False)
            return
        web.widget.setAccessibleName(details.title)
        web.load(details.entry, self._surroundings(), self._kit.theme.colours.surface)
        web.set_zoom(self._model.zoom.value)
        self._show(self._model.state.value)

    def _begin_web(self) -> WebView:
        web = self.web = self._make_web(self._model)
        self.body.addWidget(web.widget)
        self.lead_to(web.widget)
        self.find_bar = FindBar(self._kit, web, web.widget.setFocus, self._kit.text("window.gem_page.find"))
        self._column.insertWidget(1, self.find_bar)
        return web

    def _show(self, state: PageState) -> None:
        if state in (PageState.CRASHED, PageState.STOPPED, PageState.GONE, PageState.FAILED) and self.web is not None:
            self.web.kill()
        self._find_button.setEnabled(state is PageState.SHOWN)
        if state in _ENDED or self.web is None:
            self._put_state(self._state(state))
        else:
            self._put_state(None)

    def _put_state(self, state: State | None) -> None:
        """Show a state in place of the page, or the page itself."""
        web = self.web.widget if self.web is not None else None
        for at in reversed(range(self.body.count())):
            found = self.body.widget(at)
            if found is not None and found is not web:
                self.body.removeWidget(found)
                found.deleteLater()
        if state is not None:
            self.body.addWidget(state)
            self.body.setCurrentWidget(state)
        elif web is not None:
            self.body.setCurrentWidget(web)

    def _state(self, state: PageState) -> State:
        kit, text = self._kit, self._kit.text
        if state in (PageState.LOADING, PageState.SHOWN):
            return State(kit, text("window.gem_page.loading"), busy=True)
        error = self._model.failure.value
        why = kit.failure(error) if error is not None else text(f"window.gem_page.{state.value}_explained")
        again = state in _AGAIN
        return State(
            kit, text(f"window.gem_page.{state.value}"), why, failed=state is not PageState.GONE,
            action=text("window.gem_page.reload") if again else "", on_action=self.reload if again else None,
        )  # fmt: skip

    def _show_problems(self, problems: tuple[str, ...]) -> None:
        self._problems.setVisible(bool(problems))
        if problems:
            key = "window.gem_page.problems"
            self._problems.tell(self._kit.text(key, count=len(problems), first=problems[0][:200]))

    def _show_talk_failure(self, error: NotochordError | None) -> None:
        self.talk_failure.setVisible(error is not None)
        if error is not None:
            self.talk_failure.tell(self._kit.failure(error))

    def _ask(self, link: Link | None) -> None:
        if link is None:
            return
        text = self._kit.text
        explanation = text("window.gem_page.link_explained", address=_broken(link.address))
        question, act = text("window.gem_page.link", host=link.host), text("window.gem_page.link_open")
        self.question = Confirm(
            self._kit, self, question, explanation, act, lambda: self._model.answer_link(follow=True), danger=False,
        )  # fmt: skip
        self.question.rejected.connect(lambda: self._model.answer_link(follow=False))
        self.question.open()

    def _post(self, text: str) -> None:
        if self.web is not None:
            self.web.post(text)

    def _look(self) -> None:
        if self.web is not None:
            self.web.look(self._kit.theme.colours.surface)
            self.web.post(self._surroundings())

    def _surroundings(self) -> str:
        kit = self._kit
        texts = {"ask": kit.text("window.gem_page.ask", agent="{agent}")}
        return self._model.surroundings(page_values(kit), kit.theme.scheme.value, page_language(kit), texts)


def _broken(address: str) -> str:
    """Let a long address be shown in several lines; zero-width spaces go with the picture only."""
    shown = address if len(address) <= 600 else f"{address[:600]}…"
    return "\u200b".join(shown[at : at + 24] for at in range(0, len(shown), 24))
