"""Mutated packages: none is accepted unless all that is signed is as it was, and none ends in a traceback."""

import hashlib
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.persistence.folders import remove_folder
from notochord.services.gems.checks import CheckedPackage, finish, open_package
from notochord.services.gems.packing import pack
from notochord.services.gems.signatures import canonical
from support.gems import FAULTS, OFFICIAL, SOP_FILE, TRUSTED, draft, manifest, sop
from support.package_fuzz import mutated, unsigned

SEED = "packages"
SHORT, LONG, OPEN = 9_200, 100_000, 800
FILES = {
    "tools/greet.ts": "export default (input) => ({ hello: input.who });\n" * 5,
    "skill/SKILL.md": "# Greeting\nRead `skill/references/names.csv`.\n",
    "skill/references/names.csv": "name\nAda\n",
    "docs/README.en.md": "# Greeter\n",
    **SOP_FILE,
}
CONTENT = manifest(
    license="MIT", workflows=[sop(trigger={"type": "cron", "expr": "0 8 * * 1-5", "args": {}}, limits={"maxCalls": 9})]
)
REFUSALS = {
    Code.PATH_TRAVERSAL,
    Code.PACKAGE_INVALID,
    Code.SIZE_MISMATCH,
    Code.SIG_INVALID,
    Code.UNKNOWN_KEY,
    Code.PERM_INVALID,
    Code.PUBLISHER_MISMATCH,
    Code.UNSIGNED,
    Code.HASH_MISMATCH,
}
OF_CONTENT = {Code.PERM_INVALID, Code.WORKFLOW_INVALID, Code.INPUT_INVALID}
SAME = "same"
OUTCOMES = {*REFUSALS, SAME}


class Fuzz:
    """Runs mutations of one package through the six checks, as for an installation from outside."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = pack(draft(folder / "draft", CONTENT, FILES), key=OFFICIAL)
        self.signed = self._signed(self._checked(self.package))
        self.outcomes: Counter[str] = Counter()

    def run(self, numbers: range) -> None:
        for number in numbers:
            package = mutated(self.package, Random(f"{SEED} {number}"))
            outcome = self.outcome(package)
            assert outcome in OUTCOMES, (number, outcome)
            self.outcomes[outcome] += 1
        assert sorted(path.name for path in self.folder.iterdir()) == ["draft", "package.gem", "scratch"]

    def outcome(self, package: bytes, *, allow_unsigned: bool = False) -> str:
        """Return the code with which a package is refused; "same" for one that means what the good one means."""
        try:
            checked = self._checked(package, allow_unsigned=allow_unsigned)
        except NotochordError as error:
            return error.code
        return SAME if self._signed(checked) == self.signed else "other"

    def _checked(self, package: bytes, *, allow_unsigned: bool = False) -> CheckedPackage:
        file, scratch = self.folder / "package.gem", self.folder / "scratch"
        file.write_bytes(package)
        if scratch.exists() and any(scratch.iterdir()):
            remove_folder(scratch)
        scratch.mkdir(exist_ok=True)
        opened = open_package(file, scratch, TRUSTED, allow_unsigned=allow_unsigned)
        return finish(opened, None, FAULTS, allow_unsigned=allow_unsigned)

    def _signed(self, checked: CheckedPackage) -> dict[str, bytes]:
        """Return all that the signature stands for: the manifest's meaning and every file's bytes."""
        files = {
            path.relative_to(checked.folder).as_posix(): path for path in checked.folder.rglob("*") if path.is_file()
        }
        return {
            name: canonical(path.read_bytes())
            if name == "notochord.json"
            else hashlib.sha256(path.read_bytes()).digest()
            for name, path in files.items()
            if name != "SIGNATURE.json"
        }


@pytest.mark.req("PKG-015", "PKG-063", "PKG-065")
def test_no_mutation_of_a_package_is_accepted_unless_all_that_is_signed_is_as_it_was(tmp_path: Path) -> None:
    fuzz = Fuzz(tmp_path)
    fuzz.run(range(SHORT))
    assert fuzz.outcomes.keys() >= OUTCOMES - {Code.PERM_INVALID}
    assert 0 < fuzz.outcomes[SAME] < SHORT // 10


@pytest.mark.long
@pytest.mark.timeout(1_800)
def test_nor_in_ten_times_as_many(tmp_path: Path) -> None:
    fuzz = Fuzz(tmp_path)
    fuzz.run(range(SHORT, SHORT + LONG))
    assert fuzz.outcomes.keys() >= OUTCOMES - {Code.PERM_INVALID}


def test_what_an_unsigned_package_holds_is_accepted_or_refused_with_a_code(tmp_path: Path) -> None:
    """Behind the signature, which all of these lack: the format, the declarations, the integrity."""
    fuzz = Fuzz(tmp_path)
    for number in range(OPEN):
        package = unsigned(fuzz.package, Random(f"{SEED} open {number}"))
        outcome = fuzz.outcome(package, allow_unsigned=True)
        fuzz.outcomes["accepted" if outcome in {SAME, "other"} else outcome] += 1
    assert fuzz.outcomes.keys() <= {*REFUSALS, *OF_CONTENT, "accepted"}
    assert fuzz.outcomes.keys() >= {Code.PERM_INVALID, Code.WORKFLOW_INVALID, Code.PATH_TRAVERSAL, "accepted"}


def test_control_without_the_signature_changed_content_is_accepted(tmp_path: Path) -> None:
    """The barrier is the signature: changed content with right hashes passes where none is asked for."""
    fuzz = Fuzz(tmp_path)
    changed = pack(draft(tmp_path / "changed", CONTENT, {**FILES, "tools/greet.ts": "evil"}))
    assert fuzz.outcome(changed) == Code.UNSIGNED
    assert fuzz.outcome(changed, allow_unsigned=True) == "other"
