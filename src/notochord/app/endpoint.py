"""The control endpoint of this system."""

import os
import sys

from notochord.adapters.control.absent import AbsentEndpoint
from notochord.core.clock import Clock
from notochord.headless.control.channel import Endpoint


def local_endpoint(clock: Clock) -> Endpoint:
    """Return how processes of this user reach each other here."""
    if sys.platform == "win32":
        return AbsentEndpoint()
    from notochord.adapters.control.unix import UnixEndpoint

    return UnixEndpoint(os.environ, clock)
