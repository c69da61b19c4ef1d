"""The theme's tokens: complete, and readable in both schemes."""

import pytest

from notochord.ui.kit.theme.tokens import Colours, Scheme, load_tokens

TEXT = 4.5
SHAPE = 3.0


def luminance(colour: str) -> float:
    def linear(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(int(colour[at : at + 2], 16)) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


GROUNDS = ("background", "surface", "raised", "sunken", "hover")
ON_GROUNDS = ("text", "text_soft", "link", "danger", "warning", "success")
CODE = (
    "code", "code_keyword", "code_string", "code_number", "code_comment", "code_name", "code_error",
)  # fmt: skip
PAIRS = [
    *((text, ground) for text in ON_GROUNDS for ground in GROUNDS),
    *((text, "sunken") for text in CODE),
    ("on_accent", "accent"), ("on_accent", "accent_hover"), ("on_danger", "danger"),
    ("text", "selection"), ("text", "accent_soft"), ("link", "accent_soft"), ("danger", "danger_soft"),
    ("text", "danger_soft"),
    ("warning", "warning_soft"), ("text", "warning_soft"), ("success", "success_soft"), ("text", "success_soft"),
]  # fmt: skip
SHAPES = [
    (shape, ground)
    for shape in ("border_field", "border_strong", "focus", "accent")
    for ground in ("background", "surface", "raised", "field")
]


@pytest.mark.parametrize("scheme", Scheme)
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_stands_out_from_its_ground(scheme: Scheme, text: str, ground: str) -> None:
    colours: Colours = load_tokens().colours(scheme)
    assert contrast(getattr(colours, text), getattr(colours, ground)) >= TEXT


@pytest.mark.parametrize("scheme", Scheme)
@pytest.mark.parametrize(("shape", "ground"), SHAPES)
def test_outlines_of_controls_stand_out(scheme: Scheme, shape: str, ground: str) -> None:
    colours = load_tokens().colours(scheme)
    assert contrast(getattr(colours, shape), getattr(colours, ground)) >= SHAPE
