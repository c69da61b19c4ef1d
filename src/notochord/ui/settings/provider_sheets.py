"""The forms of the table of providers: connect one, choose its models, change its key."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QWidget

from notochord.core.errors import NotochordError
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.parts import Choice
from notochord.ui.settings.sheet import Sheet, form_field
from notochord.viewmodels.settings.provider_rows import TEMPLATES, Template, draft_of
from notochord.viewmodels.settings.providers import ProvidersModel

Connected = Callable[[str, tuple[str, ...]], None]


class ConnectSheet(Sheet):
    """Asks for provider, name, address and key; `connected` hears the name and the models it answered with.

    If the provider does not answer, its message stands in the form, nothing is kept, and the form stays (OPEN-028).
    """

    def __init__(self, kit: Kit, model: ProvidersModel, connected: Connected, parent: QWidget | None = None) -> None:
        text = kit.text
        super().__init__(
            kit, text("window.settings.connect.title"), "", parent, accept_text=text("window.settings.connect.accept")
        )
        self._model = model
        self._connected = connected
        self.kind = Choice()
        for template in TEMPLATES:
            self.kind.offer_value(template.name or text("window.settings.connect.private"), template)
        self.name = QLineEdit()
        self.address = QLineEdit()
        self.key = QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.body.addLayout(form_field(kit, text("window.settings.connect.kind"), self.kind))
        self.body.addWidget(self._field("name", self.name))
        self._address_field = self._field("address", self.address)
        self.body.addWidget(self._address_field)
        self.body.addWidget(self._field("key", self.key))
        self.plain = Label(kit, text("window.settings.connect.plain"), size="small", colour="warning")
        self.body.addWidget(self.plain)
        self.anyway = Button(kit, text("window.settings.connect.anyway"), self._connect_untested, gives_way=True)
        self.anyway.hide()
        self.extra.addWidget(self.anyway)
        self.kind.currentIndexChanged.connect(lambda _: self._chosen())
        self.address.textChanged.connect(lambda _: self._warn())
        self._chosen()

    @property
    def template(self) -> Template:
        """The kind that is chosen."""
        chosen: Template = self.kind.value
        return chosen

    def submit(self) -> None:
        """Connect and ask for the models."""
        draft = draft_of(self.template, self.name.text(), self.address.text())
        self.anyway.hide()
        self.work("connect a provider", self._model.connect(draft, self.key.text().strip()), self._done)

    def failed(self, error: NotochordError) -> None:
        """Show what the provider said; one that cannot be asked may be connected all the same."""
        super().failed(error)
        self.anyway.setVisible(error.code not in ("E_INPUT_INVALID", "E_PROVIDER_EXISTS"))

    def edited(self) -> None:
        """What was said of the former words counts no more, nor does the way round it."""
        super().edited()
        self.anyway.hide()

    def _connect_untested(self) -> None:
        draft = draft_of(self.template, self.name.text(), self.address.text())
        command = self._model.connect_untested(draft, self.key.text().strip())
        self.work("connect a provider untested", command, lambda _: self._done(()))

    def _done(self, models: tuple[str, ...]) -> None:
        name = self.name.text().strip()
        self.key.clear()
        self.accept()
        self._connected(name, models)

    def _chosen(self) -> None:
        template = self.template
        text = self.kit.text
        self.name.setText(template.name)
        self.name.setPlaceholderText(text("window.settings.connect.name.example"))
        self.address.setText(template.address)
        self.address.setPlaceholderText(text("window.settings.connect.address.example"))
        self._address_field.setVisible(bool(template.address) or template.address_needed)
        self.key.clear()  # a key belongs to the provider that was chosen when it was typed
        optional = "" if template.key_needed else text("window.settings.connect.key.optional")
        self.key.setPlaceholderText(optional)
        self.anyway.hide()
        self.show_error("")
        self._warn()

    def _warn(self) -> None:
        self.plain.setVisible(self.address.text().strip().lower().startswith("http://") and not self._is_here())

    def _is_here(self) -> bool:
        host = self.address.text().strip().lower().removeprefix("http://")
        return host.startswith(("localhost", "127.", "[::1]"))

    def _field(self, name: str, control: QLineEdit) -> QWidget:
        holder = QWidget()
        key = f"window.settings.connect.{name}"
        explanation = "" if name == "name" else self.kit.text(f"{key}.remark")
        layout = form_field(self.kit, self.kit.text(key), control, explanation)
        layout.setContentsMargins(0, 0, 0, 0)
        holder.setLayout(layout)
        return holder


class ModelsSheet(Sheet):
    """Chooses which models of a provider are used, from its own list or typed by hand."""

    def __init__(
        self, kit: Kit, model: ProvidersModel, name: str, used: tuple[str, ...], offered: tuple[str, ...] | None,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        text = kit.text
        super().__init__(
            kit, text("window.settings.models.title", name=name), text("window.settings.models.remark"), parent,
            accept_text=text("window.settings.save"),
        )  # fmt: skip
        self._model = model
        self._name = name
        self._checked = set(used)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(text("window.settings.models.filter"))
        self.filter.setAccessibleName(text("window.settings.models.filter"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(lambda _: self._filter())
        self.body.addWidget(self.filter)
        self.list = QListWidget()
        self.list.setAccessibleName(text("window.settings.models.list"))
        self.list.setMinimumHeight(220)
        self.list.itemChanged.connect(self._toggled)
        self.body.addWidget(self.list)
        self._typing()
        self.show_models(tuple(dict.fromkeys((*used, *(offered or ())))))
        if offered is None:
            self.ask()

    def ask(self) -> None:
        """Ask the provider for its list."""
        self.work("list models", self._model.offered(self._name), self.show_models)

    def show_models(self, models: tuple[str, ...]) -> None:
        """Show these models; what is checked stays so."""
        self.list.blockSignals(True)
        self.list.clear()
        for model in models:
            item = QListWidgetItem(model)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if model in self._checked else Qt.CheckState.Unchecked)
            self.list.addItem(item)
        self.list.blockSignals(False)
        if models:
            self.list.setCurrentRow(0)
        self._filter()

    def submit(self) -> None:
        """Use what is checked."""
        self._add_typed()
        items = [self.list.item(row) for row in range(self.list.count())]
        chosen = tuple(item.text() for item in items if item.checkState() is Qt.CheckState.Checked)
        self.work("use models", self._model.use_models(self._name, chosen), lambda _: self.accept())

    def _typing(self) -> None:
        text = self.kit.text
        row = QHBoxLayout()
        self.typed = QLineEdit()
        self.typed.setPlaceholderText(text("window.settings.models.type"))
        self.typed.setAccessibleName(text("window.settings.models.type"))
        self.add = Button(self.kit, text("window.settings.add"), self._add_typed)
        row.addWidget(self.typed, 1)
        row.addWidget(self.add)
        self.body.addLayout(row)

    def _add_typed(self) -> None:
        model = self.typed.text().strip()
        if not model:
            return
        self._checked.add(model)
        names = [self.list.item(row).text() for row in range(self.list.count())]
        self.show_models((model, *(name for name in names if name != model)))
        self.typed.clear()

    def _toggled(self, item: QListWidgetItem) -> None:
        checked = item.checkState() is Qt.CheckState.Checked
        (self._checked.add if checked else self._checked.discard)(item.text())

    def _filter(self) -> None:
        """Show what fits the words; the space bar checks the current one, so that one is never out of sight."""
        wanted = self.filter.text().strip().lower()
        items = [self.list.item(row) for row in range(self.list.count())]
        for item in items:
            item.setHidden(wanted not in item.text().lower())
        current = self.list.currentRow()
        if current < 0 or items[current].isHidden():
            self.list.setCurrentRow(next((row for row, item in enumerate(items) if not item.isHidden()), -1))


class KeySheet(Sheet):
    """Asks for another key; the one that is kept is never shown. `kept` is told the provider, whose key is new."""

    def __init__(
        self, kit: Kit, model: ProvidersModel, name: str, kept: Callable[[str], None], parent: QWidget | None = None
    ) -> None:
        text = kit.text
        super().__init__(
            kit, text("window.settings.key.title", name=name), text("window.settings.key.remark"), parent,
            accept_text=text("window.settings.save"),
        )  # fmt: skip
        self._model = model
        self._name = name
        self._told = kept
        self.key = QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.body.addLayout(form_field(kit, text("window.settings.connect.key"), self.key))

    def submit(self) -> None:
        """Keep the new key, then try it."""
        self.work("replace a key", self._model.replace_key(self._name, self.key.text().strip()), self._kept)

    def _kept(self, _: None) -> None:
        self.key.clear()
        self.accept()
        self._told(self._name)
