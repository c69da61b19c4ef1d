"""Every model call goes through one gateway: nothing else is handed a way to a model."""

import grimp
import pytest

WAYS_TO_A_MODEL = ("notochord.adapters.providers", "notochord.adapters.local_models")


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("notochord", cache_dir=None)


@pytest.mark.req("MODEL-043")
def test_only_the_composition_root_takes_the_clients_of_models(graph: grimp.ImportGraph) -> None:
    importers = {
        importer
        for way in WAYS_TO_A_MODEL
        for module in {way, *graph.find_descendants(way)}
        for importer in graph.find_modules_that_directly_import(module)
        if not importer.startswith(WAYS_TO_A_MODEL)
    }
    assert all(name.startswith("notochord.app.") for name in importers)


@pytest.mark.req("MODEL-043")
def test_only_the_gateway_and_the_door_of_models_know_how_a_client_is_called(graph: grimp.ImportGraph) -> None:
    importers = graph.find_modules_that_directly_import("notochord.services.models.ports")
    assert importers
    assert all(name.startswith(("notochord.services.models.", *WAYS_TO_A_MODEL)) for name in importers)
