"""The command line. What everybody waits for, `--version`, imports nothing; all else is the composition root's."""

import sys

from notochord import __version__

INTERRUPTED = 130


def main() -> int:
    """Run the command line of this process and return its exit status."""
    words = sys.argv[1:]
    if words == ["--version"]:
        print(f"notochord {__version__}")
        return 0
    try:
        if words[:1] == ["--child"]:
            from notochord.app.children import run_child

            return run_child(words[1:])
        from notochord.app.command_line import run
        from notochord.app.desktop.door import DesktopWindows

        return run(words, DesktopWindows())
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
