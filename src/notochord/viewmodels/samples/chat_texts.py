"""What people and models say in the chat page's samples."""

from dataclasses import dataclass

from notochord.core.sentences import CHINESE


@dataclass(frozen=True, slots=True)
class Texts:
    """One language's texts."""

    title: str
    question: str
    reasoning: str
    answer: str
    short: str
    working: str
    plan_question: str
    plan: str
    remark: str
    summary: str
    half: str
    next_one: str
    next_two: str
    file: str
    titles: tuple[str, ...]
    experts: tuple[str, ...]
    tools: tuple[tuple[str, str], ...]


CODE = '''```python
from pathlib import Path

def totals(file: Path) -> dict[str, float]:
    """Return the sum of each month."""
    found: dict[str, float] = {}
    for line in file.read_text().splitlines()[1:]:
        month, _, amount = line.split(",")
        found[month] = found.get(month, 0.0) + float(amount)
    return found
```'''

ENGLISH = Texts(
    title="Sales of the first quarter",
    question="What did we sell in the first quarter, and which month stands out? The figures are in the file.",
    reasoning="The file has three columns. I should add up the amounts by month and compare them.",
    answer=(
        "**March stands out**: a third more than January. In short:\n\n"
        "1. January was as last year.\n2. February fell by 4 %.\n"
        "3. March rose by **33 %**, nearly all of it in the north.\n\n"
        "| Month | North | South | Total |\n|---|--:|--:|--:|\n"
        "| January | 1,200 | 800 | 2,000 |\n| February | 1,100 | 820 | 1,920 |\n| March | 1,750 | 910 | 2,660 |\n\n"
        f"This is how I added it up:\n\n{CODE}\n\n> Two rows without an amount were left out."
    ),
    short="March: 2,660, a third more than January.",
    working="I read the file and add up its months.",
    plan_question="Tidy up the folder with last year's invoices.",
    plan=(
        "1. List the 214 files and read the date of each invoice.\n"
        "2. Make a folder for each month, 2025-01 to 2025-12.\n"
        "3. Move every invoice into its month; nothing is renamed or deleted.\n"
        "4. Write a list of the files whose date could not be read."
    ),
    remark="Please leave the folder “open” as it is.",
    summary="The user compares quarters of a sales file with three columns. January and February were looked at.",
    half="And how does that compare with",
    next_one="Then draw the three months as a table for the board.",
    next_two="And write two sentences about it.",
    file="Board meeting, notes and photographs.pdf",
    titles=(
        "Sales of the first quarter",
        "Letter to the landlord",
        "Which bicycle for the hills?",
        "Holiday in the Alps with three children and a dog that does not like trains",
        "Reading list on the history of writing",
        "",
    ),
    experts=(
        "Read the 214 invoices and list their dates",
        "Look up the exchange rates of March",
        "Check the totals by another way",
        "Translate the summary into French",
    ),
    tools=(
        ("agent.delegate", "Hand a self-contained part of the work to a sub-agent."),
        ("fs.cat", "Read a text file of the conversation's folder."),
        ("fs.write", "Write a text file in the conversation's folder."),
        ("gem.org.notochord.sales-summary.summarize", "Add up a sales file by month."),
        ("http.request", "Send a request to a host that the user allows."),
    ),
)

CHINESE_TEXTS = Texts(
    title="第一季度的销售汇总",
    question="第一季度我们卖了多少？哪个月最突出？数据在附件里。",
    reasoning="文件有三列。我应该按月份把金额加起来，再做比较。",
    answer=(
        "**三月最突出**，比一月多了三分之一。简单来说：\n\n"
        "1. 一月和去年持平。\n2. 二月下降了 4%。\n3. 三月上升了 **33%**，几乎全部来自北区。\n\n"
        "| 月份 | 北区 | 南区 | 合计 |\n|---|--:|--:|--:|\n"
        "| 一月 | 1,200 | 800 | 2,000 |\n| 二月 | 1,100 | 820 | 1,920 |\n| 三月 | 1,750 | 910 | 2,660 |\n\n"
        f"我是这样计算的：\n\n{CODE}\n\n> 有两行没有金额，没有计入。"
    ),
    short="三月合计 2,660，比一月多三分之一。",
    working="我先读取文件，再按月份汇总。",
    plan_question="整理一下存放去年发票的文件夹。",
    plan=(
        "1. 列出全部 214 个文件，读取每张发票的日期。\n"
        "2. 为每个月建一个文件夹，从 2025-01 到 2025-12。\n"
        "3. 把每张发票移到对应的月份，不改名，也不删除。\n"
        "4. 写一份清单，列出读不出日期的文件。"
    ),
    remark="“未结”这个文件夹请保持原样。",
    summary="用户在比较销售文件的各个季度。一月和二月已经看过；文件有三列。",
    half="那和去年同期相比",
    next_one="然后把这三个月做成一张给董事会看的表。",
    next_two="再写两句话说明一下。",
    file="董事会会议纪要和现场照片.pdf",
    titles=(
        "第一季度的销售汇总",
        "给房东写一封信",
        "山路骑行该选哪种自行车？",
        "带三个孩子和一只不喜欢坐火车的狗去阿尔卑斯山度假要怎么安排",
        "文字史的阅读书单",
        "",
    ),
    experts=("读取 214 张发票并列出日期", "查询三月的汇率", "换一种方法核对合计", "把摘要翻译成法语"),
    tools=(
        ("agent.delegate", "Hand a self-contained part of the work to a sub-agent."),
        ("fs.cat", "Read a text file of the conversation's folder."),
        ("fs.write", "Write a text file in the conversation's folder."),
        ("gem.org.notochord.sales-summary.summarize", "按月份汇总销售文件。"),
        ("http.request", "Send a request to a host that the user allows."),
    ),
)


def of(language: str) -> Texts:
    """Return the texts of a language."""
    return CHINESE_TEXTS if language == CHINESE else ENGLISH
