"""Position of candidates in the document, its sections and its paragraphs.

Letters: S sentences of the document, E candidates.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.documents.document import Document, Kind
from core.summarisers.candidates import Candidates

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

HEADINGS = {
    "summary": r"abstract|summary|synopsis|digest|key (?:points|concepts)",
    "opening": r"abstract|summary|overview|introduction|preamble|executive|key (?:points|concepts)",
    "background": r"background|motivation|problem|related|history|prior art|field|context|goals?",
    "method": r"methods?|methodology|materials|procedures?|approach|experiment|data|setup",
    "finding": r"results?|findings?|evaluation|analysis|discussion|observations?",
    "closing": r"conclusions?|concluding|closing|outlook|future|summary|final",
    "proposal": r"proposal|proposed|rationale|specification|solution|design|change|invention",
    "aside": r"appendix|acknowledge?ments?|example|implementation|reference|compatib|alternativ"
    r"|drawings?|security|test|copyright|supplement|author|ethic|statistic",
}
# German, French, Spanish, Italian, Portuguese, Dutch, Russian; no English word begins with these.
_FOREIGN_HEADINGS = {
    "summary": r"zusammenfassung|kurzfassung|résumé|synthèse|resumen|riassunto|sommario|sintesi"
    r"|resumo|sumário|samenvatting|аннотация|резюме",
    "opening": r"zusammenfassung|kurzfassung|überblick|einleitung|einführung|vorwort|résumé"
    r"|synthèse|aperçu|avant-propos|resumen|introducción|riassunto|sommario|sintesi|introduzione"
    r"|resumo|introdução|apresentação|sumário|samenvatting|inleiding|overzicht|voorwoord|введение"
    r"|аннотация|резюме|обзор|предисловие",
    "background": r"hintergrund|ausgangslage|vorgeschichte|geschichte|stand der technik|contexte"
    r"|historique|histoire|antecedentes|historia|contexto|contesto|storia|história|achtergrond"
    r"|aanleiding|geschiedenis|предыстория|история|контекст|уровень техники",
    "method": r"methode|vorgehen|verfahren|versuch|daten|méthod|démarche|données|métod|metod|dati\b"
    r"|dados|werkwijze|gegevens|метод|материалы|данные|эксперимент",
    "finding": r"ergebnis|befund|auswertung|diskussion|résultat|resultado|hallazgo|análisis"
    r"|discusión|risultat|analisi|discussione|análise|discussão|resultaten|bevindingen|bespreking"
    r"|результат|обсуждение|анализ|выводы",
    "closing": r"fazit|schluss|ausblick|schlussfolgerung|conclusión|conclusiones|perspectivas"
    r"|prospettive|conclusione|conclusão|conclusões|considerações finais|conclusie|vooruitblik"
    r"|заключение|итоги|перспективы",
    "aside": r"anhang|danksagung|beispiel|literatur(?:verzeichnis)?\b|quellen|remerciements"
    r"|bibliographie|anexo|agradecimientos|bibliografía|allegat[oi]\b|ringraziamenti|bibliografia"
    r"|agradecimentos|bijlage|dankwoord|literatuur|bronnen|приложение|благодарности|литература|источники",
}
_PATTERNS = {
    name: re.compile(rf"\b(?:{words}|{_FOREIGN_HEADINGS.get(name, words)})", re.IGNORECASE)
    for name, words in HEADINGS.items()
}


@dataclass(frozen=True, eq=False)
class Positions:
    """Paragraphs and sections of candidates.

    Letters: H sections that contain candidates.

    Args:
        paragraphs: [E] the paragraph of each.
        order: [E] the same, numbered from 0 without gaps.
        sections: [E] the section of each, from 0 to H - 1; text before all headings is one, too.
        headings: [H] the paragraph that is each section's heading, -1 for that one.
    """

    paragraphs: Ints
    order: Ints
    sections: Ints
    headings: Ints


def locate_candidates(document: Document, candidates: Candidates) -> Positions:
    """Finds the paragraph and section of each candidate."""
    paragraphs = candidates.paragraphs.astype(np.int64)
    headings = np.flatnonzero(document.kinds == Kind.HEADING)
    passed = headings.searchsorted(paragraphs, side="right")
    used, sections = np.unique(passed, return_inverse=True)
    before = np.append(-1, headings)
    _, order = np.unique(paragraphs, return_inverse=True)
    return Positions(paragraphs, order, sections.astype(np.int64), before[used])


def position_features(document: Document, positions: Positions) -> Iterator[tuple[str, Floats]]:
    """Describes the positions of candidates.

    Args:
        document: The document.
        positions: [E] positions of its candidates.

    Yields:
        A name and [E] numbers.
    """
    number = np.arange(len(positions.paragraphs))
    yield from _place_in_group("document", np.zeros_like(number))
    yield from _place_in_group("section", positions.sections)
    yield from _place_in_group("paragraph", positions.paragraphs)
    yield "paragraph share", positions.order / max(1, positions.order.max(initial=0))
    yield "paragraph number", np.log1p(positions.order)
    last = max(1, int(positions.sections.max(initial=0)))
    yield "section share", positions.sections / last
    yield "section number", np.log1p(positions.sections)
    yield "section from end", np.log1p(positions.sections.max(initial=0) - positions.sections)
    known = positions.headings >= 0
    levels = np.where(known, document.levels[positions.headings], 0)
    yield "heading level", levels[positions.sections].astype(np.float64)
    texts = [document.paragraph(at) if at >= 0 else "" for at in positions.headings.tolist()]
    for name, pattern in _PATTERNS.items():
        hits = np.array([bool(pattern.search(text)) for text in texts], np.float64)
        under = hits[positions.sections]
        yield f"heading: {name}", under
        yield f"document: {name}", np.full(len(under), under.sum() / max(1, len(under)))
    kinds = document.kinds[positions.paragraphs]
    yield "list item", (kinds == Kind.LIST_ITEM).astype(np.float64)
    yield "quotation", (kinds == Kind.QUOTE).astype(np.float64)


def _place_in_group(name: str, groups: Ints) -> Iterator[tuple[str, Floats]]:
    """Describes the place of each candidate in its group [E]; groups are contiguous."""
    _, starts, inverse, counts = np.unique(
        groups, return_index=True, return_inverse=True, return_counts=True
    )
    sizes = counts[inverse]
    before = np.arange(len(groups)) - starts[inverse]
    after = sizes - 1 - before
    yield f"{name}: share", before / np.maximum(1, sizes - 1)
    yield f"{name}: before", np.log1p(before)
    yield f"{name}: after", np.log1p(after)
    yield f"{name}: size", np.log1p(sizes)
