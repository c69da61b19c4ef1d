"""The first-run set-up: one step at a time, with Back and Next."""

from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from notochord.core.errors import NotochordError
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, heading, remark, title
from notochord.ui.kit.file_dialogs import ask_folder, ask_save_file
from notochord.ui.kit.first_stop import first_stop
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.last_folders import Purpose
from notochord.ui.kit.life import lives
from notochord.ui.start.done_step import DoneStep
from notochord.ui.start.encryption_step import EncryptionStep
from notochord.ui.start.language_step import LanguageStep
from notochord.ui.start.page import Pages, StartPage
from notochord.ui.start.way_back_view import WayBackView
from notochord.viewmodels.start.setup import Setup, Step

WITH_SKIP = (Step.MODEL, Step.ROLES)

Pane = Callable[[], QWidget]


class SetupView(StartPage):
    """`panes` makes what step 3 and 4 show, once the organization is open: the settings' own tables."""

    def __init__(
        self, kit: Kit, setup: Setup, panes: Mapping[Step, Pane], open_link: Callable[[str], None],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(kit, parent)
        self._kit, self._setup, self._panes = kit, setup, panes
        self._open_link = open_link
        self._steps: dict[Step, QWidget] = {}
        self._to_lead = True
        self._pressed: QWidget | None = None
        self.title: Label = title(kit, kit.text("window.start.title"))
        self.progress: Label = remark(kit, "")
        self.way_back = WayBackView(kit, setup.organization.name, setup.way_back)
        self.column.addWidget(self.way_back)
        self.column.addWidget(self.title)
        self.column.addWidget(self.progress)
        self.stack = Pages()
        self.column.addWidget(self.stack, 1)
        self.error: Label = Label(kit, "", colour="danger", selectable=True)
        self.error.hide()
        self.column.addWidget(self.error)
        self._add_buttons()
        bind(self, setup.step, self._show_step)
        bind(self, setup.may_go_on, lambda _: self._show_buttons())
        bind(self, setup.opened, lambda _: self._show_step(setup.step.value))

    @property
    def step(self) -> Step:
        """The step that is shown."""
        return self._setup.step.value

    def begin(self) -> None:
        """Let the set-up look at what this computer offers."""
        self._run("begin the set-up", self._setup.start())

    def _add_buttons(self) -> None:
        text = self._kit.text
        self.back = Button(self._kit, text("window.start.back"), self._go_back)
        self.skip = Button(self._kit, text("window.start.skip"), lambda: self._run("skip", self._setup.skip()))
        self.next = Button(self._kit, text("window.start.next"), self._go_on, primary=True)
        self.next.setDefault(True)
        self.buttons.addWidget(self.back)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.skip)
        self.buttons.addWidget(self.next)

    def save_recovery_key(self) -> None:
        """Ask where the recovery key file is to be written, and write it there."""
        name = self._kit.text("window.start.recovery.file", name=self._setup.organization.name)
        ask_save_file(
            self._kit, self, self._kit.text("window.start.recovery.save"), name, self.save_recovery_key_as,
            Purpose.RECOVERY_KEY, ending="key", replaces=False,
        )  # fmt: skip

    def save_recovery_key_as(self, file: Path) -> None:
        """Write the recovery key file."""
        self._run("save the recovery key", self._setup.save_recovery_key(file))

    def choose_data(self) -> None:
        """Ask for the folder of data from another computer, and open it."""
        ask_folder(self._kit, self, self._kit.text("window.start.data.choose"), self.adopt, Purpose.DATA)

    def adopt(self, folder: Path) -> None:
        """Open the data in this folder."""
        self._run("take data over", self._setup.adopt(folder))

    def _go_on(self) -> None:
        done = self._setup.step.value is Step.DONE
        self._run("go on", self._setup.get_started() if done else self._setup.next())

    def _go_back(self) -> None:
        self._run("go back", self._setup.back())

    def _run(self, name: str, command: Coroutine[Any, Any, None]) -> None:
        self.error.hide()
        self._busy(True)
        self._kit.runner.run(self, name, command, done=lambda _: self._busy(False), failed=self._failed)

    def _failed(self, error: NotochordError) -> None:
        self._busy(False)
        self.error.setText(self._kit.failure(error))
        self.error.show()
        self.area.ensureWidgetVisible(self.error)

    def _busy(self, busy: bool) -> None:
        """While a step works nothing is pressed twice; what is disabled loses the keyboard and gets it back."""
        if busy:
            self._pressed = self.focusWidget()
        self.stack.setEnabled(not busy)
        self._show_buttons(busy=busy)
        if not busy:
            self._lead()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._lead()

    def _lead(self) -> None:
        """Give the keyboard to the first control of a step that was just entered, else to what had it before."""
        page = self.stack.shown
        if not self.isVisible() or page is None:
            return
        before, self._pressed = self._pressed, None
        if self._to_lead:
            before = first_stop(page) or (self.next if self.next.isEnabled() else self.skip)
            self._to_lead = False
        if before is not None and lives(before) and before.isEnabled():
            before.setFocus()

    def _show_step(self, step: Step) -> None:
        self.error.hide()
        self.progress.setText(self._kit.text("window.start.progress", step=int(step), count=len(Step)))
        self.stack.show_page(self._widget(step))
        self._to_lead = True
        self._show_buttons()
        self.area.verticalScrollBar().setValue(0)

    def _show_buttons(self, *, busy: bool = False) -> None:
        step = self._setup.step.value
        self.back.setVisible(step is not Step.LANGUAGE)
        self.skip.setVisible(step in WITH_SKIP)
        self.next.setText(self._kit.text("window.start.begin" if step is Step.DONE else "window.start.next"))
        waits = step in self._panes and self._setup.opened.value is None
        self.back.setEnabled(not busy)
        self.skip.setEnabled(not busy and not waits)
        self.next.setEnabled(not busy and not waits and self._setup.may_go_on.value)

    def _widget(self, step: Step) -> QWidget:
        """Return the step's widget; steps that need the open organization are made once it is."""
        if step in self._panes and self._setup.opened.value is None:
            return self._waiting()
        if step not in self._steps:
            self._steps[step] = self._made(step)
        return self._steps[step]

    def _made(self, step: Step) -> QWidget:
        if step is Step.LANGUAGE:
            return LanguageStep(self._kit, self._setup, self.choose_data)
        if step is Step.ENCRYPTION:
            return EncryptionStep(self._kit, self._setup, self.save_recovery_key)
        if step is Step.DONE:
            return DoneStep(self._kit, self._open_link)
        return self._pane(step)

    def _pane(self, step: Step) -> QWidget:
        """Put a heading and a remark above one of the settings' tables."""
        found = QWidget()
        column = QVBoxLayout(found)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._kit.theme.space.m)
        name = step.name.lower()
        column.addWidget(heading(self._kit, self._kit.text(f"window.start.step.{name}")))
        column.addWidget(remark(self._kit, self._kit.text(f"window.start.step.{name}.remark")))
        column.addWidget(self._panes[step](), 1)
        return found

    def _waiting(self) -> QWidget:
        waiting: Label = remark(self._kit, self._kit.text("window.start.opening"))
        waiting.setAlignment(Qt.AlignmentFlag.AlignTop)
        return waiting
