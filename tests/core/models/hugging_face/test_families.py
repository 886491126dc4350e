"""Every family of the library is opened, read and decoded as the library itself does it."""

from pathlib import Path
from typing import Any

import pytest
import tokenizers
import torch
from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM

from core.decoding.door import decode_at_once
from core.decoding.settings import DecodingSettings
from core.models.batch import NO_LOSS, Batch, PairBatch
from core.models.builders import build, decoder_of
from core.models.hugging_face.folder import read_settings
from core.models.hugging_face.model import HuggingFaceModel
from core.models.parts.randomness import Randomness
from core.training.library_folder import open_tokenizer, with_prompt
from tests.helpers.library_folders import FAMILIES, chat_folder, library_folder

SOURCES = [[11, 45, 92, 17, 300, 5, 8], [200, 31, 77], [40, 41, 42, 43, 44, 45, 46, 47, 48, 49]]
WANTED = DecodingSettings(beams=3, max_length=10, length_penalty=0.6, block_repeats=2, min_length=3)


def opened(folder: Path) -> tuple[HuggingFaceModel, Any, Any]:
    """The model, its tokenizer with the prompt's frame, and its decoder."""
    settings = read_settings(folder, full=True)
    model = build(settings)
    assert isinstance(model, HuggingFaceModel)
    model.read_folder(folder)
    tokenizer = with_prompt(open_tokenizer(folder), settings)
    return model, tokenizer, decoder_of(model, tokenizer.special)


def padded(rows: list[list[int]], pad: int, left: bool = False) -> tuple[Any, Any]:
    width = max(map(len, rows))
    fill = [[pad] * (width - len(row)) for row in rows]
    pairs = list(zip(rows, fill, strict=True))
    ids = [[*none, *row] if left else [*row, *none] for row, none in pairs]
    there = [
        [*(0 for _ in none), *(1 for _ in row)] if left else [*(1 for _ in row), *(0 for _ in none)]
        for row, none in pairs
    ]
    return torch.tensor(ids), torch.tensor(there)


def cut(row: list[int], ends: tuple[int, ...]) -> tuple[int, ...]:
    at = next((n for n, each in enumerate(row) if each in ends), len(row))
    return tuple(row[:at])


def library_options(wanted: DecodingSettings) -> dict[str, Any]:
    options: dict[str, Any] = {
        "num_beams": wanted.beams, "max_new_tokens": wanted.max_length, "do_sample": False,
        "min_new_tokens": wanted.min_length, "no_repeat_ngram_size": wanted.block_repeats,
        "forced_eos_token_id": None,
    }  # fmt: skip
    if wanted.beams > 1:
        options |= {"length_penalty": wanted.length_penalty, "early_stopping": False}
    return options


@pytest.mark.parametrize("family", FAMILIES)
@torch.no_grad()
def test_a_folder_writes_what_the_library_writes(family: str, tmp_path: Path) -> None:
    folder = library_folder(family, tmp_path / family)
    model, tokenizer, decoder = opened(folder)
    theirs = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    special = tokenizer.special
    rows = [[*special.before, *source, *special.after] for source in SOURCES]
    ids, there = padded(rows, model.settings._token("pad_token_id"))
    more = {}
    if family == "led":
        more["global_attention_mask"] = torch.zeros_like(ids)
        more["global_attention_mask"][:, 0] = 1
    for wanted in (DecodingSettings(max_length=8, block_repeats=0), WANTED):
        expected = theirs.generate(
            input_ids=ids, attention_mask=there, **library_options(wanted), **more
        ).tolist()
        ends = model.settings.end_ids(special)
        texts = [text.ids for text in decode_at_once(decoder, SOURCES, wanted)]
        assert texts == [cut(row[1:], ends) for row in expected], wanted
    assert len(set(texts)) == len(texts), "they differ by their source"


@torch.no_grad()
def test_a_chat_model_writes_what_the_library_writes(tmp_path: Path) -> None:
    folder = chat_folder(tmp_path)
    model, tokenizer, decoder = opened(folder)
    theirs = AutoModelForCausalLM.from_pretrained(folder).eval()
    special = tokenizer.special
    rows = [[*special.before, *source, *special.after, special.summary] for source in SOURCES]
    ids, there = padded(rows, 1, left=True)
    for wanted in (DecodingSettings(max_length=12, block_repeats=0), WANTED):
        made = theirs.generate(input_ids=ids, attention_mask=there, **library_options(wanted))
        ends = model.settings.end_ids(special)
        expected = [cut(row[ids.shape[1] :], ends) for row in made.tolist()]
        assert [text.ids for text in decode_at_once(decoder, SOURCES, wanted)] == expected


@torch.no_grad()
def test_a_chat_model_s_loss_is_that_of_the_written_tokens_alone(tmp_path: Path) -> None:
    model = opened(chat_folder(tmp_path))[0]
    sources = torch.tensor([[7, 8, 9], [11, 12, 1]])
    targets = torch.tensor([[20, 21, 22], [20, 23, 1]])
    labels = torch.tensor([[21, 22, 2], [23, 2, NO_LOSS]])
    pair = PairBatch(
        Batch(sources, present=sources != 1), Batch(targets, labels, present=targets != 1)
    )
    rows = [([7, 8, 9, 20, 21, 22], [21, 22, 2]), ([11, 12, 20, 23], [23, 2])]
    expected = 0.0
    for row, told in rows:
        logits = model.inner(input_ids=torch.tensor([row])).logits[0].log_softmax(-1)
        expected -= sum(float(logits[-len(told) + n, each]) for n, each in enumerate(told))
    assert model.loss(pair).item() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("prefix", ["Llama", "Mistral", "Gemma2"])
@torch.no_grad()
def test_a_chat_model_reads_each_text_as_if_it_were_alone(prefix: str, tmp_path: Path) -> None:
    """Also where its attention is a sliding window that is shorter than the padding."""
    model, _, decoder = opened(chat_folder(tmp_path, prefix=prefix, sliding_window=8))
    sources = [*SOURCES, list(range(20, 60))]
    wanted = DecodingSettings(max_length=6, min_length=6, block_repeats=0)
    together = decode_at_once(decoder, sources, wanted)
    for source, text in zip(sources, together, strict=True):
        (alone,) = decode_at_once(decoder, [source], wanted)
        assert text.ids == alone.ids
        assert text.score == pytest.approx(alone.score, abs=1e-3)
    losses = [float(model.loss(pair_of([source]))) for source in sources]
    assert float(model.loss(pair_of(sources))) == pytest.approx(sum(losses), rel=1e-4)


def pair_of(sources: list[list[int]]) -> PairBatch:
    """Sources, padded behind them, and a text of three tokens for each."""
    tokens, there = padded(sources, 1)
    target = torch.tensor([[20, 21, 22]] * len(sources))
    labels = torch.tensor([[21, 22, 2]] * len(sources))
    return PairBatch(Batch(tokens, present=there.bool()), Batch(target, labels))


def test_a_chat_model_s_frame_is_its_template_with_the_prompt(tmp_path: Path) -> None:
    folder = chat_folder(tmp_path)
    settings = read_settings(folder)
    assert settings.opening == "<s>user\n"
    assert settings.closing == "</s>\n<s>assistant\n"
    plain = open_tokenizer(folder)
    special = with_prompt(
        plain, settings.model_copy(update={"prompt": "Shorten: {text} !"})
    ).special
    assert special.before == (0, *plain.encode("user\nShorten: "))
    after = (*special.after, special.summary)
    assert after == (*plain.encode(" !"), 2, *plain.encode("\n"), 0, *plain.encode("assistant\n"))


def test_words_of_a_prompt_are_ordinary_words_in_a_document(tmp_path: Path) -> None:
    folder = chat_folder(tmp_path)
    plain, text = open_tokenizer(folder), "user\nShorten the valve of the user\n"
    settings = read_settings(folder)
    framed = with_prompt(plain, settings.model_copy(update={"prompt": "Shorten {text}"}))
    assert framed.encode(text) == plain.encode(text)
    assert 2 not in framed.encode("</s>")


def test_a_t5_reads_its_prefix_as_the_library_tokenises_it(tmp_path: Path) -> None:
    tasks = {"summarization": {"prefix": "summarize: ", "num_beams": 4, "max_length": 30}}
    folder = library_folder("t5", tmp_path, task_specific_params=tasks)
    settings = read_settings(folder)
    assert settings.prompt == "summarize: {text}"
    plain = open_tokenizer(folder)
    special = with_prompt(plain, settings).special
    text = "valve opens"
    whole = [*special.before, *plain.encode(text), *special.after]
    assert whole == [*plain.encode(f"summarize: {text}"), *plain.frame[1]]


@torch.no_grad()
def test_a_short_text_does_not_end_the_sparse_attention_of_bigbird(tmp_path: Path) -> None:
    sparse = {"attention_type": "block_sparse", "block_size": 4, "num_random_blocks": 1}
    folder = library_folder("bigbird_pegasus", tmp_path, **sparse)
    long, wanted = list(range(20, 100)), DecodingSettings(max_length=6)
    decoder = opened(folder)[2]
    expected = decode_at_once(decoder, [long], wanted)
    decode_at_once(decoder, [[11, 12]], wanted)
    decoder.begin([long])
    assert decoder.model.get_encoder().attention_type == "block_sparse"
    assert decode_at_once(decoder, [long], wanted) == expected


@pytest.mark.parametrize(
    ("family", "vocabulary"), [("bart", "vocab.json"), ("prophetnet", "prophetnet.tokenizer")]
)
def test_a_tokenizer_in_another_form_is_converted(
    family: str, vocabulary: str, tmp_path: Path
) -> None:
    folder = library_folder(family, tmp_path)
    expected = open_tokenizer(folder)
    tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json")).model.save(str(folder))
    (folder / "tokenizer.json").unlink()
    if not (folder / vocabulary).exists():
        (folder / "vocab.txt").rename(folder / vocabulary)
    found, text = open_tokenizer(folder), "The valve opens at 12 bar, and closes again."
    assert found.encode(text) == expected.encode(text)
    assert found.special.end == expected.special.end
    assert found.frame[1] == expected.frame[1]


@pytest.mark.parametrize("global_attention", ["first", "sentence-ends"])
def test_global_attention_reaches_led_in_training_and_in_decoding(
    global_attention: str, tmp_path: Path
) -> None:
    """transformers#18190: without the mask, the projections for it learn nothing."""
    model, tokenizer, _ = opened(library_folder("led", tmp_path))
    chosen = model.settings.model_copy(
        update={"global_attention": global_attention, "global_tokens": 2}
    )
    none = model.settings.model_copy(update={"global_attention": "none"})
    tokens = torch.tensor([[0, *tokenizer.encode("One. Two. Three.")[:40], 2]])
    batch = PairBatch(Batch(tokens), Batch(torch.tensor([[2, 7]]), torch.tensor([[7, 2]])))
    gradients = {}
    for settings in (none, chosen):
        model.settings = settings
        model.zero_grad()
        model.loss(batch).backward()
        layer = model.inner.led.encoder.layers[0].self_attn.longformer_self_attn
        grad = layer.query_global.weight.grad
        gradients[settings.global_attention] = 0.0 if grad is None else float(grad.abs().sum())
    assert gradients["none"] == 0 and gradients[global_attention] > 0
    seen: list[torch.Tensor] = []
    encoder = model.inner.get_encoder()
    encoder.register_forward_pre_hook(
        lambda module, args, kwargs: seen.append(kwargs.get("global_attention_mask")),
        with_kwargs=True,
    )
    with torch.no_grad():
        decoder_of(model, tokenizer.special).begin([tokens[0, 1:-1].tolist(), [50]])
    (mask,) = seen
    ends = torch.isin(tokens[0], torch.tensor(chosen.sentence_ends))
    expected = {0, 1} | (set(ends.nonzero().flatten().tolist()) if "ends" in global_attention
                         else set())  # fmt: skip
    assert set(mask[0].nonzero().flatten().tolist()) == expected
    assert set(mask[1].nonzero().flatten().tolist()) == {0, 1}
    assert chosen.global_words.endswith("the first 2 tokens")


def test_checkpointing_gives_the_same_gradients(tmp_path: Path) -> None:
    folder = library_folder("bart", tmp_path)
    made = []
    for checkpointing in (False, True):
        settings = read_settings(folder)
        settings = settings.model_copy(update={"checkpointing": checkpointing})
        model = HuggingFaceModel(settings)
        model.read_folder(folder)
        tokens = torch.tensor([[0, 7, 8, 9, 2]])
        batch = PairBatch(Batch(tokens), Batch(torch.tensor([[2, 7]]), torch.tensor([[7, 2]])))
        model.loss(batch, Randomness(1, 2, (0,))).backward()
        made.append([weight.grad for weight in model.parameters() if weight.grad is not None])
    assert len(made[0]) == len(made[1])
    assert all(a.equal(b) for a, b in zip(*made, strict=True))
