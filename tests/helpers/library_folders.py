"""Folders of tiny random models of the transformers library, saved as a download would be."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import transformers
from tqdm import tqdm
from transformers.utils import logging

from tests.helpers.foreign_tokenizers import saved
from tests.helpers.shelf import copied, kept

VOCABULARY = 448  # more than any of the tiny tokenizers has
_SIDES = {
    f"{side}_{what}": size
    for side in ("encoder", "decoder")
    for what, size in {"layers": 2, "attention_heads": 2, "ffn_dim": 32}.items()
}
_BART_LIKE = {"d_model": 16, "vocab_size": VOCABULARY, "init_std": 0.8, **_SIDES}
_T5_LIKE = {
    "d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 2,
    "vocab_size": VOCABULARY, "decoder_start_token_id": 0, "initializer_factor": 2.0,
}  # fmt: skip
_PROPHET = {
    "vocab_size": VOCABULARY, "hidden_size": 16, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32,
    "num_encoder_layers": 1, "num_decoder_layers": 1, "num_encoder_attention_heads": 2,
    "num_decoder_attention_heads": 2, "max_position_embeddings": 96, "decoder_start_token_id": 0,
    "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0, "init_std": 0.6,
}  # fmt: skip
BART_ENDS = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
_T5_ENDS = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}

FAMILIES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "bart": ("Bart", "bart", {**_BART_LIKE, **BART_ENDS, "max_position_embeddings": 96}),
    "mbart": ("MBart", "bart", {**_BART_LIKE, **BART_ENDS, "max_position_embeddings": 96}),
    "pegasus": (
        "Pegasus", "sentencepiece", {**_BART_LIKE, **_T5_ENDS, "max_position_embeddings": 96},
    ),
    "pegasus_x": (
        "PegasusX", "sentencepiece",
        {**_BART_LIKE, **_T5_ENDS, "max_position_embeddings": 128, "block_size": 16,
         "num_global_tokens": 4},
    ),
    "bigbird_pegasus": (
        "BigBirdPegasus", "sentencepiece",
        {**_BART_LIKE, **_T5_ENDS, "max_position_embeddings": 128, "attention_type":
         "original_full"},
    ),
    "led": (
        "LED", "bart",
        {**_BART_LIKE, **BART_ENDS, "max_encoder_position_embeddings": 128,
         "max_decoder_position_embeddings": 64, "attention_window": 16},
    ),
    "t5": ("T5", "sentencepiece", {**_T5_LIKE, **_T5_ENDS, "n_positions": 96}),
    "longt5": (
        "LongT5", "sentencepiece", {**_T5_LIKE, **_T5_ENDS, "local_radius": 15,
        "encoder_attention_type": "transient-global", "global_block_size": 8},
    ),
    "prophetnet": ("ProphetNet", "wordpiece", _PROPHET),
}  # fmt: skip
"""By the library's name: prefix of its classes, kind of tokenizer, configuration."""

OTHERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "switch_transformers": (
        "SwitchTransformers",
        "sentencepiece",
        {
            **_T5_LIKE,
            **_T5_ENDS,
            "num_experts": 4,
            "expert_capacity": 4,
            "num_sparse_encoder_layers": 1,
            "num_sparse_decoder_layers": 1,
        },
    ),
}
"""Families whose texts the library itself does not write side by side."""

CHAT_TEMPLATE = (
    "{% for m in messages %}<s>{{ m['role'] }}\n{{ m['content'] }}</s>\n{% endfor %}"
    "{% if add_generation_prompt %}<s>assistant\n{% endif %}"
)
FUSED: dict[str, dict[str, Any]] = {
    "Phi3": {},
    "GPTNeoX": {},
    "GPT2": {},
    "Falcon": {"new_decoder_architecture": False},
    "Bloom": {},
    "Mpt": {"d_model": 16, "n_heads": 2, "n_layers": 2, "max_seq_len": 256},
    "GPTBigCode": {},
    "CodeGen": {"hidden_size": 32, "num_attention_heads": 4, "rotary_dim": 4},
    "Glm": {"head_dim": 8},
}
"""Causal language models with fused projections: prefix of their classes, configuration."""

CARD = "---\nlicense: apache-2.0\nlanguage:\n- en\n- xx\ndatasets: [none]\n---\n# A model\n"


def library_folder(
    family: str, folder: Path, change: Callable[[Any], None] | None = None, **config: Any
) -> Path:
    """Saves an encoder-decoder of a family with its tokenizer; gives the folder.

    Args:
        family: As in `FAMILIES` or `OTHERS`.
        folder: Where.
        change: Changes the model before it is saved.
        **config: Other values of its configuration.
    """
    prefix, tokenizer, values = (FAMILIES | OTHERS)[family]
    return _saved(prefix, "ForConditionalGeneration", values | config, tokenizer, folder, change)


def chat_folder(
    folder: Path,
    change: Callable[[Any], None] | None = None,
    prefix: str = "Llama",
    **config: Any,
) -> Path:
    """Saves a causal language model with a chat template and its tokenizer; gives the folder."""
    values = {
        "vocab_size": VOCABULARY, "hidden_size": 16, "intermediate_size": 32,
        "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1,
        "max_position_embeddings": 256, "bos_token_id": 0, "eos_token_id": [3, 2],
        "pad_token_id": 1, "initializer_range": 0.6,
    }  # fmt: skip
    head = "LMHeadModel" if prefix == "GPT2" else "ForCausalLM"
    _saved(prefix, head, values | config, "bart", folder, change)
    named = {"eos_token": "</s>", "bos_token": "<s>", "chat_template": CHAT_TEMPLATE}
    (folder / "tokenizer_config.json").write_text(json.dumps(named), "utf-8")
    return folder


def _saved(
    prefix: str,
    head: str,
    values: dict[str, Any],
    tokenizer: str,
    folder: Path,
    change: Callable[[Any], None] | None,
) -> Path:
    def make(folder: Path) -> None:
        logging.disable_progress_bar()
        tqdm.monitor_interval = 0
        torch.manual_seed(0)
        config = getattr(transformers, f"{prefix}Config")(**values)
        model = getattr(transformers, f"{prefix}{head}")(config).eval()
        for name, weight in model.named_parameters():
            if "encoder_attn.out_proj" in name or "EncDecAttention.o" in name:
                weight.data *= 3  # what is written hangs on what is read
        if change:
            change(model)
        saved(tokenizer, folder)
        model.save_pretrained(folder)
        (folder / "README.md").write_text(CARD, "utf-8")

    if change:
        make(folder)
    else:
        copied(kept(f"{prefix}{head}, {tokenizer}, {values}", make), folder)
    torch.manual_seed(0)  # what is drawn next is the same, made now or before
    return folder
