"""Which outside modules each layer may import; what import contracts cannot say."""

import sys

import grimp
import pytest

NETWORK_AND_PROCESSES = frozenset(
    {"_socket", "asyncore", "ctypes", "ftplib", "http", "imaplib", "mmap", "multiprocessing", "nntplib", "poplib"}
    | {"pty", "select", "selectors", "smtplib", "socket", "socketserver", "ssl", "subprocess", "telnetlib"}
    | {"webbrowser", "xmlrpc"}
)
STANDARD_LIBRARY = frozenset(sys.stdlib_module_names)
QUIET_LIBRARY = STANDARD_LIBRARY - NETWORK_AND_PROCESSES

ALLOWED = {
    "core": QUIET_LIBRARY,
    "persistence": QUIET_LIBRARY | {"sqlalchemy", "sqlcipher3"},
    "services": QUIET_LIBRARY
    | {"sqlalchemy", "jsonschema", "referencing", "nacl", "rfc8785", "idna", "markdown_it", "yaml"}
    | {"tree_sitter", "tree_sitter_javascript", "tree_sitter_typescript"},
    "headless": QUIET_LIBRARY,
}


def outside_imports(graph: grimp.ImportGraph, module: str) -> set[str]:
    return {name for name in graph.find_modules_directly_imported_by(module) if graph.is_module_squashed(name)}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("notochord", include_external_packages=True, cache_dir=None)


@pytest.mark.parametrize("folder", ALLOWED)
def test_folder_imports_only_what_it_may(graph: grimp.ImportGraph, folder: str) -> None:
    package = f"notochord.{folder}"
    found = {
        (module, name)
        for module in {package, *graph.find_descendants(package)}
        for name in outside_imports(graph, module) - ALLOWED[folder]
    }
    assert not found


def test_migrations_import_the_standard_library_only(graph: grimp.ImportGraph) -> None:
    found = {
        (module, name)
        for module in graph.modules
        if ".migrations." in module
        for name in graph.find_modules_directly_imported_by(module) - STANDARD_LIBRARY
    }
    assert not found


@pytest.mark.req("MODEL-043")
def test_only_the_model_service_can_reach_a_provider(graph: grimp.ImportGraph) -> None:
    sdks = {"openai", "anthropic", "llama_cpp"}
    importers = {name for sdk in sdks if sdk in graph.modules for name in graph.find_modules_that_directly_import(sdk)}
    assert importers
    assert all(
        name.startswith(("notochord.adapters.providers", "notochord.adapters.local_models")) for name in importers
    )
