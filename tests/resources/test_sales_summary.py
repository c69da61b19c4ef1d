"""The sales summary: messy tables are summed exactly, and what cannot be read is told."""

import base64
import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from deno import find_deno_bin

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.paths import shipped
from notochord.services.tools.api import Session
from support.file_services import Workshop
from support.gems import Platform

HERE = Path(__file__).parent
PACKAGE = shipped("resources") / "gems" / "sales-summary.gem"


@dataclass(frozen=True)
class Case:
    """A table, what its months come to, which rows are left out, and how many doubts are told."""

    name: str
    content: str | bytes
    months: dict[str, str]
    skipped: list[str] = field(default_factory=list)
    notes: int = 0


JAN = {"2026-01": "15.50"}

CASES = [
    Case("comma and point", "date,amount\n2026-01-05,10.5\n2026-01-06,5\n", JAN),
    Case("semicolon and decimal comma", "Datum;Betrag\n05.01.2026;10,5\n06.01.2026;5\n", JAN),
    Case("tab", "date\tamount\n2026-01-05\t10.5\n2026-01-06\t5\n", JAN),
    Case("bar", "date|amount\n2026-01-05|10.5\n2026-01-06|5\n", JAN),
    Case("a hint of the delimiter", "sep=;\ndate;amount\n2026-01-05;10,5\n2026-01-06;5\n", JAN),
    Case("delimiters inside quotes", 'date;"amount, net, all";x\n2026-01-05;10,5;"a,b,c"\n2026-01-06;5;"d,e,f"\n', JAN),
    Case("quoted line breaks",
         'date,note,amount\n2026-01-05,"two\r\nlines ""and"" more",10.5\n2026-01-06,"\n\n",5\n', JAN),
    Case("a quote that is never closed", 'date,note,amount\n2026-01-05,a,10.5\n2026-01-06,"x,5\n', JAN),
    Case("a byte order mark", "\ufeffdate,amount\n2026-01-05,10.5\n2026-01-06,5\n", JAN),
    Case("utf-16 with a mark", "date,amount\n2026-01-05,10.5\n2026-01-06,5\n".encode("utf-16"), JAN),
    Case("utf-16 big-endian without a mark", "date,amount\n2026-01-05,10.5\n2026-01-06,5\n".encode("utf-16-be"), JAN),
    Case("latin-1", "Datum;Käufer;Betrag\n05.01.2026;Müller;10,5\n06.01.2026;Weiß;5\n".encode("latin-1"), JAN),
    Case("old line ends", "date,amount\r2026-01-05,10.5\r2026-01-06,5\r", JAN),
    Case("empty lines and no final line end", "\n\ndate,amount\n\n2026-01-05,10.5\n,\n2026-01-06,5", JAN),
    Case("points for thousands", "date;amount\n2026-01-05;1.234,50\n2026-01-06;1.000\n", {"2026-01": "2234.50"}),
    Case("commas for thousands", 'date,amount\n2026-01-05,"1,234.50"\n2026-01-06,"1,000"\n', {"2026-01": "2234.50"}),
    Case("millions", 'date,amount\n2026-01-05,"1,234,567"\n', {"2026-01": "1234567.00"}),
    Case("other marks for thousands", "date;amount\n2026-01-05;1 234,50\n2026-01-06;1\u202f000\n2026-01-07;2'000\n",
         {"2026-01": "4234.50"}),
    Case("nothing tells the decimal mark", 'date,amount\n2026-01-05,"1,234"\n', {"2026-01": "1234.00"}, notes=1),
    Case("a currency", "date;amount\n2026-01-05;€ 10,50\n2026-01-06;5 EUR\n", JAN),
    Case("negative amounts", "date,amount\n2026-01-05,20.5\n2026-01-06,(2.00)\n2026-01-07,3.00-\n2026-01-08,−1\n",
         {"2026-01": "14.50"}),
    Case("cents add up exactly", "date,amount\n" + "2026-01-05,0.1\n" * 3, {"2026-01": "0.30"}),
    Case("more digits than a float has", "date,amount\n2026-01-05,9007199254740993.01\n2026-01-06,0.01\n",
         {"2026-01": "9007199254740993.02"}),
    Case("months in order", "date,amount\n2026-03-01,3\n2025-12-31,1\n2026-01-01,2\n",
         {"2025-12": "1.00", "2026-01": "2.00", "2026-03": "3.00"}),
    Case("dates with points", "date;amount\n5.1.2026;10,5\n31.01.26;5\n", JAN),
    Case("years first with slashes", "date,amount\n2026/1/5,10.5\n2026/01/31,5\n", JAN),
    Case("days first with slashes", "date,amount\n05/01/2026,10.5\n31/01/2026,5\n", JAN),
    Case("months first with slashes", "date,amount\n01/05/2026,10.5\n01/31/2026,5\n", JAN),
    Case("nothing tells the order of the day", "date,amount\n01/05/2026,10.5\n01/06/2026,5\n", JAN, notes=1),
    Case("names of months", "date;amount\n5 Jan 2026;10,5\n6. Januar 2026;5\n", JAN),
    Case("times beside dates", "date,amount\n2026-01-05T10:00:00Z,10.5\n2026-01-06 23:59,5\n", JAN),
    Case("chinese", "日期,金额\n2026年1月5日,10.5\n2026年1月6日,5\n", JAN),
    Case("codes with leading zeros",
         'id,date,total,plz\n0010,2026-01-05,10.5,"007"\n0011,2026-01-06,5,021000021\n', JAN),
    Case("codes before amounts without a telling title", "no,when,x\n17,2026-01-05,10.5\n18,2026-01-06,5\n", JAN),
    Case("the better title wins", "date,price,quantity,amount\n2026-01-05,1,2,10.5\n2026-01-06,1,2,5\n", JAN),
    Case("lines above the header",
         "Export of 2026\nAll shops\n\ndate;shop;amount\n2026-01-05;A;10,5\n2026-01-06;B;5\n", JAN),
    Case("short rows", "date,amount\n2026-01-05,10.5\n2026-01-06\n2026-01-07,5\n", JAN, ["2 no amount: empty"]),
    Case("rows that cannot be read",
         "date,amount\n2026-01-05,10.5\n2026-02-30,7\nTotal,99\n2026-01-07,n/a\n2026-01-08,5\n",
         JAN, ['2 no date: "2026-02-30"', '3 no date: "Total"', '4 no amount: "n/a"']),
]  # fmt: skip

FAILURES = {
    "nothing": ("", "no table"),
    "a header alone": ("date,amount\n", "no table"),
    "no dates": ("name,amount\na,1\nb,2\n", "no column with dates"),
    "no amounts": ("date,name\n2026-01-05,a\n2026-01-06,b\n", "no column with amounts"),
}


def summarized(contents: list[str | bytes]) -> list[dict[str, Any]]:
    encoded = [content.encode() if isinstance(content, str) else content for content in contents]
    cases = json.dumps([base64.b64encode(content).decode() for content in encoded])
    command = [find_deno_bin(), "run", "--no-remote", "--no-config", "--quiet", str(HERE / "summarize_cases.ts")]
    found = subprocess.run(command, input=cases, capture_output=True, text=True, check=True, timeout=120)
    results: list[dict[str, Any]] = json.loads(found.stdout)
    return results


@pytest.fixture(scope="module")
def results() -> dict[str, dict[str, Any]]:
    """Summarize all tables in one process."""
    names = [case.name for case in CASES] + list(FAILURES)
    contents = [case.content for case in CASES] + [content for content, _ in FAILURES.values()]
    return dict(zip(names, summarized(contents), strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_messy_table_is_summed_by_month(results: dict[str, dict[str, Any]], case: Case) -> None:
    assert results[case.name] == {"months": case.months, "skipped": case.skipped, "notes": case.notes}


@pytest.mark.parametrize("name", FAILURES)
def test_a_file_without_such_a_table_is_told_apart(results: dict[str, dict[str, Any]], name: str) -> None:
    assert FAILURES[name][1] in results[name]["error"]


@pytest.fixture
async def notochord(notochord: Platform) -> Platform:
    """The shipped package, installed for real, with real guests and real files."""
    await notochord.service.install(PACKAGE)
    return notochord


MESSY = (
    "\ufeffOrder;Date;\"Customer, note\";Amount\r\n"
    '0010;05.01.2026;"Anna; said\r\n""hello""";1.234,50\r\n'
    "0011;6.1.2026;Bo;-34,5\r\n"
    "0012;01.02.2026;Cy;0,99\r\n"
)  # fmt: skip


@pytest.mark.req("GEM-016", "GEM-078", "PERM-080")
async def test_an_agent_opens_the_gem_and_its_tool_writes_the_report(notochord: Platform, workshop: Workshop) -> None:
    workshop.put("sales.csv", MESSY)
    session = Session(Caller(Actor.AGENT, "chat", Cause("talk")), workshop.folder)
    opened = await notochord.service.provider.run("read_skill", {"name": "sales-summary"}, session)
    assert "monthly_summary" in str(opened.value)
    name = "gem.sales-summary.monthly_summary"
    result: Any = (await notochord.service.provider.run(name, {"file": "sales.csv"}, session)).value
    assert result["output"] == {
        "report": "output/summary.md",
        "months": [
            {"month": "2026-01", "entries": 2, "total": 1200.0},
            {"month": "2026-02", "entries": 1, "total": 0.99},
        ],
        "total": 1200.99,
        "rows": 3,
        "skipped": 0,
        "notes": [],
    }
    report = workshop.text(f"{result['folder']}/output/summary.md")
    assert "| 2026-01 | 2 | 1200.00 |" in report
    assert "| 2026-02 | 1 | 0.99 |" in report
    assert workshop.text(f"{result['folder']}/output/summary.csv").splitlines()[1] == "2026-01,2,1200.00"


@pytest.mark.parametrize(
    "asked", ["workspace:Sales Q1.csv", "Sales Q1.csv", "./sales q1.CSV", "/Sales Q1", " Sales Q1.csv "]
)
async def test_the_file_is_found_as_people_and_models_write_its_name(
    notochord: Platform, workshop: Workshop, asked: str
) -> None:
    workshop.put("Sales Q1.csv", MESSY)
    result: Any = await notochord.service.call(
        "sales-summary", "monthly_summary", {"file": asked}, workshop.folder, Cause("talk")
    )
    assert result["output"]["total"] == 1200.99


async def test_a_file_that_is_not_there_is_told_with_those_that_are(notochord: Platform, workshop: Workshop) -> None:
    workshop.put("sales.csv", MESSY)
    for asked in ("costs.csv", "../org/main.db", "deep/er/x.csv", ""):
        with pytest.raises(NotochordError) as caught:
            await notochord.service.call(
                "sales-summary", "monthly_summary", {"file": asked}, workshop.folder, Cause("talk")
            )
        assert caught.value.code is Code.TOOL_FAILED
    assert not (workshop.folder / "runs").exists()
