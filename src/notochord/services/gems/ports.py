"""What gems need from outside: the mail that the user has connected, and the folders of the knowledge base."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from notochord.services.gems.api import KnowledgeFolder as KnowledgeFolder
from notochord.services.gems.api import Mailbox as Mailbox


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message without its text; `date` is that of the message, in milliseconds since 1970."""

    account: str
    id: str
    subject: str
    sender: str
    recipients: tuple[str, ...]
    date: int


@dataclass(frozen=True, slots=True)
class Attachment:
    filename: str
    mime_type: str
    size: int


@dataclass(frozen=True, slots=True)
class MailMessage:
    """A whole message; `body` is its text as plain text, attachments come without content."""

    envelope: Envelope
    body: str
    attachments: tuple[Attachment, ...] = ()


class Mail(Protocol):
    """The mailboxes of the organization; it only reads."""

    async def mailboxes(self) -> tuple[Mailbox, ...]: ...

    async def since(self, accounts: Collection[str], since: int, limit: int) -> tuple[Envelope, ...]:
        """Return the messages of these accounts dated after `since`, oldest first.

        At most `limit`, but never only some of those with the same date: more come then.
        """

    async def message(self, account: str, id: str) -> MailMessage | None: ...


class NoMail:
    """Takes the place of mail while no mailbox can be connected."""

    async def mailboxes(self) -> tuple[Mailbox, ...]:
        return ()

    async def since(self, accounts: Collection[str], since: int, limit: int) -> tuple[Envelope, ...]:
        return ()

    async def message(self, account: str, id: str) -> MailMessage | None:
        return None


class Knowledge(Protocol):
    """The folders of the organization's knowledge base as they lie now."""

    async def folders(self) -> tuple[KnowledgeFolder, ...]: ...


class NoKnowledge:
    """Takes the place of the knowledge base while there is none."""

    async def folders(self) -> tuple[KnowledgeFolder, ...]:
        return ()
