"""The forms of the accounts: add one by a template or by hand, change its places, replace its key."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.parts import Choice
from notochord.ui.settings.sheet import Sheet, form_field
from notochord.viewmodels.settings.account_rows import AccountForm, AccountRow, Method, is_plain, registration_of
from notochord.viewmodels.settings.accounts import AccountsModel

FIELDS = (
    "name",
    "user",
    "field_name",
    "prefix",
    "places",
    "paths",
    "authorize_url",
    "token_url",
    "client_id",
    "scopes",
)
OF_METHOD = {
    Method.BEARER: ("name", "places", "paths", "secret"),
    Method.HEADER: ("name", "field_name", "prefix", "places", "paths", "secret"),
    Method.QUERY: ("name", "field_name", "places", "paths", "secret"),
    Method.BASIC: ("name", "user", "places", "paths", "secret"),
    Method.OAUTH: (
        "name", "places", "paths", "authorize_url", "token_url", "client_id", "client_secret", "scopes",
    ),
}  # fmt: skip
"""What the form asks for a service of the user's own; a template brings most of it along."""

ROWS = (
    ("method",), ("name", "user"), ("field_name", "prefix"), ("places", "paths"), ("authorize_url", "token_url"),
    ("client_id", "client_secret"), ("scopes",), ("secret",),
)  # fmt: skip
"""The fields as they stand: what belongs together in one row."""

WIDTH = 560

Added = Callable[[str, bool], None]


class AccountSheet(Sheet):
    """Asks for a service and what it needs; `added` hears the id, and whether the user signs in next."""

    def __init__(self, kit: Kit, model: AccountsModel, added: Added, parent: QWidget | None = None) -> None:
        text = kit.text
        super().__init__(
            kit,
            text("window.settings.accounts.add.title"),
            "",
            parent,
            accept_text=text("window.settings.accounts.add.now"),
            width=WIDTH,
        )
        self._model = model
        self._added = added
        self.service = Choice()
        for template in model.templates():
            self.service.offer_value(template.name, template)
        self.service.offer_value(text("window.settings.accounts.custom"), None)
        self.body.addLayout(form_field(kit, text("window.settings.accounts.add.service"), self.service))
        self.method = Choice()
        for method in Method:
            self.method.offer_value(text(f"window.settings.accounts.method.{method}"), method)
        self._holders: dict[str, QWidget] = {"method": self._held("method", self.method)}
        self.fields: dict[str, QLineEdit] = {}
        for name in (*FIELDS, "client_secret", "secret"):
            self.fields[name] = QLineEdit()
            if name in ("secret", "client_secret"):
                self.fields[name].setEchoMode(QLineEdit.EchoMode.Password)
            self._holders[name] = self._held(name, self.fields[name])
        for side_by_side in ROWS:
            row = QHBoxLayout()
            row.setSpacing(kit.theme.space.m)
            for name in side_by_side:
                row.addWidget(self._holders[name], 1, Qt.AlignmentFlag.AlignTop)
            self.body.addLayout(row)
        self.plain = Label(kit, text("window.settings.accounts.plain"), size="small", colour="warning")
        self.hint = Label(kit, "", size="small", colour="text_soft", selectable=True)
        self.body.addWidget(self.plain)
        self.body.addWidget(self.hint)
        self.service.currentIndexChanged.connect(lambda _: self._service_chosen())
        self.method.currentIndexChanged.connect(lambda _: self._fit())
        self.fields["places"].textChanged.connect(lambda _: self._warn())
        self._service_chosen()

    @property
    def form(self) -> AccountForm:
        """What was typed."""
        typed = {name: self.fields[name].text() for name in FIELDS}
        secret = self.fields["client_secret" if self._is_oauth() else "secret"].text().strip()
        return AccountForm(template=self.service.value, method=self._method(), secret=secret, **typed)

    def submit(self) -> None:
        """Keep the account."""
        signs_in = self._is_oauth()
        self.work("add an account", self._model.add(self.form), lambda account: self._done(account, signs_in))

    def _done(self, account: str, signs_in: bool) -> None:
        for name in ("secret", "client_secret"):
            self.fields[name].clear()
        self.accept()
        self._added(account, signs_in)

    def _service_chosen(self) -> None:
        template = self.service.value
        self.fields["name"].setText("" if template is None else template.name)
        for name in ("secret", "client_secret"):
            self.fields[name].clear()  # a key belongs to the service that was chosen when it was typed
        oauth = None if template is None else template.oauth
        self.fields["scopes"].setText(" ".join(oauth.scopes) if oauth is not None else "")
        self._fit()

    def _fit(self) -> None:
        template = self.service.value
        asked = set(OF_METHOD[self._method()])
        if template is not None:
            asked -= {"places", "paths", "field_name", "prefix", "authorize_url", "token_url"}
            if not template.has_client_secret:
                asked -= {"client_secret"}
        else:
            asked |= {"method"}
        for name, holder in self._holders.items():
            holder.setVisible(name in asked)
        self.show_error("")
        self._warn()
        self._hint()

    def _hint(self) -> None:
        template, text = self.service.value, self.kit.text
        told = []
        if template is not None:
            hosts = text("window.settings.list.separator").join(template.registration.hosts)
            told.append(text("window.settings.accounts.hint.hosts", hosts=hosts))
            if template.help_url:
                told.append(text("window.settings.accounts.hint.made", address=template.help_url))
        if self._is_oauth():
            told.append(text("window.settings.accounts.hint.redirect"))
        self.hint.setText("\n".join(told))
        self.hint.setVisible(bool(told))

    def _warn(self) -> None:
        self.plain.setVisible(self.service.value is None and is_plain(self.fields["places"].text()))

    def _method(self) -> Method:
        template = self.service.value
        if template is None:
            chosen: Method = self.method.value
            return chosen
        return Method.OAUTH if template.oauth is not None else Method(template.placement.value)

    def _is_oauth(self) -> bool:
        return self._method() is Method.OAUTH

    def _held(self, name: str, control: QWidget) -> QWidget:
        return held(self.kit, name, control)


class EditAccountSheet(Sheet):
    """Changes an account's name, and the websites it may be sent to."""

    def __init__(self, kit: Kit, model: AccountsModel, row: AccountRow, parent: QWidget | None = None) -> None:
        text = kit.text
        super().__init__(
            kit, text("window.settings.accounts.edit.title", name=row.name), text("window.settings.accounts.edit.text"),
            parent, accept_text=text("window.settings.save"),
        )  # fmt: skip
        self._model, self._row = model, row
        self.name, self.places, self.paths = QLineEdit(row.name), QLineEdit(), QLineEdit()
        self.places.setText(" ".join(row.hosts))
        self.paths.setText(" ".join(row.registration.paths))
        for name, control in (("name", self.name), ("places", self.places), ("paths", self.paths)):
            self.body.addWidget(held(kit, name, control))
        self.plain = Label(kit, text("window.settings.accounts.plain"), size="small", colour="warning")
        self.body.addWidget(self.plain)
        self.places.textChanged.connect(lambda _: self._warn())
        self._warn()

    def submit(self) -> None:
        """Save."""
        registration = registration_of(self.places.text(), self.paths.text())
        command = self._model.change(self._row.id, self.name.text(), registration)
        self.work("change an account", command, lambda _: self.accept())

    def _warn(self) -> None:
        self.plain.setVisible(is_plain(self.places.text()))


class ReplaceSecretSheet(Sheet):
    """Replaces a key (or a client's secret), which is never shown again."""

    def __init__(self, kit: Kit, model: AccountsModel, row: AccountRow, parent: QWidget | None = None) -> None:
        text = kit.text
        super().__init__(
            kit, text("window.settings.accounts.replace.title", name=row.name),
            text("window.settings.accounts.replace.text"), parent, accept_text=text("window.settings.save"),
        )  # fmt: skip
        self._model, self._row = model, row
        self.secret = QLineEdit()
        self.secret.setEchoMode(QLineEdit.EchoMode.Password)
        self.body.addWidget(held(kit, "client_secret" if row.method is Method.OAUTH else "secret", self.secret))

    def submit(self) -> None:
        """Replace it."""
        command = self._model.replace_secret(self._row.id, self.secret.text().strip())
        self.work("replace a secret", command, lambda _: self._done())

    def _done(self) -> None:
        self.secret.clear()
        self.accept()


def held(kit: Kit, name: str, control: QWidget) -> QWidget:
    """Return a field of a form in a widget that can be hidden as a whole."""
    key = f"window.settings.accounts.field.{name}"
    explained = {"places", "paths", "prefix", "client_id", "scopes"}
    holder = QWidget()
    layout = form_field(kit, kit.text(key), control, kit.text(f"{key}.remark") if name in explained else "")
    layout.setContentsMargins(0, 0, 0, 0)
    holder.setLayout(layout)
    return holder
