"""Reads hostile files one after the other in a process of its own, and says what came of each.

    python -m tests.helpers.fuzz_child MODULE:FUNCTION SEED PORT SECRET

Says "ready"; then takes the number of a case a line, and answers with a line of JSON.
"""

import importlib
import json
import os
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from core.documents.document import Document
from core.errors import EpitomeError
from core.events import Progress, result_of
from core.jobs.documents.warm_up import WarmUpJob
from core.stop import StopToken
from core.system.limits import may_be_ended
from tests.helpers.hostile_files import SECRET, Case, make_case
from tests.helpers.reader_checks import check_spans

MEMORY_BYTES = 4_000_000_000
"""Of addresses, for a process that reads."""

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_FORBIDDEN = (
    *(
        "socket.connect",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.bind",
        "urllib.Request",
    ),
    *(
        "subprocess.Popen",
        "os.system",
        "os.exec",
        "os.posix_spawn",
        "os.fork",
        "os.remove",
        "os.rename",
    ),
    *("os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "shutil.rmtree"),
)
_RENDERER = "core.documents.readers.recognition.renderer"

Read = Callable[[bytes, str, StopToken], Generator[Progress, None, Document]]


def judge(read: Read, case: Case, seen: list[str]) -> tuple[str, str]:
    """Reads a case.

    Args:
        read: What reads it.
        case: The file.
        seen: What the process did meanwhile that no reader may.

    Returns:
        "document", "refusal" or "finding", and what was found.
    """
    seen.clear()
    try:
        document = result_of(read(case.data, case.name, StopToken()))
        _check(document)
        outcome, what = "document", ""
    except EpitomeError as error:
        outcome, what = "refusal", "" if error.message and error.remedy else "no words"
    except BaseException as error:
        outcome, what = "finding", f"{type(error).__name__}: {str(error)[:200]}{_place(error)}"
    if seen:
        outcome, what = "finding", f"{what} did {', '.join(sorted(set(seen)))}".strip()
    return ("finding", what) if what else (outcome, what)


def _check(document: Document) -> None:
    check_spans(document)
    document.text.encode(), document.title.encode()
    assert SECRET not in document.text, "an external entity was read"
    assert len(document.to_bytes()) > 0


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    place = ""
    while trace:
        code = trace.tb_frame.f_code
        if "/core/" in code.co_filename or "/site-packages/" in code.co_filename:
            place = f" ({Path(code.co_filename).name}:{trace.tb_lineno} {code.co_name})"
        trace = trace.tb_next
    return place


def watch(seen: list[str]) -> None:
    """Notes from now on what the process does beyond reading."""

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "subprocess.Popen" and _RENDERER in str(arguments[1]):
            return  # pages are drawn in a process that can be ended
        if event in _FORBIDDEN:
            seen.append(event)
        elif event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITES:
            path = arguments[0]  # a number is that of a pipe, which is open already
            if not isinstance(path, int) and path != os.devnull:
                seen.append(f"open {path!r} to write")

    sys.addaudithook(hook)


def _limit_memory() -> None:
    if sys.platform != "win32":  # which limits that of other processes only
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def _peak_mib() -> float:
    if sys.platform == "win32":
        import psutil

        return psutil.Process().memory_info().peak_wset / (1 << 20)
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Answers until standard input ends."""
    name, seed, port, secret = sys.argv[1:]
    module, function = name.split(":")
    read: Read = getattr(importlib.import_module(module), function)
    list(WarmUpJob().run(StopToken()))  # libraries may try sockets and write caches as they load
    sys.dont_write_bytecode = True  # of what is loaded later
    may_be_ended()
    _limit_memory()
    seen: list[str] = []
    watch(seen)
    print("ready", flush=True)
    for line in sys.stdin:
        case = make_case(int(line), int(seed), int(port), secret)
        start = time.process_time()  # of the processor: other work on the machine counts not
        outcome, what = judge(read, case, seen)
        seconds = time.process_time() - start
        told = {"outcome": outcome, "what": what, "seconds": seconds, "peak_mib": _peak_mib()}
        print(json.dumps({"number": case.number, "format": case.format, **told}), flush=True)


if __name__ == "__main__":
    main()
