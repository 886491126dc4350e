"""Tokenizers as other programs train them."""

from functools import cache
from pathlib import Path

import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers
from tokenizers.implementations import SentencePieceUnigramTokenizer

from tests.helpers.corpora import TEXTS


def wordpiece() -> tokenizers.Tokenizer:
    """As BERT's."""
    engine = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    engine.normalizer = normalizers.BertNormalizer(lowercase=True)
    engine.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    engine.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    engine.train_from_iterator(
        TEXTS, trainers.WordPieceTrainer(vocab_size=300, special_tokens=special)
    )
    engine.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    engine.enable_truncation(8)
    engine.enable_padding(length=8)
    return engine


def sentencepiece() -> tokenizers.Tokenizer:
    """As T5's: Unigram with sentencepiece's spaces."""
    made = SentencePieceUnigramTokenizer()
    special = ["<pad>", "</s>", "<unk>", "<extra_id_0>"]
    made.train_from_iterator(TEXTS, vocab_size=300, special_tokens=special, unk_token="<unk>",
                             show_progress=False)  # fmt: skip
    engine = tokenizers.Tokenizer.from_str(made.to_str())
    engine.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    return engine


def bart() -> tokenizers.Tokenizer:
    """As BART's: byte-level BPE with other ids than ours."""
    engine = tokenizers.Tokenizer(models.BPE())
    engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    engine.decoder = decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    engine.train_from_iterator(
        TEXTS,
        trainers.BpeTrainer(vocab_size=400, special_tokens=special, initial_alphabet=alphabet),
    )
    engine.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return engine


MADE = {"wordpiece": wordpiece, "sentencepiece": sentencepiece, "bart": bart}


@cache
def _text(name: str) -> str:
    return MADE[name]().to_str()


def saved(name: str, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "tokenizer.json").write_text(_text(name), "utf-8")
    return folder
