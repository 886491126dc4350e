"""Who speaks in transcripts, interviews, minutes and chats.

A line such as "MR. SMITH: Yes, Your Honor." is a turn: a label that names the speaker, and words.
Whether labels name speakers is decided for the whole document: speakers come again and again, and a
single "Note: …" is none. The label stays in the text, but it is no part of any sentence.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from core.documents.document import RUNNING_TEXT, Block, Document, Kind, count_words
from core.documents.sentences import Sentences
from core.documents.speaker_names import FIELDS, FORMAL, QUESTION_WORDS, display_names, name_key

_DATE = r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[,T]?\s?"
_TIME = (
    rf"[\[(]?(?:{_DATE})?\d{{1,2}}:\d\d(?::\d\d)?(?:[.,]\d{{1,3}})?"
    r"(?:\s?[AaPp]\.?[Mm]\.?)?[\])]?"
)
_CAPITAL = r"[^\W\d_a-zß-öø-ÿа-яα-ω]"
_PARTICLES = r"(?:of|for|de|da|di|du|van|von|der|del|la|le|el|al|bin|pro|tempore|and|the)"
_WORD = rf"{_CAPITAL}[\w.’'\-]{{0,24}}"
_NAME = rf"{_WORD}(?:[ \xa0](?:{_WORD}|{_PARTICLES}|\d{{1,3}}(?![\d:]))){{0,5}}"
_ASIDE = r"(?:\s?[(\[][^()\[\]\n]{1,60}[)\]]){0,2}"
_COLON = re.compile(
    rf"(?:{_TIME}\s*[-–—]?\s*(?:From\s)?)?(?P<name>{_NAME}|[a-z]\w{{1,15}}){_ASIDE}"
    r"(?:\sto\s[Ee]veryone)?\s?:(?=\s|$)\s*"
    rf"(?:{_TIME}(?=\s|$)\s*)?"
)
_CHAT = re.compile(rf"(?:{_TIME}\s*)?<[@+%~& ]?(?P<name>[^<>\s][^<>\n]{{0,29}})>:?\s+(?=\S)")
_RECORD = re.compile(
    r"(?P<name>(?:(?:Mr|Mrs|Ms|Miss|Dr|Messrs|Sen|Rep|The|Senator|Chairman|Madam)\.?\s)?"
    r"(?:[A-ZÀ-Þ]+[.’'\-]?(?:[a-z]{1,2}[A-ZÀ-Þ]{2,})?\s){0,4}"
    r"[A-ZÀ-Þ][A-ZÀ-Þ’'\-]{2,}(?: pro tempore)?(?: of [A-Z]\w{2,15}(?: [A-Z]\w{2,15})?)?"
    r"(?:\s?\([^()\n]{1,60}\)| \[[^\[\]\n]{1,40}\])?)\.\d{0,2}\s+(?=[\"“‘(\[]?[^\W\d_a-z])"
)
_QUESTION = re.compile(
    rf"(?P<name>(?:Q|A|{'|'.join(QUESTION_WORDS)}))\s?\d{{0,3}}\s?(?P<mark>[.:)])\s+(?=\S)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[?？؟\u037e]\Z|[\u0370-\u03ff\u1f00-\u1fff]{2};\Z")  # Greek asks with ";"
_LONGEST_MARK = 3
# No speaker, though in capitals: "CREATE TABLE SALES AS".
_STATEMENT = re.compile(
    r"(?:ALTER|BEGIN|COMMIT|CREATE|DELETE|DROP|EXEC|EXPLAIN|FROM|GRANT|GROUP BY|INSERT|LEFT JOIN"
    r"|MERGE|ORDER BY|REVOKE|ROLLBACK|SELECT|TRUNCATE|UNION|UPDATE|WHERE|WITH)\b"
)
_LINE = re.compile(rf"(?:{_TIME}\s*)?(?P<name>{_NAME}){_ASIDE}\s?(?::\s*)?(?P<time>{_TIME})?:?\s*")
_STAGE = re.compile(r"[(\[*]{1,2}\s?[^\W\d][^()\[\]]{0,90}[)\]*]{1,2}\.?")
_ENDS = re.compile(r"[.?!…。？！\-–—][\"'”’»)\]]{0,2}$")
_LONGEST_LABEL = 120
_FEWEST_TURNS = 4
_FEWEST_PLAIN_TURNS = 6  # where only a name and a colon tell a turn
_MUCH_SPOKEN = 15  # turns: so many may be notes that are no whole sentences
_ASKED = 0.08  # of these ask something
_FEWEST_SHARE = 0.15  # of the paragraphs of a document are turns
_DENSE = 0.4  # of the paragraphs: then a label that stands once only may name a speaker, too
_SHORTEST_TURN = 3  # words; fewer say nothing
_MOST_SPEAKERS = 300
_SPEECH = (*RUNNING_TEXT,)
_LABELLED = frozenset((*_SPEECH, Kind.HEADING))


@dataclass(frozen=True, slots=True)
class _Label:
    """A possible label of a turn.

    Args:
        name: Who speaks, as printed.
        end: Code points of the label and the white space after it.
        form: "chat", "record", "question", "colon" or "line".
    """

    name: str
    end: int
    form: str


def mark_turns(blocks: list[Block]) -> list[Block]:
    """Marks who speaks in each paragraph of a transcript.

    Args:
        blocks: All blocks of a document, their kinds settled.

    Returns:
        The same blocks if it is no transcript. Otherwise with speakers; several turns in one
        paragraph are parted, lines that only name the speaker are of kind `SPEAKER`, and turns of
        one or two words and stage directions of kind `INTERJECTION`.
    """
    labels = [_label_of(block) for block in blocks]
    speakers = _speakers(blocks, labels)
    if not speakers:
        return blocks
    parted = [piece for block in blocks for piece in _parted(block, speakers)]
    return list(_spoken(parted, speakers))


def question_before(document: Document, sentences: Sentences, index: int) -> int:
    """The question that a sentence answers.

    Args:
        document: The document.
        sentences: Its sentences.
        index: One of them.

    Returns:
        The index of the last question of the turn before, or of a heading that asks it; -1 if the
        sentence does not stand in a turn that answers a question.
    """
    first = _turn_start(document, int(sentences.paragraphs[index]))
    before = first - 1
    while before >= 0 and document.kinds[before] in (Kind.SPEAKER, Kind.INTERJECTION):
        before -= 1
    if before < 0:
        return -1
    is_heading = document.kinds[before] == Kind.HEADING
    if not is_heading and not document.speaker_names:
        return -1
    low = int(np.searchsorted(sentences.paragraphs, before))
    at = int(np.searchsorted(sentences.paragraphs, before, side="right")) - 1
    asked = (i for i in range(at, max(low, at - 2) - 1, -1) if _asks(document, sentences, i))
    return next(asked, -1)


def _turn_start(document: Document, paragraph: int) -> int:
    """The first paragraph of the turn that a paragraph belongs to."""
    speaker = document.speakers[paragraph]
    while (
        speaker >= 0
        and paragraph > 0
        and not document.label_lengths[paragraph]
        and document.speakers[paragraph - 1] == speaker
    ):
        paragraph -= 1
    return paragraph


def _asks(document: Document, sentences: Sentences, index: int) -> bool:
    text = document.text[sentences.starts[index] : sentences.ends[index]]
    return _ASKS.search(text.rstrip("\"'”’»)]")[-_LONGEST_MARK:]) is not None


def _label_of(block: Block) -> _Label | None:
    """The label that a block begins with, if it has the form of one."""
    if block.kind not in _LABELLED:
        return None
    text = block.text[: _LONGEST_LABEL + 1]
    has_colon = ":" in text
    if block.kind != Kind.HEADING:
        for form, pattern in (("chat", _CHAT), ("question", _QUESTION), ("colon", _COLON)):
            match = pattern.match(text) if has_colon or form != "colon" else None
            if match and match.end() < len(text):
                return _named(match["name"], match.end(), form)
        if match := _RECORD.match(text):
            return _named(match["name"], match.end(), "record")
    match = _LINE.fullmatch(text) if has_colon or text.isupper() else None
    if match and (match["time"] or ":" in text[match.end("name") :] or text.isupper()):
        return _named(match["name"], len(text), "line")
    return None


def _named(name: str, end: int, form: str) -> _Label | None:
    name = " ".join(name.split())
    plain = form in ("colon", "line")
    if plain and (
        _STATEMENT.match(name)
        or name_key(name) in FIELDS
        or name.lower().rstrip(".") in QUESTION_WORDS
    ):
        return None
    return _Label(name, end, form)


def _speakers(blocks: Sequence[Block], labels: Sequence[_Label | None]) -> dict[str, str]:
    """The name of each speaker, by the form and key of its label; empty for no transcript."""
    found: dict[str, list[tuple[str, int]]] = {}
    for index, label in enumerate(labels):
        if label:
            found.setdefault(label.form, []).append((label.name, index))
    _join_questions(found)
    running = sum(block.kind in _SPEECH for block in blocks)
    counted = {
        form: names for form, names in found.items() if _are_turns(form, names, blocks, running)
    }
    if counted:  # then a few labels of another form are turns, too, where they name an office
        counted |= {"question": found["question"]} if "question" in found else {}
        for form in found.keys() - counted.keys() - {"line"}:
            if formal := [turn for turn in found[form] if _is_formal(turn[0])]:
                counted[form] = formal
    turns = [turn for named in counted.values() for turn in named]
    usual = Counter(name_key(name) for name, _ in turns)
    if len(usual) > _MOST_SPEAKERS:
        return {}
    is_dense = len(turns) > _DENSE * running
    kept = [
        name
        for name, index in turns
        if usual[name_key(name)] > 1
        or _is_formal(name)
        or (is_dense and _may_speak_once(name, blocks[index], labels[index]))
    ]
    shown = display_names(kept)
    return {
        f"{form}/{name_key(name)}": shown[name_key(name)]
        for form, named in counted.items()
        for name, _ in named
        if name_key(name) in shown
    }


def _join_questions(found: dict[str, list[tuple[str, int]]]) -> None:
    """Takes "QUESTION: …" for one more speaker where others are named with their honorifics."""
    named = found.get("colon", [])
    if "question" in found and 2 * sum(map(_is_formal, (name for name, _ in named))) > len(named):
        found["colon"] = sorted([*named, *found["question"]], key=lambda turn: turn[1])


def _is_formal(name: str) -> bool:
    return name_key(name).startswith(FORMAL)


def _may_speak_once(name: str, block: Block, label: _Label | None) -> bool:
    """True if a label that occurs once is a name: two words or capitals, and speech."""
    is_name = " " in name or name.isupper()
    return is_name and not (label and _says_nothing(block.text[label.end :]))


def _are_turns(
    form: str, turns: list[tuple[str, int]], blocks: Sequence[Block], running: int
) -> bool:
    """True if the labels of one form in a document name its speakers."""
    order = [name_key(name) for name, _ in turns]
    counts = Counter(order)
    again = [key for key, count in counts.items() if count > 1]
    recurring = sum(counts[key] for key in again)
    if len(turns) < _FEWEST_TURNS or len(turns) < _FEWEST_SHARE * running:
        return False
    if form == "question":
        return min(counts["question"], counts["answer"]) > 1 or (
            counts["question"] > 3 and counts["question"] < 0.7 * len(blocks)
        )
    if len(counts) < 2 or not again:
        return False
    if form == "record" and 2 * sum(map(_is_formal, order)) >= len(turns):
        return True
    if recurring < 0.5 * len(turns):
        return False
    texts = [blocks[index].text for _, index in turns]
    if form == "chat":
        return True
    if form == "record":
        return len(again) > 1 or recurring >= _FEWEST_TURNS
    if form == "line":
        return len(again) > 1 and _are_followed(turns, blocks)
    return _are_spoken(order, counts, texts)


def _are_followed(turns: list[tuple[str, int]], blocks: Sequence[Block]) -> bool:
    """True if most lines that hold a name and no more are before words."""
    # A single "Break:" before a name says nothing of the others.
    usual = Counter(name_key(name) for name, _ in turns)
    turns = [turn for turn in turns if usual[name_key(turn[0])] > 1]
    # A list of contents in capitals names one head after another.
    alone = {index for _, index in turns} | {len(blocks)}
    after = [Kind.HEADING if i + 1 in alone else blocks[i + 1].kind for _, i in turns]
    timed = sum(":" in blocks[i].text for _, i in turns)
    enough = len(turns) >= _FEWEST_TURNS if timed > len(turns) / 2 else len(turns) >= 8
    return enough and sum(kind in _SPEECH for kind in after) >= 0.9 * len(after)


def _are_spoken(order: list[str], counts: Counter[str], texts: list[str]) -> bool:
    """True if labels that end in a colon are before speech, and not before values of fields."""
    again = sum(count > 1 for count in counts.values())
    if again < 2 or len(set(texts)) < 0.8 * len(texts):
        return False
    if 2 * sum(map(_is_formal, order)) + counts["question"] > len(order):
        return True
    if len(order) < _FEWEST_PLAIN_TURNS or _is_periodic(order, counts):
        return False
    whole = sum(bool(_ENDS.search(text)) and len(text) > 40 for text in texts)
    asked = sum("?" in text for text in texts)
    are_notes = len(order) >= max(_MUCH_SPOKEN, 3 * len(counts)) and asked >= _ASKED * len(texts)
    if again > 2 and are_notes:
        return True
    return whole >= 0.5 * len(texts) and (asked > 0 or again > 2)


def _is_periodic(order: list[str], counts: Counter[str]) -> bool:
    """True if three labels or more follow each other in a fixed order, as fields of records do."""
    if len(counts) < 3:
        return False
    steps = Counter(pairwise(order))
    usual = Counter[str]()
    for (first, _), count in steps.items():
        usual[first] = max(usual[first], count)
    return sum(usual.values()) >= 0.85 * (len(order) - 1)


def _parted(block: Block, speakers: dict[str, str]) -> Iterator[Block]:
    """The turns of one paragraph, each a block."""
    if block.kind not in _SPEECH or len(block.text) < 8:
        yield block
        return
    cuts = [0, *(at for at in _inner_turns(block.text, speakers)), len(block.text)]
    for start, end in pairwise(cuts):
        piece = block if len(cuts) == 2 else _cut(block, start, end)
        if piece.text:
            yield piece


_INNER = re.compile(
    r"(?<=[\s])(?=(?:[A-ZÀ-Þ][A-ZÀ-Þ.’'\-]*[ ]){0,4}[A-ZÀ-Þ][A-ZÀ-Þ.’'\-]*:\s)"
    r"|(?<=[.?!\-–—)\]\"”]\s)(?=[^\W\d_a-z][^:\n]{0,40}:\s|[QA]\.\s)"
)


_STAMP_BEFORE = re.compile(rf"(?<![^\s]){_TIME}\s*[-–—]?\s*\Z")
_LONGEST_STAMP = 40


def _inner_turns(text: str, speakers: dict[str, str]) -> Iterator[int]:
    """The starts of turns within a paragraph: at the labels of known speakers."""
    own = _label_of(Block(text))
    reached = own.end if own else 1
    for match in _INNER.finditer(text):
        at = match.start()
        if at < reached:
            continue
        label = _label_of(Block(text[at : at + _LONGEST_LABEL + 2]))
        if label and _speaker_of(label, speakers):
            stamp = _STAMP_BEFORE.search(text, max(reached, at - _LONGEST_STAMP), at)
            yield stamp.start() if stamp else at
            reached = at + label.end


def _cut(block: Block, start: int, end: int) -> Block:
    """A part of a block, on the page that it begins on."""
    text = block.text[start:end].rstrip()
    page = block.page + sum(at <= start for at in block.page_breaks) if block.page else 0
    breaks = tuple(at - start for at in block.page_breaks if start < at < end)
    return replace(block, text=text, page=page, page_breaks=breaks)


def _speaker_of(label: _Label | None, speakers: dict[str, str]) -> str:
    """The name of the speaker that a label is for; empty if it is for none."""
    return speakers.get(f"{label.form}/{name_key(label.name)}", "") if label else ""


def _spoken(blocks: list[Block], speakers: dict[str, str]) -> Iterator[Block]:
    """The blocks with who speaks; a turn goes on until another begins, or a heading stands."""
    labels = [_label_of(block) for block in blocks]
    named = [_speaker_of(label, speakers) for label in labels]
    speaker, depth = "", 0
    for index, block in enumerate(blocks):
        label = labels[index]
        if named[index] and label:
            speaker, depth = named[index], block.level if block.kind == Kind.LIST_ITEM else 0
            yield _turn(block, speaker, label)
            continue
        if _STAGE.fullmatch(block.text) and block.kind in _SPEECH:
            yield replace(block, kind=Kind.INTERJECTION, level=0)
            continue
        if _ends_turn(block, depth):
            speaker, depth = "", 0
        asks = block.text.endswith("?") and index + 1 < len(blocks)
        is_question = asks and bool(speaker) and named[index + 1] == speaker
        if not speaker or is_question or block.kind not in _SPEECH:
            yield block
        elif index and labels[index - 1] and named[index - 1] and _says_nothing(block.text):
            yield replace(block, kind=Kind.INTERJECTION, level=0, speaker=speaker)
        else:
            yield replace(block, speaker=speaker)


def _ends_turn(block: Block, depth: int) -> bool:
    """True if a block without a label is no part of the turn before it."""
    if block.kind == Kind.HEADING:
        return True
    if depth:  # the turn is an item of a list: what is below it belongs to it
        return block.kind != Kind.LIST_ITEM or block.level <= depth
    return False


def _turn(block: Block, speaker: str, label: _Label) -> Block:
    if label.form == "line":
        return replace(block, kind=Kind.SPEAKER, level=0, speaker=speaker, label=label.end)
    if _says_nothing(block.text[label.end :]):
        block = replace(block, kind=Kind.INTERJECTION, level=0)
    return replace(block, speaker=speaker, label=label.end)


def _says_nothing(words: str) -> bool:
    return count_words(words) < _SHORTEST_TURN
