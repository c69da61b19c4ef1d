"""What starting at login needs from outside: an entry where each system looks for one."""

from notochord.services.startup.api import StartAtLogin as StartAtLogin
