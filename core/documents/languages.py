"""The languages that the program tells apart, and what it knows of each."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Self

from core.distribution.resources import resource
from core.storage.parsing import parse_toml

AUTO = "auto"
"""Stands for the language that the text itself tells."""


_CLASSES = (
    "articles", "pronouns", "demonstratives", "others", "connectives", "hedges", "auxiliaries",
)  # fmt: skip


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(" ".join(phrase.split()) for phrase in text.split(";") if phrase.strip())


@dataclass(frozen=True, eq=False)
class Language:
    """What is known of a language; words are in small letters.

    Args:
        code: Its ISO 639 code ("de"); empty for a language that is not known.
        name: Its English name.
        script: What it is written in, as `core.documents.guessing` names it.
        words: Its function words, the commonest first: they tell it from others, and say little.
        denials: Words that deny, where one of them is enough: not "ne" of "ne … pas".
        elided: Those that stand before an apostrophe ("l", "d").
        starters: More words that seldom belong to a name.
        stemmer: Snowball's name of its stemmer; empty if there is none.
        ordinals: Whether a number with a full stop is an ordinal ("3. Oktober").
        never: Abbreviations that never end a sentence, without their last stop; a letter that is
            one only as a capital is written so.
        numbered: Abbreviations that a number follows.
        ending: Abbreviations that often end a sentence.
        sometimes: Abbreviations that may end one.
        tails: What compounds end with that are such abbreviations ("Goethestr").
        articles: Definite articles.
        pronouns: Personal and possessive pronouns of the third person.
        demonstratives: "this" and the like.
        others: Words that compare with something named elsewhere ("another", "former", "below").
        connectives: Words that join a sentence to the one before it.
        hedges: Words of conditions, and of what others say or think.
        auxiliaries: The commonest forms of verbs.
        spared: Connectives before a comma that a sentence by itself does not need.
        joints: Words for "but" and "and", which a sentence by itself does not need either.
        joined: Words with which they form another phrase ("but for", "and so").
        leans: How a sentence begins that takes up the one before it.
        stands: How one begins that does not, though it looks like that.
        things: Words for what stands beside the text (figures, tables), and for parts of it.
        seeing: How a reference to such a thing begins.
        counts: Enumerations; of each, how a sentence begins at its first place, its second and so
            on. A "*" at the end is the noun that is counted.
        exceptions: How a sentence begins that limits the one before it; "…" is a few words.
        excepting: Words with which such a sentence begins where it has no comma.
    """

    code: str = ""
    name: str = ""
    script: str = "latin"
    words: tuple[str, ...] = ()
    denials: frozenset[str] = frozenset()
    elided: frozenset[str] = frozenset()
    starters: tuple[str, ...] = ()
    stemmer: str = ""
    ordinals: bool = False
    never: frozenset[str] = frozenset()
    numbered: frozenset[str] = frozenset()
    ending: frozenset[str] = frozenset()
    sometimes: frozenset[str] = frozenset()
    tails: tuple[str, ...] = ()
    articles: frozenset[str] = frozenset()
    pronouns: frozenset[str] = frozenset()
    demonstratives: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    connectives: frozenset[str] = frozenset()
    hedges: frozenset[str] = frozenset()
    auxiliaries: frozenset[str] = frozenset()
    spared: tuple[str, ...] = ()
    joints: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    leans: tuple[str, ...] = ()
    stands: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    seeing: tuple[str, ...] = ()
    counts: tuple[tuple[tuple[str, ...], ...], ...] = ()
    exceptions: tuple[str, ...] = ()
    excepting: tuple[str, ...] = ()

    @classmethod
    def of(cls, code: str, known: dict[str, Any]) -> Self:
        """From its table in the file of languages."""
        values = dict(known)
        for name in ("words", "starters", "tails", "things", "joints", "joined"):
            values[name] = _words(values.get(name, ""))
        for name in ("denials", "elided", "never", "numbered", "ending", "sometimes", *_CLASSES):
            values[name] = frozenset(values.get(name, "").split())
        for name in ("leans", "stands", "seeing", "spared", "exceptions", "excepting"):
            values[name] = _phrases(values.get(name, ""))
        values["counts"] = tuple(tuple(map(_phrases, own)) for own in values.get("counts", ()))
        return cls(code=code, **values)

    @cached_property
    def function_words(self) -> frozenset[str]:
        """Its function words, elided ones included."""
        return frozenset(self.words) | self.elided

    @property
    def is_foreign(self) -> bool:
        """Whether it is known to be another than English, whose rules are taken for the unknown."""
        return self.code not in ("", "en")


UNKNOWN = Language(name="not known")
_SAME = {"no": "nb"}  # the code of Norwegian, which is written as Bokmål far more often


@cache
def languages() -> dict[str, Language]:
    """All of them by their codes."""
    tables = parse_toml(resource("languages", "languages.toml").read_text("utf-8"))
    return {code: Language.of(code, known) for code, known in tables.items()}


def language_of(code: str) -> Language:
    """The language with a code; `UNKNOWN` if none has it."""
    return languages().get(_SAME.get(code, code), UNKNOWN)
