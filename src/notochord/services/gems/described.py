"""What a manifest says of its gem, as the values that others see."""

from notochord.services.gems.api import Dossier, Gem, GemAgent, GemRights, GemTool, KnowledgeRight, Trust
from notochord.services.gems.contents import accounts_in, files_in, pages_in, procedures_in
from notochord.services.gems.installed import READY
from notochord.services.gems.introductions import documents_among
from notochord.services.gems.manifest import Manifest
from notochord.services.gems.predicates import knowledge_of, predicates_of


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
        reads_mail=manifest.asks_for_mail,
    )


def dossier_of(manifest: Manifest, trust: Trust) -> Dossier:
    """Return what is known of a gem that is not installed: nothing is granted, and nothing has failed."""
    network, declared = manifest.network, knowledge_of(manifest)
    return Dossier(
        gem=described(manifest, trust, READY),
        publisher=manifest.publisher,
        installed_at=0,
        size=sum(file.size for file in manifest.files.values()),
        procedures=procedures_in(manifest, {}),
        pages=pages_in(manifest),
        references=manifest.references,
        network_reason=network.reason if network is not None else "",
        local_network=network is not None and network.local,
        accounts=accounts_in(manifest),
        rights=GemRights(
            knowledge=tuple(KnowledgeRight(text, False) for text in dict.fromkeys(manifest.knowledge)),
            predicates=predicates_of(manifest),
            reason=str(declared.get("reason", "")),
            reads_mail=manifest.asks_for_mail,
            works_alone=manifest.works_alone,
        ),
        documents=documents_among(manifest.files),
        files=files_in(manifest),
    )
