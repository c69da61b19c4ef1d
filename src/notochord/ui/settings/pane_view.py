"""Shows a section's content, or that it is being loaded, or why it could not be."""

from collections.abc import Callable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from notochord.core.observable import Observable
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.states import State
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.settings.pane import Pane, PaneState


class PaneView(QWidget):
    """The content of a section in the state that the view-model says; `retry` loads again."""

    def __init__(
        self, kit: Kit, state: Observable[PaneState], content: QWidget, retry: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit, self._content, self._retry = kit, content, retry
        self._other: State | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(content)
        bind(self, state, self._show)

    def _show(self, state: PaneState) -> None:
        if self._other is not None:
            self._column.removeWidget(self._other)
            self._other.hide()
            self._other.deleteLater()
            self._other = None
        self._content.setVisible(state.pane is Pane.READY)
        if state.pane is Pane.READY:
            return
        text = self._kit.text
        if state.pane is Pane.LOADING:
            self._other = State(self._kit, text("window.settings.loading"), busy=True)
        else:
            told = self._kit.failure(state.error) if state.error else ""
            again = text("window.settings.again")
            self._other = State(
                self._kit, text("window.settings.failed"), told, action=again, on_action=self._retry, failed=True
            )
        self._column.addWidget(self._other, 1)
