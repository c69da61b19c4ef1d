"""`notochord gem check` and `verify`: what a draft or a package is, without installing it, in any folder."""

from collections.abc import Iterator

from notochord.core.sentences import Sentences
from notochord.headless.command import Arguments, Command, Declaration, HomeCommand, HomeContext
from notochord.headless.commands.gem_authoring import check_draft
from notochord.headless.commands.gem_page import asked, contents, flat
from notochord.headless.exchange import done, show
from notochord.headless.printable import columns, printable
from notochord.headless.records import record
from notochord.services.gems.api import Dossier


async def check(context: HomeContext, arguments: Arguments) -> None:
    """Check the folder of a draft, or a package for itself; whether it fits what is installed, installing tells."""
    if arguments.package.is_dir():
        await check_draft(context.exchange, context.surroundings.workshop(), arguments.package)
        return
    found = await context.surroundings.packages().check(arguments.package)
    await show(context.exchange, flat(found), printable("\n".join(_lines(found, context.exchange.sentences))))


async def verify(context: HomeContext, arguments: Arguments) -> None:
    """Tell whose signature a package carries; one without any, or with an unknown key, is a failure."""
    gem = (await context.surroundings.packages().verify(arguments.package)).gem
    trust = context.exchange.sentences.sentence(f"gem.trust.{gem.trust}")
    await done(context.exchange, record(gem), "gem.verified", name=gem.name, version=gem.version, trust=trust)


def _lines(found: Dossier, sentences: Sentences) -> Iterator[str]:
    """Return what a package says of itself."""
    said, gem = sentences.sentence, found.gem
    yield f"{gem.name} {gem.version} ({gem.id})"
    yield gem.description
    yield said("gem.line.trust", trust=said(f"gem.trust.{gem.trust}"))
    yield from asked(found, sentences)
    for title, rows in contents(found):
        if rows:
            yield ""
            yield said(title)
            yield columns(rows)


def _check(declaration: Declaration) -> None:
    declaration.add_path("package", metavar="DRAFT|FILE", topic="draft_or_package")


def _verify(declaration: Declaration) -> None:
    declaration.add_path("package", metavar="FILE")


COMMANDS: tuple[Command, ...] = (
    HomeCommand(("gem", "check"), check, _check),
    HomeCommand(("gem", "verify"), verify, _verify),
)
