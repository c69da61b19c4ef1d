"""What a child does wrong does no harm: it is told of, and the next order meets a new child."""

import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from notochord.adapters.children import frames
from notochord.adapters.local_models.gguf import ModelFile
from notochord.adapters.local_models.worker import Worker
from notochord.core.codes import Code
from notochord.core.errors import NotochordError

PRELUDE = """
import json, os, signal, struct, sys, time
def send(frame):
    content = json.dumps(frame).encode()
    sys.stdout.buffer.write(struct.pack(">I", len(content)) + content)
    sys.stdout.buffer.flush()
def take():
    return json.loads(sys.stdin.buffer.read(struct.unpack(">I", sys.stdin.buffer.read(4))[0]))
take()
send({"is": "ready"})
take()
"""
DONE = {"is": "done", "finish": "stop", "input": 1, "output": 1, "moves": 0, "call": None}


@pytest.fixture
async def worker(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Worker]:
    """A worker whose child does what the test's `child` mark says after its first order."""
    script = PRELUDE + request.param
    made = Worker(ModelFile(tmp_path / "m.gguf", 1, "llama", 8), (sys.executable, "-I", "-S", "-c", script))
    yield made
    await made.close()


def child(script: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("worker", [script], indirect=True, ids=[""])


async def failure(worker: Worker) -> NotochordError:
    with pytest.raises(NotochordError) as caught:
        await drain(worker)
    return caught.value


async def drain(worker: Worker) -> list[frames.Frame]:
    return [frame async for frame in worker.write({"do": "write"})]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@child("os.kill(os.getpid(), signal.SIGILL)")
async def test_a_processor_without_the_needed_instructions_is_named_as_the_cause(worker: Worker) -> None:
    """Known fault S2."""
    found = await failure(worker)
    assert found.code is Code.MODEL_CRASHED
    assert "processor lacks instructions" in str(found.parameters["reason"])


@child("sys.stdout.buffer.write(b'\\xff\\xff\\xff\\xff' + b'x' * 100); sys.stdout.buffer.flush(); time.sleep(60)")
async def test_a_frame_of_four_gigabytes_is_not_read(worker: Worker) -> None:
    assert (await failure(worker)).code is Code.MODEL_CRASHED
    assert worker.process_id is None


@child("sys.stdout.buffer.write(struct.pack('>I', 3) + b'{]}'); sys.stdout.buffer.flush(); time.sleep(60)")
async def test_a_frame_that_is_no_json_ends_the_child(worker: Worker) -> None:
    assert (await failure(worker)).code is Code.MODEL_CRASHED


@child("send({'is': 'text', 'text': 'a'}); time.sleep(60)")
async def test_a_child_that_does_not_stop_is_ended(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("notochord.adapters.local_models.worker.SETTLE_SECONDS", 0.1)
    async with aclosing(worker.write({"do": "write"})) as answers:
        first = worker.process_id
        assert (await anext(answers))["is"] == "text"
    async with aclosing(worker.write({"do": "write"})) as answers:
        assert (await anext(answers))["is"] == "text"
        assert worker.process_id != first


@child(f"send({DONE!r}); take(); send({DONE!r})")
async def test_one_child_serves_one_order_after_the_other(worker: Worker) -> None:
    await drain(worker)
    first = worker.process_id
    await drain(worker)
    assert worker.process_id == first


@child(f"send({DONE!r}); time.sleep(60)")
async def test_an_order_larger_than_any_model_reads_is_refused_and_the_next_is_answered(worker: Worker) -> None:
    with pytest.raises(NotochordError) as caught:
        async for _ in worker.write({"do": "write", "system": "x" * (frames.LARGEST + 1)}):
            pass
    assert caught.value.code is Code.MODEL_CONTEXT_LENGTH
    assert not worker.busy
    assert (await drain(worker))[-1]["is"] == "done"
