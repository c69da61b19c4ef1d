"""Begins a conversation with a text in its composer, for pages that bring something to say."""

from notochord.core.flat_text import flattened
from notochord.services.chat.api import NewChat
from notochord.viewmodels.chat.desk import ChatDesk
from notochord.viewmodels.shell.navigation import Navigation, Page


async def begin_with(text: str, desk: ChatDesk, navigation: Navigation) -> None:
    """Show a new conversation with `text` to be sent; what is unsent there stays above it. Nothing is sent."""
    await _add("", text, desk)
    navigation.go(Page.CHAT)


async def talk_about(about: str, gem: str, agent: str, desk: ChatDesk, navigation: Navigation) -> None:
    """Show a conversation with an agent of a gem, with the text of a page to be asked about. Nothing is sent.

    One that nothing was said in yet is taken again. Raises as `Chats.create`.
    """
    role = f"{gem}/{agent}"
    chat = await _unused(role, desk) or (await desk.chats.create(NewChat(role=role))).id
    await _add(chat, f"{quoted(about)}\n\n", desk)
    navigation.go(Page.CHAT, chat)


def quoted(text: str) -> str:
    """Return a text of a page as a quotation: nothing unseen in it, no line that looks like the user's own."""
    lines = (flattened(line) for line in text.splitlines())
    return "\n".join(f"> {line}" for line in lines if line)


async def _unused(role: str, desk: ChatDesk) -> str:
    """Return the conversation of this role in which nothing was said yet, "" if there is none."""
    for chat in await desk.chats.all():
        if chat.role == role and not await desk.chats.latest(chat.id, most=1):
            return chat.id
    return ""


async def _add(chat: str, text: str, desk: ChatDesk) -> None:
    """Put a text below what is unsent; one that stands there already is not put there again."""
    composer = desk.writing(chat).composer
    await composer.start()
    before = composer.text.value.rstrip()
    if text.strip() and text.strip() not in before:
        composer.set_text(f"{before}\n\n{text}" if before else text)
