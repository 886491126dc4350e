"""Makes a `tokenizer.json` of the older files of a Hugging Face folder.

Those are sentencepiece models (`spiece.model`), and vocabularies with merges. The library converts
them, in a process of its own with a budget: a file that was made to do harm can end the process,
fill the memory or never return.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from core.bounded_child import ask
from core.errors import EpitomeError
from core.models.hugging_face.folder import TOKENIZER_FILE

_CODE = "from core.training.tokenizer_conversion import main; main()"
_WAIT_S = 120.0  # large vocabularies take half a minute on a busy machine
_MEMORY_MIB = 8192


def converted(folder: Path) -> str:
    """What `tokenizer.json` of a folder would hold.

    Args:
        folder: A model's folder, which has no such file.

    Returns:
        The text of the file.

    Raises:
        EpitomeError: If the library cannot convert the tokenizer, or not within the budget.
    """
    answer = ask(_CODE, str(folder).encode(), wait_s=_WAIT_S, memory_mib=_MEMORY_MIB)
    if answer.outcome == "done":
        return answer.text
    why = f"it took more than {_WAIT_S:g} seconds" if answer.outcome == "timeout" else answer.text
    raise EpitomeError(
        f"The tokenizer in {folder} is not in {TOKENIZER_FILE}, and cannot be converted "
        f"({why.rstrip('.')}).",
        f"Take {TOKENIZER_FILE} from where the model was first published.",
        kind="no-tokenizer",
    )


def main() -> None:
    """What the child does: converts the tokenizer of the folder that standard input names."""
    folder = sys.stdin.buffer.read().decode()
    from transformers import AutoTokenizer
    from transformers.utils import logging

    logging.set_verbosity_error()
    library: Any = import_module("transformers.convert_slow_tokenizer")
    if not library.is_sentencepiece_available():
        # It asks for that package, but reads the file by protobuf, with classes of its own.
        library.requires_backends = lambda *_: None
    try:
        found = AutoTokenizer.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
        text = found.backend_tokenizer.to_str()
    except Exception as error:  # the library raises nothing more exact
        raise SystemExit(str(error).strip().partition("\n")[0] or type(error).__name__) from None
    sys.stdout.buffer.write(text.encode())
