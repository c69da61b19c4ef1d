"""The folder of model files that all organizations share, and the catalogue of what can be put there."""

import json
import os
import re
import shutil
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from notochord.adapters.local_models.gguf import ModelFile, inspect
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import shipped
from notochord.services.models.ports import LocalModel, Progress

CATALOGUE = "models/local.json"
ENDING = ".gguf"
CHUNK = 1024 * 1024
_NAME = re.compile(r"[\w][\w.+ -]{0,199}")


@dataclass(frozen=True, slots=True)
class Entry:
    """A model of the catalogue: a file inside an installed package."""

    name: str
    package: str
    file: str
    size: int
    sha256: str
    licence: str
    note: str


def catalogue() -> tuple[Entry, ...]:
    """Return what the program knows to obtain."""
    content = json.loads((shipped("resources") / CATALOGUE).read_text(encoding="utf-8"))
    return tuple(Entry(**entry) for entry in content["models"])


def _nobody(_: float) -> None:
    """Hear how far it is, and do nothing."""


class ModelFolder:
    """The files; a model's name is its file's name without the ending."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> tuple[LocalModel, ...]:
        """Return the files that are here, then what the catalogue has beside them."""
        known = {entry.name: entry for entry in catalogue()}
        here = sorted(self._folder.glob(f"*{ENDING}")) if self._folder.is_dir() else []
        found = [_here(path, known.get(path.stem)) for path in here]
        names = {model.name for model in found}
        missing = [
            LocalModel(entry.name, entry.size, False, entry.licence, entry.note)
            for entry in known.values()
            if entry.name not in names
        ]
        return (*found, *missing)

    def file(self, name: str) -> ModelFile:
        """Return a sound model file. Raises MODEL_UNKNOWN, MODEL_FILE_DAMAGED."""
        if not _NAME.fullmatch(name):
            raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER, "no model file has such a name", model=name[:100])
        return inspect(self._folder / f"{name}{ENDING}")

    def obtain(self, name: str, told: Progress = _nobody) -> LocalModel:
        """Put a model of the catalogue here, whole and checked, or leave everything as it was.

        Raises MODEL_NOT_OFFERED, MODEL_LOCAL_MISSING (its package is not installed), MODEL_FILE_DAMAGED, DISK_FULL.
        """
        entry = next((entry for entry in catalogue() if entry.name == name), None)
        if entry is None:
            raise _not_offered(name)
        source = _source(entry)
        target = self._folder / f"{entry.name}{ENDING}"
        if not target.exists():
            self._copy(source, target, told, entry.sha256)
        return _here(target, entry)

    def take_in(self, file: Path, told: Progress = _nobody) -> LocalModel:
        """Copy a model file of the user here, whole and sound, or leave everything as it was.

        Raises MODEL_UNKNOWN (no such file), MODEL_FILE_DAMAGED, INPUT_INVALID (its name), FILE_EXISTS, DISK_FULL.
        """
        name = file.stem
        if not _NAME.fullmatch(name):
            detail = "a model file's name has letters, digits, and . _ + - and blanks"
            raise NotochordError(Code.INPUT_INVALID, Fault.USER, detail, field="file", why="why.model_file_name")
        target = self._folder / f"{name}{ENDING}"
        if target.exists():
            raise NotochordError(Code.FILE_EXISTS, Fault.USER, "there is a model of this name", path=target.name)
        inspect(file)
        self._copy(file, target, told)
        return _here(target, None)

    def discard(self, name: str) -> None:
        """Delete a model file. Raises MODEL_UNKNOWN, DISK_IO."""
        file = self._folder / f"{name}{ENDING}"
        if not _NAME.fullmatch(name) or not file.is_file():
            raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER, "no such model file", model=name[:100])
        try:
            file.unlink()
        except OSError as error:
            raise NotochordError(Code.DISK_IO, Fault.SYSTEM, str(error), path=file.name) from error

    def _copy(self, source: Path, target: Path, told: Progress, expected: str = "") -> None:
        unfinished = target.with_suffix(".part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(self._folder).free < source.stat().st_size:
                raise NotochordError(Code.DISK_FULL, Fault.SYSTEM, "no room for the model", path=target.name)
            if _copied(source, unfinished, told) != expected and expected:
                reason = "its checksum is not the one in the catalogue"
                raise NotochordError(
                    Code.MODEL_FILE_DAMAGED, Fault.SYSTEM, reason, model=target.stem, reason=reason, why="why.checksum"
                )
            unfinished.replace(target)
        except OSError as error:
            raise NotochordError(Code.DISK_IO, Fault.SYSTEM, str(error), path=target.name) from error
        finally:
            unfinished.unlink(missing_ok=True)


def _copied(source: Path, target: Path, told: Progress) -> str:
    """Copy the file, telling how far it is, and return its SHA-256. What `told` raises ends it."""
    digest, size, done = sha256(), max(1, source.stat().st_size), 0
    with source.open("rb") as reading, target.open("wb") as writing:
        while piece := reading.read(CHUNK):
            writing.write(piece)
            digest.update(piece)
            done += len(piece)
            told(min(1.0, done / size))
        writing.flush()
        os.fsync(writing.fileno())
    return digest.hexdigest()


def _not_offered(name: str) -> NotochordError:
    """Return the error for a name that the catalogue does not have, with those that it has and the nearest."""
    names = [entry.name for entry in catalogue()]
    folded = {known.casefold(): known for known in names}
    nearest = [folded[known] for known in get_close_matches(name[:100].casefold(), folded, 1, cutoff=0.0)]
    there = ", ".join(names) or "–"
    detail = f"not in the catalogue, which has: {there}"
    return NotochordError(
        Code.MODEL_NOT_OFFERED,
        Fault.USER,
        detail,
        model=name[:100],
        there=there,
        nearest=nearest[0] if nearest else "–",
    )


def _here(path: Path, entry: Entry | None) -> LocalModel:
    licence, note = (entry.licence, entry.note) if entry else ("", "")
    return LocalModel(path.stem, path.stat().st_size, True, licence, note)


def _source(entry: Entry) -> Path:
    """Find the package's file without running the package."""
    spec = find_spec(entry.package)
    places = spec.submodule_search_locations if spec is not None else None
    for place in places or ():
        file = Path(place) / entry.file
        if file.is_file():
            return file
    detail = f"the package that carries {entry.name} is not installed"
    raise NotochordError(Code.MODEL_LOCAL_MISSING, Fault.USER, detail, model=entry.name)
