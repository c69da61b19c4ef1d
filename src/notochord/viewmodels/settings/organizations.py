"""The organizations of this computer: rename, recovery key, switch, new, delete; and how the open one is encrypted."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.observable import Observable, ObservableList
from notochord.services.chat.api import Chats, ChatState
from notochord.services.organizations.api import KeyPlace, Organization, Organizations
from notochord.viewmodels.settings.pane import SectionModel
from notochord.viewmodels.start.setup import first_unfinished


@dataclass(frozen=True, slots=True)
class OrganizationRow:
    """An organization as it is listed; `twin`: another one has the same name; `unfinished`: its set-up goes on."""

    id: str
    name: str
    key_place: str
    current: bool
    twin: bool
    unfinished: bool = False


class OrganizationsModel(SectionModel):
    """`switch` is told the id of the organization to open next, which restarts the program into it (ORG-029)."""

    def __init__(
        self,
        *,
        organizations: Organizations,
        chats: Chats,
        current: str,
        folder: Path,
        switch: Callable[[str], None],
        open_folder: Callable[[Path], None],
        events: EventBus,
    ) -> None:
        super().__init__("organizations", events)
        self._organizations = organizations
        self._chats = chats
        self._current = current
        self._switch = switch
        self._open_folder = open_folder
        self.folder = folder
        self.all: ObservableList[OrganizationRow] = ObservableList()
        self.current: Observable[OrganizationRow | None] = Observable(None)

    async def rename(self, organization: str, name: str) -> None:
        """Change the display name. Raises INPUT_INVALID."""
        await self._organizations.rename(organization, name)
        await self.load()

    async def save_recovery_key(self, file: Path) -> None:
        """Write the recovery key of the open organization again (ORG-017, ORG-020).

        Raises INPUT_INVALID (inside the data folder), FILE_EXISTS, DISK_IO, KEYCHAIN_*.
        """
        await self._organizations.save_recovery_key(self._current, file)

    def recovery_file_name(self) -> str:
        """Return the name that is proposed for the file (OPEN-019)."""
        name = self.current.value.name if self.current.value else ""
        plain = "".join(letter if letter.isalnum() or letter in " -_" else "-" for letter in name).strip() or "data"
        return f"Notochord-{plain}-recovery.key"

    async def create(self, name: str) -> OrganizationRow:
        """Make an organization from a name alone; its own set-up asks for the rest (ORG-021). Raises INPUT_INVALID.

        The set-up speaks the language that this one speaks.
        """
        current = await self._organizations.find(self._current)
        made = await self._organizations.create(name, KeyPlace.UNDECIDED, current.language)
        await self.load()
        return _row(made, await self._organizations.all(), self._current)

    async def stopped_by_switching(self) -> tuple[str, ...]:
        """Return the titles of the conversations that are at work now (ORG-030, OPEN-103)."""
        return tuple(chat.title for chat in await self._chats.all() if chat.state is ChatState.ANSWERING)

    async def switch(self, organization: str) -> None:
        """Open another organization in place of this one."""
        if organization == self._current:
            return
        await self._organizations.make_current(organization)
        self._switch(organization)

    async def delete(self, organization: str, typed_name: str) -> None:
        """Destroy an organization's key and data. Raises INPUT_INVALID, ORG_CURRENT, ORG_LAST, ORG_OPEN."""
        if organization == self._current:
            raise NotochordError(Code.ORG_CURRENT, Fault.USER, "it is the open one", name=typed_name)
        await self._organizations.delete(organization, typed_name)
        await self.load()

    async def open_folder(self) -> None:
        """Show the folder with the data in the system's file manager."""
        self._open_folder(self.folder)

    async def _load(self) -> None:
        listed = await self._organizations.all()
        rows = [_row(one, listed, self._current) for one in listed]
        self.all.reset(rows)
        self.current.set(next((row for row in rows if row.current), None))


def _row(one: Organization, listed: tuple[Organization, ...], current: str) -> OrganizationRow:
    twin = any(other.id != one.id and other.name.casefold() == one.name.casefold() for other in listed)
    unfinished = first_unfinished(one) is not None
    return OrganizationRow(one.id, one.name, str(one.key_place), one.id == current, twin, unfinished)
