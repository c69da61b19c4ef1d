"""What the program brings along has a sentence in each language of the window."""

import json
from pathlib import Path

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.paths import shipped
from notochord.core.sentences import LANGUAGES, Sentences
from notochord.services.tools.api import Session
from support.whole import opened


def told(key: str) -> bool:
    return all(key in Sentences.load(language).texts for language in LANGUAGES)


async def test_every_tool_of_the_program_is_told_in_each_language(tmp_path: Path) -> None:
    async with opened(tmp_path / "home") as services:
        caller = Caller(Actor.AGENT, "chat", Cause("chat", "branch"))
        sessions = [Session(caller=caller, folder=tmp_path, plan_mode=planning) for planning in (False, True)]
        tools = {tool.name for session in sessions for tool in await services.tools.list(session)}
    assert {"fs.cat", "propose_plan"} <= tools
    assert not {name for name in tools if not told(f"window.brought.tool.{name}")}


def test_every_model_of_the_catalogue_and_every_bundled_gem_is_told_in_each_language() -> None:
    models = json.loads((shipped("resources") / "models" / "local.json").read_text())["models"]
    assert all(told(f"window.brought.model.{model['name']}") for model in models)
    for manifest in (shipped("resources") / "gems").glob("*/notochord.json"):
        identifier = json.loads(manifest.read_text())["id"]
        assert told(f"window.brought.gem.{identifier}")
        assert told(f"window.brought.gem.{identifier}.description")
