"""Loads a GGUF file in a process of its own, before this one does.

llama.cpp is C++ and trusts what the head of a file says: lists that are shorter than the
vocabulary, sizes that are zero, values of another type. A file that ends its process, fills the
memory or never answers is refused here.
"""

import json
import os
import re
import sys
import tempfile
from pathlib import Path

from core.errors import EpitomeError
from core.models.hugging_face.loading_report import named_tensors
from core.storage.parsing import parse_json
from core.system.bounded_child import MEMORY_MIB, ask

_CODE = "from core.models.gguf.trial import main; main()"
_CONTEXT = 256  # tokens
_WAIT_S, _BYTES_A_SECOND = 60.0, 20_000_000  # of a slow disk
_REMEDY = "Get the file again from where it was published, or choose another one."
_MISSING = re.compile(r"tensor '([^']{1,200})' not found|missing tensor '([^']{1,200})'")
_TRIED: set[tuple[str, int, int]] = set()


def check_loads(path: Path) -> None:
    """Refuses a file that llama.cpp cannot load and write with; asks once for each file.

    Args:
        path: The file.

    Raises:
        EpitomeError: If llama.cpp refuses it, dies of it, or takes too long.
    """
    status = path.stat()
    known = (str(path.resolve()), status.st_size, status.st_mtime_ns)
    if known in _TRIED:
        return
    wait_s = round(_WAIT_S + status.st_size / _BYTES_A_SECOND)
    memory_mib = MEMORY_MIB + (3 * status.st_size >> 20)  # weights may be packed anew
    with tempfile.TemporaryDirectory(prefix="epitome-") as place:  # nothing is left of one killed
        given = json.dumps({"path": str(path.absolute()), "place": place}).encode()
        answer = ask(_CODE, given, wait_s=wait_s, memory_mib=memory_mib)
    told = parse_json(answer.text) if answer.outcome == "done" else None
    if told == []:
        _TRIED.add(known)
        return
    if missing := _MISSING.search(answer.errors):
        which = named_tensors([missing[1] or missing[2]])
        raise EpitomeError(f"The weights in {path} are not whole: {which} missing.", _REMEDY)
    if told:
        raise EpitomeError(*told)
    raise EpitomeError(f"llama.cpp cannot use {path}: {answer.why}.", _REMEDY)


def main() -> None:
    """What the child does: loads the file that standard input names, and writes two tokens.

    It answers on standard output, with a message and a remedy or with nothing: llama.cpp writes its
    errors to standard error from a thread of its own, before and after a text that is put there.
    """
    given = parse_json(sys.stdin.buffer.read())
    told: list[str] = []
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    tempfile.tempdir = given["place"]
    from core.models.gguf.server import LlamaServer

    try:
        server = LlamaServer(Path(given["path"]), _CONTEXT, 1, says_errors=True)
        prompt = server.tokens("The quay was inspected.", begins=True)
        for ids, _ in server.written(prompt or [0], 2):
            server.text(ids)
    except EpitomeError as error:
        told = [error.message, error.remedy]
    with answer:
        json.dump(told, answer)
