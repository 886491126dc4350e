"""E-mail: what a message says, what it quotes, what it carries."""

import base64
import binascii
from email.message import EmailMessage
from email.policy import SMTP

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document, Kind
from core.documents.genre import genre_of
from core.documents.readers.armour import remove_armour
from core.documents.readers.door import read_pasted
from core.documents.readers.mail_threads import moment_in
from core.documents.readers.mojibake import repair
from core.errors import EpitomeError
from core.events import result_of
from core.stop import StopToken
from tests.helpers.reader_checks import check_spans, outline, read, texts

_HEAD = (
    "From: Ann Lee <ann@example.org>\nTo: Bo Ray <bo@example.org>, c@example.org\n"
    "Date: Thu, 4 Oct 2012 13:02:39 +0200\nSubject: The pump\n"
)
_HEAD_LINE = "From Ann Lee to Bo Ray, c@example.org, 4 October 2012, 13:02."
_LONG = "The pump draws water from the lower basin and lifts it into the upper one."


def _mail(body: str, headers: str = "", *, name: str = "a.eml") -> Document:
    document = read(f"{_HEAD}{headers}\n{body}".encode(), name)
    check_spans(document)
    return document


def _said(document: Document) -> list[tuple[Kind, str]]:
    """What stands below the head of a message."""
    assert outline(document)[:2] == [(Kind.HEADING, "The pump"), (Kind.BOILERPLATE, _HEAD_LINE)]
    return outline(document)[2:]


def test_subject_is_the_title_and_the_head_is_one_line() -> None:
    document = _mail("Words.")
    assert (document.title, document.source.format) == ("The pump", "mail")
    assert _said(document) == [(Kind.PARAGRAPH, "Words.")]


def test_lines_cut_by_the_mail_program_are_joined() -> None:
    cut = (
        "The pump draws water from the lower basin and lifts it\ninto the upper one, where it "
        "stays for the night until the\nturbines let it down."
    )
    assert _said(_mail(f"{cut}\n\nBye.")) == [
        (Kind.PARAGRAPH, cut.replace("\n", " ")),
        (Kind.PARAGRAPH, "Bye."),
    ]


def test_flowed_lines_are_joined_and_quotes_apart() -> None:
    flowed = "Content-Type: text/plain; format=flowed\n"
    body = "One long \nline.\nA short one.\n> quoted \n> words.\n>> deeper.\n From here."
    assert _said(_mail(body, flowed)) == [
        (Kind.PARAGRAPH, "One long line."),
        (Kind.PARAGRAPH, "A short one."),
        (Kind.QUOTE, "quoted words."),
        (Kind.QUOTE, "deeper."),
        (Kind.PARAGRAPH, "From here."),
    ]
    joined = 'Content-Type: text/plain; format=flowed; delsp="yes"\n'
    assert _said(_mail("Donaudampf \nschiff.", joined)) == [(Kind.PARAGRAPH, "Donaudampfschiff.")]


def test_what_introduces_a_quotation_is_no_text() -> None:
    body = f"I agree.\n\nOn 3 Oct 2012 at 9:00, Bo Ray wrote:\n> {_LONG}\n>\n> Shall we?\n"
    assert _said(_mail(body)) == [
        (Kind.PARAGRAPH, "I agree."),
        (Kind.BOILERPLATE, "On 3 Oct 2012 at 9:00, Bo Ray wrote:"),
        (Kind.QUOTE, _LONG),
        (Kind.QUOTE, "Shall we?"),
    ]


def test_what_stands_below_an_original_message_is_quoted() -> None:
    body = (
        "Fine.\n\n-----Original Message-----\nFrom: Bo Ray\nSent: Monday\nTo: Ann Lee\n"
        f"Subject: The pump\n\n{_LONG}\n"
    )
    said = _said(_mail(body))
    assert [kind for kind, _ in said] == [Kind.PARAGRAPH, *[Kind.BOILERPLATE] * 5, Kind.QUOTE]
    outlook = body.replace("-----Original Message-----\n", "")
    assert [kind for kind, _ in _said(_mail(outlook))][-1] == Kind.QUOTE


def test_what_is_forwarded_is_text_under_its_subject() -> None:
    body = (
        "See below.\n\n---------- Forwarded message ---------\nFrom: Cy <c@example.org>\n"
        f"Date: Mon, 1 Oct 2012\nSubject: Water levels\nTo: Ann\n\n{_LONG}\n"
    )
    said = _said(_mail(body))
    assert (Kind.HEADING, "Water levels") in said
    assert said[-1] == (Kind.PARAGRAPH, _LONG)


def test_signatures_and_disclaimers_are_taken_out_and_told() -> None:
    body = (
        f"{_LONG}\n\nSent from my phone\n-- \nAnn Lee\nWater works\n> {_LONG} Again.\n\n"
        "This e-mail is confidential and intended only for the person it is addressed to.\n"
    )
    document = _mail(body)
    assert _said(document) == [(Kind.PARAGRAPH, _LONG), (Kind.QUOTE, f"{_LONG} Again.")]
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.words, left_out.missed) == (
        "signatures and disclaimers", 22, False,
    )  # fmt: skip


def test_deleted_words_of_a_page_are_left_out_and_counted() -> None:
    page = f"<p>The fee is <del>five</del> <ins>six</ins> euros.</p><p>{_LONG}</p>"
    document = _mail(page, "Content-Type: text/html\n")
    assert [text for _, text in _said(document)] == ["The fee is six euros.", _LONG]
    (deleted,) = document.reading.left_out
    assert (deleted.what, deleted.words, deleted.missed) == ("deleted passages", 1, False)


@pytest.mark.parametrize(
    "ending",
    [
        "Best regards,\nAnn Lee\n\nHead of Pumps\nTel. +44 20 7946 0000",
        "Mit freundlichen Grüßen\nAnn Lee\nWasserwerk Süd",
        "Bien cordialement,\nAnn Lee",
        "Un saludo,\nAnn Lee\nann@example.org",
        "_______________________________________________\npumps mailing list\npumps@example.org",
        "If you have received this message in error, please delete it.",
        "Diese E-Mail enthält vertrauliche Informationen. Bitte löschen Sie sie.",
        "Ce message est confidentiel.",
        "Si vous avez reçu ce message par erreur, merci de le détruire.",
        "Este mensaje es confidencial y está dirigido a su destinatario.",
        "Von meinem iPhone gesendet",
        "Enviado desde mi iPhone",
        "Envoyé de mon iPhone",
    ],
)
def test_endings_of_letters_in_four_languages_are_taken_out(ending: str) -> None:
    document = _mail(f"{_LONG}\n\n{ending}\n")
    assert _said(document) == [(Kind.PARAGRAPH, _LONG)]
    assert [item.what for item in document.reading.left_out] == ["signatures and disclaimers"]


@pytest.mark.parametrize(
    "said",
    [
        "Our communication with the bank about the loan must stay strictly confidential until May.",
        "The communication between the board and the bank was privileged in the view of the court.",
        "This message is about the loan, which must stay confidential until the board has met.",
        "Warning: the attachments of my last letter about the pump are out of date.",
        "Diese Nachricht ist vertraulich: Wir verkaufen das Werk in Ulm am Montag.",
        "Ce message concerne le destinataire de la facture 12, qui a changé d’adresse.",
        "Ce message est confidentiel : la vente de l’usine de Lyon sera annoncée lundi.",
        "Este mensaje es para decir que el destinatario del envío vive ahora en otra calle.",
        "Este correo es confidencial hasta el lunes: la junta vende la planta de Sevilla.",
        "Falls Sie die Rechnung irrtümlich bezahlt haben, überweisen wir das Geld zurück.",
    ],
)
def test_what_the_sender_says_of_secrets_and_errors_is_no_disclaimer(said: str) -> None:
    document = _mail(f"{_LONG}\n\n{said}\n")
    assert _said(document) == [(Kind.PARAGRAPH, _LONG), (Kind.PARAGRAPH, said)]
    assert document.reading.left_out == ()


@pytest.mark.parametrize(
    "disclaimer",
    [
        "This message is intended only for the addressee. Please delete it.",
        "The information contained in this e-mail is confidential. Unauthorised use is a crime.",
        "CONFIDENTIALITY NOTICE: This communication is privileged and for its intended recipient.",
        "CAUTION: This e-mail came from outside of the firm. Do not open attachments or links.",
        "Diese E-Mail kann vertrauliche Angaben enthalten. Unbefugte Weitergabe ist untersagt.",
        "Ce message est établi à l’intention exclusive de ses destinataires.",
        "Este mensaje va dirigido exclusivamente a su destinatario.",
        "Sollten Sie diese Nachricht irrtümlich erhalten haben, löschen Sie sie bitte.",
    ],
)
def test_disclaimers_are_known_by_two_marks(disclaimer: str) -> None:
    assert _said(_mail(f"{_LONG}\n\n{disclaimer}\n")) == [(Kind.PARAGRAPH, _LONG)]


@pytest.mark.parametrize("line", ["Date: 12 May 2012, 10:00", "To: all of us it matters."])
@pytest.mark.parametrize("above", ["<h2>Our spring webinar</h2>", "<p>Sent from my phone</p>"])
def test_a_line_that_looks_like_one_of_a_header_does_not_make_the_rest_a_quotation(
    line: str, above: str
) -> None:
    page = f"{above}<p>{line}</p><p>{_LONG}</p>"
    said = _said(_mail(page, "Content-Type: text/html\n"))
    assert said[-2:] == [(Kind.PARAGRAPH, line), (Kind.PARAGRAPH, _LONG)]


def test_thanks_with_a_text_below_is_no_ending() -> None:
    said = _said(_mail(f"Thanks,\n\n{_LONG} {_LONG}\n\nAnd so on it goes.\n"))
    assert (Kind.PARAGRAPH, f"{_LONG} {_LONG}") in said
    assert said[0] == (Kind.PARAGRAPH, "Thanks,")


def test_what_stands_below_a_signature_is_read() -> None:
    body = f"See below.\n-- \nAnn\n---------- Forwarded message ---------\nFrom: Cy\n\n{_LONG}\n"
    assert _said(_mail(body))[-1] == (Kind.PARAGRAPH, _LONG)
    listed = "-- \nAnn\n" + "".join(f"{_LONG} {n}\n\n" for n in range(20))
    assert len(texts(_mail(listed), Kind.PARAGRAPH)) > 10
    assert _said(_mail(f"-- \n-- \n-- \n{_LONG}")) == [(Kind.BOILERPLATE, _LONG)]


def test_a_thread_is_read_once() -> None:
    answer = (
        f"From b@example.org Fri Oct  5 09:00:00 2012\n{_HEAD}\nYes.\n\nAnn Lee wrote:\n> {_LONG}\n"
    )
    box = f"From a@example.org Thu Oct  4 13:02:39 2012\n{_HEAD}\n{_LONG}\n\n{answer}"
    document = read(box.encode(), "thread.mbox")
    assert texts(document, Kind.PARAGRAPH, Kind.QUOTE) == [_LONG, "Yes."]
    assert len(texts(document, Kind.HEADING)) == 2
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.words, left_out.missed) == ("quoted passages", 15, False)


def _dated(day: int, body: str) -> str:
    """A message of a mailbox."""
    head = _HEAD.replace("4 Oct", f"{day} Oct")
    return f"From a@example.org Thu Oct  4 13:02:39 2012\n{head}\n{body}\n\n"


def test_a_mailbox_is_read_from_its_newest_message_and_each_passage_once() -> None:
    second = f"Yes. Shall we open it?\n\nOn 4 Oct 2012, Ann Lee wrote:\n> {_LONG}\n> It rests."
    third = (
        "I opened it.\n\nOn 5 Oct 2012, Bo Ray wrote:\n> Yes. Shall we open it?\n>\n"
        f"> On 4 Oct 2012, Ann Lee wrote:\n>> {_LONG}\n>\n> {_LONG} But not today.\n"
    )
    box = "".join((_dated(4, f"{_LONG}\nIt rests."), _dated(5, second), _dated(6, third)))
    document = read(box.encode(), "thread.mbox")
    said = texts(document, Kind.PARAGRAPH, Kind.QUOTE)
    assert said[:2] == ["I opened it.", "Yes. Shall we open it?"]
    assert sum(text.count(_LONG) for text in said) == 2  # once with words of its own
    assert document.text.index("6 October") < document.text.index("4 October")
    assert any("the newest first" in note for note in document.reading.notes)
    assert any(item.what == "quoted passages" for item in document.reading.left_out)


_THREADS = {
    "en": (
        "From: Ann Lee <ann@example.org>\nSent: Friday, October 5, 2012 1:02 PM\nTo: Bo Ray\n"
        "Subject: RE: The pump\n",
        "From: Bo Ray\nSent: Thursday, October 4, 2012 9:10 AM\nTo: Ann Lee\nSubject: The pump\n",
        "On Wed, Oct 3, 2012 at 6:26 PM Ann Lee <ann@example.org> wrote:",
    ),
    "de": (
        "Von: Ann Lee\nGesendet: Freitag, 5. Oktober 2012 13:02\nAn: Bo Ray\n"
        "Betreff: AW: The pump\n",
        "Von: Bo Ray\nGesendet: Donnerstag, 4. Oktober 2012 09:10\nAn: Ann Lee\n"
        "Betreff: The pump\n",
        "Am Mi., 3. Okt. 2012 um 18:26 Uhr schrieb Ann Lee <\nann@example.org>:",
    ),
    "fr": (
        "De : Ann Lee\nEnvoyé : vendredi 5 octobre 2012 13:02\nÀ : Bo Ray\nObjet : RE: The pump\n",
        "De : Bo Ray\nEnvoyé : jeudi 4 octobre 2012 09:10\nÀ : Ann Lee\nObjet : The pump\n",
        "Le mer. 3 oct. 2012 à 18:26, Ann Lee <ann@example.org> a écrit :",
    ),
    "es": (
        "De: Ann Lee\nEnviado el: viernes, 5 de octubre de 2012 13:02\nPara: Bo Ray\n"
        "Asunto: RE: The pump\n",
        "De: Bo Ray\nEnviado el: jueves, 4 de octubre de 2012 9:10\nPara: Ann Lee\n"
        "Asunto: The pump\n",
        "El mié, 3 oct 2012 a las 18:26, Ann Lee (<ann@example.org>) escribió:",
    ),
}
_WORDS = [f"{_LONG} It was case number {number} of three." for number in range(3)]


@pytest.mark.parametrize("language", _THREADS)
@pytest.mark.parametrize("newest_first", [True, False])
def test_pasted_threads_of_four_languages_are_read_as_such(
    language: str, newest_first: bool
) -> None:
    newer, older, wrote = _THREADS[language]
    messages = [f"{newer}\n{_WORDS[0]}\n", f"{older}\n{_WORDS[1]}\n\n{wrote}\n> {_WORDS[2]}\n"]
    text = "\n".join(messages if newest_first else messages[::-1])
    document = result_of(read_pasted(text, "", StopToken()))
    check_spans(document)
    assert texts(document, Kind.PARAGRAPH, Kind.QUOTE) == _WORDS
    assert document.reading.notes[0] == "The text is an e-mail thread and was read as such."
    assert (len(document.reading.notes) == 2) is not newest_first
    assert "The pump" in document.title
    said = [document.speaker(index) for index in range(document.num_paragraphs)]
    assert [name for name in said if name] == ["Ann Lee", "Bo Ray"]


@pytest.mark.parametrize("language", _THREADS)
def test_what_stands_under_the_header_of_a_message_below_is_quoted(language: str) -> None:
    said = _said(_mail(f"Fine.\n\n{_THREADS[language][1]}\n{_LONG}\n"))
    kinds = [Kind.PARAGRAPH, *[Kind.BOILERPLATE] * 4, Kind.QUOTE]
    assert [kind for kind, _ in said] == kinds


def test_what_stands_under_an_introduction_without_marks_is_quoted() -> None:
    body = f"Fine.\n\nOn Oct 3, 2012, at 9:00 AM, Bo Ray\n<bo@example.org>\nwrote:\n\n{_LONG}\n"
    assert [kind for kind, _ in _said(_mail(body))] == [
        Kind.PARAGRAPH, Kind.BOILERPLATE, Kind.QUOTE,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        f"From: Ann Lee\nTo: Bo Ray\nDate: 4 October 2012\nSubject: The pump\n\n{_LONG}",
        f"On the fourth day Ann wrote:\n\n{_LONG}\n\nHe wrote:\n\n{_LONG}",
        f"From: where it came.\n\n{_LONG}",
    ],
)
def test_memoranda_and_novels_are_no_threads(text: str) -> None:
    assert read(text, "a.txt").reading.notes == ()


@pytest.mark.parametrize(
    ("text", "day", "hour"),
    [
        ("Friday, October 5, 2012 1:02 PM", 5, 13),
        ("Fri, 5 Oct 2012 12:02:39 AM", 5, 0),
        ("vendredi 5 août 2012 13:02", 5, 13),
        ("viernes, 5 de enero de 2012 9:10", 5, 9),
        ("Freitag, 5. März 2012 09:10", 5, 9),
    ],
)
def test_dates_of_headers_are_understood(text: str, day: int, hour: int) -> None:
    moment = moment_in(text)
    assert moment is not None
    assert (moment.year, moment.day, moment.hour) == (2012, day, hour)


@pytest.mark.parametrize("text", ["", "soon", "31 February 2012", "5/6/2012", "May 2012"])
def test_what_is_no_sure_date_is_none(text: str) -> None:
    assert moment_in(text) is None


def _message(**headers: str) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    for name, value in headers.items():
        message[name] = value
    return message


def test_of_two_forms_the_one_with_structure_is_read() -> None:
    message = _message(Subject="Levels")
    message.set_content("The level rose.\nIt fell again.")
    message.add_alternative("<p>The level <b>rose</b>.</p>", subtype="html")
    plain = read(message.as_bytes(), "a.eml")
    assert texts(plain) == ["Levels", "The level rose.", "It fell again."]
    html = "<h2>June</h2><ul><li>It rose.<li>It fell.</ul><script>track()</script>"
    message.get_payload(1).set_content(html, subtype="html")
    assert outline(read(message.as_bytes(), "a.eml"))[1:] == [
        (Kind.HEADING, "June"),
        (Kind.LIST_ITEM, "It rose."),
        (Kind.LIST_ITEM, "It fell."),
    ]
    message.get_payload(0).set_content("Open the page.")
    message.get_payload(1).set_content(f"<p>{'The level rose. ' * 100}</p>", subtype="html")
    assert texts(read(message.as_bytes(), "a.eml"))[1].startswith("The level rose.")


_BODY = "The museum opened in May. It shows boats, nets and letters of the fishers. "


@pytest.mark.parametrize(
    "stub",
    [
        "Your e-mail program cannot show HTML. Open https://example.org/" + "x" * 200,
        "Zum Lesen bitte die HTML-Ansicht wählen.",
        f"{_BODY}[cut]",
        " ",
    ],
)
def test_a_stub_beside_a_page_is_not_read_for_it(stub: str) -> None:
    message = _message(Subject="Museum")
    message.set_content(stub)
    page = f"<head><title>x</title><style>{'a{} ' * 50}</style></head><div>{_BODY * 4}</div>"
    message.add_alternative(page, subtype="html")
    assert texts(read(message.as_bytes(), "a.eml"), Kind.PARAGRAPH) == [(_BODY * 4).strip()]


def test_a_whole_plain_text_is_read_whatever_its_page_has_besides() -> None:
    message = _message(Subject="Museum")
    message.set_content(_BODY * 2)
    page = f"<style>{'p{} ' * 500}</style><p style='{'x' * 900}'>{_BODY * 2}</p><p>Unsubscribe</p>"
    message.add_alternative(page, subtype="html")
    assert texts(read(message.as_bytes(), "a.eml"), Kind.PARAGRAPH) == [(_BODY * 2).strip()]


_SIGNED = f"""-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA256

{_BODY}
- - a spade
- - a net

- -----BEGIN is a word here.
-----BEGIN PGP SIGNATURE-----
Version: GnuPG v2

iQEzBAEBCAAdFiEE
=abcd
-----END PGP SIGNATURE-----
"""


@pytest.mark.parametrize("name", ["a.eml", "a.txt"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_armour_of_signed_texts_is_left_out_and_said(name: str, end: str) -> None:
    head = _HEAD + "\n" if name == "a.eml" else ""
    document = read((head + _SIGNED).replace("\n", end), name)
    text = document.text
    assert _BODY.strip() in text and "BEGIN is a word here." in text
    assert not any(word in text for word in ("PGP", "Hash", "iQEz", "abcd", "- -"))
    assert texts(document, Kind.LIST_ITEM) == ["a spade", "a net"]
    assert [item.what for item in document.reading.left_out] == [
        "PGP signatures, keys or certificates"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "A block has a line such as\n-----BEGIN PGP SIGNATURE-----\nand it ends later.\n",
        "-----BEGIN PGP SIGNATURE-----\nIn this line are words.\nHere too.\nAnd here it is.\n"
        "-----END PGP SIGNATURE-----\n",
        "begin 644 the work\nand end it by noon\nend\n",
        "We begin the work.\nbegin\nend\n",
    ],
)
def test_texts_about_armour_stay(text: str) -> None:
    document = read(text + _BODY, "a.txt")
    assert document.text.split() == (text + _BODY).split()
    assert not document.reading.left_out


def test_uuencoded_files_are_named_and_left_out() -> None:
    data = bytes(range(256)) * 2
    lines = [binascii.b2a_uu(data[at : at + 45]).decode() for at in range(0, len(data), 45)]
    block = f"begin 644 a map.gif\n{''.join(lines)}`\nend\n"
    for name, head in (("a.eml", _HEAD + "\n"), ("a.txt", "")):
        document = read(f"{head}{_BODY}\n\n{block}\nThe end.\n", name)
        assert texts(document, Kind.PARAGRAPH) == [_BODY.strip(), "The end."]
        (left_out,) = document.reading.left_out
        assert "“a map.gif” (512" in left_out.what and left_out.missed


def test_armour_without_end_takes_no_quadratic_time() -> None:
    begins = "-----BEGIN PGP SIGNATURE-----\niQEz\n" * 60_000
    assert remove_armour(f"{begins}-----END PGP MESSAGE-----\n")[0].startswith("-----BEGIN")
    assert remove_armour("begin 644 a\n" * 60_000)[0].startswith("begin")


@pytest.mark.parametrize("name", ["a.mbox", "a.eml"])
def test_a_line_that_begins_with_from_is_no_quotation_for_its_mark(name: str) -> None:
    first = "From ann@example.org Mon May  5 10:00:00 2025\n" if name == "a.mbox" else ""
    body = f"{_BODY}\n\n>From here on it is simple.\n\nYes.\n> Quoted words.\n>From them.\n"
    document = read(f"{first}{_HEAD}\n{body}", name)
    assert "From here on it is simple." in texts(document, Kind.PARAGRAPH)
    assert ("From them." in texts(document, Kind.QUOTE)) is (name == "a.eml")


def test_senders_are_the_speakers_of_a_mailbox_with_several() -> None:
    box = _dated(4, f"{_LONG}\n\nI pay.") + _dated(5, "I do not pay.").replace("Ann Lee", "Bo Ray")
    document = read(box, "thread.mbox")
    said = {document.paragraph(i): document.speaker(i) for i in range(document.num_paragraphs)}
    assert (said["I pay."], said["I do not pay."]) == ("Ann Lee", "Bo Ray")
    assert not read(_dated(4, _LONG) + _dated(5, "I pay."), "one.mbox").speaker_names
    assert genre_of(document).name != "transcript"


def test_quotations_and_signatures_of_pages() -> None:
    message = _message(Subject="Re: Levels")
    message.set_content(
        f'<div>Yes.</div><div class="gmail_quote"><div class="gmail_attr">Am 3. Mai, Bo:<br></div>'
        f'<blockquote>{_LONG}</blockquote></div><div class="moz-signature">Ann, Water works</div>',
        subtype="html",
    )
    assert outline(read(message.as_bytes(), "a.eml"))[1:] == [
        (Kind.PARAGRAPH, "Yes."),
        (Kind.BOILERPLATE, "Am 3. Mai, Bo:"),
        (Kind.QUOTE, _LONG),
    ]


def test_attachments_are_named_and_forwarded_messages_read() -> None:
    inner = _message(Subject="Inner one", From="c@example.org")
    inner.set_content("Words of the inner message.")
    message = _message(Subject="Outer")
    message.set_content("See both.")
    message.add_attachment(inner)
    message.add_attachment(b"%PDF-1.7" + bytes(3000), "application", "pdf", filename="a/Über.pdf")
    message.add_attachment(bytes(9), "image", "png", filename="b.png")
    document = read(message.as_bytes(), "a.eml")
    assert outline(document) == [
        (Kind.HEADING, "Outer"),
        (Kind.PARAGRAPH, "See both."),
        (Kind.HEADING, "Inner one"),
        (Kind.BOILERPLATE, "From c@example.org."),
        (Kind.PARAGRAPH, "Words of the inner message."),
    ]
    assert list(document.levels) == [1, 0, 2, 0, 0]
    (left_out,) = document.reading.left_out
    assert left_out.what == "the attachments “Über.pdf” (3.0\u202fkB), “b.png” (9\u202fbytes)"
    assert not document.reading.complete


@pytest.mark.parametrize(
    ("headers", "body", "text"),
    [
        ("Content-Type: text/plain; charset=iso-8859-1\n", "caf\xe9".encode("latin-1"), "café"),
        ("Content-Type: text/plain; charset=us-ascii\n", "café – gut".encode(), "café – gut"),
        ("Content-Type: text/plain; charset=nonsense\n", "café".encode(), "café"),
        ("Content-Type: text/plain; charset=idna\n", "café".encode(), "café"),
        ("Content-Type: text/plain; charset=iso-2022-jp\n", b"\x1b$B%>%k\x1b(B", "ゾル"),
        (
            "Content-Transfer-Encoding: quoted-printable\n",
            b"a=20long=\n line =C3=A9",
            "a long line é",
        ),
        ("Content-Transfer-Encoding: base64\n", base64.b64encode("café".encode()), "café"),
        ("Content-Transfer-Encoding: base64\n", b"not base64 at all!", ""),
    ],
)
def test_encodings_of_a_body(headers: str, body: bytes, text: str) -> None:
    document = read(f"Subject: One\n{headers}\n".encode() + body, "a.eml")
    assert not text or texts(document)[1:] == [text]


@pytest.mark.parametrize(
    ("header", "subject"),
    [
        ("=?utf-8?q?caf=C3=A9_am?= =?utf-8?b?IFNlZQ==?=", "café am See"),
        ("=?nonsense?q?caf=C3=A9?=", "café"),
        ("=?utf-8?b?!!!?=", "=?utf-8?b?!!!?="),
        ("café", "café"),
        ("folded\n over two", "folded over two"),
        ("=?utf-8?q?caf=C3=A9?=\n now", "café now"),
    ],
)
def test_encodings_of_a_subject(header: str, subject: str) -> None:
    document = read(f"Subject: {header}\nFrom: a@b\n\nWords.".encode(), "a.eml")
    assert document.title == subject


def test_encrypted_messages_are_refused_and_signed_ones_read() -> None:
    with pytest.raises(EpitomeError, match="is an encrypted message"):
        _mail("LJH=", "Content-Type: application/pkcs7-mime; name=smime.p7m\n")
    parts = f"--x\n\n{_LONG}\n--x\nContent-Type: application/pgp-signature\n\nabc\n--x--\n"
    signed = _mail(parts, 'Content-Type: multipart/signed; boundary="x"\n')
    assert _said(signed) == [(Kind.PARAGRAPH, _LONG)]
    assert signed.reading.left_out == ()


def test_a_web_archive_is_read_as_its_page() -> None:
    page = f"<html><body><h1>Pumps</h1><p>{_LONG}</p><p>{_LONG} Then it rests.</p></body></html>"
    data = (
        "From: <Saved by Blink>\nSnapshot-Content-Location: https://example.org/\n"
        'Subject: Pumps\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n'
        f"--x\nContent-Type: text/html\n\n{page}\n--x\nContent-Type: image/png\n\nzz\n--x--\n"
    )
    document = read(data, "page.mhtml")
    assert outline(document)[:2] == [(Kind.HEADING, "Pumps"), (Kind.PARAGRAPH, _LONG)]
    with pytest.raises(EpitomeError, match="web archive that contains no page"):
        read(data.replace("text/html", "image/gif"), "page.mhtml")


def test_mail_is_known_by_its_headers() -> None:
    data = f"From x@y Thu Oct  4 13:02:39 2012\nMIME-Version: 1.0\n{_HEAD}\n{_LONG}"
    assert read(data, "standard input").source.format == "mail"
    assert read(_LONG, "a.eml").source.format == "mail"


@pytest.mark.parametrize("layers", [90, 150, 400, 5_000])
def test_messages_inside_messages_end(layers: int) -> None:
    data = "Content-Type: message/rfc822\n\n" * layers + f"Subject: Last\n\n{_LONG}"
    try:
        assert texts(read(data, "a.eml"))[-1] == _LONG
    except EpitomeError as error:
        assert layers > 90
        assert "nested too deeply" in error.message


def test_a_long_line_of_a_mailbox_is_no_message() -> None:
    box = f"From {'a' * 1_000_000}\nSubject: One\n\n{_LONG}\n"
    assert read(box, "a.mbox").reading.words > 10


def test_signatures_without_end_are_read_once_through() -> None:
    document = read(f"Subject: One\n\n{_LONG}\n" + "-- \nAnn\n" * 100_000, "a.eml")
    assert texts(document, Kind.PARAGRAPH) == [_LONG]


def test_parts_inside_parts_end() -> None:
    parts = "".join(
        f'Content-Type: multipart/mixed; boundary="{n}"\n\n--{n}\n' for n in range(5_000)
    )
    with pytest.raises(EpitomeError, match="nested too deeply"):
        read(f"Subject: Deep\n{parts}\n{_LONG}", "a.eml")


_LINES = st.lists(
    st.text(st.characters(exclude_categories=("C", "Z", "M")), min_size=1, max_size=12).filter(
        lambda text: repair(text) == text
    ),
    min_size=1,
    max_size=5,
)


@given(_LINES, st.sampled_from(["base64", "quoted-printable"]), st.sampled_from(["utf-8", "utf-7"]))
def test_what_was_sent_is_read(lines: list[str], transfer: str, charset: str) -> None:
    sent = [f"It was {line} then, so." for line in lines]
    message = _message(Subject=f"About {lines[0]} now")
    message.set_content("\n\n".join(sent), cte=transfer, charset=charset)
    document = read(message.as_bytes(), "a.eml")
    assert document.title == f"About {lines[0]} now"
    assert texts(document)[1:] == sent


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_indented_lines_below_a_colon_are_no_mail_and_soon_read(end: str) -> None:
    lines = ["Title: The pump", *("   It draws water from the lower basin." for _ in range(200))]
    document = read(end.join(lines).encode(), "notes.txt")
    assert document.source.format == "text"
    assert document.text.count("lower basin") == 200
