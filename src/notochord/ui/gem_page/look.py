"""How the program looks, as CSS values for pages of gems."""

from dataclasses import asdict

from notochord.core.sentences import CHINESE
from notochord.ui.kit.kit import Kit

_OF_CODE = "code"


def page_values(kit: Kit) -> dict[str, str]:
    """Return the variables without their prefix: colours of the theme, the font, the size of text."""
    named = {name.replace("_", "-"): value for name, value in asdict(kit.theme.colours).items() if _is_for_pages(name)}
    font = kit.theme.font()
    family = font.family().replace("\\", "").replace('"', "")
    pixels = font.pixelSize() if font.pixelSize() > 0 else round(font.pointSizeF() * 96 / 72, 1)
    return {**named, "font": f'"{family}", system-ui, sans-serif', "font-size": f"{pixels}px"}


def page_language(kit: Kit) -> str:
    """Return the language as HTML names it."""
    return "zh-CN" if kit.sentences.language == CHINESE else "en"


def _is_for_pages(name: str) -> bool:
    return not name.startswith(_OF_CODE)
