"""Models of others as a hostile or a careless hand leaves them: values, sizes and files exchanged.

A case is a number: the same number and seed make the same files. Each takes one thing of a whole
model and makes it what it should not be.
"""

import json
import math
import random
import shutil
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from tests.helpers.gguf_files import Typed, gguf_bytes, tiny_tensors, tiny_values

KINDS = ("gguf", "library", "chat", "pegasus")
"""A GGUF file, an encoder-decoder, a chat model, and a model that is converted."""

_ODD_JSON: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 7, 2**31, 2**63, 10**9, 10**30, 1e300, "", "x", "9" * 5_000),
    *([], [1], ["a", None], {}, {"a": 1}, "../../../etc/passwd", "\u202e\nx", "\0", "ünïcode"),
)
_ADDED: tuple[tuple[str, Any], ...] = (
    ("auto_map", {"AutoModel": "evil.Model"}), ("num_labels", 10**9), ("trust_remote_code", True),
    ("quantization_config", {"quant_method": "bitsandbytes", "load_in_4bit": True}),
    ("quantization_config", {"quant_method": "gptq", "bits": 4}), ("torch_dtype", "float8"),
    ("dtype", "evil"), ("_attn_implementation", "nobody/evil-kernels"),
    ("attn_implementation", "flash_attention_2"), ("architectures", ["Evil"]),
    ("rope_scaling", {"rope_type": "yarn", "factor": 0}), ("rope_scaling", {"type": []}),
    ("text_config", {"model_type": "bart"}), ("pruned_heads", {"0": [0, 1]}),
    ("tie_word_embeddings", "no"), ("layer_types", ["evil"]), ("id2label", {"a": "b"}),
    ("transformers_weights", "../x"), ("_name_or_path", "/etc"), ("use_bfloat16", True),
    ("task_specific_params", []), ("task_specific_params", {"summarization": []}),
    ("is_encoder_decoder", "yes"), ("vocab_size", 0), ("scale_embedding", "x"),
)  # fmt: skip
_JSON_FILES = ("config.json", "config.json", "config.json", "generation_config.json",
               "tokenizer_config.json", "tokenizer.json")  # fmt: skip
_TYPES = (0, 2, 4, 5, 6, 7, 8, 10, 11, 12)
_NUMBERS = (0, 1, 2, 3, 7, 255, 65_535, 2**31 - 1)


def make_model(number: int, seed: int, bases: Path, folder: Path) -> tuple[str, Path]:
    """Makes one case.

    Args:
        number: Which; the kinds take turns.
        seed: Of all chance.
        bases: Folders of whole models by kind; a GGUF file needs none.
        folder: Where it is made.

    Returns:
        Its kind, and where it lies.
    """
    chance = random.Random(f"{seed}:{number}")
    kind = KINDS[number % len(KINDS)]
    if kind == "gguf":
        path = folder / "case.gguf"
        path.write_bytes(_gguf(chance))
        return kind, path
    place = folder / "case"
    shutil.copytree(bases / kind, place)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        with suppress(OSError, ValueError):  # what one change made unreadable, the next leaves
            chance.choice(_FOLDER_CHANGES)(chance, place)
    return kind, place


# Folders of the transformers library


def _odd_value(chance: random.Random, folder: Path) -> None:
    """One value of one JSON file is another."""
    file = folder / chance.choice(_JSON_FILES)
    if not file.is_file():
        return
    values = json.loads(file.read_text("utf-8"))
    places = list(_places(values))
    container, key = chance.choice(places) if places else (values, "x")
    if chance.random() < 0.15 and isinstance(container, dict):
        del container[key]
    else:
        container[key] = chance.choice(_ODD_JSON)
    file.write_text(json.dumps(values), "utf-8")


def _places(values: Any, depth: int = 3) -> Any:
    """Every container of JSON values, with each of its keys."""
    keys = list(values) if isinstance(values, dict) else list(range(len(values)))
    for key in keys[:400]:
        yield values, key
        if depth and isinstance(values[key], dict | list):
            yield from _places(values[key], depth - 1)


def _added_value(chance: random.Random, folder: Path) -> None:
    """The configuration has a value that means something to the library."""
    file = folder / "config.json"
    values = json.loads(file.read_text("utf-8"))
    if not isinstance(values, dict):
        return
    name, value = chance.choice(_ADDED)
    file.write_text(json.dumps({**values, name: value}), "utf-8")


def _odd_head(chance: random.Random, folder: Path) -> None:
    """The head of the weights says something else."""
    file = folder / "model.safetensors"
    if not file.is_file():
        return
    data = file.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    tensors = json.loads(data[8 : 8 + length])
    name = chance.choice([each for each in tensors if each != "__metadata__"])
    tensors[name] |= chance.choice((
        {"dtype": "F64"}, {"dtype": "EVIL"}, {"shape": [2**40, 2**40]}, {"shape": [-1]},
        {"shape": []}, {"data_offsets": [0, 2**63]}, {"data_offsets": [8, 4]},
        {"shape": tensors[name]["shape"][::-1]},
    ))  # fmt: skip
    if chance.random() < 0.3:
        tensors["evil"] = tensors.pop(name)
    head = json.dumps(tensors).encode()
    file.write_bytes(struct.pack("<Q", len(head)) + head + data[8 + length :])


def _flipped(chance: random.Random, folder: Path) -> None:
    """Bytes of a file are others, or it is cut."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.stat().st_size)
    file = chance.choice(files)
    data = bytearray(file.read_bytes())
    for _ in range(chance.choice((1, 5, 50))):
        data[chance.randrange(min(len(data), 4_000))] = chance.randrange(256)
    file.write_bytes(data[: chance.choice((len(data), chance.randrange(len(data))))])


def _odd_file(chance: random.Random, folder: Path) -> None:
    """A file is missing, is another's, a pickle, or a folder; or one too many is there."""
    evil = b"\x80\x04cos\nsystem\n(S'touch /tmp/epitome-was-here'\ntR."
    how = chance.randrange(7)
    names = ("config.json", "model.safetensors", "tokenizer.json", "generation_config.json")
    file = folder / chance.choice(names)
    if how == 0:
        file.unlink(missing_ok=True)
    elif how == 1:
        file.unlink(missing_ok=True)
        file.mkdir(exist_ok=True)
    elif how == 2:
        (folder / "model.safetensors").unlink(missing_ok=True)
        (folder / chance.choice(("pytorch_model.bin", "model.bin"))).write_bytes(evil)
    elif how == 3:
        base = chance.choice(("/", "nobody/base", "\u202e\n" * 50, ["x"], None, "x" * 100_000))
        told = {"peft_type": "LORA", "base_model_name_or_path": base, "r": 10**9}
        (folder / "adapter_config.json").write_text(json.dumps(told), "utf-8")
        (folder / "adapter_model.bin").write_bytes(evil)
    elif how == 4:
        places = (
            *("../../../etc/passwd", "/dev/zero", "evil.bin", "\n", "", "x" * 300, "x\0y"),
            *(1, None, ["x"], {"b": "c"}),
        )
        one = {"a": chance.choice(places)}
        index = {"weight_map": chance.choice((one, one, ["evil.bin"], None, 7, {}))}
        (folder / "model.safetensors").unlink(missing_ok=True)
        (folder / "model.safetensors.index.json").write_text(json.dumps(index), "utf-8")
    elif how == 5:
        bomb = "a: &a [x, x, x, x]\n" + "".join(
            f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n"
            for n in range(9)
        )
        (folder / "README.md").write_text(f"---\n{bomb}license: *j\n---\n", "utf-8")
    else:
        (folder / "modeling_evil.py").write_text("raise SystemExit('it ran')\n", "utf-8")
        (folder / "tokenizer_config.json").write_text(
            '{"auto_map": {"AutoTokenizer": "evil.T"}}', "utf-8"
        )


_FOLDER_CHANGES: tuple[Callable[[random.Random, Path], None], ...] = (
    *[_odd_value] * 5, *[_added_value] * 3, _odd_head, _flipped, _odd_file, _odd_file,
)  # fmt: skip


# GGUF


def _gguf(chance: random.Random) -> bytes:
    """A GGUF file with one or a few things wrong."""
    values, tensors, told = tiny_values(), dict(tiny_tensors()), dict[str, Any]()
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        how = chance.random()
        name = chance.choice(list(values) or ["x"])
        if how < 0.15:
            values.pop(name, None)
        elif how < 0.6:
            values[name] = _odd_typed(chance, values.get(name))
        elif how < 0.75 and tensors:
            name = chance.choice(list(tensors))
            told[name] = _odd_tensor(chance, tensors[name])
        elif how < 0.85 and tensors:
            tensors.pop(chance.choice(list(tensors)))
        else:
            name = chance.choice(list(tensors) or ["x"])
            tensors[chance.choice((name, "../../x", "\n", "x" * 200))] = np.full(
                (3, 5), math.nan, np.float32
            )
    data = bytearray(gguf_bytes(values, tensors, chance.choice((3, 3, 3, 3, 2)), told))
    if chance.random() < 0.2:
        for _ in range(chance.choice((1, 4, 40))):
            data[chance.randrange(len(data))] = chance.randrange(256)
    if chance.random() < 0.1:
        data = data[: chance.randrange(len(data))]
    return bytes(data)


def _odd_typed(chance: random.Random, value: Any) -> Typed:
    """A value of another type, size or length."""
    if isinstance(value, Typed) and isinstance(value.value, list) and chance.random() < 0.7:
        items = list(value.value)
        how = chance.randrange(5)
        if how == 0:
            items = items[: chance.randrange(len(items) + 1)]
        elif how == 1:
            items = items + items[: chance.choice((1, 1_000))]
        elif how == 2 and value.kind == 8:
            items = [items[0]] * len(items)
        elif how == 3:
            items = [_of(value.kind, chance) for _ in items]
        else:
            return Typed(4, chance.choice(_NUMBERS))
        return Typed(value.kind, items)
    kind = chance.choice(_TYPES)
    if chance.random() < 0.2:
        return Typed(kind, [_of(kind, chance) for _ in range(chance.choice((0, 1, 300)))])
    return Typed(kind, _of(kind, chance))


def _of(kind: int, chance: random.Random) -> Any:
    if kind == 8:
        return chance.choice(("", "x", "llama", "../../x", "\0", "é" * 3_000, "gpt2", "bert"))
    if kind in (6, 12):
        return chance.choice((0.0, -1.0, math.nan, math.inf, 1e30))
    if kind == 7:
        return chance.random() < 0.5
    most = {0: 2**8, 2: 2**16, 4: 2**32, 5: 2**31, 10: 2**64, 11: 2**63}[kind] - 1
    low = -most if kind in (5, 11) else 0
    return max(low, min(most, chance.choice((*_NUMBERS, -1, most, 2**31, 2**40))))


def _odd_tensor(chance: random.Random, tensor: Any) -> tuple[tuple[int, ...], int, int]:
    """Another shape, kind or place than a tensor's own."""
    shape, how = tensor.shape[::-1], chance.randrange(5)
    if how == 0:
        return shape, chance.choice((1, 2, 4, 8, 12, 19, 30, 39, 40, 99, 2**31)), 0
    if how == 1:
        return shape, 0, chance.choice((1, 31, 64, 2**40, 2**63))
    if how == 2:
        return tuple(chance.choice((0, 1, 2, 33, 2**31, 2**62)) for _ in shape), 0, 0
    if how == 3:
        return (*shape, 1, 1)[:4], 0, 0
    return tuple(reversed(shape)), 0, 0
