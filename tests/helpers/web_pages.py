"""Web pages made by chance, of the kinds whose text is lost: wrappers with misleading names,
paragraphs that no element holds, furniture in and around the article."""

from dataclasses import dataclass
from random import Random

_WRAPPERS = (
    *("share", "social", "sidebar", "with-sidebar", "cookies", "comments", "comment-list", "toc"),
    *("header", "page-header", "footer", "nav", "menu", "main-menu", "banner", "advertisement"),
    *("popup", "modal", "aspnetForm", "widget-area", "breadcrumb", "related", "newsletter"),
    *("content", "main", "post", "entry", "story", "wrapper", "col-md-8", "noprint", "hentry"),
)
_NOUNS = (
    *("harbour", "council", "bridge", "archive", "valley", "market", "school", "river", "museum"),
    *("library", "railway", "orchard", "parish", "theatre", "reservoir", "mill", "quarry", "tower"),
)
_VERBS = ("repaired", "measured", "closed", "described", "visited", "sold", "painted", "moved")
_TIMES = ("in spring", "last year", "after the flood", "for a month", "at night", "without delay")
FURNITURE = ("Accept all cookies", "All rights reserved", "Share on Facebook", "Read on", "Reply")
"""Words that stand in furniture only."""


@dataclass(frozen=True)
class WebPage:
    """A page.

    Args:
        html: Its source.
        sentences: Those of its article.
        about: How it was made.
    """

    html: str
    sentences: tuple[str, ...]
    about: str


def web_page(seed: int) -> WebPage:
    """Returns a page; each seed has its own."""
    chance = Random(seed)
    paragraphs = [
        [_sentence(chance) for _ in range(chance.randint(2, 5))]
        for _ in range(chance.randint(4, 20))
    ]
    body, about = _body(chance, [" ".join(sentences) for sentences in paragraphs])
    for _ in range(chance.randint(0, 5)):
        body, tag = _wrapped(chance, body)
        about += f" < {tag}"
        if chance.random() < 0.35:
            body = "".join(chance.sample([body, _furniture(chance)], 2))
    around = [_furniture(chance) for _ in range(chance.randint(1, 4))]
    num_before = chance.randint(0, len(around))
    before, after = "".join(around[:num_before]), "".join(around[num_before:])
    if chance.random() < 0.3:
        before += "<noscript><div><img src=x>" + chance.choice(["", "</div>"]) + "</noscript>"
    if chance.random() < 0.5:
        before += f"<script>var state = '{'x = y; ' * chance.randint(1, 2_000)}';</script>"
    title = f"<h1>The {chance.choice(_NOUNS)} and the {chance.choice(_NOUNS)}</h1>"
    head = "<!DOCTYPE html><html><head><title>A page</title></head>"
    html = f"{head}<body>{before}{title}{body}{after}</body></html>"
    return WebPage(html, tuple(s for sentences in paragraphs for s in sentences), about)


def _sentence(chance: Random) -> str:
    nouns = chance.sample(_NOUNS, 4)
    return (
        f"The {nouns[0]} of the {nouns[1]} was {chance.choice(_VERBS)} {chance.choice(_TIMES)}, and"
        f" {chance.randint(2, 900)} people came to the {nouns[2]} beside the {nouns[3]}."
    )


def _body(chance: Random, paragraphs: list[str]) -> tuple[str, str]:
    name = chance.choice(_WRAPPERS)
    table = "<table><tr><th>Item</th><th>Price</th></tr><tr><td>Rope</td><td>30</td></tr></table>"
    forms = {
        "p": _each("<p>{}</p>", paragraphs),
        "open p": "<p>" + "<p>".join(paragraphs),
        "br": "<br><br>".join(paragraphs),
        "br in p": "<p>" + "<br>".join(paragraphs) + "</p>",
        "div": _each("<div>{}</div>", paragraphs),
        "cells": "<table>" + _each("<tr><td>{}</td></tr>", paragraphs) + "</table>",
        f"span {name}": _each(f'<div><span class="{name}">{{}}</span></div>', paragraphs),
        f"section {name}": _each(f'<section class="{name}"><p>{{}}</p></section>', paragraphs),
        "after a table": table + "<br><br>".join(paragraphs),
        "items": "<ul>" + _each("<li>{}</li>", paragraphs) + "</ul>",
    }
    about = chance.choice(list(forms))
    return forms[about], about


def _each(form: str, paragraphs: list[str]) -> str:
    return "".join(form.format(paragraph) for paragraph in paragraphs)


def _wrapped(chance: Random, inner: str) -> tuple[str, str]:
    tag = chance.choice(["div", "div", "div", "section", "main", "article", "td", "form", "center"])
    key = chance.choice(["class", "id"])
    named = f'{tag} {key}="{chance.choice(_WRAPPERS)}"' if chance.random() < 0.75 else tag
    if tag == "td":
        return f"<table><tr><{named}>{inner}</td></tr></table>", named
    return f"<{named}>{inner}</{tag}>", named


def _furniture(chance: Random) -> str:
    links = "".join(f'<li><a href="/{n}">Page {n}</a></li>' for n in range(chance.randint(4, 40)))
    teaser = (
        f'<div class="teaser"><h3><a href="/t">{_sentence(chance)}</a></h3>'
        f'<p>{_sentence(chance)[:60]} …</p><a href="/t">Read on</a></div>'
    )
    comment = f'<div class="comment"><b>reader</b><p>{_sentence(chance)}</p><a>Reply</a></div>'
    return chance.choice(
        [
            f'<div class="nav"><ul>{links}</ul></div>',
            f'<aside class="related">{teaser * chance.randint(3, 8)}</aside>',
            f'<div id="comments"><h4>Comments</h4>{comment * chance.randint(2, 6)}</div>',
            '<div class="cookie-banner"><p>Accept all cookies of this site?</p></div>',
            f'<div class="footer"><p>© A paper. All rights reserved.</p><ul>{links}</ul></div>',
            '<div class="share-buttons"><a href="#">Share on Facebook</a></div>',
        ]
    )
