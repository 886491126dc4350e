"""Words of one letter, and the words that begin as if with one: "A bakery", but "Along"."""

import re
from functools import cache

from core.documents.languages import language_of

_ONE_LETTER = {
    "en": "a i",
    "fr": "à a y ô",
    "es": "y a o",
    "pt": "o a e à é",
    "it": "e a o è",
    "ca": "a i o",
    "ro": "a o",
    "ru": "я в к с у о и а",
    "uk": "я в з у і й а",
    "bg": "в с и а",
    "cs": "v s k z u o i a",
    "sk": "v s k z u o i a",
    "pl": "w z o i a u",
    "hu": "a ő",
    "sv": "i",
    "da": "i",
    "nb": "i å",
    "el": "ο η",
}
_LONGER = {  # frequent longer words that are no function words; "*": all that begin so
    "en": """
        abandon* ability able aboard abolish* about above abroad abrupt* academ* achiev* acid
        acquaint* acquire* acre acres across acute adam adams adapt* adequate adopt* adult* afar
        afraid africa* again against agatha age agenc* agenda agent agents ages agile aging ago
        agree agreed agreement ahead ahmed alan alarm* alas albeit alex* alice alien* alike
        alison alive alone along alongside aloud already also although always amanda amateur*
        amaz* amelia amen amend* america* amid amidst among amongst amount* amused amusing amy
        analog* analys* analyt* analyz* anatom* animal* anita announc* anonym* another any
        anybody anyone anything anyway anywhere apart apartment* apolog* april aquatic arab*
        area areas arena arise* arist* arizona aromatic arose around as ashamed ashes ashore
        asia* aside asked asking asleep aspect aspects aspire aspired astonish* astronaut*
        astronom* at ate athen* athlet* atom* atop avail* avenge* avenue* average* avid avoid*
        await awaits awaiting awaken* award* aware* away awoke iberia* ibrahim ice iceland* icon
        icons iconic icy idaho idea ideal* ideas identi* ideolog* idle idol* if iggy ignor*
        image* imagin* imit* in inability inaction inaugur* inevit* initia* iran* iraq* irate
        ireland* irene iris irish iron* is isaac isabel* isis island* isolat* isotop* it ital*
        item* its ivan ivory ivy""",
    "fr": "ah alice amour* amis ami ainsi alors apôtre* avis avril aveugle* année* août",
    "es": """
        abajo abierto* abogad* abril abrió abuel* academi* acaba* acaso acerca acto* actual*
        además adiós adonde afirm* africa* agosto agua* ah ahí ahora aire al alguien algún algo
        alic* allá allí alto amaneci* ambos américa* amig* amor ana andalu* andr* año* anoche
        antes aparec* apenas aquel* aquí así asimismo aún aun aunque avion* ayer ocho ocurr*
        océano* oh ojalá ojo* oír orilla* oro otoño otro otra otros otras ya yace* yacía* yo
        yerba*""",
    "pt": """
        abaixo abril acaba* acontec* água* agora agosto ah ainda além alguém algum* ali amanhã
        amar* américa* amig* amor ana anos ano antes antóni* ao aos apenas apesar apó* aquel*
        aqui as assim até atrás azul e-mail educaç* ela ele elas eles em então era eram escol*
        esse essa este esta eu europa* ex* ocorr* oh oito olha* onde ontem os ou ouro outro
        outra outros outras ouv*""",
    "it": """
        abit* acqua accad* adesso aereo* affari africa* agosto ah aiut* al alice alla allo
        allora altr* america* amic* amor* anche ancora andre* anna anni anno apr* aria ascolt*
        autunno avere aveva* avev* ecco ed edific* egli elena ella era erano eravamo ero esist*
        essere esso essa europa* evviva oggi ogni ognuno oh oltre ora ormai oro otto ottobre""",
    "ru": """
        август автор авторы алекс* алиса америка англия андрей анна антон апрель арка артём ах
        в-третьих вагон вам вас василий ваш ваша вдали вдоль вдруг ведь век велик* вера верно
        весел* весна весной весь ветер вечер вечером взгляд взрыв взял виктор владимир* вместе
        вниз внимание внук во вовсе вода воды военн* возле возможно возник* война войны вокруг
        волк волны вон вообще вопрос вопросы восемь восток вот впервые вперёд впереди впрочем
        врач врачи времена время все всё всегда всего всем всех вскоре вспом* всю вся всякий
        вторая второй вчера вы выбор высокий выставка вышел вышла игорь игра идея из иван ибо
        или именно имя иногда иностранный интер* искусство испания истина истор* итак итог итоги
        их июль июнь каж* как какая какие какое какой капитан карта катя квартира ко когда кого
        колл* комната комп* конец конечно король который которые край красив* красная красный
        кремль крест кровь кроме круг крупн* кто куда культура князь книга книги об оба обе
        область общество обычно обычный огонь один одна однажды однако одни одно окно около
        октябрь он она они оно опять осень осенью основа особенно остаётся от отец откуда отсюда
        очевидно очень ох сад сам самая самое самый свет свобода своё своей свои свой сегодня
        сей сейчас семь семья сентябрь сергей сердце сестра сибирь сила синий сказ* сквозь
        сколько скоро слава следует слишком слова слово случай случ* смерть смотрите смысл
        сначала снег снова со собака совет совсем солдат солнце сорок сосед соседи спасибо спор
        сразу среди стал стала стали старая старик старое старые старый статья сто столица
        страна странно студент суд счаст* сын увидев уж уже ужас ужин узнав улица умер ура урок
        успех устав утро утром ученик ученые учёные учитель яблоко явно язык яков январь япония
        ярко ясно""",
    "uk": """
        вам вас ваш ви він вона вони воно весна весь вже від все всі втім вулиця за завжди
        завтра зараз захід земля зима зі знову із іван інший іноді історія або автор андрій ані
        анна уже ранок усе усі усього утім учитель учора яблуко явно як якщо яка який які""",
    "cs": """
        ač ačkoli ahoj ale anna ani ano asi auto autor aby až i ihned ideál kam každ* kde kdo
        kdy když kdyby kniha kolik kolem konec král kraj krásn* krom kromě která které kterí
        který kvůli od oba oči odpoledne okolo okno on ona oni ono ony opět osm otec sám sama
        samo samozřejmě se sedm sem sen sice slunce slova slovo snad sníh soud stará staré starý
        stál stalo stačí stejně sto svět svou své svůj syn u už učitel ulice uprostřed určitě
        váš vaše včera večer vedle velk* venku vesnice vět* vím více vlak vlast* voda vojáci
        vrátil však všechno všichni všude vy výbor výsledek vždy vždyť vzduch za začal začalo
        zase zatím zatímco zda zde zdá země zima zítra znovu zpráva zůstal zvlášť""",
    "pl": """
        adam ale ależ albo ameryka anna ani autor aby ach aż idea ile ilekroć im ich imię
        inaczej inni inny istnieje ob oba obaj obok oczy od ogród ojciec około okno on ona one
        oni ono osiem ostatni oto otóż uczeń ulica uwaga wam warszawa wasz was wcale wcześnie
        wczoraj według wiatr wieczór wieczorem wieś wiele wielk* wiem wilk wiosna wiosną wkrótce
        woda wojna wojsko wokół wraz wreszcie wróć wszedł wszyscy wszystko wszystkie wszędzie
        wtedy wy wydawało wyszedł za zaczęło zaczął zanim zaraz zatem zawsze zaś zdarzyło ze
        zegar zima zimą znowu został zresztą zwykle""",
    "hu": "abban ablak* addig ahogy* ahol aki* akkor alatt alig* állam* ami* amely* anna annak "
    "anya* apa* apja* április* arany* arra asszony* attól augusztus* autó* az azért azon azt",
    "sv": "ibland idag idé* igen igår igenom in inga ingen inget ingrid inne innan inom inte isen",
    "da": "idag idé* igen igennem ikke in ind inde inden indtil ingen intet især ifølge",
    "nb": "idag idé* igjen igjennom ikke in inn inne innen inntil ingen inge* ingrid især ifølge",
}
_LONGER["sk"] = _LONGER["cs"] + " keď kto ktorá ktoré ktorý sa som sú všetci všetko zo"
_VOWELS = "aeiouyàáâãäèéêëìíîïòóôõöùúûü"
_ONSETS = (
    "[bcdfghjklmnpqrstvwxyz]|[bcfgpk]l|[bcdfgpkt]r|[dst]w|[cgprstw]h|[gkps]n|ps|qu|s[ckmplqt]"
    "|s[cpt]r|spl|shr|thr|chr|sch|squ"
)
_BEGINNINGS = {  # of the word after one of one letter
    "en": rf"(?:{_ONSETS})[aeiouy]|one|once|uni|us[eu]|eu|[a-z]\W",
    **dict.fromkeys(
        ("es", "pt", "ca", "it"),
        rf"h?[{_VOWELS}]|[bcdfghjklmnñpqrstvxzç][{_VOWELS}]|[bcdfgptv][lr]|[clnst]h|ll|qu|ps|g[ln]",
    ),
}
_BEGINNINGS["it"] += "|s[^\\W\\ds]"


def is_initial_word(letter: str, rest: str, language: str) -> bool:
    """True if a letter is a word itself, and does not begin one with the rest.

    Args:
        letter: The initial in lower case.
        rest: The letters after it, in lower case.
        language: The code of a language.

    Returns:
        False too where the language has no such word.
    """
    is_word = letter in _ONE_LETTER.get(language, "").split()
    return is_word and not _is_longer_word(letter, rest, language)


def _is_longer_word(letter: str, rest: str, language: str) -> bool:
    word = letter + rest
    exact, beginnings = _longer_words(language)
    if word in exact or word.startswith(beginnings):
        return True
    if language == "fr" and letter == "a":  # "À" without its accent
        return rest not in language_of(language).function_words
    if language == "en" and letter == "i" and rest[0] in "aeiou":  # "I am", "I used"
        return False
    possible = _BEGINNINGS.get(language)
    return possible is not None and not re.match(possible, rest)


@cache
def _longer_words(language: str) -> tuple[frozenset[str], tuple[str, ...]]:
    words = _LONGER.get(language, "").split()
    exact = {word for word in words if not word.endswith("*")}
    beginnings = tuple(word[:-1] for word in words if word.endswith("*"))
    functions = (word for word in language_of(language).function_words if len(word) > 1)
    return frozenset(exact.union(functions)), beginnings
