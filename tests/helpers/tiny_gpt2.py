"""A tiny random model of the form of GPT-2, in a folder as a person's download would be."""

import json
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm
from transformers import GPT2Config, GPT2LMHeadModel
from transformers.utils import logging

from tests.helpers.foreign_tokenizers import bart

SIZES: dict[str, Any] = {
    "vocab_size": 400, "n_positions": 192, "n_embd": 16, "n_layer": 2, "n_head": 2,
    "bos_token_id": 0, "eos_token_id": 2,
}  # fmt: skip


def save_gpt2(folder: Path, **changes: Any) -> GPT2LMHeadModel:
    """Saves model and tokenizer; no weight is 0 or 1, so that each one shows in the logits."""
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(0)
        model = GPT2LMHeadModel(GPT2Config(**(SIZES | changes))).eval()
        for parameter in model.parameters():
            parameter.data += 0.1 * torch.randn(parameter.shape)
    logging.disable_progress_bar()
    tqdm.monitor_interval = 0
    model.save_pretrained(folder)
    (folder / "tokenizer.json").write_text(bart().to_str(), "utf-8")
    names = {"eos_token": "</s>", "bos_token": "<s>"}
    (folder / "tokenizer_config.json").write_text(json.dumps(names), "utf-8")
    return model
