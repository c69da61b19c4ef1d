"""Which account a gem may use for one of its connections, in the work at hand; looked up anew at each request."""

from dataclasses import dataclass

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.flat_text import flattened
from notochord.services.gems.manifest import Manifest
from notochord.services.gems.records import Records
from notochord.services.gems.work import Work, WorkKind
from notochord.services.vault.api import Grant, GranteeKind, Grants


@dataclass(frozen=True, slots=True)
class AccountRights:
    """A gem may use what was chosen on its page (CRED-017); working for a project, only if it is checked there too.

    The two answer different questions: the page says which account stands for a connection, the project's settings
    which of them may be used for the project (CRED-018, PROJ-079).
    """

    records: Records
    grants: Grants

    async def account(self, manifest: Manifest, slot: str, work: Work) -> str | None:
        """Return the account behind an id of the manifest's `connections`, None if it declares no such id.

        An account that was deleted is returned too: the gateway sends nothing of it, and says so (CRED-021).
        Raises PERM_DENIED when it may not be used (PERM-013, CRED-019).
        """
        if slot not in manifest.connections:
            return None
        if work.kind is WorkKind.DRAFT_TEST:
            raise _refused(
                manifest, slot, "why.account_in_test", "tests use no account; give the tool a ctx of your own"
            )
        chosen = await self.records.connection(manifest.id, slot)
        if chosen is None:
            detail = f"the user has chosen no account for {slot!r} on the page of this gem"
            raise _refused(manifest, slot, "why.account_not_chosen", detail)
        if work.kind is WorkKind.PROJECT and not await self._checked(chosen, work.id):
            detail = f"the account for {slot!r} is not checked in the settings of the project that this is for"
            raise _refused(manifest, slot, "why.account_not_checked", detail)
        return chosen

    async def _checked(self, account: str, project: str) -> bool:
        try:
            return await self.grants.granted(Grant(account, GranteeKind.PROJECT, project))
        except NotochordError as error:
            if error.code is Code.NOT_FOUND:
                return True
            raise


def _refused(manifest: Manifest, slot: str, why: str, detail: str) -> NotochordError:
    return NotochordError(
        Code.PERM_DENIED, Fault.POLICY, detail, why=why, gem=manifest.id, name=flattened(manifest.name), slot=slot
    )
