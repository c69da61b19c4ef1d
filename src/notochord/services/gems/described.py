"""What a manifest says of its gem, as the value that others see."""

from notochord.services.gems.api import Gem, GemAgent, GemTool, Trust
from notochord.services.gems.manifest import Manifest


def described(manifest: Manifest, trust: Trust, state: str) -> Gem:
    """Return a gem, installed or not; `state` is READY or the code that keeps it from running."""
    network = manifest.network
    return Gem(
        id=manifest.id,
        name=manifest.name,
        version=manifest.version,
        description=manifest.description,
        trust=trust,
        tools=tuple(
            GemTool(tool.name, tool.description, tool.exposed, tool.side_effect.value) for tool in manifest.tools
        ),
        has_skill=manifest.has_skill,
        hosts=network.hosts if network is not None else (),
        state=state,
        uses_model=any(tool.llm for tool in manifest.tools),
        agents=tuple(
            GemAgent(one.name, one.description, one.exposed, one.tools, one.platform_tools, one.requires)
            for one in manifest.agents
        ),
        knowledge=manifest.knowledge,
        reads_mail=manifest.email,
    )
