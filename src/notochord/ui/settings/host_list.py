"""A list of hosts: entries, a field for another one, and what to write instead if it cannot be used."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QLineEdit, QListView, QVBoxLayout, QWidget

from notochord.ui.kit.bindings import bind_list
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.item_model import ItemModel
from notochord.ui.kit.kept_focus import keyboard_kept
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.settings.network import HostList, NetworkModel, Refusal, as_read

MOST_ROWS = 6


class HostListEditor(QWidget):
    """Shows one list of the rules; it scales to thousands of entries."""

    def __init__(self, kit: Kit, model: NetworkModel, where: HostList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._model, self.where = kit, model, where
        self._entries = model.lists[where]
        self._refusal: Refusal | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.s)
        self._adding(column)
        self._refusing(column)
        self.empty = Label(kit, kit.text(f"window.settings.network.{where}.empty"), colour="text_soft", size="small")
        column.addWidget(self.empty)
        self._listing(column)
        bind_list(self, self._entries, self._fit)

    def _adding(self, column: QVBoxLayout) -> None:
        text = self._kit.text
        row = QHBoxLayout()
        row.setSpacing(self._kit.theme.space.s)
        self.field = QLineEdit()
        self.field.setPlaceholderText(text(f"window.settings.network.{self.where}.example"))
        self.field.setAccessibleName(text(f"window.settings.network.{self.where}.add"))
        self.field.returnPressed.connect(self._add)
        self.field.textChanged.connect(lambda _: self._show_refusal(None))
        self.add = Button(self._kit, text("window.settings.add"), self._add)
        self.add.setAccessibleName(text(f"window.settings.network.{self.where}.add"))
        row.addWidget(self.field, 1)
        row.addWidget(self.add)
        column.addLayout(row)

    def _refusing(self, column: QVBoxLayout) -> None:
        row = QHBoxLayout()
        row.setSpacing(self._kit.theme.space.s)
        self.error = Label(self._kit, "", size="small", colour="danger", selectable=True)
        self.instead = Button(self._kit, "", self._take_advice)
        row.addWidget(self.error, 1)
        row.addWidget(self.instead)
        column.addLayout(row)
        self._show_refusal(None)

    def _listing(self, column: QVBoxLayout) -> None:
        text = self._kit.text
        self.list = QListView()
        self.list.setAccessibleName(text(f"window.settings.network.{self.where}"))
        self.list.setUniformItemSizes(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._items = ItemModel(self._entries, {Qt.ItemDataRole.DisplayRole: as_read}, self)
        self.list.setModel(self._items)
        column.addWidget(self.list)
        self.remove = Button(self._kit, text("window.settings.network.remove"), self._remove)
        self.remove.setAccessibleName(text(f"window.settings.network.{self.where}.remove"))
        line = QHBoxLayout()
        line.addStretch(1)
        line.addWidget(self.remove)
        column.addLayout(line)
        shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.list)
        shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
        shortcut.activated.connect(self._remove)
        self.list.selectionModel().selectionChanged.connect(lambda *_: self._fit())

    def _fit(self) -> None:
        count = len(self._entries)
        self.empty.setVisible(not count)
        with keyboard_kept(self.remove, self.list, self.field):
            self.list.setVisible(bool(count))
            self.remove.setVisible(bool(count))
            self.remove.setEnabled(self.list.currentIndex().isValid())
        least = self._kit.theme.line_height() + self._kit.theme.space.s
        rows = range(min(count, MOST_ROWS))
        row = max([least, *(self.list.sizeHintForRow(at) for at in rows)])  # letters of other scripts may be higher
        self.list.setFixedHeight(max(len(rows), 1) * row + 2 * self.list.frameWidth() + 2)

    def showEvent(self, event: QShowEvent) -> None:
        """Measure again with the letters that are seen."""
        super().showEvent(event)
        self._fit()

    def _add(self) -> None:
        self._put(self.where, self.field.text())

    def _put(self, where: HostList, entry: str) -> None:
        command = self._model.add(where, entry)
        self._kit.runner.run(self, "add a host", command, done=self._added)

    def _added(self, refusal: Refusal | None) -> None:
        self._show_refusal(refusal)
        if refusal is None:
            self.field.clear()
        self.field.setFocus()

    def _show_refusal(self, refusal: Refusal | None) -> None:
        self._refusal = refusal
        text = self._kit.text
        self.error.setVisible(refusal is not None)
        self.error.setText(self._kit.failure(refusal.error) if refusal else "")
        advice = ""
        if refusal and refusal.other is not None:
            advice = text(f"window.settings.network.to_{'local' if refusal.other is HostList.LOCAL else 'outside'}")
        elif refusal and refusal.instead:
            advice = text("window.settings.network.instead", entry=refusal.instead)
        self.instead.setText(advice)
        self.instead.setVisible(bool(advice))

    def _take_advice(self) -> None:
        refusal = self._refusal
        if refusal is None:
            return
        if refusal.other is not None:
            self._put(refusal.other, self.field.text())
        else:
            self._put(self.where, refusal.instead)

    def _remove(self) -> None:
        index = self.list.currentIndex()
        if index.isValid():
            entry = self._items.item(index.row())
            self._kit.runner.run(self, "remove a host", self._model.remove(self.where, entry))
