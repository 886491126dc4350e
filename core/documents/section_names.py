"""What lists, captions and sections are called in other languages than English, as patterns.

The languages are German, French, Spanish, Italian, Portuguese, Dutch and Russian.
"""

REFERENCES = (
    r"literatur(?:verzeichnis)?|quellen(?:verzeichnis)?|références|bibliographie|referencias"
    r"|bibliografía|riferimenti(?: bibliografici)?|bibliografia|referências(?: bibliográficas)?"
    r"|literatuur(?:lijst)?|referenties|bronnen|литература|список литературы|источники"
)
CONTENTS = (
    r"inhalt(?:sverzeichnis)?|table des matières|sommaire|índice|contenido|indice|sumário"
    r"|inhoud(?:sopgave)?|содержание|оглавление"
)
CAPTIONS = (
    r"abb(?:ildung|\.)|tab(?:elle|\.)|tableau|graphique|figura|tabla|gráfico|cuadro|tabella|tabela"
    r"|quadro|afb(?:eelding|\.)|figuur|tabel|рис(?:унок|\.)|табл(?:ица|\.)"
)
"""What stands with a number before a caption."""

SECTIONS = (
    r"zusammenfassung|kurzfassung|vorwort|einleitung|einführung|hintergrund|ausgangslage|methoden?"
    r"|ergebnisse|diskussion|fazit|schluss|ausblick|danksagung|anhang|glossar"
    r"|résumé|avant-propos|préface|contexte|méthodes?|résultats|conclusions?|perspectives"
    r"|remerciements|annexes?"
    r"|resumen|prólogo|introducción|antecedentes|métodos?|metodología|resultados|discusión"
    r"|conclusi(?:ón|ones)|agradecimientos|anexos?"
    r"|riassunto|sommario|prefazione|introduzione|contesto|metod[oi]|risultati|discussione"
    r"|conclusion[ei]|ringraziamenti|allegat[oi]"
    r"|resumo|prefácio|introdução|contexto|metodologia|discussão|conclus(?:ão|ões)|agradecimentos"
    r"|samenvatting|voorwoord|inleiding|achtergrond|methode|resultaten|discussie|conclusies?"
    r"|dankwoord|bijlagen?"
    r"|аннотация|резюме|предисловие|введение|методы|результаты|обсуждение|выводы|заключение"
    r"|благодарности|приложени[ея]"
)
"""Sections of papers and reports."""
