"""`notochord account`: the services that gems use in the user's name (CRED)."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.core.tasks import Lifetime
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.exchange import confirm, done, show, tell
from notochord.headless.printable import columns, printable
from notochord.headless.records import record
from notochord.services.accounts.api import KIND, SignInPages, Template
from notochord.services.gems.api import AccountChoice
from notochord.services.vault.api import (
    Connection,
    ConnectionDraft,
    OAuthClient,
    Placement,
    Registration,
    Secret,
    SignIn,
)

OAUTH = "oauth"
_PLAIN = "http://"


async def list_services(context: OpenContext, _: Arguments) -> None:
    found = context.services.accounts.templates()
    rows = [(one.id, one.name, ", ".join(one.registration.hosts)) for one in found]
    await show(context.exchange, record(found), columns(rows))


async def add(context: OpenContext, arguments: Arguments) -> None:
    """Keep an account; its secret comes from a hidden prompt or standard input."""
    draft = _draft(context.services.accounts.templates(), arguments)
    if draft.registration.plain_http:
        await tell(context.exchange, "provider.plain", url=draft.registration.plain_http)
    secret = None if arguments.no_secret else await _asked_secret(context, draft.name)
    made = await context.services.accounts.add(draft, secret)
    await done(context.exchange, record(made), "account.added", name=made.name)
    if made.sign_in is not SignIn.READY:
        await tell(context.exchange, "account.sign_in_next", name=made.name)


async def list_all(context: OpenContext, _: Arguments) -> None:
    said = context.exchange.sentences.sentence
    found = await context.services.accounts.all()
    choices = await context.services.gems.account_choices()
    rows = [
        (one.name, _service(context, one), said(f"account.state.{one.sign_in}"), ", ".join(_gems(one, choices)) or "–")
        for one in found
    ]
    value: list[Json] = [_recorded(one, choices) for one in found]
    await show(context.exchange, value, columns(rows) if rows else said("account.none"))


async def show_one(context: OpenContext, arguments: Arguments) -> None:
    found = await _found(context, arguments.account)
    choices = await context.services.gems.account_choices()
    said = context.exchange.sentences.sentence
    registration = found.registration
    hosts = [*registration.hosts, *([registration.plain_http] if registration.plain_http else [])]
    last = datetime.fromtimestamp(found.last_used / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S") if found.last_used else "–"
    lines = [
        f"{found.name} ({found.id})",
        said("account.line.service", service=_service(context, found)),
        said("account.line.hosts", hosts=", ".join(hosts), paths=", ".join(registration.paths) or "/"),
        said("account.line.state", state=said(f"account.state.{found.sign_in}")),
        said("account.line.gems", gems=", ".join(_gems(found, choices)) or "–"),
        said("account.line.used", count=found.uses, when=last),
    ]
    await show(context.exchange, _recorded(found, choices), printable("\n".join(lines)))


async def test(context: OpenContext, arguments: Arguments) -> None:
    found = await _found(context, arguments.account)
    await context.services.accounts.test(found.id)
    await done(context.exchange, {"works": found.id}, "account.works", name=found.name)


async def replace(context: OpenContext, arguments: Arguments) -> None:
    """Replace the key of an account, or the secret of its client."""
    found = await _found(context, arguments.account)
    await context.services.accounts.replace_secret(found.id, await _asked_secret(context, found.name))
    await done(context.exchange, {"replaced": found.id}, "account.replaced", name=found.name)


async def grant(context: OpenContext, arguments: Arguments) -> None:
    """Let a gem use an account for one of the connections that it asks for."""
    found = await _found(context, arguments.account)
    gem = await context.services.gems.get(arguments.gem)
    await context.services.gems.choose_connection(gem.id, arguments.connection, found.id)
    value: Json = {"account": found.id, "gem": gem.id, "connection": arguments.connection}
    await done(context.exchange, value, "account.granted", name=found.name, gem=gem.name)


async def revoke(context: OpenContext, arguments: Arguments) -> None:
    """Take an account back from a gem, for everything that it stood for."""
    found = await _found(context, arguments.account)
    gem = await context.services.gems.get(arguments.gem)
    for choice in await context.services.gems.account_choices():
        if (choice.gem, choice.connection) == (gem.id, found.id):
            await context.services.gems.choose_connection(gem.id, choice.slot, "")
    await done(context.exchange, {"account": found.id, "gem": gem.id}, "account.revoked", name=found.name, gem=gem.name)


async def remove(context: OpenContext, arguments: Arguments) -> None:
    """Delete an account and its secret, naming the gems that stop working."""
    found = await _found(context, arguments.account)
    gems = _gems(found, await context.services.gems.account_choices())
    if gems:
        await tell(context.exchange, "account.stops", gems=", ".join(gems))
    if not arguments.yes and not await confirm(context.exchange, "account.remove.ask", name=found.name):
        await done(context.exchange, {"removed": None}, "account.kept")
        return
    await context.services.accounts.remove(found.id)
    await done(context.exchange, {"removed": found.id}, "account.removed", name=found.name)


async def sign_in(context: OpenContext, arguments: Arguments) -> None:
    """Say which address to open in a browser of this computer, and wait until it comes back."""
    found = await _found(context, arguments.account)
    said = context.exchange.sentences.sentence
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    pages = SignInPages(
        address.set_result, said("window.settings.accounts.page.yes"), said("window.settings.accounts.page.no")
    )
    lifetime = Lifetime("account/sign-in")
    try:
        work = lifetime.start(found.id, context.services.accounts.sign_in(found.id, pages))
        await asyncio.wait((work, address), return_when=asyncio.FIRST_COMPLETED)
        if address.done():
            await tell(context.exchange, "account.open", address=address.result())
        signed_in = await work
    finally:
        await lifetime.close()
    await done(context.exchange, record(signed_in), "account.signed_in", name=found.name)


async def sign_out(context: OpenContext, arguments: Arguments) -> None:
    found = await _found(context, arguments.account)
    await context.services.accounts.sign_out(found.id)
    await done(context.exchange, {"signed_out": found.id}, "account.signed_out", name=found.name)


async def _found(context: OpenContext, name_or_id: str) -> Connection:
    """Return an account by its id, else by its name. Raises NOT_FOUND, INPUT_INVALID when two are called so."""
    every = await context.services.accounts.all()
    named = [one for one in every if one.id == name_or_id] or [
        one for one in every if one.name.casefold() == name_or_id.casefold()
    ]
    if len(named) > 1:
        detail = "several accounts are called so; give an id"
        raise NotochordError(Code.INPUT_INVALID, Fault.USER, detail, name=name_or_id, why="why.account_ambiguous")
    if not named:
        raise NotochordError(
            Code.NOT_FOUND, Fault.USER, f"no account {name_or_id}", name=name_or_id, why="why.connection_gone"
        )
    return named[0]


def _draft(templates: Sequence[Template], arguments: Arguments) -> ConnectionDraft:
    """Return what the options describe. Raises NOT_FOUND for an unknown service."""
    scopes = tuple(arguments.scope)
    if arguments.service:
        for template in templates:
            if template.id == arguments.service:
                return template.draft(arguments.name, user=arguments.user, client_id=arguments.client_id, scopes=scopes)
        names = ", ".join(template.id for template in templates)
        raise NotochordError(
            Code.NOT_FOUND, Fault.USER, f"no service {arguments.service}; known are {names}", names=names,
            why="why.account_service",
        )  # fmt: skip
    signs_in = arguments.method == OAUTH
    placement = Placement.BEARER if signs_in else Placement(arguments.method)
    client = OAuthClient(arguments.authorize_url, arguments.exchange_url, arguments.client_id, scopes, typed=True)
    plain = [host for host in arguments.host if host.lower().startswith(_PLAIN)]
    hosts = tuple(host for host in arguments.host if host not in plain[:1])
    return ConnectionDraft(
        name=arguments.name,
        kind=KIND,
        placement=placement,
        registration=Registration(hosts, tuple(arguments.path), plain[0].rstrip("/") if plain else ""),
        field=arguments.user if placement is Placement.BASIC else arguments.field,
        prefix=f"{arguments.prefix} " if arguments.prefix else "",
        oauth=client if signs_in else None,
    )


async def _asked_secret(context: OpenContext, name: str) -> Secret:
    question = context.exchange.sentences.sentence("account.secret.ask", name=name) + " "
    return Secret((await context.exchange.ask_hidden(question)).strip())


def _service(context: OpenContext, account: Connection) -> str:
    known = {template.id: template.name for template in context.services.accounts.templates()}
    return known.get(account.template) or (OAUTH if account.oauth is not None else str(account.placement))


def _gems(account: Connection, choices: Sequence[AccountChoice]) -> list[str]:
    return sorted({choice.gem for choice in choices if choice.connection == account.id})


def _recorded(account: Connection, choices: Sequence[AccountChoice]) -> Json:
    value = record(account)
    assert isinstance(value, dict)
    return {**value, "gems": list[Json](_gems(account, choices))}


def _account(declaration: Declaration) -> None:
    declaration.add("account", metavar="ACCOUNT")


def _grant(declaration: Declaration) -> None:
    _account(declaration)
    declaration.add("gem", metavar="GEM")
    declaration.add("connection", metavar="CONNECTION")


def _revoke(declaration: Declaration) -> None:
    _account(declaration)
    declaration.add("gem", metavar="GEM")


def _remove(declaration: Declaration) -> None:
    _account(declaration)
    declaration.add("--yes", action="store_true")


def _add(declaration: Declaration) -> None:
    declaration.add("name", metavar="NAME")
    declaration.add("--service", metavar="ID", default="")
    declaration.add("--method", choices=[*(one.value for one in Placement), OAUTH], default=Placement.BEARER.value)
    for name in ("field", "prefix", "user", "client-id"):
        declaration.add(f"--{name}", metavar="TEXT", default="", topic=f"account.{name}")
    for name in ("authorize-url", "exchange-url"):
        declaration.add(f"--{name}", metavar="URL", default="", topic=f"account.{name}")
    for name in ("host", "path", "scope"):
        declaration.add(f"--{name}", metavar=name.upper(), action="append", default=[], topic=f"account.{name}")
    declaration.add("--no-secret", action="store_true", topic="account.no-secret")


COMMANDS: tuple[Command, ...] = (
    OpenCommand(("account", "services"), list_services),
    OpenCommand(("account", "add"), add, _add),
    OpenCommand(("account", "list"), list_all),
    OpenCommand(("account", "show"), show_one, _account),
    OpenCommand(("account", "test"), test, _account),
    OpenCommand(("account", "replace"), replace, _account),
    OpenCommand(("account", "grant"), grant, _grant),
    OpenCommand(("account", "revoke"), revoke, _revoke),
    OpenCommand(("account", "sign-in"), sign_in, _account),
    OpenCommand(("account", "sign-out"), sign_out, _account),
    OpenCommand(("account", "remove"), remove, _remove),
)
