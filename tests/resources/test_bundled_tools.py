"""The bundled gems as they are shipped, installed for real: real guests, files, extraction and gateway."""

import json
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Cause
from notochord.core.errors import NotochordError
from notochord.core.paths import shipped
from notochord.services.gems.signatures import TrustedKeys
from support.egress import PUBLIC, Answer, OneSecretVault, RecordingSender, bench
from support.extraction import docx, paragraph, pdf
from support.file_services import Workshop
from support.gems import Platform, platform
from support.guests import real_sandbox
from support.scripted_models import say
from support.workshops import checked_draft

GEMS = shipped("resources") / "gems"
NAMES = ["github-issues", "paperwork", "sales-summary"]
SECRET = "ghp-canary"
LIMITED = (("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1796083200"))


@pytest.mark.parametrize("name", NAMES)
async def test_the_draft_of_a_bundled_gem_is_sound_and_its_own_tests_pass(notochord: Platform, name: str) -> None:
    assert checked_draft(GEMS / name) == []
    outcomes = await notochord.service.test(GEMS / name)
    assert outcomes
    assert [one for one in outcomes if one.code] == []


async def test_documents_of_a_conversation_are_read_found_and_summed_up(
    notochord: Platform, workshop: Workshop
) -> None:
    await notochord.service.install(GEMS / "paperwork.gem")

    async def run(tool: str, **given: Any) -> Any:
        return await notochord.service.call("paperwork", tool, given, workshop.folder, Cause("talk"))

    assert (await run("read_papers"))["read"] == 0
    (workshop.folder / "bill.pdf").write_bytes(pdf(["Invoice of 120 EUR"]))
    (workshop.folder / "lease.docx").write_bytes(docx(paragraph("Notice period of three months")))
    (workshop.folder / "old.txt").write_bytes("Käufer: Weiß, bezahlt am Freitag".encode("latin-1"))
    (workshop.folder / "scan.pdf").write_bytes(pdf([""]))
    with (workshop.folder / "huge.pdf").open("wb") as file:
        file.truncate(51 * 1024 * 1024)
    result = await run("read_papers")
    assert result["read"] == 3
    reasons = {one["file"]: one["reason"] for one in result["failed"]}
    assert reasons.keys() == {"scan.pdf", "huge.pdf"}
    assert "scan" in reasons["scan.pdf"]
    assert "too large" in reasons["huge.pdf"]
    [found] = await run("find_papers", words="invoice 120")
    assert found["file"] == "bill.pdf"
    assert [one["file"] for one in await run("find_papers", words="käufer")] == ["old.txt"]
    notochord.models.scripts["gem"] = [say("Pay 120 EUR.")]
    assert (await run("sum_up_paper", paper=found["paper"]))["summary"] == "Pay 120 EUR."
    listed = (await run("list_papers"))["papers"]
    assert [one["summary"] for one in listed if one["paper"] == found["paper"]] == ["Pay 120 EUR."]
    await notochord.service.remove("paperwork")
    await notochord.service.install(GEMS / "paperwork.gem")
    assert (await run("list_papers"))["papers"] == []


async def test_issues_are_asked_for_with_the_account_whose_secret_no_answer_shows(tmp_path: Path) -> None:
    sender = RecordingSender()
    vault = OneSecretVault(SECRET, hosts=("api.github.com",))
    parts = await bench(sender, names={"api.github.com": [PUBLIC]}, vault=vault)
    async with (
        real_sandbox(tmp_path / "guests") as guests,
        platform(tmp_path / "org", keys=TrustedKeys(), guests=guests, gateway=parts.egress) as notochord,
    ):
        await notochord.service.install(GEMS / "github-issues.gem")

        async def run() -> Any:
            return await notochord.service.call("github-issues", "my_issues", {}, tmp_path, Cause())

        with pytest.raises(NotochordError, match="no GitHub account is chosen"):
            await run()
        assert sender.sent == []
        await notochord.service.choose_connection("github-issues", "github", "conn")
        issue = {"number": 1, "title": f"leak {SECRET}", "html_url": "https://github.com/o/n/issues/1"}
        sender.give(Answer(200, (), (json.dumps([issue]).encode(),)), Answer(403, LIMITED, (b"{}",)))
        found = await run()
        with pytest.raises(NotochordError, match="no more requests until 2026-12-01"):
            await run()
    await parts.egress.close()
    assert ("Authorization", f"Bearer {SECRET}") in sender.sent[0].headers
    assert [one["issue"] for one in found["issues"]] == ["o/n#1"]
    assert SECRET not in str(found)
