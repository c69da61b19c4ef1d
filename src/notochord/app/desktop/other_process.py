"""A second start: the process that has the organization is asked to show its window."""

from notochord.core.errors import NotochordError
from notochord.core.paths import OrganizationFolder
from notochord.headless.control.channel import Endpoint


async def raised_elsewhere(endpoint: Endpoint, folder: OrganizationFolder) -> bool:
    """Tell whether another process has this organization and has brought its window to the front."""
    try:
        channel = await endpoint.connect(folder)
    except NotochordError:
        return False
    from notochord.app.desktop.raising import raised

    return await raised(channel)
