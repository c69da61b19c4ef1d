"""`notochord network`: what may be reached (SET-010 to SET-027)."""

from dataclasses import replace
from urllib.parse import quote

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.exchange import show
from notochord.headless.records import record
from notochord.services.egress.api import NetworkRules, OutsideMode, without_password

_LISTS = ("blocked", "allowed", "local")


async def show_rules(context: OpenContext, _: Arguments) -> None:
    rules = context.services.egress.rules()
    rules = replace(rules, proxy=without_password(rules.proxy))
    said = context.exchange.sentences.sentence
    lines = [
        said(f"network.mode.{rules.outside_mode}"),
        *(f"{said(f'network.{name}')} {', '.join(getattr(rules, name)) or '–'}" for name in _LISTS),
        said("network.proxy", proxy=rules.proxy or said("network.proxy.system")),
    ]
    await show(context.exchange, record(rules), "\n".join(lines))


async def set_rules(context: OpenContext, arguments: Arguments) -> None:
    proxy = "" if arguments.proxy is None else await _with_password(context, arguments.proxy)
    async with context.changing:
        rules = context.services.egress.rules()
        if arguments.mode is not None:
            rules = replace(rules, outside_mode=OutsideMode(arguments.mode))
        if arguments.proxy is not None:
            rules = replace(rules, proxy="" if arguments.proxy == "system" else proxy)
        await context.services.egress.change_rules(rules)
    await show_rules(context, arguments)


async def add(context: OpenContext, arguments: Arguments) -> None:
    async with context.changing:
        rules = context.services.egress.rules()
        new = tuple(dict.fromkeys((*getattr(rules, arguments.list), *arguments.entry)))
        await context.services.egress.change_rules(_with(rules, arguments.list, new))
    await show_rules(context, arguments)


async def remove(context: OpenContext, arguments: Arguments) -> None:
    async with context.changing:
        rules = context.services.egress.rules()
        kept = tuple(entry for entry in getattr(rules, arguments.list) if entry not in arguments.entry)
        await context.services.egress.change_rules(_with(rules, arguments.list, kept))
    await show_rules(context, arguments)


async def _with_password(context: OpenContext, proxy: str) -> str:
    """Return the address with the password asked for, if it names a user; other processes can see arguments."""
    start, at, place = proxy.rpartition("@")
    scheme, separator, user = start.rpartition("://")
    if not at:
        return proxy
    if ":" in user:
        detail = "leave the password out of the proxy's address; it is asked for"
        raise NotochordError(Code.INPUT_INVALID, Fault.USER, detail, what="--proxy", why="why.proxy_password")
    password = await context.exchange.ask_hidden(context.exchange.sentences.sentence("network.proxy.password") + " ")
    return f"{scheme}{separator}{user}:{quote(password, safe='')}@{place}"


def _with(rules: NetworkRules, name: str, entries: tuple[str, ...]) -> NetworkRules:
    if name == "blocked":
        return replace(rules, blocked=entries)
    if name == "allowed":
        return replace(rules, allowed=entries)
    return replace(rules, local=entries)


def _set(declaration: Declaration) -> None:
    declaration.add("--mode", choices=[mode.value for mode in OutsideMode])
    declaration.add("--proxy", metavar="URL")


def _entries(declaration: Declaration) -> None:
    declaration.add("list", choices=_LISTS)
    declaration.add("entry", metavar="ENTRY", nargs="+")


COMMANDS: tuple[Command, ...] = (
    OpenCommand(("network", "show"), show_rules),
    OpenCommand(("network", "set"), set_rules, _set),
    OpenCommand(("network", "add"), add, _entries),
    OpenCommand(("network", "remove"), remove, _entries),
)
