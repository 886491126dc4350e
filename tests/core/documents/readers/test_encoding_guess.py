"""Guesses of encodings: languages × encodings × lengths, and texts that must stay as they are."""

import pytest

from core.documents.readers.encodings import decode

TEXTS = {
    "cs": (
        "Starosta otevřel městské muzeum na jaře letošního roku a pronesl dlouhý projev. "
        "Muzeum ukazuje lodě a sítě starých rybářů, kteří žili u řeky. Druhý dům pro "
        "dopisy je plánován, ale nikdo za něj ještě nezaplatil. Šťastní lidé přišli s "
        "nářadím."
    ),
    "sk": (
        "Starosta otvoril mestské múzeum na jar tohto roku a predniesol dlhý prejav. "
        "Múzeum ukazuje lode a siete starých rybárov, ktorí žili pri rieke. Ďalší dom je "
        "naplánovaný, ale nikto zaň ešte nezaplatil. Ľudia priniesli náradie, aby "
        "opravili strechu."
    ),
    "pl": (
        "Burmistrz otworzył muzeum miasta wiosną tego roku i wygłosił długie "
        "przemówienie. Muzeum pokazuje łodzie i sieci dawnych rybaków, którzy żyli nad "
        "rzeką. Drugi dom jest planowany, ale nikt jeszcze za niego nie zapłacił. Świeże "
        "ryby sprzedawano w mieście."
    ),
    "hu": (
        "A polgármester tavasszal nyitotta meg a városi múzeumot, és hosszú beszédet "
        "mondott. A múzeum a folyó mellett élő régi halászok csónakjait és hálóit mutatja "
        "be. A második ház jövőre készül el, de még senki sem fizette ki. Az őszi "
        "gyűlésen szó lesz róla."
    ),
    "sl": (
        "Župan je spomladi odprl mestni muzej in imel dolg govor. Muzej kaže čolne in "
        "mreže starih ribičev, ki so živeli ob reki. Druga hiša je načrtovana, vendar je "
        "še nihče ni plačal. Ljudje so prišli z orodjem, da bi popravili streho, preden "
        "je začel padati dež."
    ),
    "hr": (
        "Gradonačelnik je u proljeće otvorio gradski muzej i održao dugačak govor. Muzej "
        "prikazuje čamce i mreže starih ribara koji su živjeli uz rijeku. Druga kuća je "
        "planirana, ali je još nitko nije platio. Građani su došli s alatom kako bi "
        "popravili krov."
    ),
    "ro": (
        "Primarul a deschis muzeul oraşului în primăvara acestui an şi a ţinut un discurs "
        "lung. Muzeul arată bărcile şi plasele vechilor pescari care trăiau lângă râu. A "
        "doua casă este planificată, dar nimeni nu a plătit încă pentru ea. Oamenii au "
        "venit cu unelte."
    ),
    "tr": (
        "Belediye başkanı bu yılın ilkbaharında şehir müzesini açtı ve uzun bir konuşma "
        "yaptı. Müze, nehir kıyısında yaşayan eski balıkçıların teknelerini ve ağlarını "
        "gösteriyor. İkinci ev planlandı, ancak henüz kimse parasını ödemedi. Halk çatıyı "
        "onarmaya geldi."
    ),
    "lt": (
        "Meras šių metų pavasarį atidarė miesto muziejų ir pasakė ilgą kalbą. Muziejus "
        "rodo senųjų žvejų, gyvenusių prie upės, valtis ir tinklus. Planuojamas antras "
        "namas, bet niekas dar už jį nesumokėjo. Žmonės atėjo su įrankiais, kad pataisytų "
        "stogą."
    ),
    "lv": (
        "Mērs šī gada pavasarī atklāja pilsētas muzeju un teica garu runu. Muzejs rāda "
        "veco zvejnieku laivas un tīklus, kuri dzīvoja pie upes. Otrā māja ir plānota, "
        "bet neviens par to vēl nav samaksājis. Cilvēki ieradās ar darbarīkiem, lai "
        "salabotu jumtu."
    ),
    "et": (
        "Linnapea avas tänavu kevadel linnamuuseumi ja pidas pika kõne. Muuseum näitab "
        "jõe ääres elanud vanade kalurite paate ja võrke. Teine maja on plaanis, aga "
        "keegi ei ole selle eest veel maksnud. Inimesed tulid tööriistadega, et katust "
        "parandada."
    ),
    "de": (
        "Der Bürgermeister eröffnete im Frühjahr das Museum der Stadt und hielt eine "
        "lange Rede. Es zeigt Boote und Netze der alten Fischer, die am Fluß lebten. Ein "
        "zweites Haus ist geplant, aber niemand hat bisher dafür gezahlt. Für die Gäste "
        "gab es Käse."
    ),
    "fr": (
        "Le maire a ouvert le musée de la ville au printemps et a prononcé un long "
        "discours. Il présente les bateaux et les filets des anciens pêcheurs qui "
        "vivaient près de la rivière. Une deuxième maison est prévue, mais personne ne "
        "l'a encore payée. Ça ira."
    ),
    "es": (
        "El alcalde abrió el museo de la ciudad en la primavera de este año y pronunció "
        "un largo discurso. Muestra los barcos y las redes de los antiguos pescadores que "
        "vivían junto al río. Está prevista una segunda casa, pero nadie la ha pagado "
        "aún. ¿Mañana?"
    ),
    "pt": (
        "O presidente da câmara abriu o museu da cidade na primavera e fez um longo "
        "discurso. Mostra os barcos e as redes dos antigos pescadores que viviam junto ao "
        "rio. Está prevista uma segunda casa, mas ninguém a pagou ainda. A população não "
        "irá à reunião."
    ),
    "it": (
        "Il sindaco ha aperto il museo della città in primavera e ha tenuto un lungo "
        "discorso. Mostra le barche e le reti degli antichi pescatori, perché la città è "
        "nata così. Una seconda casa è prevista, ma nessuno l'ha ancora pagata. Ciò sarà "
        "più difficile."
    ),
    "sv": (
        "Borgmästaren öppnade stadens museum i våras och höll ett långt tal. Museet visar "
        "båtar och nät från de gamla fiskarna som bodde vid ån. Ett andra hus är "
        "planerat, men ingen har betalat för det än. Människor kom med verktyg för att "
        "laga taket."
    ),
    "da": (
        "Borgmesteren åbnede byens museum i foråret og holdt en lang tale. Museet viser "
        "både og net fra de gamle fiskere, som boede ved åen. Et andet hus er planlagt, "
        "men ingen har betalt for det endnu. Folk kom med værktøj for at reparere taget, "
        "før det blæste."
    ),
    "fi": (
        "Pormestari avasi kaupungin museon tänä keväänä ja piti pitkän puheen. Museo "
        "esittelee joen äärellä eläneiden vanhojen kalastajien veneitä ja verkkoja. "
        "Toinen talo on suunnitteilla, mutta kukaan ei ole vielä maksanut siitä. Väki "
        "tuli työkalut mukanaan."
    ),
    "is": (
        "Borgarstjórinn opnaði safn bæjarins í vor og hélt langa ræðu. Safnið sýnir báta "
        "og net gömlu sjómannanna sem bjuggu við ána. Annað hús er fyrirhugað en enginn "
        "hefur enn greitt fyrir það. Fólk kom með verkfæri til að gera við þakið."
    ),
    "el": (
        "Ο δήμαρχος άνοιξε το μουσείο της πόλης την άνοιξη και έβγαλε έναν μεγάλο λόγο. "
        "Δείχνει βάρκες και δίχτυα των παλιών ψαράδων που ζούσαν στο ποτάμι. Ένα δεύτερο "
        "σπίτι σχεδιάζεται, αλλά κανείς δεν το έχει πληρώσει ακόμα."
    ),
    "he": (
        "ראש העיר פתח את המוזיאון של העיר באביב השנה ונשא נאום ארוך. המוזיאון מציג סירות "
        "ורשתות של הדייגים הוותיקים שחיו ליד הנהר. בית שני מתוכנן, אך איש עדיין לא שילם "
        "עליו. אנשים באו עם כלים כדי לתקן את הגג."
    ),
    "ar": (
        "افتتح رئيس البلدية متحف المدينة في ربيع هذا العام وألقى خطابا طويلا. يعرض المتحف "
        "قوارب وشباك الصيادين القدامى الذين عاشوا على ضفة النهر. من المخطط إقامة بيت ثان، "
        "لكن لم يدفع أحد ثمنه بعد."
    ),
    "ru": (
        "Мэр открыл городской музей весной этого года и произнёс длинную речь. Музей "
        "показывает лодки и сети старых рыбаков, которые жили у реки. Второй дом "
        "запланирован, но никто за него ещё не заплатил. Люди пришли с инструментами, "
        "чтобы починить крышу."
    ),
    "uk": (
        "Міський голова відкрив музей навесні цього року і виголосив довгу промову. Музей "
        "показує човни та сіті старих рибалок, які жили біля річки. Другий будинок "
        "заплановано, але ніхто ще за нього не заплатив. Люди прийшли з інструментами, "
        "щоб полагодити дах."
    ),
    "bg": (
        "Кметът откри градския музей през пролетта на тази година и произнесе дълга реч. "
        "Музеят показва лодки и мрежи на старите рибари, които са живели край реката. "
        "Втора къща е планирана, но никой още не е платил за нея."
    ),
    "th": (
        "นายกเทศมนตรีเปิดพิพิธภัณฑ์ของเมืองในฤดูใบไม้"
        "ผลิปีนี้และกล่าวสุนทรพจน์ยาว พิพิธภัณฑ์แสดงเ"
        "รือและแหของชาวประมงเก่าที่อาศัยอยู่ริมแม่น้ำ"
        " บ้านหลังที่สองมีการวางแผนไว้แล้วแต่ยังไม่มี"
        "ใครจ่ายเงิน"
    ),
    "ja": (
        "町の博物館は春に開館しました。市長が長い演説をしました。川のほとりに住んでいた昔の漁師の"
        "舟と網を展示しています。二つ目の建物も計画されていますが、まだ誰もお金を払っていません。"
    ),
    "zh": (
        "市长在今年春天开放了城市博物馆，并发表了很长的讲话。博物馆展示住在河边的老渔民的船和渔网"
        "。第二座房子已经在计划之中，但是还没有人为它付钱。人们带着工具来修理屋顶。"
    ),
    "zh-tw": (
        "市長在今年春天開放了城市博物館，並發表了很長的講話。博物館展示住在河邊的老漁民的船和漁網"
        "。第二座房子已經在計劃之中，但是還沒有人為它付錢。人們帶著工具來修理屋頂。"
    ),
    "ko": (
        "시장은 올해 봄에 도시 박물관을 열고 긴 연설을 했다. 박물관은 강가에 살던 옛"
        " 어부들의 배와 그물을 보여 준다. 두 번째 집이 계획되어 있지만 아직 아무도 "
        "돈을 내지 않았다. 사람들은 지붕을 고치려고 연장을 들고 왔다."
    ),
}
ENCODINGS = {
    "cs": "cp1250 iso8859-2 mac_latin2 cp852",
    "sk": "cp1250 iso8859-2 mac_latin2 cp852",
    "pl": "cp1250 iso8859-2 mac_latin2 cp852",
    "hu": "cp1250 iso8859-2 mac_latin2 cp852",
    "sl": "cp1250 iso8859-2 mac_latin2 cp852",
    "hr": "cp1250 iso8859-2 mac_latin2 cp852",
    "ro": "cp1250 iso8859-2 cp852",
    "tr": "cp1254 iso8859-9 mac_turkish cp857",
    "lt": "cp1257 iso8859-13 iso8859-4 cp775",
    "lv": "cp1257 iso8859-13 iso8859-4 cp775",
    "et": "cp1257 iso8859-15 iso8859-4 cp775 cp1252",
    "de": "cp1252 iso8859-1 iso8859-15 mac_roman cp850 cp437",
    "fr": "cp1252 iso8859-1 iso8859-15 mac_roman cp850 cp437",
    "es": "cp1252 iso8859-1 iso8859-15 mac_roman cp850 cp437",
    "pt": "cp1252 iso8859-1 iso8859-15 mac_roman cp850 cp437",
    "it": "cp1252 iso8859-1 iso8859-15 mac_roman cp850 cp437",
    "sv": "cp1252 iso8859-15 mac_roman cp850 cp437",
    "fi": "cp1252 iso8859-15 mac_roman cp850 cp437",
    "da": "cp1252 iso8859-1 mac_roman cp850",
    "is": "cp1252 iso8859-1 mac_roman cp850",
    "el": "cp1253 iso8859-7 cp737",
    "he": "cp1255 iso8859-8 cp862",
    "ar": "cp1256 iso8859-6",
    "ru": "cp1251 koi8_r iso8859-5 cp866 mac_cyrillic cp855",
    "uk": "cp1251 koi8_u iso8859-5 mac_cyrillic cp1125",
    "bg": "cp1251 iso8859-5 cp866 mac_cyrillic",
    "th": "tis_620",
    "ja": "cp932 euc_jp iso2022_jp",
    "zh": "gb18030 gb2312",
    "zh-tw": "big5",
    "ko": "euc_kr cp949",
}
CASES = [(language, name) for language, names in ENCODINGS.items() for name in names.split()]


def guessed(text: str, encoding: str) -> str:
    """The text that is read of another, and what it has been reduced to in its encoding."""
    decoded = decode(text.encode(encoding, "ignore"))
    assert decoded is not None
    return decoded.text


@pytest.mark.parametrize(("language", "encoding"), CASES)
def test_letters_and_words_tell_the_encoding(language: str, encoding: str) -> None:
    text = TEXTS[language]
    for written in (text[:150], text, text * 10):
        meant = written.encode(encoding, "ignore").decode(encoding)
        assert guessed(written, encoding) == meant


SHORT = {
    "cs": "Druhý dům je plánován, ale nikdo ještě",
    "sk": "Múzeum ukazuje siete, ktorí žili pri rieke",
    "pl": "Muzeum miasta wygłosił długie przemówienie",
    "hu": "A második ház jövőre készül el, és hosszú",
    "sl": "Muzej kaže čolne in mreže starih ribičev",
    "hr": "čamce i mreže starih ribara koji su živjeli",
    "ro": "Muzeul oraşului în primăvara acestui an",
    "tr": "Belediye başkanı şehir müzesini açtı",
    "lt": "Meras šių metų pavasarį atidarė muziejų",
    "lv": "Mērs šī gada pavasarī atklāja muzeju",
    "el": "Ο δήμαρχος άνοιξε το μουσείο της πόλης",
    "he": "ראש העיר פתח את המוזיאון של העיר",
    "ru": "Музей показывает лодки старых рыбаков",
    "uk": "Музей показує човни та сіті рибалок",
    "de": "Der Bürgermeister eröffnete das Museum",
    "fr": "Le musée présente les filets des pêcheurs",
    "es": "Muestra los barcos que vivían junto al río",
    "ja": "町の博物館は春に開館しました。市長が",
    "zh": "博物馆展示住在河边的老渔民的船和渔网",
    "zh-tw": "博物館展示住在河邊的老漁民的船和漁網",
    "ko": "박물관은 강가에 살던 옛 어부들의 배",
}


@pytest.mark.parametrize("language", SHORT)
def test_forty_letters_are_enough_in_usual_encodings(language: str) -> None:
    for encoding in ENCODINGS[language].split()[:2]:
        assert guessed(SHORT[language], encoding) == SHORT[language]


@pytest.mark.parametrize(
    "text",
    [
        "The “old” house—built in 1900—isn’t sold; it’s 20°C, ½ mile, £5, 3–4 m², © 2024 Smith™…",
        "He’s a naïve café-goer • one • two • three",
        "well—maybe—so",
        "the 1990s—a time",
        "Don’t",
        "L’été, l’hôtel où j’ai dormi à Noël coûtait 50 €; d’où ça vient-il ? « Oui ».",
        "„Ja“, sagte er – »nein« …",
        "a² + b² = c²",
        "n° 5, 1º, 2ª",
        "1 × 2 = 2 ± 0.5 µm",
        "5 °C",
        "§ 5 Abs. 1",
        "100 ¥",
        "RÉSUMÉ DE L’ÉTÉ",
        "Señor Núñez pagó 3 €",
        "São Paulo",
        "Ça va",
        "Þórður",
        "é",
        "façade, crêpe, jalapeño, Übermensch",
    ],
)
def test_western_texts_with_few_letters_outside_ascii_stay(text: str) -> None:
    assert guessed(text, "cp1252") == text


def test_names_of_another_language_are_read_in_an_english_text() -> None:
    text = "The president, Lech Wałęsa, met Václav Havel and Árpád Göncz in Kraków on Friday. "
    assert guessed(text * 3, "cp1250") == text * 3


@pytest.mark.parametrize("name", ["iso-8859-1", "latin-1"])
def test_what_is_declared_as_latin_1_is_read_as_windows_1252(name: str) -> None:
    decoded = decode("“Größe” – 5 €".encode("cp1252"), name)
    assert decoded is not None and decoded.text == "“Größe” – 5 €"


@pytest.mark.parametrize(
    "data", [b"a" * 400_000 + b"\xe9", b"x\x92" * 200_000, b"\xe9 " * 200_000, b"\x97a" * 200_000]
)
def test_hostile_bytes_take_no_quadratic_time(data: bytes) -> None:
    assert decode(data) is not None


def test_marks_of_a_page_are_no_words_of_its_language() -> None:
    row = "<p class='is in of the' title='this for that'>Muzeum ukazuje lodě starých rybářů.</p>\n"
    assert guessed(row * 9, "cp1250") == row * 9
