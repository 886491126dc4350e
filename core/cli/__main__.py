"""``python -m core.cli``: the command line, for launchers that start a module in many processes."""

import sys

from core.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
