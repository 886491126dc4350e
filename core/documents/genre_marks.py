"""What forms, minutes, templates and stories are known by: marks and words of their own."""

import re

MESSAGE = re.compile(
    r"From [^\n]{3,200}\d{4}|\*?(?:From|Von|De)[ \xa0]?:\*? |[^\n]{3,200}\b(?:wrote|schrieb|écrit"
    r"|escribió)[ \xa0]?:$|-{2,}\s?(?:Original|Ursprüngliche|Forwarded)",
    re.IGNORECASE,
)
"""The head of a message, or what introduces a quoted one."""

MINUTES = re.compile(
    r"\bminutes\b|\bmeeting\b|\bprotokoll\b|\bsitzung\b|\bprocès-verbal\b|\bcompte[- ]rendu\b"
    r"|\bréunion\b|\bacta de\b|\breunión\b|\bverbale\b|\briunione\b|\bnotulen\b|\bvergadering\b",
    re.IGNORECASE,
)
"""What minutes call themselves, or what they record."""

_MARK = r"\s*(?:\d{1,2}\.?\s*)?"
MINUTES_MARKS = {
    name: re.compile(rf"{_MARK}(?:{words})", re.IGNORECASE)
    for name, words in {
        "attendance": r"(?:members )?(?:present|attend(?:ees|ance)|participants|regrets|apologies"
        r"|absent|roll call|tsc members|anwesend\w*|teilnehmer\w*|entschuldigt|présents|excusés"
        r"|asistentes|presentes|presenti|aanwezig\w*)\b\s*(?::|$)",
        "agenda": r"(?:agenda|tagesordnung|ordre du jour|orden del día|ordine del giorno)\b.{0,20}$"
        r"|TOP \d{1,2}\b",
        "action": r"(?:new )?(?:actions?(?: items?| points?)?|to-?dos?|aufgaben?|tareas"
        r"|actions à mener)\s*(?::|$|review\b)",
        "decision": r"(?:resolved|resolution|decisions?|decided|motion|beschl[uü]ss\w*|décisions?"
        r"|acuerdos?)\b\s*(?::|$)|by (?:unanimous )?(?:voice )?vote\b|(?:the )?motion (?:was )?"
        r"(?:carried|passed|seconded)\b",
        "session": r"(?:a|the) (?:\w+ ){0,3}meeting (?:\w+ ){0,12}was (?:held|called to order"
        r"|adjourned|opened|closed)\b|(?:the )?meeting (?:adjourned|opened|closed)\b"
        r"|minutes(?: of |/notes|$)|die sitzung (?:wird|wurde)\b|la séance est (?:ouverte|levée)\b"
        r"|se (?:abre|levanta) la sesión\b",
        "previous": r"(?:approval|review) of (?:the )?(?:previous |last )?(?:meeting )?minutes\b"
        r"|(?:next|previous) meeting\b|action item review\b",
    }.items()
}
"""What stands at the beginning of paragraphs of minutes, each kind with its words."""

_BOX = r"[☐☑☒□■❏❑◻◯○]"
OPTIONS = re.compile(
    rf"{_BOX}\s*\w|\[[ xX]?\]\s|_{{4,}}|\.{{12,}}|\((?:check|tick|circle|select) (?:one|all|any)\b"
    r"|\b(?:yes|ja|oui|sí)[\s/]{1,4}(?:no|nein|non)\b[\s/]*(?:$|\t|n/?a\b|not? (?:available|appl))"
    r"|\bcomplete\s+partial\s+not\b",
    re.IGNORECASE,
)
"""Boxes, lines to write on, and choices."""
FIELD = re.compile(
    r"^(?:\S+\s){0,3}\S+\s?[:：]\s*$|^[\w /()'-]{2,40}:\s+\S+(?:\s\S+){0,2}$"
    r"|^(?:signature|unterschrift|firma|(?:first|last|full|family|given) name|date of birth)\b",
    re.IGNORECASE,
)
"""A label that ends in a colon, perhaps with its value."""

PLACEHOLDER = re.compile(
    r"\[(?:insert|your|enter|add|name|date|company|address|title|city|state|number|amount|position"
    r"|organi[sz]ation|project|describe|e\.g\.|ihr|name|datum|firma|votre|nom|su|nombre)\b[^\[\]\n]{0,80}\]"
    r"|\{\{[^{}\n]{1,60}\}\}|<(?:your|insert|enter|name|date|company|address)\b[^<>\n]{0,60}>"
    r"|(?-i:\[[A-Z][A-Z /_-]{2,40}\]|\bX{4,}\b)|\[\s?[_.…]{2,}\s?\]|_{5,}|\blorem ipsum\b",
    re.IGNORECASE,
)
"""What a template leaves to be filled in."""

DIALOGUE = re.compile(
    r"[“\"„«‘][^“”\"„«»]{2,300}[,.!?…—–-][”\"“»’](?!\w)|^[—–] ?[^\W\d_]|^»[^«»]{2,300}«"
)
"""Direct speech: quoted words that end with a mark inside the quotation."""
NUMBER = re.compile(r"\d[\d.,]*")
SENTENCE_END = re.compile(r"[.!?…。！？؟।][\"'”’»)\]]{0,3}\s*$")
