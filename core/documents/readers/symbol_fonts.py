"""Signs of the symbol fonts of office programs (Symbol, Wingdings, Webdings) in Unicode.

These fonts draw a sign where a text has a letter: an "m" in Symbol is a "μ". Sources: for Symbol
the Unicode Consortium's mapping (MAPPINGS/VENDORS/ADOBE/symbol.txt), for Wingdings and Webdings
"Status of encoding of Wingdings and Webdings Symbols" (ISO/IEC JTC1/SC2/WG2 N4384, L2/12-368).

Plain signs stand for rare ones that mean the same and that most fonts lack: "→" for arrows of any
weight, "☐" for empty boxes, and "☒" for ticked ones, as in the forms of word processors.
"""

from collections.abc import Iterable
from functools import lru_cache

# One row for sixteen codes; "�" where the font has no sign.
_SYMBOL = (
    " !∀#∃%&∋()∗+,−./"  # 20
    "0123456789:;<=>?"  # 30
    "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟ"  # 40
    "ΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"  # 50
    "�αβχδεφγηιϕκλμνο"  # 60
    "πθρστυϖωξψζ{|}∼�"  # 70
    "����������������"  # 80
    "����������������"  # 90
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓"  # A0
    "°±″≥×∝∂•÷≠≡≈…|—↵"  # B0
    "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉"  # C0
    "∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓"  # D0
    "◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪"  # E0
    "�⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"  # F0
)
_WINGDINGS = (
    " ✏✂✁👓🕭🕮🕯🕿✆🖂🖃📪📫📬📭"  # 20
    "🗀🗁🗎🗏🗐🗄⌛🖮🖰🖲🖳🖴🖫🖬✇✍"  # 30
    "🖎✌🖏👍👎☜☞☝☟🖐☺😐☹💣🕱🏳"  # 40
    "🏱✈☼🌢❄🕆✞🕈✠✡☪☯🕉☸♈♉"  # 50
    "♊♋♌♍♎♏♐♑♒♓🙰🙵⚫🔾◼☐"  # 60
    "☐❑❒🞟⧫◆❖⬩☒⮹⌘🏵🏶🙶🙷▯"  # 70
    "🄋➀➁➂➃➄➅➆➇➈➉🄌➊➋➌➍"  # 80
    "➎➏➐➑➒➓🙢🙠🙡🙣🙞🙜🙝🙟∙•"  # 90
    "⬝⭘🞆🞈🞊🞋🔿▪☐🟁🟅★🟋🟏🟓🟑"  # A0
    "⯐⌖⯎⯏⯑✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘"  # B0
    "🕙🕚🕛⮰⮱⮲⮳⮴⮵⮶⮷🙪🙫🙕🙔🙗"  # C0
    "🙖🙐🙑🙒🙓⌫⌦⮘⮚⮙⮛⮈⮊⮉⮋←"  # D0
    "→↑↓↖↗↙↘←→↑↓↖↗↙↘⇦"  # E0
    "⇨⇧⇩⬄⇳⬁⬀⬃⬂🢬🢭✗✓☒☒"  # F0
)
_WINGDINGS_2 = (
    " 🖊🖋🖌🖍✄✀🕾🕽🗅🗆🗇🗈🗉🗊🗋"  # 20
    "🗌🗍📋🗑🗔🖵🖶🖷🖸🖭🖯🖱🖒🖓🖘🖙"  # 30
    "🖚🖛👈👉🖜🖝🖞🖟🖠🖡👆👇🖢🖣🖑✗"  # 40
    "✓☒☑☒☒⮾⮿🛇⦸🙱🙴🙲🙳‽🙹🙺"  # 50
    "🙻🙦🙤🙥🙧🙚🙘🙙🙛⓪①②③④⑤⑥"  # 60
    "⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿�"  # 70
    "☉🌕☽☾⸿✝🕇🕜🕝🕞🕟🕠🕡🕢🕣🕤"  # 80
    "🕥🕦🕧🙨🙩⋅🞄⦁●○🞅🞇🞉⊙⦿🞌"  # 90
    "🞍◾■□☐☐☐🞔▣🞕🞖🞗🞘⬩⬥◇"  # A0
    "🞚◈🞛🞜🞝🞞⬪⬧◊🞠◖◗⯊⯋⯀⯁"  # B0
    "⬟⯂⬣⬢⯃⯄🞡🞢🞣🞤🞥🞦🞧🞨🞩🞪"  # C0
    "🞫🞬🞭🞮🞯🞰🞱🞲🞳🞴🞵🞶🞷🞸🞹🞺"  # D0
    "🞻🞼🞽🞾🞿🟀🟂🟄🟆🟉🟊✶🟌🟎🟐🟒"  # E0
    "✹🟃🟇✯🟍🟔⯌⯍※⁂"  # F0
)
_WINGDINGS_3 = (
    " ←→↑↓↖↗↙↘⭰⭲⭱⭳⭶⭸⭻"  # 20
    "⭽↔↕⭪⭬⭫⭭⭍⮠⮡⮢⮣⮤⮥⮦⮧"  # 30
    "⮐⮑⮒⮓⮀⮃⭾⭿⮄⮆⮅⮇⮏⮍⮎⮌"  # 40
    "⭮⭯⎋⌤⌃⌥␣⍽⇪⮸🢠🢡🢢🢣🢤🢥"  # 50
    "🢦🢧🢨🢩🢪🢫←→↑↓↖↗↙↘↔↕"  # 60
    "▲▼△▽◀▶◁▷◣◢◤◥🞀🞂🞁�"  # 70
    "🞃⯅⯆⯇⯈⮜⮞⮝⮟🠐🠒🠑🠓🠔🠖🠕"  # 80
    "🠗🠘🠚🠙🠛🠜🠞🠝🠟🠀🠂🠁🠃🠄🠆🠅"  # 90
    "🠇🠈🠊🠉🠋🠠🠢🠤🠦🠨🠪🠬🢜🢝🢞🢟"  # A0
    "🠮🠰🠲🠴🠶←→↑↓🢘🢚🢙🢛←→↑"  # B0
    "↓←→↑↓←→↑↓⮨⮩⮪⮫⮬⮭⮮"  # C0
    "⮯←→↑↓↖↗↙↘←→↑↓↖↗↙"  # D0
    "↘←→↑↓↖↗↙↘🢐🢒🢑🢓🢔🢖🢕"  # E0
    "🢗"  # F0
)
_WEBDINGS = (
    " 🕷🕸🕲🕶🏆🎖🖇🗨🗩🗰🗱🌶🎗🙾🙼"  # 20
    "🗕🗖🗗⏴⏵⏶⏷⏪⏩⏮⏭⏸⏹⏺🗚🗳"  # 30
    "🛠🏗🏘🏙🏚🏜🏭🏛🏠🏖🏝🛣🔍🏔👁👂"  # 40
    "🏞🏕🛤🏟🛳🕬🕫🕨🔈🎔🎕🗬🙽🗭🗪🗫"  # 50
    "⮔✔🚲⬜🛡📦🛱⬛🚑🛈🛩🛰🟈🕴⬤🛥"  # 60
    "🚔🗘🗙❓🛲🚇🚍⛳⦸⊖🚭🗮⏐🗯🗲�"  # 70
    "🚹🚺🛉🛊🚼👽🏋⛷🏂🏌🏊🏄🏍🏎🚘🗠"  # 80
    "🛢💰🏷💳👪🗡🗢🗣✯🖄🖅🖃🖆🖹🖺🖻"  # 90
    "🕵🕰🖽🖾📋🗒🗓🕮📚🗞🗟🗃🗂🖼🎭🎜"  # A0
    "🎘🎙🎧💿🎞📷🎟🎬📽📹📾📻🎚🎛📺💻"  # B0
    "🖥🖦🖧🕹🎮🕻🕼📟🖁🖀🖨🖩🖿🖪🗜🔒"  # C0
    "🔓🗝📥📤🕳🌣🌤🌥🌦☁🌨🌧🌩🌪🌬🌫"  # D0
    "🌜🌡🛋🛏🍽🍸🛎🛍Ⓟ♿🛆🖈🎓🗤🗥🗦"  # E0
    "🗧🛪🐿🐦🐟🐕🐈🙬🙮🙭🙯🗺🌍🌏🌎🕊"  # F0
)
_FIRST_CODE = 0x20
_PRIVATE_AREA = 0xF000  # where programs keep the same signs in Unicode
_NO_BREAK_SPACE = 0xA0  # which is one in all fonts
_NO_SIGN = "�"
_EMPTY_BOXES, _TICKED_BOXES = frozenset("☐□❑❒"), frozenset("☒☑✓✔✗✘")
_BOXES = _EMPTY_BOXES | _TICKED_BOXES
_TABLES = {
    **dict.fromkeys(("symbol", "symbolmt", "mtsymbol", "symbolps", "symbolstd"), _SYMBOL),
    **dict.fromkeys(("standardsymbolsl", "standardsymbolsps"), _SYMBOL),
    "wingdings": _WINGDINGS,
    "wingdings2": _WINGDINGS_2,
    "wingdings3": _WINGDINGS_3,
    "webdings": _WEBDINGS,
}


def find_box(bullet: str, font: str) -> str:
    """The box that a list's bullet is in its font; empty for other bullets."""
    sign = with_signs(bullet, font)
    return sign if sign in _BOXES else ""


def are_ticked(boxes: Iterable[str]) -> bool:
    """True if some boxes are ticked and some empty, so that they say which entries hold."""
    found = set(boxes)
    return bool(found & _EMPTY_BOXES and found & _TICKED_BOXES)


def is_symbol_font(font: str) -> bool:
    """True for a font whose letters are signs."""
    return bool(_translation(font))


def with_signs(text: str, font: str) -> str:
    """Returns a run of text as its font draws it.

    Args:
        text: The run; signs are at the codes of letters, or in the private area from U+F020.
        font: The name of its font.

    Returns:
        The signs in Unicode, without those that the font lacks; the text itself for other fonts.
    """
    translation = _translation(font)
    return text.translate(translation) if translation else text


@lru_cache(256)
def _translation(font: str) -> dict[int, str]:
    """The signs of a font by their codes; empty for other fonts."""
    name = "".join(filter(str.isalnum, font.lower())).removesuffix("regular")
    signs = {
        code: "" if sign == _NO_SIGN else sign
        for code, sign in enumerate(_TABLES.get(name, ""), _FIRST_CODE)
    }
    private = {_PRIVATE_AREA + code: sign for code, sign in signs.items()}
    signs.pop(_NO_BREAK_SPACE, None)
    return signs | private
