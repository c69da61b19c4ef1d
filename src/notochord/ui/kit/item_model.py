"""The one adapter between an observable list and Qt's item views; screens write no row bookkeeping."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from notochord.core.observable import Change, Inserted, Moved, ObservableList, Removed, Replaced
from notochord.ui.kit.life import until_gone, while_alive
from notochord.ui.kit.unseen import shown

Item = TypeVar("Item")
Index = QModelIndex | QPersistentModelIndex
ITEM = Qt.ItemDataRole.UserRole


class ItemModel(QAbstractListModel, Generic[Item]):
    """Rows of an observable list; `roles` says how an item answers for each Qt role, `ITEM` gives the item itself."""

    def __init__(
        self, items: ObservableList[Item], roles: Mapping[int, Callable[[Item], Any]], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._items = items
        self._shown: list[Item] = list(items)
        self._roles = dict(roles)
        until_gone(self, items.watch(while_alive(self, self._follow)))

    def item(self, row: int) -> Item:
        """Return the item in this row. Raises IndexError."""
        return self._shown[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """Return the number of rows; items have no children."""
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what the item answers for the role."""
        if not index.isValid() or index.row() >= len(self._shown):
            return None
        item = self._shown[index.row()]
        if role == ITEM:
            return item
        answer = self._roles.get(role)
        value = answer(item) if answer else None
        return shown(value) if role == Qt.ItemDataRole.DisplayRole and isinstance(value, str) else value

    def _follow(self, change: Change) -> None:
        """Repeat the change between Qt's begin and end, on the rows as Qt knows them."""
        none = QModelIndex()
        match change:
            case Inserted(at, count):
                self.beginInsertRows(none, at, at + count - 1)
                self._shown[at:at] = self._items[at : at + count]
                self.endInsertRows()
            case Removed(at, count):
                self.beginRemoveRows(none, at, at + count - 1)
                del self._shown[at : at + count]
                self.endRemoveRows()
            case Replaced(at):
                self._shown[at] = self._items[at]
                self.dataChanged.emit(self.index(at), self.index(at))
            case Moved(source, target):
                self.beginMoveRows(none, source, source, none, target + (1 if target > source else 0))
                self._shown.insert(target, self._shown.pop(source))
                self.endMoveRows()
            case _:
                self.beginResetModel()
                self._shown = list(self._items)
                self.endResetModel()
