"""The store in each of its states, with sample data."""

from dataclasses import replace

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.sentences import CHINESE
from notochord.services.gems.api import DocumentKind
from notochord.services.store.api import Store
from notochord.viewmodels.gem.introduction import Chapter
from notochord.viewmodels.gem.procedures import Procedure
from notochord.viewmodels.samples.doors import absent
from notochord.viewmodels.samples.gem import ENGLISH, IN_CHINESE, README
from notochord.viewmodels.settings.pane import READY, Pane, PaneState
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from notochord.viewmodels.store.model import Arriving, StoreModel
from notochord.viewmodels.store.rows import StoreRow

INVOICES = StoreRow(
    "invoices", "Invoices", "2.3.1",
    "Reads invoices from a folder, asks the bank what was paid, and lists what is due.", "example.finance",
    "available", "", 4_812_000,
)  # fmt: skip
ROWS = (
    INVOICES,
    StoreRow("notes", "Meeting notes", "0.4.0", "Turns a transcript into notes.", "example.office", "available"),
    StoreRow(
        "sales-summary", "Sales summary", "1.0.0",
        "Makes a monthly summary of a CSV file: adds up the amounts of each month.", "notochord", "installed", "1.0.0",
    ),
    StoreRow(
        "weather", "Weather", "1.3.0", "Tells the weather where you are going.", "example.sky",
        "update", "1.2.0", 90_000,
    ),
)  # fmt: skip
CHINESE_ROWS = (
    replace(
        INVOICES, name="发票整理", description="读取一个文件夹里的发票，向银行查询已付款项，列出待付款项和付款日期。"
    ),
    replace(ROWS[1], name="会议纪要", description="把录音文字整理成会议纪要。"),
    replace(ROWS[2], name="销售汇总", description="为 CSV 文件制作月度汇总：把每个月的金额加起来，写进一份报告。"),
    replace(ROWS[3], name="天气", description="告诉你要去的地方天气怎么样。"),
)
PROMPTS = {
    "en": (
        Chapter("due", "Lists what has to be paid in the next days.\n\n> What is due in the next seven days?"),
        Chapter("month", "Sums up a month by payee.\n\n> Sum up March by payee, the largest first."),
    ),
    CHINESE: (
        Chapter("due", "列出最近几天要付的款项。\n\n> 接下来七天有哪些款要付？"),
        Chapter("month", "按收款方汇总一个月。\n\n> 按收款方汇总三月份的付款，金额大的在前。"),
    ),
}


def bare(language: str, gem: str = "", navigation: Navigation | None = None) -> StoreModel:
    """Return the store before anything was read."""
    model = StoreModel(
        store=absent(Store), events=EventBus(), navigation=navigation or Navigation(Place(Page.STORE, gem)),
        language=language, say=_unsaid,
    )  # fmt: skip
    model.gem.set(gem)
    return model


def listed(language: str, navigation: Navigation | None = None) -> StoreModel:
    """Return the list with a gem in each standing, and one that is on its way."""
    model = bare(language, navigation=navigation)
    model.rows.reset(_rows(language))
    model.state.set(READY)
    return model


def arriving(language: str) -> StoreModel:
    """Return the list while one gem arrives, another is being installed, and a third was refused."""
    model = listed(language)
    model.work.set({"invoices": Arriving(1_900_000, 4_812_000), "weather": Arriving(90_000, 90_000)})
    model.failures.set({"notes": _mismatch()})
    return model


def offline(language: str) -> StoreModel:
    """Return what is known while the list cannot be fetched."""
    model = listed(language)
    host = "download.notochord.ai"
    model.failure.set(NotochordError(Code.NETWORK_UNREACHABLE, Fault.NETWORK, "no such name", host=host, reason="-"))
    return model


def nothing_found(language: str) -> StoreModel:
    model = bare(language)
    model.state.set(READY)
    return model


def empty(language: str) -> StoreModel:
    """Return the store while its first list is on its way."""
    model = nothing_found(language)
    model.empty.set(True)
    model.refreshing.set(True)
    return model


def failed(language: str) -> StoreModel:
    model = bare(language)
    error = NotochordError(Code.DISK_IO, Fault.SYSTEM, "input/output error", path="main.db")
    model.state.set(PaneState(Pane.FAILED, error))
    return model


def gem(language: str, *, refused: bool = False, row: StoreRow | None = None) -> StoreModel:
    """Return a gem that asks for much; `refused` tells why it could not be installed."""
    model = bare(language, INVOICES.id)
    found = row or _rows(language)[0]
    model.introduction.languages.reset(["en", "zh-CN"])
    model.introduction.language.set("zh-CN" if language == CHINESE else "en")
    model.introduction.tabs.reset(DocumentKind)
    model.introduction.chapters.reset([Chapter("", README[language if language in README else "en"])])
    model.introduction.state.set(READY)
    shown = IN_CHINESE if language == CHINESE else ENGLISH
    model.shown.set(replace(shown, procedures=tuple(map(_not_installed, shown.procedures))))
    model.row.set(found)
    if refused:
        model.failures.set({INVOICES.id: _mismatch()})
    model.state.set(READY)
    return model


def update(language: str) -> StoreModel:
    """Return an update that asks for more than the installed version."""
    return gem(language, row=replace(_rows(language)[0], standing="update", installed="2.0.0", asks_more=True))


def _not_installed(one: Procedure) -> Procedure:
    """What its code calls is known once the package is here."""
    return replace(one, tools=(), agents=(), services=())


def prompts(language: str) -> StoreModel:
    """Return its prompts."""
    model = gem(language)
    model.introduction.tab.set(DocumentKind.PROMPT)
    model.introduction.chapters.reset(PROMPTS[language if language in PROMPTS else "en"])
    return model


def hostile(language: str) -> StoreModel:
    """Return a gem with texts as long and as wild as a list may hold them, without words."""
    wild = "<b>1</b> & [2](3) " + "4" * 500
    return gem(language, row=replace(INVOICES, name="<b>5</b> " + "6" * 60, description=wild, publisher="7" * 64))


def _rows(language: str) -> tuple[StoreRow, ...]:
    return CHINESE_ROWS if language == CHINESE else ROWS


def _mismatch() -> NotochordError:
    return NotochordError(Code.LISTING_MISMATCH, Fault.NETWORK, "another SHA-256")


async def _unsaid(_: str) -> None:
    """Prompts of a picture are said to nobody."""
