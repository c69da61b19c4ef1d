"""A models service and the two strict servers."""

from collections.abc import AsyncIterator
from pathlib import Path

import anthropic as _anthropic
import openai as _openai
import pytest

from support.models import ModelsBench, models_bench
from support.strict_servers import AnthropicServer, OpenAiServer

LOADED_BEFORE_THE_COLLECTOR_FREEZES = (_anthropic, _openai)
"""Else each later test pays for a collection of their many objects."""


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[ModelsBench]:
    async with models_bench(tmp_path) as made:
        yield made


@pytest.fixture
async def openai() -> AsyncIterator[OpenAiServer]:
    async with OpenAiServer() as server:
        yield server
    assert server.refusals == []


@pytest.fixture
async def anthropic() -> AsyncIterator[AnthropicServer]:
    async with AnthropicServer() as server:
        yield server
    assert server.refusals == []
