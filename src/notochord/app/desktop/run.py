"""`notochord desktop`: makes the application, and runs one session of the window in Qt's loop."""

import asyncio

from notochord.app.desktop.application import QtTexts, make_application
from notochord.app.desktop.ending import signals_end
from notochord.app.desktop.faults import faults_told
from notochord.app.desktop.loop import run_with_windows
from notochord.app.desktop.session import Session
from notochord.app.desktop.stage import Stage
from notochord.core.paths import Home
from notochord.qt_adapters.compositing import windows_blend
from notochord.ui.kit.theme.theme import Theme


def run_desktop(home: Home, organization: str, language: str) -> int:
    """See `app.windows.Windows.desktop`."""
    application = make_application()
    stage = Stage(theme=Theme(application, blends=windows_blend), texts=QtTexts(application), home=home)
    return run_with_windows(application, run_session(Session(stage=stage, home=home, language=language), organization))


async def run_session(session: Session, organization: str) -> int:
    """Let the session run until the window is closed or the process is told to end; 0 either way."""
    loop = asyncio.get_running_loop()
    with faults_told(loop, session.stage.notices.fail), signals_end(loop, session.end):
        return await session.run(organization)
