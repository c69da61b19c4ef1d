"""Every scene of every screen, in the order of the gallery."""

from notochord.ui.chat.scenes import SCENES as CHAT
from notochord.ui.gallery.scene import Scene
from notochord.ui.gallery.whole import SCENES as WHOLE
from notochord.ui.gem.scenes import SCENES as GEM
from notochord.ui.gem_page.scenes import SCENES as GEM_PAGE
from notochord.ui.home.scenes import SCENES as HOME
from notochord.ui.kit.scenes import SCENES as KIT
from notochord.ui.kit.transcript.scenes import SCENES as TRANSCRIPT
from notochord.ui.settings.scenes import SCENES as SETTINGS
from notochord.ui.shell.scenes import SCENES as SHELL
from notochord.ui.start.scenes import SCENES as START


def scenes() -> tuple[Scene, ...]:
    """Return all scenes; names are unique."""
    return (*KIT, *TRANSCRIPT, *SHELL, *HOME, *GEM, *GEM_PAGE, *CHAT, *START, *SETTINGS, *WHOLE)
