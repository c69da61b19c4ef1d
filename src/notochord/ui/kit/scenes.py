"""Pictures of the kit's own controls and states."""

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from notochord.ui.gallery.scene import Scene
from notochord.ui.kit.controls.buttons import Button, IconButton
from notochord.ui.kit.controls.labels import heading, remark, title
from notochord.ui.kit.controls.states import State
from notochord.ui.kit.kit import Kit


def _controls(kit: Kit) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(*[kit.theme.space.xl] * 4)
    column.setSpacing(kit.theme.space.m)
    column.addWidget(title(kit, "Title 标题"))
    column.addWidget(heading(kit, "Heading 小标题"))
    column.addWidget(remark(kit, "A remark explains what stands above it. 备注说明上面的内容。"))
    row = QHBoxLayout()
    row.addWidget(Button(kit, "Primary", primary=True))
    row.addWidget(Button(kit, "Ordinary"))
    row.addWidget(Button(kit, "Delete", danger=True))
    off = Button(kit, "Disabled")
    off.setEnabled(False)
    row.addWidget(off)
    row.addWidget(IconButton(kit, "settings", "Settings"))
    row.addStretch(1)
    column.addLayout(row)
    field = QLineEdit("A text field")
    field.setAccessibleName("Field")
    column.addWidget(field)
    choice = QComboBox()
    choice.addItems(["One", "Two", "三"])
    column.addWidget(choice)
    for box in (QCheckBox("A check box"), QRadioButton("A radio button")):
        box.setChecked(True)
        column.addWidget(box)
    bar = QProgressBar()
    bar.setValue(40)
    column.addWidget(bar)
    column.addStretch(1)
    return page


def _empty(kit: Kit) -> QWidget:
    return State(kit, "Nothing here yet", "What would stand here, and how it gets here.", action="Do it")


SCENES = (Scene("kit-controls", _controls, 720, 520), Scene("kit-empty", _empty, 720, 420))
