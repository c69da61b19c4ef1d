"""What the whole window loads before its first painting: nothing that only the open organization needs."""

import subprocess
import sys

SERVICES = ("agents", "approvals", "chat", "data", "gems", "models", "tools", "usage", "vault")


def test_the_doors_of_services_are_loaded_after_the_first_painting() -> None:
    program = (
        "import sys, notochord.app.desktop.run;"
        f"print([name for name in {SERVICES!r} if f'notochord.services.{{name}}.api' in sys.modules])"
    )
    done = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_states_that_are_known_by_their_values_are_those_of_the_services() -> None:
    from notochord.services.chat.api import ChatState
    from notochord.services.gems.api import Trust
    from notochord.viewmodels.home.model import OFFICIAL
    from notochord.viewmodels.shell.attention import FAILED, WORKING

    assert (*WORKING, FAILED) == (ChatState.ANSWERING, ChatState.WAITING, ChatState.FAILED)
    assert Trust.OFFICIAL == OFFICIAL
