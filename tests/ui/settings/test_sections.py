"""Network access, system, organization and statistics as they are used, and the page that holds them."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.services.egress.service import EgressService
from notochord.services.organizations.api import KeyPlace
from notochord.services.usage.api import UseTotal
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.accounts_section import AccountsSection
from notochord.ui.settings.network_section import NetworkSection
from notochord.ui.settings.organization_section import OrganizationSection
from notochord.ui.settings.organization_sheets import NameSheet, SwitchSheet
from notochord.ui.settings.page import SettingsPage
from notochord.ui.settings.parts import Choice, Number
from notochord.ui.settings.sheet import Confirmation
from notochord.ui.settings.statistics_section import StatisticsSection
from notochord.ui.settings.system_section import SystemSection
from notochord.ui.settings.use_chart import rounded_up, short
from notochord.viewmodels.samples import settings as samples
from notochord.viewmodels.samples.doors import absent
from notochord.viewmodels.settings.network import HostList, NetworkModel, ProxyUse, SourceChoice, SourceUse
from notochord.viewmodels.settings.organizations import OrganizationsModel
from notochord.viewmodels.settings.page import Section
from notochord.viewmodels.settings.pane import LOADING, READY
from notochord.viewmodels.settings.statistics import StatisticsModel
from notochord.viewmodels.settings.system import SystemModel
from notochord.viewmodels.shell.preferences import Closing
from support.clocks import HandClock
from support.organizations import organizations_in
from support.runners import HandRunner
from support.settings import MemorySettings
from support.stores import store_with_an_address


def pick(choice: QWidget, value: object) -> None:
    """Choose an entry as the mouse or the keyboard does."""
    assert isinstance(choice, Choice)
    choice.show_choice(value)
    choice.activated.emit(choice.currentIndex())


def texts(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget))


@pytest.fixture
def network(kit: Kit, qtbot: QtBot) -> NetworkSection:
    settings = MemorySettings()
    egress = EgressService(
        settings=settings,
        vault=absent("vault"),
        resolver=absent("resolver"),
        sender=absent("sender"),
        environment={},
    )
    model = NetworkModel(egress=egress, store=store_with_an_address(settings), events=EventBus())
    asyncio.run(model.start())
    section = NetworkSection(kit, model)
    qtbot.addWidget(section)
    section.show()
    return section


@pytest.mark.req("SET-009", "SET-011", "SET-013")
def test_each_mode_shows_its_own_list(network: NetworkSection) -> None:
    blocked, allowed = (network.editors[where] for where in (HostList.BLOCKED, HostList.ALLOWED))
    assert (blocked.isVisibleTo(network), allowed.isVisibleTo(network)) == (True, False)
    pick(network.mode, network._model.mode.value.ALLOW)
    assert (blocked.isVisibleTo(network), allowed.isVisibleTo(network)) == (False, True)
    assert "no website can be reached" in texts(allowed)


@pytest.mark.req("SET-018", "SET-022")
def test_an_entry_that_is_refused_can_be_put_right_with_one_press(network: NetworkSection) -> None:
    editor = network.editors[HostList.LOCAL]
    editor.field.setText("localhost")
    editor.add.click()
    assert editor.error.text().endswith("(E_NETWORK_RULE_INVALID)")
    assert editor.field.text() == "localhost"
    assert editor.instead.text() == "Use localhost:5173"
    editor.instead.click()
    assert list(network._model.lists[HostList.LOCAL]) == ["localhost:5173"]
    assert (editor.field.text(), editor.error.isVisibleTo(editor)) == ("", False)


def test_a_refusal_goes_with_the_words_that_it_was_about(network: NetworkSection) -> None:
    editor = network.editors[HostList.LOCAL]
    editor.field.setText("localhost")
    editor.add.click()
    editor.field.clear()
    assert (editor.error.isVisibleTo(editor), editor.instead.isVisibleTo(editor)) == (False, False)
    pick(network.proxy.choice, network._model.proxy.value.use.ADDRESS)
    network.proxy.address.setText("socks5://proxy.example.com")
    network.proxy.save.click()
    assert network.proxy.error.isVisibleTo(network)
    QTest.keyClicks(network.proxy.address, "x")
    assert not network.proxy.error.isVisibleTo(network)


def test_an_entry_in_the_wrong_list_moves_to_the_right_one(network: NetworkSection) -> None:
    editor = network.editors[HostList.BLOCKED]
    editor.field.setText("nas.local")
    editor.add.click()
    editor.instead.click()
    assert list(network._model.lists[HostList.LOCAL]) == ["nas.local"]


def test_an_entry_is_removed_with_the_button_or_the_delete_key(network: NetworkSection, qtbot: QtBot) -> None:
    editor = network.editors[HostList.BLOCKED]
    for host in ("a.example.com", "b.example.com"):
        editor.field.setText(host)
        editor.add.click()
    assert not editor.remove.isEnabled()
    qtbot.waitActive(network)
    editor.list.setCurrentIndex(editor.list.model().index(0, 0))
    editor.remove.setFocus()
    editor.remove.click()
    assert list(network._model.lists[HostList.BLOCKED]) == ["b.example.com"]
    assert network.focusWidget() in (editor.remove, editor.list)
    editor.list.setCurrentIndex(editor.list.model().index(0, 0))
    editor.list.setFocus()
    QTest.keyClick(editor.list, Qt.Key.Key_Delete)
    assert list(network._model.lists[HostList.BLOCKED]) == []
    assert network.focusWidget() is editor.field


def test_saving_a_proxy_can_be_pressed_until_what_is_typed_is_in_force(network: NetworkSection) -> None:
    proxy = network.proxy
    pick(proxy.choice, network._model.proxy.value.use.ADDRESS)
    proxy.address.returnPressed.emit()
    assert proxy.error.text().endswith("(E_NETWORK_RULE_INVALID)")
    assert network._model.proxy.value.use is ProxyUse.SYSTEM
    proxy.address.setText("http://user:secret@proxy.example.com:3128")
    assert proxy.save.isEnabled()
    proxy.save.setFocus()
    proxy.save.click()
    assert not proxy.save.isEnabled()
    assert network.focusWidget() is proxy.address


def test_a_proxy_that_cannot_be_used_is_told_of_in_its_place(network: NetworkSection) -> None:
    pick(network.proxy.choice, network._model.proxy.value.use.ADDRESS)
    network.proxy.address.setText("socks5://proxy.example.com")
    network.proxy.save.click()
    assert network.proxy.error.text().endswith("(E_NETWORK_RULE_INVALID)")
    network.proxy.address.setText("http://user:secret@proxy.example.com:3128")
    network.proxy.save.click()
    assert not network.proxy.error.isVisibleTo(network)
    assert "secret" not in network.proxy.address.text()


@pytest.mark.req("APP-030")
def test_the_store_gets_another_address_or_none_and_a_wrong_one_is_told_in_its_place(network: NetworkSection) -> None:
    store = network.store
    assert (store.choice.currentText(), store.row.isVisibleTo(network)) == ("The usual address", False)
    pick(store.choice, SourceUse.ADDRESS)
    for wrong in ("", "http://gems.example.com/index.json"):
        store.address.setText(wrong)
        store.save.click()
        assert "it has to be an https address without a user name" in store.error.text()
        assert store.error.isVisibleTo(network)
        assert network._model.source.value.use is SourceUse.USUAL
    store.address.setText("https://gems.example.com/index.json")
    store.save.click()
    assert not store.error.isVisibleTo(network)
    assert network._model.source.value == SourceChoice(SourceUse.ADDRESS, "https://gems.example.com/index.json")
    pick(store.choice, SourceUse.NONE)
    assert (network._model.source.value.use, store.row.isVisibleTo(network)) == (SourceUse.NONE, False)


def test_the_field_for_an_address_is_scrolled_into_view(network: NetworkSection, qtbot: QtBot) -> None:
    network.resize(700, 300)
    row, view = network.store.row, network.viewport()
    pick(network.store.choice, SourceUse.ADDRESS)
    qtbot.waitUntil(lambda: view.rect().contains(row.mapTo(view, row.rect().center())))


class Refusing:
    """Starting at login on a computer that refuses it."""

    async def enabled(self) -> bool:
        return False

    async def change(self, _: bool) -> None:
        raise NotochordError(Code.DISK_IO, Fault.SYSTEM, "read-only", path="autostart")


class SystemBench:
    def __init__(self, kit: Kit, home: Path, *, has_tray: bool = True) -> None:
        self.settings, self.spoken = MemorySettings(), list[str]()
        organizations = organizations_in(home)
        made = asyncio.run(organizations.create("Personal", KeyPlace.MEMORY))
        self.model = SystemModel(
            settings=self.settings,
            organizations=organizations,
            organization=made.id,
            startup=Refusing(),
            speak=self.spoken.append,
            has_tray=lambda: has_tray,
            events=EventBus(),
        )
        asyncio.run(self.model.start())
        self.section = SystemSection(kit, self.model, lambda: None)
        self.section.show()


def test_system_settings_are_in_force_at_once(kit: Kit, qtbot: QtBot, tmp_path: Path) -> None:
    bench = SystemBench(kit, tmp_path)
    qtbot.addWidget(bench.section)
    controls = bench.section.controls
    pick(controls["theme"], "dark")
    pick(controls["closing"], Closing.QUIT.value)
    pick(controls["send"], True)
    pick(controls["language"], "zh_CN")
    compress = controls["compress"]
    assert isinstance(compress, Number)
    compress.setValue(0)
    assert compress.text() == "Off"
    assert bench.settings.stored == {
        "window.theme": "dark",
        "window.closing": "quit",
        "chat.send_with_control": True,
        "chat.summarize_above": 0,
    }
    assert bench.spoken == ["zh_CN"]


def test_a_change_that_fails_leaves_the_control_as_it_was(
    kit: Kit, qtbot: QtBot, tmp_path: Path, runner: HandRunner
) -> None:
    bench = SystemBench(kit, tmp_path)
    qtbot.addWidget(bench.section)
    box = bench.section.controls["at_login"]
    assert isinstance(box, QCheckBox)
    box.click()
    assert not box.isChecked()
    assert [error.code for error in runner.presented] == [Code.DISK_IO]


def test_without_a_tray_closing_cannot_be_chosen_and_it_is_said_why(kit: Kit, qtbot: QtBot, tmp_path: Path) -> None:
    bench = SystemBench(kit, tmp_path, has_tray=False)
    qtbot.addWidget(bench.section)
    assert not bench.section.controls["closing"].isEnabled()
    assert "This desktop has no tray" in texts(bench.section)


class NoChats:
    async def all(self) -> tuple[()]:
        return ()


class OrganizationBench:
    def __init__(self, kit: Kit, folder: Path) -> None:
        self.organizations = organizations_in(folder / "home")
        made = asyncio.run(self.organizations.create("Personal", KeyPlace.FILE))
        asyncio.run(self.organizations.make_current(made.id))
        self.switched = list[str]()
        self.model = OrganizationsModel(
            organizations=self.organizations,
            chats=NoChats(),  # type: ignore[arg-type]  # only the list is asked for
            current=made.id,
            folder=folder,
            switch=self.switched.append,
            open_folder=lambda _: None,
            events=EventBus(),
        )
        asyncio.run(self.model.start())
        self.section = OrganizationSection(kit, self.model)
        self.section.show()

    def sheet(self, kind: type[NameSheet] | type[SwitchSheet] | type[Confirmation]) -> QWidget:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        (found,) = self.section.findChildren(kind)
        return found

    def create(self, name: str) -> str:
        self.section.new.click()
        sheet = self.sheet(NameSheet)
        assert isinstance(sheet, NameSheet)
        sheet.name.setText(name)
        sheet.submit()
        return next(row.id for row in self.model.all if row.name == name)


@pytest.fixture
def organizations(kit: Kit, qtbot: QtBot, tmp_path: Path) -> OrganizationBench:
    made = OrganizationBench(kit, tmp_path)
    qtbot.addWidget(made.section)
    return made


@pytest.mark.req("ORG-021", "ORG-022", "ORG-023")
def test_a_new_organization_is_made_and_offered_to_switch_to(organizations: OrganizationBench) -> None:
    made = organizations.create("Client")
    question = organizations.sheet(SwitchSheet)
    assert isinstance(question, SwitchSheet)
    (row,) = [row for row in organizations.model.all if row.id == made]
    assert row.unfinished
    assert "Client was created" in texts(question)
    assert "Its set-up begins when you switch to it" in texts(question)
    assert "ready" not in texts(question)
    question.submit()
    assert organizations.switched == [made]


@pytest.mark.req("ORG-026", "ORG-034", "ORG-035")
def test_an_organization_is_deleted_only_by_its_typed_name(organizations: OrganizationBench) -> None:
    made = organizations.create("Client")
    switching = organizations.sheet(SwitchSheet)
    assert isinstance(switching, SwitchSheet)
    switching.reject()
    organizations.section.rows.views[made].buttons["delete"].click()
    question = organizations.sheet(Confirmation)
    assert isinstance(question, Confirmation)
    assert "cannot be undone" in texts(question)
    assert not question.accept_button.isEnabled()
    question.typed.setText("client")
    assert not question.accept_button.isEnabled()
    question.typed.setText("Client")
    question.submit()
    assert [row.name for row in organizations.model.all] == ["Personal"]


@pytest.mark.req("ORG-027", "ORG-036")
def test_the_open_organization_is_marked_and_offers_no_deletion(organizations: OrganizationBench) -> None:
    (view,) = organizations.section.rows.views.values()
    assert view.current.isVisibleTo(view)
    assert view.current.text == "Current"
    assert not view.buttons["delete"].isVisibleTo(view)
    assert not view.buttons["switch"].isVisibleTo(view)


@pytest.mark.req("ORG-017", "ORG-020")
def test_the_recovery_key_is_saved_and_it_is_said_where(organizations: OrganizationBench, tmp_path: Path) -> None:
    section = organizations.section
    assert section.save_key.text() == "Save recovery key…"
    section.save_key_into(tmp_path / "Personal.key")
    assert str(tmp_path / "Personal.key") in section.key_told.text()
    section.save_key_into(tmp_path / "Personal.key")
    assert section.key_told.text().endswith("(E_FILE_EXISTS)")


@pytest.mark.req("ORG-024")
def test_the_open_organization_gets_another_name(organizations: OrganizationBench) -> None:
    section = organizations.section
    assert not section.save_name.isEnabled()
    section.name.setText("Private")
    section.save_name.click()
    assert [row.name for row in organizations.model.all] == ["Private"]


class Used:
    async def totals(self, *, since_day: str = "") -> tuple[UseTotal, ...]:
        rows = (
            UseTotal("2026-11-01", "title", "Cloud", "small", 2, 20, 4),
            UseTotal("2026-11-30", "chat", "Cloud", "large", 1, 1_500_000, 400),
        )
        return tuple(row for row in rows if row.day >= since_day)


@pytest.mark.req("MODEL-100")
def test_use_is_shown_as_a_chart_and_as_tables(kit: Kit, qtbot: QtBot, tmp_path: Path) -> None:
    clock = HandClock(datetime(2026, 11, 30, 9, tzinfo=UTC))
    model = StatisticsModel(usage=Used(), clock=clock, events=EventBus())  # type: ignore[arg-type]  # it is only read
    asyncio.run(model.start())
    section = StatisticsSection(kit, model)
    qtbot.addWidget(section)
    section.show()
    features = section.tables["feature"]
    cells = [[features.item(row, column) for column in range(4)] for row in range(features.rowCount())]
    assert [[cell.text() if cell else "" for cell in row] for row in cells] == [
        ["Chat", "1", "1,500,000", "400"],
        ["Titles of conversations", "2", "20", "4"],
    ]
    bars = section.chart.bars()
    assert len(bars) == section.tables["day"].rowCount() == 30
    assert bars[-1][0].height() > bars[0][0].height() > 0
    pick(section.period, model.period.value.WEEK)
    assert section.tables["feature"].rowCount() == 1
    section.save_into(tmp_path / "use.csv")
    assert (tmp_path / "use.csv").exists()
    assert section.told.text() == f"Saved as {tmp_path / 'use.csv'}."


def test_in_a_narrow_window_the_figures_of_use_stand_beside_each_other_and_no_number_at_the_chart_is_cut(
    kit: Kit, qtbot: QtBot
) -> None:
    clock = HandClock(datetime(2026, 11, 30, 9, tzinfo=UTC))
    model = StatisticsModel(usage=Used(), clock=clock, events=EventBus())  # type: ignore[arg-type]  # it is only read
    asyncio.run(model.start())
    section = StatisticsSection(kit, model)
    qtbot.addWidget(section)
    section.resize(440, 700)
    section.show()
    table = section.tables["day"]
    qtbot.waitUntil(lambda: table.viewport().width() > 200)
    header = table.horizontalHeader()
    assert table.horizontalScrollBar().maximum() == 0
    for column in range(4):
        words = table.horizontalHeaderItem(column)
        assert words is not None
        assert header.sectionSize(column) >= header.fontMetrics().horizontalAdvance(words.text())
    area, metrics = section.chart.area(), QFontMetrics(kit.theme.font("small"))
    assert all(
        metrics.horizontalAdvance(number) <= area.left() - kit.theme.space.s for number in section.chart.numbers()
    )


@pytest.mark.parametrize(("number", "top"), [(0, 4), (4, 4), (5, 8), (21, 40), (199_999, 200_000)])
def test_the_lines_of_the_chart_stand_at_round_numbers(number: int, top: int) -> None:
    assert rounded_up(number) == top


def test_numbers_beside_the_lines_are_short(kit: Kit) -> None:
    assert [short(kit, number) for number in (950, 1_500, 2_000_000)] == ["950", "1.5K", "2M"]


@pytest.fixture
def page(kit: Kit, qtbot: QtBot) -> SettingsPage:
    made = SettingsPage(kit, samples.page("en", Section.ROLES))
    qtbot.addWidget(made)
    made.resize(1100, 700)
    made.show()
    return made


def test_the_page_builds_a_section_at_its_first_visit(page: SettingsPage) -> None:
    assert list(page._built) == [Section.ROLES]
    page.list.setCurrentRow(page.list.count() - 1)
    assert list(page._built) == [Section.ROLES, Section.STATISTICS]
    assert page.stack.currentWidget() is page._built[Section.STATISTICS]


def test_what_the_search_finds_is_opened_with_the_focus_in_it(page: SettingsPage, qtbot: QtBot) -> None:
    qtbot.waitActive(page)
    page.search.setText("auto-compress")
    assert page.results.count() == 1
    QTest.keyClick(page.search, Qt.Key.Key_Return)
    assert page.stack.currentWidget() is page._built[Section.SYSTEM]
    section = page._built[Section.SYSTEM]
    assert isinstance(section, SystemSection)
    assert section.controls["compress"].hasFocus()
    assert page.search.text() == ""


def test_what_the_search_finds_gets_the_focus_once_its_section_is_read(
    page: SettingsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def later(_: Section) -> None:
        """The section is read when the test says so."""

    monkeypatch.setattr(page._model, "read", later)
    state = page._model.sections.system.state
    state.set(LOADING)
    qtbot.waitActive(page)
    page.search.setText("auto-compress")
    QTest.keyClick(page.search, Qt.Key.Key_Return)
    section = page._built[Section.SYSTEM]
    assert isinstance(section, SystemSection)
    assert not section.controls["compress"].hasFocus()
    state.set(READY)
    assert section.controls["compress"].hasFocus()


def test_words_that_nothing_answers_to_are_told_of(page: SettingsPage) -> None:
    page.search.setText("xyzzy")
    assert page.nothing.isVisibleTo(page)
    assert not page.results.isVisibleTo(page)


@pytest.mark.req("SET-004", "SET-005")
def test_system_leads_to_network_access_and_accounts_to_the_providers(page: SettingsPage) -> None:
    page._model.section.set(Section.SYSTEM)
    system = page._built[Section.SYSTEM]
    assert isinstance(system, SystemSection)
    network = system.controls["network"]
    assert isinstance(network, QAbstractButton)
    network.click()
    assert isinstance(page.stack.currentWidget(), NetworkSection)
    page._model.section.set(Section.ACCOUNTS)
    accounts = page._built[Section.ACCOUNTS]
    assert isinstance(accounts, AccountsSection)
    accounts.providers.click()
    assert page.stack.currentWidget() is page._built[Section.PROVIDERS]
