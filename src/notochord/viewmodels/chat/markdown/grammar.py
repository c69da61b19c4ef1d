"""Builds the parser: CommonMark with tables, strikethrough and formulas, and without HTML.

A model's output is text, not markup: with HTML off nothing but a fence survives an empty line, which is what lets the
splitter cut where it does.
"""

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock, table
from markdown_it.utils import EnvType

from notochord.viewmodels.chat.markdown.emphasis import Inline
from notochord.viewmodels.chat.markdown.fences import fence_rule
from notochord.viewmodels.chat.markdown.formulas import block_formula_rule, inline_formula_rule

MAX_NESTING = 60
"""Levels of lists and quotes inside each other; a text that goes deeper is shown as it was written."""

MOST_COLUMNS = 200
"""A table with more is shown as it was written: each row would be filled up to its width."""

_INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}


def make_parser() -> MarkdownIt:
    """Make a parser. It may be shared by any number of texts in one thread."""
    parser = _Grammar("commonmark", {"html": False})
    parser.inline = Inline()
    parser.configure("commonmark").enable(["table", "strikethrough"])
    parser.options["html"] = False
    parser.options["maxNesting"] = MAX_NESTING
    parser.block.ruler.at("fence", fence_rule, _INTERRUPTS)
    parser.block.ruler.before("fence", "formula", block_formula_rule, _INTERRUPTS)
    parser.block.ruler.at("table", _table_rule, {"alt": ["paragraph", "reference"]})
    parser.inline.ruler.before("escape", "formula", inline_formula_rule)
    return parser


class _Grammar(MarkdownIt):
    def normalizeLinkText(self, link: str) -> str:
        """An address that stands in the text is shown as written; decoded, it can look like another host's."""
        return link


def new_env() -> EnvType:
    """Make the place where the link definitions of one text are kept."""
    return {"references": {}}


def copy_env(env: EnvType) -> EnvType:
    """Copy it for a parse whose definitions must not stay."""
    return {"references": dict(env["references"])}


def _table_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.src.count("|", state.bMarks[start], state.eMarks[start]) > MOST_COLUMNS:
        return False
    return table(state, start, end, silent)
