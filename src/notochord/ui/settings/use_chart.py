"""A chart of tokens by day: one bar a day, what the models read below and what they wrote above."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from notochord.ui.kit.kit import Kit
from notochord.ui.settings.numbers import day_name, whole
from notochord.viewmodels.settings.statistics import Line

HEIGHT = 200
LINES = 4
WIDEST_BAR = 36
STEPS = (1, 2, 5)


class UseChart(QWidget):
    """Draws the days; the same figures stand in the table below, which assistive technology reads instead."""

    def __init__(self, kit: Kit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self._days: tuple[Line, ...] = ()
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        kit.theme.changed.connect(self.update)

    def show_days(self, days: tuple[Line, ...]) -> None:
        """Draw these days, oldest first."""
        self._days = days
        text = self._kit.text
        total = sum(day.read + day.written for day in days)
        self.setAccessibleName(text("window.settings.statistics.chart"))
        self.setAccessibleDescription(
            text(
                "window.settings.statistics.chart.told",
                days=whole(self._kit, len(days)),
                tokens=whole(self._kit, total),
            )
        )
        self.update()

    def sizeHint(self) -> QSize:
        """Return a size that shows a month."""
        return QSize(480, HEIGHT)

    def bars(self) -> list[tuple[QRectF, QRectF]]:
        """Return for each day the bar of what was read, and on it the bar of what was written."""
        area, top = self.area(), self._top()
        if not self._days:
            return []
        slot = area.width() / len(self._days)
        width = max(1.0, min(WIDEST_BAR, slot * 0.7))
        found = []
        for at, day in enumerate(self._days):
            left = area.left() + slot * at + (slot - width) / 2
            read, written = (area.height() * part / top for part in (day.read, day.written))
            below = QRectF(left, area.bottom() - read, width, read)
            found.append((below, QRectF(left, below.top() - written, width, written)))
        return found

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw lines with their numbers, bars, and the first, middle and last day."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._kit.theme.font("small"))
        self._paint_lines(painter)
        colours = self._kit.theme
        painter.setPen(Qt.PenStyle.NoPen)
        for read, written in self.bars():
            painter.fillRect(read, colours.colour("accent"))
            painter.fillRect(written, colours.colour("success"))
        self._paint_days(painter)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Tell the figures of the day under the pointer."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            area = self.area()
            at = int((event.pos().x() - area.left()) / area.width() * len(self._days)) if self._days else -1
            if 0 <= at < len(self._days):
                day = self._days[at]
                told = self._kit.text(
                    "window.settings.statistics.day",
                    day=day_name(self._kit, day.name, self._days[-1].name),
                    read=whole(self._kit, day.read),
                    written=whole(self._kit, day.written),
                )
                QToolTip.showText(event.globalPos(), told, self)
            return True
        return super().event(event)

    def area(self) -> QRectF:
        """Return where the bars stand, right of the numbers."""
        space = self._kit.theme.space
        metrics = QFontMetrics(self._kit.theme.font("small"))
        left = max(metrics.horizontalAdvance(number) for number in self.numbers()) + space.m
        return QRectF(
            left, space.s, max(1, self.width() - left - space.s), HEIGHT - self._kit.theme.line_height() - 2 * space.m
        )

    def _top(self) -> int:
        return rounded_up(max((day.read + day.written for day in self._days), default=0))

    def numbers(self) -> list[str]:
        """Return what stands at the lines, from below."""
        return [short(self._kit, self._top() * step // LINES) for step in range(LINES + 1)]

    def _paint_lines(self, painter: QPainter) -> None:
        area, theme = self.area(), self._kit.theme
        for step, number in enumerate(self.numbers()):
            y = area.bottom() - area.height() * step / LINES
            painter.setPen(QPen(theme.colour("border"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(theme.colour("text_soft"))
            place = QRectF(0, y - 10, area.left() - theme.space.s, 20)
            alignment = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(place, alignment, number)

    def _paint_days(self, painter: QPainter) -> None:
        area, count = self.area(), len(self._days)
        painter.setPen(self._kit.theme.colour("text_soft"))
        shown = {0: Qt.AlignmentFlag.AlignLeft, count // 2: Qt.AlignmentFlag.AlignHCenter}
        shown[count - 1] = Qt.AlignmentFlag.AlignRight if count > 1 else Qt.AlignmentFlag.AlignHCenter
        for at, alignment in shown.items():
            if not 0 <= at < count:
                continue
            text = day_name(self._kit, self._days[at].name, self._days[-1].name)
            width = painter.fontMetrics().horizontalAdvance(text) + 4
            middle = area.left() + area.width() * (at + 0.5) / count
            left = min(max(area.left(), middle - width / 2), area.right() - width)
            place = QRectF(left, area.bottom() + self._kit.theme.space.xs, width, self._kit.theme.line_height())
            painter.drawText(place, Qt.AlignmentFlag.AlignHCenter, text)
            del alignment


def rounded_up(number: int) -> int:
    """Return the next number that makes round lines: 4, 8, 20, 40, 80, 200 …; at least 4."""
    size = LINES
    while True:
        for step in STEPS:
            if number <= size * step:
                return size * step
        size *= 10


def short(kit: Kit, number: int) -> str:
    """Return a number as it fits beside a line: 1,500 is 1.5K, in Chinese 15,000 is 1.5万."""
    unit, name = (10_000, "wan") if kit.sentences.language == "zh_CN" else (1_000, "k")
    if number < unit:
        return whole(kit, number)
    if name == "k" and number >= 1_000_000:
        return kit.text("window.settings.statistics.short.m", number=f"{number / 1_000_000:g}")
    return kit.text(f"window.settings.statistics.short.{name}", number=f"{number / unit:g}")
