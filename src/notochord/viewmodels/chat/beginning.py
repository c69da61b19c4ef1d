"""Begins a conversation with a text in its composer, for pages that bring something to say."""

from notochord.viewmodels.chat.desk import ChatDesk
from notochord.viewmodels.shell.navigation import Navigation, Page


async def begin_with(text: str, desk: ChatDesk, navigation: Navigation) -> None:
    """Show a new conversation with `text` to be sent; what is unsent there stays above it. Nothing is sent."""
    composer = desk.writing("").composer
    await composer.start()
    before = composer.text.value.rstrip()
    composer.set_text(f"{before}\n\n{text}" if before else text)
    navigation.go(Page.CHAT)
