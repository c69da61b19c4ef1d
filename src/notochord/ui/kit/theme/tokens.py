"""The design tokens: every colour, distance, size and duration that a view may use."""

import json
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from notochord.core.paths import shipped


class Scheme(StrEnum):
    """Which of the two sets of colours."""

    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one scheme, as #RRGGBB. `on_x` is for text over `x`, `x_soft` a tint under text in `x`."""

    background: str
    surface: str
    raised: str
    sunken: str
    hover: str
    selected: str
    pressed: str
    border: str
    border_strong: str
    border_field: str
    border_popup: str
    field: str
    popup: str
    thumb: str
    text: str
    text_soft: str
    text_disabled: str
    accent: str
    accent_hover: str
    on_accent: str
    accent_soft: str
    link: str
    focus: str
    selection: str
    danger: str
    danger_hover: str
    on_danger: str
    danger_soft: str
    warning: str
    warning_soft: str
    success: str
    success_soft: str
    code: str
    code_keyword: str
    code_string: str
    code_number: str
    code_comment: str
    code_name: str
    code_error: str


@dataclass(frozen=True, slots=True)
class Space:
    """Distances in device-independent pixels."""

    xs: int
    s: int
    m: int
    l: int  # noqa: E741 - the sizes are called so
    xl: int
    xxl: int


@dataclass(frozen=True, slots=True)
class TypeScale:
    """Sizes of text as multiples of the system's font."""

    small: float
    body: float
    large: float
    title: float
    display: float


@dataclass(frozen=True, slots=True)
class Radius:
    """Roundness of corners in device-independent pixels."""

    small: int
    medium: int
    large: int


@dataclass(frozen=True, slots=True)
class Durations:
    """How long a movement takes, in milliseconds; with reduced motion nothing moves."""

    calm: int


@dataclass(frozen=True, slots=True)
class Tokens:
    """Everything in the file."""

    space: Space
    type: TypeScale
    radius: Radius
    milliseconds: Durations
    light: Colours
    dark: Colours

    def colours(self, scheme: Scheme) -> Colours:
        """Return the colours of one scheme."""
        return self.light if scheme is Scheme.LIGHT else self.dark


@cache
def load_tokens() -> Tokens:
    """Read the shipped tokens. Raises TypeError if a name is missing or unknown."""
    found = json.loads((shipped("resources") / "theme" / "tokens.json").read_text(encoding="utf-8"))
    return Tokens(
        space=Space(**found["space"]),
        type=TypeScale(**found["type"]),
        radius=Radius(**found["radius"]),
        milliseconds=Durations(**found["milliseconds"]),
        light=Colours(**found["light"]),
        dark=Colours(**found["dark"]),
    )
