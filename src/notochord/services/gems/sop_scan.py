"""Reads the code of an SOP without running it: its one function, and the target of each call that it makes.

The code is hostile: it is parsed into a tree whose nodes are looked at one after the other, never one inside the other,
so that neither its length nor its depth costs more than its limit allows. What cannot be read for certain is refused;
what is called that was not found here is refused when it runs, so that a way around this list leads nowhere.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count

import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

MAX_BYTES = 65_536
MAX_FINDINGS = 10

MAX_REPORTS = 8_000
"""How often the parser may report that it goes on, once for a hundred steps: code without errors takes
3,000 at most, while the attempts to mend hostile code can take a million."""

MAX_ANGLES = 1_000
"""How many `<` TypeScript may have. Each can begin a comparison or a list of types, which the parser tries side by
side: sixteen thousand of them take gigabytes, in one step that nothing can stop."""

_FUNCTIONS = frozenset({"function_declaration", "function_expression", "arrow_function"})
_WRAPPERS = frozenset({"parenthesized_expression", "satisfies_expression", "as_expression"})
_REFERENCES = frozenset({"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"})
_NAMES = _REFERENCES | {"property_identifier", "private_property_identifier", "type_identifier"}
_UNSEEN_NAMES = frozenset({b"arguments", b"eval"})
_UNSEEN_KINDS = {"with_statement": "with", "html_comment": "-->", "hash_bang_line": "#!"}
_JSX = frozenset({"jsx_element", "jsx_self_closing_element"})
"""What only the grammar knows; as JavaScript it would be an error, or another text."""


_Parameters = tuple[bytes, ...]
"""The name of each parameter; empty for one that is no plain name."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Why code is refused: `kind` is "size", "utf8", "costly", "syntax", "default", "parameters", "import", "escape",
    "hidden", "context" or "dynamic"; `what` the word that it is about."""

    kind: str
    line: int = 0
    what: str = ""


@dataclass(frozen=True, slots=True)
class SopSource:
    """What the code of an SOP says. `calls` has the line of the first call of each target, in the order of lines."""

    calls: Mapping[str, int]
    findings: tuple[Finding, ...] = ()


def scan(source: bytes, *, typescript: bool) -> SopSource:
    """Return what an SOP calls, and why its code cannot be accepted. Raises nothing, whatever the code is.

    Code over MAX_BYTES is not read at all; below that a scan takes some seconds and a hundred megabytes at most, and
    mostly a tenth of both.
    """
    if len(source) > MAX_BYTES:
        return SopSource({}, (Finding("size"),))
    try:
        source.decode()
    except UnicodeDecodeError:
        return SopSource({}, (Finding("utf8"),))
    read = _read(source, typescript)
    if read is None:
        return SopSource({}, (Finding("costly"),))
    if read.has_error:
        return SopSource({}, (Finding("syntax", _first_error(read)),))
    return _Scan(Parser(_language(typescript)).parse(source).root_node).result()


def _read(source: bytes, typescript: bool) -> Node | None:
    """Return the tree of the code, whose nodes have no texts; None if the parser would take too long for it.

    Only this way to parse can be stopped, and only the other one gives texts: code without errors is parsed again.
    """
    if typescript and source.count(b"<") > MAX_ANGLES:
        return None
    view, reports = memoryview(source), count(1)
    try:
        tree = Parser(_language(typescript)).parse(
            lambda offset, _: view[offset:], progress_callback=lambda _, __: next(reports) > MAX_REPORTS
        )
    except ValueError:
        return None
    return tree.root_node


@cache
def _language(typescript: bool) -> Language:
    return Language(tree_sitter_typescript.language_typescript() if typescript else tree_sitter_javascript.language())


class _Scan:
    """One look at one file: who has which name first, then what is done with the context."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._nodes = tuple(_walk(root))
        self._functions = self._named_functions()
        self._certain = self._certain_functions()
        self._taken: dict[bytes, _Parameters] = {}
        self._accounted: set[int] = set()
        self._calls: dict[str, int] = {}
        self._findings: list[Finding] = []
        self._context = b""

    def result(self) -> SopSource:
        parameters = self._default_parameters()
        if parameters is not None:
            self._context = parameters[1] if len(parameters) > 1 else b""
            for node in self._nodes:
                self._look(node)
        return SopSource(self._calls, tuple(self._findings[:MAX_FINDINGS]))

    def _named_functions(self) -> dict[bytes, Node | None]:
        """Return the functions of the file by name, none for a name that is given twice. One that lies inside another
        is not the one that its name means elsewhere: there a name that nobody defined is `globalThis`'s."""
        found: dict[bytes, Node | None] = {}
        for node in _definitions(self._root):
            value = node if node.type == "function_declaration" else node.child_by_field_name("value")
            name = node.child_by_field_name("name")
            if value is not None and value.type in _FUNCTIONS and name is not None and name.type == "identifier":
                found[_text(name)] = None if _text(name) in found else value
        return found

    def _certain_functions(self) -> frozenset[bytes]:
        """Return the names that are a function's and nothing else's in the whole file: each mention is its definition,
        a call, or the default export."""
        mentions: Counter[bytes] = Counter()
        known: Counter[bytes] = Counter(self._functions.keys())
        for node in self._nodes:
            if node.type in _REFERENCES or node.type == "type_identifier":
                mentions[_text(node)] += 1
            elif node.type == "call_expression":
                called = _function_of(node)
                known.update([_text(called)] if called is not None and called.type == "identifier" else ())
            elif _is_default_export(node):
                exported = _exported(node)
                known.update([_text(exported)] if exported is not None and exported.type == "identifier" else ())
        return frozenset(name for name in self._functions if mentions[name] == known[name])

    def _default_parameters(self) -> _Parameters | None:
        """Return the parameters of the function that the file exports by default; none if there is no such function."""
        exported = next((_exported(node) for node in self._root.named_children if _is_default_export(node)), None)
        name = _name_of(exported)
        if exported is not None and exported.type == "identifier":
            exported = self._functions.get(name)
        if exported is None or exported.type not in _FUNCTIONS:
            self._find("default", exported or self._root)
            return None
        if name and name not in self._certain:
            self._find("hidden", exported, _shown(name))
            return None
        parameters = _parameters(exported)
        if any(not name for name in parameters[1:]) or _has_rest(exported):
            self._find("parameters", exported)
            return None
        return parameters

    def _look(self, node: Node) -> None:
        match node.type:
            case "call_expression":
                self._look_at_call(node)
            case "formal_parameters":
                self._accounted.update(
                    name.id for name in map(_parameter_name, node.named_children) if name is not None
                )
            case "arrow_function" if (parameter := node.child_by_field_name("parameter")) is not None:
                self._accounted.add(parameter.id)
            case "import_statement" if not any(child.type == "type" for child in node.children):
                self._find("import", node)
            case "import":
                self._find("import", node)
            case kind if kind in _JSX:
                self._find("syntax", node)
            case "export_statement" if node.child_by_field_name("source") is not None:
                self._find("import", node)
            case kind if kind in _UNSEEN_KINDS:
                self._find("hidden", node, _UNSEEN_KINDS[kind])
            case kind if kind in _NAMES:
                self._look_at_name(node)
            case _:
                pass

    def _look_at_name(self, node: Node) -> None:
        name = _text(node)
        if b"\\" in name:
            self._find("escape", node, _shown(name))
        elif node.type not in _REFERENCES or node.id in self._accounted:
            return
        elif name in _UNSEEN_NAMES:
            self._find("hidden", node, _shown(name))
        elif name == self._context and self._context:
            self._find("context", node, _shown(name))

    def _look_at_call(self, node: Node) -> None:
        function, given = _function_of(node), node.child_by_field_name("arguments")
        if function is None or given is None or given.type != "arguments" or not self._context:
            return
        arguments = [child for child in given.named_children if child.type != "comment"]
        if (holder := _called_on(function)) is not None and _text(holder) == self._context:
            self._accounted.add(holder.id)
            self._note(node, arguments)
        elif function.type == "identifier":
            self._look_at_handing_on(_text(function), arguments)

    def _note(self, node: Node, arguments: list[Node]) -> None:
        target = _literal(arguments[0]) if arguments else None
        if target is None:
            self._find("dynamic", node, _shown(self._context))
        else:
            self._calls.setdefault(target, _line(node))

    def _look_at_handing_on(self, name: bytes, arguments: list[Node]) -> None:
        """Accept the context as an argument where a function of the file takes it under the same name."""
        function = self._functions.get(name) if name in self._certain else None
        if function is None or not any(_text(one) == self._context for one in arguments if one.type == "identifier"):
            return
        if name not in self._taken:
            self._taken[name] = _parameters(function)
        for taken, given in zip(self._taken[name], arguments, strict=False):
            if given.type == "spread_element":
                return
            if given.type == "identifier" and _text(given) == taken == self._context:
                self._accounted.add(given.id)

    def _find(self, kind: str, node: Node, what: str = "") -> None:
        if len(self._findings) < MAX_FINDINGS:
            self._findings.append(Finding(kind, _line(node), what))


def _walk(root: Node) -> Iterator[Node]:
    """Yield a node and all below it, each before what it holds."""
    cursor = root.walk()
    while True:
        node = cursor.node
        assert node is not None
        if node.is_named:
            yield node
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def _first_error(root: Node) -> int:
    node = root
    while not node.is_error and not node.is_missing:
        inner = next((child for child in node.children if child.has_error or child.is_missing), None)
        if inner is None:
            break
        node = inner
    return _line(node)


def _definitions(root: Node) -> Iterator[Node]:
    """Yield the functions and variables that the file itself defines, outside of any block."""
    for statement in root.named_children:
        exported = statement.child_by_field_name("declaration") if statement.type == "export_statement" else None
        defined = exported or statement
        if defined.type == "function_declaration":
            yield defined
        elif defined.type in {"lexical_declaration", "variable_declaration"}:
            yield from (child for child in defined.named_children if child.type == "variable_declarator")


def _name_of(exported: Node | None) -> bytes:
    """Return the name through which the default export can be given another function, empty if there is none."""
    if exported is None or exported.type == "identifier":
        return b"" if exported is None else _text(exported)
    name = exported.child_by_field_name("name") if exported.type == "function_declaration" else None
    return b"" if name is None else _text(name)


def _is_default_export(node: Node) -> bool:
    return node.type == "export_statement" and (
        any(child.type == "default" for child in node.children) or _renamed(node) is not None
    )


def _renamed(node: Node) -> Node | None:
    """Return the name before `as default` in the braces of an export."""
    clauses = (child for child in node.named_children if child.type == "export_clause")
    for one in (specifier for clause in clauses for specifier in clause.named_children):
        alias = one.child_by_field_name("alias")
        if alias is not None and _text(alias) == b"default":
            return one.child_by_field_name("name")
    return None


def _exported(node: Node) -> Node | None:
    if (renamed := _renamed(node)) is not None:
        return renamed
    found = node.child_by_field_name("value") or node.child_by_field_name("declaration")
    while found is not None and found.type in _WRAPPERS:
        found = found.named_children[0] if found.named_children else None
    return found


def _parameters(function: Node) -> _Parameters:
    single = function.child_by_field_name("parameter")
    if single is not None:
        return (_text(single),)
    listed = function.child_by_field_name("parameters")
    names = [] if listed is None else [_parameter_name(one) for one in _real(listed)]
    return tuple(b"" if name is None else _text(name) for name in names)


def _real(parameters: Node) -> list[Node]:
    """Return the parameters that there are when it runs: `this` of TypeScript only has a type."""
    named = [one for one in parameters.named_children if one.type not in {"comment", "decorator"}]
    return [one for one in named if (pattern := one.child_by_field_name("pattern")) is None or pattern.type != "this"]


def _parameter_name(parameter: Node) -> Node | None:
    """Return the name of a parameter that is a plain name without a default."""
    if parameter.type == "identifier":
        return parameter
    if parameter.type not in {"required_parameter", "optional_parameter"} or parameter.child_by_field_name("value"):
        return None
    pattern = parameter.child_by_field_name("pattern")
    return pattern if pattern is not None and pattern.type == "identifier" else None


def _has_rest(function: Node) -> bool:
    listed = function.child_by_field_name("parameters")
    patterns = [] if listed is None else [one.child_by_field_name("pattern") or one for one in listed.named_children]
    return any(one.type == "rest_pattern" for one in patterns)


def _function_of(call: Node) -> Node | None:
    """Return what is called; the grammar takes `await f<T>()` for a call of what was awaited."""
    found = call.child_by_field_name("function")
    return found.named_children[0] if found is not None and found.type == "await_expression" else found


def _called_on(function: Node) -> Node | None:
    """Return `name` of `name.call`."""
    if function.type != "member_expression":
        return None
    holder, called = function.child_by_field_name("object"), function.child_by_field_name("property")
    if holder is None or called is None or holder.type != "identifier" or _text(called) != b"call":
        return None
    return holder


def _literal(node: Node) -> str | None:
    """Return a text that stands there as it is: in quotation marks, without escapes and without parts put in."""
    if node.type not in {"string", "template_string"} or any(
        child.type in {"escape_sequence", "template_substitution"} for child in node.named_children
    ):
        return None
    return _text(node)[1:-1].decode()


def _text(node: Node) -> bytes:
    return node.text or b""


def _shown(name: bytes) -> str:
    return name.decode()[:64]


def _line(node: Node) -> int:
    return node.start_point.row + 1
