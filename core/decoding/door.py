"""The way in: sources become texts, token by token."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import torch

from core.decoding import beam, greedy
from core.decoding.blocking import Rules
from core.decoding.settings import DecodingSettings
from core.decoding.streaming import Begun, Decided, Decoded, TextLimit
from core.models.protocol import Decodable
from core.stop import StopToken

State = TypeVar("State")


@torch.no_grad()
def decode(
    model: Decodable[State],
    sources: Sequence[Sequence[int]],
    settings: DecodingSettings | None = None,
    stop: StopToken | None = None,
) -> Iterator[Decided]:
    """Writes the text of each source, all side by side.

    Args:
        model: Any model that keeps the protocol, in evaluation mode.
        sources: [N] token ids of each source; any mixture of lengths.
        settings: How; the defaults if None.
        stop: Read before each token; what is written by then is kept.

    Yields:
        Tokens of a text as they are decided, and the whole text with the last of them.

    Raises:
        EpitomeError: If the model cannot read a source, or its numbers are no numbers.
    """
    settings = settings or DecodingSettings()
    stop = StopToken() if stop is None else stop  # a token without a wish is false
    if sources:
        yield from _news(model, sources, settings, stop)


def decode_at_once(
    model: Decodable[State],
    sources: Sequence[Sequence[int]],
    settings: DecodingSettings | None = None,
) -> list[Decoded]:
    """Writes the text of each source, and gives [N] the texts in that order; see `decode`."""
    done = {news.row: news.done for news in decode(model, sources, settings) if news.done}
    return [done[number] for number in range(len(sources))]


def _news(
    model: Decodable[State],
    sources: Sequence[Sequence[int]],
    settings: DecodingSettings,
    stop: StopToken,
) -> Iterator[Decided]:
    rules = Rules(settings, tuple(model.start_ids), model.end_id)
    state = model.begin(sources)
    room = model.room(state)
    rows = [_row(number, left, rules) for number, left in enumerate(room.tolist())]
    able = [row for row in rows if row.limit > 0]
    for row in rows:
        if row.limit <= 0:
            yield Decided(row.number, (), Decoded((), 0.0, 0.0, "room"))
    if not able:
        return
    if len(able) < len(rows):
        state = model.reorder(state, room.new_tensor([row.number for row in able]))
    for start in rules.start_ids:
        log_probs, state = model.advance(state, room.new_full((len(able),), start))
    write = greedy.write if settings.beams == 1 else beam.write
    yield from write(model, Begun(able, log_probs, state), rules, stop)


def _row(number: int, room: int, rules: Rules) -> TextLimit:
    """The last token that a text may have need not fit in, since it is not fed."""
    fits, longest = room - len(rules.start_ids) + 1, rules.settings.max_length
    return (
        TextLimit(number, longest, "length") if longest <= fits else TextLimit(number, fits, "room")
    )
