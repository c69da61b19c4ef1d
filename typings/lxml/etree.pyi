from collections.abc import Iterator, Sequence
from typing import Any

class ParserError(Exception): ...
class XMLSyntaxError(SyntaxError): ...

class XMLParser:
    def __init__(
        self,
        *,
        resolve_entities: bool = ...,
        no_network: bool = ...,
        load_dtd: bool = ...,
        huge_tree: bool = ...,
        recover: bool = ...,
    ) -> None: ...

def fromstring(text: bytes, parser: XMLParser | None = None) -> Any: ...
def iterwalk(root: Any, events: Sequence[str]) -> Iterator[tuple[str, Any]]: ...
