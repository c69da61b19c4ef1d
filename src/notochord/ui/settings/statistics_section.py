"""Settings › Statistics: what the models were used for, as a chart and as tables, for a period (MODEL-100)."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from notochord.core.errors import NotochordError
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, remark
from notochord.ui.kit.file_dialogs import ask_save_file
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.last_folders import Purpose
from notochord.ui.settings.numbers import day_name, whole
from notochord.ui.settings.pane_view import PaneView
from notochord.ui.settings.parts import Card, Choice, Column
from notochord.ui.settings.use_chart import UseChart
from notochord.viewmodels.settings.statistics import Figures, Line, Period, StatisticsModel

VIEWS = ("day", "model", "feature")
COLUMNS = ("calls", "read", "written")
TABLE_HEIGHT = 280


class StatisticsSection(Column):
    """Period and export above, then the sum, the chart, and three tables."""

    def __init__(self, kit: Kit, model: StatisticsModel, parent: QWidget | None = None) -> None:
        text = kit.text
        title, explanation = text("window.settings.statistics.title"), text("window.settings.statistics.remark")
        super().__init__(kit, title, explanation, parent)
        self._kit, self._model = kit, model
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.m)
        column.addLayout(self._bar())
        self.told = Label(kit, "", size="small", selectable=True)
        self.told.hide()
        column.addWidget(self.told)
        self.nothing = remark(kit, text("window.settings.statistics.nothing"))
        column.addWidget(self.nothing)
        self.filled = self._filled()
        column.addWidget(self.filled)
        column.addStretch(1)
        self.column.addWidget(PaneView(kit, model.state, content, self._load), 1)
        bind(self, model.period, lambda period: self.period.show_choice(period))
        bind(self, model.figures, self._show)

    def _bar(self) -> QHBoxLayout:
        kit, text = self._kit, self._kit.text
        row = QHBoxLayout()
        row.setSpacing(kit.theme.space.s)
        self.period = Choice(text("window.settings.statistics.period"))
        self.period.setFixedWidth(200)
        for period in Period:
            self.period.offer_value(text(f"window.settings.statistics.period.{period.name.lower()}"), period)
        self.period.activated.connect(lambda _: self._choose_period())
        self.export = Button(kit, text("window.settings.statistics.export"), self._ask_file)
        row.addWidget(self.period)
        row.addStretch(1)
        row.addWidget(self.export)
        return row

    def _filled(self) -> QWidget:
        kit, text = self._kit, self._kit.text
        filled = QWidget()
        column = QVBoxLayout(filled)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.m)
        card = Card(kit)
        self.sum = Label(kit, "", bold=True)
        card.column.addWidget(self.sum)
        legend = QHBoxLayout()
        for name, colour in (("read", "accent"), ("written", "success")):
            legend.addWidget(Label(kit, "■ " + text(f"window.settings.statistics.{name}"), colour=colour, size="small"))
        legend.addStretch(1)
        card.column.addLayout(legend)
        self.chart = UseChart(kit)
        card.column.addWidget(self.chart)
        column.addWidget(card)
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(text("window.settings.statistics.tables"))
        self.tables = {view: self._table(view) for view in VIEWS}
        for view, table in self.tables.items():
            self.tabs.addTab(table, text(f"window.settings.statistics.by_{view}"))
        column.addWidget(self.tabs)
        return filled

    def _table(self, view: str) -> QTableWidget:
        text = self._kit.text
        table = QTableWidget(0, 1 + len(COLUMNS))
        names = [text(f"window.settings.statistics.{view}_column")]
        table.setHorizontalHeaderLabels(names + [text(f"window.settings.statistics.{name}") for name in COLUMNS])
        table.setAccessibleName(text(f"window.settings.statistics.by_{view}"))
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.horizontalHeader().setHighlightSections(False)
        for column in range(1 + len(COLUMNS)):
            side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
            if (header := table.horizontalHeaderItem(column)) is not None:
                header.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.setFixedHeight(TABLE_HEIGHT)
        return table

    def _show(self, figures: Figures) -> None:
        used = bool(figures.total.calls)
        self.nothing.setVisible(not used)
        self.filled.setVisible(used)
        self.export.setEnabled(used)
        kit, total = self._kit, figures.total
        told = kit.text(
            "window.settings.statistics.sum", count=total.calls, calls=whole(kit, total.calls),
            read=whole(kit, total.read), written=whole(kit, total.written),
        )  # fmt: skip
        self.sum.setText(told)
        self.chart.show_days(figures.days)
        days = tuple(reversed(figures.days))
        self._fill("day", days, [day_name(kit, line.name, days[0].name) for line in days])
        self._fill("model", figures.models, [line.name.replace("/", " · ", 1) for line in figures.models])
        self._fill("feature", figures.features, [feature_name(kit, line.name) for line in figures.features])

    def _fill(self, view: str, lines: tuple[Line, ...], names: list[str]) -> None:
        table = self.tables[view]
        table.setRowCount(len(lines))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for row, (line, name) in enumerate(zip(lines, names, strict=True)):
            table.setItem(row, 0, QTableWidgetItem(name))
            for column, number in enumerate((line.calls, line.read, line.written), 1):
                item = QTableWidgetItem(whole(self._kit, number))
                item.setTextAlignment(right)
                table.setItem(row, column, item)

    def _choose_period(self) -> None:
        self._kit.runner.run(self, "choose a period", self._model.choose_period(self.period.value))

    def _ask_file(self) -> None:
        title = self._kit.text("window.settings.statistics.export")
        ask_save_file(
            self._kit, self, title, "notochord-use.csv", self.save_into, Purpose.EXPORT, pattern="CSV (*.csv)",
            ending="csv",
        )  # fmt: skip

    def save_into(self, file: Path) -> None:
        """Write the CSV into this file, and tell how it went."""

        def told(text: str, colour: str) -> None:
            self.told.setText(text)
            self.told.set_colour(colour)
            self.told.show()

        def failed(error: NotochordError) -> None:
            told(self._kit.failure(error), "danger")

        saved = self._kit.text("window.settings.statistics.exported", path=str(file))
        self._kit.runner.run(
            self, "export", self._model.export(file), done=lambda _: told(saved, "success"), failed=failed
        )

    def _load(self) -> None:
        self._kit.runner.run(self, "load statistics", self._model.load())


def feature_name(kit: Kit, feature: str) -> str:
    """Return what a feature is called; one that is not known keeps its name."""
    key = f"window.settings.feature.{feature}"
    found = kit.text(key)
    return feature if found == key else found
