"""Every command that this front end carries out."""

from notochord.headless.command import Command
from notochord.headless.commands import (
    accounts,
    agents,
    approvals,
    chat,
    chats,
    doctor,
    gem_authoring,
    gem_data,
    gem_log,
    gem_packages,
    gem_page,
    gem_resources,
    gem_rights,
    gem_trust,
    gems,
    models,
    network,
    organizations,
    providers,
    store,
    tour,
    undo,
    usage,
)
from notochord.headless.process import headless_command


def commands() -> tuple[Command, ...]:
    """Return the commands in the order in which the help names them."""
    found: tuple[Command, ...] = (
        *chat.COMMANDS,
        *chats.COMMANDS,
        *approvals.COMMANDS,
        *organizations.COMMANDS,
        *providers.COMMANDS,
        *models.COMMANDS,
        *agents.COMMANDS,
        *accounts.COMMANDS,
        *gem_authoring.COMMANDS,
        *gem_packages.COMMANDS,
        *gems.COMMANDS,
        *gem_page.COMMANDS,
        *gem_data.COMMANDS,
        *gem_log.COMMANDS,
        *gem_resources.COMMANDS,
        *gem_rights.COMMANDS,
        *gem_trust.COMMANDS,
        *store.COMMANDS,
        *network.COMMANDS,
        *usage.COMMANDS,
        *undo.COMMANDS,
        *doctor.COMMANDS,
        *tour.COMMANDS,
    )
    return (*found, headless_command(found))
