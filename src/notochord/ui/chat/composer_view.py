"""The composer: field, files, model, plan mode, send and stop."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, Qt
from PySide6.QtGui import QImage, QImageWriter, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.observable import Observable
from notochord.ui.chat.attachments_row import AttachmentsRow
from notochord.ui.chat.message_edit import EditActs, MessageEdit, take_files
from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.controls.buttons import Button, IconButton
from notochord.ui.kit.controls.lead import Lead
from notochord.ui.kit.controls.notice_bar import NoticeBar
from notochord.ui.kit.file_dialogs import ask_open_files
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.last_folders import Purpose
from notochord.ui.kit.painting import panel
from notochord.viewmodels.chat.composer import Composer

WIDEST = 768


@dataclass(frozen=True, slots=True)
class ComposerActs:
    """What the composer asks of the page beside sending; without `stop` there is never anything to stop."""

    stop: Callable[[], None] | None = None
    recall: Callable[[], None] = lambda: None


class ComposerView(Lead):
    """`extras` stand at the left of the lower row after the paper clip, `sides` at its right before the send button."""

    def __init__(
        self, kit: Kit, composer: Composer, send_with_control: Observable[bool], acts: ComposerActs,
        parent: QWidget | None = None, *, extras: tuple[QWidget, ...] = (), sides: tuple[QWidget, ...] = (),
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit, self._composer, self._acts = kit, composer, acts
        self._busy = self._held = self._awaits_drop = False
        self._keys = ""
        self.setMaximumWidth(WIDEST)
        self.edit_acts = EditActs(
            self.send, self._attach, self._paste_image, self._paste_picture, self._takes_text, acts.recall
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.s)
        self.problem = NoticeBar(kit, "", "error", self, on_close=lambda: composer.problem.set(None))
        column.addWidget(self.problem)
        self.editing = NoticeBar(
            kit, kit.text("window.chat.editing"), "info", self, action=kit.text("window.chat.editing_cancel"),
            on_action=self._cancel_edit,
        )  # fmt: skip
        column.addWidget(self.editing)
        self._frame = _Frame(kit)
        column.addWidget(self._frame)
        self._fill(self._frame, extras, sides)
        bind(self, composer.text, self._show_text)
        bind(self, composer.problem, self._show_problem)
        bind(self, composer.editing, self._show_editing)
        bind_list(self, composer.attachments, self._enable)
        bind(self, composer.taking_in, lambda _: self._enable())
        bind(self, send_with_control, self._show_keys)
        self.edit.textChanged.connect(self._text_changed)
        self.lead_to(self.edit)

    def show_busy(self, busy: bool, *, held: bool = False) -> None:
        """While an answer is under way a message waits, and the answer can be stopped.

        While the messages that wait are `held`, one that is sent waits with them.
        """
        self._busy, self._held = busy, held
        self.stop.setVisible(busy and self._acts.stop is not None)
        self._show_hint()
        self._enable()

    def send(self) -> None:
        """Send what is written, or let it wait; an earlier message is not changed while an answer is under way."""
        if self.button.isEnabled():
            self._composer.send()

    def await_drop(self, awaited: bool) -> None:
        """Show where files land that are dragged over the page now."""
        self._awaits_drop = awaited
        self._frame.lit = awaited
        self._frame.update()
        self._show_hint()

    def take(self, source: QMimeData) -> bool:
        """Take files or a picture that were dropped on the page."""
        self.await_drop(False)
        return take_files(source, self.edit_acts)

    def choose_files(self) -> QFileDialog:
        """Let the user choose files to attach."""
        return ask_open_files(self._kit, self, self._kit.text("window.chat.attach"), self._attach, Purpose.ATTACH)

    def _fill(self, frame: QWidget, extras: tuple[QWidget, ...], sides: tuple[QWidget, ...]) -> None:
        kit, space = self._kit, self._kit.theme.space
        column = QVBoxLayout(frame)
        column.setContentsMargins(space.s, space.s, space.s, space.s)
        column.setSpacing(space.xs)
        self.attachments = AttachmentsRow(kit, self._composer, lambda: self.edit.setFocus(), frame)
        column.addWidget(self.attachments)
        self.edit = MessageEdit(kit, self.edit_acts)
        column.addWidget(self.edit)
        row = QHBoxLayout()
        row.setSpacing(space.xs)
        self.attach = IconButton(kit, "attach", kit.text("window.chat.attach"), lambda: self._choose())
        row.addWidget(self.attach)
        for extra in extras:
            row.addWidget(extra)
        row.addStretch(1)
        for side in sides:
            row.addWidget(side)
        row.addSpacing(space.xs)
        self.stop = Button(kit, kit.text("window.chat.stop"), self._stop, icon_name="stop")
        row.addWidget(self.stop)
        self.stop.hide()
        self.button = Button(kit, kit.text("window.chat.send"), self.send, primary=True)
        row.addWidget(self.button)
        for button in (*extras, *sides, self.stop, self.button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # who presses one by mouse goes on writing
        column.addLayout(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves an earlier message as it is."""
        if event.key() == Qt.Key.Key_Escape and self._composer.editing.value:
            self._cancel_edit()
        else:
            super().keyPressEvent(event)

    def _cancel_edit(self) -> None:
        self.edit.setFocus()
        self._composer.cancel_edit()

    def _choose(self) -> None:
        self.choose_files()

    def _stop(self) -> None:
        if self._acts.stop is not None:
            self._acts.stop()

    def _text_changed(self) -> None:
        self._composer.set_text(self.edit.toPlainText())
        self._enable()

    def _show_text(self, text: str) -> None:
        if text != self.edit.toPlainText():
            self.edit.setPlainText(text)
            self.edit.moveCursor(self.edit.textCursor().MoveOperation.End)

    def _show_problem(self, error: NotochordError | None) -> None:
        if error is not None:
            self.problem.tell(self._kit.failure(error))
        self.problem.setVisible(error is not None)

    def _show_editing(self, entry: str) -> None:
        self.editing.setVisible(bool(entry))
        self._show_hint()
        if entry:
            self.edit.setFocus()

    def _show_keys(self, with_control: bool) -> None:
        self.edit.send_with_control = with_control
        self._keys = self._kit.keys("Ctrl+Return" if with_control else "Return")
        self._show_hint()

    def _show_hint(self) -> None:
        text, editing = self._kit.text, bool(self._composer.editing.value)
        hint = "hint_held" if self._held else "hint_busy" if self._busy else "hint"
        self.edit.show_hint(text(f"window.chat.{'hint_drop' if self._awaits_drop else hint}"))
        key = "send_edit" if editing else "send_held" if self._held else "send_later" if self._busy else "send"
        act = text(f"window.chat.{key}")
        self.button.setText(act)
        self.button.setToolTip(text("window.chat.send_keys", act=act, keys=self._keys))

    def _enable(self) -> None:
        self.button.setEnabled(self._composer.can_send and not (self._busy and bool(self._composer.editing.value)))

    def _attach(self, files: list[Path]) -> None:
        self._kit.runner.run(self, "attach", self._composer.attach(files))

    def _takes_text(self, text: str) -> bool:
        if not self._composer.takes_as_file(text):
            return False
        self._kit.runner.run(self, "paste", self._composer.paste_text(text))
        return True

    def _paste_image(self, image: QImage) -> None:
        self._kit.runner.run(self, "paste a picture", self._composer.paste_image(lambda: _png(image)))

    def _paste_picture(self, content: bytes, ending: str) -> None:
        self._kit.runner.run(self, "paste a picture", self._composer.paste_picture(content, ending))


class _Frame(QWidget):
    """The rounded ground of the field and its buttons."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        self.lit = False
        kit.theme.changed.connect(self.update)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Who presses beside the text means to write."""
        super().mousePressEvent(event)
        if (edit := self.findChild(MessageEdit)) is not None:
            edit.setFocus(Qt.FocusReason.MouseFocusReason)

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._kit.theme
        edit = self.findChild(MessageEdit)
        focused = self.lit or (edit is not None and edit.hasFocus())
        painter = QPainter(self)
        line, width = ("focus", 2.0) if focused else ("border_field", 1.0)
        panel(painter, self.rect(), theme.tokens.radius.large, theme.colour("field"), theme.colour(line), width)
        painter.end()


def _png(image: QImage) -> bytes:
    """Return a picture as a file; called in a thread, since a large one takes long."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not QImageWriter(buffer, QByteArray(b"png")).write(image):
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "the picture cannot be written", why="why.picture_unwritable"
        )
    return bytes(buffer.data().data())
