"""Names of speakers: how they are compared and shown, and which labels never name one."""

import re
from collections.abc import Iterable

_QUESTIONS = "question frage pregunta domanda pergunta vraag вопрос"
_ANSWERS = "answer antwort réponse respuesta risposta resposta antwoord ответ"
QUESTION_WORDS = (*_QUESTIONS.split(), *_ANSWERS.split())
"""What stands before questions and answers in some languages, in small letters."""

FIELDS = frozenset(
    """
    note notes nb n.b warning caution important tip hint info remark remarks example examples eg
    e.g ie i.e figure fig table source sources see step steps task tasks exercise problem solution
    input output result results pros cons advantages disadvantages type default value values name
    title date time place location venue where when who why how what which to from cc bcc subject
    re fwd sent tel telephone phone mobile fax email e-mail mail address url website web link
    links abstract keywords key words summary background method methods conclusion conclusions
    objective objectives purpose goal goals aim aims discussion agenda present attendees
    attendance absent regrets apologies participants members guests action actions action item
    action items resolved resolution resolutions motion vote decision decisions topic topics todo
    done update updates consideration considerations mitigation ensured status author authors
    version license licence price contents chapter section part appendix first second third fourth
    finally last next however therefore yes no also plus and but or if then else for description
    details usage syntax returns return raises args parameters params arguments option options
    required optional requirements prerequisites references reference related tags category
    categories priority severity effect effects cause causes symptom fix rationale reason reasons
    evidence comment comments feedback idea ideas goal scope host chair scribe minutes meeting
    call recording slides definition theorem lemma proof corollary proposition claim case cases
    fact facts issue rule rules term terms caption image photo video audio credit http https ftp
    file files class method function module import error debug warn trace hinweis hinweise achtung
    wichtig tipp beispiel beispiele quelle quellen abbildung tabelle anmerkung ziel ziele ergebnis
    ergebnisse datum ort zeit betreff von an telefon adresse anwesend entschuldigt beschluss
    aufgabe aufgaben lösung titel autor thema themen teilnehmer remarque remarques exemple
    exemples attention important conseil figure tableau objet lieu titre auteur présents excusés
    décision but objectif résultat résultats nota notas ejemplo ejemplos atención fuente fuentes
    figura tabla objetivo objetivos resultado resultados fecha lugar hora asunto teléfono
    dirección título autor presentes acuerdo acuerdos
    """.split()
) | {"action item", "action items", "key words"}
"""What stands before a colon in forms, manuals and minutes, and is no speaker; by `name_key`."""

FORMAL = (
    *(
        "mr ",
        "ms ",
        "mrs ",
        "miss ",
        "justice ",
        "chief ",
        "judge ",
        "chairman",
        "chairwoman",
        "vice chair",
    ),
    *("the court", "the witness", "the reporter", "the clerk", "the chair", "the speaker"),
    *("the president", "the deputy", "senator ", "herr ", "frau ", "señor", "m ", "mme "),
)
"""How the keys begin of labels that name a person by honorific or office."""
_HONORIFICS = frozenset("mr mrs ms dr prof st jr sr hon".split())
_INITIALS = re.compile(r"[A-Z]{2,3}")
_AFTER_MC = re.compile(r"\bMc([a-z])")


def name_key(name: str) -> str:
    """By what two labels are known to name the same speaker: "MR. SMITH" and "Mr. Smith"."""
    key = re.sub(r"\s*[(\[].*", "", name.lower().replace(".", " ").replace("’", "'"))
    key = " ".join(key.split())
    if key == "q" or key in _QUESTIONS.split():
        return "question"
    return "answer" if key == "a" or key in _ANSWERS.split() else key


def display_names(names: Iterable[str]) -> dict[str, str]:
    """What to call each speaker, by the key of the name.

    Args:
        names: Names as printed, in order; the first form of each counts.

    Returns:
        Capitals become a name ("MR. DREEBEN" gives "Mr. Dreeben"), "Q" becomes "Question", and
        initials the one speaker with these, if there is one.
    """
    shown: dict[str, str] = {}
    for name in names:
        shown.setdefault(name_key(name), _shown(name))
    full = [name for name in shown.values() if " " in name]
    for key, name in shown.items():
        if _INITIALS.fullmatch(name):
            meant = [other for other in full if _initials(other) == name]
            shown[key] = meant[0] if len(meant) == 1 else name
    return shown


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split() if word[0].isupper())


def _shown(name: str) -> str:
    key = name_key(name)
    if key in ("question", "answer") and len(name) < 3:
        return key.capitalize()
    name = re.sub(r"\s*[(\[].*", "", name).strip() or name
    return " ".join(_cased(word, name) for word in name.split())


def _cased(word: str, name: str) -> str:
    if word != word.upper() or word == word.lower():
        return word
    bare = word.rstrip(".").lower()
    is_short = len(bare) < 4 and "." not in word and " " not in name
    if bare not in _HONORIFICS and (is_short or len(bare) < 2 or "." in bare):
        return word
    cased = re.sub(r"(?:^|[-’'])\w", lambda match: match[0].upper(), word.lower())
    return _AFTER_MC.sub(lambda match: f"Mc{match[1].upper()}", cased)
