"""The values that name what a gem can be allowed; the parts that have it hand them out."""

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
