"""`notochord gem check` and `verify`: what a draft or a package is, without installing it, in any folder."""

from notochord.headless.command import Arguments, Command, Declaration, HomeCommand, HomeContext
from notochord.headless.commands.gem_authoring import check_draft
from notochord.headless.exchange import Exchange, done, show
from notochord.headless.printable import columns
from notochord.headless.records import record
from notochord.services.gems.api import Gem


async def check(context: HomeContext, arguments: Arguments) -> None:
    """Check the folder of a draft, or a package for itself; whether it fits what is installed, installing tells."""
    if arguments.package.is_dir():
        await check_draft(context.exchange, context.surroundings.workshop(), arguments.package)
        return
    gem = await context.surroundings.packages().check(arguments.package)
    await show(context.exchange, record(gem), _described(gem, context.exchange))


async def verify(context: HomeContext, arguments: Arguments) -> None:
    """Tell whose signature a package carries; one without any, or with an unknown key, is a failure."""
    gem = await context.surroundings.packages().verify(arguments.package)
    trust = context.exchange.sentences.sentence(f"gem.trust.{gem.trust}")
    await done(context.exchange, record(gem), "gem.verified", name=gem.name, version=gem.version, trust=trust)


def _described(gem: Gem, exchange: Exchange) -> str:
    """Return what a package says of itself."""
    said = exchange.sentences.sentence
    lines = [
        f"{gem.name} {gem.version} ({gem.id})",
        gem.description,
        said("gem.line.trust", trust=said(f"gem.trust.{gem.trust}")),
        said("gem.line.hosts", hosts=", ".join(gem.hosts) or "–"),
        *([said("gem.line.model")] if gem.uses_model else []),
        *([said("gem.line.knowledge", permissions=", ".join(gem.knowledge))] if gem.knowledge else []),
        *([said("gem.line.mail")] if gem.reads_mail else []),
    ]
    tools = [(tool.name, tool.side_effect, tool.description) for tool in gem.tools]
    agents = [(agent.name, said("gem.agent"), agent.description) for agent in gem.agents]
    return "\n".join([*lines, columns([*tools, *agents])] if tools or agents else lines)


def _check(declaration: Declaration) -> None:
    declaration.add_path("package", metavar="DRAFT|FILE", topic="draft_or_package")


def _verify(declaration: Declaration) -> None:
    declaration.add_path("package", metavar="FILE")


COMMANDS: tuple[Command, ...] = (
    HomeCommand(("gem", "check"), check, _check),
    HomeCommand(("gem", "verify"), verify, _verify),
)
