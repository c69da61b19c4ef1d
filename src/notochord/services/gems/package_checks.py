"""The six checks of a package by itself: no organization has to be open, and nothing is installed."""

import asyncio
import tempfile
from pathlib import Path

from notochord.services.gems.api import Dossier
from notochord.services.gems.checks import finish, open_package
from notochord.services.gems.declarations import DataFaults
from notochord.services.gems.described import dossier_of
from notochord.services.gems.disk import disk_failures
from notochord.services.gems.signatures import TrustedKeys


class PackageChecks:
    """Implements Packages. `data_faults` tells what is wrong with a `data` section, `keys` which keys are known."""

    def __init__(self, *, data_faults: DataFaults, keys: TrustedKeys | None = None) -> None:
        self._data_faults = data_faults
        self._keys = keys or TrustedKeys()

    async def check(self, package: Path) -> Dossier:
        with disk_failures():
            return await asyncio.to_thread(self._checked, package, allow_unsigned=True)

    async def verify(self, package: Path) -> Dossier:
        with disk_failures():
            return await asyncio.to_thread(self._checked, package, allow_unsigned=False)

    def _checked(self, package: Path, *, allow_unsigned: bool) -> Dossier:
        with tempfile.TemporaryDirectory(prefix="notochord-") as scratch:
            opened = open_package(package, Path(scratch), self._keys, allow_unsigned=allow_unsigned)
            checked = finish(opened, None, self._data_faults, allow_unsigned=allow_unsigned)
            return dossier_of(checked.manifest, checked.trust)
