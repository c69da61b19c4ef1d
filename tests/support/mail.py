"""A mailbox for tests, behind the port of the gems."""

from collections.abc import Collection
from dataclasses import dataclass, field

from notochord.services.gems.ports import Attachment, Envelope, Mailbox, MailMessage


def message(id: str, date: int, *, account: str = "work", body: str = "Hello.", attachment: str = "") -> MailMessage:
    envelope = Envelope(account, id, f"About {id}", "a@example.com", ("b@example.com", "c@example.com"), date)
    attachments = (Attachment(attachment, "application/pdf", 1_234),) if attachment else ()
    return MailMessage(envelope, body, attachments)


@dataclass
class TestMail:
    """Implements `services.gems.ports.Mail`."""

    __test__ = False

    accounts: list[str] = field(default_factory=lambda: ["work", "home"])
    messages: list[MailMessage] = field(default_factory=list)

    async def mailboxes(self) -> tuple[Mailbox, ...]:
        return tuple(Mailbox(account, f"{account}@example.com") for account in self.accounts)

    async def since(self, accounts: Collection[str], since: int, limit: int) -> tuple[Envelope, ...]:
        found = [one.envelope for one in self.messages if one.envelope.account in accounts]
        later = sorted((one for one in found if one.date > since), key=lambda one: (one.date, one.id))
        if len(later) <= limit:
            return tuple(later)
        last = later[limit - 1].date
        return tuple(one for one in later if one.date <= last)

    async def message(self, account: str, id: str) -> MailMessage | None:
        envelopes = ((one.envelope.account, one.envelope.id, one) for one in self.messages)
        return next((one for of, named, one in envelopes if (of, named) == (account, id)), None)
