"""llama.cpp in this process: it loads a GGUF file, makes tokens and writes.

The package serves its model by HTTP only. Here it listens on a socket file in a folder that
nobody else may open; where there are no such files (Windows), on a port of this machine alone, for
requests with a secret key. Nothing leaves the machine.
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

_LOCAL: Final = "127.0.0.1"
_SOCKET: Final = "llama.sock"
_LONGEST_SOCKET: Final = 100  # bytes; macOS allows 104
_QUIET: Final = -1
_ERRORS: Final = 1
_OTHER_TEMPLATE: Final = "chatml"  # one that llama.cpp brings itself
_TIMEOUT_S: Final = 3600  # reading a long text takes minutes on a slow processor


class LlamaServer:
    """A loaded model.

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
        with self._answer("/completion", asked) as answer:
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
        with self._answer(place, asked) as answer:
            told: dict[str, Any] = json.loads(answer.read())
            return told

    @contextlib.contextmanager
    def _answer(self, place: str, asked: dict[str, Any]) -> Iterator[Any]:
        connection = self._connection()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"}
        try:
            connection.request("POST", place, json.dumps(asked).encode(), headers)
            answer = connection.getresponse()
            if answer.status != 200:
                raise _failure(answer.read().decode("utf-8", "replace"))
            yield answer
        except (OSError, HTTPException, ValueError) as error:
            raise _failure(str(error)) from error
        finally:
            connection.close()

    def _connection(self) -> HTTPConnection:
        if self._port:
            return HTTPConnection(_LOCAL, self._port, timeout=_TIMEOUT_S)
        return _FileConnection(self.folder / _SOCKET)


def _new_folder() -> Path:
    """A folder for this person alone, whose name is short enough for a socket's."""
    folder = Path(tempfile.mkdtemp(prefix="epitome-"))
    if len(os.fspath(folder / _SOCKET)) < _LONGEST_SOCKET:
        return folder
    folder.rmdir()
    return Path(tempfile.mkdtemp(prefix="epitome-", dir="/tmp"))


class _FileConnection(HTTPConnection):
    """HTTP through a socket file."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=_TIMEOUT_S)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(_TIMEOUT_S)
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
