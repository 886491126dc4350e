"""A model of the Hugging Face library (BART, T5, LED …; chat models) as training wants it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from tqdm import tqdm  # type: ignore[import-untyped]
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForSeq2SeqLM,
    GenerationConfig,
)
from transformers.utils import logging

from core.errors import EpitomeError, foreign
from core.models.batch import NO_LOSS, Batch, PairBatch
from core.models.hugging_face.by_length import (
    choose_attention_by_mask,
    encode,
    is_sparse,
    length_classes,
    needs_equal_lengths,
)
from core.models.hugging_face.config_check import POSITION_SCALE
from core.models.hugging_face.folder import check_weights
from core.models.hugging_face.global_attention import global_attention
from core.models.hugging_face.loading_report import check_whole
from core.models.hugging_face.lora import adapt, is_addition, plain_name
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.hugging_face.stored_weights import check_stored
from core.models.parts.randomness import Randomness, generator
from core.models.protocol import Model
from core.models.weights import check_same, named_weights
from core.storage.parsing import parse_json


class HuggingFaceModel(Model):
    """A model of the library, with weights drawn anew; `read_folder` gives it those of a folder.

    Its dropout is the library's own, which draws from torch's global generator: so each part of a
    step draws from a fork of that generator, seeded by run, step and the part's rows. The same run
    draws the same again, after a resumption too. But what a row draws depends on the rows beside
    it: with dropout, other numbers of processes or of accumulated parts give other gradients (as
    good, not the same), where this program's own families give the same.

    Args:
        settings: Its configuration.
    """

    def __init__(self, settings: HuggingFaceSettings) -> None:
        super().__init__()
        logging.set_verbosity_error()  # what a person should know is said in our words
        self.settings: HuggingFaceSettings = settings
        with torch.random.fork_rng(devices=()):
            torch.manual_seed(0)
            self.inner: Any = make_inner(settings)
        _scale_positions(self.inner, settings)
        if settings.checkpointing:
            self.inner.activation_checkpointing_enable()
            self.inner.config.use_cache = False
        if settings.lora_rank:
            adapt(self.inner, settings)
        choose_attention_by_mask(self.inner)
        self.train(False)

    def take(self, weights: Mapping[str, Tensor], whose: Path) -> None:
        """Takes the weights of a model without additions; its own additions stay as they are.

        Args:
            weights: By name, as `core.models.weights.named_weights` has them.
            whose: Where they come from.

        Raises:
            EpitomeError: If their names or shapes are not the model's.
        """
        wanted = {
            plain_name(name): weight
            for name, weight in named_weights(self).items()
            if not is_addition(name)
        }
        check_same(whose, weights, wanted)
        with torch.no_grad():
            for name, weight in wanted.items():
                weight.copy_(weights[name])

    def read_folder(self, folder: Path) -> None:
        """Takes the weights of a folder.

        Args:
            folder: What `save_pretrained` wrote; its weights must be safetensors.

        Raises:
            EpitomeError: If they cannot be read, are another model's, or some of them are missing.
        """
        logging.disable_progress_bar()
        tqdm.monitor_interval = 0  # no thread of its own
        check_stored(folder, check_weights(folder), self.inner)
        try:
            found, report = _library_class(self.settings).from_pretrained(
                folder,
                local_files_only=True,
                use_safetensors=True,
                dtype=torch.float32,
                trust_remote_code=False,
                # Its own texts the library never writes: what its file says is not looked at.
                generation_config=GenerationConfig(),
                output_loading_info=True,
                ignore_mismatched_sizes=True,  # refused below, by name
            )
            check_whole(folder, found, report)
            self._load(found.state_dict())
        except Exception as error:  # the library raises anything over files of others
            if foreign(error) and not isinstance(error, OSError):
                raise
            told = str(error).strip().partition("\n")[0].rstrip(".")
            raise EpitomeError(
                f"The weights in {folder} cannot be read ({told}).",
                "Save the model again with save_pretrained, as safetensors.",
            ) from error

    def _load(self, weights: dict[str, Tensor]) -> None:
        """Loads the library's weights; additions stay as they are."""
        own = self.inner.state_dict()
        added = {name: kept for name, kept in own.items() if is_addition(name)}
        named = {plain_name(name): name for name in own if name not in added}
        renamed = {named.get(name, name): weight for name, weight in weights.items()}
        self.inner.load_state_dict(renamed | added)

    def forward(self, batch: PairBatch) -> Tensor:
        """[B, T, V], the logits of what comes after each position of the target."""
        if self.settings.is_chat:
            return self._continued(batch)
        tokens, present = batch.source.tokens, _mask(batch.source)
        read = {"input_ids": tokens, **global_attention(self.settings, tokens, present)}
        if is_sparse(self.inner):
            read = {"encoder_outputs": encode(self.inner, tokens, present)}
        logits: Tensor = self.inner(
            attention_mask=present,
            decoder_input_ids=batch.target.tokens,
            decoder_attention_mask=_mask(batch.target),
            use_cache=False,
            **read,
        ).logits
        return logits

    def _continued(self, batch: PairBatch) -> Tensor:
        """The same of a language model, which reads source and target as one row."""
        source, is_source = padding_first(batch.source.tokens, _mask(batch.source))
        present = torch.cat([is_source, _mask(batch.target)], 1)
        tokens = torch.cat([source, batch.target.tokens], 1)
        num_written = batch.target.tokens.shape[1]
        if not needs_equal_lengths(self.inner):
            return self._continuation(tokens, present, num_written)
        parts: list[Tensor] = []
        classes = length_classes(self.inner, is_source.sum(1), present.sum(1))
        for rows in classes:
            first = source.shape[1] - int(is_source[rows].sum(1).max())
            some = tokens[rows, first:], present[rows, first:]
            parts.append(self._continuation(*some, num_written))
        return torch.cat(parts)[torch.cat(classes).argsort()]

    def _continuation(self, tokens: Tensor, present: Tensor, num_written: int) -> Tensor:
        """[N, T, V], the logits of the last T positions of rows that are computed side by side."""
        logits: Tensor = self.inner(
            input_ids=tokens,
            attention_mask=present,
            position_ids=(present.cumsum(1) - 1).clamp_min(0),
            use_cache=False,
        ).logits
        return logits[:, -num_written:]

    def loss(
        self, batch: PairBatch, randomness: Randomness | None = None, smoothing: float = 0.0
    ) -> Tensor:
        """The summed cross-entropy of the targets' labels.

        Args:
            batch: Sources and targets; padding stands behind them.
            randomness: What a training step draws dropout from; None in evaluation.
            smoothing: Share of each target token that is spread over all tokens.

        Returns:
            A scalar in nats, over all positions that carry loss.
        """
        labels = batch.target.labels
        assert labels is not None
        stays = self.settings.checkpointing  # layers are computed again in the backward pass
        with _drawing(self.inner, randomness, labels.device, stays_in_training=stays):
            logits = self(batch)
        flat = logits.flatten(0, 1).float()
        return F.cross_entropy(
            flat, labels.flatten(), ignore_index=NO_LOSS, reduction="sum", label_smoothing=smoothing
        )


def padding_first(tokens: Tensor, present: Tensor) -> tuple[Tensor, Tensor]:
    """Moves the padding of rows before their tokens.

    What follows a source then stands next to it: the library counts the columns of a sliding
    window, and padding between the two would use it up.

    Args:
        tokens: [N, T] int64.
        present: [N, T] int64, 0 at padding.

    Returns:
        Both in the new order; that of a row's tokens stays.
    """
    order = present.sort(dim=1, stable=True).indices
    return tokens.gather(1, order), present.gather(1, order)


def _scale_positions(inner: Any, settings: HuggingFaceSettings) -> None:
    """Sets the scale of sinusoidal positions where the architecture names one."""
    if scale := parse_json(settings.architecture).get(POSITION_SCALE):
        for side in (inner.get_encoder(), inner.get_decoder()):
            side.embed_positions.max_scale = float(scale)


def _library_class(settings: HuggingFaceSettings) -> Any:
    return AutoModelForCausalLM if settings.is_chat else AutoModelForSeq2SeqLM


def make_inner(settings: HuggingFaceSettings) -> Any:
    """Makes the library's model, with first weights and without additions.

    Args:
        settings: Its configuration.

    Returns:
        A model of the library.

    Raises:
        EpitomeError: If the library knows no such model.
    """
    try:
        config = AutoConfig.for_model(**parse_json(settings.architecture))
        return _library_class(settings).from_config(
            config, dtype=torch.float32, trust_remote_code=False
        )
    except Exception as error:  # the library raises anything over values of others
        if foreign(error):
            raise
        told = str(error).strip().partition("\n")[0].partition(". ")[0].rstrip(".")
        raise EpitomeError(
            f"The transformers library cannot make a model of the type “{settings.model_type}” "
            f"that summarises ({told}).",
            "Choose another model, such as BART, PEGASUS, LED or T5.",
        ) from error


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Nothing is dropped inside the block; afterwards each module is in the mode it was in.

    Args:
        model: Any model.

    Yields:
        None.
    """
    training = [module for module in model.modules() if module.training]
    for module in training:
        module.training = False
    try:
        yield
    finally:
        for module in training:
            module.training = True


@contextmanager
def _drawing(
    model: nn.Module,
    randomness: Randomness | None,
    device: torch.device,
    *,
    stays_in_training: bool,
) -> Iterator[None]:
    """Dropout draws from these seeds inside the block, and does not disturb other draws."""
    if randomness is None:
        with evaluating(model):
            yield
        return
    seed = generator("library", randomness.run, randomness.step, *randomness.rows).initial_seed()
    devices = [device] if device.type != "cpu" else []
    kind = device.type if devices else "cuda"
    with torch.random.fork_rng(devices=devices, device_type=kind):
        torch.manual_seed(seed)
        model.train()
        try:
            yield
        finally:
            model.train(stays_in_training)


def _mask(batch: Batch) -> Tensor:
    """[B, T] int64, 0 at padding."""
    present = batch.present
    return torch.ones_like(batch.tokens) if present is None else present.long()
