"""``python -m core.cli``: the command line, for launchers that start a module in many processes."""

import sys


def _run() -> int:
    try:
        from core.cli.main import main  # imported here: Ctrl-C may come meanwhile

        return main()
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted. Nothing was written.\n")
        return 130


if __name__ == "__main__":
    sys.exit(_run())
