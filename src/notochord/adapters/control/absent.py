"""Where a system offers no endpoint yet: nobody can be asked, so a command names the process that holds it instead."""

from typing import NoReturn

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import OrganizationFolder


class AbsentEndpoint:
    """Implements the headless front end's Endpoint on Windows: both ways raise CONTROL_UNREACHABLE."""

    async def listen(self, folder: OrganizationFolder, serve: object) -> NoReturn:
        raise _unreachable()

    async def connect(self, folder: OrganizationFolder) -> NoReturn:
        raise _unreachable()


def _unreachable() -> NotochordError:
    return NotochordError(Code.CONTROL_UNREACHABLE, Fault.SYSTEM, "there is no control endpoint on this system")
