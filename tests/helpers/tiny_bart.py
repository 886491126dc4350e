"""A BART of a few thousand random weights, and its own library's decoding."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from tqdm import tqdm
from transformers import BartConfig, BartForConditionalGeneration
from transformers.utils import logging

from core.models.hugging_face.decoding import HuggingFaceDecoder
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.special_tokens import SpecialTokens

PAD, END = 1, 2
SPECIAL = SpecialTokens(PAD, END, 38, 39, (0,), (END,))
SIZES = {"layers": 2, "attention_heads": 2, "ffn_dim": 32}


def tiny_bart(
    seed: int,
    forced: int | None = 0,
    end_bias: float = 4.0,
    vocabulary_size: int = 40,
    positions: int = 48,
    dropout: float = 0.1,
) -> Any:
    """A model whose texts differ from source to source, and of which many end by themselves.

    Args:
        seed: Draws the weights.
        forced: The first token that is forced; None for none.
        end_bias: Added to the logit of the end token.
        vocabulary_size: Tokens it knows.
        positions: The longest source and target.
        dropout: Share that is left out in training.
    """
    torch.manual_seed(seed)
    sizes = {f"{part}_{what}": n for part in ("encoder", "decoder") for what, n in SIZES.items()}
    config = BartConfig(
        vocab_size=vocabulary_size,
        d_model=16,
        max_position_embeddings=positions,
        dropout=dropout,
        init_std=0.8,  # sharp: not a nearly uniform choice
        forced_eos_token_id=None,
        **sizes,
    )
    model = BartForConditionalGeneration(config).eval()
    for layer in model.model.decoder.layers:
        layer.encoder_attn.out_proj.weight.data *= 2  # what is written hangs on what is read
    model.generation_config.forced_bos_token_id = forced
    model.final_logits_bias[0, END] = end_bias
    return model


def decoder_of(model: Any) -> HuggingFaceDecoder:
    """The model as it writes, with the tokens that its generation settings name."""
    return HuggingFaceDecoder(
        model, settings_of(model).start_ids(SPECIAL), settings_of(model).end_id(SPECIAL)
    )


def settings_of(model: Any) -> HuggingFaceSettings:
    """The model's settings as they are read from a folder."""
    config, generation = model.config.to_json_string(), model.generation_config.to_json_string()
    return HuggingFaceSettings(source_length=48, target_length=48, architecture=config,
                               generation=generation)  # fmt: skip


def save_bart(model: Any, folder: Path) -> Path:
    """Saves the model as the library does; gives the folder."""
    logging.disable_progress_bar()
    tqdm.monitor_interval = 0
    model.save_pretrained(folder)
    return folder


def sources_of(seed: int, lengths: Sequence[int] = (5, 11, 3, 8)) -> list[list[int]]:
    chance = torch.Generator().manual_seed(seed)
    return [torch.randint(3, 40, (length,), generator=chance).tolist() for length in lengths]


def padded(sources: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """[N, T] the ids, and [N, T] 1 where they are no padding."""
    width = max(map(len, sources))
    rows = [[*source, *[PAD] * (width - len(source))] for source in sources]
    return torch.tensor(rows), torch.tensor(
        [[1] * len(s) + [0] * (width - len(s)) for s in sources]
    )


def generated(
    model: Any, sources: Sequence[Sequence[int]], num_start: int, **options: Any
) -> tuple[list[tuple[int, ...]], list[float]]:
    """What the library's `generate` writes: ids without start and end, and scores of beams."""
    tokens, present = padded(sources)
    made = model.generate(
        input_ids=tokens,
        attention_mask=present,
        do_sample=False,
        return_dict_in_generate=True,
        output_scores=True,
        **options,
    )
    texts = [row.tolist()[num_start:] for row in made.sequences]
    cut = [tuple(ids[: ids.index(END)] if END in ids else ids) for ids in texts]
    scores = made.get("sequences_scores")
    return cut, [] if scores is None else scores.tolist()
