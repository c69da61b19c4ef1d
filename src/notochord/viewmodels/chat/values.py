"""The doors' values that the chat screen shows as they are."""

from notochord.services.approvals.api import Approval as Approval
from notochord.services.chat.api import Chat as Chat
from notochord.services.chat.api import ChatState as ChatState
from notochord.services.chat.api import ChatTool as ChatTool
from notochord.services.chat.api import ExportForm as ExportForm
from notochord.services.chat.api import ExportWords as ExportWords
from notochord.services.files.api import Entry as FileEntry
from notochord.services.files.api import EntryType as EntryType
from notochord.services.files.api import Version as Version

__all__ = [
    "Approval",
    "Chat",
    "ChatState",
    "ChatTool",
    "EntryType",
    "ExportForm",
    "ExportWords",
    "FileEntry",
    "Version",
]
