"""Pictures of messages: fetched through the gateway without anything of the user's, or read from the folder."""

from pathlib import Path
from typing import Any, cast

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.chat.api import Chat, ChatState
from notochord.services.egress.api import Request, Response
from notochord.viewmodels.chat.pictures import Pictures
from support.file_services import workshop_in


class Gateway:
    def __init__(self, status: int = 200) -> None:
        self.requests: list[Request] = []
        self._status = status

    async def fetch(self, request: Request) -> Response:
        self.requests.append(request)
        return Response(self._status, request.url, (), b"picture")


def chat_in(folder: Path) -> Chat:
    return Chat("chat", "", False, folder, True, "m", False, ChatState.IDLE, 0)


async def test_a_picture_of_the_net_comes_through_the_gateway_without_cookies_or_secrets(tmp_path: Path) -> None:
    async with workshop_in(tmp_path) as shop:
        gateway = Gateway()
        pictures = Pictures(egress=cast(Any, gateway), files=shop.files)
        assert await pictures.load(chat_in(shop.folder), "https://example.org/a.png") == b"picture"
        (request,) = gateway.requests
        assert request.headers == (("accept", "image/*"),)
        assert not request.leave.connection
        assert not request.leave.own


async def test_a_picture_of_the_folder_is_read_and_nothing_outside_it(tmp_path: Path) -> None:
    async with workshop_in(tmp_path) as shop:
        (shop.folder / "a b.png").write_bytes(b"mine")
        (shop.folder / ".hidden.png").write_bytes(b"hidden")
        gateway = Gateway()
        pictures = Pictures(egress=cast(Any, gateway), files=shop.files)
        assert await pictures.load(chat_in(shop.folder), "./a%20b.png") == b"mine"
        for address in ("../secret.png", "/etc/passwd", ".hidden.png", "file:///etc/passwd", "data:image/png,x"):
            with pytest.raises(NotochordError):
                await pictures.load(chat_in(shop.folder), address)
        assert not gateway.requests


async def test_a_page_that_says_no_is_no_picture(tmp_path: Path) -> None:
    async with workshop_in(tmp_path) as shop:
        pictures = Pictures(egress=cast(Any, Gateway(404)), files=shop.files)
        with pytest.raises(NotochordError) as caught:
            await pictures.load(chat_in(shop.folder), "https://example.org/a.png")
        assert caught.value.code is Code.NOT_FOUND
