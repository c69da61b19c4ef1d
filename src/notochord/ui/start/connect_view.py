"""The page "Connect an AI model": provider and key, then a model (SETUP-045)."""

from collections.abc import Coroutine
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QVBoxLayout, QWidget

from notochord.core.errors import NotochordError
from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, heading, remark, title
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.life import lives
from notochord.ui.settings.parts import Card, Choice
from notochord.ui.start.page import Pages, StartPage
from notochord.viewmodels.settings.provider_rows import TEMPLATES, FileRow, Template, draft_of
from notochord.viewmodels.start.connect import ConnectModel, Stage

LIST_HEIGHT = 240
MEGABYTE = 1_000_000


class ConnectView(StartPage):
    """Both stages, the offer of an Ollama that runs, and the small model for those without an account."""

    def __init__(self, kit: Kit, model: ConnectModel, parent: QWidget | None = None) -> None:
        super().__init__(kit, parent)
        self._kit, self._model = kit, model
        self._pressed: QWidget | None = None
        self.title: Label = title(kit, kit.text("window.start.connect"))
        self.column.addWidget(self.title)
        self.column.addWidget(remark(kit, kit.text("window.start.connect.remark")))
        self.error: Label = Label(kit, "", colour="danger", selectable=True)
        self.error.hide()
        self.column.addWidget(self.error)
        self.stages = Pages()
        self._provider, self._models = self._provider_stage(), self._model_stage()
        for stage in (self._provider, self._models):
            self.stages.hold(stage)
        self.column.addWidget(self.stages)
        self.column.addStretch(1)
        self._bottom()
        bind(self, model.stage, self._show_stage)
        bind(self, model.offered, lambda _: self._show_models())
        bind(self, model.providers.ollama, lambda found: self.ollama.setVisible(found is not None))
        bind_list(self, model.providers.files, self._show_small)

    def _provider_stage(self) -> QWidget:
        kit, text = self._kit, self._kit.text
        stage = QWidget()
        column = QVBoxLayout(stage)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.l)
        column.addWidget(self._ollama_offer())
        form = Card(kit)
        self.kind = Choice(text("window.start.connect.provider"))
        for template in TEMPLATES:
            self.kind.addItem(template.name or text("window.start.connect.private"), template)
        self.address, self.key = QLineEdit(), QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.address_field = self._field("address", self.address)
        self.key_field = self._field("key", self.key)
        for field in (self._field("provider", self.kind), self.address_field, self.key_field):
            form.column.addWidget(field)
        self.key_remark: Label = remark(kit, "")
        self.plain: Label = Label(kit, text("window.start.connect.plain"), colour="warning")
        self.connect_button = Button(kit, text("window.start.connect.connect"), self.connect_provider, primary=True)
        for widget in (self.key_remark, self.plain):
            form.column.addWidget(widget)
        form.column.addLayout(_at_left(self.connect_button))
        column.addWidget(form)
        column.addWidget(self._small_offer())
        self.kind.currentIndexChanged.connect(lambda _: self._show_kind())
        self.key.returnPressed.connect(self.connect_provider)
        self.address.textChanged.connect(lambda _: self._warn())
        for field in (self.address, self.key):
            field.textEdited.connect(lambda _: self.error.hide())
        self._show_kind()
        return stage

    def _ollama_offer(self) -> QWidget:
        """What stands at the top while an Ollama runs on this computer (SETUP-046)."""
        kit = self._kit
        self.ollama = Card(kit, tight=True)
        row = QHBoxLayout()
        row.setSpacing(kit.theme.space.m)
        row.addWidget(Label(kit, kit.text("window.start.connect.ollama")), 1)
        self.use_ollama = Button(kit, kit.text("window.start.connect.ollama.use"), self._use_ollama)
        row.addWidget(self.use_ollama)
        self.ollama.column.addLayout(row)
        return self.ollama

    def _small_offer(self) -> QWidget:
        kit = self._kit
        self.small = Card(kit)
        self.small.column.addWidget(heading(kit, kit.text("window.start.connect.small")))
        self.small_remark: Label = remark(kit, "")
        self.small.column.addWidget(self.small_remark)
        self.use_small = Button(kit, kit.text("window.start.connect.small.use"), self._use_small)
        self.small.column.addLayout(_at_left(self.use_small))
        self.small.hide()
        return self.small

    def _model_stage(self) -> QWidget:
        kit, text = self._kit, self._kit.text
        stage = Card(kit)
        self.model_remark: Label = Label(kit, "")
        stage.column.addWidget(self.model_remark)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(text("window.start.connect.model.filter"))
        self.filter.setAccessibleName(text("window.start.connect.model.filter"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(lambda _: self._show_models())
        stage.column.addWidget(self.filter)
        self.models = QListWidget()
        self.models.setAccessibleName(text("window.start.connect.model"))
        self.models.setMinimumHeight(LIST_HEIGHT)
        self.models.currentItemChanged.connect(lambda *_: self._show_begin())
        self.models.itemActivated.connect(lambda _: self.begin())
        stage.column.addWidget(self.models)
        row = QHBoxLayout()
        row.setSpacing(kit.theme.space.s)
        self.back = Button(kit, text("window.start.connect.back"), self._go_back)
        self.begin_button = Button(kit, text("window.start.connect.begin"), self.begin, primary=True)
        row.addWidget(self.back)
        row.addStretch(1)
        row.addWidget(self.begin_button)
        stage.column.addLayout(row)
        return stage

    def _bottom(self) -> None:
        text = self._kit.text
        self.file = Button(self._kit, text("window.start.connect.file"), self._model.open_settings, gives_way=True)
        self.skip = Button(self._kit, text("window.start.connect.skip"), self._model.skip)
        self.buttons.addWidget(self.file)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.skip)

    @property
    def template(self) -> Template:
        """The kind of provider that is chosen."""
        chosen: Template = self.kind.currentData()
        return chosen

    def connect_provider(self) -> None:
        """Connect the chosen provider with the typed key."""
        draft = draft_of(self.template, self.template.name or self._host(), self.address.text())
        self._run("connect a provider", self._model.connect(draft, self.key.text().strip()))

    def begin(self) -> None:
        """Use the chosen model."""
        if (item := self.models.currentItem()) is not None:
            self._run("use a model", self._model.get_started(item.text()))

    def _use_ollama(self) -> None:
        self._run("use Ollama", self._model.use_ollama())

    def _use_small(self) -> None:
        file = self._small_file()
        if file is not None:
            name = self._kit.text("window.start.connect.this_computer")
            self.use_small.setText(self._kit.text("window.start.connect.small.fetching"))
            self._run("use the small model", self._model.use_small_model(file, name))

    def _go_back(self) -> None:
        self._run("choose another provider", self._model.back())

    def _run(self, name: str, command: Coroutine[Any, Any, None]) -> None:
        self.error.hide()
        self._pressed = self.focusWidget()
        self.stages.setEnabled(False)
        self._kit.runner.run(self, name, command, done=lambda _: self._ready(), failed=self.show_failure)

    def _ready(self) -> None:
        self.stages.setEnabled(True)
        self._lead()
        self.use_small.setText(self._kit.text("window.start.connect.small.use"))

    def show_failure(self, error: NotochordError) -> None:
        """What the provider said stands in place, and everything that was typed stays (OPEN-028)."""
        self._ready()
        if self._pressed is not None and lives(self._pressed):
            self._pressed.setFocus()  # what is disabled loses the keyboard
        self.error.setText(self._kit.failure(error))
        self.error.show()
        self.area.ensureWidgetVisible(self.error)

    def _show_stage(self, stage: Stage) -> None:
        second = stage is Stage.MODEL
        self.stages.show_page(self._models if second else self._provider)
        if second:
            self.key.clear()
            self.filter.clear()
            self._lead()

    def _lead(self) -> None:
        """Let Return use the model that is chosen; what is disabled, as while a provider answers, takes no focus."""
        if self.stages.shown is self._models and self.stages.isEnabled():
            self.models.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_models(self) -> None:
        name, offered = self._model.provider.value, self._model.offered.value
        key = "window.start.connect.model.remark" if offered else "window.start.connect.model.none"
        self.model_remark.setText(self._kit.text(key, name=name))
        for widget in (self.filter, self.models):
            widget.setVisible(bool(offered))
        words = self.filter.text().strip().casefold()
        self.models.clear()
        self.models.addItems([one for one in offered if words in one.casefold()])
        self.models.setCurrentRow(0 if self.models.count() else -1)
        self._show_begin()

    def _show_begin(self) -> None:
        self.begin_button.setEnabled(self.models.currentItem() is not None)

    def _show_kind(self) -> None:
        template = self.template
        self.address.setText(template.address)
        self.address_field.setVisible(bool(template.address) or template.address_needed)
        key = "window.start.connect.key.remark" if template.key_needed else "window.start.connect.key.none"
        self.key_field.setVisible(template.key_needed or template.address_needed)
        self.key_remark.setText(self._kit.text("window.start.connect.key.remark" if template.address_needed else key))
        self.error.hide()
        self._warn()

    def _warn(self) -> None:
        host = self.address.text().strip().lower()
        here = host.removeprefix("http://").startswith(("localhost", "127.", "[::1]"))
        self.plain.setVisible(host.startswith("http://") and not here)

    def _host(self) -> str:
        return self.address.text().strip().partition("://")[2].partition("/")[0] or self.address.text().strip()

    def _small_file(self) -> FileRow | None:
        """Return the model of the catalogue, which can be tried without an account."""
        return next((row for row in self._model.providers.files if row.licence and not row.used), None)

    def _show_small(self) -> None:
        file = self._small_file()
        self.small.setVisible(file is not None)
        if file is not None:
            size = f"{file.size / MEGABYTE:.0f} MB"
            text = self._kit.text("window.start.connect.small.remark", name=file.name, size=size, licence=file.licence)
            self.small_remark.setText(text)

    def _field(self, name: str, control: QWidget) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._kit.theme.space.xs)
        label: Label = Label(self._kit, self._kit.text(f"window.start.connect.{name}"))
        label.setBuddy(control)
        control.setAccessibleName(label.text())
        column.addWidget(label)
        column.addWidget(control)
        return holder


def _at_left(button: Button) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(button)
    row.addStretch(1)
    return row
