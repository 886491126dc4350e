"""``python -m core.cli``: the command line, for launchers that start a module in many processes."""

from core.system.process_environment import prepare_process

prepare_process()  # before other modules are imported: `-m` searches the current folder first

import signal  # noqa: E402
import sys  # noqa: E402
from types import FrameType  # noqa: E402
from typing import NoReturn  # noqa: E402


class _Interruption(KeyboardInterrupt):
    """Ctrl-C. Python itself watches for `KeyboardInterrupt`, and for no class of it.

    Where that passes through ``exec``, a module run by ``-m`` ends by the signal whatever it caught
    and returned; dataclasses, made while modules are imported, are made by ``exec``.
    """


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise _Interruption


def _run() -> int:
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a launcher may ignore it
        signal.signal(signal.SIGINT, _interrupt)
    try:
        from core.cli.interruptions import hear_lost_interruptions

        hear_lost_interruptions()
        from core.cli.main import main  # imported here: Ctrl-C may come meanwhile

        return main(is_process=True)
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted. Nothing was written.\n")
        return 130


if __name__ == "__main__":
    sys.exit(_run())
