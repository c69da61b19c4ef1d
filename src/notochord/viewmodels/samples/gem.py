"""The page of a gem in each of its states, with sample data."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.sentences import CHINESE
from notochord.core.sentences import ENGLISH as IN_ENGLISH
from notochord.services.data.api import ChangeOverview, CollectionOverview, Overview
from notochord.services.gems.api import (
    DocumentKind,
    Dossiers,
    GemFailure,
    Gems,
    KnowledgeFolder,
    Mailbox,
    ModelNotice,
)
from notochord.services.models.api import Capabilities, Models
from notochord.services.settings.api import Settings
from notochord.services.vault.api import Vault
from notochord.viewmodels.gem.accounts import AccountOption, AccountRow
from notochord.viewmodels.gem.assistants import AssistantRow
from notochord.viewmodels.gem.data import Export
from notochord.viewmodels.gem.introduction import Chapter
from notochord.viewmodels.gem.model import GemModel
from notochord.viewmodels.gem.needs import Need, NeedKind
from notochord.viewmodels.gem.place import GemPlace, View
from notochord.viewmodels.gem.shown import ExtraFile, GemShown, Item, KnowledgeSwitch
from notochord.viewmodels.samples.chat import StillClock
from notochord.viewmodels.samples.doors import absent
from notochord.viewmodels.samples.procedures import of_each_kind, of_invoices, too_much
from notochord.viewmodels.settings.agents import AgentOptions
from notochord.viewmodels.settings.choices import ModelOption, RoleOption
from notochord.viewmodels.settings.pane import READY, Pane, PaneState
from notochord.viewmodels.shell.navigation import Navigation, Page, Place

NOW = 1_764_493_200_000
GEM = "invoices"
GPT = ModelOption("OpenAI", "gpt-5", False, Capabilities(vision=True))
LOCAL = ModelOption("Local", "SmolLM2-135M-Instruct", True, Capabilities())
FOOD = "facts.read:self:pref.food.*"
PEOPLE = "entities.resolve:person"
DIARY = "collections.write:diary"
ENGLISH = GemShown(
    GEM, "Invoices", "2.3.1", "Reads invoices from a folder, asks the bank what was paid, and lists what is due.",
    "example.finance", "developer",
    hosts=("api.bank.example.com", "rates.example.org"), network_reason="To ask which invoices were paid.",
    uses_model=True, reads_mail=True,
    knowledge=(
        KnowledgeSwitch(FOOD, "facts.read", "self", "pref.food.*", True),
        KnowledgeSwitch(PEOPLE, "entities.resolve", "person", "", False),
        KnowledgeSwitch(DIARY, "collections.write", "diary", "", False),
    ),
    knowledge_reason="To know who an invoice is from.",
    introduced=(("finance.invoices.reminder", "How many days before an invoice is due you want to be told."),),
    works_alone=True, working_folder="/home/anna/Documents/Invoices",
    procedures=of_invoices(IN_ENGLISH),
    tools=(
        Item("read_invoice", "Read one invoice and return who is paid, how much and when.", True),
        Item("remember", "Keep what was read.", False),
    ),
    agents=(Item("reader", "Reads scanned invoices.", True),), platform_tools=("fs.cat", "fs.list"),
    files=(
        ExtraFile("Names and addresses of banks", 4_194_304, ("files.example.org", "mirror.example.net"), False),
        ExtraFile("A model that reads scans", 96_468_992, ("models.example.com",), True),
    ),
    has_skill=True, references=2, pages=(("due", "Due"),),
    failures=(GemFailure("read_invoice", "E_TOOL_FAILED", 12, NOW), GemFailure("remember", "E_TIMEOUT", 1, NOW)),
    has_introduction=True,
)  # fmt: skip
IN_CHINESE = replace(
    ENGLISH,
    name="发票整理",
    description="读取一个文件夹里的发票，向银行查询已付款项，列出待付款项和付款日期。",
    network_reason="查询哪些发票已经付款。",
    knowledge_reason="知道发票是谁寄来的。",
    introduced=(("finance.invoices.reminder", "希望在付款日之前几天收到提醒。"),),
    working_folder="/home/anna/文档/发票",
    procedures=of_invoices(CHINESE),
    tools=(
        Item("read_invoice", "读取一张发票，返回收款方、金额和付款日期。", True),
        Item("remember", "保存读取的内容。", False),
    ),
    agents=(Item("reader", "读取扫描的发票。", True),),
    files=(
        ExtraFile("各家银行的名称和地址", 4_194_304, ("files.example.org", "mirror.example.net"), False),
        ExtraFile("读取扫描件的模型", 96_468_992, ("models.example.com",), True),
    ),
    pages=(("due", "待付"),),
)
NEEDS = (
    Need(NeedKind.MODEL, "reader"),
    Need(NeedKind.ACCOUNT, "bank"),
    Need(NeedKind.MAILBOX),
)
SIMPLE = GemShown(
    "sales-summary", "Sales summary", "1.0.0",
    "Makes a monthly summary of a CSV file: adds up the amounts of each month.", "notochord", "official",
    tools=(Item("monthly_summary", "Make a monthly summary of a CSV file, written to a report.", True),),
)  # fmt: skip
README = {
    "en": """# Invoices

Put your invoices into a folder and ask for what is due.

| What | How |
| --- | --- |
| One invoice | *Read rent.pdf* |
| All of a month | *What is due in March?* |

1. Choose an account of your bank on the page of this gem.
2. Allow the mailboxes that it may read.

More at [the maker's site](https://finance.example.com/invoices).
""",
    CHINESE: """# 发票整理

把发票放进一个文件夹，然后问哪些需要付款。

| 做什么 | 怎么问 |
| --- | --- |
| 一张发票 | *读一下 rent.pdf* |
| 一个月的全部发票 | *三月份要付哪些款？* |

1. 在这个 gem 的页面上选择银行账号。
2. 打开它能读的邮箱。

更多内容见[作者的网站](https://finance.example.com/invoices)。
""",
}


def gem(language: str, *, view: View = View.MAIN, shown: GemShown | None = None) -> GemModel:
    """Return the page of a gem with everything; `shown` takes the place of what is shown of it."""
    found = shown or (IN_CHINESE if language == CHINESE else ENGLISH)
    model = bare(language, GemPlace(found.id, view))
    model.shown.set(found)
    model.state.set(READY)
    return model


def full(language: str) -> GemModel:
    """Return a gem that asks for everything, and has a part of it."""
    model = gem(language)
    roles = (RoleOption("chat", GPT), RoleOption("vision", None), RoleOption("local", LOCAL))
    model.assistants.options.set(AgentOptions(roles, (GPT, LOCAL)))
    model.assistants.own_calls.set(GPT)
    model.assistants.rows.reset(
        [AssistantRow("reader", "local", LOCAL, ("image_input", "audio_input"), ModelNotice.LACKS)]
    )
    model.accounts.hosts = ENGLISH.hosts
    model.accounts.options.set(
        (
            AccountOption("a1", "Bank", ("api.bank.example.com",), True),
            AccountOption("a2", "GitHub", ("api.github.com",), False),
        )
    )
    why = "查询哪些发票已经付款。" if language == CHINESE else "To ask which invoices were paid."
    rates = "查询汇率。" if language == CHINESE else "To ask for exchange rates."
    model.accounts.rows.reset([AccountRow("bank", why), AccountRow("rates", rates, "a2")])
    model.mailboxes.set((Mailbox("m1", "anna@example.com"), Mailbox("m2", "office@example.com")))
    model.needs.reset(NEEDS)
    return model


def with_folders(language: str) -> GemModel:
    """Return a gem whose user chooses folders of the knowledge base."""
    chinese = language == CHINESE
    names = ("工作", "合同", "2026", "家里") if chinese else ("Work", "Contracts", "2026", "Home")
    asks = KnowledgeSwitch(
        "collections.read:user-selected", "collections.read", "user-selected", "", True, frozenset({"f2"})
    )
    model = gem(language, shown=replace(SIMPLE, knowledge=(asks,)))
    parents = ("", "f1", "f2", "")
    model.folders.set(tuple(KnowledgeFolder(f"f{at}", name, parents[at - 1]) for at, name in enumerate(names, start=1)))
    return model


def without_folders(language: str) -> GemModel:
    """Return a gem that asks for folders where there is no knowledge base."""
    asks = KnowledgeSwitch("collections.read:user-selected", "collections.read", "user-selected", "", False)
    model = gem(language, shown=replace(SIMPLE, knowledge=(asks,)))
    model.needs.reset([Need(NeedKind.KNOWLEDGE)])
    return model


def later(language: str) -> GemModel:
    """Return a gem that has a later version."""
    model = gem(language, shown=SIMPLE)
    model.update.set("1.4.0")
    return model


def simple(language: str) -> GemModel:
    """Return a gem that asks for nothing."""
    return gem(language, shown=SIMPLE)


def procedures(language: str) -> GemModel:
    """Return a gem with an SOP of each kind."""
    model = gem(language, shown=replace(SIMPLE, reads_mail=True, works_alone=True, procedures=of_each_kind(language)))
    model.mailboxes.set((Mailbox("m1", "anna@example.com"),))
    return model


def tampered(language: str) -> GemModel:
    """Return a gem that was stopped because its files changed."""
    return gem(
        language, shown=replace(SIMPLE, problem=Code.FILES_CHANGED.value, changed_file="tools/monthly_summary.ts")
    )


def failed(language: str) -> GemModel:
    """Return a page whose gem is not there any more."""
    model = bare(language, GemPlace(GEM))
    model.state.set(PaneState(Pane.FAILED, NotochordError(Code.GEM_UNKNOWN, Fault.USER, "gone", gem=GEM)))
    return model


def hostile(language: str) -> GemModel:
    """Return a gem that writes as much as it may of everything."""
    words = f"{'1234567890' * 6} " * 10
    shown = GemShown(
        "hostile", "8" * 80, "1.0.0-0.1234567890123456789", words[:300] + "7" * 300, "9" * 80, "unknown_key",
        hosts=tuple(f"{'0' * 52}{at}.{'0' * 60}.example.com" for at in range(20)),
        network_reason=words[:500], local_network=True, knowledge=(
            KnowledgeSwitch("0.1:2", "0.1", "6" * 80, "5" * 240, False),
            KnowledgeSwitch("f", "facts.read", "self", "5" * 240, False),
        ),
        knowledge_reason=words[:500], introduced=(("finance." + "2" * 200, words[:600]),),
        platform_tools=tuple(f"fs.{'0' * 60}{at}" for at in range(9)),
        files=tuple(ExtraFile(words[:500], 2**40, (f"{'0' * 52}{at}.example.com",) * 17, True) for at in range(4)),
        tools=tuple(Item(f"tool_{'0' * 50}{at}", words[:600], at % 2 == 0) for at in range(12)),
        works_alone=True, working_folder=f"/home/{'3' * 250}/{'4' * 250}",
        procedures=too_much(words), failures=(GemFailure("4" * 64, "E_SOMETHING_NEW", 1_000_000, NOW),),
    )  # fmt: skip
    model = gem(language, shown=shown)
    model.accounts.rows.reset([AccountRow("slot" + "0" * 60, words[:500], "", True)])
    model.needs.reset([Need(NeedKind.ACCOUNT, "slot" + "0" * 60), Need(NeedKind.KNOWLEDGE)])
    model.folder_lost.set(True)
    return model


def data(language: str, *, collections: int = 3, export: Export | None = None) -> GemModel:
    """Return the data of a gem with so many collections."""
    model = gem(language, view=View.DATA)
    names = (
        "invoices",
        "payments",
        "events",
        *(f"collectionwithaverylongnamethatnobodywouldtype_{at}" for at in range(61)),
    )
    found = [
        CollectionOverview(
            name, "table" if at != 2 else "log", 1, at != 1, 17 * 4**at % 9_991, 2_048 + 90 * 3**at % 99_991
        )
        for at, name in enumerate(names[:collections])
    ]
    model.data.gem = GEM
    model.data.overview.set(Overview(tuple(found), 4, 12, 5_300_000, 2, 7_900_000, _changes() if collections else ()))
    model.data.state.set(READY)
    model.data.export.set(export)
    return model


def exporting(language: str) -> GemModel:
    """Return the data of a gem while a collection is written."""
    return data(language, export=Export("payments", Path("/home/anna/payments.jsonl"), 21, 68))


def exported(language: str) -> GemModel:
    """Return the data of a gem after a collection was written."""
    return data(language, export=Export("payments", Path("/home/anna/payments.jsonl"), 68, 68, done=True))


def introduction(language: str, *, tab: DocumentKind = DocumentKind.README) -> GemModel:
    """Return the introduction of a gem in two languages."""
    model = gem(language, view=View.INTRODUCTION)
    model.introduction.gem = GEM
    model.introduction.languages.reset(["en", "zh-CN"])
    model.introduction.tabs.reset(list(DocumentKind))
    model.introduction.language.set("zh-CN" if language == CHINESE else "en")
    model.introduction.tab.set(tab)
    chapters: Sequence[Chapter] = (Chapter("", README.get(language, README["en"])),)
    if tab is DocumentKind.PROMPT:
        chapters = (
            Chapter("this-month", "```\nWhat is due this month?\n```\n\nLists every open invoice with its date."),
            Chapter("rent", "```\nHas the rent been paid?\n```\n\nAsks the bank for one invoice."),
        )
    model.introduction.chapters.reset(chapters)
    model.introduction.state.set(READY)
    return model


def bare(language: str, place: GemPlace) -> GemModel:
    """Return a page that has read nothing yet."""
    model = GemModel(
        gems=absent(Gems), dossiers=absent(Dossiers), models=absent(Models),
        settings=absent(Settings), vault=absent(Vault), events=EventBus(),
        navigation=Navigation(Place(Page.GEM, place.subject)), clock=StillClock(), language=language,
    )  # fmt: skip
    model.place.set(place)
    return model


def _changes() -> tuple[ChangeOverview, ...]:
    return (
        ChangeOverview(NOW - 60_000, "gem", GEM, "invoices", "01m8ntxdm0sm3jsp5ydyfp42e2", "added"),
        ChangeOverview(NOW - 900_000, "gem", GEM, "payments", "01m8ntxdm0sm3jsp5ydyfp42e1", "changed"),
        ChangeOverview(NOW - 90_000_000, "user", "", "invoices", "01m8ntxdm0sm3jsp5ydyfp42a9", "deleted"),
    )
