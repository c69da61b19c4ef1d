"""The accounts as they are used: adding by a template, signing in, and the question before one is deleted."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.sentences import Sentences
from notochord.services.accounts.templates import bundled
from notochord.services.gems.api import AccountChoice
from notochord.services.vault.api import SignIn
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.theme.theme import Theme
from notochord.ui.settings.account_card import AccountActions, AccountCard
from notochord.ui.settings.account_sheets import AccountSheet, EditAccountSheet, ReplaceSecretSheet
from notochord.ui.settings.accounts_section import AccountsSection
from notochord.ui.settings.sheet import Confirmation
from notochord.viewmodels.samples import accounts as samples
from notochord.viewmodels.settings.account_rows import AccountRow, Method
from notochord.viewmodels.settings.accounts import AccountsModel
from support.accounts import PAGE, MemoryAccounts, MemoryGrants
from support.fakes.gems import FakeGems
from support.fakes.models import FakeModels


@dataclass
class Screen:
    """The section over accounts in memory."""

    section: AccountsSection
    model: AccountsModel
    memory: MemoryAccounts
    gems: FakeGems
    opened: list[str]

    @property
    def card(self) -> AccountCard:
        (card,) = self.section.rows.views.values()
        return card

    def sheet(self, kind: type[QDialog]) -> Any:
        return next(found for found in self.section.findChildren(kind) if found.isVisible())

    def add(self, service: str, **typed: str) -> None:
        """Fill in the form as a user does, and send it."""
        self.section.add.click()
        sheet: AccountSheet = self.sheet(AccountSheet)
        names = [template.name for template in bundled()]
        sheet.service.setCurrentIndex(names.index(service) if service in names else len(names))
        for name, text in typed.items():
            sheet.fields[name].setText(text)
        sheet.accept_button.click()


def screen_of(kit: Kit, qtbot: QtBot, *, encrypted: bool) -> Screen:
    memory, gems, opened = MemoryAccounts(), FakeGems(), list[str]()

    def browser(address: str) -> bool:
        opened.append(address)
        return True

    model = AccountsModel(
        accounts=memory,
        grants=MemoryGrants(),
        gems=cast(Any, gems),
        models=cast(Any, FakeModels()),
        events=EventBus(),
        sentences=Sentences.load("en"),
        show=browser,
        encrypted=encrypted,
    )
    asyncio.run(model.load())
    section = AccountsSection(kit, model, lambda: None)
    qtbot.addWidget(section)
    section.show()
    return Screen(section, model, memory, gems, opened)


@pytest.fixture
def screen(kit: Kit, qtbot: QtBot) -> Screen:
    return screen_of(kit, qtbot, encrypted=True)


def texts(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget))


def test_without_accounts_the_way_to_one_is_shown(screen: Screen) -> None:
    assert "No account is stored yet" in texts(screen.section)
    assert screen.section.add.isVisibleTo(screen.section)


@pytest.mark.parametrize("encrypted", [True, False])
def test_it_is_said_whether_the_folder_alone_gives_the_secrets_away(kit: Kit, qtbot: QtBot, encrypted: bool) -> None:
    shown = texts(screen_of(kit, qtbot, encrypted=encrypted).section)
    assert ("keeps encrypted on this computer" in shown) is encrypted
    assert ("whoever gets its folder can read them" in shown) is not encrypted


@pytest.mark.req("CRED-001", "CRED-002", "CRED-016")
def test_an_account_is_added_by_a_template_and_its_key_stands_nowhere(screen: Screen) -> None:
    screen.add("GitHub", secret="secret-key")
    assert screen.memory.secrets == {"account-1": "secret-key"}
    shown = texts(screen.card)
    assert "GitHub · Token (bearer) · sent only to api.github.com, uploads.github.com" in shown
    assert "No gem may use it yet" in shown
    assert "Not used yet" in shown
    typed = [field.text() for field in screen.section.findChildren(QLineEdit)]
    assert "secret-key" not in texts(screen.section) + str(typed)


def test_a_form_that_is_refused_stays_with_what_was_typed(screen: Screen) -> None:
    screen.add("GitHub")
    sheet: AccountSheet = screen.sheet(AccountSheet)
    assert "the secret is empty or too long" in sheet.error.text()
    sheet.fields["secret"].setText("secret-key")
    sheet.accept_button.click()
    assert screen.memory.secrets == {"account-1": "secret-key"}


def test_without_a_browser_the_whole_address_for_signing_in_can_be_copied(kit: Kit, qtbot: QtBot) -> None:
    address = "https://auth.example.com/authorize?" + "state=0123456789" * 30
    row = AccountRow("a", "Office", ("api.example.com",), method=Method.OAUTH, signing_in=True, address=address)
    card = AccountCard(kit, row, AccountActions(*([lambda _: None] * 7)))
    qtbot.addWidget(card)
    card.resize(500, 300)
    card.show()
    assert card.minimumSizeHint().width() <= 500
    card.copy.click()
    assert QGuiApplication.clipboard().text() == address


def test_another_service_asks_for_what_its_way_needs(kit: Kit, qtbot: QtBot) -> None:
    sheet = AccountSheet(kit, samples.accounts(), lambda _account, _signs_in: None)
    qtbot.addWidget(sheet)
    shown = {}
    for index, method in enumerate(Method):
        sheet.service.setCurrentIndex(len(samples.TEMPLATES))
        sheet.method.setCurrentIndex(index)
        shown[method] = {name for name in sheet.fields if not sheet._holders[name].isHidden()} - {"method"}
    assert shown[Method.BEARER] == {"name", "places", "paths", "secret"}
    assert shown[Method.QUERY] - shown[Method.BEARER] == {"field_name"}
    assert shown[Method.BASIC] - shown[Method.BEARER] == {"user"}
    assert shown[Method.OAUTH] >= {"authorize_url", "token_url", "client_id", "client_secret", "scopes"}
    sheet.fields["places"].setText("http://192.168.1.2:80")
    assert not sheet.plain.isHidden()
    sheet.fields["secret"].setText("for the one")
    sheet.service.setCurrentIndex(0)
    assert sheet.fields["secret"].text() == ""  # a key belongs to the service it was typed for
    assert sheet.plain.isHidden()


def test_adding_an_account_that_is_signed_in_to_leads_to_the_browser(screen: Screen) -> None:
    screen.add("Google", client_id="my-client", client_secret="client-secret")
    assert screen.opened == [PAGE]
    asyncio.run(screen.model.load())
    assert "Signed in" in texts(screen.card)
    screen.card.buttons["sign_out"].click()
    asyncio.run(screen.model.load())
    assert "Not signed in" in texts(screen.card)


def test_what_the_service_says_of_a_sign_in_stands_in_the_card(screen: Screen) -> None:
    screen.memory.refusal = NotochordError(Code.SIGN_IN_REFUSED, Fault.USER, "no", reason="access_denied")
    screen.add("Google", client_id="my-client")
    assert "the service says access_denied" in screen.card.status.text()
    assert screen.card.buttons["sign_in"].isVisibleTo(screen.card)


def test_a_sign_in_under_way_can_be_cancelled_and_one_that_ended_begun_again(kit: Kit, qtbot: QtBot) -> None:
    section = AccountsSection(kit, samples.accounts_at_work(), lambda: None)
    qtbot.addWidget(section)
    waiting, again, *_ = section.rows.views.values()
    assert not waiting.buttons["cancel"].isHidden()
    assert waiting.buttons["sign_in"].isHidden()
    assert waiting.progress.accessibleName() == waiting.status.text() != ""
    assert again.buttons["sign_in"].text() == "Sign in again"
    assert "no longer accepts" in again.status.text()


def test_an_account_is_tried_from_its_card(screen: Screen) -> None:
    screen.add("GitHub", secret="secret-key")
    screen.card.buttons["test"].click()
    assert screen.card.status.text() == "It works."
    screen.memory.refusal = NotochordError(Code.NETWORK_UNREACHABLE, Fault.NETWORK, "off", host="api.github.com")
    screen.card.buttons["test"].click()
    assert "api.github.com cannot be reached" in screen.card.status.text()


@pytest.mark.req("CRED-020", "CRED-021")
def test_the_question_before_deleting_names_the_gems_that_stop_working(screen: Screen) -> None:
    screen.add("GitHub", secret="secret-key")
    screen.gems.choices["service"] = "account-1"
    asyncio.run(screen.model.load())
    assert AccountChoice("eu.example.sums", "service", "account-1") in asyncio.run(screen.gems.account_choices())
    assert "May be used by: Sums" in texts(screen.card)
    screen.card.buttons["delete"].click()
    question: Confirmation = screen.sheet(Confirmation)
    assert "Sums stops working where it needs this account." in texts(question)
    assert question.cancel_button.isDefault()
    question.accept_button.click()
    assert screen.memory.secrets == {}
    assert screen.section.rows.views == {}


def test_a_key_is_replaced_without_being_shown(screen: Screen) -> None:
    screen.add("GitHub", secret="secret-key")
    screen.card.buttons["replace"].click()
    sheet: ReplaceSecretSheet = screen.sheet(ReplaceSecretSheet)
    assert sheet.secret.text() == ""
    assert sheet.secret.echoMode() is QLineEdit.EchoMode.Password
    sheet.secret.setText("another")
    sheet.accept_button.click()
    assert screen.memory.secrets == {"account-1": "another"}


def test_places_are_changed(screen: Screen) -> None:
    screen.add("GitHub", secret="secret-key")
    screen.card.buttons["edit"].click()
    sheet: EditAccountSheet = screen.sheet(EditAccountSheet)
    assert sheet.places.text() == "api.github.com uploads.github.com"
    sheet.places.setText("api.github.com")
    sheet.accept_button.click()
    assert screen.memory.kept["account-1"].registration.hosts == ("api.github.com",)
    assert screen.memory.kept["account-1"].sign_in is SignIn.READY


@pytest.mark.req("CRED-002")
def test_each_button_of_a_card_names_its_account(screen: Screen) -> None:
    screen.add("GitHub", secret="secret-key")
    for button in screen.card.buttons.values():
        assert button.accessibleName().endswith(" GitHub")


@pytest.fixture
def large_letters(theme: Theme) -> Iterator[None]:
    theme.set_text_size(200)
    yield
    theme.set_text_size(100)


@pytest.mark.usefixtures("large_letters")
def test_a_form_that_is_higher_than_the_screen_scrolls_and_keeps_its_buttons_in_sight(kit: Kit, qtbot: QtBot) -> None:
    sheet = AccountSheet(kit, samples.accounts(), lambda _account, _signs_in: None)
    qtbot.addWidget(sheet)
    sheet.open()
    sheet.service.setCurrentIndex(sheet.service.count() - 1)
    sheet.method.setCurrentIndex(sheet.method.count() - 1)
    qtbot.waitUntil(lambda: sheet.fields["scopes"].isVisible() and fits(sheet))
    scopes = sheet.fields["scopes"]
    assert not scopes.visibleRegion().contains(scopes.rect().center())
    for field in (sheet.fields["client_secret"], scopes):  # as Tab does
        field.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(scopes, Qt.Key.Key_Backtab)
    QTest.keyClick(sheet.focusWidget(), Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: scopes.visibleRegion().contains(scopes.rect().center()))


def fits(sheet: AccountSheet) -> bool:
    screen = sheet.screen().availableGeometry()
    ends = [one.mapToGlobal(one.rect().bottomRight()).y() for one in (sheet.cancel_button, sheet.accept_button)]
    return max(*ends, sheet.frameGeometry().bottom()) <= screen.bottom()
