"""The pages of the product's website that the set-up points to (OPEN-031)."""

from notochord.core.sentences import CHINESE

SITE = "https://notochord.ai"

QUICKSTART = "guide/quickstart"
PROJECTS = "guide/projects"
MODELS = "guide/models"


def address(page: str, language: str) -> str:
    """Return the address of a page in the language of the window."""
    return f"{SITE}/{'zh' if language == CHINESE else 'en'}/{page}"
