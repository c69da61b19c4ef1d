"""The values that name what a gem can be allowed, handed out by the parts that have it, and what of it is allowed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A mail account that is connected."""

    id: str
    address: str


@dataclass(frozen=True, slots=True)
class KnowledgeFolder:
    """A folder of the knowledge base; `parent` is the id of the one that it lies in, "" at the top."""

    id: str
    name: str
    parent: str = ""


@dataclass(frozen=True, slots=True)
class KnowledgeRight:
    """One permission that a gem asks for, as its manifest writes it, and whether it is on.

    `collections` are those the user chose, for a target `user-selected`.
    """

    permission: str
    allowed: bool
    collections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KnowledgePredicate:
    """A predicate that a gem brings along; `cardinality` is one or many."""

    predicate: str
    cardinality: str
    description: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GemRights:
    """What a gem asks of the user's knowledge, mail and files, and what of it the user allows.

    `reason` is the gem's own. `mailboxes` are the allowed ones by id; with `every_mailbox` all, later ones included.
    `works_alone` tells that an SOP of it starts by a schedule or an event; `working_folder` is the folder that the user
    chose for these, "" for none.
    """

    knowledge: tuple[KnowledgeRight, ...] = ()
    predicates: tuple[KnowledgePredicate, ...] = ()
    reason: str = ""
    reads_mail: bool = False
    mailboxes: tuple[str, ...] = ()
    every_mailbox: bool = False
    works_alone: bool = False
    working_folder: str = ""


@dataclass(frozen=True, slots=True)
class GemRightsChanged:
    """Event: the user allowed a gem something, or took it back; it is durable already."""

    gem: str
