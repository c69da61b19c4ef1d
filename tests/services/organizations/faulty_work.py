"""What the children of the organizations' crash tests do."""

from pathlib import Path

from notochord.core.errors import NotochordError
from notochord.services.organizations.api import KeyPlace
from support.faults import say
from support.organizations import organizations_in


async def create_and_delete(folder: Path) -> None:
    """Make the organization "New", then delete "Old"; each is told when it is acknowledged."""
    organizations = organizations_in(folder)
    try:
        await organizations.start()
        await organizations.create("New", KeyPlace.FILE)
        say("created")
        old = await organizations.find("Old")
        say("deleting")
        await organizations.delete(old.id, "Old")
        say("deleted")
    except NotochordError as error:
        say(f"failed {error.code}: {error.detail}")
    say("closed")
