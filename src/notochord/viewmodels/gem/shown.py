"""A gem as its page shows it: what its author wrote in one line each, with nothing unseen in it, and not too long."""

from dataclasses import dataclass

from notochord.core.flat_text import flattened
from notochord.services.gems.api import Dossier, GemFailure, KnowledgeRight
from notochord.services.gems.api import ExtraFile as ExtraFile
from notochord.viewmodels.gem.lengths import LINE, NAME, TEXT
from notochord.viewmodels.gem.needs import USER_SELECTED as USER_SELECTED
from notochord.viewmodels.gem.procedures import Procedure, procedure_of

READY = "ready"


@dataclass(frozen=True, slots=True)
class Item:
    """A tool or an assistant; `shared` tells that the user's own assistant may call it."""

    name: str
    text: str
    shared: bool


@dataclass(frozen=True, slots=True)
class KnowledgeSwitch:
    """A part of the knowledge base that the gem asks for: `facts.read` of `subject` (`self`, `person`, `diary` …)."""

    permission: str
    action: str
    subject: str
    predicate: str
    allowed: bool
    chosen: frozenset[str] = frozenset()
    """The folders that the user chose, where the gem asks for such."""


@dataclass(frozen=True, slots=True)
class GemShown:
    """`problem` is the code of what stopped the gem, "" while it works; `changed_file` the first file that differs."""

    id: str
    name: str
    version: str
    description: str
    publisher: str
    trust: str
    problem: str = ""
    changed_file: str = ""
    hosts: tuple[str, ...] = ()
    network_reason: str = ""
    local_network: bool = False
    uses_model: bool = False
    reads_mail: bool = False
    every_mailbox: bool = False
    mailboxes: frozenset[str] = frozenset()
    knowledge: tuple[KnowledgeSwitch, ...] = ()
    knowledge_reason: str = ""
    introduced: tuple[tuple[str, str], ...] = ()
    """The facts that the gem adds: the name of each, and what its author says of it (GEMUI-037)."""

    works_alone: bool = False
    """An SOP of it starts by a schedule or an event; `working_folder` is the folder for these, "" for none."""

    working_folder: str = ""
    procedures: tuple[Procedure, ...] = ()
    tools: tuple[Item, ...] = ()
    agents: tuple[Item, ...] = ()
    platform_tools: tuple[str, ...] = ()
    """Tools of Notochord that its assistants may use (AGENT-018)."""

    files: tuple[ExtraFile, ...] = ()
    has_skill: bool = False
    references: int = 0
    pages: tuple[tuple[str, str], ...] = ()
    failures: tuple[GemFailure, ...] = ()
    has_introduction: bool = False

    @property
    def report(self) -> str:
        """What is copied for the gem's developer: where and how often, nothing else (GEMUI-048, GEMUI-049)."""
        lines = [f"{self.id} {self.version}"]
        return "\n".join([*lines, *(f"{one.place} {one.code} {one.count}" for one in self.failures)])


def shown_of(dossier: Dossier) -> GemShown:
    """Return what is shown of a gem."""
    gem, rights = dossier.gem, dossier.rights
    return GemShown(
        id=gem.id,
        name=flattened(gem.name, NAME) or gem.id,
        version=flattened(gem.version, NAME),
        description=flattened(gem.description, TEXT),
        publisher=flattened(dossier.publisher, NAME),
        trust=gem.trust.value,
        problem="" if gem.state == READY else gem.state,
        changed_file=flattened(dossier.changed_file, LINE),
        hosts=tuple(flattened(host, LINE) for host in gem.hosts),
        network_reason=flattened(dossier.network_reason, TEXT),
        local_network=dossier.local_network,
        uses_model=gem.uses_model,
        reads_mail=rights.reads_mail,
        every_mailbox=rights.every_mailbox,
        mailboxes=frozenset(rights.mailboxes),
        knowledge=tuple(map(_switch, rights.knowledge)),
        knowledge_reason=flattened(rights.reason, TEXT),
        introduced=tuple(
            (flattened(one.predicate, LINE), flattened(one.description, TEXT)) for one in rights.predicates
        ),
        works_alone=rights.works_alone,
        working_folder=rights.working_folder,
        procedures=tuple(map(procedure_of, dossier.procedures)),
        tools=tuple(Item(tool.name, flattened(tool.description, TEXT), tool.exposed) for tool in gem.tools),
        agents=tuple(Item(one.name, flattened(one.description, TEXT), one.exposed) for one in gem.agents),
        platform_tools=tuple(sorted({tool for one in gem.agents for tool in one.platform_tools})),
        files=tuple(map(_file, dossier.files)),
        has_skill=gem.has_skill,
        references=len(dossier.references),
        pages=tuple((name, flattened(title, NAME)) for name, title in dossier.pages),
        failures=dossier.failures,
        has_introduction=bool(dossier.documents),
    )


def _switch(right: KnowledgeRight) -> KnowledgeSwitch:
    action, _, scope = right.permission.partition(":")
    subject, _, predicate = scope.partition(":")
    return KnowledgeSwitch(
        right.permission,
        action,
        flattened(subject, NAME),
        flattened(predicate, LINE),
        right.allowed,
        frozenset(right.collections),
    )


def _file(one: ExtraFile) -> ExtraFile:
    hosts = tuple(flattened(host, LINE) for host in one.hosts)
    return ExtraFile(flattened(one.description, TEXT), one.size, hosts, one.required)
