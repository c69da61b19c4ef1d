"""The way out of a set-up: the organizations that can be opened instead of the one that is being set up."""

from collections.abc import Callable

from notochord.core.observable import Observable
from notochord.services.organizations.api import Organization, Organizations


class WayBack:
    """`former` is the organization that was open before, if any; `leave` is told the id of the one to open next.

    The one that is left stays in the list, and its set-up goes on where it stood (OPEN-014).
    """

    def __init__(
        self, *, organizations: Organizations, organization: str, former: str, leave: Callable[[str], None]
    ) -> None:
        self._organizations = organizations
        self._organization = organization
        self._former = former
        self._leave = leave
        self.others: Observable[tuple[Organization, ...]] = Observable(())
        """The former one alone if it is known, else all others of this computer."""

    async def start(self) -> None:
        """Find out where one can go."""
        others = tuple(one for one in await self._organizations.all() if one.id != self._organization)
        self.others.set(tuple(one for one in others if one.id == self._former) or others)

    async def go(self, organization: str) -> None:
        """Open this organization from now on."""
        await self._organizations.make_current(organization)
        self._leave(organization)
