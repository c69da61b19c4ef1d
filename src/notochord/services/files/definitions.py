"""What the `fs.*` tools look like to a model: few words, plain names."""

from notochord.core.strict_json import Json
from notochord.services.tools.api import SideEffect, ToolDefinition

LIST, CAT, SEARCH = "fs.list", "fs.cat", "fs.search"
WRITE, EDIT, MAKE_FOLDER, MOVE, DELETE = "fs.write", "fs.edit", "fs.make_folder", "fs.move", "fs.delete"


def _text(description: str) -> Json:
    return {"type": "string", "description": description}


def _number(description: str) -> Json:
    return {"type": "integer", "minimum": 1, "description": description}


def _define(
    name: str, description: str, effect: SideEffect, properties: dict[str, Json], *required: str
) -> ToolDefinition:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return ToolDefinition(name, description, schema, effect, keywords=("file", "folder", "文件", "文件夹"))


def definitions() -> tuple[ToolDefinition, ...]:
    """Return the eight tools."""
    read, write, destructive = SideEffect.READ, SideEffect.WRITE, SideEffect.DESTRUCTIVE
    file, folder = _text("The file, such as notes/todo.md"), _text("The folder, such as notes; leave out for all")
    lines: dict[str, Json] = {"offset": _number("The first line to read"), "limit": _number("How many lines to read")}
    edit: dict[str, Json] = {"old": _text("The text to replace, exactly as it is"), "new": _text("The new text")}
    return (
        _define(LIST, "List the files in a folder.", read, {"path": folder}),
        _define(CAT, "Read a text file.", read, {"path": file, **lines}, "path"),
        _define(
            SEARCH,
            "Find files by their name or by a text in them.",
            read,
            {"text": _text("The word to look for"), "path": folder},
            "text",
        ),
        _define(
            WRITE,
            "Write a text file. What was in it before is replaced.",
            write,
            {"path": file, "content": _text("The whole text of the file")},
            "path",
            "content",
        ),
        _define(EDIT, "Replace one text in a file.", write, {"path": file, **edit}, "path", "old", "new"),
        _define(MAKE_FOLDER, "Make a folder.", write, {"path": _text("The folder, such as notes")}, "path"),
        _define(
            MOVE,
            "Move or rename a file or folder.",
            write,
            {"path": _text("What to move, such as a.md"), "to": _text("Where to, such as old/a.md")},
            "path",
            "to",
        ),
        _define(DELETE, "Delete a file or folder.", destructive, {"path": _text("What to delete")}, "path"),
    )
