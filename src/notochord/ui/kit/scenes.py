"""Pictures of the kit's own controls and states."""

from PySide6.QtCore import QDate, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDateEdit,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QRadioButton,
    QSlider,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from notochord.ui.gallery.scene import Scene
from notochord.ui.kit.controls.badges import Badge, LetterIcon
from notochord.ui.kit.controls.buttons import Button, IconButton
from notochord.ui.kit.controls.choices import Segmented, Switch
from notochord.ui.kit.controls.confirm import Confirm
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import heading, remark, title
from notochord.ui.kit.controls.notice_bar import NoticeBar
from notochord.ui.kit.controls.search_field import SearchField
from notochord.ui.kit.controls.sections import FormRow, Section
from notochord.ui.kit.controls.skeleton import Skeleton
from notochord.ui.kit.controls.states import State
from notochord.ui.kit.kit import Kit


def _page(kit: Kit) -> tuple[QWidget, QVBoxLayout]:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(*[kit.theme.space.xl] * 4)
    column.setSpacing(kit.theme.space.m)
    return page, column


def _buttons(kit: Kit) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(Button(kit, "Primary", primary=True))
    row.addWidget(Button(kit, "Ordinary"))
    row.addWidget(Button(kit, "With icon", icon_name="download"))
    row.addWidget(Button(kit, "Delete", danger=True))
    off = Button(kit, "Disabled")
    off.setEnabled(False)
    row.addWidget(off)
    off_primary = Button(kit, "Disabled", primary=True)
    off_primary.setEnabled(False)
    row.addWidget(off_primary)
    row.addWidget(IconButton(kit, "settings", "Settings"))
    row.addWidget(IconButton(kit, "more", "More"))
    row.addStretch(1)
    return row


def _controls(kit: Kit) -> QWidget:
    page, column = _page(kit)
    column.addWidget(title(kit, "Title 标题"))
    column.addWidget(heading(kit, "Heading 小标题"))
    column.addWidget(remark(kit, "A remark explains what stands above it. 备注说明上面的内容。"))
    column.addLayout(_buttons(kit))
    grid = QGridLayout()
    grid.setSpacing(kit.theme.space.m)
    field, hint, off = QLineEdit("A text field"), QLineEdit(), QLineEdit("Disabled")
    hint.setPlaceholderText("A hint 提示")
    off.setEnabled(False)
    choice, number, date = QComboBox(), QSpinBox(), QDateEdit(QDate(2026, 3, 9))
    choice.addItems(["One", "Two", "三"])
    for place, control in enumerate((field, hint, off, choice, number, date)):
        control.setAccessibleName("Field")
        grid.addWidget(control, place // 3, place % 3)
    column.addLayout(grid)
    column.addWidget(SearchField(kit, "Search"))
    column.addLayout(_marks())
    column.addLayout(_measures())
    badges = QHBoxLayout()
    for tone in ("neutral", "accent", "success", "warning", "danger"):
        badges.addWidget(Badge(kit, tone.title(), tone))
    badges.addWidget(LetterIcon(kit, "Sales", "sales-summary"))
    badges.addWidget(LetterIcon(kit, "发票", "invoices"))
    badges.addStretch(1)
    column.addLayout(badges)
    column.addStretch(1)
    return page


def _marks() -> QHBoxLayout:
    row = QHBoxLayout()
    boxes = [QCheckBox("Checked"), QCheckBox("Unchecked"), QCheckBox("Partly"), QCheckBox("Off")]
    boxes[0].setChecked(True)
    boxes[2].setTristate(True)
    boxes[2].setCheckState(Qt.CheckState.PartiallyChecked)
    boxes[3].setChecked(True)
    boxes[3].setEnabled(False)
    rounds = [QRadioButton("One"), QRadioButton("Other")]
    rounds[0].setChecked(True)
    for control in (*boxes, *rounds):
        row.addWidget(control)
    row.addStretch(1)
    return row


def _measures() -> QHBoxLayout:
    row = QHBoxLayout()
    bar, slide = QProgressBar(), QSlider(Qt.Orientation.Horizontal)
    bar.setValue(40)
    bar.setTextVisible(False)
    slide.setValue(60)
    for control in (bar, slide):
        control.setAccessibleName("Measure")
        row.addWidget(control)
    return row


def _lists(kit: Kit) -> QWidget:
    page, column = _page(kit)
    tabs = QTabWidget()
    table = QTableWidget(6, 3)
    table.setHorizontalHeaderLabels(["Model", "Use", "Tokens"])
    table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
    table.setShowGrid(False)
    table.verticalHeader().hide()
    table.setAccessibleName("Table")
    for row in range(6):
        for at, text in enumerate(("gpt-5-mini", "Chat 对话", f"{1234 * (row + 1)}")):
            table.setItem(row, at, QTableWidgetItem(text))
    table.selectRow(1)
    tabs.addTab(table, "Table")
    tabs.addTab(QWidget(), "Other 其他")
    column.addWidget(tabs)
    row_of = QHBoxLayout()
    rows = QListWidget()
    rows.addItems([f"Row {number}" for number in range(40)])
    rows.setCurrentRow(2)
    rows.setAccessibleName("List")
    row_of.addWidget(rows)
    editor = QPlainTextEdit("Text that is written.\n写下的文字。\n" * 20)
    editor.setAccessibleName("Editor")
    row_of.addWidget(editor)
    column.addLayout(row_of)
    group = QGroupBox("Group 分组")
    inside = QVBoxLayout(group)
    inside.addWidget(QCheckBox("A choice in the group"))
    column.addWidget(group)
    return page


def _menu(kit: Kit) -> QWidget:
    page = QWidget()
    menu = QMenu(page)
    menu.setWindowFlags(Qt.WindowType.Widget)
    menu.addAction("Rename 重命名")
    chosen = menu.addAction("Pinned 已置顶")
    chosen.setCheckable(True)
    chosen.setChecked(True)
    menu.addAction("With keys").setShortcut("Ctrl+N")
    menu.addAction("Impossible").setEnabled(False)
    menu.addSeparator()
    menu.addMenu("More")
    menu.setActiveAction(chosen)
    menu.move(kit.theme.space.l, kit.theme.space.l)
    menu.show()
    return page


def _notices(kit: Kit) -> QWidget:
    page, column = _page(kit)
    long = (
        "What happened, in a sentence that is long enough to need a second line in a narrow pane. What to do about it."
    )
    column.addWidget(NoticeBar(kit, "Something to know. 需要知道的事。", "info", on_close=lambda: None))
    column.addWidget(NoticeBar(kit, "It was done.", "success", on_close=lambda: None))
    column.addWidget(NoticeBar(kit, long, "warning", action="Do it", on_action=lambda: None))
    column.addWidget(NoticeBar(kit, long, "error", action="Try again", on_close=lambda: None))
    column.addStretch(1)
    return page


def _sections(kit: Kit) -> QWidget:
    page, column = _page(kit)
    section = Section(kit, "Section 分区", "What this section is about. 这个分区的说明。")
    choice = QComboBox()
    choice.addItems(["English", "简体中文"])
    section.add(FormRow(kit, "Language", choice, explanation="The window opens anew in this language."))
    section.add(FormRow(kit, "On or off", Switch(kit, "On or off", on=True)))
    section.add(FormRow(kit, "Another", Switch(kit, "Another")))
    themes = (("system", "System"), ("light", "Light"), ("dark", "Dark"))
    section.add(FormRow(kit, "Theme", Segmented(kit, "Theme", themes, "light")))
    section.add(FormRow(kit, "Address", QLineEdit("https://api.example.com/v1"), below=True))
    column.addWidget(section)
    column.addWidget(Skeleton(kit, "Reading", 3))
    column.addWidget(ElidedLabel(kit, "/home/lin/Documents/" + "a long folder/" * 14, middle=True, colour="text_soft"))
    column.addStretch(1)
    return page


def _confirm(kit: Kit) -> QWidget:
    page = QWidget()
    asked = Confirm(
        kit, page, "Delete “Family”?", "All chats, gems and files of this organization are deleted for ever.", "Delete",
        lambda: None, typed="Family",
    )  # fmt: skip
    asked.setWindowFlags(Qt.WindowType.Widget)
    asked.show()
    return page


def _empty(kit: Kit) -> QWidget:
    return State(kit, "Nothing here yet", "What would stand here, and how it gets here.", action="Do it")


def _busy(kit: Kit) -> QWidget:
    return State(kit, "Looking for what is there", "This takes a moment.", busy=True)


def _failed(kit: Kit) -> QWidget:
    return State(kit, "This could not be read", "What happened. What to do.", action="Try again", failed=True)


SCENES = (
    Scene("kit-controls", _controls, 760, 560),
    Scene("kit-lists", _lists, 760, 640),
    Scene("kit-menu", _menu, 280, 240),
    Scene("kit-notices", _notices, 640, 560),
    Scene("kit-sections", _sections, 680, 640),
    Scene("kit-confirm", _confirm, 500, 260),
    Scene("kit-empty", _empty, 720, 420),
    Scene("kit-busy", _busy, 720, 420),
    Scene("kit-failed", _failed, 720, 420),
)
