"""How standard controls look: Fusion's behaviour with our own drawing and measures; no style sheet anywhere."""

from collections.abc import Callable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QComboBox,
    QFrame,
    QMenu,
    QProxyStyle,
    QStyle,
    QStyleFactory,
    QStyleHintReturn,
    QStyleOption,
    QStyleOptionComboBox,
    QStyleOptionComplex,
    QStyleOptionGroupBox,
    QStyleOptionHeader,
    QStyleOptionMenuItem,
    QStyleOptionProgressBar,
    QStyleOptionSlider,
    QStyleOptionSpinBox,
    QStyleOptionViewItem,
    QWidget,
)

from notochord.ui.kit.theme import draw_bars, draw_buttons, draw_choices, draw_fields, draw_items, measures
from notochord.ui.kit.theme.look import Look, State, has
from notochord.ui.kit.theme.tokens import Colours, Tokens

Primitive = QStyle.PrimitiveElement
Control = QStyle.ControlElement
Complex = QStyle.ComplexControl
Element = QStyle.SubElement
Drawing = Callable[[QStyleOption, QPainter, QWidget | None], None]
ControlDrawing = Callable[[QStyleOption, QPainter, QWidget | None], bool]
"""Returns False if this one is to be drawn by Fusion."""


class NotochordStyle(QProxyStyle):
    """Draws what gives the window its look; everything else is Fusion's."""

    def __init__(self, tokens: Tokens, colours: Colours, blends: Callable[[], bool] = lambda: True) -> None:
        """`blends` tells whether what is behind a transparent part of a window is seen."""
        super().__init__(QStyleFactory.create("Fusion"))
        self._blends = blends
        self._look = Look(tokens, colours)
        self._primitives = self._drawn_primitives()
        self._controls = self._drawn_controls() | self._drawn_choices()
        fusion = self.baseStyle()
        self._metrics, self._hints = dict(measures.METRICS), dict(measures.HINTS)  # which Fusion asks for in its turn
        self._metrics |= {one: fusion.pixelMetric(one) for one in measures.FUSIONS}
        self._hints |= {one: fusion.styleHint(one) for one in measures.FUSIONS_HINTS}

    def set_colours(self, colours: Colours) -> None:
        """Draw in these colours from the next painting on."""
        self._look.colours = colours

    def set_reduced_motion(self, reduced: bool) -> None:
        """Let nothing move by itself."""
        self._look.reduced_motion = reduced

    def polish(self, polished: object) -> None:
        """Let popups show what is behind their round corners, where it would be seen.

        Qt calls this for the application and palettes too.
        """
        if not isinstance(polished, QWidget):
            return
        super().polish(polished)
        if isinstance(polished, QMenu) or polished.inherits("QComboBoxPrivateContainer"):
            polished.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, self._blends())

    def drawPrimitive(
        self, element: QStyle.PrimitiveElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        drawing = self._primitives.get(element)
        if drawing:
            drawing(option, painter, widget)
        else:
            super().drawPrimitive(element, option, painter, widget)

    def drawControl(
        self, element: QStyle.ControlElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        drawing = self._controls.get(element)
        if drawing is None or not drawing(option, painter, widget):
            super().drawControl(element, option, painter, widget)

    def drawComplexControl(
        self, control: QStyle.ComplexControl, option: QStyleOptionComplex, painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:  # fmt: skip
        part = QStyle.SubControl
        if control == Complex.CC_ComboBox and isinstance(option, QStyleOptionComboBox):
            draw_fields.combo_box(self._look, option, painter)
            return
        if control == Complex.CC_SpinBox and isinstance(option, QStyleOptionSpinBox):
            draw_fields.spin_box(self._look, option, painter, measures.steps)
            return

        if control == Complex.CC_ToolButton and draw_buttons.is_icon(option):
            draw_buttons.whole_tool(self._look, option, painter)
            return

        def area(which: QStyle.SubControl) -> QRect:
            return self.subControlRect(control, option, which, widget)

        if control == Complex.CC_ScrollBar and isinstance(option, QStyleOptionSlider):
            draw_bars.scroll_bar(self._look, option, painter, draw_bars.thumb_area(option))
        elif control == Complex.CC_Slider and isinstance(option, QStyleOptionSlider):
            draw_bars.slider(self._look, option, painter, area(part.SC_SliderGroove), area(part.SC_SliderHandle))
        elif control == Complex.CC_GroupBox and isinstance(option, QStyleOptionGroupBox) and not _checkable(option):
            frame, label = area(part.SC_GroupBoxFrame), area(part.SC_GroupBoxLabel)
            draw_items.group_box(self._look, option, painter, frame, label)
        else:
            super().drawComplexControl(control, option, painter, widget)

    def subControlRect(
        self, control: QStyle.ComplexControl, option: QStyleOptionComplex, part: QStyle.SubControl,
        widget: QWidget | None = None,
    ) -> QRect:  # fmt: skip
        own = measures.part_area(control, option, part)
        return super().subControlRect(control, option, part, widget) if own is None else own  # type: ignore[arg-type]  # None, too

    def subElementRect(self, element: QStyle.SubElement, option: QStyleOption, widget: QWidget | None = None) -> QRect:
        if element in measures.RINGS:
            return option.rect
        if element == Element.SE_ItemViewItemFocusRect:
            return option.rect.adjusted(0, 1, 0, -1)  # around the ground of the row, its icon included
        if element == Element.SE_LineEditContents and getattr(option, "lineWidth", 0) > 0:
            return option.rect.adjusted(6, 1, -6, -1)
        return super().subElementRect(element, option, widget)  # type: ignore[arg-type]  # None, too

    def sizeFromContents(
        self, kind: QStyle.ContentsType, option: QStyleOption, size: QSize, widget: QWidget | None = None
    ) -> QSize:
        own = measures.size(kind, option, size, self._look.tokens.space)
        if own is None:
            own = super().sizeFromContents(kind, option, size, widget)  # type: ignore[arg-type]  # None, too
        return own + QSize(0, self._look.tokens.space.s) if kind == QStyle.ContentsType.CT_ItemViewItem else own

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        if metric == QStyle.PixelMetric.PM_DefaultFrameWidth and isinstance(widget, QAbstractScrollArea):
            return measures.AROUND_VIEWPORT
        own = self._metrics.get(metric)
        return super().pixelMetric(metric, option, widget) if own is None else own

    def styleHint(
        self, hint: QStyle.StyleHint, option: QStyleOption | None = None, widget: QWidget | None = None,
        returned: QStyleHintReturn | None = None,
    ) -> int:  # fmt: skip
        own = self._hints.get(hint)
        if hint == QStyle.StyleHint.SH_Widget_Animation_Duration:
            return 0 if self._look.reduced_motion else self._look.tokens.milliseconds.calm
        return super().styleHint(hint, option, widget, returned) if own is None else own

    def _drawn_primitives(self) -> dict[QStyle.PrimitiveElement, Drawing]:
        look, buttons = self._look, draw_buttons
        return {
            Primitive.PE_FrameFocusRect: lambda o, p, w: buttons.focus_ring(look, o, p, w),
            Primitive.PE_PanelButtonCommand: lambda o, p, w: buttons.push_button(look, o, p, w),
            Primitive.PE_FrameDefaultButton: _nothing,
            Primitive.PE_PanelButtonTool: lambda o, p, w: buttons.tool_button(look, o, p),
            Primitive.PE_IndicatorCheckBox: lambda o, p, w: buttons.check_box(look, o, p),
            Primitive.PE_IndicatorItemViewItemCheck: lambda o, p, w: buttons.check_box(look, o, p),
            Primitive.PE_IndicatorRadioButton: lambda o, p, w: buttons.radio_button(look, o, p),
            Primitive.PE_PanelLineEdit: self._line_edit,
            Primitive.PE_FrameLineEdit: _nothing,
            Primitive.PE_Frame: self._frame,
            Primitive.PE_FrameMenu: _nothing,
            Primitive.PE_PanelMenu: lambda o, p, w: draw_items.popup(look, o.rect, p, square=_is_opaque(w)),
            Primitive.PE_PanelTipLabel: lambda o, p, w: draw_items.popup(look, o.rect, p),
            Primitive.PE_FrameTabWidget: _nothing,
            Primitive.PE_FrameTabBarBase: self._below_tabs,
            Primitive.PE_PanelItemViewItem: self._row,
            Primitive.PE_PanelItemViewRow: _nothing,
            Primitive.PE_IndicatorBranch: self._branch,
            Primitive.PE_IndicatorArrowDown: self._arrow(Qt.ArrowType.DownArrow),
            Primitive.PE_IndicatorArrowUp: self._arrow(Qt.ArrowType.UpArrow),
            Primitive.PE_IndicatorArrowLeft: self._arrow(Qt.ArrowType.LeftArrow),
            Primitive.PE_IndicatorArrowRight: self._arrow(Qt.ArrowType.RightArrow),
        }

    def _drawn_controls(self) -> dict[QStyle.ControlElement, ControlDrawing]:
        look = self._look

        def menu_item(option: QStyleOption, painter: QPainter, _: QWidget | None) -> bool:
            if ours := isinstance(option, QStyleOptionMenuItem):
                draw_items.menu_item(look, option, painter)
            return ours

        def button(option: QStyleOption, painter: QPainter, widget: QWidget | None) -> bool:
            """Draw all of it: by way of Fusion each part would come back here by itself."""
            if ours := draw_buttons.is_plain(option):
                draw_buttons.whole_button(look, option, painter, widget)
            return ours

        def bevel(option: QStyleOption, painter: QPainter, _: QWidget | None) -> bool:
            if ours := draw_buttons.is_flat(option):
                draw_buttons.tool_button(look, option, painter)
            return ours

        def progress(option: QStyleOption, painter: QPainter, widget: QWidget | None) -> bool:
            if ours := isinstance(option, QStyleOptionProgressBar):
                draw_bars.progress(look, option, painter, widget)
            return ours

        def header(option: QStyleOption, painter: QPainter, _: QWidget | None) -> bool:
            if ours := isinstance(option, QStyleOptionHeader):
                draw_items.header_label(look, option, painter)
            return ours

        def splitter(option: QStyleOption, painter: QPainter, _: QWidget | None) -> None:
            upright, over = has(option, State.State_Horizontal), has(option, State.State_MouseOver)
            draw_items.splitter(look, option.rect, painter, upright=upright, over=over)

        return {
            Control.CE_MenuItem: menu_item,
            Control.CE_PushButton: button,
            Control.CE_PushButtonBevel: bevel,
            Control.CE_ProgressBar: progress,
            Control.CE_TabBarTabShape: _always(lambda o, p, w: draw_bars.tab(look, o, p, w)),
            Control.CE_HeaderSection: _always(lambda o, p, w: draw_items.header_section(look, o, p)),
            Control.CE_HeaderEmptyArea: _always(lambda o, p, w: draw_items.header_section(look, o, p)),
            Control.CE_HeaderLabel: header,
            Control.CE_Splitter: _always(splitter),
            Control.CE_RubberBand: _always(lambda o, p, w: draw_items.rubber_band(look, o.rect, p)),
            Control.CE_MenuEmptyArea: _always(_nothing),
            Control.CE_ShapedFrame: _always(self._frame),
        }

    def _drawn_choices(self) -> dict[QStyle.ControlElement, ControlDrawing]:
        look = self._look

        def check(option: QStyleOption, painter: QPainter, _: QWidget | None) -> bool:
            if ours := draw_choices.is_plain(option):
                draw_choices.choice(look, option, painter, radio=False)
            return ours

        def radio(option: QStyleOption, painter: QPainter, _: QWidget | None) -> bool:
            if ours := draw_choices.is_plain(option):
                draw_choices.choice(look, option, painter, radio=True)
            return ours

        def chosen(option: QStyleOption, painter: QPainter, _: QWidget | None) -> bool:
            if ours := draw_choices.is_text(option):
                draw_choices.combo_text(look, option, painter)
            return ours

        return {Control.CE_CheckBox: check, Control.CE_RadioButton: radio, Control.CE_ComboBoxLabel: chosen}

    def _line_edit(self, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
        """Draw the ground of a line edit, except inside a control that has drawn its own, or where it is frameless."""
        holder = widget.parentWidget() if widget else None
        if holder is not None and (isinstance(holder, QComboBox) or holder.inherits("QAbstractSpinBox")):
            return
        if getattr(option, "lineWidth", 1) > 0:
            draw_fields.field(self._look, option, painter)

    def _frame(self, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
        shape = getattr(option, "frameShape", QFrame.Shape.StyledPanel)
        if shape is QFrame.Shape.NoFrame:
            return
        if widget is not None and widget.inherits("QComboBoxPrivateContainer"):
            draw_items.popup(self._look, option.rect, painter, square=_is_opaque(widget))
        elif shape in (QFrame.Shape.HLine, QFrame.Shape.VLine):
            draw_items.splitter(self._look, option.rect, painter, upright=shape is QFrame.Shape.VLine, over=False)
        elif getattr(option, "lineWidth", 0) <= 0:
            return
        elif isinstance(widget, QAbstractScrollArea):
            draw_fields.frame(self._look, option, painter, widget)
        else:
            self._look.panel(painter, option.rect, None, self._look.colours.border)

    def _row(self, option: QStyleOption, painter: QPainter, _: QWidget | None) -> None:
        if isinstance(option, QStyleOptionViewItem):
            if option.backgroundBrush.style() != Qt.BrushStyle.NoBrush:
                painter.fillRect(option.rect, option.backgroundBrush)
            draw_items.row(self._look, option, painter)

    def _branch(self, option: QStyleOption, painter: QPainter, _: QWidget | None) -> None:
        if has(option, State.State_Children):
            draw_items.branch(
                self._look, option.rect, painter, opened=has(option, State.State_Open),
                right_to_left=option.direction is Qt.LayoutDirection.RightToLeft,
            )  # fmt: skip

    def _below_tabs(self, option: QStyleOption, painter: QPainter, _: QWidget | None) -> None:
        line = QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1)
        painter.fillRect(line, self._look.colours.border)

    def _arrow(self, direction: Qt.ArrowType) -> Drawing:
        def draw(option: QStyleOption, painter: QPainter, _: QWidget | None) -> None:
            colours = self._look.colours
            ink = colours.text_soft if has(option, State.State_Enabled) else colours.text_disabled
            self._look.chevron(painter, option.rect, direction, ink)

        return draw


def _always(drawing: Drawing) -> ControlDrawing:
    def draw(option: QStyleOption, painter: QPainter, widget: QWidget | None) -> bool:
        drawing(option, painter, widget)
        return True

    return draw


def _nothing(_option: QStyleOption, _painter: QPainter, _widget: QWidget | None) -> None:
    """Leave out what Fusion would draw."""


def _checkable(option: QStyleOptionGroupBox) -> bool:
    return bool(option.subControls & QStyle.SubControl.SC_GroupBoxCheckBox)


def _is_opaque(popup: QWidget | None) -> bool:
    return popup is not None and not popup.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
