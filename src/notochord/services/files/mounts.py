"""Where a path of an agent leads: its own folder, or for an agent of a gem the conversation's under `workspace/`."""

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.files.api import Root
from notochord.services.tools.api import Session

WORKSPACE = "workspace"


def readable(session: Session, path: str) -> tuple[Root, str]:
    """Return what a path is looked up in, and the path there. Entries with a dot are hidden below the mount."""
    below = _below_mount(session, path)
    if below is None or session.confined is None:
        return Root(session.folder, hide_dots=False, history=True), path
    return Root(session.confined.workspace, hide_dots=True, history=True), below


def writable(session: Session, path: str) -> tuple[Root, str]:
    """Return where something may be changed. Raises PERM_DENIED for the mount and all below it (PERM-111)."""
    if _below_mount(session, path) is not None:
        detail = f"{WORKSPACE}/ can only be read; write to your own folder, or use a tool of your gem"
        raise NotochordError(Code.PERM_DENIED, Fault.POLICY, detail, subject=path[:100])
    return Root(session.folder, hide_dots=False, history=True), path


def shown(session: Session, path: str, found: str) -> str:
    """Return how something found below `path` is named to the agent."""
    return found if _below_mount(session, path) is None else f"{WORKSPACE}/{found}"


def is_top(session: Session, path: str) -> bool:
    """Tell whether a path is the folder that the mount stands in."""
    return session.confined is not None and not _parts(path)


def _below_mount(session: Session, path: str) -> str | None:
    """Return the path inside the mount, None for one that is not there."""
    parts = _parts(path)
    if session.confined is None or not parts or parts[0].casefold() != WORKSPACE:
        return None
    return "/".join(parts[1:])


def _parts(path: str) -> list[str]:
    return [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
