"""A page of a gem with sample data, in each of its states."""

from notochord.core.clock import SystemClock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.sentences import CHINESE
from notochord.services.gem_pages.api import GemPageDetails, GemPages
from notochord.viewmodels.gem_page.model import GemPageModel, Link, PageState
from notochord.viewmodels.samples.doors import absent


def gem_page(language: str, state: PageState, *, problems: tuple[str, ...] = (), busy: bool = False) -> GemPageModel:
    """Return the model of a page that stands in this state."""
    model = GemPageModel(
        pages=absent(GemPages),
        events=EventBus(),
        clock=SystemClock(),
        gem="invoices",
        page="board",
        open_link=lambda _: None,
        can_wall=_can,
        ask_agent=_ask,
        is_before_user=lambda: True,
    )
    name, title = ("发票整理", "待付款") if language == CHINESE else ("Invoices", "What is due")
    model.details.set(GemPageDetails("invoices", name, "board", title, "pages/board.html"))
    if state in (PageState.LOADING, PageState.SHOWN):
        model.opened.set(1)
    if state is PageState.FAILED:
        model.failure.set(NotochordError(Code.FILES_CHANGED, Fault.USER, "changed", path="pages/board.js"))
    model.problems.set(problems)
    model.busy.set(busy)
    model.state.set(state)
    return model


def asked_link() -> Link:
    """Return a link that a page leads to."""
    return Link("https://xn--bcher-kva.example/orders?number=4711", "xn--bcher-kva.example")


def no_model() -> NotochordError:
    """Return why no conversation with an agent begins where no model has been added."""
    return NotochordError(Code.MODEL_NOT_CHOSEN, Fault.USER, "no model has been chosen")


async def _can() -> bool:
    return True


async def _ask(gem: str, agent: str, about: str) -> None:
    return None
