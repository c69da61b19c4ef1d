"""Paints what is in view. Measures nothing new and makes nothing: the geometry was settled before."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from notochord.ui.kit.transcript.anchor import Anchor
from notochord.ui.kit.transcript.content import Content
from notochord.ui.kit.transcript.entries import Role
from notochord.ui.kit.transcript.flow import MarkRange
from notochord.ui.kit.transcript.look import Look
from notochord.ui.kit.transcript.parts import CardPart, Item, TextPart
from notochord.ui.kit.transcript.pieces.piece import Piece

Marks = Callable[[TextPart, int, int, Piece], list[MarkRange]]
_FRAME_OUT = 8
_BADGE_PAD = 6


def paint(
    painter: QPainter, content: Content, anchor: Anchor, clip: tuple[float, float], marks: Marks, current: Item | None
) -> None:
    """Paint the parts that touch the clip; the painter's origin is the left edge of the column."""
    for part, top, height in anchor.visible():
        if top + height < clip[0] or top > clip[1]:
            continue
        if part.item is current:
            _paint_frame(painter, content, anchor, part.item)
        if isinstance(part, CardPart):
            continue
        inset = content.inset(part)
        _paint_ground(painter, content, part, top, height)
        if part.has_head and part.entry.role is not Role.REASONING:
            _paint_head(painter, content, part, inset, top)
        painter.translate(inset, 0)
        for row, number, piece, y in content.placed(part, top):
            if y > clip[1]:
                break
            if y + piece.height > clip[0]:
                piece.paint(painter, y, clip, marks(part, row, number, piece))
        painter.translate(-inset, 0)


def _paint_ground(painter: QPainter, content: Content, part: TextPart, top: float, height: float) -> None:
    look, role = content.look, part.entry.role
    bottom = top + height - content.below(part)
    if role is Role.USER:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.user)
        # A long message goes on in other parts: their corners lie outside this one's edges.
        over = look.style.radius + 2
        painter.save()
        painter.setClipRect(QRectF(0, top, content.width, bottom - top), Qt.ClipOperation.IntersectClip)
        area = QRectF(0, top - (0 if part.first else over), content.width, 0)
        area.setBottom(bottom + (0 if part.last else over))
        painter.drawRoundedRect(area, look.style.radius + 2, look.style.radius + 2)
        painter.restore()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    elif role is Role.REASONING and not part.hidden:
        begin = top + (content.top_of(part) if part.first else 0)
        painter.fillRect(QRectF(0, begin, 2, bottom - begin - (look.style.gap if part.last else 0)), look.border)


def _paint_head(painter: QPainter, content: Content, part: TextPart, inset: float, top: float) -> None:
    look, entry = content.look, part.entry
    top += look.style.padding if entry.role is Role.USER else 0
    area = QRectF(inset, top, content.width - 2 * inset, look.head_height - 4)
    painter.setFont(look.strong_small)
    painter.setPen(look.text)
    middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    painter.drawText(area, middle, entry.who)
    x = area.left() + (painter.fontMetrics().horizontalAdvance(entry.who) + 10 if entry.who else 0)
    painter.setFont(look.small)
    if entry.badge:
        wide = painter.fontMetrics().horizontalAdvance(entry.badge) + 2 * _BADGE_PAD
        tall = painter.fontMetrics().height() + 2
        badge = QRectF(x + 0.5, area.center().y() - tall / 2 + 0.5, wide, tall)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(look.border, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(badge, tall / 2, tall / 2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(look.soft)
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, entry.badge)
        x = badge.right() + 10
    painter.setPen(look.soft)
    painter.drawText(QRectF(x, area.top(), area.right() - x, area.height()), middle, entry.when)


def paint_focus(painter: QPainter, area: QRectF, look: Look) -> None:
    """Paint the frame that shows where the keyboard is, just inside the area."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(look.focus, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), look.style.radius, look.style.radius)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _paint_frame(painter: QPainter, content: Content, anchor: Anchor, item: Item) -> None:
    first, last = item.parts[0], item.parts[-1]
    top = anchor.top_of(first.index)
    bottom = anchor.top_of(last.index) + content.heights[last.index] - content.below(last)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(content.look.focus, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    area = QRectF(-_FRAME_OUT, top - _FRAME_OUT + 1, content.width + 2 * _FRAME_OUT, bottom - top + 2 * _FRAME_OUT - 2)
    painter.drawRoundedRect(area, content.look.style.radius + 2, content.look.style.radius + 2)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
