"""Home's view-model with sample data, in each of its states."""

from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.sentences import CHINESE
from notochord.services.approvals.api import Approvals
from notochord.services.gems.api import Dossiers, Gems
from notochord.services.settings.api import Settings
from notochord.viewmodels.gem.needs import SetupCheck
from notochord.viewmodels.home.model import GemRow, HomeModel, OfferedGem, Reading
from notochord.viewmodels.samples.doors import absent
from notochord.viewmodels.samples.shell import attention
from notochord.viewmodels.shell.attention import Attention
from notochord.viewmodels.shell.navigation import Navigation

GEMS = (
    GemRow(
        "invoices", "Invoices", "2.3.1", "Reads invoices from a folder and lists what is due.", "developer",
        pinned=True, needs_setup=True,
    ),
    GemRow("notes", "Meeting notes", "0.4.0", "Turns a transcript into notes.", "unsigned", "E_FILES_CHANGED"),
    GemRow(
        "sales-summary", "Sales summary", "1.0.0",
        "Makes a monthly summary of a CSV file: adds up the amounts of each month.",
    ),
    GemRow("weather", "Weather", "1.2.0", "Tells the weather where you are going.", update="1.3.0"),
)  # fmt: skip
CHINESE_GEMS = (
    GemRow(
        "invoices", "发票整理", "2.3.1", "读取一个文件夹里的发票，列出待付款项和付款日期。", "developer",
        pinned=True, needs_setup=True,
    ),
    GemRow("notes", "会议纪要", "0.4.0", "把录音文字整理成会议纪要。", "unsigned", "E_FILES_CHANGED"),
    GemRow("sales-summary", "销售汇总", "1.0.0", "为 CSV 文件制作月度汇总：把每个月的金额加起来，写进一份报告。"),
    GemRow("weather", "天气", "1.2.0", "告诉你要去的地方天气怎么样。", update="1.3.0"),
)  # fmt: skip
SALES = 2


def home(
    language: str, *, navigation: Navigation | None = None, watched: Attention | None = None, waits: bool = True,
    gems: bool = True, reading: Reading = Reading.DONE,
) -> HomeModel:  # fmt: skip
    """Return Home as it looks in this state; FAILED tells of a store that cannot be read."""
    navigation = navigation or Navigation()
    model = HomeModel(
        gems=absent(Gems), dossiers=absent(Dossiers), check=absent(SetupCheck), settings=absent(Settings),
        approvals=absent(Approvals), events=EventBus(),
        attention=watched or attention(navigation, language, waits=waits), navigation=navigation,
        has_store=True,
    )  # fmt: skip
    if gems:
        model.gems.reset(CHINESE_GEMS if language == CHINESE else GEMS)
    elif reading is Reading.DONE:
        model.offered.reset(
            [OfferedGem((CHINESE_GEMS if language == CHINESE else GEMS)[SALES], Path("sales-summary.gem"))]
        )
    if reading is Reading.FAILED:
        model.failure.set(NotochordError(Code.DISK_IO, Fault.SYSTEM, "input/output error", path="main.db"))
    model.reading.set(reading)
    return model
