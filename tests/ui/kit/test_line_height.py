"""What is measured by a line of text has room for every script."""

import pytest
from PySide6.QtGui import QTextLayout
from pytestqt.qtbot import QtBot

from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.kit import Kit


def laid_out(kit: Kit, text: str, size: str) -> float:
    layout = QTextLayout(text, kit.theme.font(size))
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1000)
    layout.endLayout()
    return line.height()


@pytest.mark.parametrize("size", ["small", "body", "large"])
@pytest.mark.parametrize("per_cent", [100, 200])
def test_a_line_is_high_enough_for_letters_and_chinese(kit: Kit, size: str, per_cent: int) -> None:
    kit.theme.set_text_size(per_cent)
    try:
        for text in ("Åg", "查找并安装 gem", "שלום"):
            assert kit.theme.line_height(size) >= laid_out(kit, text, size)
    finally:
        kit.theme.set_text_size(100)


def test_one_line_of_mixed_text_is_not_cut(kit: Kit, qtbot: QtBot) -> None:
    label = ElidedLabel(kit, "查找并安装 gem", size="small")
    qtbot.addWidget(label)
    assert label.sizeHint().height() >= laid_out(kit, label.text(), "small")
