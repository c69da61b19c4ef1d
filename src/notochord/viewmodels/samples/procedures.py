"""SOPs of sample gems: those of the invoices, and one of each kind."""

from notochord.core.sentences import CHINESE
from notochord.viewmodels.gem.procedures import Procedure, When

WEEKLY = When("weekly", "08:00", weekday=1, as_written="0 8 * * 1")
MAIL = When("mail", as_written="email.onNewMessage")
SERVICES = ("storage.kv.get", "storage.kv.set", "storage.sql.query", "wait.approval", "wait.sleep")
TEXTS = (
    "Closes a month: counts, asks you, and keeps the result.",
    "Sums up the new mail of the morning.",
    "Looks whether a payment has arrived.",
    "Keeps the invoices of a mail.",
    "Compares the books in the middle of a month.",
)
CHINESE_TEXTS = (
    "月结：统计、请你确认、保存结果。",
    "汇总早上的新邮件。",
    "查看款项是否到账。",
    "保存邮件里的发票。",
    "月中核对账目。",
)


def of_invoices(language: str) -> tuple[Procedure, ...]:
    """Return the two of the sample gem."""
    due, kept = "Writes what is due this week.", "Keeps the invoices of a mail."
    if language == CHINESE:
        due, kept = "写出本周到期的款项。", "保存邮件里的发票。"
    return (
        Procedure("remind", due, WEEKLY, ("read_invoice",), (), ("storage.kv.get",)),
        Procedure("take_in", kept, MAIL, ("remember",), ("reader",), ("wait.approval",)),
    )


def of_each_kind(language: str) -> tuple[Procedure, ...]:
    """Return one for each way to start and each service of the platform."""
    whens = (
        When("manual"), When("daily", "07:30"), When("minutes", number=15), MAIL,
        When("cron", as_written="0 9-17/2 1,15 * *"),
    )  # fmt: skip
    texts = CHINESE_TEXTS if language == CHINESE else TEXTS
    return tuple(
        Procedure(f"step_{at}", text, when, ("count", "remember")[: at % 3], ("reader",)[: at % 2], SERVICES[:at])
        for at, (text, when) in enumerate(zip(texts, whens, strict=True))
    )


def too_much(words: str) -> tuple[Procedure, ...]:
    """Return one that writes and calls as much as it may."""
    many = tuple(f"tool_{'0' * 50}{at}" for at in range(40))
    when = When("cron", as_written=",".join(map(str, range(59))) + " * * * *")
    return (Procedure("9" * 64, words[:600], when, many, many, SERVICES),)
