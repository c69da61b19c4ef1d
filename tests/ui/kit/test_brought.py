"""What the program brings along speaks the window's language; what others made describes itself."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from notochord.core.sentences import CHINESE, Sentences
from notochord.ui.home.gem_tile import GemTile
from notochord.ui.kit.brought import gem_said, model_note, tool_said
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.home.model import GemRow


def test_in_chinese_tools_models_and_gems_of_the_program_are_told_in_chinese(kit: Kit) -> None:
    chinese = replace(kit, sentences=Sentences.load(CHINESE))
    assert tool_said(chinese, "fs.cat", "Read a text file.") == "读取文本文件。"
    assert "英语" in model_note(chinese, "SmolLM2-135M-Instruct", "Very small, English.")
    assert "按月汇总" in gem_said(chinese, "sales-summary", "Makes a monthly summary.")


def test_what_has_no_sentence_is_shown_as_it_describes_itself_in_one_line(kit: Kit) -> None:
    assert tool_said(kit, "gem.notes.add", "Add a note.\nThe rest.") == "Add a note."
    assert model_note(kit, "mine", "") == ""


@pytest.mark.parametrize(("trust", "name"), [("", "文书助手"), ("developer", "Paperwork"), ("unsigned", "Paperwork")])
def test_an_installed_gem_is_told_in_chinese_only_if_it_is_signed_officially(
    kit: Kit, qtbot: QtBot, trust: str, name: str
) -> None:
    row = GemRow("paperwork", "Paperwork", "1.0.0", "Reads the documents.", trust=trust)
    tile = GemTile(replace(kit, sentences=Sentences.load(CHINESE)), row, lambda: None, lambda _: None)
    qtbot.addWidget(tile)
    assert tile.accessibleName() == name
    assert ("读取" in tile.accessibleDescription()) is (name != "Paperwork")
