from typing import Any

class HTMLParser:
    def __init__(
        self,
        *,
        no_network: bool = ...,
        huge_tree: bool = ...,
        remove_comments: bool = ...,
        remove_pis: bool = ...,
        encoding: str = ...,
    ) -> None: ...

def document_fromstring(html: bytes, parser: HTMLParser | None = None) -> Any: ...
