"""What the clients of providers may tell the log: nothing of a conversation, whatever the environment says."""

import subprocess
import sys

LOADED = """
import asyncio, logging
from notochord.adapters.providers.libraries import Libraries
from notochord.services.models.ports import ProviderKind
for kind in (ProviderKind.OPENAI, ProviderKind.ANTHROPIC):
    asyncio.run(Libraries().load(kind))
print([name for name in ("openai", "anthropic", "httpx2") if logging.getLogger(name).isEnabledFor(logging.INFO)])
"""
CONTROL = """
import logging, openai, anthropic
print([name for name in ("openai", "anthropic", "httpx2") if logging.getLogger(name).isEnabledFor(logging.DEBUG)])
"""
ENVIRONMENT = {"PYTHONPATH": "src", "LANG": "C.UTF-8", "OPENAI_LOG": "debug", "ANTHROPIC_LOG": "debug"}


def told(program: str) -> str:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=True).stdout.strip()


def test_the_environment_makes_no_client_log_what_it_sends() -> None:
    assert told(LOADED) == "[]"


def test_control_left_alone_the_clients_do_as_the_environment_says() -> None:
    assert told(CONTROL) == "['openai', 'anthropic', 'httpx2']"
