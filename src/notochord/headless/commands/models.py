"""`notochord model`: the models in use, and the kinds of work they got."""

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.exchange import done, show
from notochord.headless.printable import columns
from notochord.headless.records import record
from notochord.services.models.api import ModelRef

MEGABYTE = 1_000_000


async def list_all(context: OpenContext, arguments: Arguments) -> None:
    if arguments.local:
        await _list_local(context)
        return
    models, said = context.services.models, context.exchange.sentences.sentence
    used: dict[str, list[str]] = {}
    for role in await models.roles():
        if role.model:
            used.setdefault(str(role.model), []).append(role.name)
    names = [f"{provider.name}/{model}" for provider in await models.providers() for model in provider.models]
    value = [{"model": name, "roles": record(used.get(name, []))} for name in names]
    rows = [(name, ", ".join(used.get(name, []))) for name in names]
    await show(context.exchange, record(value), columns(rows) if rows else said("model.none"))


async def _list_local(context: OpenContext) -> None:
    said = context.exchange.sentences.sentence
    found = await context.services.models.local_models()
    rows = [
        (one.name, f"{one.size / MEGABYTE:.0f} MB", said("model.here" if one.here else "model.obtainable"), one.licence)
        for one in found
    ]
    await show(context.exchange, record(found), columns(rows) if rows else said("model.local.none"))


async def download(context: OpenContext, arguments: Arguments) -> None:
    """Put a model of the catalogue into the folder that all organizations share."""
    obtained = await context.services.models.obtain_local_model(arguments.name)
    await done(context.exchange, record(obtained), "model.downloaded", name=obtained.name)


async def role(context: OpenContext, arguments: Arguments) -> None:
    """List the roles, or give one its model; a new role needs a description."""
    models = context.services.models
    if arguments.role is None:
        await _list_roles(context)
        return
    if arguments.remove:
        await models.remove_role(arguments.role)
        await done(context.exchange, {"removed": arguments.role}, "role.removed", name=arguments.role)
        return
    await _change_role(context, arguments)
    changed = next((one for one in await models.roles() if one.name == arguments.role), None)
    await done(context.exchange, record(changed), "role.changed", name=arguments.role)


async def _change_role(context: OpenContext, arguments: Arguments) -> None:
    models = context.services.models
    model = model_named(arguments.model) if arguments.model else None
    known = {one.name for one in await models.roles()}
    if arguments.describe is None:
        if model is None and not arguments.none:
            raise NotochordError(
                Code.INPUT_INVALID, Fault.USER, "name a model, or --none", what="MODEL", why="why.role_without_model"
            )
        await models.set_role(arguments.role, model)
        return
    if arguments.role in known:
        await models.describe_role(arguments.role, arguments.describe)
        if model is not None:
            await models.set_role(arguments.role, model)
    elif model is None:
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "a new role needs a model", what="MODEL", why="why.new_role_model"
        )
    else:
        await models.add_role(arguments.role, arguments.describe, model)


async def _list_roles(context: OpenContext) -> None:
    found = await context.services.models.roles()
    rows = [(one.name, str(one.model) if one.model else "–", one.description) for one in found]
    await show(context.exchange, record(found), columns(rows) if rows else "")


def model_named(text: str) -> ModelRef:
    """Read PROVIDER/MODEL. Raises MODEL_UNKNOWN."""
    provider, slash, model = text.partition("/")
    if not (provider and slash and model):
        raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER, "a model is written PROVIDER/MODEL", model=text)
    return ModelRef(provider, model)


def _role(declaration: Declaration) -> None:
    declaration.add("role", metavar="ROLE", nargs="?")
    declaration.add("model", metavar="PROVIDER/MODEL", nargs="?")
    declaration.add("--describe", metavar="TEXT")
    declaration.add("--none", action="store_true")
    declaration.add("--remove", action="store_true")


def _list(declaration: Declaration) -> None:
    declaration.add("--local", action="store_true")


def _download(declaration: Declaration) -> None:
    declaration.add("name", metavar="NAME")


COMMANDS: tuple[Command, ...] = (
    OpenCommand(("model", "list"), list_all, _list),
    OpenCommand(("model", "download"), download, _download),
    OpenCommand(("model", "role"), role, _role),
)
