"""The chat template of a language model, taken apart into what stands round a prompt."""

from pathlib import Path
from typing import Any

from core.errors import EpitomeError
from core.models.hugging_face.files import read_if_there

_MARK = "EPITOME-PROMPT"
_TEMPLATE_FILE = "chat_template.jinja"


def chat_frame(folder: Path, named: dict[str, Any]) -> tuple[str, str] | None:
    """What a chat template puts before and after a single prompt.

    The template is a Jinja program. It is rendered once, in the library's sandbox, which reaches
    neither files nor Python.

    Args:
        folder: The model's folder.
        named: What its `tokenizer_config.json` says.

    Returns:
        Both texts, special tokens written out; None where there is no template.

    Raises:
        EpitomeError: If the template fails, or does not show the prompt once.
    """
    template = read_if_there(folder / _TEMPLATE_FILE) or _in_settings(named)
    if not template:
        return None
    from transformers.utils.chat_template_utils import render_jinja_template

    tokens: dict[str, Any] = {
        name: _token(value) for name, value in named.items() if name.endswith("_token")
    }
    prompt = [{"role": "user", "content": _MARK}]
    try:
        made: Any = render_jinja_template(
            [prompt], chat_template=template, add_generation_prompt=True, **tokens
        )
        rendered = str(made[0][0])
    except Exception as error:  # the template is a program, and may raise anything
        raise _refused(folder, str(error)) from error
    before, mark, after = rendered.partition(_MARK)
    if not mark or not after or _MARK in after:
        raise _refused(folder, "it does not show a prompt once, and the model's turn after it")
    return before, after


def _in_settings(named: dict[str, Any]) -> str:
    """The template in the tokenizer's settings; of several the default one."""
    template = named.get("chat_template") or ""
    if isinstance(template, list):
        by_name = {each.get("name"): each.get("template", "") for each in template}
        template = by_name.get("default", "")
    return str(template)


def _token(value: Any) -> str:
    return str(value.get("content", "") if isinstance(value, dict) else value or "")


def _refused(folder: Path, why: str) -> EpitomeError:
    told = why.strip().partition("\n")[0].rstrip(".")
    return EpitomeError(
        f"The chat template in {folder} cannot be used ({told}).",
        "Take the model's folder from where it was first published.",
    )
