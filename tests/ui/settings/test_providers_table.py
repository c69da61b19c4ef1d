"""The table of providers as it is used: connect, test, choose models, change a key, remove; and model files."""

import asyncio
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from notochord.core.events import EventBus
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.local_files import LocalFiles
from notochord.ui.settings.provider_sheets import ConnectSheet, KeySheet, ModelsSheet
from notochord.ui.settings.providers_table import ProvidersTable
from notochord.ui.settings.sheet import Confirmation
from notochord.viewmodels.settings.provider_rows import TEMPLATES
from notochord.viewmodels.settings.providers import ProvidersModel
from support.settings import MemoryModels, MemorySettings

Found = TypeVar("Found", bound=QWidget)
OPENAI, OFFICE = 0, len(TEMPLATES) - 1


class Table:
    """The table over models in memory."""

    def __init__(self, kit: Kit) -> None:
        self.models = MemoryModels()
        self.model = ProvidersModel(models=self.models, settings=MemorySettings(), events=EventBus())
        self.view = ProvidersTable(kit, self.model)
        self.reload()

    def reload(self) -> None:
        asyncio.run(self.model.load())

    @property
    def files(self) -> LocalFiles:
        (found,) = self.view.findChildren(LocalFiles)
        return found

    def sheet(self, kind: type[Found]) -> Found:
        """Return the open sheet of this kind."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        (found,) = self.view.findChildren(kind)
        return found

    def connect(self, key: str = "key", kind: int = OPENAI) -> ConnectSheet:
        self.view.add.click()
        sheet = self.sheet(ConnectSheet)
        sheet.kind.setCurrentIndex(kind)
        sheet.key.setText(key)
        sheet.submit()
        self.reload()
        return sheet

    def connected(self) -> None:
        """Connect OpenAI and use the model small."""
        self.connect()
        sheet = self.sheet(ModelsSheet)
        sheet.list.item(0).setCheckState(Qt.CheckState.Checked)
        sheet.submit()
        self.reload()


@pytest.fixture
def table(kit: Kit, qtbot: QtBot) -> Table:
    made = Table(kit)
    qtbot.addWidget(made.view)
    made.view.show()
    return made


def texts(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget))


@pytest.mark.req("SETUP-031", "SETUP-032", "SETUP-052", "MODEL-001")
def test_a_provider_is_connected_with_a_hidden_key_and_its_models_chosen(table: Table) -> None:
    assert table.view.empty.isVisibleTo(table.view)
    sheet = table.connect("secret-key")
    assert sheet.key.echoMode() is QLineEdit.EchoMode.Password
    assert sheet.key.text() == ""
    models = table.sheet(ModelsSheet)
    assert [models.list.item(row).text() for row in range(models.list.count())] == ["small", "large"]
    models.list.item(1).setCheckState(Qt.CheckState.Checked)
    models.typed.setText("typed by hand")
    models.submit()
    table.reload()
    row = table.model.providers[0]
    assert [model.name for model in row.models] == ["typed by hand", "large"]
    assert table.models.keys["OpenAI"] == "secret-key"
    assert "secret-key" not in texts(table.view)


def test_the_space_bar_checks_a_model_that_is_seen_and_none_that_the_filter_hides(table: Table) -> None:
    table.connect("secret-key")
    sheet = table.sheet(ModelsSheet)
    sheet.filter.setText("lar")
    QTest.keyClick(sheet.list, Qt.Key.Key_Space)
    sheet.filter.setText("nothing of this name")
    QTest.keyClick(sheet.list, Qt.Key.Key_Space)
    checked = [sheet.list.item(row).checkState() is Qt.CheckState.Checked for row in range(sheet.list.count())]
    assert checked == [False, True]


def test_a_refused_key_leaves_the_form_open_with_the_providers_answer(table: Table) -> None:
    sheet = table.connect("wrong")
    assert sheet.error.text().endswith("(E_MODEL_KEY_REFUSED)")
    assert sheet.key.text() == "wrong"
    assert list(table.model.providers) == []
    sheet.key.setText("right")
    sheet.submit()
    table.reload()
    assert [row.name for row in table.model.providers] == ["OpenAI"]


@pytest.mark.req("MODEL-005")
def test_a_private_server_that_is_offline_can_be_connected_all_the_same(table: Table) -> None:
    table.view.add.click()
    sheet = table.sheet(ConnectSheet)
    assert not sheet.address.isVisibleTo(sheet)
    sheet.kind.setCurrentIndex(OFFICE)
    assert sheet.address.isVisibleTo(sheet)
    sheet.name.setText("Office")
    sheet.address.setText("http://192.168.1.20:8000")
    sheet.key.setText("offline")
    assert sheet.plain.isVisibleTo(sheet)
    assert not sheet.anyway.isVisibleTo(sheet)
    sheet.submit()
    assert sheet.anyway.isVisibleTo(sheet)
    sheet.anyway.click()
    table.reload()
    assert [row.name for row in table.model.providers] == ["Office"]


def test_a_key_that_was_typed_for_one_provider_is_not_sent_to_another(table: Table) -> None:
    table.view.add.click()
    sheet = table.sheet(ConnectSheet)
    sheet.key.setText("for OpenAI")
    sheet.kind.setCurrentIndex(OFFICE)
    assert sheet.key.text() == ""


def test_testing_a_connection_tells_in_its_row_how_it_went(table: Table) -> None:
    table.connected()
    card = next(iter(table.view.rows.views.values()))
    card.test.click()
    assert card.status.text() == "The connection works: 2 models are available."
    table.models.keys["OpenAI"] = "wrong"
    card.test.click()
    assert card.status.text().endswith("(E_MODEL_KEY_REFUSED)")


def test_a_key_is_changed_without_showing_the_old_one(table: Table) -> None:
    table.connected()
    next(iter(table.view.rows.views.values())).key.click()
    sheet = table.sheet(KeySheet)
    assert sheet.key.text() == ""
    sheet.submit()
    assert sheet.error.text().endswith("(E_INPUT_INVALID)")
    sheet.key.setText("another")
    sheet.submit()
    assert table.models.keys["OpenAI"] == "another"


@pytest.mark.parametrize(("key", "told"), [("another", "The connection works"), ("wrong", "E_MODEL_KEY_REFUSED")])
def test_a_changed_key_is_tried_and_its_row_tells_how_it_went(table: Table, key: str, told: str) -> None:
    table.connected()
    card = next(iter(table.view.rows.views.values()))
    card.key.click()
    sheet = table.sheet(KeySheet)
    sheet.key.setText(key)
    sheet.submit()
    assert told in card.status.text()


def test_what_was_wrong_in_a_form_is_said_no_more_once_it_is_changed(table: Table) -> None:
    table.view.add.click()
    sheet = table.sheet(ConnectSheet)
    sheet.key.setText("wrong")
    sheet.submit()
    assert sheet.error.isVisibleTo(sheet)
    QTest.keyClicks(sheet.key, "x")
    assert not sheet.error.isVisibleTo(sheet)
    assert not sheet.anyway.isVisibleTo(sheet)


def test_removing_names_what_is_destroyed_and_asks_first(table: Table) -> None:
    table.connected()
    asyncio.run(table.models.set_role("chat", None))
    next(iter(table.view.rows.views.values())).remove.click()
    sheet = table.sheet(Confirmation)
    assert "Remove OpenAI?" in texts(sheet)
    assert "No longer available: small" in texts(sheet)
    assert sheet.cancel_button.isDefault()
    sheet.reject()
    assert len(asyncio.run(table.models.providers())) == 1
    next(iter(table.view.rows.views.values())).remove.click()
    table.sheet(Confirmation).submit()
    assert asyncio.run(table.models.providers()) == ()


@pytest.mark.req("MODEL-004", "ORG-038")
def test_a_model_file_is_fetched_used_and_deleted_for_all_organizations(table: Table) -> None:
    files = table.files
    row = files.rows.views["tiny"]
    row.buttons["fetch"].click()
    row.buttons["use"].click()
    table.reload()
    assert [card.name for card in table.model.providers] == ["This computer"]
    assert row.buttons["stop"].isVisibleTo(files)
    row.buttons["delete"].click()
    sheet = table.sheet(Confirmation)
    assert "All other organizations lose it too" in texts(sheet)
    sheet.submit()
    table.reload()
    assert row.buttons["fetch"].isVisibleTo(files)


def test_a_file_of_ones_own_is_taken_in_or_refused_with_the_reason(table: Table) -> None:
    files = table.files
    files.take_in(Path("/somewhere/picture.png"))
    assert files.error.text().endswith("(E_MODEL_FILE_DAMAGED)")
    files.take_in(Path("/somewhere/own.gguf"))
    table.reload()
    assert [model.name for model in table.model.providers[0].models] == ["own"]


@pytest.mark.req("SETUP-046", "SETUP-047")
def test_an_ollama_that_was_found_is_offered_and_connected_with_one_press(table: Table) -> None:
    table.model.ollama.set(("qwen3:8b",))
    assert "Ollama is running on this computer, with 1 model." in texts(table.view)
    table.view.use_ollama.click()
    table.reload()
    assert [row.name for row in table.model.providers] == ["Ollama"]
    assert not table.view.offer.isVisibleTo(table.view)
