"""One organization in the window: set up, opened, worked in, and left; or what keeps it from opening."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from notochord.app.desktop.faults import unforeseen
from notochord.app.desktop.holder import Holder
from notochord.app.desktop.lasting_desk import LastingDesk
from notochord.app.desktop.moves import End, Move, OpenOrganization, SetUp, SpeakLanguage
from notochord.app.desktop.other_process import raised_elsewhere
from notochord.app.desktop.screens import Screens
from notochord.app.desktop.stage import Stage, open_link, show_folder
from notochord.app.desktop.workplace import Workplace
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.headless.services import Surroundings
from notochord.services.organizations.api import KeyPlace, Organization
from notochord.ui.start.opening import Opening
from notochord.viewmodels.shell.navigation import Place
from notochord.viewmodels.start.setup import Opened, Setup, Step, first_unfinished
from notochord.viewmodels.start.way_back import WayBack

FIRST = "Personal"
"""The name of the organization that the first launch makes, in every language (ORG-001)."""

_log = logging.getLogger(__name__)


class Serving:
    """`language` is spoken while the organization has chosen none; `end` ends the program.

    `early` is a workplace that was shown already, in the hope that the organization opens; `former` is the id of the
    organization that was open before.
    """

    def __init__(
        self, *, surroundings: Surroundings, stage: Stage, language: str, end: Callable[[], None],
        early: Workplace | None = None, former: str = "",
    ) -> None:  # fmt: skip
        self._surroundings = surroundings
        self._stage = stage
        self._language = language
        self._end = end
        self._moves: asyncio.Queue[Move] = asyncio.Queue()
        self._screens = Screens()
        self._desk = LastingDesk()
        self._early = early
        self._former = former
        self._organization: Organization | None = None
        self._holder: Holder | None = None
        self._superseded: Organization | None = None

    @property
    def organization(self) -> str:
        """Return the id of the organization; empty until it is found."""
        return self._organization.id if self._organization else ""

    async def run(self, wanted: str) -> str | None:
        """Stay with the organization that has this name or id; return the id of the next one to open, or None.

        None: another process has it and has shown its window, or the program ends.
        """
        try:
            try:
                await self._enter(wanted)
            except NotochordError as error:
                if await self._is_raised_elsewhere(error):
                    return None
                await self._screens.close()
                self._show_trouble(error)
            except Exception as error:
                _log.exception("opening failed in a way that nobody foresaw")
                self._show_trouble(unforeseen(error))
            return await self._follow()
        finally:
            await self._leave()
            await self._drop_superseded()

    async def _enter(self, wanted: str) -> None:
        organization = self._organization = await self._found(wanted)
        kit = self._stage.speak(organization.language or self._language)
        if self._early is not None and (self._early.kit is not kit or first_unfinished(organization) is not None):
            await self._drop_early()
        holder = self._holder = Holder(self._surroundings, organization, self._stage.raise_up)
        if first_unfinished(organization) is None:
            await self._show_shell(after_setup=False)
            return
        if organization.key_place is KeyPlace.UNDECIDED:
            await holder.reserve()
        self._show_setup(None)

    async def _found(self, wanted: str) -> Organization:
        """Return the organization; the first launch makes one (ORG-001)."""
        try:
            return await self._surroundings.organizations.find(wanted)
        except NotochordError as error:
            if error.code is not Code.ORG_NONE:
                raise
        return await self._surroundings.organizations.create(FIRST, KeyPlace.UNDECIDED)

    def stop(self) -> None:
        """Let `run` return None once nothing else is under way: code on the way may have swallowed a cancellation."""
        self._moves.put_nowait(End())

    async def _follow(self) -> str | None:
        """Do what the views ask, one after the other, until another organization is wanted."""
        while True:
            move = await self._moves.get()
            if isinstance(move, OpenOrganization):
                return move.organization
            if isinstance(move, End):
                return None
            try:
                await self._do(move)
            except NotochordError as error:
                self._show_trouble(error)

    async def _do(self, move: SpeakLanguage | SetUp) -> None:
        if isinstance(move, SetUp):
            await self._show_shell(after_setup=True)
            return
        await self._screens.close()
        self._stage.speak(move.language or self._language)
        if move.step is None:
            await self._show_shell(after_setup=True, at=move.place)
        else:
            self._show_setup(move.step)

    async def _show_shell(self, *, after_setup: bool, at: Place | None = None) -> None:
        """Show the organization's pages, Home or another, then open its services."""
        if self._holder is None:
            return
        await self._screens.close()
        workplace, self._early = self._early or Workplace(self._stage, self._moves.put_nowait, self._end, at), None
        self._screens.own(workplace)
        workplace.put = self._moves.put_nowait
        self._stage.show(workplace.shell)
        services = await self._holder.open()
        await workplace.begin(services, self._surroundings.organizations, self._desk, after_setup=after_setup)

    def _show_setup(self, at: Step | None) -> None:
        from notochord.app.desktop.setup_panes import setup_panes
        from notochord.ui.start.setup_view import SetupView

        holder, organization, put = self._holder, self._organization, self._moves.put_nowait
        if holder is None or organization is None:
            return

        async def opened() -> Opened:
            services = await holder.open()
            return Opened(models=services.models, settings=services.settings)

        setup = Setup(
            organizations=self._surroundings.organizations,
            organization=organization,
            language=self._stage.kit.sentences.language,
            open_organization=opened,
            reopen=lambda language: put(SpeakLanguage(language, Step.ENCRYPTION)),
            finished=lambda: put(SetUp()),
            adopted=self._adopted,
            way_back=WayBack(
                organizations=self._surroundings.organizations,
                organization=organization.id,
                former=self._former,
                leave=lambda identifier: put(OpenOrganization(identifier)),
            ),
            at=at,
        )
        kit = self._stage.kit
        view = SetupView(kit, setup, setup_panes(kit, holder, self._screens), open_link)
        self._stage.show(view)
        view.begin()

    def _adopted(self, other: Organization) -> None:
        self._superseded = self._organization
        self._moves.put_nowait(OpenOrganization(other.id))

    async def _drop_superseded(self) -> None:
        """Data that was brought along takes the place of what the first launch made, while nothing is kept in that."""
        made = self._superseded
        if made is None or made.name != FIRST:
            return
        organizations = self._surroundings.organizations
        with suppress(NotochordError):  # an empty organization in the list does no harm
            if (await organizations.find(made.id)).key_place is KeyPlace.UNDECIDED:
                await organizations.delete(made.id, made.name)

    def _show_trouble(self, error: NotochordError) -> None:
        from notochord.ui.start.trouble_view import TroubleView
        from notochord.viewmodels.start.trouble import Trouble

        home, organization = self._surroundings.home, self._organization
        trouble = Trouble(
            organizations=self._surroundings.organizations,
            organization=organization,
            error=error,
            folder=home.organization(organization.id).folder if organization else home.folder,
            leave=lambda identifier: self._moves.put_nowait(OpenOrganization(identifier)),
        )
        view = TroubleView(self._stage.kit, trouble, show_folder, self._end)
        self._stage.show(view)
        view.begin()

    async def _is_raised_elsewhere(self, error: NotochordError) -> bool:
        if error.code is not Code.ORG_OPEN or self._organization is None:
            return False
        folder = self._surroundings.home.organization(self._organization.id)
        return await raised_elsewhere(self._surroundings.endpoint, folder)

    async def _drop_early(self) -> None:
        early, self._early = self._early, None
        if early is not None:
            self._stage.show(Opening(self._stage.kit))
            await early.close()

    async def _leave(self) -> None:
        """Close in order: what is shown, its view-models, the chat desk, then the services."""
        self._stage.show(Opening(self._stage.kit))
        await self._stage.runner.quiet()
        await self._drop_early()
        await self._screens.close()
        await self._desk.close()
        if self._holder is not None:
            await self._holder.close()
