"""`notochord tour`, and the commands of the windows: declared here, carried out by the composition root."""

import secrets
import tempfile
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.headless.command import Arguments, Command, Declaration, ProgramCommand
from notochord.headless.exchange import Exchange, tell
from notochord.headless.services import Services, Surroundings
from notochord.headless.tour.home import throw_away_organization
from notochord.headless.tour.run import TourOptions, take_tour
from notochord.headless.tour.stages import Stages

WORDS = ("tour",)
GALLERY = ("gallery",)


async def tour(surroundings: Surroundings, exchange: Exchange, options: TourOptions) -> None:
    """Take the tour in a throw-away home. Raises NotochordError(TOUR_FAILED) if the model did not do the job."""
    stages = Stages(surroundings.clock)
    async with throw_away_organization(surroundings, exchange, stages) as services:
        await take_tour(services, exchange, stages, options, surroundings.home.folder)


async def tour_here(services: Services, exchange: Exchange, options: TourOptions) -> None:
    """Take the tour in the user's own organization, on a model that is connected there."""
    await services.models.choose(options.model)
    await tell(exchange, "tour.here", model=options.model)
    with tempfile.TemporaryDirectory() as scratch:
        await take_tour(services, exchange, Stages(services.clock), options, Path(scratch))


def options_of(arguments: Arguments) -> TourOptions:
    """Read the options. Raises NotochordError(INPUT_INVALID) for a place to keep things in that is no folder."""
    seed, keep = getattr(arguments, "seed", None), getattr(arguments, "keep", None)
    if keep is not None and keep.exists() and not keep.is_dir():
        raise NotochordError(
            Code.INPUT_INVALID,
            Fault.USER,
            f"{keep} is not a folder",
            what="--keep",
            path=str(keep),
            why="why.no_folder",
        )
    return TourOptions(
        model=getattr(arguments, "model", None) or "",
        keep=keep,
        seed=secrets.randbelow(2**31) if seed is None else seed,
    )


def _tour(declaration: Declaration) -> None:
    declaration.add("--model", metavar="PROVIDER/MODEL", topic="tour.model")
    declaration.add_path("--keep", metavar="DIR")
    declaration.add("--seed", metavar="NUMBER", type=int)


def _gallery(declaration: Declaration) -> None:
    declaration.add_path("out", metavar="OUT")


COMMANDS: tuple[Command, ...] = (
    ProgramCommand(WORDS, _tour),
    ProgramCommand(("desktop",)),
    ProgramCommand(GALLERY, _gallery),
)
