class TokenType:
    def __contains__(self, val: object) -> bool: ...
    def __getattr__(self, val: str) -> TokenType: ...

Comment: TokenType
Error: TokenType
Keyword: TokenType
Name: TokenType
Number: TokenType
Operator: TokenType
String: TokenType
