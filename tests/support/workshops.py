"""The author's workshop, its check of drafts, and the check of packages, as the program composes them."""

from pathlib import Path

from notochord.services.data.parsing import faults_of
from notochord.services.gem_authoring.api import Problem
from notochord.services.gems.draft_checks import check_draft
from notochord.services.gems.package_checks import PackageChecks
from notochord.services.gems.signatures import TrustedKeys
from notochord.services.gems.workshop import GemWorkshop


def made_workshop() -> GemWorkshop:
    return GemWorkshop(data_faults=faults_of)


def made_packages(keys: TrustedKeys | None = None) -> PackageChecks:
    return PackageChecks(data_faults=faults_of, keys=keys)


def checked_draft(draft: Path) -> list[Problem]:
    return check_draft(draft, faults_of)
