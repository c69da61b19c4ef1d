"""The first-run set-up of an organization: five steps, each remembered once it is done."""

from collections.abc import Awaitable, Callable
from enum import IntEnum
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.observable import Observable
from notochord.services.agents.api import BuiltInAgent, model_setting
from notochord.services.models.api import Models
from notochord.services.organizations.api import KeyPlace, Organization, Organizations
from notochord.services.settings.api import Settings
from notochord.viewmodels.start.way_back import WayBack

LOCAL_ROLE = "local"


class Step(IntEnum):
    """The steps in their order (SETUP-004); the value is what `Organization.setup_step` counts."""

    LANGUAGE = 1
    ENCRYPTION = 2
    MODEL = 3
    ROLES = 4
    DONE = 5


class Opened:
    """What the later steps work on, once the organization is open."""

    def __init__(self, *, models: Models, settings: Settings) -> None:
        self.models = models
        self.settings = settings


def first_unfinished(organization: Organization) -> Step | None:
    """Return the step at which the set-up goes on (OPEN-014); None once it is complete (SETUP-003)."""
    done = organization.setup_step
    return None if done >= Step.DONE else Step(done + 1)


class Setup:
    """Goes through the steps for one organization.

    `open_organization` opens it once its key is chosen; `reopen` shows the window in another language and carries on
    with step 2 (a new `Setup`, `at` that step); `finished` is called at the end, `adopted` when other data is taken
    instead; `way_back` leads to another organization meanwhile.
    """

    def __init__(
        self,
        *,
        organizations: Organizations,
        organization: Organization,
        language: str,
        open_organization: Callable[[], Awaitable[Opened]],
        reopen: Callable[[str], None],
        finished: Callable[[], None],
        adopted: Callable[[Organization], None],
        way_back: WayBack,
        at: Step | None = None,
    ) -> None:
        self._organizations = organizations
        self._organization = organization
        self._open = open_organization
        self._reopen = reopen
        self._finished = finished
        self._adopted = adopted
        self.way_back = way_back
        self.language = language
        self.step: Observable[Step] = Observable(at or first_unfinished(organization) or Step.DONE)
        self.decided: Observable[bool] = Observable(organization.setup_step >= Step.ENCRYPTION)
        self.encrypt: Observable[bool] = Observable(organization.key_place is not KeyPlace.FILE)
        self.keychain: Observable[NotochordError | None] = Observable(None)
        """Why nothing can be encrypted on this computer, if so (OPEN-021)."""
        self.recovery_file: Observable[Path | None] = Observable(None)
        self.may_go_on: Observable[bool] = Observable(True)
        self.opened: Observable[Opened | None] = Observable(None)

    @property
    def organization(self) -> Organization:
        return self._organization

    async def start(self) -> None:
        """Look what this computer offers; open the organization if its key was chosen before. Raises as `is_begun`."""
        await self.way_back.start()
        if not self.decided.value and await self._organizations.is_begun(self._organization.id):
            self.decided.set(True)  # it was in use on the command line
        if self.decided.value:
            self.opened.set(await self._open())
        else:
            await self._look_at_keychain()
        await self._judge()

    async def choose_language(self, language: str) -> None:
        """Take this language; another one than the window's reopens it at step 2 (SETUP-008, SETUP-009)."""
        if language == self.language:
            return
        await self._organizations.set_language(self._organization.id, language)
        await self._finish(Step.LANGUAGE)
        self._reopen(language)

    async def choose_encryption(self, encrypt: bool) -> None:
        """Choose; it stands only once `next` is called (OPEN-017)."""
        if self.decided.value or (encrypt and self.keychain.value is not None):
            return
        self.encrypt.set(encrypt)
        await self._judge()

    async def save_recovery_key(self, file: Path) -> None:
        """Make the key if there is none yet, keep it in the keychain, and write the recovery key file (SETUP-022).

        Raises KEYCHAIN_*, ORG_DECIDED, FILE_EXISTS, INPUT_INVALID (inside the data folder), DISK_*.
        """
        if not self.decided.value:
            await self._choose(KeyPlace.KEYCHAIN)
        await self._organizations.save_recovery_key(self._organization.id, file)
        self.recovery_file.set(file)
        await self._judge()

    async def next(self) -> None:
        """Finish the step and go to the following one; does nothing while `may_go_on` is false. Raises as its work."""
        if not self.may_go_on.value:
            return
        step = self.step.value
        if step is Step.LANGUAGE:
            await self._organizations.set_language(self._organization.id, self.language)
        elif step is Step.ENCRYPTION and not self.decided.value:
            await self._choose(KeyPlace.KEYCHAIN if self.encrypt.value else KeyPlace.FILE)
        elif step is Step.MODEL and not await self._has_model():
            await self.skip()  # OPEN-026
            return
        elif step is Step.ROLES:
            await self._keep_background_here()
        await self._go_on(step)

    async def skip(self) -> None:
        """Leave connecting a model or roles out; without a model there are no roles to choose (SETUP-034)."""
        if self.step.value in (Step.MODEL, Step.ROLES):
            await self._go_on(Step.ROLES)

    async def back(self) -> None:
        """Go to the preceding step (SETUP-006); from the end over roles only if there is a model for them."""
        step = Step(max(Step.LANGUAGE, self.step.value - 1))
        if step is Step.ROLES and not await self._has_model():
            step = Step.MODEL
        self.step.set(step)
        await self._judge()

    async def get_started(self) -> None:
        """End the set-up for good."""
        await self._finish(Step.DONE)
        self._finished()

    async def adopt(self, folder: Path) -> None:
        """Open data from another computer instead. Raises as `Organizations.adopt`."""
        self._adopted(await self._organizations.adopt(folder))

    async def _go_on(self, step: Step) -> None:
        if step is not Step.DONE:
            await self._finish(step)
            self.decided.set(self.decided.value or self._organization.setup_step >= Step.ENCRYPTION)
            if step is Step.ENCRYPTION and self.opened.value is None:
                self.opened.set(await self._open())
            self.step.set(Step(step + 1))
        await self._judge()

    async def _finish(self, step: Step) -> None:
        self._organization = await self._organizations.finish_setup_step(self._organization.id, step)

    async def _choose(self, place: KeyPlace) -> None:
        try:
            self._organization = await self._organizations.choose_key_place(self._organization.id, place)
        except NotochordError as error:
            if error.code is Code.KEYCHAIN_UNAVAILABLE:
                self.keychain.set(error)
                self.encrypt.set(False)
            elif error.code is Code.ORG_DECIDED:
                self.encrypt.set(self._organization.key_place is not KeyPlace.FILE)
            await self._judge()
            raise

    async def _look_at_keychain(self) -> None:
        try:
            await self._organizations.check_key_place(KeyPlace.KEYCHAIN)
        except NotochordError as error:
            if error.code is Code.KEYCHAIN_UNAVAILABLE:
                self.keychain.set(error)
                self.encrypt.set(False)

    async def _judge(self) -> None:
        """Encrypted data is not begun before its recovery key lies in a file."""
        waits = self.step.value is Step.ENCRYPTION and not self.decided.value and self.encrypt.value
        self.may_go_on.set(not waits or self.recovery_file.value is not None)

    async def _has_model(self) -> bool:
        opened = self.opened.value
        return opened is not None and any(provider.models for provider in await opened.models.providers())

    async def _keep_background_here(self) -> None:
        """Let a model on this computer do the work in the background, if one was chosen (SETUP-038)."""
        opened = self.opened.value
        roles = await opened.models.roles() if opened else ()
        if opened and any(role.name == LOCAL_ROLE and role.model for role in roles):
            await opened.settings.change(model_setting(BuiltInAgent.BACKGROUND), LOCAL_ROLE)
