"""The words of sentences, found at once."""

from collections.abc import Sequence
from typing import Any

from core.events import result_of
from core.gsg.tokens import Tokens, tokenise
from core.stop import StopToken


def tokens_of(sentences: Sequence[str], **options: Any) -> Tokens:
    """The words of sentences; the options are those of `tokenise`."""
    return result_of(tokenise(sentences, StopToken(), **options))
