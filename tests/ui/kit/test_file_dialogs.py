"""Dialogs for files: where they begin, what they remember, and that they speak the window's language."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel, QLineEdit, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from notochord.app.desktop.application import QtTexts
from notochord.core.sentences import CHINESE, ENGLISH, Sentences
from notochord.ui.kit.file_dialogs import ask_folder, ask_open_file, ask_open_files, ask_save_file
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.last_folders import LastFolders, Purpose, documents

LATIN = re.compile("[A-Za-z]{2,}")


@pytest.fixture
def owner(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[QWidget]:
    widget = QWidget()
    qtbot.addWidget(widget)
    monkeypatch.chdir(tmp_path)
    yield widget
    for dialog in widget.findChildren(QFileDialog):
        dialog.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def fresh(kit: Kit) -> Kit:
    return replace(kit, folders=LastFolders())


def begins_in(dialog: QFileDialog) -> Path:
    return Path(dialog.directory().absolutePath())


def chosen(dialog: QFileDialog, path: Path) -> None:
    dialog.filesSelected.emit([str(path)])
    dialog.fileSelected.emit(str(path))
    dialog.close()


def test_a_dialog_begins_in_the_documents_and_not_where_the_process_stands(fresh: Kit, owner: QWidget) -> None:
    dialogs = (
        ask_open_file(fresh, owner, "Open", lambda _: None, Purpose.MODEL_FILE),
        ask_open_files(fresh, owner, "Attach", lambda _: None, Purpose.ATTACH),
        ask_folder(fresh, owner, "Folder", lambda _: None, Purpose.CHAT_FOLDER),
        ask_save_file(fresh, owner, "Save", "a.md", lambda _: None, Purpose.EXPORT),
    )
    assert {begins_in(dialog) for dialog in dialogs} == {documents()}
    assert documents() != Path.cwd()


def test_the_next_dialog_for_the_same_purpose_begins_where_the_last_one_ended(
    fresh: Kit, owner: QWidget, tmp_path: Path
) -> None:
    kept: list[object] = []
    taken: list[Path] = []
    fresh.folders.kept = kept.append
    folder = tmp_path / "notes"
    folder.mkdir()
    chosen(ask_open_file(fresh, owner, "Open", taken.append, Purpose.MODEL_FILE), folder / "a.gguf")
    assert taken == [folder / "a.gguf"]
    assert kept == [{"model_file": str(folder)}]
    assert begins_in(ask_open_file(fresh, owner, "Open", taken.append, Purpose.MODEL_FILE)) == folder
    assert begins_in(ask_save_file(fresh, owner, "Save", "a.md", taken.append, Purpose.EXPORT)) == documents()


def test_a_folder_that_is_gone_is_not_offered(tmp_path: Path) -> None:
    folders = LastFolders()
    folders.load({"attach": str(tmp_path / "gone"), "export": str(tmp_path)})
    assert (folders.of(Purpose.ATTACH), folders.of(Purpose.EXPORT)) == (documents(), tmp_path)
    folders.forget()
    assert folders.of(Purpose.EXPORT) == documents()


def words(widget: QWidget) -> set[str]:
    found = {one.text() for one in widget.findChildren(QLabel)} | {a.text() for a in widget.findChildren(QAction)}
    found |= {one.text() for one in widget.findChildren(QAbstractButton)}
    found |= {one.toolTip() for one in widget.findChildren(QWidget)}
    return {re.sub(r"\(&.\)|\t.*", "", text) for text in found}


@pytest.fixture
def chinese(qapp: QApplication, fresh: Kit) -> Iterator[Kit]:
    texts = QtTexts(qapp)
    texts.speak(CHINESE)
    yield replace(fresh, sentences=Sentences.load(CHINESE))
    texts.speak(ENGLISH)


def test_in_chinese_no_word_of_a_dialog_for_files_is_english(chinese: Kit, owner: QWidget) -> None:
    dialog = ask_save_file(chinese, owner, "保存", "", lambda _: None, Purpose.EXPORT)
    table = dialog.findChild(QTreeView)
    assert table is not None
    heads = {str(table.model().headerData(at, Qt.Orientation.Horizontal)) for at in range(4)}
    found = words(dialog) | heads
    assert "文件类型：" in found
    assert not {text for text in found if LATIN.search(text)}


def test_in_chinese_the_menu_of_a_line_edit_is_chinese(chinese: Kit, qtbot: QtBot) -> None:
    edit = QLineEdit()
    qtbot.addWidget(edit)
    menu = edit.createStandardContextMenu()
    found = {re.sub(r"\(&.\)|\t.*", "", action.text()) for action in menu.actions()}
    menu.deleteLater()
    assert {"剪切", "复制", "粘贴", "全选"} <= found
    assert not {text for text in found if LATIN.search(text)}
