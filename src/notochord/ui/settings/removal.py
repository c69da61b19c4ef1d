"""Says in sentences what else changes when something is removed."""

from notochord.ui.kit.kit import Kit
from notochord.viewmodels.settings.provider_rows import Affected


def role_name(kit: Kit, name: str) -> str:
    """Return what a role is called in the window; the user's own have the name they were given."""
    key = f"window.settings.role.{name}"
    found = kit.text(key)
    return name if found == key else found


def agent_name(kit: Kit, name: str) -> str:
    """Return what an agent is called in the window."""
    key = f"window.settings.agent.{name}"
    found = kit.text(key)
    return name if found == key else found


def consequences(kit: Kit, affected: Affected) -> tuple[str, ...]:
    """Return a sentence for each kind of thing that is affected, naming every one."""
    separator = kit.text("window.settings.list.separator")
    named = {
        "models": affected.models,
        "roles": tuple(role_name(kit, role) for role in affected.roles),
        "agents": tuple(agent_name(kit, agent) for agent in affected.agents),
    }
    return tuple(
        kit.text(f"window.settings.affected.{kind}", count=len(names), names=separator.join(names))
        for kind, names in named.items()
        if names
    )
