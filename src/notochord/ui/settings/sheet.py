"""Small windows over a section: a form with its error, or the question before something is destroyed."""

from collections.abc import Callable, Coroutine
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QProgressBar, QVBoxLayout, QWidget

from notochord.core.errors import NotochordError
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, heading
from notochord.ui.kit.controls.scroll_page import readable_width
from notochord.ui.kit.kept_focus import keyboard_kept
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.parts import plain, widgets_in
from notochord.ui.settings.sheet_body import LEAST, SheetBody

WIDTH = 480
FRAME = 48
"""Pixels of the screen that are left to the frame of a window."""


class Sheet(QDialog):
    """A form: heading, text, fields in `body`, an error where there is one, and buttons. Shown with `open()`.

    `accept_text` names what the primary button does; while its work runs the form waits and can be cancelled.
    """

    def __init__(
        self, kit: Kit, text: str, explanation: str = "", parent: QWidget | None = None, *,
        accept_text: str, danger: bool = False, width: int = WIDTH,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.kit = kit
        self._cancel_work: Callable[[], None] | None = None
        self._listens = False
        self._pressed = False
        space = kit.theme.space
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(text)
        self.setFixedWidth(min(readable_width(kit, width), self.screen().availableGeometry().width() - FRAME))
        column = QVBoxLayout(self)
        column.setContentsMargins(space.xl, space.xl, space.xl, space.xl)
        column.setSpacing(space.m)
        column.addWidget(heading(kit, text))
        if explanation:
            column.addWidget(Label(kit, explanation))
        self._area = SheetBody(kit, self._take_room)
        self.body = self._area.column
        column.addWidget(self._area)
        column.addStretch(1)
        self.error: Label = Label(kit, "", colour="danger", selectable=True)
        self.error.hide()
        column.addWidget(self.error)
        self.busy = QProgressBar()
        self.busy.setRange(0, 0)
        self.busy.setTextVisible(False)
        self.busy.setAccessibleName(kit.text("window.settings.busy"))
        self.busy.hide()
        column.addWidget(self.busy)
        column.addLayout(self._buttons(accept_text, danger=danger))

    def _buttons(self, accept_text: str, *, danger: bool) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(self.kit.theme.space.s)
        self.extra = QHBoxLayout()
        row.addLayout(self.extra)
        row.addStretch(1)
        self.cancel_button = Button(self.kit, self.kit.text("window.settings.cancel"), self.reject)
        self.accept_button = Button(self.kit, accept_text, self.submit, primary=not danger, danger=danger)
        self.accept_button.setDefault(True)
        row.addWidget(self.cancel_button)
        row.addWidget(self.accept_button)
        return row

    def sizeHint(self) -> QSize:
        """Return the height that the wrapped texts need at the fixed width, at most that of the screen."""
        width, column = self.maximumWidth(), self.layout()
        if column is None:
            return QSize(width, 0)
        margins = column.contentsMargins()
        rest = column.totalHeightForWidth(width) - (0 if self._area.isHidden() else self._area.minimumHeight())
        room = self.screen().availableGeometry().height() - FRAME - rest
        wanted = self._area.wanted(width - margins.left() - margins.right())
        return QSize(width, rest + min(wanted, max(room, LEAST)))

    def event(self, event: QEvent) -> bool:
        """Grow and shrink with what is shown."""
        done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:
            self._take_room()
        return done

    def _take_room(self) -> None:
        """Be as high as it takes, and wholly on the screen."""
        column = self.layout()
        if column is None:
            return
        self._area.setVisible(bool(self.body.count()))
        before = 0 if self._area.isHidden() else self._area.minimumHeight()
        hint = self.sizeHint()
        self._area.setFixedHeight(hint.height() - (column.totalHeightForWidth(hint.width()) - before))
        self.resize(hint)
        frame, screen = self.frameGeometry(), self.screen().availableGeometry()
        if self.isVisible() and frame.bottom() > screen.bottom():
            self.move(frame.left(), max(screen.top(), frame.top() - (frame.bottom() - screen.bottom())))

    def showEvent(self, event: QShowEvent) -> None:
        """Let Tab go through the fields, then the buttons, and begin in the first field, else at the default button."""
        fields = [widget for widget in widgets_in(self.body) if widget.focusPolicy() & Qt.FocusPolicy.TabFocus]
        if not self._listens:
            self._listens = True
            for field in fields:
                if isinstance(field, QLineEdit):
                    field.textEdited.connect(lambda _: self.edited())
        chain = [*fields, *widgets_in(self.extra), self.cancel_button, self.accept_button]
        for before, after in pairwise(chain):
            QWidget.setTabOrder(before, after)
        if fields:
            fields[0].setFocus()
        elif self.accept_button.isDefault():
            self.accept_button.setFocus()
        super().showEvent(event)
        self._take_room()

    def edited(self) -> None:
        """Another word was typed: what was wrong with the former ones is said no more."""
        self.show_error("")

    def submit(self) -> None:
        """Do what the primary button names; forms put their own work here."""
        self.accept()

    def work(self, name: str, command: Coroutine[Any, Any, Any], done: Callable[[Any], None]) -> None:
        """Run the command of the form: busy meanwhile, its failure shown in the form."""
        self.set_busy(True)

        def finished(result: Any) -> None:
            self.set_busy(False)
            done(result)

        self._cancel_work = self.kit.runner.run(self, name, command, done=finished, failed=self.failed)

    def failed(self, error: NotochordError) -> None:
        """Show a failure; everything that was typed stays."""
        self.set_busy(False)
        self.show_error(self.kit.failure(error))

    def show_error(self, text: str) -> None:
        """Show a sentence above the buttons; an empty one hides it."""
        self.error.setText(text)
        self.error.setVisible(bool(text))

    def set_busy(self, busy: bool) -> None:
        """Show that something goes on; the fields wait, and Cancel stays."""
        self.busy.setVisible(busy)
        if busy:
            self._pressed = self.focusWidget() is self.accept_button
            with keyboard_kept(self.accept_button, self.cancel_button):
                self.accept_button.setEnabled(False)
            self.show_error("")
            return
        self.accept_button.setEnabled(True)
        if self._pressed and self.focusWidget() is self.cancel_button:
            self.accept_button.setFocus()

    def reject(self) -> None:
        """Give up, and with it the work under way."""
        if self._cancel_work is not None:
            self._cancel_work()
        super().reject()


class Confirmation(Sheet):
    """The question before something is destroyed: what it names, what goes with it, and a name to type if asked."""

    def __init__(
        self, kit: Kit, text: str, explanation: str, parent: QWidget | None = None, *,
        accept_text: str, consequences: tuple[str, ...] = (), typed: str = "", typed_label: str = "",
        command: Callable[[], Coroutine[Any, Any, Any]],
    ) -> None:  # fmt: skip
        super().__init__(kit, text, explanation, parent, accept_text=accept_text, danger=True)
        self._command = command
        for consequence in consequences:
            self.body.addWidget(Label(kit, "•  " + consequence))
        self.typed = QLineEdit()
        self._wanted = typed
        if typed:
            self.body.addLayout(form_field(kit, typed_label, self.typed))
            self.typed.textChanged.connect(self._compare)
            self._compare("")
        else:
            self.typed.deleteLater()
            self.accept_button.setDefault(False)
            self.cancel_button.setDefault(True)
            self.cancel_button.setFocus()

    def submit(self) -> None:
        """Destroy it."""
        self.work("confirmed", self._command(), lambda _: self.accept())

    def _compare(self, text: str) -> None:
        self.accept_button.setEnabled(text == self._wanted)


def form_field(kit: Kit, text: str, control: QWidget, explanation: str = "") -> QVBoxLayout:
    """Return a label, the control below it and a remark, as forms in a sheet have them."""
    column = QVBoxLayout()
    column.setSpacing(kit.theme.space.xs)
    label = Label(kit, plain(text))
    label.setBuddy(control)
    column.addWidget(label)
    column.addWidget(control)
    if not control.accessibleName():
        control.setAccessibleName(text)
    if explanation:
        below = Label(kit, explanation, colour="text_soft", size="small")
        column.addWidget(below)
        control.setAccessibleDescription(explanation)
    return column
