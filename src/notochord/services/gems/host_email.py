"""`ctx.email` on this side: reads the mailboxes that the user allowed the gem, as they are allowed at each call."""

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.gems.grants.store import GrantStore
from notochord.services.gems.guest_arguments import GuestArguments, refused
from notochord.services.gems.ports import Envelope, Mail, MailMessage
from notochord.services.sandbox.api import HostAnswer, HostRequest

DEFAULT_LIMIT = 20
MAX_LIMIT = 200
MAX_BODY = 20 * 1024 * 1024

_LIST = frozenset({"accountId", "since", "limit"})
_PLACE = frozenset({"accountId", "id"})
_MAX_LINE = 2_000
_MAX_ADDRESSES = 500


class GuestEmail:
    """The mail that one call may read; it can send none (TOOL-094)."""

    namespace = "email"

    def __init__(self, mail: Mail, grants: GrantStore, *, gem: str) -> None:
        self._mail = mail
        self._grants = grants
        self._gem = gem

    async def answer(self, request: HostRequest) -> HostAnswer | None:
        """Do what is asked; None for a target that is not about mail.

        Raises NotochordError: INPUT_INVALID, PERM_DENIED (a mailbox that is not allowed, or none is), NOT_FOUND.
        """
        match request.target:
            case "email.listSince":
                return await self._list(GuestArguments(request.target, request.arguments, _LIST))
            case "email.getMessage":
                return await self._message(GuestArguments(request.target, request.arguments, _PLACE))
            case _:
                return None

    async def _list(self, arguments: GuestArguments) -> HostAnswer:
        since = arguments.whole_or_none("since") or 0
        limit = arguments.whole_or_none("limit")
        if limit is not None and not 1 <= limit <= MAX_LIMIT:
            raise refused(f"email.listSince: limit is a whole number from 1 to {MAX_LIMIT}")
        account = arguments.text_or_none("accountId")
        accounts = await self._allowed()
        if account is not None:
            accounts = frozenset({self._checked(account, accounts)})
        if not accounts:
            raise _denied("the user has allowed this gem no mailbox")
        found = await self._mail.since(accounts, since, limit or DEFAULT_LIMIT)
        messages: list[Json] = [_shown(envelope) for envelope in found]
        cursor = max((envelope.date for envelope in found), default=since)
        return HostAnswer({"messages": messages, "cursor": cursor})

    async def _message(self, arguments: GuestArguments) -> HostAnswer:
        account, identifier = arguments.text("accountId"), arguments.text("id")
        found = await self._mail.message(self._checked(account, await self._allowed()), identifier)
        if found is None:
            raise NotochordError(Code.NOT_FOUND, Fault.GUEST, f"there is no message {identifier[:100]!r}")
        body = found.body.encode("utf-8", "replace")
        if len(body) > MAX_BODY:
            raise NotochordError(Code.PAYLOAD_TOO_LARGE, Fault.GUEST, f"over {MAX_BODY} bytes", limit=MAX_BODY)
        return HostAnswer({**_shown(found.envelope), "attachments": _attachments(found)}, body)

    async def _allowed(self) -> frozenset[str]:
        """Return the mailboxes that are there and allowed now (TOOL-089, TOOL-092)."""
        granted = await self._grants.of(self._gem)
        there = frozenset(mailbox.id for mailbox in await self._mail.mailboxes())
        return there if granted.every_mailbox else there & granted.mailboxes

    def _checked(self, account: str, allowed: frozenset[str]) -> str:
        if account not in allowed:
            raise _denied(f"the user has not allowed this gem the mailbox {account[:100]!r}")
        return account


def _shown(envelope: Envelope) -> dict[str, Json]:
    recipients: list[Json] = [address[:_MAX_LINE] for address in envelope.recipients[:_MAX_ADDRESSES]]
    return {
        "accountId": envelope.account,
        "id": envelope.id,
        "subject": envelope.subject[:_MAX_LINE],
        "fromAddr": envelope.sender[:_MAX_LINE],
        "toAddrs": recipients,
        "date": envelope.date,
    }


def _attachments(message: MailMessage) -> Json:
    return [
        {"filename": found.filename[:_MAX_LINE], "mimeType": found.mime_type[:_MAX_LINE], "sizeBytes": found.size}
        for found in message.attachments[:_MAX_ADDRESSES]
    ]


def _denied(detail: str) -> NotochordError:
    return NotochordError(Code.PERM_DENIED, Fault.POLICY, detail)
