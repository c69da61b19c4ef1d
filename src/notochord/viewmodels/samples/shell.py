"""The shell's view-models with sample data."""

from collections.abc import Sequence

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.sentences import CHINESE, Sentences
from notochord.services.approvals.api import Approvals
from notochord.services.chat.api import Chats
from notochord.services.settings.api import Settings
from notochord.viewmodels.samples.doors import absent
from notochord.viewmodels.shell.attention import Attention, Running, Waiting, WaitsFor
from notochord.viewmodels.shell.chat_entry import ChatEntry
from notochord.viewmodels.shell.frame import Frames
from notochord.viewmodels.shell.matching import match
from notochord.viewmodels.shell.navigation import Navigation
from notochord.viewmodels.shell.notices import NoticeKind, Notices
from notochord.viewmodels.shell.palette import FoundItem, Palette, PaletteItem, PaletteKind
from notochord.viewmodels.shell.text_size import TextSize

TITLES = {
    "en": (
        "Sales of the first quarter",
        "Letter to the landlord",
        "Which bicycle for the hills?",
        "Holiday in the Alps",
    ),
    CHINESE: ("第一季度的销售汇总", "给房东写一封信", "山路骑行该选哪种自行车？", "阿尔卑斯山的假期"),
}
GEMS = {
    "en": (("Sales summary", "Adds up sales by month"), ("Invoices", "Reads invoices and lists what is due")),
    CHINESE: (("销售汇总", "按月汇总销售额"), ("发票整理", "读取发票，列出待付款项")),
}


MESSAGES = {
    "en": "…the board saw the sales of March, a third more than in January",
    CHINESE: "…SAP 报表里三月的销售额比一月多三分之一，已发给董事会",
}


class NoFile:
    """A place for a window's frame that keeps nothing."""

    def read(self) -> bytes:
        return b""

    def write(self, content: bytes) -> None:
        """Forget it."""


class _Fixed:
    def __init__(self, items: Sequence[PaletteItem]) -> None:
        self._items = items

    async def items(self) -> Sequence[PaletteItem]:
        return self._items


def frames() -> Frames:
    return Frames(NoFile())


def attention(navigation: Navigation, language: str, *, waits: bool = True) -> Attention:
    """Return what waits: an approval, a plan and a failed answer; or nothing."""
    found = Attention(
        chats=absent(Chats), approvals=absent(Approvals), settings=absent(Settings), events=EventBus(),
        navigation=navigation, summon=lambda _: None,
    )  # fmt: skip
    if waits:
        titles = TITLES[language if language in TITLES else "en"]
        found.waiting.reset(
            [
                Waiting(WaitsFor.APPROVAL, "c1", titles[0], "sales-summary", "a1", at=1),
                Waiting(WaitsFor.PLAN, "c4", titles[3], "", "a2", at=2),
                Waiting(WaitsFor.FAILURE, "c2", titles[1], at=3),
            ]
        )
        found.running.reset([Running("c1", titles[0]), Running("c3", titles[2])])
    return found


def text_size() -> TextSize:
    return TextSize(settings=absent(Settings), opened=_at_once)


def chat_entry(navigation: Navigation) -> ChatEntry:
    return ChatEntry(chats=absent(Chats), navigation=navigation)


def palette(sentences: Sentences) -> Palette:
    """Return a palette with chats and gems."""
    language = sentences.language if sentences.language in TITLES else "en"
    items = [
        *(_item(PaletteKind.CHAT, title, icon="chat") for title in TITLES[language]),
        *(_item(PaletteKind.GEM, name, remark, icon="gem") for name, remark in GEMS[language]),
    ]
    return Palette([_Fixed(items)], items, texts=_FixedTexts(MESSAGES[language], TITLES[language][0]))


class _FixedTexts:
    """Finds one message."""

    def __init__(self, text: str, title: str) -> None:
        self._item = _item(PaletteKind.MESSAGE, text, title, icon="search")

    async def holding(self, words: str) -> Sequence[FoundItem]:
        found = match(words, self._item.title)
        return [FoundItem(self._item, found.places)] if found else []


def notices() -> Notices:
    """Return a failure and something that was done."""
    found = Notices()
    found.fail(
        NotochordError(Code.FOLDER_REFUSED, Fault.USER, "the home folder", folder="/home/lin", why="why.choice_home")
    )
    found.say("window.shell.saved", NoticeKind.SUCCESS)
    return found


def _item(kind: PaletteKind, title: str, remark: str = "", *, icon: str = "") -> PaletteItem:
    return PaletteItem(kind, title, lambda: None, remark, icon)


async def _at_once() -> None:
    return
