"""The real small model and the real child, for tests; without the extra `local` such a test is skipped."""

import sys
from importlib.util import find_spec
from pathlib import Path

import notochord
from notochord.adapters.local_models.folder import catalogue

SOURCE = Path(notochord.__file__).parents[1]
CHILD = "notochord.adapters.local_models.child"
COMMAND = (
    sys.executable,
    "-I",
    "-c",
    f"import sys; sys.path.insert(0, {str(SOURCE)!r}); from {CHILD} import main; sys.exit(main())",
)
MODEL = "SmolLM2-135M-Instruct"


def builtin_file() -> Path | None:
    """Return the model file inside its package, if the extra is installed."""
    (entry,) = catalogue()
    spec = find_spec(entry.package) if find_spec("llama_cpp") else None
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) / entry.file if places else None


def folder_with_model(folder: Path) -> Path:
    """Make a folder of models that holds the small model, without copying it."""
    file = builtin_file()
    assert file is not None
    folder.mkdir(exist_ok=True)
    (folder / f"{MODEL}.gguf").symlink_to(file)
    return folder
