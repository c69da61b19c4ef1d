"""Goes through the first-run set-up in a process of its own and is killed where it stands: `HOME STEP`."""

import os
import signal
import sys
from functools import partial
from pathlib import Path

from notochord.app.desktop.application import make_application
from notochord.ui.start.encryption_step import EncryptionStep
from notochord.ui.start.setup_view import SetupView
from notochord.viewmodels.start.setup import Step
from support.desktops import Person, run_desktop


def stands_at(view: SetupView, step: Step) -> bool:
    waits = isinstance(view.stack.shown, EncryptionStep) and view.stack.shown.encrypt.isEnabled()
    return view.step is step and (view.next.isEnabled() or waits)


async def go_to(person: Person, wanted: Step) -> None:
    """Press through the set-up, without encryption and without a model, until this step stands there."""
    for step in (step for step in Step if step is not Step.ROLES):
        view = await person.sees(SetupView)
        await person.until(partial(stands_at, view, step), f"step {step}")
        if step is wanted:
            return
        if step is Step.ENCRYPTION:
            assert isinstance(view.stack.shown, EncryptionStep)
            view.stack.shown.plain.click()
        await person.press(view.next)


def main() -> None:
    home, wanted = Path(sys.argv[1]), Step(int(sys.argv[2]))

    async def scenario(person: Person) -> None:
        await go_to(person, wanted)
        os.kill(os.getpid(), signal.SIGKILL)

    run_desktop(make_application(), home, scenario)


if __name__ == "__main__":
    main()
