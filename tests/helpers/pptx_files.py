"""PowerPoint presentations made in memory, so that a test shows what is in them."""

from dataclasses import dataclass, field

from tests.helpers.archives import packed

_SCHEMAS = "http://schemas.openxmlformats.org"
_NAMES = (
    f'xmlns:p="{_SCHEMAS}/presentationml/2006/main" xmlns:a="{_SCHEMAS}/drawingml/2006/main" '
    f'xmlns:r="{_SCHEMAS}/officeDocument/2006/relationships" '
    f'xmlns:mc="{_SCHEMAS}/markup-compatibility/2006" '
    f'xmlns:m="{_SCHEMAS}/officeDocument/2006/math" '
    f'xmlns:c="{_SCHEMAS}/drawingml/2006/chart" xmlns:dgm="{_SCHEMAS}/drawingml/2006/diagram"'
)


@dataclass
class Slide:
    """A slide.

    Args:
        shapes: The XML of its shapes.
        notes: The XML of the shapes on its page of notes; none where it is empty.
        hidden: Whether it is not shown.
        parts: Further parts by name, with the kind of their relationship; their ids are
            "part1", "part2" and so on.
    """

    shapes: str = ""
    notes: str = ""
    hidden: bool = False
    parts: dict[str, tuple[str, str]] = field(default_factory=dict)


def pptx_file(
    *slides: Slide,
    layout: str = "",
    master: str = "",
    styles: str = "",
    times: int = 1,
    size: tuple[int, int] = (1000, 750),
    **parts: str | bytes,
) -> bytes:
    """The bytes of a .pptx.

    Args:
        *slides: Its slides; the files of the slides are numbered backwards.
        layout: Shapes of the layout that all slides follow.
        master: Shapes of its master.
        styles: What the master says of the levels of body texts.
        times: How often the presentation names its slides.
        size: Width and height of its slides.
        **parts: Further parts by name, or other contents for those above.
    """
    count = len(slides)
    files = [f"slide{count - index}.xml" for index in range(count)]
    ids = "".join(f'<p:sldId id="{256 + i}" r:id="s{i}"/>' for i in range(count)) * times
    written: dict[str, str | bytes] = {
        "ppt/presentation.xml": f"<p:presentation {_NAMES}><p:sldIdLst>{ids}</p:sldIdLst>"
        f'<p:sldSz cx="{size[0]}" cy="{size[1]}"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": _relations(
            {f"s{i}": ("slide", f"slides/{name}") for i, name in enumerate(files)}
        ),
        "ppt/slideLayouts/layout.xml": _part("sldLayout", layout),
        "ppt/slideLayouts/_rels/layout.xml.rels": _relations(
            {"m": ("slideMaster", "/ppt/slideMasters/master.xml")}
        ),
        "ppt/slideMasters/master.xml": _part(
            "sldMaster", master, f"<p:txStyles><p:bodyStyle>{styles}</p:bodyStyle></p:txStyles>"
        ),
    }
    for slide, name in zip(slides, files, strict=True):
        related = {"l": ("slideLayout", "../slideLayouts/layout.xml")}
        if slide.notes:
            related["n"] = ("notesSlide", f"../notesSlides/{name}")
            written[f"ppt/notesSlides/{name}"] = _part("notes", slide.notes)
        for number, (part, (kind, content)) in enumerate(slide.parts.items(), 1):
            related[f"part{number}"] = (kind, f"../{part}")
            written[f"ppt/{part}"] = content
        show = ' show="0"' if slide.hidden else ""
        written[f"ppt/slides/{name}"] = _part("sld", slide.shapes, attributes=show)
        written[f"ppt/slides/_rels/{name}.rels"] = _relations(related)
    return packed(written | parts)


def _part(root: str, shapes: str, after: str = "", attributes: str = "") -> str:
    tree = f"<p:cSld><p:spTree><p:nvGrpSpPr/>{shapes}</p:spTree></p:cSld>"
    return f"<p:{root} {_NAMES}{attributes}>{tree}{after}</p:{root}>"


def _relations(targets: dict[str, tuple[str, str]]) -> str:
    inner = "".join(
        f'<Relationship Id="{key}" Type="{_SCHEMAS}/officeDocument/2006/relationships/{kind}" '
        f'Target="{target}"/>'
        for key, (kind, target) in targets.items()
    )
    names = f"{_SCHEMAS}/package/2006/relationships"
    return f'<Relationships xmlns="{names}">{inner}</Relationships>'


def shape(
    *paragraphs: str,
    place: str = "",
    at: tuple[int, int, int, int] | None = None,
    styles: str = "",
    hidden: bool = False,
) -> str:
    """A shape of text.

    Args:
        *paragraphs: What `paragraph` gives, or plain text.
        place: The placeholder it fills ("title", "body", "ftr"), with its number after a colon.
        at: Left, top, width and height of the slide of 1000 by 750; None to inherit them.
        styles: Its own list styles.
        hidden: Whether it is not shown.
    """
    kind, _, index = place.partition(":")
    number = f' idx="{index}"' if index else ""
    mark = f'<p:ph type="{kind}"{number}/>' if place else ""
    shown = ' hidden="1"' if hidden else ""
    inner = "".join(p if p.startswith("<a:p>") else paragraph(p) for p in paragraphs)
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"{shown}/><p:nvPr>{mark}</p:nvPr></p:nvSpPr>'
        f"<p:spPr>{frame(at)}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle>{styles}</a:lstStyle>"
        f"{inner}</p:txBody></p:sp>"
    )


def frame(at: tuple[int, int, int, int] | None, name: str = "a:xfrm") -> str:
    """Where a shape lies."""
    if at is None:
        return ""
    left, top, width, height = at
    return f'<{name}><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></{name}>'


def paragraph(text: str, level: int = 0, bullet: str = "") -> str:
    """A paragraph of one run, with the element of its bullet."""
    properties = f'<a:pPr lvl="{level}">{bullet}</a:pPr>'
    return f"<a:p>{properties}<a:r><a:t>{text}</a:t></a:r></a:p>"


def numbered(kind: str = "arabicPeriod", start: int = 1) -> str:
    """The element of an automatic number."""
    return f'<a:buAutoNum type="{kind}" startAt="{start}"/>'


def group(*shapes: str, at: tuple[int, int, int, int] | None = None) -> str:
    """Shapes that belong together."""
    return f"<p:grpSp><p:nvGrpSpPr/><p:grpSpPr>{frame(at)}</p:grpSpPr>{''.join(shapes)}</p:grpSp>"


def picture(at: tuple[int, int, int, int] | None = None) -> str:
    """A picture."""
    return (
        f'<p:pic><p:blipFill><a:blip r:embed="x"/></p:blipFill><p:spPr>{frame(at)}</p:spPr></p:pic>'
    )


def framed(inner: str, at: tuple[int, int, int, int] | None = None) -> str:
    """A frame around a table, chart, diagram or object."""
    data = f"<a:graphic><a:graphicData>{inner}</a:graphicData></a:graphic>"
    return f"<p:graphicFrame>{frame(at, 'p:xfrm')}{data}</p:graphicFrame>"


def table(*rows: tuple[str, ...]) -> str:
    """A table of these cells."""
    inner = "".join(
        "<a:tr>"
        + "".join(f"<a:tc><a:txBody>{paragraph(cell)}</a:txBody></a:tc>" for cell in row)
        + "</a:tr>"
        for row in rows
    )
    return framed(f"<a:tbl>{inner}</a:tbl>")


def chart(title: str, categories: list[str], **series: list[str]) -> str:
    """The part of a chart."""

    def points(name: str, values: list[str]) -> str:
        inner = "".join(
            f'<c:pt idx="{index}"><c:v>{value}</c:v></c:pt>' for index, value in enumerate(values)
        )
        return f"<c:{name}><c:cache>{inner}</c:cache></c:{name}>"

    columns = "".join(
        f"<c:ser>{points('tx', [name])}{points('cat', categories)}{points('val', values)}</c:ser>"
        for name, values in series.items()
    )
    rich = f"<c:title><c:tx><c:rich>{paragraph(title)}</c:rich></c:tx></c:title>"
    return f"<c:chartSpace {_NAMES}><c:chart>{rich}{columns}</c:chart></c:chartSpace>"


def diagram(texts: dict[str, str], links: list[tuple[str, str]]) -> str:
    """The data part of a diagram: texts by their ids, and which lies below which, in order."""
    points = "".join(
        f'<dgm:pt modelId="{key}"><dgm:t>{paragraph(text)}</dgm:t></dgm:pt>'
        for key, text in texts.items()
    )
    lines = "".join(
        f'<dgm:cxn srcId="{source}" destId="{target}" srcOrd="{order}"/>'
        for order, (source, target) in enumerate(links)
    )
    return (
        f"<dgm:dataModel {_NAMES}><dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst>{lines}</dgm:cxnLst>"
        "</dgm:dataModel>"
    )
