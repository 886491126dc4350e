"""llama.cpp: it loads a GGUF file, makes tokens and writes.

It is C++, and a file or a text may end its process: so a model is used in a process of its own
(`LlamaProcess`). The package serves its model by HTTP only. It listens on a socket file in a folder
that only this user may open; where there are no such files (Windows), on a port of this machine
alone, for requests with a secret key. Nothing leaves the machine.
"""

import contextlib
import ctypes
import json
import os
import secrets
import shutil
import socket
import sys
import tempfile
import weakref
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final

from core.errors import EpitomeError
from core.system.bounded_child import Answer, BoundedService, CallFailedError, serve

_LOCAL: Final = "127.0.0.1"
_SOCKET: Final = "llama.sock"
_LONGEST_SOCKET: Final = 100  # bytes; macOS allows 104
_QUIET: Final = -1
_ERRORS: Final = 1
_OTHER_TEMPLATE: Final = "chatml"  # one that llama.cpp brings itself
_TIMEOUT_S: Final = 3600  # reading a long text takes minutes on a slow processor
_TOKENS_TIMEOUT_S: Final = 60
_CODE: Final = "from core.models.gguf.server import main; main()"
_MORE_MIB: Final = 8192  # beside the weights: a long context of a large model takes some


class LlamaServer:
    """A model that is loaded in this process.

    Args:
        path: The GGUF file.
        context: How many tokens it reads and writes together.
        threads: How many compute.
        uses_template: Whether the file's own chat template is read; loading the file renders it,
            which may never end.
        says_errors: Whether llama.cpp prints its errors to standard error.

    Attributes:
        folder: Where it listens.

    Raises:
        EpitomeError: If the file cannot be loaded.
    """

    def __init__(
        self,
        path: Path,
        context: int,
        threads: int,
        *,
        uses_template: bool = False,
        says_errors: bool = False,
    ) -> None:
        import xllamacpp

        self.folder = _new_folder()
        self._key = secrets.token_hex(16)
        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        params.n_ctx, params.n_parallel = context, 1
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
        params.n_gpu_layers = 0  # the same text on every machine
        params.warmup = params.ui = False
        params.offline = True
        params.verbosity = _ERRORS if says_errors else _QUIET
        params.cache_ram_mib = 0
        if not uses_template:
            params.chat_template = _OTHER_TEMPLATE
        params.api_keys = [self._key]
        self._port = 0
        if hasattr(socket, "AF_UNIX") and sys.platform != "win32":
            params.hostnames = [str(self.folder / _SOCKET)]
        else:
            params.hostnames, self._port = [_LOCAL], _free_port()
            params.port = self._port
        self._close = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        try:
            engine = xllamacpp.Server(params)
        except (RuntimeError, ValueError) as error:
            self._close()
            raise EpitomeError(
                f"llama.cpp cannot load {path}: its architecture is not known to it, or memory is "
                "not enough.",
                "Update the part with the command that installed it, or choose another file.",
            ) from error
        # Its end waits for a thread of its own that may wait for ever, and stops this process
        # meanwhile: so it is never ended. What it holds is freed when the process ends.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(engine))

    def tokens(self, text: str, *, marked: bool = False, begins: bool = False) -> list[int]:
        """The ids of a text.

        Args:
            text: The text.
            marked: Whether text that spells a special token means it.
            begins: Whether the token that begins a row stands before it, where the model has one.

        Returns:
            The ids.
        """
        told = self._told(
            "/tokenize", {"content": text, "add_special": begins, "parse_special": marked}
        )
        return [int(each) for each in told["tokens"]]

    def text(self, ids: list[int]) -> str:
        """The text of ids."""
        return str(self._told("/detokenize", {"tokens": ids})["content"])

    def prompt(self, question: str) -> str:
        """What the model's chat template makes of a question; special tokens are written out."""
        messages = [{"role": "user", "content": question}]
        return str(self._told("/apply-template", {"messages": messages})["prompt"])

    def written(self, prompt: list[int], most: int) -> Iterator[tuple[list[int], str]]:
        """Writes greedily; who stops reading ends it.

        Args:
            prompt: The ids of what it reads.
            most: How many tokens it writes at most.

        Yields:
            New ids, and why it ended: "eos" or "limit"; empty before the end.

        Raises:
            EpitomeError: If it cannot write.
        """
        asked = {
            "prompt": prompt, "n_predict": most, "temperature": 0, "stream": True,
            "return_tokens": True, "cache_prompt": False, "repeat_penalty": 1.0,
        }  # fmt: skip
        held: list[int] = []  # the token that ends a text is told like any other
        with self._answer("/completion", asked, _TIMEOUT_S) as answer:
            for line in answer:
                name, _, data = line.decode("utf-8", "replace").strip().partition(": ")
                if name == "error":
                    raise _failure(data)
                if name == "data" and data.startswith("{"):
                    told = json.loads(data)
                    if "error" in told:
                        raise _failure(json.dumps(told["error"]))
                    ended = str(told.get("stop_type", "")) if told.get("stop") else ""
                    new = [*held, *map(int, told.get("tokens", []))]
                    new, held = (new, []) if ended else (new[:-1], new[-1:])
                    yield new[:-1] if ended == "eos" else new, ended

    def _told(self, place: str, asked: dict[str, Any]) -> dict[str, Any]:
        with self._answer(place, asked, _TOKENS_TIMEOUT_S) as answer:
            told: dict[str, Any] = json.loads(answer.read())
            return told

    @contextlib.contextmanager
    def _answer(self, place: str, asked: dict[str, Any], timeout_s: float) -> Iterator[Any]:
        connection = self._connection(timeout_s)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"}
        try:
            connection.request("POST", place, json.dumps(asked).encode(), headers)
            answer = connection.getresponse()
            if answer.status != 200:
                raise _failure(answer.read().decode("utf-8", "replace"))
            yield answer
        except (OSError, HTTPException, ValueError) as error:
            self._give_up(error)
            raise _failure(str(error)) from error
        finally:
            connection.close()

    def _connection(self, timeout_s: float) -> HTTPConnection:
        if self._port:
            return HTTPConnection(_LOCAL, self._port, timeout=timeout_s)
        return _FileConnection(self.folder / _SOCKET, timeout_s)

    def _give_up(self, error: Exception) -> None:
        """Does what is needed after a request that was not answered."""


class LlamaProcess(LlamaServer):
    """A model that is loaded in a process of its own.

    The process starts anew with the next request after one that ended it.

    Args:
        path: The GGUF file.
        context: How many tokens it reads and writes together.
        threads: How many compute.

    Raises:
        EpitomeError: If the file cannot be loaded.
    """

    def __init__(self, path: Path, context: int, threads: int) -> None:
        self._given = {"path": str(path.absolute()), "context": context, "threads": threads}
        self._memory_mib = _MORE_MIB + (3 * path.stat().st_size >> 20)
        self._start()

    def _start(self) -> None:
        self._service = BoundedService(_CODE, wait_s=_TIMEOUT_S, memory_mib=self._memory_mib)
        try:
            folder, self._key, self._port = self._service.call("load", self._given)
        except CallFailedError as error:
            raise EpitomeError(*_describe_failure(error.answer, self._given["path"])) from error
        self.folder = Path(folder)
        # The process that made it may have been killed.
        weakref.finalize(self._service, shutil.rmtree, folder, ignore_errors=True)

    def _connection(self, timeout_s: float) -> HTTPConnection:
        if not self._service.is_running():
            self._start()
        return super()._connection(timeout_s)

    def _give_up(self, error: Exception) -> None:
        if isinstance(error, TimeoutError):
            self._service.end()


def _describe_failure(answer: Answer, path: object) -> tuple[str, str]:
    """Returns the fault of a file that a process could not load, and what to do."""
    if answer.outcome == "refused":
        message, remedy = json.loads(answer.text)
        return message, remedy
    return f"llama.cpp cannot use {path}: {answer.why}.", "Choose another file."


class _Served:
    """A model in the child, which listens until the child ends."""

    def load(self, given: dict[str, Any]) -> tuple[str, str, int]:
        """Loads a file; gives where it listens: a folder, the key, and a port or 0."""
        try:
            self._server = LlamaServer(Path(given["path"]), given["context"], given["threads"])
        except EpitomeError as error:
            raise ValueError(json.dumps([error.message, error.remedy])) from None
        return str(self._server.folder), self._server._key, self._server._port


def main() -> None:
    """The body of the child."""
    serve(_Served(), ["load"], _TIMEOUT_S)
    os._exit(0)  # the end of the package's server may never come


def _new_folder() -> Path:
    """A folder for this person alone, whose name is short enough for a socket's."""
    folder = Path(tempfile.mkdtemp(prefix="epitome-"))
    if len(os.fspath(folder / _SOCKET)) < _LONGEST_SOCKET:
        return folder
    folder.rmdir()
    return Path(tempfile.mkdtemp(prefix="epitome-", dir="/tmp"))


class _FileConnection(HTTPConnection):
    """HTTP through a socket file."""

    def __init__(self, path: Path, timeout_s: float) -> None:
        super().__init__("localhost", timeout=timeout_s)
        self._path = path

    def connect(self) -> None:
        if sys.platform == "win32":
            raise OSError("A port is used here.")
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(os.fspath(self._path))


def _failure(told: str) -> EpitomeError:
    with contextlib.suppress(ValueError, AttributeError):
        told = str(json.loads(told).get("message") or json.loads(told)["error"]["message"])
    told = told.strip().partition("\n")[0].rstrip(".")[:200]
    return EpitomeError(
        f"llama.cpp did not answer ({told}).", "Try again; if that fails, import the file again."
    )


def _free_port() -> int:
    with socket.socket() as free:
        free.bind((_LOCAL, 0))
        return int(free.getsockname()[1])
