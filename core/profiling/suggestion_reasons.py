"""What the values of a training job's fields mean for its corpus and machine."""

from collections.abc import Mapping
from typing import Any

from core.data.corpus_facts import CorpusFacts
from core.models.settings import ModelSettings
from core.numbers import format_count, format_quantity, format_share
from core.profiling.training_suggestions import (
    Machine,
    batch_fits,
    mean_row_tokens,
    num_rows,
    tokens_a_word,
    usual_batch,
    usual_rate,
    usual_warm_up,
)
from core.system.machine import SLOW_BF16, bf16_units
from core.training.settings import Objective


def reasons(
    values: Mapping[str, Any],
    objective: Objective,
    corpus: CorpusFacts | None,
    machine: Machine,
    origin: ModelSettings | None = None,
) -> dict[str, str]:
    """What the values of some fields mean for this corpus and machine, a sentence each.

    Args:
        values: The fields of a job.
        objective: What is learnt.
        corpus: What it learns from; None where that is not chosen yet.
        machine: Where.
        origin: The model whose weights it begins with; None for a new one.

    Returns:
        By field name; fields of which nothing is known are left out.
    """
    steps = int(values["steps"])
    told = {
        "batch": _of_batch(values, objective, corpus, machine, origin),
        "learning_rate": _of_rate(values, origin),
        "precision": _of_precision(str(values["precision"]), machine),
        "too_long": _OF_LONG.get(str(values["too_long"]), ""),
        "rouge_rows": _of_written(int(values["rouge_rows"]), objective),
    }
    if values["warm_up"] == usual_warm_up(steps):
        told["warm_up"] = (
            "About a tenth of the steps: small ones, until the optimiser’s averages settle."
        )
    if values["samples"] and values["rouge_rows"]:
        told["samples"] = (
            "A few to read beside their references; the scores are of all written ones."
        )
    told["validate_every"] = (
        f"{format_quantity(max(steps // int(values['validate_every']), 1), 'validation')}; "
        "a checkpoint is saved before each."
    )
    if corpus is not None:
        told |= _of_corpus(values, objective, corpus)
    return {name: sentence for name, sentence in told.items() if sentence}


_OF_LONG = {
    "split": "Nothing of a long document is lost: its parts are examples of their own.",
    "window": "A summary is of the whole document, so parts of it would be no examples.",
    "start": "As in the paper of the preset: only how a document begins is read.",
    "skip": "Only documents that the model reads whole are learnt from.",
}


def _of_rate(values: Mapping[str, Any], origin: ModelSettings | None) -> str:
    steps, warm_up = int(values["steps"]), int(values["warm_up"])
    after = f"after {format_quantity(warm_up, 'step')} of warm-up"
    if warm_up >= steps:
        return (
            f"Never reached: the warm-up takes {format_quantity(warm_up, 'step')}, the run {steps}."
        )
    if values["learning_rate"] != usual_rate(values, origin):
        return f"Peak, {after}."
    if origin is not None:
        return f"Peak, {after}. Low, since the weights are trained already."
    return f"Peak, {after}. It suits this width; wider models need less."


def _of_precision(precision: str, machine: Machine) -> str:
    if precision == "bf16" and machine.gpu:
        return "GPUs compute faster in bf16, and with as wide a range as in fp32."
    if machine.gpu or precision == "fp16":
        return ""
    slow = bf16_units() is False
    if precision == "bf16":
        return SLOW_BF16 if slow else ""
    if slow:
        return (
            "The most exact. In bf16 a step takes far longer: this processor has no units for it."
        )
    return "The most exact; every processor has it."


def _of_written(rows: int, objective: Objective) -> str:
    if objective == "language-model" and not rows:
        return "None: what continues a text is no summary, and has no reference."
    return "Few, because writing takes longer than all else in a validation." if rows else ""


def _of_batch(
    values: Mapping[str, Any], objective: Objective, corpus: CorpusFacts | None, machine: Machine,
    origin: ModelSettings | None,
) -> str:  # fmt: skip
    batch, usual = int(values["batch"]), usual_batch(values, machine)
    tokens = format_count(_round(batch * mean_row_tokens(values, corpus)))
    told = f"About {tokens} tokens a step"
    if batch == usual:
        return f"{told}: enough for {'a GPU' if machine.gpu else 'a processor'}."
    if batch < usual and not batch_fits(values, 2 * batch, objective, machine, origin):
        return f"{told}: twice as many rows do not fit the free memory."
    return f"{told}."


def _of_corpus(
    values: Mapping[str, Any], objective: Objective, corpus: CorpusFacts
) -> dict[str, str]:
    told: dict[str, str] = {}
    passes = int(values["steps"]) * int(values["batch"]) / max(num_rows(values, corpus), 1)
    told["steps"] = f"About {_few(passes)} over {_documents(corpus)}."
    told["validate_rows"] = _of_validation(int(values["validate_rows"]), corpus)
    a_word = tokens_a_word(int(values.get("vocabulary_size", 8192)))
    fate = {
        "split": "are split", "window": "are cut to a window", "start": "only their start is read",
        "skip": "are left out",
    }  # fmt: skip
    for name in ("length", "source_length"):
        if name in values and corpus.percentiles:
            longer = corpus.share_longer(int(values[name]) / a_word)
            what = fate.get(str(values["too_long"]), "do not fit")
            told[name] = (
                f"About {format_share(longer, 1)} of the documents are longer and {what}."
                if longer >= 0.005
                else "Holds nearly all documents of the corpus."
            )
    if "vocabulary_size" in values:
        size = int(values["vocabulary_size"])
        made = size in corpus.tokenizers
        told["vocabulary_size"] = (
            "The corpus has a tokenizer of this size." if made
            else "A tokenizer of this size is trained on the corpus first."
        )  # fmt: skip
    if corpus.summary_percentiles and objective == "summary":
        told["max_length"] = (
            "Longest summary to generate; half of the corpus’s have up to "
            f"{format_count(_round(corpus.summary_percentiles.get(50, 0) * a_word))} tokens."
        )
    return told


def _of_validation(rows: int, corpus: CorpusFacts) -> str:
    held_out = corpus.rows.get("validation", 0)
    if not held_out:
        return ""
    if rows >= held_out:
        return f"All of the validation split: {format_quantity(held_out, 'example')}."
    return f"Of {format_count(held_out)} in the split: so many, and validation stays short."


def _documents(corpus: CorpusFacts) -> str:
    return format_quantity(corpus.rows.get("train", corpus.documents), "document")


def _few(passes: float) -> str:
    if passes < 0.95:
        return f"{passes:.1g} of a pass"
    return format_quantity(round(passes), "pass", "passes")


def _round(number: float) -> int:
    return int(float(f"{number:.2g}"))
