"""Makes a `tokenizer.json` of the older files of a Hugging Face folder.

Those are sentencepiece models (`spiece.model`), and vocabularies with merges. The library converts
them, in a process of its own with a budget: a file that was made to do harm can end the process,
fill the memory or never return.
"""

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from core.errors import EpitomeError
from core.models.hugging_face.files import read_tokenizer_settings
from core.models.hugging_face.folder import TOKENIZER_FILE
from core.system.bounded_child import ask

_CODE = "from core.training.tokenizer_conversion import main; main()"
_WAIT_S = 120.0  # large vocabularies take half a minute on a busy machine
_BRACKETS = re.compile(r"\[(PAD|UNK|CLS|SEP|X_SEP|MASK)\]")
_PROPHETNET, _PROPHETNET_END = "prophetnet.tokenizer", "[SEP]"


def converted(folder: Path) -> str:
    """What `tokenizer.json` of a folder would hold.

    Args:
        folder: A model's folder, which has no such file.

    Returns:
        The text of the file.

    Raises:
        EpitomeError: If the library cannot convert the tokenizer, or not within the budget.
    """
    answer = ask(_CODE, str(folder).encode(), wait_s=_WAIT_S)
    if answer.outcome == "done":
        return answer.text
    raise EpitomeError(
        f"The tokenizer in {folder} is not in {TOKENIZER_FILE}, and cannot be converted "
        f"({answer.why}).",
        f"Take {TOKENIZER_FILE} from where the model was first published.",
        kind="no-tokenizer",
    )


def main() -> None:
    """What the child does: converts the tokenizer of the folder that standard input names."""
    folder = Path(sys.stdin.buffer.read().decode())
    # Of ProphetNet's the library knows no fast tokenizer.
    text = _wordpiece(folder) if (folder / _PROPHETNET).is_file() else _by_library(folder)
    sys.stdout.buffer.write(text.encode())


def _by_library(folder: Path) -> str:
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
        return str(found.backend_tokenizer.to_str())
    except Exception as error:  # the library raises nothing more exact
        raise SystemExit(str(error).strip().partition("\n")[0] or type(error).__name__) from None


def _wordpiece(folder: Path) -> str:
    """ProphetNet's tokenizer: BERT's, with an end but no beginning."""
    import tokenizers
    from tokenizers import decoders, models, normalizers, pre_tokenizers, processors

    lower = bool(read_tokenizer_settings(folder).get("do_lower_case", True))
    vocabulary = models.WordPiece.read_file(str(folder / _PROPHETNET))
    end = vocabulary.get(_PROPHETNET_END)
    if end is None:
        raise SystemExit(f"{_PROPHETNET} lacks the token {_PROPHETNET_END}")
    engine = tokenizers.Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    engine.normalizer = normalizers.BertNormalizer(lowercase=lower)
    engine.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    engine.decoder = decoders.WordPiece()
    engine.add_special_tokens([token for token in vocabulary if _BRACKETS.fullmatch(token)])
    engine.post_processor = processors.TemplateProcessing(
        single=f"$A {_PROPHETNET_END}", special_tokens=[(_PROPHETNET_END, end)]
    )
    return str(engine.to_str())
