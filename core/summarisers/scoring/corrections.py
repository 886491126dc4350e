"""Corrections of the predicted quality by rules, and where little was learnt of a language.

Letters: E candidates.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.documents.languages import language_of
from core.summarisers.rules.defects import DefectRules, is_incomplete, is_signpost, rules_for
from core.summarisers.scoring.quality import Quality

# Not fitted: hardly any documents in other languages were judged (`docs/evaluation.md`).
TRANSFER = 0.6
"""Factor of the probability of a defect in a language whose words are known, but not learnt."""
MAX_UNKNOWN_DEFECT_PROB = 0.2
"""Upper limit of that probability in a language of which not even words are known."""
SIGNPOST_DEFECT_PROB = 0.5
"""Lower limit of that probability for a signpost: it is left out, unless most of the text is
requested."""


def correct_quality(quality: Quality, texts: Sequence[str], code: str) -> Quality:
    """Corrects the predicted quality of candidates by rules for their language.

    Args:
        quality: [E] the predictions.
        texts: [E] the candidates.
        code: The code of their language; empty if it is not known.

    Returns:
        For English, and where the language is not known, the predictions but for incomplete
        sentences and signposts. In other languages, of which less was learnt, the rules decide.
    """
    if (rules := rules_for(code)) is None:
        return _correct_english(quality, texts)
    return _transfer(quality, texts, rules, code)


def _correct_english(quality: Quality, texts: Sequence[str]) -> Quality:
    incomplete = np.array([is_incomplete(text) for text in texts], bool)
    signposts = np.array([is_signpost(text) for text in texts], bool)
    raised = np.maximum(SIGNPOST_DEFECT_PROB, quality.defect_prob)
    defect_prob = np.where(signposts, raised, quality.defect_prob)
    return replace(
        quality,
        defect_prob=np.where(incomplete, 1.0, defect_prob),
        dependency_prob=np.where(incomplete, 0.0, quality.dependency_prob),
    )


def _transfer(quality: Quality, texts: Sequence[str], rules: DefectRules, code: str) -> Quality:
    if language_of(code).pronouns:
        defect_prob, dependency_prob = TRANSFER * quality.defect_prob, quality.dependency_prob
    else:
        defect_prob = np.minimum(quality.defect_prob, MAX_UNKNOWN_DEFECT_PROB)
        dependency_prob = np.zeros(len(defect_prob))
    defects = np.array([rules.find_defect(text) is not None for text in texts], bool)
    dependent = np.array([rules.is_dependent(text) for text in texts], bool) & ~defects
    return replace(
        quality,
        defect_prob=np.where(defects | dependent, 1.0, defect_prob),
        dependency_prob=np.where(dependent, 1.0, np.where(defects, 0.0, dependency_prob)),
    )
