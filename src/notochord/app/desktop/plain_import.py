"""Keeps Python's own `import` while Qt is loaded, which would put one of PySide's in its place."""

import builtins
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def plain_import() -> Iterator[None]:
    """Load PySide within this block.

    Its `import` looks through the source of every module for options that nothing here uses. For that it asks modules
    for attributes while another thread is still loading them; pydantic answers by importing itself half made, and the
    library of a model provider then cannot be loaded.
    """
    own = builtins.__import__
    try:
        yield
    finally:
        builtins.__import__ = own
