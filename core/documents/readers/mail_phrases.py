"""Standing phrases of e-mail programs, in English, German, French, Spanish and a few more."""

import re

SIGNATURE = re.compile(r"-- ?$|__ ?$|_{20,}$")
WROTE = re.compile(
    r"(?:on|am|le|el|il|em|op|den|dnia)\b.{5,200}\b(?:wrote|writes|schrieb.{0,120}|écrit|escribió"
    r"|ha escrito|scritto|escreveu|schreef.{0,60}|skrev|napisał\w*)\s*:"
    r"|.{1,120}\b(?:wrote|writes|schrieb|écrit|escribió)\s*:",
    re.IGNORECASE,
)
# The same, with a date or an address: an introduction, whatever follows it.
WROTE_ONCE = re.compile(r"(?:on|am|le|el)\b(?=.{0,200}[\d@]).{5,300}:", re.IGNORECASE)
WROTE_BEGINS = re.compile(r"(?:On|Am|Le|El)\s.{0,60}\d")
QUOTED_BELOW = re.compile(
    r"-{2,}\s*(?:original message|ursprüngliche nachricht|message d.origine|mensaje original"
    r"|messaggio originale|oorspronkelijk bericht)\s*-{2,}",
    re.IGNORECASE,
)
FORWARDED = re.compile(
    r"(?:-{2,}\s*)?(?:begin )?forwarded message(?: follows)?(?:\s*-{2,}|:)"
    r"|-{2,}\s*(?:weitergeleitete nachricht|message transféré|mensaje reenviado)\s*-{2,}",
    re.IGNORECASE,
)
_SENDER = r"from|von|de"
_DATE = r"sent|date|gesendet|datum|envoyé|enviado(?: el)?|fecha"
_SUBJECT = r"subject|betreff|objet|asunto"
_OTHERS = r"to|b?cc|reply-to|an|kopie|à|para|importance|priorité|wichtigkeit|importancia"
_COLON = r"[ \u00a0]?:\*?"
HEADER = re.compile(
    rf"\*?(?:{_SENDER}|{_DATE}|{_SUBJECT}|{_OTHERS}){_COLON}(?:\s|$)", re.IGNORECASE
)
HEADERS_WITHIN = re.compile(
    r"\b(?:Sent|To|Date|Subject|Gesendet|An|Betreff|Envoyé|À|Objet|Enviado(?: el)?|Para|Asunto)"
    r"[ \u00a0]?:\s"
)
SENDER = re.compile(rf"\*?(?:{_SENDER}){_COLON}\s+\S", re.IGNORECASE)
SENT = re.compile(rf"\*?(?:{_DATE}){_COLON}\s+(\S.*)", re.IGNORECASE)
SUBJECT = re.compile(rf"\*?(?:{_SUBJECT}){_COLON}\s+(\S.*)", re.IGNORECASE)
# A disclaimer speaks of the mail it stands in, and has a second mark besides being confidential.
_THIS_MAIL = (
    r"(?:(?:confidentiality (?:notice|note)|disclaimer|important(?: notice)?|notice|please note)\b"
    r".{0,20}?)?(?:the (?:information|contents?)\b.{0,30}?)?"
    r"\bthis (?:e-?mail|electronic mail|message|communication|transmission)\b"
)


def _disclaimer(this: str, secret: str, recipient: str, others: str) -> str:
    """A pattern of disclaimers: secret, and for whom; or for whom, and for nobody else.

    Args:
        this: "This message", which they begin with.
        secret: "confidential".
        recipient: "recipient".
        others: What else they say of those whom the message is not for.

    Returns:
        The pattern, which also knows a sentence that says no more than that it is secret.
    """
    return (
        rf"(?:{this})\b(?:(?=.{{0,400}}\b{secret})(?=.{{0,800}}\b(?:{recipient}|{others}))"
        rf"|(?=.{{0,400}}\b{recipient})(?=.{{0,800}}\b(?:{others}))"
        rf"|\s(?:ist|est|es) (?:\w+ )?{secret}\.?$)"
    )


_GERMAN = _disclaimer(
    "diese (?:e-?mail|nachricht)",
    "vertraulich(?:en?)?",
    "(?:empfänger|adressat)",
    "irrtümlich|lösch|vernicht|unbefugt|unzulässig|nicht gestattet|ausschließlich|nur für",
)
_FRENCH = _disclaimer(
    "ce (?:message|courriel)|cet e-?mail",
    "confidentiel(?:le)?s?",
    "destinataires?",
    "erreur|détrui|supprim|interdi|non autoris|exclusi",
)
_SPANISH = _disclaimer(
    "este (?:mensaje|correo)",
    "confidencial(?:es)?",
    "destinatari[oa]s?",
    "error|elimin|borr|prohib|no autoriz|exclusiv|únicamente",
)
_FOR_OTHERS = r"(?:recipients?|addressees?|addressed to|in error|delete|unauthori[sz]ed|prohibited"
STANDING = re.compile(
    r"sent from my \w+|get outlook for \w+|sent (?:from|via) (?:mail|outlook)\b"
    r"|(?:von meinem|envoyé de(?:puis)? mon|enviado desde mi|gesendet (?:von|mit)) \w+"
    r"|(?:outlook für|obtenir outlook|obtener outlook|télécharger outlook)\b"
    r"|(?:to )?unsubscribe\b.{0,200}$|please consider the environment before printing"
    r"|(?:bitte (?:denken|prüfen) sie|antes de imprimir|pensez à l.environnement)\b"
    r"|external e-?mail\s*:.{0,300}\b(?:sender|attachments?|links?)\b"
    r"|(?:caution|warning)\s*:(?=.{0,300}\b(?:sender|attachments?|links?)\b).{0,300}\b(?:external"
    r" (?:e-?mail|sender|source)|outside|originated|click|unless you|unknown sender)\b"
    r"|.{0,200}\bif you (?:are|were) not the (?:intended|named) (?:recipient|addressee)"
    r"|.{0,60}\bif you (?:have )?received? this (?:e-?mail|message|communication).{0,40}\berror\b"
    rf"|{_THIS_MAIL}(?=.{{0,400}}\b(?:confidential|privileged)\b).{{0,800}}\b{_FOR_OTHERS}|intended)\b"
    rf"|{_THIS_MAIL}(?=.{{0,400}}\bintended (?:only|solely) for\b).{{0,800}}\b{_FOR_OTHERS})\b"
    rf"|{_GERMAN}|{_FRENCH}|{_SPANISH}"
    r"|(?:wenn|sollten|falls) sie (?=.{0,160}\b(?:e-?mail|nachricht|adressat|empfänger)\b)"
    r".{0,60}\b(?:irrtümlich|nicht der (?:richtige|beabsichtigte))\b"
    r"|si vous avez reçu ce (?:message|courriel|mail)\b.{0,60}\berreur"
    r"|si (?:usted )?ha recibido este (?:mensaje|correo)\b.{0,60}\berror",
    re.IGNORECASE,
)
CLOSING = re.compile(
    r"(?:(?:with )?(?:best|kind|warm|many)?\s?(?:regards|wishes|thanks)|sincerely|cheers"
    r"|yours (?:sincerely|faithfully|truly)"
    r"|(?:mit )?(?:freundliche|beste|herzliche|liebe|viele|schöne)n? grü(?:ß|ss)en?"
    r"|(?:bien )?cordialement|(?:bien à|sincères salutations|salutations)(?: \w+)?"
    r"|(?:un |atentos |cordiales )?saludos?(?: cordial(?:es)?)?|atentamente)[,.!]?",
    re.IGNORECASE,
)
