"""The chat template of a GGUF file, rendered in a process of its own.

A template is a program: it may loop without end, or make a text without end. llama.cpp renders it
in compiled code that cannot be interrupted, and does so whenever it loads a file; so the program
itself loads files with a template of llama.cpp's own in its place (`core.models.gguf.server`).
"""

import json
import sys
import tempfile
from pathlib import Path

from core.errors import EpitomeError
from core.models.hugging_face.chat_template import MARK, MOST_CHARACTERS, frame_in
from core.storage.parsing import parse_json
from core.system.bounded_child import MEMORY_MIB, ask

_CODE = "from core.models.gguf.template import main; main()"
_TRIED_LENGTH = 512  # tokens of room while the template is tried
_WAIT_S, _MIB_A_SECOND = 60.0, 20.0  # a large file is first read from the disk


def chat_frame(path: Path) -> tuple[str, str]:
    """What the chat template of a file puts before and after a prompt.

    Args:
        path: The file.

    Returns:
        Both texts, special tokens written out.

    Raises:
        EpitomeError: If llama.cpp cannot load the file, or the template cannot be used.
    """
    size_mib = path.stat().st_size >> 20
    wait_s = round(_WAIT_S + size_mib / _MIB_A_SECOND)
    with tempfile.TemporaryDirectory(prefix="epitome-") as place:  # nothing is left of one killed
        given = json.dumps({"path": str(path.absolute()), "place": place}).encode()
        answer = ask(_CODE, given, wait_s=wait_s, memory_mib=MEMORY_MIB + 3 * size_mib)
    if answer.outcome == "done":
        told = parse_json(answer.text)
        if len(told) > 1:  # the file itself
            raise EpitomeError(*told)
        return frame_in(told[0], path)
    return frame_in(answer, path)


def main() -> None:
    """What the child does: loads the file on standard input, and prints the rendered template."""
    given = parse_json(sys.stdin.buffer.read())
    tempfile.tempdir = given["place"]
    from core.models.gguf.server import LlamaServer

    try:
        server = LlamaServer(Path(given["path"]), _TRIED_LENGTH, 1, uses_template=True)
    except EpitomeError as error:
        print(json.dumps([error.message, error.remedy, error.kind]))  # noqa: T201 - to the parent
        return
    try:
        told = server.prompt(MARK)
    except EpitomeError as error:
        raise SystemExit(error.message) from None
    print(json.dumps([told[: MOST_CHARACTERS + 1]]))  # noqa: T201 - to the parent
