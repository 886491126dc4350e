"""Which tokens of a vocabulary end a sentence, as far as a token can tell."""

import re
from contextlib import suppress
from pathlib import Path

from core.errors import EpitomeError
from core.models.hugging_face.files import read_json

_END = re.compile(r"[.!?…]+[\"'”’»)\]]*")
_SPACES = "Ġ▁ "  # how byte-level BPE and sentencepiece write a space


def sentence_end_ids(folder: Path) -> tuple[int, ...]:
    """The ids of tokens that are nothing but the end of a sentence.

    Args:
        folder: Where `tokenizer.json` lies.

    Returns:
        The ids, in order: those of full stops, question marks and exclamation marks, with or
        without quotation marks and brackets behind; none where the file cannot be read.
    """
    with suppress(EpitomeError, KeyError, TypeError, AttributeError):
        vocabulary = read_json(folder / "tokenizer.json")["model"]["vocab"]
        if isinstance(vocabulary, dict):
            tokens = [(token, number) for token, number in vocabulary.items()]
        else:
            tokens = [(token, number) for number, (token, _) in enumerate(vocabulary)]
        ends = (number for token, number in tokens if _END.fullmatch(token.strip(_SPACES)))
        return tuple(sorted(ends))
    return ()
