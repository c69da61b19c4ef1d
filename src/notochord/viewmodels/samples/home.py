"""Home's view-model with sample data, in each of its states."""

from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.sentences import CHINESE
from notochord.services.approvals.api import Approvals
from notochord.services.gems.api import Gems
from notochord.viewmodels.home.model import GemRow, HomeModel, OfferedGem, Reading, ToolLine
from notochord.viewmodels.samples.doors import absent
from notochord.viewmodels.samples.shell import attention
from notochord.viewmodels.shell.attention import Attention
from notochord.viewmodels.shell.navigation import Navigation

GEMS = (
    GemRow(
        "sales-summary", "Sales summary", "1.0.0",
        "Makes a monthly summary of a CSV file: adds up the amounts of each month.", "",
        (ToolLine("monthly_summary", "Make a monthly summary of a CSV file, written to a report.", True),), (), "",
    ),
    GemRow(
        "invoices", "Invoices", "2.3.1", "Reads invoices from a folder and lists what is due.", "developer",
        (
            ToolLine("read_invoice", "Read one invoice and return who is paid, how much and when.", True),
            ToolLine("remember", "Keep what was read.", False),
        ),
        ("api.example.com", "*.bank.example.com"), "",
    ),
    GemRow("notes", "Meeting notes", "0.4.0", "Turns a transcript into notes.", "unsigned", (), (), "E_FILES_CHANGED"),
)  # fmt: skip
CHINESE_GEMS = (
    GemRow(
        "sales-summary", "销售汇总", "1.0.0", "为 CSV 文件制作月度汇总：把每个月的金额加起来，写进一份报告。", "",
        (ToolLine("monthly_summary", "为 CSV 文件制作月度汇总。", True),), (), "",
    ),
    GemRow(
        "invoices", "发票整理", "2.3.1", "读取一个文件夹里的发票，列出待付款项和付款日期。", "developer",
        (
            ToolLine("read_invoice", "读取一张发票，返回收款方、金额和付款日期。", True),
            ToolLine("remember", "保存读取的内容。", False),
        ),
        ("api.example.com", "*.bank.example.com"), "",
    ),
    GemRow("notes", "会议纪要", "0.4.0", "把录音文字整理成会议纪要。", "unsigned", (), (), "E_FILES_CHANGED"),
)  # fmt: skip


def home(
    language: str, *, navigation: Navigation | None = None, watched: Attention | None = None, waits: bool = True,
    gems: bool = True, reading: Reading = Reading.DONE,
) -> HomeModel:  # fmt: skip
    """Return Home as it looks in this state; FAILED tells of a store that cannot be read."""
    navigation = navigation or Navigation()
    model = HomeModel(
        gems=absent(Gems), approvals=absent(Approvals), events=EventBus(),
        attention=watched or attention(navigation, language, waits=waits), navigation=navigation,
    )  # fmt: skip
    if gems:
        model.gems.reset(CHINESE_GEMS if language == CHINESE else GEMS)
    elif reading is Reading.DONE:
        model.offered.reset([OfferedGem((CHINESE_GEMS if language == CHINESE else GEMS)[0], Path("sales-summary.gem"))])
    if reading is Reading.FAILED:
        model.failure.set(NotochordError(Code.DISK_IO, Fault.SYSTEM, "input/output error", path="main.db"))
    model.reading.set(reading)
    return model
