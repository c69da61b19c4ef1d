"""What a gem asks for altogether, so that a later version that asks for more can be told of (SOP-150, SOP-151)."""

from collections.abc import Iterator

from notochord.services.gems.manifest import Manifest
from notochord.services.gems.sop_records import TriggerKind

_Asked = tuple[str, ...]


def asks_more(new: Manifest, old: Manifest) -> bool:
    """Tell whether a version asks for anything that another does not, or starts by itself where the other does not.

    A schedule with other times is nothing new.
    """
    return bool(set(_asked(new)) - set(_asked(old)))


def _asked(manifest: Manifest) -> Iterator[_Asked]:
    network = manifest.network
    switches = {
        "local network": network is not None and network.local,
        "model": manifest.llm,
        "mail": manifest.asks_for_mail,
        "text of mail": manifest.email,
    }
    yield from ((name,) for name, on in switches.items() if on)
    yield from (("host", host) for host in (network.hosts if network is not None else ()))
    yield from (("knowledge", permission) for permission in manifest.knowledge)
    yield from (("account", slot) for slot in manifest.connections)
    yield from (("platform tool", agent.name, name) for agent in manifest.agents for name in agent.platform_tools)
    for sop in manifest.sops:
        if sop.trigger.kind is not TriggerKind.MANUAL:
            yield ("trigger", sop.name, sop.trigger.kind.value, sop.trigger.source, sop.trigger.event)
