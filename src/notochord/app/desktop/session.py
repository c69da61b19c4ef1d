"""One run of the window, from its first painting to its end: which organization is open and what is shown of it."""

import asyncio
import logging
from importlib import import_module

from PySide6.QtWidgets import QWidget

from notochord.app.desktop.faults import unforeseen
from notochord.app.desktop.glance import Glance, glance_at
from notochord.app.desktop.holder import SERVICES, Holder
from notochord.app.desktop.moves import Move, OpenOrganization, SetUp, SpeakLanguage
from notochord.app.desktop.other_process import raised_elsewhere
from notochord.app.desktop.pages import setup_panes, shell_of
from notochord.app.desktop.screens import Screens
from notochord.app.desktop.stage import Stage, open_link, show_folder
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.paths import Home
from notochord.headless.services import Surroundings
from notochord.services.organizations.api import KeyPlace, Organization
from notochord.ui.start.opening import Opening
from notochord.ui.start.setup_view import SetupView
from notochord.ui.start.trouble_view import TroubleView
from notochord.viewmodels.start.setup import Opened, Setup, Step, first_unfinished
from notochord.viewmodels.start.trouble import Trouble

FIRST = "Personal"
"""The name of the organization that the first launch makes, in every language (ORG-001)."""

_log = logging.getLogger(__name__)


class Session:
    """Runs until the window is closed. `language` is spoken until an organization has chosen its own."""

    def __init__(self, *, stage: Stage, home: Home, language: str) -> None:
        self.stage = stage
        self._home = home
        self._language = language
        self._moves: asyncio.Queue[Move] = asyncio.Queue()
        self._main: asyncio.Task[object] | None = None
        self._ending = False
        stage.left = self.end

    def end(self) -> None:
        """End the session: everything is closed in order, and `run` returns."""
        if self._main is not None and not self._ending:
            self._ending = True
            self._main.cancel()

    async def run(self, organization: str) -> int:
        """Show the window and serve it; return the exit status."""
        self._main = asyncio.current_task()
        try:
            await self._run(organization)
        except asyncio.CancelledError:
            if not self._ending:
                raise
            if self._main is not None:
                self._main.uncancel()
        finally:
            await self.stage.close()
        return 0

    async def _run(self, organization: str) -> None:
        """Paint before anything is loaded that the painting does not need."""
        glance = glance_at(self._home, organization)
        if glance.id and await self._raised_elsewhere(glance):
            return
        kit = self.stage.speak(glance.language or self._language)
        self.stage.show(Opening(kit, glance.name))
        await self.stage.painted()
        compose = await asyncio.to_thread(import_module, "notochord.app.compose")
        async with compose.surround(self._home) as surroundings:
            loading = asyncio.get_running_loop().run_in_executor(None, import_module, SERVICES)
            try:
                wanted: str | None = organization
                while wanted is not None:
                    wanted = await self._serve(surroundings, wanted)
            finally:
                await asyncio.wait((loading,))

    async def _raised_elsewhere(self, glance: Glance) -> bool:
        from notochord.app.compose_endpoint import local_endpoint

        return await raised_elsewhere(local_endpoint(), self._home.organization(glance.id))

    async def _serve(self, surroundings: Surroundings, wanted: str) -> str | None:
        """Open an organization and stay with it; return the next one to open, None to end."""
        organization: Organization | None = None
        holder: Holder | None = None
        screens = Screens()
        try:
            try:
                organization = await self._found(surroundings, wanted)
                self.stage.speak(organization.language or self._language)
                holder = Holder(surroundings, organization, self.stage.raise_up)
                await self._enter(surroundings, organization, holder, screens)
            except NotochordError as error:
                if await self._is_elsewhere(surroundings, organization, error):
                    return None
                self._show_trouble(surroundings, organization, error)
            except Exception as error:
                _log.exception("opening failed in a way that nobody foresaw")
                self._show_trouble(surroundings, organization, unforeseen(error))
            return await self._follow(surroundings, holder, screens)
        finally:
            await self._leave(holder, screens)

    async def _found(self, surroundings: Surroundings, wanted: str) -> Organization:
        """Return the organization; the first launch makes one (ORG-001)."""
        try:
            return await surroundings.organizations.find(wanted)
        except NotochordError as error:
            if error.code is not Code.ORG_NONE:
                raise
        return await surroundings.organizations.create(FIRST, KeyPlace.UNDECIDED)

    async def _enter(
        self, surroundings: Surroundings, organization: Organization, holder: Holder, screens: Screens
    ) -> None:
        if first_unfinished(organization) is None:
            self.stage.show(Opening(self._kit, organization.name))
            await self._show_shell(holder, screens, after_setup=False)
            return
        if organization.key_place is KeyPlace.UNDECIDED:
            await holder.reserve()
        self._show_setup(surroundings, organization, holder, screens, None)

    async def _follow(self, surroundings: Surroundings, holder: Holder | None, screens: Screens) -> str | None:
        """Do what the views ask, one after the other, until another organization is wanted."""
        while True:
            move = await self._moves.get()
            if isinstance(move, OpenOrganization):
                return move.organization
            if holder is None:
                continue
            if isinstance(move, SpeakLanguage):
                await self._speak(surroundings, holder, screens, move)
            elif isinstance(move, SetUp):
                await self._show_shell(holder, screens, after_setup=True)

    async def _speak(
        self, surroundings: Surroundings, holder: Holder, screens: Screens, move: SpeakLanguage
    ) -> None:
        self.stage.speak(move.language)
        organization = await surroundings.organizations.find(holder.organization)
        if move.step is None:
            await self._show_shell(holder, screens, after_setup=True)
        else:
            self._show_setup(surroundings, organization, holder, screens, move.step)

    async def _show_shell(self, holder: Holder, screens: Screens, *, after_setup: bool) -> None:
        services = await holder.open()
        await screens.close()
        built = await shell_of(self._kit, services, self.stage, self._moves.put_nowait, after_setup=after_setup)
        screens.own(built)
        self._show(built.shell)

    def _show_setup(
        self, surroundings: Surroundings, organization: Organization, holder: Holder, screens: Screens, at: Step | None
    ) -> None:
        async def opened() -> Opened:
            services = await holder.open()
            return Opened(models=services.models, settings=services.settings)

        setup = Setup(
            organizations=surroundings.organizations,
            organization=organization,
            language=self._kit.sentences.language,
            open_organization=opened,
            reopen=lambda language: self._moves.put_nowait(SpeakLanguage(language, Step.ENCRYPTION)),
            finished=lambda: self._moves.put_nowait(SetUp()),
            adopted=lambda other: self._moves.put_nowait(OpenOrganization(other.id)),
            at=at,
        )
        view = SetupView(self._kit, setup, setup_panes(self._kit, holder, screens), open_link)
        self._show(view)
        view.begin()

    def _show_trouble(
        self, surroundings: Surroundings, organization: Organization | None, error: NotochordError
    ) -> None:
        folder = self._home.organization(organization.id).folder if organization else self._home.folder
        trouble = Trouble(
            organizations=surroundings.organizations,
            organization=organization,
            error=error,
            folder=folder,
            leave=lambda identifier: self._moves.put_nowait(OpenOrganization(identifier)),
        )
        view = TroubleView(self._kit, trouble, show_folder, self.end)
        self._show(view)
        view.begin()

    def _show(self, content: QWidget) -> None:
        self.stage.show(content)

    async def _is_elsewhere(
        self, surroundings: Surroundings, organization: Organization | None, error: NotochordError
    ) -> bool:
        if error.code is not Code.ORG_OPEN or organization is None:
            return False
        return await raised_elsewhere(surroundings.endpoint, self._home.organization(organization.id))

    async def _leave(self, holder: Holder | None, screens: Screens) -> None:
        """Close in order: what is shown, its view-models, then the services."""
        if self.stage.kit is not None:
            self.stage.show(Opening(self.stage.kit))
        await screens.close()
        if holder is not None:
            await holder.close()
