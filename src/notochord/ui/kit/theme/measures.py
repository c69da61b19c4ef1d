"""How large standard controls are and how they behave: what the style answers to Qt's questions."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontInfo
from PySide6.QtWidgets import (
    QStyle,
    QStyleOption,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStyleOptionComplex,
    QStyleOptionGroupBox,
    QStyleOptionMenuItem,
    QStyleOptionSlider,
    QStyleOptionSpinBox,
    QStyleOptionToolButton,
)

from notochord.ui.kit.theme.draw_bars import thumb_area
from notochord.ui.kit.theme.draw_fields import ARROW, arrow_area
from notochord.ui.kit.theme.tokens import Space

USUAL_TEXT = 14
"""Pixels of a font of the size that desktops have today, rounded up: ten points are 13.3."""
AROUND_VIEWPORT = 3
"""Room between the rounded frame of a scroll area and its square viewport, so that the corners are never cut."""
SCROLL_BAR = 12
STEPS = 20
MARK = 16
"""Side of an icon or a check mark in a menu, at the usual size of text."""
NARROWEST = 72

Metric = QStyle.PixelMetric
Hint = QStyle.StyleHint
Kind = QStyle.ContentsType
Part = QStyle.SubControl
Complex = QStyle.ComplexControl
Element = QStyle.SubElement

METRICS: dict[QStyle.PixelMetric, int] = {
    Metric.PM_ButtonShiftHorizontal: 0,
    Metric.PM_ButtonShiftVertical: 0,
    Metric.PM_IndicatorWidth: 16,
    Metric.PM_IndicatorHeight: 16,
    Metric.PM_ExclusiveIndicatorWidth: 16,
    Metric.PM_ExclusiveIndicatorHeight: 16,
    Metric.PM_CheckBoxLabelSpacing: 8,
    Metric.PM_RadioButtonLabelSpacing: 8,
    Metric.PM_ScrollBarExtent: SCROLL_BAR,
    Metric.PM_ScrollBarSliderMin: 28,
    Metric.PM_ScrollView_ScrollBarSpacing: 0,
    Metric.PM_MenuPanelWidth: 0,
    Metric.PM_MenuHMargin: 5,
    Metric.PM_MenuVMargin: 5,
    Metric.PM_SubMenuOverlap: -3,
    Metric.PM_ToolTipLabelFrameWidth: 7,
    Metric.PM_SmallIconSize: 16,
    Metric.PM_ButtonIconSize: 16,
    Metric.PM_TabBarBaseOverlap: 0,
    Metric.PM_TabBarTabShiftVertical: 0,
    Metric.PM_SplitterWidth: 7,
    Metric.PM_SliderLength: 16,
    Metric.PM_SliderThickness: 22,
    Metric.PM_FocusFrameHMargin: 7,
    Metric.PM_LayoutHorizontalSpacing: 8,
    Metric.PM_LayoutVerticalSpacing: 8,
    Metric.PM_TreeViewIndentation: 16,
}

FUSIONS = (
    Metric.PM_LineEditIconSize, Metric.PM_LineEditIconMargin, Metric.PM_TextCursorWidth, Metric.PM_DefaultFrameWidth,
)  # fmt: skip
"""Measures that are Fusion's, asked for at each painting and always the same: they are asked of it once."""

FUSIONS_HINTS = (
    Hint.SH_SpinBox_ButtonsInsideFrame, Hint.SH_SpinControls_DisableOnBounds,
)  # fmt: skip

HINTS: dict[QStyle.StyleHint, int] = {
    Hint.SH_EtchDisabledText: 0,
    Hint.SH_ItemView_ShowDecorationSelected: 1,
    Hint.SH_ComboBox_Popup: 0,
    Hint.SH_ScrollView_FrameOnlyAroundContents: 0,
    Hint.SH_DialogButtonBox_ButtonsHaveIcons: 0,
    Hint.SH_ToolTip_WakeUpDelay: 500,
    Hint.SH_Menu_SubMenuPopupDelay: 150,
    Hint.SH_ToolTipLabel_Opacity: 255,
    Hint.SH_UnderlineShortcut: 0,
    Hint.SH_TabBar_PreferNoArrows: 0,
}

RINGS = frozenset({Element.SE_PushButtonFocusRect, Element.SE_ToolBoxTabContents})
"""Elements whose ring goes around the whole control."""


def grown(pixels: int, font: QFont) -> int:
    """Return a measure that is `pixels` beside text of the usual size, or smaller, for this font."""
    return max(pixels, pixels * QFontInfo(font).pixelSize() // USUAL_TEXT)


def size(kind: QStyle.ContentsType, option: QStyleOption, contents: QSize, space: Space) -> QSize | None:
    """Return the size of a control around its contents; None leaves it to Fusion."""
    if kind == Kind.CT_PushButton and isinstance(option, QStyleOptionButton):
        narrow = option.text == ""
        gap = 0 if option.icon.isNull() else space.xs
        wide = contents.width() + gap + (space.l if narrow else 2 * space.m + space.xs)
        return QSize(wide if narrow else max(NARROWEST, wide), contents.height() + space.m)
    if kind == Kind.CT_LineEdit:
        return QSize(contents.width() + space.m, contents.height() + space.m)
    if kind == Kind.CT_ComboBox:
        return QSize(contents.width() + ARROW + 2 * space.m, contents.height() + space.m)
    if kind == Kind.CT_SpinBox:
        return QSize(contents.width() + STEPS + space.m, contents.height())
    if kind == Kind.CT_ToolButton and isinstance(option, QStyleOptionToolButton):
        menu = space.m if option.features & option.ToolButtonFeature.HasMenu and option.text else 0
        return QSize(contents.width() + 10 + menu, contents.height() + 10)
    if kind == Kind.CT_MenuItem and isinstance(option, QStyleOptionMenuItem):
        return _menu_item(option, contents, space)
    if kind == Kind.CT_TabBarTab:
        return QSize(contents.width() + space.l, contents.height() + space.m)
    return None


def part_area(control: QStyle.ComplexControl, option: QStyleOptionComplex, part: QStyle.SubControl) -> QRect | None:
    """Return the area of a part of a control; None leaves it to Fusion."""
    if control == Complex.CC_ScrollBar and isinstance(option, QStyleOptionSlider):
        return _scroll_bar(option, part)
    if control == Complex.CC_ComboBox and isinstance(option, QStyleOptionComboBox):
        return _combo_box(option, part)
    if control == Complex.CC_SpinBox and isinstance(option, QStyleOptionSpinBox):
        return _spin_box(option, part)
    if control == Complex.CC_GroupBox and isinstance(option, QStyleOptionGroupBox):
        return _group_box(option, part)
    return None


def _menu_item(option: QStyleOptionMenuItem, contents: QSize, space: Space) -> QSize:
    if option.menuItemType == option.MenuItemType.Separator:
        return QSize(contents.width(), 9)
    icon = grown(MARK, option.font) + 8 if option.maxIconWidth or option.menuHasCheckableItems else 0
    keys = space.xl if "\t" in option.text else 0
    width = contents.width() + option.reservedShortcutWidth + icon + keys + 2 * space.m
    return QSize(max(160, width), option.fontMetrics.height() + space.m)


def _scroll_bar(option: QStyleOptionSlider, part: QStyle.SubControl) -> QRect | None:
    thumb, whole = thumb_area(option), option.rect
    upright = option.orientation is Qt.Orientation.Vertical
    if part == Part.SC_ScrollBarSlider:
        return thumb
    if part == Part.SC_ScrollBarGroove:
        return whole
    before, after = QRect(whole), QRect(whole)
    if upright:
        before.setBottom(thumb.top() - 1)
        after.setTop(thumb.bottom() + 1)
    else:
        before.setRight(thumb.left() - 1)
        after.setLeft(thumb.right() + 1)
    areas = {Part.SC_ScrollBarSubPage: before, Part.SC_ScrollBarAddPage: after}
    return areas.get(part, QRect())


def _combo_box(option: QStyleOptionComboBox, part: QStyle.SubControl) -> QRect | None:
    if part == Part.SC_ComboBoxArrow:
        return arrow_area(option)
    if part == Part.SC_ComboBoxEditField:
        inner = option.rect.adjusted(8, 2, -ARROW, -2)
        return QStyle.visualRect(option.direction, option.rect, inner)
    return None


def steps(option: QStyleOptionSpinBox) -> tuple[QRect, QRect]:
    """Return where the arrows of a spin box stand."""
    up, down = (_spin_box(option, part) for part in (Part.SC_SpinBoxUp, Part.SC_SpinBoxDown))
    return up or QRect(), down or QRect()


def _spin_box(option: QStyleOptionSpinBox, part: QStyle.SubControl) -> QRect | None:
    whole, half = option.rect, option.rect.height() // 2
    areas = {
        Part.SC_SpinBoxUp: QRect(whole.right() - STEPS - 1, whole.top() + 2, STEPS, half - 2),
        Part.SC_SpinBoxDown: QRect(whole.right() - STEPS - 1, whole.top() + half, STEPS, half - 2),
        Part.SC_SpinBoxEditField: whole.adjusted(5, 2, -STEPS - 4, -2),
        Part.SC_SpinBoxFrame: whole,
    }
    return QStyle.visualRect(option.direction, whole, areas[part]) if part in areas else None


def _group_box(option: QStyleOptionGroupBox, part: QStyle.SubControl) -> QRect | None:
    if option.subControls & Part.SC_GroupBoxCheckBox:
        return None
    head = option.fontMetrics.height() + 8 if option.text else 0
    if part == Part.SC_GroupBoxLabel:
        return QRect(option.rect.left() + 2, option.rect.top(), option.rect.width() - 4, head)
    below = option.rect.adjusted(0, head, 0, 0)
    if part == Part.SC_GroupBoxFrame:
        return below
    if part == Part.SC_GroupBoxContents:
        return below.adjusted(1, 1, -1, -1)
    return None
