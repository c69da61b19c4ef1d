"""Accounts: the secrets that are kept, where each may be sent, who may use it, and what can be done with one."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.core.observable import ObservableList
from notochord.core.sentences import Sentences
from notochord.services.accounts.api import Accounts, SignInPages, Template
from notochord.services.gems.api import AccountChosen, GemInstalled, GemRemoved, Gems
from notochord.services.models.api import Models, RolesChanged
from notochord.services.vault.api import ConnectionsChanged, Grants, Registration, Secret
from notochord.viewmodels.settings.account_rows import AccountForm, AccountRow, draft_of, names_of, row_of
from notochord.viewmodels.settings.pane import SectionModel
from notochord.viewmodels.settings.provider_rows import Check, CheckPhase


class AccountsModel(SectionModel):
    """One store, two views: a provider's key is entered with the provider and shown here too (OPEN-007).

    `show` opens an address in the system's browser, and tells whether that worked. `encrypted`: whoever gets the
    organization's folder cannot read what is kept in it (CRED-006).
    """

    def __init__(
        self,
        *,
        accounts: Accounts,
        grants: Grants,
        gems: Gems,
        models: Models,
        events: EventBus,
        sentences: Sentences,
        show: Callable[[str], bool],
        encrypted: bool,
    ) -> None:
        follows = (RolesChanged, ConnectionsChanged, AccountChosen, GemInstalled, GemRemoved)
        super().__init__("accounts", events, *follows)
        self._accounts = accounts
        self._grants = grants
        self._gems = gems
        self._models = models
        self._sentences = sentences
        self._show = show
        self.encrypted = encrypted
        self.accounts: ObservableList[AccountRow] = ObservableList()

    def templates(self) -> tuple[Template, ...]:
        """Return the known services, by name."""
        return self._accounts.templates()

    async def add(self, form: AccountForm) -> str:
        """Keep an account and return its id. Raises INPUT_INVALID."""
        draft = draft_of(form)
        made = await self._accounts.add(draft, Secret(form.secret) if form.secret else None)
        await self.load()
        return made.id

    async def change(self, account: str, name: str, registration: Registration) -> None:
        """Give an account another name and other websites. Raises NOT_FOUND, INPUT_INVALID."""
        await self._accounts.change(account, name.strip(), registration)
        self._put(account, check=Check())

    async def replace_secret(self, account: str, secret: str) -> None:
        """Replace a key, which is never shown again. Raises NOT_FOUND, INPUT_INVALID."""
        await self._accounts.replace_secret(account, Secret(secret))
        self._put(account, check=Check())

    async def test(self, account: str) -> None:
        """Try an account; how it goes stands in its row. Cancelling ends the test."""
        self._put(account, check=Check(CheckPhase.RUNNING))
        try:
            await self._accounts.test(account)
        except NotochordError as error:
            self._put(account, check=Check(CheckPhase.FAILED, error=error))
        except BaseException:
            self._put(account, check=Check())
            raise
        else:
            self._put(account, check=Check(CheckPhase.WORKS))

    async def sign_in(self, account: str) -> None:
        """Sign in with the browser; how it goes stands in the row. Cancelling ends the wait for the browser."""
        text = self._sentences.sentence

        def show(address: str) -> None:
            if not self._show(address):
                self._put(account, address=address)

        pages = SignInPages(show, text("window.settings.accounts.page.yes"), text("window.settings.accounts.page.no"))
        self._put(account, check=Check(), signing_in=True, address="")
        try:
            await self._accounts.sign_in(account, pages)
        except NotochordError as error:
            self._put(account, check=Check(CheckPhase.FAILED, error=error))
        finally:
            self._put(account, signing_in=False, address="")

    async def sign_out(self, account: str) -> None:
        """Forget the tokens of an account. Raises NOT_FOUND."""
        await self._accounts.sign_out(account)
        self._put(account, check=Check())

    async def delete(self, account: str) -> None:
        """Delete an account with its secret; a provider whose key it was stays without one. Raises NOT_FOUND."""
        row = next((row for row in self.accounts if row.id == account), None)
        if row is not None and row.provider:
            await self._models.remove_key(row.provider)
        else:
            await self._accounts.remove(account)
        await self.load()

    async def _load(self) -> None:
        providers = {one.connection: one.name for one in await self._models.providers() if one.connection}
        users = await self._users()
        projects: dict[str, int] = defaultdict(int)
        for grant in await self._grants.grants():
            projects[grant.connection] += 1
        services = names_of(self._accounts.templates())
        secrets = {one.id for one in self._accounts.templates() if one.has_client_secret}
        before = {row.id: row for row in self.accounts}
        rows = []
        for one in await self._accounts.all():
            row = row_of(
                one, services.get(one.template, ""), providers.get(one.id, ""), can_test=self._accounts.trial(one)
            )
            known = before.get(one.id)
            rows.append(
                replace(
                    row,
                    gems=users.get(one.id, ()),
                    projects=projects[one.id],
                    has_client_secret=one.template in secrets or (one.oauth is not None and not one.template),
                    signing_in=known is not None and known.signing_in,
                    address="" if known is None else known.address,
                    check=Check() if known is None else known.check,
                )
            )
        self.accounts.reset(rows)

    async def _users(self) -> dict[str, tuple[str, ...]]:
        """Return the names of the gems that may use each account."""
        names = {gem.id: gem.name for gem in await self._gems.all()}
        found: dict[str, list[str]] = defaultdict(list)
        for choice in await self._gems.account_choices():
            name = names.get(choice.gem, choice.gem)
            if name not in found[choice.connection]:
                found[choice.connection].append(name)
        return {account: tuple(sorted(gems, key=str.casefold)) for account, gems in found.items()}

    def _put(self, account: str, **changes: Any) -> None:
        """Change what is shown of an account, if it is there (still)."""
        for at, row in enumerate(self.accounts):
            if row.id == account:
                self.accounts.replace(at, replace(row, **changes))
