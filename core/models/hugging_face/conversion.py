"""The report of a model that was made to read longer texts."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Conversion:
    """What became of a model.

    Args:
        source: Name of the model it was made from.
        length: Tokens that the new one reads at once.
        length_before: Those of the old one.
        window: Tokens that each token of the encoder is compared with; of short texts all.
        layers: Encoder layers whose self-attention was replaced.
        copies: How often the old position table stands in the new one; the last may be cut. 0
            where positions are computed.
        global_projections: New projections for global attention, copies of the layers' own.
        kept_full: Attention that stays full.
        compared_tokens: The length of the text on which both models were compared.
        difference: The largest difference of any log-probability on it, in nats.
        same_tokens: The share of its positions where both models expect the same next token.
        peak_mib: Memory that reading a text of the new length took, beside the weights; 0 where
            it was not measured.
        global_tokens: New tokens that all attend to; of PEGASUS-X alone.
        lost_bias: The largest bias that the new model has no place for; of PEGASUS-X alone.
    """

    source: str
    length: int
    length_before: int
    window: int
    layers: int
    copies: float
    global_projections: int
    kept_full: tuple[str, ...]
    compared_tokens: int
    difference: float
    same_tokens: float
    peak_mib: float = 0.0
    global_tokens: int = 0
    lost_bias: float = 0.0
