"""The item model: Qt sees each change of the list, in Qt's order of begin and end."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QAbstractItemModelTester

from notochord.core.observable import ObservableList
from notochord.ui.kit.item_model import ITEM, ItemModel
from support.windows import destroyed


@pytest.mark.usefixtures("qapp")
def test_every_kind_of_change_is_shown_as_qt_expects() -> None:
    owner = QObject()
    items = ObservableList(["a", "b", "c"])
    model = ItemModel(items, {Qt.ItemDataRole.DisplayRole: str.upper}, owner)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    changes: list[Callable[[], None]] = [
        lambda: items.insert(1, "x"), lambda: items.move(0, 2), lambda: items.move(3, 0), lambda: items.remove(1, 2),
        lambda: items.replace(0, "z"), lambda: items.extend(["p", "q"]), lambda: items.reset(["only"]),
    ]  # fmt: skip
    for change in changes:
        change()
        shown = [model.data(model.index(row)) for row in range(model.rowCount())]
        assert shown == [item.upper() for item in items]
    assert model.data(model.index(0), ITEM) == "only"
    del tester


@pytest.mark.usefixtures("qapp")
def test_a_model_that_is_gone_hears_nothing() -> None:
    owner = QObject()
    items = ObservableList(["a"])
    ItemModel(items, {}, owner)
    owner.deleteLater()
    destroyed()
    items.append("b")
    assert len(items) == 2
