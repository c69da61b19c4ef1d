"""What the window's first painting loads: nothing that only later screens need."""

import subprocess
import sys

HEAVY = ("sqlalchemy", "openai", "anthropic", "httpx2", "numpy", "pygments", "markdown_it", "jsonschema", "keyring")


def test_shell_and_home_load_nothing_heavy() -> None:
    program = (
        "import sys, notochord.ui.shell.window, notochord.ui.shell.shell, notochord.ui.home.page;"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_browser_engine_is_not_loaded_before_a_page_of_a_gem_is_opened() -> None:
    program = (
        "import sys, notochord.app.desktop.run, notochord.app.desktop.pages, notochord.app.desktop.gem_pages;"
        "print([name for name in sys.modules if 'WebEngine' in name or name == 'PySide6.QtNetwork'])"
    )
    done = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
