"""One page of a gem while it is open: loading, shown, failed; its problems; the links and agents it asks for."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.observable import Observable
from notochord.core.strict_json import Json, encode
from notochord.core.tasks import Lifetime
from notochord.services.gem_pages.api import GemPageDetails, GemPages, PageFile
from notochord.services.gems.api import GemInstalled, GemRemoved
from notochord.viewmodels.gem_page.bridge import PageBridge
from notochord.viewmodels.gem_page.incidents import PageIncidents

MAX_PROBLEMS = 50
ZOOMS = (0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0)
_LONGEST_PROBLEM = 500
_LONGEST_LINK = 8192

AskAgent = Callable[[str, str, str], Awaitable[None]]
"""Begins a conversation of the user with a gem's agent: the gem, the agent, what it is about."""


class PageState(StrEnum):
    """What the user sees of the page."""

    LOADING = "loading"
    SHOWN = "shown"
    FAILED = "failed"
    CRASHED = "crashed"
    STOPPED = "stopped"
    GONE = "gone"
    UNSAFE = "unsafe"


@dataclass(frozen=True, slots=True)
class Link:
    """A link out of the page that the user may open; `host` is written as it is asked for, in its xn-- form."""

    address: str
    host: str


class GemPageModel:
    """`open_link` opens an address outside; `can_wall` tells whether a page can be kept in on this computer;
    `is_before_user` whether it is what the window shows: only then a bubble can have been pressed.

    `talk_failure` tells why the last bubble that was pressed led nowhere.

    `opened` counts how often the page was (re)loaded: whoever shows it loads it anew when the number changes.
    """

    def __init__(
        self, *, pages: GemPages, events: EventBus, clock: Clock, gem: str, page: str,
        open_link: Callable[[str], object], can_wall: Callable[[], Awaitable[bool]], ask_agent: AskAgent,
        is_before_user: Callable[[], bool],
    ) -> None:  # fmt: skip
        self.gem = gem
        self.page = page
        self.state: Observable[PageState] = Observable(PageState.LOADING)
        self.details: Observable[GemPageDetails | None] = Observable(None)
        self.failure: Observable[NotochordError | None] = Observable(None)
        self.problems: Observable[tuple[str, ...]] = Observable(())
        self.link: Observable[Link | None] = Observable(None)
        self.talk_failure: Observable[NotochordError | None] = Observable(None)
        self.busy: Observable[bool] = Observable(False)
        self.zoom: Observable[float] = Observable(1.0)
        self.opened: Observable[int] = Observable(0)
        self.send: Callable[[str], None] = _unheard
        self._pages = pages
        self._events = events
        self._clock = clock
        self._open_link = open_link
        self._can_wall = can_wall
        self._ask_agent = ask_agent
        self._is_before_user = is_before_user
        self._lifetime = Lifetime("gem page")
        self._watched: list[Unsubscribe] = []
        self._asking = False
        self._incidents = PageIncidents(gem, page)
        self._bridge = self._new_bridge()

    async def start(self) -> None:
        """Find the page and follow what happens to its gem."""
        if not self._watched:
            self._watched = [
                self._events.subscribe(GemInstalled, self._installed),
                self._events.subscribe(GemRemoved, self._removed),
            ]
        await self.reload()

    async def close(self) -> None:
        """End the calls of the page; nothing is followed any more."""
        for unsubscribe in self._watched:
            unsubscribe()
        self._watched = []
        await self._lifetime.close()
        await self._bridge.close()

    async def reload(self) -> None:
        """Load the page from its beginning; what it had asked for is cancelled."""
        before, self._bridge = self._bridge, self._new_bridge()
        await before.close()
        self.problems.set(())
        self.link.set(None)
        self.talk_failure.set(None)
        self.busy.set(False)
        self.failure.set(None)
        try:
            details = await self._pages.open(self.gem, self.page)
        except NotochordError as error:
            self._fail(error)
            return
        self.details.set(details)
        if not await self._can_wall():
            self.state.set(PageState.UNSAFE)
            return
        self.state.set(PageState.LOADING)
        self.opened.set(self.opened.value + 1)

    async def file(self, path: str) -> PageFile:
        """Return a file that the page asks for. Raises as `GemPages.file`; changed files end the page."""
        try:
            return await self._pages.file(self.gem, path)
        except NotochordError as error:
            if error.code in (Code.FILES_CHANGED, Code.GEM_UNKNOWN, Code.DISK_IO):
                self._fail(error)
            else:
                self.problem(error.detail)
            raise

    def receive(self, text: str) -> None:
        """Take a message of the page."""
        self._bridge.receive(text)

    def loaded(self, ok: bool) -> None:
        """The page is there, or could not be loaded."""
        if self.state.value is PageState.LOADING:
            self.state.set(PageState.SHOWN if ok else PageState.FAILED)

    def crashed(self) -> None:
        """The page's process ended."""
        self._stand(PageState.CRASHED)

    def answers(self, again: bool) -> None:
        """The page does not answer for some time, or does again."""
        self.busy.set(not again)

    def change_zoom(self, steps: int) -> None:
        """Show the page larger (1) or smaller (-1); 0 shows it in its own size."""
        at = ZOOMS.index(1.0) if not steps else ZOOMS.index(self.zoom.value) + steps
        self.zoom.set(ZOOMS[max(0, min(at, len(ZOOMS) - 1))])

    def problem(self, text: str) -> None:
        """Something of the page failed: a script, or a thing that the policy refused."""
        if len(self.problems.value) < MAX_PROBLEMS:
            self.problems.set((*self.problems.value, text[:_LONGEST_PROBLEM]))

    def refused(self, what: str) -> None:
        """The page was refused something by the engine; the log has it."""
        self._incidents.refused(what)

    def wants_link(self, address: str) -> None:
        """The page leads elsewhere; the user is asked, about one link at a time."""
        if self.link.value is None and len(address) <= _LONGEST_LINK and (host := _host(address)):
            self.link.set(Link(address, host))

    def answer_link(self, *, follow: bool) -> None:
        """The user says whether the link is opened."""
        link = self.link.value
        self.link.set(None)
        if link is not None and follow:
            self._open_link(link.address)

    def surroundings(self, colours: Mapping[str, str], scheme: str, language: str, texts: Mapping[str, str]) -> str:
        """Return the message that tells the page how the program looks now."""
        agents: list[Json] = []
        details = self.details.value
        if details is not None:
            agents = list(details.agents)
        named: dict[str, Json] = dict(colours)
        said: dict[str, Json] = dict(texts)
        return encode({"colours": named, "theme": scheme, "language": language, "texts": said, "agents": agents})

    def _new_bridge(self) -> PageBridge:
        return PageBridge(
            pages=self._pages,
            clock=self._clock,
            gem=self.gem,
            page=self.page,
            send=lambda text: self.send(text),
            ask=self._asked,
            incidents=self._incidents,
            overrun=lambda: self.state.set(PageState.STOPPED),
        )

    def _stand(self, state: PageState) -> None:
        """The page cannot go on; what it asked for ends."""
        self.busy.set(False)
        self.link.set(None)
        self.state.set(state)
        self._drop_calls()

    def _drop_calls(self) -> None:
        before, self._bridge = self._bridge, self._new_bridge()
        _ = self._lifetime.start("drop the calls of the page", before.close())

    def _fail(self, error: NotochordError) -> None:
        self.failure.set(error)
        self._stand(PageState.GONE if error.code is Code.GEM_UNKNOWN else PageState.FAILED)

    def _asked(self, agent: str, about: str) -> None:
        details = self.details.value
        if not self._is_before_user():
            self._incidents.refused("an agent while it is not before the user")
            return
        if details is None or agent not in details.agents:
            self._incidents.refused("an agent that its gem does not have")
            self.problem(f"there is no agent {agent[:64]!r} to ask")
            return
        if self._asking:
            # Until the conversation is shown the page still is before the user, and could begin one after the other.
            self._incidents.refused("an agent while another one is asked")
            return
        self._asking = True
        _ = self._lifetime.start("ask an agent", self._begin(agent, about))

    async def _begin(self, agent: str, about: str) -> None:
        self.talk_failure.set(None)
        try:
            await self._ask_agent(self.gem, agent, about)
        except NotochordError as error:
            self.talk_failure.set(error)
        finally:
            self._asking = False

    def _installed(self, event: GemInstalled) -> None:
        if event.gem == self.gem:
            _ = self._lifetime.start("load the page of another version", self.reload())

    def _removed(self, event: GemRemoved) -> None:
        if event.gem == self.gem:
            self._stand(PageState.GONE)


def _host(address: str) -> str:
    """Return what is shown of an address before it is opened: the host, or the recipient of a mail."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return ""
    if parts.scheme in ("http", "https"):
        return host
    return parts.path if parts.scheme == "mailto" else ""


def _unheard(_: str) -> None:
    """Nobody shows the page yet."""
