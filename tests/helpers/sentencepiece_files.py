"""Sentencepiece models as that library writes them, made of tokenizers of the same pieces."""

import json
from pathlib import Path

import tokenizers
from transformers.utils import sentencepiece_model_pb2_new as spm

UNIGRAM = 1
ORDINARY, UNKNOWN, CONTROL = 1, 2, 3
KINDS = {"<unk>": UNKNOWN, "<pad>": CONTROL, "</s>": CONTROL}


def write_sentencepiece(engine: tokenizers.Tokenizer, path: Path) -> None:
    """Writes the pieces of a Unigram tokenizer as a sentencepiece model.

    Args:
        engine: Whose pieces; "<unk>" is the unknown one, "<pad>" and "</s>" are control tokens.
        path: The file, such as `spiece.model`.
    """
    pieces = json.loads(engine.to_str())["model"]["vocab"]
    made = spm.ModelProto()
    for name, score in pieces:
        kind = KINDS.get(name, ORDINARY)
        made.pieces.add(piece=name, score=score, type=kind)
    names = [name for name, _ in pieces]
    trainer = made.trainer_spec
    trainer.model_type, trainer.vocab_size = UNIGRAM, len(names)
    trainer.unk_id, trainer.unk_piece = names.index("<unk>"), "<unk>"
    trainer.pad_id, trainer.eos_id, trainer.bos_id = names.index("<pad>"), names.index("</s>"), -1
    made.normalizer_spec.name = "identity"
    made.normalizer_spec.add_dummy_prefix = True
    made.normalizer_spec.remove_extra_whitespaces = True
    path.write_bytes(made.SerializeToString())
