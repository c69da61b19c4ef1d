"""The tables of conversations.

A conversation is a tree. It is stored as branches: a branch owns the entries from `from_depth` on and continues its
parent branch below that depth. (branch, depth) is a key, so that a stretch of a branch is read without walking the
history.
"""

from sqlalchemy import Column, ForeignKey, Index, Integer, MetaData, Table, Text, UniqueConstraint

METADATA = MetaData()

CHATS = Table(
    "chats",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("parent", Text, ForeignKey("chats.id", ondelete="CASCADE")),
    Column("parent_call", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("title_state", Text, nullable=False),
    Column("pinned", Integer, nullable=False),
    Column("folder", Text, nullable=False),
    Column("own_folder", Integer, nullable=False),
    Column("provider", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("chosen_by", Text, nullable=False),
    Column("plan_mode", Integer, nullable=False),
    Column("branch", Text, nullable=False),
    Column("answering", Text, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("deleted", Integer, nullable=False),
    Column("created_at", Integer, nullable=False),
    Column("changed_at", Integer, nullable=False),
)
Index("chats_by_parent", CHATS.c.parent)

BRANCHES = Table(
    "chat_branches",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("chat", Text, ForeignKey("chats.id", ondelete="CASCADE"), nullable=False),
    Column("parent", Text),
    Column("from_depth", Integer, nullable=False),
    Column("used_at", Integer, nullable=False),
)
Index("chat_branches_by_chat", BRANCHES.c.chat)

ENTRIES = Table(
    "chat_entries",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("chat", Text, ForeignKey("chats.id", ondelete="CASCADE"), nullable=False),
    Column("branch", Text, nullable=False),
    Column("depth", Integer, nullable=False),
    Column("parent", Text, nullable=False),
    Column("turn", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("parts", Text, nullable=False),
    Column("background", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("error", Text, nullable=False),
    Column("provider", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    UniqueConstraint("branch", "depth"),
)
Index("chat_entries_by_parent", ENTRIES.c.chat, ENTRIES.c.parent)

CALLS = Table(
    "chat_calls",
    METADATA,
    Column("entry", Text, ForeignKey("chat_entries.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("call", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("code", Text, nullable=False),
    Column("milliseconds", Integer, nullable=False),
    Column("reason", Text, nullable=False),
)

ATTACHMENTS = Table(
    "chat_attachments",
    METADATA,
    Column("entry", Text, ForeignKey("chat_entries.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("name", Text, nullable=False),
)

SUMMARIES = Table(
    "chat_summaries",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("chat", Text, ForeignKey("chats.id", ondelete="CASCADE"), nullable=False),
    Column("branch", Text, nullable=False),
    Column("depth", Integer, nullable=False),
    Column("upto", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Integer, nullable=False),
)
Index("chat_summaries_by_chat", SUMMARIES.c.chat)
Index("chat_summaries_by_place", SUMMARIES.c.branch, SUMMARIES.c.depth)

OPENED = Table(
    "chat_opened",
    METADATA,
    Column("chat", Text, ForeignKey("chats.id", ondelete="CASCADE"), primary_key=True),
    Column("name", Text, primary_key=True),
)

SWITCHED_OFF = Table(
    "chat_switched_off",
    METADATA,
    Column("chat", Text, ForeignKey("chats.id", ondelete="CASCADE"), primary_key=True),
    Column("name", Text, primary_key=True),
)

REVERTS = Table(
    "chat_reverts",
    METADATA,
    Column("chat", Text, ForeignKey("chats.id", ondelete="CASCADE"), primary_key=True),
    Column("branch", Text, primary_key=True),
    Column("turn", Text, primary_key=True),
)
"""Causes whose changes have still to be taken back, since their branch was left."""

DRAFTS = Table(
    "chat_drafts",
    METADATA,
    Column("chat", Text, primary_key=True),
    Column("content", Text, nullable=False),
)
"""What is not sent yet; the chat "" is the one to be begun, so that this is no foreign key."""

ARRIVING = Table(
    "chat_arriving",
    METADATA,
    Column("chat", Text, ForeignKey("chats.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("said", Text, nullable=False),
    Column("thought", Text, nullable=False),
)
"""What has come of the reply under way; it goes in the transaction that records the reply."""

TAKEN_BACK = Table(
    "chat_taken_back",
    METADATA,
    Column("chat", Text, ForeignKey("chats.id", ondelete="CASCADE"), primary_key=True),
    Column("branch", Text, primary_key=True),
    Column("left_branch", Text, primary_key=True),
    Column("turn", Text, primary_key=True),
    Column("content", Text, nullable=False),
)
"""What went back of a turn whose branch was left for `branch`."""
