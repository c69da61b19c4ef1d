"""Settings › System: language, look, the window, conversations, limits (SET-004)."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from notochord.core.observable import Observable
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.pane_view import PaneView
from notochord.ui.settings.parts import CONTROL_WIDTH, Choice, Column, Group, Number, Row
from notochord.viewmodels.settings.system import OFFERED_LANGUAGES, Chosen, SystemModel
from notochord.viewmodels.shell.preferences import TEXT_SIZES, Closing

Kept = TypeVar("Kept", str, int, bool)
Command = Coroutine[Any, Any, None]
THEMES = ("system", "light", "dark")
MOST_TOKENS = 100_000_000
MOST_STEPS = 1_000


class SystemSection(Column):
    """Every choice is in force at once; there is nothing to save. `open_network` shows the network rules (SET-004)."""

    def __init__(
        self, kit: Kit, model: SystemModel, open_network: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(kit, kit.text("window.settings.system.title"), "", parent)
        self._kit, self._model = kit, model
        self.controls: dict[str, QWidget] = {}
        self._rows: dict[str, Row] = {}
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.l)
        for group in (self._look(), self._window(), self._network(open_network), self._conversations(), self._limits()):
            column.addWidget(group)
        column.addStretch(1)
        self.column.addWidget(PaneView(kit, model.state, content, self._load), 1)

    def _look(self) -> Group:
        model, text = self._model, self._kit.text
        group = Group(self._kit, text("window.settings.system.look"))
        languages = [(text(f"window.settings.language.{one or 'system'}"), one) for one in OFFERED_LANGUAGES]
        self._choice(group, "language", languages, model.language, model.choose_language)
        themes = [(text(f"window.settings.theme.{one}"), one) for one in THEMES]
        self._choice(group, "theme", themes, model.theme.value, model.theme.change)
        sizes = [(f"{one} %", one) for one in TEXT_SIZES]
        self._choice(group, "text_size", sizes, model.text_size.value, model.text_size.change)
        self._check(group, "reduced_motion", model.reduced_motion.value, model.reduced_motion.change)
        return group

    def _window(self) -> Group:
        model, text = self._model, self._kit.text
        group = Group(self._kit, text("window.settings.system.window"))
        closing = [(text(f"window.settings.closing.{one}"), one.value) for one in Closing]
        self._choice(group, "closing", closing, model.closing.value, model.closing.change)
        bind(self, model.has_tray, self._show_tray)
        self._check(group, "at_login", model.at_login, model.start_at_login)
        self._check(group, "notify", model.notify.value, model.notify.change)
        return group

    def _show_tray(self, there: bool) -> None:
        self.controls["closing"].setEnabled(there)
        self._rows["closing"].set_hint("" if there else self._kit.text("window.settings.system.no_tray"))

    def _network(self, open_network: Callable[[], None]) -> Group:
        text = self._kit.text
        group = Group(self._kit, text("window.settings.network.title"))
        button = Button(self._kit, text("window.settings.system.network.open"), open_network)
        self._row(group, "network", button, width=0)
        return group

    def _conversations(self) -> Group:
        model, text = self._model, self._kit.text
        group = Group(self._kit, text("window.settings.system.conversations"))
        sends = [(self._kit.keys("Return"), False), (self._kit.keys("Ctrl+Return"), True)]
        self._choice(group, "send", sends, model.send_with_control.value, model.send_with_control.change)
        self._number(group, "compress", model.summarize_above, 0, MOST_TOKENS, 10_000)
        return group

    def _limits(self) -> Group:
        group = Group(self._kit, self._kit.text("window.settings.system.limits"))
        self._number(group, "max_steps", self._model.max_steps, 1, MOST_STEPS, 10)
        self._number(group, "token_limit", self._model.token_limit, 0, MOST_TOKENS, 100_000)
        return group

    def _row(self, group: Group, name: str, control: QWidget, width: int = CONTROL_WIDTH) -> None:
        text = self._kit.text
        key = f"window.settings.system.{name}"
        explanation = text(f"{key}.remark")
        told = "" if explanation == f"{key}.remark" else explanation
        self._rows[name] = Row(self._kit, text(key), control, told, width=width)
        self.controls[name] = control
        group.add(self._rows[name])

    def _choice(
        self, group: Group, name: str, offered: list[tuple[str, Kept]], value: Observable[Kept],
        change: Callable[[Kept], Command],
    ) -> None:  # fmt: skip
        control = Choice()
        for shown, data in offered:
            control.offer_value(shown, data)

        def chosen(_: int) -> None:
            wanted = control.value
            control.show_choice(value.value)  # what is shown is what is in force, also when the change fails
            self._run(name, change(wanted))

        control.activated.connect(chosen)
        self._row(group, name, control)
        bind(control, value, control.show_choice)

    def _check(
        self, group: Group, name: str, value: Observable[Any],
        change: Callable[[bool], Command],
    ) -> None:  # fmt: skip
        control = QCheckBox()

        def show(wanted: bool | None) -> None:
            control.setEnabled(wanted is not None)
            control.setChecked(bool(wanted))

        def clicked(checked: bool) -> None:
            show(value.value)
            self._run(name, change(checked))

        control.clicked.connect(clicked)
        self._row(group, name, control)
        control.setFixedWidth(control.sizeHint().width())
        bind(control, value, show)

    def _number(self, group: Group, name: str, chosen: Chosen[int], lowest: int, highest: int, step: int) -> None:
        control = Number(self._kit, lowest, highest, step)
        if lowest == 0:
            control.setSpecialValueText(self._kit.text(f"window.settings.system.{name}.none"))
        control.valueChanged.connect(lambda value: self._run(name, chosen.change(value)))
        self._row(group, name, control)

        def show(value: int) -> None:
            control.blockSignals(True)
            control.setValue(value)
            control.blockSignals(False)

        bind(control, chosen.value, show)

    def _run(self, name: str, command: Command) -> None:
        self._kit.runner.run(self, f"change {name}", command)

    def _load(self) -> None:
        self._run("load", self._model.load())
