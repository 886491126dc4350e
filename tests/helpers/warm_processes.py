"""Child processes of tests that find the program imported, because they are forked (Linux only).

Importing the program takes most of the time of a child that does something small. Here the children
whose commands are in `_commands` are forks of a server that has imported it once for all tests of a
process. They are children of the process that starts them, with the environment, files and session
that they would have, and end as they would. Tests of how a process starts are marked `cold_start`.
"""

import ctypes
import gc
import hashlib
import inspect
import io
import os
import pickle
import runpy
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from core.library.folders import HOME_VARIABLE

ROOT = Path(__file__).parents[2]
_IMPORTED = (
    "core.cli.main",
    "core.cli.summarise",
    "core.jobs.lanes.kinds",
    "core.jobs.training.train",
    "core.models.builders",
    "core.training.step",
    "core.jobs.documents.warm_up",
    "gui.app",
    "gui.main_window",
    "tests.helpers.queued_jobs",
    "torch",
    "transformers",
)
# What Python and libraries read when they are imported. TORCHINDUCTOR_CACHE_DIR is not among them:
# torch sets it in this process when it first compiles.
_READ_AT_START = ("PYTHON", "LC_", "LANG", "LD_", "TZ", "OMP_NUM_", "DASK_", "HF_", "TORCH_")
_MOST_BYTES = 100_000  # a message of a socket may be so long; for a longer one a process is started
_LABEL, _SERVER = "epitome-tests", "server"  # the name of a file without a place on a disk
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of prctl
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != HOME_VARIABLE}
_execute_child: Any = subprocess.Popen._execute_child  # type: ignore[attr-defined]


class _Request(NamedTuple):
    """A process to fork.

    Args:
        words: Its command line from ``-c`` or ``-m`` on.
        is_safe: Whether it imports nothing from the current folder.
        folder: Its current folder.
        environment: Its environment.
        is_apart: Whether it leads a session of its own.
    """

    words: list[str]
    is_safe: bool
    folder: str
    environment: dict[str, str]
    is_apart: bool


class _State:
    """The server of this process, and the line to it."""

    is_on = False
    pid = 0
    line: socket.socket | None = None
    lock = threading.Lock()


def switch(on: bool) -> None:
    """Decides whether children of the next test are forked."""
    _State.is_on = on and sys.platform == "linux"
    if _State.is_on:
        subprocess.Popen._execute_child = _execute  # type: ignore[attr-defined]


def server_pid() -> int:
    """The number of the server's process; 0 where there is none."""
    return _State.pid


def works_in(pid: int, home: str) -> bool:
    """True if a process was forked for a home: its environment is not seen from outside."""
    return _hash(home) in _label(pid)


def words_of_fork(pid: int) -> str:
    """The command line of a forked process, which is not seen from outside; empty for others."""
    return _label(pid).partition(" ")[2]


def is_server(pid: int) -> bool:
    """True for a process that only serves another."""
    return pid == _State.pid or f"{_LABEL}-{_SERVER}" in _label(pid)


def _label(pid: int) -> str:
    """What a process has written on a file of its own."""
    with suppress(OSError):
        for file in Path(f"/proc/{pid}/fd").iterdir():
            if _LABEL in (name := str(file.readlink())):
                return name
    return ""


def _put_label(text: str) -> None:
    os.memfd_create(f"{_LABEL}-{text}"[:200])


def _hash(home: str) -> str:
    return hashlib.sha256(home.encode()).hexdigest()


@cache
def _commands() -> list[list[str]]:
    """Command lines that are forked: how they begin, after Python and its options."""
    from core.jobs.lanes import child, detached, lane
    from tests.helpers import queued_jobs

    made = (
        child.command(),
        detached.command("", 0)[:-2],
        lane.command("")[:-1],
        queued_jobs.job_command("", 0)[:-2],
        queued_jobs.lane_command("")[:-1],
    )
    programs = (
        "core.cli",
        "distributed.cli.dask_scheduler",
        "distributed.cli.dask_worker",
        "tests.helpers.window_program",
    )
    return [
        *(["-m", name] for name in programs),
        ["-c", "from core.cli.main import main; raise SystemExit(main())"],
        *(command[command.index("-c") :] for command in made),
    ]


def _execute(process: "subprocess.Popen[Any]", *given: Any) -> None:
    """As `subprocess.Popen._execute_child`, by a fork where one will do."""
    options = inspect.signature(_execute_child).bind(process, *given).arguments
    request = _request(options) if _State.is_on else None
    message = pickle.dumps(request)
    if request is None or len(message) > _MOST_BYTES:
        _execute_child(process, *given)
        return
    pipes = [options[end] for end in ("p2cread", "c2pwrite", "errwrite")]
    files = [number if pipe == -1 else pipe for number, pipe in enumerate(pipes)]
    with _State.lock, _adopting():
        line = _line()
        socket.send_fds(line, [message], files)
        process.pid = int(line.recv(_MOST_BYTES))
    process._child_created = True  # type: ignore[attr-defined]
    ends = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
    process._close_pipe_fds(*(options[end] for end in ends))  # type: ignore[attr-defined]


def _request(options: Mapping[str, Any]) -> _Request | None:
    """What a call asks for; None where only a new process gives it."""
    environment = options["env"]
    environment = dict(os.environ if environment is None else environment)
    is_plain = not (options["preexec_fn"] or options["pass_fds"] or options["shell"])
    if not (is_plain and isinstance(options["args"], list)):
        return None
    words = [*map(os.fsdecode, options["args"])]
    if words[0] != sys.executable:
        return None
    is_safe = words[1] == "-P"
    rest = words[1 + is_safe :]
    if not any(rest[: len(command)] == command for command in _commands()):
        return None
    if not _starts_alike(environment):
        return None
    folder = os.fspath(options["cwd"] or Path.cwd())
    return _Request(rest, is_safe, folder, environment, options["start_new_session"])


def _starts_alike(environment: Mapping[str, str]) -> bool:
    """True if Python starts with an environment as it does with that of the tests."""
    given, own = (
        {name: value for name, value in each.items() if name.startswith(_READ_AT_START)}
        for each in (environment, _ENVIRONMENT)
    )
    places, own_places = ({*each.pop("PYTHONPATH", "").split(os.pathsep)} for each in (given, own))
    return given == own and places <= own_places | {"", str(ROOT)}


@contextmanager
def _adopting() -> Iterator[None]:
    """Inside, processes whose parents end become children of this one."""
    prctl = ctypes.CDLL(None).prctl
    prctl(_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        prctl(_SUBREAPER, 0, 0, 0, 0)


def _line() -> socket.socket:
    """The line to the server, which is started with the first request."""
    if _State.line is None:
        _State.line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        code = f"from {__name__} import serve; run = serve({theirs.fileno()}); run()"
        server = subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=_ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        )
        theirs.close()
        server.returncode = 0  # it ends with the line; nobody waits for it
        _State.pid = server.pid
    return _State.line


def serve(descriptor: int) -> Callable[[], object]:
    """Forks a process for each request.

    Args:
        descriptor: The other end of the line.

    Returns:
        In the forked processes only: what they are to execute.
    """
    for name in _IMPORTED:
        import_module(name)
    with suppress(ModuleNotFoundError):
        import_module("distributed")  # of an optional part
    _summarise()
    gc.collect()
    gc.freeze()  # what is shared is not written by a collection
    assert len(os.listdir("/proc/self/task")) == 1, "a fork has one thread only"  # noqa: PTH208
    switch(True)
    _put_label(_SERVER)
    return _serve(socket.socket(fileno=descriptor))


def _summarise() -> None:
    """Makes what is made once for the first document of a process."""
    from core.distribution.resources import resource
    from core.jobs.sources.sources import SourceRef
    from core.jobs.summaries.summarise import SummariseJob, SummariseSettings
    from core.stop import StopToken

    for name in ("article.md", "patent.pdf", "report.docx"):
        source = SourceRef(path=resource("samples", name))
        all(SummariseJob(source, SummariseSettings()).run(StopToken()))


def _serve(line: socket.socket) -> Callable[[], object]:
    while True:
        message, files, *_ = socket.recv_fds(line, 2 * _MOST_BYTES, 3)
        if not message:
            os._exit(0)
        pid = _fork_twice()
        if not pid:
            line.close()
            return _become(pickle.loads(message), files)
        for file in files:
            os.close(file)
        line.send(str(pid).encode())


def _fork_twice() -> int:
    """Forks a process whose parent ends at once; gives its number, and 0 in it."""
    reading, writing = os.pipe()
    between = os.fork()
    if not between:
        parent = os.getpid()
        pid = os.fork()
        if pid:
            os.write(writing, str(pid).encode())
            os._exit(0)
        while os.getppid() == parent:  # until it is adopted
            os.sched_yield()
    os.close(writing)
    if not between:
        os.close(reading)
        return 0
    os.waitpid(between, 0)
    with os.fdopen(reading, "rb") as file:
        return int(file.read())


def _open(number: int, name: str) -> None:
    """Opens a standard stream as Python does when it starts."""
    before, is_unbuffered = getattr(sys, name), bool(os.environ.get("PYTHONUNBUFFERED"))
    is_unbuffered &= name != "stdin"
    mode = "rb" if name == "stdin" else "wb"
    stream = io.TextIOWrapper(
        os.fdopen(number, mode, buffering=0 if is_unbuffered else -1, closefd=False),
        encoding=before.encoding,
        errors=before.errors,
        line_buffering=not is_unbuffered and (name == "stderr" or os.isatty(number)),
        write_through=is_unbuffered,
    )
    setattr(sys, name, stream)
    setattr(sys, f"__{name}__", stream)


def _become(request: _Request, files: list[int]) -> Callable[[], object]:
    """Makes this process the one that was asked for; gives what it executes."""
    if request.is_apart:
        os.setsid()
    line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    _put_label(_SERVER)
    server = os.fork()
    if not server:  # it serves what this process starts
        for file in files:
            os.close(file)
        line.close()
        return _serve(theirs)
    for number, (file, stream) in enumerate(zip(files, ("stdin", "stdout", "stderr"), strict=True)):
        os.dup2(file, number)
        _open(number, stream)
    own = line.fileno()
    os.closerange(3, own)
    os.closerange(own + 1, os.sysconf("SC_OPEN_MAX"))
    _State.line, _State.pid = line, server
    os.environ.clear()
    os.environ.update(request.environment)
    _put_label(" ".join([_hash(os.environ.get(HOME_VARIABLE, "")), *request.words]))
    os.chdir(request.folder)
    tempfile.tempdir = None
    option, code, *arguments = request.words
    places = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    first = [] if request.is_safe else [request.folder if option == "-m" else ""]
    sys.path[:] = dict.fromkeys([*first, *filter(None, places), *sys.path[1:]])
    sys.argv[:] = [option, *arguments]
    sys.modules["__main__"] = main = ModuleType("__main__")
    if option == "-m":
        return lambda: runpy.run_module(code, run_name="__main__", alter_sys=True)
    return lambda: exec(compile(code, "<string>", "exec"), vars(main))
