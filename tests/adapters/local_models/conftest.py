"""The real engine, loaded before the collector freezes what is there."""

from importlib.util import find_spec

if find_spec("llama_cpp") is not None:
    import llama_cpp as llama_cpp
