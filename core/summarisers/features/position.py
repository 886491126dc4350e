"""Where in the document a sentence stands.

Letters: S sentences of the document, E candidates (those that may be picked).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.documents.document import Document, Kind
from core.documents.sentences import Sentences

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
# German, French, Spanish, Italian, Portuguese, Dutch, Russian; none of them begins an English word.
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
class Places:
    """Which candidates belong together.

    Args:
        paragraphs: [E] the paragraph of each.
        order: [E] the same, numbered from 0 without gaps.
        sections: [E] the section of each, from 0; what stands before all headings is section 0.
        headings: The paragraph that is each section's heading, -1 where there is none.
    """

    paragraphs: Ints
    order: Ints
    sections: Ints
    headings: Ints


def places_of(document: Document, sentences: Sentences, candidates: Ints) -> Places:
    """Finds the section of each candidate.

    Args:
        document: The document.
        sentences: [S] its sentences.
        candidates: [E] indices of sentences, ascending.

    Returns:
        The places.
    """
    paragraphs = sentences.paragraphs[candidates].astype(np.int64)
    headings = np.flatnonzero(document.kinds == Kind.HEADING)
    passed = headings.searchsorted(paragraphs, side="right")
    used, sections = np.unique(passed, return_inverse=True)
    before = np.append(-1, headings)
    _, order = np.unique(paragraphs, return_inverse=True)
    return Places(paragraphs, order, sections.astype(np.int64), before[used])


def place_signals(document: Document, places: Places) -> Iterator[tuple[str, Floats]]:
    """The signals of places, by name.

    Args:
        document: The document.
        places: [E] where its candidates stand.

    Yields:
        A name and [E] numbers.
    """
    number = np.arange(len(places.paragraphs))
    yield from _in_group("document", np.zeros_like(number))
    yield from _in_group("section", places.sections)
    yield from _in_group("paragraph", places.paragraphs)
    yield "paragraph share", places.order / max(1, places.order.max(initial=0))
    yield "paragraph number", np.log1p(places.order)
    last = max(1, int(places.sections.max(initial=0)))
    yield "section share", places.sections / last
    yield "section number", np.log1p(places.sections)
    yield "section from end", np.log1p(places.sections.max(initial=0) - places.sections)
    known = places.headings >= 0
    levels = np.where(known, document.levels[places.headings], 0)
    yield "heading level", levels[places.sections].astype(np.float64)
    texts = [document.paragraph(at) if at >= 0 else "" for at in places.headings.tolist()]
    for name, pattern in _PATTERNS.items():
        hits = np.array([bool(pattern.search(text)) for text in texts], np.float64)
        under = hits[places.sections]
        yield f"heading: {name}", under
        yield f"document: {name}", np.full(len(under), under.sum() / max(1, len(under)))
    kinds = document.kinds[places.paragraphs]
    yield "list item", (kinds == Kind.LIST_ITEM).astype(np.float64)
    yield "quotation", (kinds == Kind.QUOTE).astype(np.float64)


def _in_group(name: str, groups: Ints) -> Iterator[tuple[str, Floats]]:
    """Where in its group each candidate stands; those of a group follow one another."""
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
