"""The one error type that crosses a layer: whose fault, which code, with which parameters."""

from enum import StrEnum

from notochord.core.codes import Code

Parameter = str | int | float


class Fault(StrEnum):
    """Who can do something about a failure."""

    USER = "user"
    POLICY = "policy"
    MODEL = "model"
    PROVIDER = "provider"
    GUEST = "guest"
    NETWORK = "network"
    SYSTEM = "system"
    BUG = "bug"


class NotochordError(Exception):
    """A failure that somebody has to be told of.

    `detail` is a short English text for those who read English by trade: models, gem code and logs. People get the
    sentence that the front end chooses by `code`, filled with `parameters`. Neither may hold a secret.
    """

    def __init__(self, code: Code, fault: Fault, detail: str = "", /, **parameters: Parameter) -> None:
        super().__init__(f"{code}: {detail}" if detail else str(code))
        self.code = code
        self.fault = fault
        self.detail = detail
        self.parameters = parameters
