"""A child process that uses an account whose token has to be renewed each time, until it is killed."""

import asyncio
import sys
from pathlib import Path

from support.account_benches import account_bench
from support.clocks import HandClock
from support.oauth_servers import OAuthServer


async def use_without_end(folder: Path, port: int, account: str) -> None:
    """Send requests with the account, each of which needs a new token."""
    server = OAuthServer()
    server.http.port = port
    clock = HandClock()
    async with account_bench(folder, server, clock=clock) as bench:
        found = await bench.accounts.get(account)
        while True:
            clock.advance(3600)
            await bench.fetch(found, f"{server.url}/api/x")


if __name__ == "__main__":
    asyncio.run(use_without_end(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
