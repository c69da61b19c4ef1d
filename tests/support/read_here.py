"""Reads documents in the test's own process, with the same code as the child and without its price."""

from notochord.adapters.extraction import formats
from notochord.adapters.extraction.answers import read_answer
from notochord.adapters.extraction.failures import Unreadable
from notochord.services.extract.ports import Extracted


def read_here(
    content: bytes, name: str = "", *, media_type: str = "", format: str = "", encoding: str = ""
) -> Extracted:
    order = {"name": name, "mediaType": media_type, "format": format, "encoding": encoding}
    return read_answer(formats.read(order, content).as_json())


def why(content: bytes, name: str = "", **options: str) -> str:
    """Return why a document is not read."""
    try:
        read_here(content, name, **options)
    except Unreadable as error:
        return error.why
    raise AssertionError("it was read")
