"""The local-model child: reads orders from standard input, writes what happens to standard output."""

import os
import queue
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from notochord.adapters.children import frames
from notochord.adapters.local_models.confinement import confine
from notochord.adapters.local_models.engine import (
    USUAL_TEMPERATURE,
    Cancelled,
    Engine,
    LoadFailed,
    Order,
    Outcome,
    TooLong,
)

SECONDS_PER_FRAME = 0.03
_SMALLEST_STEP = 0.05


def main() -> int:
    """Run until standard input ends. Nothing but frames reaches standard output."""
    orders = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return Child(orders, answers).run()


class Child:
    """Keeps the reading of orders apart from the one thread that has the model."""

    def __init__(self, orders: BinaryIO, answers: Any) -> None:
        self._orders = orders
        self._answers = answers
        self._waiting: queue.SimpleQueue[frames.Frame] = queue.SimpleQueue()
        self._cancelled = threading.Event()

    def run(self) -> int:
        first = frames.read(self._orders)
        if first is None:
            return 0
        if not self._import_engine():
            return 1
        confine(Path(first["path"]))
        threading.Thread(target=self._listen, name="orders", daemon=True).start()
        engine = self._load(first)
        if engine is None:
            return 1
        while True:
            self._write(engine, self._waiting.get())

    def _import_engine(self) -> bool:
        """Load the libraries, which are trusted, before what is read gets no more than it needs."""
        os.environ.update(OPENBLAS_NUM_THREADS="1")  # numpy's own threads would stand outside of the confinement
        try:
            import_module("llama_cpp.llama_chat_format")
        except (ImportError, OSError, RuntimeError) as error:
            self._send({"is": "failed", "why": "missing", "detail": str(error)})
            return False
        return True

    def _listen(self) -> None:
        """Take orders; the end of the stream ends the process, whatever native code is doing."""
        try:
            while (order := frames.read(self._orders)) is not None:
                if order["do"] == "cancel":
                    self._cancelled.set()
                else:
                    self._cancelled.clear()
                    self._waiting.put(order)
        finally:
            os._exit(0)

    def _load(self, order: frames.Frame) -> Engine | None:
        told = 0.0

        def progress(share: float) -> None:
            nonlocal told
            if share - told >= _SMALLEST_STEP or share >= 1.0:
                told = share
                self._send({"is": "loading", "share": round(share, 3)})

        try:
            engine = Engine(order["path"], order["context"], progress)
        except LoadFailed as error:
            self._send({"is": "failed", "why": "damaged", "detail": str(error)})
        except MemoryError:
            self._send({"is": "failed", "why": "memory", "detail": "not enough memory for this model"})
        else:
            self._send({"is": "ready"})
            return engine
        return None

    def _write(self, engine: Engine, order: frames.Frame) -> None:
        text = _Batch(self)
        try:
            outcome = engine.write(_order(order), text.add, self._cancelled.is_set)
        except Cancelled:
            self._send({"is": "cancelled"})
        except TooLong as error:
            self._send({"is": "failed", "why": "context", "detail": str(error)})
        except Exception as error:  # a template or a grammar of the file's own that does not work
            self._send({"is": "failed", "why": "refused", "detail": f"{type(error).__name__}: {error}"[:500]})
        else:
            text.flush()
            self._send(_done(outcome))

    def _send(self, frame: frames.Frame) -> None:
        self._answers.write(frames.pack(frame))


class _Batch:
    """Sends the first text at once, then what has gathered every few hundredths of a second."""

    def __init__(self, child: Child) -> None:
        self._child = child
        self._texts: list[str] = []
        self._sent = 0.0

    def add(self, text: str) -> None:
        self._texts.append(text)
        if time.monotonic() - self._sent >= SECONDS_PER_FRAME:
            self.flush()

    def flush(self) -> None:
        if self._texts:
            self._child._send({"is": "text", "text": "".join(self._texts)})
            self._texts.clear()
            self._sent = time.monotonic()


def _order(frame: frames.Frame) -> Order:
    temperature = frame["temperature"]
    return Order(
        system=frame["system"],
        messages=frame["messages"],
        tools=frame["tools"],
        limit=frame["limit"],
        temperature=USUAL_TEMPERATURE if temperature is None else temperature,
        seed=frame["seed"],
    )


def _done(outcome: Outcome) -> frames.Frame:
    call = outcome.call
    return {
        "is": "done",
        "finish": outcome.finish,
        "input": outcome.input_tokens,
        "output": outcome.output_tokens,
        "moves": outcome.moves,
        "call": None if call is None else {"name": call.tool, "arguments": call.arguments},
    }


if __name__ == "__main__":
    sys.exit(main())
