"""Runs the commands of what the window shows, and ends them before the services behind them are closed."""

from notochord.core.tasks import Lifetime
from notochord.ui.kit.runner import Failed, LoopRunner


class WindowRunner(LoopRunner):
    """Runs commands for the life of the window; `quiet` may be called any number of times."""

    def __init__(self, present: Failed) -> None:
        super().__init__(lifetime=Lifetime("window"), present=present)

    async def quiet(self) -> None:
        """Cancel what runs and wait until it has ended; later commands run as before."""
        ending, self._lifetime = self._lifetime, Lifetime("window")
        await ending.close()
