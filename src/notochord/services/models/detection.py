"""Looks for an Ollama that runs on this computer."""

from notochord.core import strict_json
from notochord.core.caller import Caller
from notochord.core.errors import NotochordError
from notochord.services.egress.api import Egress, Leave, Request

ORIGIN = "http://localhost:11434"
SECONDS = 1.0
_LARGEST = 1024 * 1024


async def ollama_models(egress: Egress, caller: Caller) -> tuple[str, ...] | None:
    """Return the names of its models; None if nothing answers like an Ollama within a second."""
    request = Request(
        "GET",
        f"{ORIGIN}/api/tags",
        Leave(caller, typed_origin=ORIGIN),
        max_bytes=_LARGEST,
        timeout=SECONDS,
        follow_redirects=False,
    )
    try:
        response = await egress.fetch(request)
        answer = strict_json.decode(response.body) if response.status == 200 else None
    except (NotochordError, ValueError):
        return None
    models = answer.get("models") if isinstance(answer, dict) else None
    if not isinstance(models, list):
        return None
    names = (model.get("name") for model in models if isinstance(model, dict))
    return tuple(name for name in names if isinstance(name, str) and name)
