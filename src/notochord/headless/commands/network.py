"""`notochord network`: what may be reached (SET-010 to SET-027)."""

from dataclasses import replace
from urllib.parse import quote

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.exchange import show, tell
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
    """Add entries in their normal form, saying where that is another than was typed or where one is there already."""
    async with context.changing:
        rules = context.services.egress.rules()
        there = list(getattr(rules, arguments.list))
        for entry in arguments.entry:
            kept = _normal(context, arguments, entry)
            if kept in there:
                await tell(context.exchange, "network.there", entry=kept)
                continue
            there.append(kept)
            if kept != entry:
                await tell(context.exchange, "network.kept_as", entry=entry, kept=kept)
        await context.services.egress.change_rules(_with(rules, arguments.list, tuple(there)))
    await show_rules(context, arguments)


async def remove(context: OpenContext, arguments: Arguments) -> None:
    """Remove entries, however they are spelled. Raises NOT_FOUND, and none is removed, if one is not on the list."""
    async with context.changing:
        rules = context.services.egress.rules()
        there: tuple[str, ...] = getattr(rules, arguments.list)
        gone = {entry if entry in there else _normal(context, arguments, entry) for entry in arguments.entry}
        for entry in gone - set(there):
            detail = f"{entry} is not on the list; on it are: {', '.join(there) or 'none'}"
            listed = ", ".join(there) or "–"
            raise NotochordError(Code.NOT_FOUND, Fault.USER, detail, entry=entry, listed=listed, why="why.not_listed")
        kept = tuple(entry for entry in there if entry not in gone)
        await context.services.egress.change_rules(_with(rules, arguments.list, kept))
    await show_rules(context, arguments)


def _normal(context: OpenContext, arguments: Arguments, entry: str) -> str:
    return context.services.egress.normal_entry(entry, local=arguments.list == "local")


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
