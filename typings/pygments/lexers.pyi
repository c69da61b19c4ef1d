from collections.abc import Iterator

from pygments.token import TokenType

class Lexer:
    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, TokenType, str]]: ...

def get_lexer_by_name(_alias: str) -> Lexer: ...
