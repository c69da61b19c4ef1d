"""Settings › Gem developers: the keys that the user trusts, adding one, and trusting one no more (PKG-070)."""

from collections.abc import Callable

from PySide6.QtCore import QDateTime
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from notochord.ui.kit.bindings import bind_list
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, remark
from notochord.ui.kit.dates import dated
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.keyed_rows import KeyedRows
from notochord.ui.settings.pane_view import PaneView
from notochord.ui.settings.parts import Card, Column
from notochord.ui.settings.sheet import Confirmation, Sheet, form_field
from notochord.viewmodels.settings.developers import DeveloperRow, DevelopersModel

FIELDS = ("publisher", "prefix", "key")


class DevelopersSection(Column):
    """The trusted keys under their title."""

    def __init__(self, kit: Kit, model: DevelopersModel, parent: QWidget | None = None) -> None:
        text = kit.text
        super().__init__(
            kit, text("window.settings.developers.title"), text("window.settings.developers.remark"), parent
        )
        self._kit, self._model = kit, model
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.m)
        self.add = Button(kit, text("window.settings.developers.add"), self._ask_for_key, primary=True)
        line = QHBoxLayout()
        line.addWidget(self.add)
        line.addStretch(1)
        column.addLayout(line)
        self.empty = remark(kit, text("window.settings.developers.empty"))
        column.addWidget(self.empty)
        self.rows: KeyedRows[DeveloperRow, DeveloperCard] = KeyedRows(
            model.rows,
            key=lambda row: f"{row.key}/{row.publisher}/{row.prefix}",
            make=lambda row: DeveloperCard(kit, row, self.ask_to_remove),
            show=lambda view, row: view.show_row(row),
            spacing=kit.theme.space.m,
        )
        column.addWidget(self.rows)
        column.addStretch(1)
        self.column.addWidget(PaneView(kit, model.state, content, self._load), 1)
        bind_list(self, model.rows, lambda: self.empty.setVisible(not model.rows))

    def ask_to_remove(self, row: DeveloperRow) -> None:
        """Ask before a key is trusted no more, naming the gems that get no updates from it then."""
        text = self._kit.text
        kept = tuple(text("window.settings.developers.remove.gem", gem=gem) for gem in row.gems)
        Confirmation(
            self._kit,
            text("window.settings.developers.remove.title", publisher=row.publisher),
            text("window.settings.developers.remove.text"),
            self,
            accept_text=text("window.settings.developers.remove.now"),
            consequences=kept,
            command=lambda: self._model.remove(row),
        ).open()

    def _ask_for_key(self) -> None:
        DeveloperSheet(self._kit, self._model, self).open()

    def _load(self) -> None:
        self._kit.runner.run(self, "load developers", self._model.load())


class DeveloperCard(Card):
    """A key: whose it is, which gems it may sign, and since when it is trusted."""

    def __init__(self, kit: Kit, row: DeveloperRow, remove: Callable[[DeveloperRow], None]) -> None:
        super().__init__(kit)
        self._row = row
        self.name = Label(kit, "", bold=True)
        self.facts = Label(kit, "", size="small", colour="text_soft", selectable=True)
        self.remove = Button(kit, kit.text("window.settings.developers.remove"), lambda: remove(self._row))
        words = QVBoxLayout()
        words.setSpacing(kit.theme.space.xs)
        words.addWidget(self.name)
        words.addWidget(self.facts)
        line = QHBoxLayout()
        line.setSpacing(kit.theme.space.m)
        line.addLayout(words, 1)
        line.addWidget(self.remove)
        self.column.addLayout(line)
        self.show_row(row)

    def show_row(self, row: DeveloperRow) -> None:
        """Show a key as it is now."""
        self._row = row
        text = self._kit.text
        gems = text(
            "window.settings.developers.some" if row.prefix else "window.settings.developers.all", prefix=row.prefix
        )
        day = dated(self._kit, QDateTime.fromMSecsSinceEpoch(row.added_at).date())
        self.name.setText(row.publisher)
        self.facts.setText("\n".join((gems, text("window.settings.developers.key", key=row.key, day=day))))
        self.remove.setAccessibleName(text("window.settings.developers.remove.title", publisher=row.publisher))


class DeveloperSheet(Sheet):
    """Asks for a key and whose packages it may sign."""

    def __init__(self, kit: Kit, model: DevelopersModel, parent: QWidget | None = None) -> None:
        text = kit.text
        super().__init__(
            kit,
            text("window.settings.developers.add.title"),
            text("window.settings.developers.add.text"),
            parent,
            accept_text=text("window.settings.developers.add.now"),
        )
        self._model = model
        self.fields = {name: QLineEdit() for name in FIELDS}
        for name, field in self.fields.items():
            key = f"window.settings.developers.field.{name}"
            self.body.addLayout(form_field(kit, text(key), field, text(f"{key}.remark")))

    def submit(self) -> None:
        """Trust the key."""
        publisher, prefix, key = (self.fields[name].text() for name in FIELDS)
        self.work("trust a developer", self._model.add(key, publisher, prefix), lambda _: self.accept())
