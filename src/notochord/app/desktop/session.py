"""One run of the window, from its first painting to its end."""

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING

from notochord.app.desktop.glance import Glance, glance_at
from notochord.app.desktop.moves import Move
from notochord.app.desktop.other_process import raised_elsewhere
from notochord.app.desktop.stage import Stage
from notochord.app.desktop.workplace import Workplace
from notochord.app.endpoint import local_endpoint
from notochord.core.clock import SystemClock
from notochord.core.paths import Home
from notochord.ui.start.opening import Opening

if TYPE_CHECKING:
    from notochord.app.desktop.serving import Serving

AFTER_PAINTING = ("notochord.app.compose", "notochord.app.desktop.serving")
SERVICES = "notochord.app.organization"
"""What opening an organization loads: a second or so, spent beside the window's loop."""


class Session:
    """Runs until the window is closed. `language` is spoken until an organization has chosen its own."""

    def __init__(self, *, stage: Stage, home: Home, language: str) -> None:
        self.stage = stage
        self._home = home
        self._language = language
        self._main: asyncio.Task[object] | None = None
        self._ending = False
        self._serving: Serving | None = None
        stage.left = self.end

    def end(self) -> None:
        """End the session: everything is closed in order, and `run` returns."""
        if self._main is not None and not self._ending:
            self._ending = True
            if self._serving is not None:
                self._serving.stop()
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
        if await self._is_raised_elsewhere(glance):
            return
        kit = self.stage.speak(glance.language or self._language)
        early = Workplace(self.stage, _ignore, self.end) if glance.complete else None
        self.stage.show(early.shell if early else Opening(kit, glance.name))
        await self.stage.painted()
        compose, serving = [await asyncio.to_thread(import_module, name) for name in AFTER_PAINTING]
        async with compose.surround(self._home) as surroundings:
            loading = asyncio.ensure_future(asyncio.to_thread(import_module, SERVICES))
            try:
                wanted: str | None = organization
                former = ""
                while wanted is not None and not self._ending:
                    served = self._serving = serving.Serving(
                        surroundings=surroundings,
                        stage=self.stage,
                        language=self._language,
                        end=self.end,
                        early=early,
                        former=former,
                    )
                    early = None
                    wanted = await served.run(wanted)
                    former = served.organization
            finally:
                await asyncio.wait((loading,))

    async def _is_raised_elsewhere(self, glance: Glance) -> bool:
        """A second start shows no window of its own where another process has one to show."""
        if not glance.id:
            return False
        return await raised_elsewhere(local_endpoint(SystemClock()), self._home.organization(glance.id))


def _ignore(_: Move) -> None:
    """Nothing that a page could ask for can be asked before the services are there."""
