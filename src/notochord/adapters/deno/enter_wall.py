"""The program between Notochord and a guest: `python -I -S enter_wall.py ORDER COMMAND…`."""

import sys


def _start() -> None:
    sys.path.append(sys.argv[1])
    from notochord.adapters.deno.wall.enter import main

    main(sys.argv[2], sys.argv[3:])


if __name__ == "__main__":
    _start()
