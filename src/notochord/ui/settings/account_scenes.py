"""Pictures of the accounts: the list in each of its states, and its forms."""

from PySide6.QtWidgets import QWidget

from notochord.ui.gallery.scene import Scene
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.account_sheets import AccountSheet, EditAccountSheet, ReplaceSecretSheet
from notochord.ui.settings.accounts_section import AccountsSection, consequences
from notochord.ui.settings.sheet import Confirmation
from notochord.viewmodels.samples import accounts as samples
from notochord.viewmodels.settings.account_rows import Method

WIDTH, HEIGHT, SHEET, FORM = 860, 980, 480, 560


def _nothing() -> None:
    """Lead nowhere: a picture cannot be pressed."""


def _sheet(kit: Kit, service: int, method: Method = Method.BEARER) -> AccountSheet:
    sheet = AccountSheet(kit, samples.accounts(kit.sentences.language), lambda _account, _signs_in: None)
    sheet.service.setCurrentIndex(service)
    sheet.method.setCurrentIndex(list(Method).index(method))
    return sheet


def _key(kit: Kit) -> QWidget:
    sheet = _sheet(kit, 0)
    sheet.fields["secret"].setText("secret-key")
    return sheet


def _custom(kit: Kit) -> QWidget:
    sheet = _sheet(kit, len(samples.TEMPLATES), Method.HEADER)
    for name, text in (("name", "Wiki"), ("field_name", "X-Api-Key"), ("places", "http://192.168.1.20:8080")):
        sheet.fields[name].setText(text)
    sheet.failed(samples.DAMAGED)
    return sheet


def _edit(kit: Kit) -> QWidget:
    return EditAccountSheet(kit, samples.accounts(), samples.OWN)


def _replace(kit: Kit) -> QWidget:
    return ReplaceSecretSheet(kit, samples.accounts(), samples.GITHUB)


def _delete(kit: Kit) -> QWidget:
    return Confirmation(
        kit,
        kit.text("window.settings.accounts.delete.title", name=samples.GITHUB.name),
        kit.text("window.settings.accounts.delete.text"),
        accept_text=kit.text("window.settings.delete.now"),
        consequences=consequences(kit, samples.GITHUB),
        command=lambda: samples.accounts().delete("1"),
    )


def _section(kit: Kit) -> QWidget:
    return AccountsSection(kit, samples.accounts(kit.sentences.language), _nothing)


ACCOUNT_SCENES = (
    Scene("settings-accounts", _section, WIDTH, HEIGHT),
    Scene(
        "settings-accounts-at-work",
        lambda kit: AccountsSection(kit, samples.accounts_at_work(), _nothing),
        WIDTH,
        HEIGHT,
    ),
    Scene(
        "settings-accounts-empty", lambda kit: AccountsSection(kit, samples.accounts(empty=True), _nothing), WIDTH, 420
    ),
    Scene(
        "settings-accounts-loading", lambda kit: AccountsSection(kit, samples.accounts_loading(), _nothing), WIDTH, 420
    ),
    Scene(
        "settings-accounts-failed", lambda kit: AccountsSection(kit, samples.accounts_failed(), _nothing), WIDTH, 420
    ),
    Scene("settings-account-key", _key, FORM, 380),
    Scene("settings-account-oauth", lambda kit: _sheet(kit, 1), FORM, 520),
    Scene("settings-account-custom", _custom, FORM, 660),
    Scene("settings-account-custom-oauth", lambda kit: _sheet(kit, len(samples.TEMPLATES), Method.OAUTH), FORM, 720),
    Scene("settings-account-edit", _edit, SHEET, 440),
    Scene("settings-account-replace", _replace, SHEET, 260),
    Scene("settings-account-delete", _delete, SHEET, 300),
)
