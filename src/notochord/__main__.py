"""The command line: desktop, headless and one-shot commands."""

import sys


def main() -> int:
    return 0


if __name__ == "__main__":
    sys.exit(main())
