"""The organizations of one home: folders, keys, and who holds which."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.ids import IdMaker
from notochord.core.keys import KEY_BYTES, fingerprint
from notochord.core.log import Redactor
from notochord.core.paths import Home, OrganizationFolder
from notochord.core.spellings import spellings
from notochord.persistence.failures import translated
from notochord.services.organizations.adoption import adopt
from notochord.services.organizations.api import KeyPlace, Organization, Unlocked
from notochord.services.organizations.description import (
    Description,
    checked_language,
    checked_name,
    read_description,
    write_description,
)
from notochord.services.organizations.folders import Folders, not_found
from notochord.services.organizations.opening import is_untouched, make_store, refuse_wrong_key, remove_store
from notochord.services.organizations.ports import HeldLock, KeyStore, Locks
from notochord.services.organizations.recovery import RecoveryKey, read_recovery_file, refuse_place, write_recovery_file

_log = logging.getLogger(__name__)

NOBODY = "00000000000000000000000000"
"""An id that no organization has: asking a keychain for its key tells whether it answers."""

_WAIT_SECONDS = 0.05
_MOST_WAITS = 100
# A keychain that says so has kept nothing; after a timeout it still may.
_NOT_KEPT = {Code.KEYCHAIN_UNAVAILABLE, Code.KEYCHAIN_LOCKED, Code.KEYCHAIN_REFUSED}


class HomeOrganizations:
    """Implements `Organizations`. Changes of two processes in one home wait for each other."""

    def __init__(
        self,
        *,
        home: Home,
        key_stores: Mapping[KeyPlace, KeyStore],
        locks: Locks,
        clock: Clock,
        ids: IdMaker,
        redactor: Redactor,
    ) -> None:
        self._home = home
        self._folders = Folders(home)
        self._key_stores = key_stores
        self._locks = locks
        self._clock = clock
        self._ids = ids
        self._redactor = redactor
        self._changing = asyncio.Lock()
        self._held: dict[str, HeldLock] = {}
        self._lent: dict[str, bytes] = {}

    async def start(self) -> None:
        """Finish what an earlier process began to make or to remove."""
        if await asyncio.to_thread(self._folders.leftovers):
            async with self._alone():
                for identifier in await asyncio.to_thread(self._folders.leftovers):
                    await self._discard(identifier)

    async def all(self) -> tuple[Organization, ...]:
        found = await asyncio.to_thread(self._folders.found)
        current = await asyncio.to_thread(self._folders.current)
        listed = [_organization(description, description.id == current) for description in found]
        return tuple(sorted(listed, key=lambda one: (one.name.casefold(), one.id)))

    async def find(self, name_or_id: str = "") -> Organization:
        listed = await self.all()
        if not name_or_id:
            matches = [one for one in listed if one.current]
        else:
            matches = [one for one in listed if one.id == name_or_id] or [
                one for one in listed if one.name == name_or_id
            ]
        if len(matches) > 1:
            raise NotochordError(
                Code.ORG_AMBIGUOUS, Fault.USER, f"{len(matches)} have this name; give the id", name=name_or_id
            )
        if not matches:
            await asyncio.to_thread(self._folders.refuse_damaged, name_or_id)
            if not name_or_id and not listed:
                raise NotochordError(Code.ORG_NONE, Fault.USER, "there is no organization yet")
            raise not_found(name_or_id)
        return matches[0]

    async def create(self, name: str, key_place: KeyPlace, language: str = "") -> Organization:
        name, language = checked_name(name), checked_language(language)
        key = None if key_place is KeyPlace.UNDECIDED else self._new_key()
        print_of_key = fingerprint(key) if key else ""
        description = Description(self._ids.new(), name, key_place, print_of_key, language=language)
        async with self._alone():
            try:
                await asyncio.to_thread(self._folders.make, description, key)
                if key:
                    await self._keep_new(description, key)
                await asyncio.to_thread(self._folders.complete, description.id)
            except BaseException:
                await self._discard(description.id)
                raise
        return await self.find(description.id)

    async def choose_key_place(self, organization: str, key_place: KeyPlace) -> Organization:
        async with self._alone():
            lock = None if organization in self._held else await asyncio.to_thread(self._take, organization)
            try:
                await self._choose_key_place(organization, key_place)
            finally:
                if lock is not None:
                    lock.release()
        return await self.find(organization)

    async def is_begun(self, organization: str) -> bool:
        description = await asyncio.to_thread(self._folders.describe, organization)
        if description.key_place is KeyPlace.UNDECIDED:
            return False
        return not await self._is_untouched(description)

    async def check_key_place(self, key_place: KeyPlace) -> None:
        await self._key_stores[key_place].load(NOBODY)

    @asynccontextmanager
    async def reserved(self, organization: str) -> AsyncIterator[OrganizationFolder]:
        await asyncio.to_thread(self._folders.describe, organization)
        lock = self._held[organization] = await asyncio.to_thread(self._take, organization)
        try:
            yield self._folders.of(organization)
        finally:
            self._held.pop(organization, None)
            lock.release()

    async def adopt(self, folder: Path) -> Organization:
        async with self._alone():
            chosen = await asyncio.to_thread(adopt, folder, self._home, self._locks)
            await asyncio.to_thread(self._folders.remember, current=chosen)
        return await self.find(chosen)

    async def rename(self, organization: str, name: str) -> Organization:
        name = checked_name(name)
        return await self._describe(organization, lambda description: replace(description, name=name))

    async def set_language(self, organization: str, language: str) -> Organization:
        language = checked_language(language)
        return await self._describe(organization, lambda description: replace(description, language=language))

    async def finish_setup_step(self, organization: str, step: int) -> Organization:
        return await self._describe(
            organization, lambda description: replace(description, setup_step=max(step, description.setup_step))
        )

    async def make_current(self, organization: str) -> Organization:
        async with self._alone():
            await asyncio.to_thread(self._folders.describe, organization)
            await asyncio.to_thread(self._folders.remember, current=organization)
        return await self.find(organization)

    async def unlock(self, organization: str) -> Unlocked:
        await asyncio.to_thread(self._folders.describe, organization)
        lock = await asyncio.to_thread(self._take, organization)
        try:
            description = await asyncio.to_thread(self._folders.describe, organization)
            key = await self._key(description)
            await asyncio.to_thread(refuse_wrong_key, self._folders.of(organization), description, key)
            listed = await self.find(organization)
        except BaseException:
            lock.release()
            raise
        self._held[organization] = lock
        return Unlocked(listed, self._folders.of(organization), key)

    async def release(self, unlocked: Unlocked) -> None:
        lock = self._held.pop(unlocked.organization.id, None)
        if lock is not None:
            lock.release()

    async def check_recovery_file(self, file: Path) -> None:
        await asyncio.to_thread(self._folders.refuse_inside, file)
        await asyncio.to_thread(refuse_place, file)

    async def save_recovery_key(self, organization: str, file: Path) -> None:
        description = await asyncio.to_thread(self._folders.describe, organization)
        key = await self._key(description)
        if fingerprint(key) != description.fingerprint:
            raise NotochordError(
                Code.KEY_WRONG, Fault.USER, "the fingerprint differs", organization=organization, name=description.name
            )
        await asyncio.to_thread(self._folders.refuse_inside, file)
        await asyncio.to_thread(write_recovery_file, file, RecoveryKey(organization, key))

    async def recover(self, organization: str, file: Path) -> None:
        description, key = await self._recovered(organization, file)
        await self._key_stores[description.key_place].save(organization, key)
        self._lent.pop(organization, None)

    async def lend(self, organization: str, file: Path) -> None:
        _, self._lent[organization] = await self._recovered(organization, file)

    async def _recovered(self, organization: str, file: Path) -> tuple[Description, bytes]:
        """Return the key from a file once it is known to open this organization."""
        description = await asyncio.to_thread(self._folders.describe, organization)
        if description.key_place is KeyPlace.UNDECIDED:
            raise NotochordError(Code.ORG_UNDECIDED, Fault.USER, "not set up yet", name=description.name)
        recovery = await asyncio.to_thread(read_recovery_file, file)
        self._redactor.register(spellings(recovery.key))
        if recovery.organization != organization:
            raise NotochordError(
                Code.RECOVERY_OTHER_ORG,
                Fault.USER,
                f"it belongs to {recovery.organization}",
                organization=recovery.organization,
                name=description.name,
            )
        lock = None if organization in self._held else await asyncio.to_thread(self._take, organization)
        try:
            folder = self._folders.of(organization)
            await asyncio.to_thread(refuse_wrong_key, folder, description, recovery.key)
        finally:
            if lock is not None:
                lock.release()
        return description, recovery.key

    async def delete(self, organization: str, typed_name: str) -> None:
        async with self._alone():
            await self._refuse_deletion(organization, typed_name)
            description = await asyncio.to_thread(self._folders.describe, organization)
            lock = await asyncio.to_thread(self._take, organization)
            try:
                await self._forget_key(description)
                await asyncio.to_thread(self._folders.mark, organization)
            finally:
                lock.release()
            await self._discard(organization)

    async def _refuse_deletion(self, organization: str, typed_name: str) -> None:
        listed = await self.all()
        chosen = await self.find(organization)
        if typed_name != chosen.name:
            raise NotochordError(
                Code.INPUT_INVALID, Fault.USER, "the name is another", field="name", why="why.name_differs"
            )
        if len(listed) == 1:
            raise NotochordError(Code.ORG_LAST, Fault.USER, "the last organization stays", name=chosen.name)
        if chosen.current or chosen.id in self._held:
            raise NotochordError(Code.ORG_CURRENT, Fault.USER, "it is the current one", name=chosen.name)

    async def _describe(self, organization: str, change: Callable[[Description], Description]) -> Organization:
        """Change what is known of an organization without its key."""
        async with self._alone():
            description = await asyncio.to_thread(self._folders.describe, organization)
            await asyncio.to_thread(write_description, self._folders.of(organization), change(description))
            await asyncio.to_thread(self._folders.remember)
        return await self.find(organization)

    async def _choose_key_place(self, organization: str, place: KeyPlace) -> None:
        """Go over the undecided state, so that a stop at any point leaves that, or a whole choice."""
        folder = self._folders.of(organization)
        before = await asyncio.to_thread(self._folders.describe, organization)
        if before.key_place is place:
            return
        if before.key_place is not KeyPlace.UNDECIDED:
            if not await self._is_untouched(before):
                raise NotochordError(Code.ORG_DECIDED, Fault.USER, "something is kept already", name=before.name)
            undecided = replace(before, key_place=KeyPlace.UNDECIDED, fingerprint="")
            await asyncio.to_thread(write_description, folder, undecided)
            await self._forget_key(before)
        await asyncio.to_thread(remove_store, folder)
        if place is not KeyPlace.UNDECIDED:
            key = self._new_key()
            await self._key_stores[place].save(organization, key)
            await asyncio.to_thread(make_store, folder, key)
            decided = replace(before, key_place=place, fingerprint=fingerprint(key))
            await asyncio.to_thread(write_description, folder, decided)

    async def _is_untouched(self, description: Description) -> bool:
        return await asyncio.to_thread(is_untouched, self._folders.of(description.id), await self._key(description))

    def _new_key(self) -> bytes:
        key = self._clock.random_bytes(KEY_BYTES)
        self._redactor.register(spellings(key))
        return key

    async def _forget_key(self, description: Description) -> None:
        if description.key_place is not KeyPlace.UNDECIDED:
            await self._key_stores[description.key_place].delete(description.id)

    async def _key(self, description: Description) -> bytes:
        if description.key_place is KeyPlace.UNDECIDED:
            raise NotochordError(Code.ORG_UNDECIDED, Fault.USER, "not set up yet", name=description.name)
        key = self._lent.get(description.id) or await self._key_stores[description.key_place].load(description.id)
        if key is None:
            raise NotochordError(
                Code.KEY_MISSING, Fault.USER, "no key is kept", organization=description.id, name=description.name
            )
        self._redactor.register(spellings(key))
        return key

    async def _keep_new(self, description: Description, key: bytes) -> None:
        try:
            await self._key_stores[description.key_place].save(description.id, key)
        except NotochordError as error:
            if error.code in _NOT_KEPT:
                await asyncio.to_thread(self._folders.note_no_key, description.id)
            raise

    async def _discard(self, identifier: str) -> None:
        """Remove a marked folder and the key; what cannot be removed now is tried again at the next start."""
        folder = self._folders.of(identifier)
        try:
            if folder.description.exists():
                await self._forget_key(await asyncio.to_thread(read_description, folder))
            await asyncio.to_thread(self._folders.remove, identifier)
        except NotochordError as error:
            _log.info("the rest of the organization %s is removed at the next start: %s", identifier, error)

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """Keep other processes from changing this home meanwhile. Raises NotochordError(STORE_LOCKED)."""
        async with self._changing:
            lock = await asyncio.to_thread(self._take_home)
            for _ in range(_MOST_WAITS):
                if not isinstance(lock, int):
                    break
                await self._clock.sleep(_WAIT_SECONDS)
                lock = await asyncio.to_thread(self._take_home)
            if isinstance(lock, int):
                raise NotochordError(Code.STORE_LOCKED, Fault.SYSTEM, f"process {lock}", path="organizations.json")
            try:
                yield
            finally:
                lock.release()

    def _take(self, identifier: str) -> HeldLock:
        file = self._folders.of(identifier).folder / "lock"
        with translated(file):
            lock = self._locks.take(file)
        if isinstance(lock, int):
            raise NotochordError(
                Code.ORG_OPEN, Fault.USER, f"held by process {lock}", organization=identifier, pid=lock
            )
        return lock

    def _take_home(self) -> HeldLock | int:
        file = self._folders.prepare_home()
        with translated(file):
            return self._locks.take(file)


def _organization(description: Description, current: bool) -> Organization:
    return Organization(
        id=description.id,
        name=description.name,
        key_place=description.key_place,
        fingerprint=description.fingerprint,
        setup_step=description.setup_step,
        language=description.language,
        current=current,
    )
