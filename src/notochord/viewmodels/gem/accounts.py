"""The accounts that a gem asks for: which one is chosen, choosing another, and making a new one (GEMUI-023, 024)."""

from collections.abc import Iterable
from dataclasses import dataclass

from notochord.core.flat_text import flattened
from notochord.core.observable import Observable, ObservableList
from notochord.services.gems.api import Dossier, Gems
from notochord.services.vault.api import Connection, ConnectionDraft, Placement, Registration, Secret, SignIn, Vault
from notochord.viewmodels.gem.lengths import TEXT

KIND = "service"
"""The kind of an account that is made here."""


@dataclass(frozen=True, slots=True)
class AccountOption:
    """An account to choose. `fits` is false if none of its websites is one that the gem may reach, `ready` is false
    while nobody is signed in to it."""

    id: str
    name: str
    hosts: tuple[str, ...]
    fits: bool
    ready: bool = True


@dataclass(frozen=True, slots=True)
class AccountRow:
    """One account that is asked for. `chosen` is the saved one, "" for none; `gone` that it was deleted (CRED-021)."""

    slot: str
    reason: str
    chosen: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True)
class NewAccount:
    """What a new account is made from; `field` names the header, the parameter, or the user of BASIC."""

    name: str
    placement: Placement
    secret: Secret
    hosts: tuple[str, ...]
    field: str = ""


class GemAccounts:
    """One gem's accounts. A gem never learns a secret; choosing an account lets it send requests with it (CRED-017)."""

    def __init__(self, *, gems: Gems, vault: Vault) -> None:
        self._gems = gems
        self._vault = vault
        self._gem = ""
        self.rows: ObservableList[AccountRow] = ObservableList()
        self.options: Observable[tuple[AccountOption, ...]] = Observable(())
        self.hosts: tuple[str, ...] = ()
        """What the gem may reach: where a new account of it is sent unless the user says otherwise."""

    def show(self, dossier: Dossier, accounts: Iterable[Connection]) -> None:
        """Take over what is recorded now."""
        self._gem, self.hosts = dossier.gem.id, dossier.gem.hosts
        options = tuple(_option(one, self.hosts) for one in accounts)
        there = {one.id for one in options}
        self.options.set(options)
        self.rows.reset(
            AccountRow(
                one.slot,
                flattened(one.reason, TEXT),
                one.account if one.account in there else "",
                bool(one.account) and one.account not in there,
            )
            for one in dossier.accounts
        )

    async def save(self, slot: str, account: str) -> None:
        """Let the gem use this account, "" for none, from its next request on. Raises GEM_UNKNOWN, NOT_FOUND."""
        await self._gems.choose_connection(self._gem, slot, account)

    async def create(self, slot: str, new: NewAccount) -> Connection:
        """Keep a new account and let the gem use it. Raises INPUT_INVALID, and as `save` does."""
        gem = self._gem
        draft = ConnectionDraft(new.name, KIND, new.placement, Registration(new.hosts), new.field)
        made = await self._vault.add(draft, new.secret)
        await self._gems.choose_connection(gem, slot, made.id)
        return made


def _option(account: Connection, hosts: tuple[str, ...]) -> AccountOption:
    registered = account.registration.hosts
    reached = {host.lower() for host in hosts}
    fits = not reached or any(host.lower() in reached for host in registered)
    return AccountOption(account.id, account.name, registered, fits, account.sign_in is SignIn.READY)
