"""What the program itself brings along, told in the window's language: its tools, gems, and models.

Models and the command line keep the English text; whatever has no sentence of its own is shown as it describes itself.
"""

from notochord.ui.kit.kit import Kit


def tool_said(kit: Kit, name: str, description: str) -> str:
    """Return what a tool is for, in one line."""
    return _said(kit, f"window.brought.tool.{name}", description.strip().partition("\n")[0])


def model_note(kit: Kit, name: str, note: str) -> str:
    """Return what is to be known of a model file of the catalogue."""
    return _said(kit, f"window.brought.model.{name}", note)


def gem_name(kit: Kit, identifier: str, name: str, *, official: bool = True) -> str:
    """Return what a gem is called that comes with the program.

    One without the official signature keeps its own name: anybody can have made it, whatever its id.
    """
    return _said(kit, f"window.brought.gem.{identifier}", name) if official else name


def gem_said(kit: Kit, identifier: str, description: str, *, official: bool = True) -> str:
    """Return what such a gem is for; see `gem_name`."""
    return _said(kit, f"window.brought.gem.{identifier}.description", description) if official else description


def _said(kit: Kit, key: str, otherwise: str) -> str:
    return kit.text(key) if key in kit.sentences.texts else otherwise
