"""Accounts: the secrets that are kept, where each may be sent, and deleting one (CRED-001 to CRED-003, CRED-020)."""

from dataclasses import dataclass

from notochord.core.events import EventBus
from notochord.core.observable import ObservableList
from notochord.services.models.api import Models, RolesChanged
from notochord.services.vault.api import Vault
from notochord.viewmodels.settings.pane import SectionModel


@dataclass(frozen=True, slots=True)
class AccountRow:
    """A kept secret, which is not part of it; `provider` is the model provider whose key it is, if it is one."""

    id: str
    name: str
    hosts: tuple[str, ...]
    provider: str = ""


class AccountsModel(SectionModel):
    """One store, two views: a provider's key is entered with the provider and shown here too (OPEN-007)."""

    def __init__(self, *, vault: Vault, models: Models, events: EventBus) -> None:
        super().__init__("accounts", events, RolesChanged)
        self._vault = vault
        self._models = models
        self.accounts: ObservableList[AccountRow] = ObservableList()

    async def delete(self, account: str) -> None:
        """Delete an account with its secret; a provider whose key it was stays without one. Raises NOT_FOUND."""
        row = next((row for row in self.accounts if row.id == account), None)
        if row is not None and row.provider:
            await self._models.remove_key(row.provider)
        else:
            await self._vault.remove(account)
        await self.load()

    async def _load(self) -> None:
        providers = {one.connection: one.name for one in await self._models.providers() if one.connection}
        self.accounts.reset(
            AccountRow(one.id, one.name, one.registration.hosts, providers.get(one.id, ""))
            for one in await self._vault.connections()
        )
