"""The registry: every tool comes from a provider, every call goes through one check (`docs/architecture.md` §3)."""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from dataclasses import replace

from notochord.core.caller import Caller
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.ids import IdMaker
from notochord.core.strict_json import Json, encode
from notochord.services.approvals.api import Approval, ApprovalQuestion, Approvals, ApprovalState
from notochord.services.tools import arguments as argument_text
from notochord.services.tools import outcomes
from notochord.services.tools.api import (
    Consent,
    Outcome,
    Session,
    SideEffect,
    ToolDefinition,
    ToolOutput,
    ToolProvider,
)
from notochord.services.tools.flat import flatten_definition, is_plain_name
from notochord.services.tools.schema import ArgumentCheck
from notochord.services.tools.search import Candidate, ToolSearch
from notochord.services.tools.stopwatch import Stopwatch

MAX_LISTED = 40
MOST_KNOWN = 2_000

_log = logging.getLogger(__name__)
_Found = tuple[ToolDefinition, ToolProvider]


class ToolRegistry:
    """Knows every provider; `tool_search` is its own."""

    def __init__(self, *, approvals: Approvals, clock: Clock, ids: IdMaker) -> None:
        self._approvals = approvals
        self._clock = clock
        self._ids = ids
        self._check = ArgumentCheck()
        self._known: dict[str, tuple[ToolDefinition, ToolDefinition | None]] = {}
        self._providers: list[ToolProvider] = [ToolSearch(self._candidates)]

    def register(self, provider: ToolProvider) -> None:
        """Add a source; at start only. Of two tools with one name the one registered first is used."""
        self._providers.append(provider)

    async def list(self, session: Session) -> tuple[ToolDefinition, ...]:
        """Return the session's tools at this step, sorted by name; in plan mode only those that read."""
        found = (await self._found(session)).values()
        return tuple(definition for definition, _ in found if _runs_in(session, definition))

    async def prompts(self, session: Session) -> str:
        """Return what the sources put into the system prompt; a source that fails says nothing.

        An agent of a gem is told what its gem tells it, and nothing else (AGENT-033).
        """
        if session.confined is not None:
            return ""
        texts = []
        for provider in self._providers:
            try:
                texts.append((await provider.prompt(session)).strip())
            except Exception:
                _log.exception("a source of tools has no prompt")
        return "\n\n".join(text for text in texts if text)

    def check(self, definition: ToolDefinition, arguments: Json) -> dict[str, Json]:
        """Return the arguments as the tool gets them. Raises TOOL_ARGUMENTS, TOOL_FAILED (its schema is broken)."""
        return self._check.run(definition.schema, arguments)

    async def call(self, name: str, arguments: str, session: Session) -> Outcome:
        """Check and run a call that a model wrote; see `Tools.call`."""
        watch = Stopwatch(self._clock)
        try:
            outcome = await self._call(name, arguments, _with_step(session, self._ids), watch)
        except asyncio.CancelledError:
            if _being_cancelled():
                raise
            outcome = outcomes.cancelled()
        except NotochordError as error:
            _note(session, name, error)
            outcome = outcomes.failed(error)
        except Exception:
            _log.exception("the tool %s failed by a fault of its own", name[:128])
            outcome = outcomes.broken()
        return replace(outcome, milliseconds=watch.milliseconds())

    async def _call(self, name: str, text: str, session: Session, watch: Stopwatch) -> Outcome:
        definition, provider = await self._usable(name, session)
        arguments = self.check(definition, argument_text.parse(text))
        consent = await provider.consent(name, arguments, session)
        if consent.kind:
            with watch.paused():
                answer = await self._consent(consent, definition, arguments, session.caller)
            refusal = outcomes.after(answer)
            if refusal:
                return refusal
        output = await provider.run(name, arguments, session)
        return outcomes.done(ToolOutput(output.value, tuple(output.opens)))

    async def _usable(self, name: str, session: Session) -> _Found:
        """Return a tool that the session may call now. Raises TOOL_UNKNOWN, PERM_DENIED."""
        found = await self._found(session)
        usable = [each for each, (definition, _) in found.items() if _runs_in(session, definition)]
        if name in usable:
            return found[name]
        if name in found:
            detail = f"plan mode is on: only tools that read can run, {name} cannot. Plan with: {_names(usable)}."
            raise NotochordError(Code.PERM_DENIED, Fault.POLICY, detail)
        if name in session.switched_off:
            detail = f"the user switched {name} off. Your tools are: {_names(usable)}."
            raise NotochordError(Code.PERM_DENIED, Fault.POLICY, detail)
        shown = name if is_plain_name(name) else "of this name"
        if session.confined is not None:
            detail = f"the tool {shown} is not among those that you may use: {_names(usable)}."
            raise NotochordError(Code.PERM_DENIED, Fault.POLICY, detail)
        detail = f"there is no tool {shown} in your list. Your tools are: {_names(usable)}."
        raise NotochordError(Code.TOOL_UNKNOWN, Fault.MODEL, detail)

    async def _consent(
        self, consent: Consent, definition: ToolDefinition, arguments: dict[str, Json], caller: Caller
    ) -> Approval:
        """Ask and wait; a call that is cancelled meanwhile takes its question back."""
        question = ApprovalQuestion(
            kind=consent.kind,
            subject=consent.subject,
            title=definition.name,
            arguments=encode(arguments),
            caller=caller,
            holds=not consent.every_time,
        )
        approval = await self._approvals.ask(question)
        if approval.state is not ApprovalState.PENDING:
            return approval
        try:
            return await self._approvals.wait(approval.id)
        except asyncio.CancelledError:
            with contextlib.suppress(NotochordError):
                await self._approvals.withdraw(approval.id)
            raise

    async def _found(self, session: Session) -> dict[str, _Found]:
        """Return what is listed for the session, by name and sorted, whether it may run now or not."""
        found: dict[str, _Found] = {}
        for provider in self._providers:
            for definition in await self._offered(provider, session):
                if _is_open(session, definition):
                    found.setdefault(definition.name, (definition, provider))
        return dict(sorted(found.items()))

    async def _offered(self, provider: ToolProvider, session: Session) -> Sequence[ToolDefinition]:
        try:
            return self._flat(await provider.definitions(session))
        except Exception:
            _log.exception("a source of tools cannot list them")
            return ()

    async def _candidates(self, session: Session) -> Sequence[Candidate]:
        candidates = []
        for provider in self._providers:
            try:
                for definition in self._flat(await provider.searchable(session)):
                    if _is_open(session, definition):
                        candidates.append(Candidate(definition, await provider.opening(definition.name)))
            except Exception:
                _log.exception("a source of tools cannot be searched")
        return candidates

    def _flat(self, definitions: Sequence[ToolDefinition]) -> Sequence[ToolDefinition]:
        """Flatten texts, and leave out a tool that a prompt cannot name."""
        usable = [flat for definition in definitions if (flat := self._flattened(definition)) is not None]
        if len(usable) < len(definitions):
            bad = len(definitions) - len(usable)
            _log.warning("%d tools have names that cannot be used; they are left out", bad)
        return usable

    def _flattened(self, definition: ToolDefinition) -> ToolDefinition | None:
        """Return the flat form, None for a name that cannot be used.

        It is made once as long as the definition stays the same: every step asks for it.
        """
        known = self._known.get(definition.name)
        if known is None or known[0] != definition:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            flat = flatten_definition(definition) if is_plain_name(definition.name) else None
            known = self._known[definition.name] = (definition, flat)
        return known[1]


def _note(session: Session, name: str, error: NotochordError) -> None:
    """Put into the log what an agent of a gem was refused, without the words of a model."""
    if session.gem and (error.fault is Fault.POLICY or error.code is Code.NETWORK_ADDRESS_INVALID):
        shown = name[:128] if is_plain_name(name) else "a name that is none"
        _log.warning("an agent of the gem %s was refused %s with %s", session.gem, shown, error.code)


def _is_open(session: Session, definition: ToolDefinition) -> bool:
    """Tell whether a session has a tool: not switched off, and for an agent of a gem one that it may use."""
    confined = session.confined
    return definition.name not in session.switched_off and (confined is None or definition.name in confined.tools)


def _runs_in(session: Session, definition: ToolDefinition) -> bool:
    return not session.plan_mode or definition.side_effect is SideEffect.READ


def _with_step(session: Session, ids: IdMaker) -> Session:
    """Give the call's cause a step of its own unless the caller named one."""
    cause = session.caller.cause
    if cause.step:
        return session
    return replace(session, caller=replace(session.caller, cause=replace(cause, step=ids.new())))


def _being_cancelled() -> bool:
    """Tell whether this very task is being cancelled, not just something that it waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return (", ".join(names[:MAX_LISTED]) or "none") + more
