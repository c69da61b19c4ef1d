"""`notochord provider`: where models come from."""

from notochord.core.errors import NotochordError
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.exchange import done, show, tell
from notochord.headless.printable import columns
from notochord.headless.records import record
from notochord.services.models.api import Provider, ProviderDraft, ProviderKind
from notochord.services.vault.api import Secret

_WITHOUT_KEY = (ProviderKind.OLLAMA, ProviderKind.LOCAL)


async def add(context: OpenContext, arguments: Arguments) -> None:
    exchange = context.exchange
    kind = ProviderKind(arguments.kind)
    draft = ProviderDraft(arguments.name, kind, arguments.url, tuple(arguments.use))
    if arguments.url.lower().startswith("http://"):
        await tell(exchange, "provider.plain", url=arguments.url)
    key = "" if arguments.no_key or kind in _WITHOUT_KEY else await _asked_key(context, arguments.name)
    made = await context.services.models.add_provider(draft, Secret(key) if key else None)
    listed = None if arguments.no_test or kind is ProviderKind.LOCAL else await _tried(context, made)
    await done(exchange, record(made), "provider.added", name=made.name)
    for model in made.models:
        if listed and model not in listed:
            await tell(exchange, "provider.model_unlisted", name=made.name, model=model)
    if not made.models:
        await tell(exchange, "provider.no_models", name=made.name)


async def _tried(context: OpenContext, made: Provider) -> tuple[str, ...] | None:
    """Return the models that a new provider lists; one that does not answer is kept, and that is told."""
    try:
        return await context.services.models.listed_models(made.name)
    except NotochordError as error:
        failure = context.exchange.sentences.failure(error)
        await tell(context.exchange, "provider.untested", name=made.name, failure=failure)
        return None


async def _asked_key(context: OpenContext, name: str) -> str:
    question = context.exchange.sentences.sentence("provider.key.ask", name=name) + " "
    return (await context.exchange.ask_hidden(question)).strip()


async def list_all(context: OpenContext, _: Arguments) -> None:
    said = context.exchange.sentences.sentence
    found = await context.services.models.providers()
    rows = [
        (
            one.name,
            str(one.kind),
            said("provider.here" if one.on_this_computer else "provider.away"),
            one.base_url,
            ", ".join(one.models),
        )
        for one in found
    ]
    await show(context.exchange, record(found), columns(rows) if rows else said("provider.none"))


async def test(context: OpenContext, arguments: Arguments) -> None:
    """Ask the provider for its list of models: the address, the network rules and the key are tried at once."""
    models = await context.services.models.listed_models(arguments.name)
    value = {"provider": arguments.name, "models": record(models)}
    await done(context.exchange, value, "provider.works", name=arguments.name, count=len(models))


async def models(context: OpenContext, arguments: Arguments) -> None:
    """Show which models the provider has, or choose those that are used."""
    if arguments.model:
        changed = await context.services.models.set_models(arguments.name, tuple(arguments.model))
        await done(context.exchange, record(changed), "provider.models.set", name=changed.name)
        return
    found = await context.services.models.listed_models(arguments.name)
    await show(context.exchange, record(found), "\n".join(found))


async def remove(context: OpenContext, arguments: Arguments) -> None:
    had_key = any(
        one.connection
        for one in await context.services.models.providers()
        if one.name.lower() == arguments.name.lower()
    )
    await context.services.models.remove_provider(arguments.name)
    told = "provider.removed.key" if had_key else "provider.removed"
    await done(context.exchange, {"removed": arguments.name}, told, name=arguments.name)


def _add(declaration: Declaration) -> None:
    declaration.add("name", metavar="NAME")
    declaration.add("--kind", required=True, choices=[kind.value for kind in ProviderKind])
    declaration.add("--url", metavar="URL", default="")
    declaration.add("--use", metavar="MODEL", action="append", default=[])
    declaration.add("--no-key", action="store_true")
    declaration.add("--no-test", action="store_true")


def _named(declaration: Declaration) -> None:
    declaration.add("name", metavar="NAME")


def _models(declaration: Declaration) -> None:
    declaration.add("name", metavar="NAME")
    declaration.add("model", metavar="MODEL", nargs="*")


COMMANDS: tuple[Command, ...] = (
    OpenCommand(("provider", "add"), add, _add),
    OpenCommand(("provider", "list"), list_all),
    OpenCommand(("provider", "test"), test, _named),
    OpenCommand(("provider", "models"), models, _models),
    OpenCommand(("provider", "remove"), remove, _named),
)
