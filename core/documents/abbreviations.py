"""Words that a full stop may follow without ending the sentence, and words that begin one.

All are lower case and without their last stop ("u.s" stands for "U.S."); `STARTERS` are
capitalised as they stand at the head of a sentence. `resources/languages/README.md` names the
sources, and says which abbreviations of these are left out.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LETTER_NAMES = _words("बी सी डी एफ एच जे एल एम एन आर एस टी यू वी डब्ल्यू एक्स वाई झेड ज़ेड")
"""Latin letters in Devanagari, as initials; not those that are words too ("जी", "के", "पी")."""

NEVER = (
    _words(
        # titles
        "mr mrs ms messrs dr prof rev hon gen col capt cmdr lt sgt maj adm gov sen rep pres supt "
        "mme mlle mmes mgr m.r sig sig.ra dott dhr mevr sr.a sra srta d.na hr fr frl dipl ing priv "
        # words that bind what follows
        "e.g eg i.e ie cf viz vs v al.s approx ca circa c.f i.a resp incl excl n.b p.s q.v s.v aka "
        "d.h z.b u.a u.ä bzw vgl evtl ggf sog z.t bijv d.w.z o.a m.b.t es p.ej p.ex ej ee av avda "
        "np tzw tj m.in ул им проф акад т.е т.к см напр κ κα δηλ π.χ esp espec usu rel "
        # titles in scripts of India
        "डॉ डा श्री पं प्रो प्रा कु सौ मो स्व ডা ডঃ ড মো ડૉ પ્રો શ્રી ਡਾ ਪ੍ਰੋ ਸ திரு பேரா డా ప్రొ "
        "శ్రీ ಡಾ ಪ್ರೊ ಶ್ರೀ ഡോ പ്രൊഫ ശ്രീ"
    )
    | LETTER_NAMES
)
"""Followed by what they belong to: never the end of a sentence."""

YEARS = _words("ж жж")
"""Stand after the number of a year and are no units: they may be followed by a name."""

ACRONYMS = _words("dna cap")
"""Abbreviations of some language that are names of another thing in capitals."""

NUMBERED = _words(
    "no nos nr nrs fig figs eq eqs sec secs sect § ch chap chs p pp pg pgs vol vols art arts "
    "par para paras cl app ex exs ref refs tab col cols l ll n nn pt pts ed eds ext "
    "cat ver sched reg regs tit suppl op abb kap bd taf anm s. abs núm cap pág págs hfst blz "
    "godz ok str rys рис стр гл табл ст п т n° nº no° № ¶ ¶¶ "
    "eqn eqns thm thms lem cor prop props def defs defn rem alg ineq cond exer prob "
    "apt apts rm rms fl bldg tel amend cmt"
)
"""Followed by a number ("Fig. 2", "No. 5"); before anything else they are words."""

UNITS = _words(
    "ms min mins sec secs h hr hrs ft in lb lbs oz yd mi mo wk wks yr yrs pt gal deg гг г"
)
"""Units: the end of a sentence only before a capital letter."""

ENDING = _words("a.m p.m etc b.c a.d b.c.e c.e usw u.s.w ff ecc др пр")
"""Often at the end of a sentence: a capital letter after them begins the next one."""

SOMETIMES = _words(
    "al ph.d m.d b.a m.a b.s m.s ll.d ll.b d.phil appl prov ser pat pub sp spp ssp subsp var cv "
    "mio mrd tsd temp max avg conc id ibid et seq supp dept dist ct hrsg jh jhdt geb gest aufl "
    "v.chr n.chr ж жж"
)
"""May end a sentence: they do so before a word of `STARTERS`."""

NAMED = _words(
    "jr sr inc corp co cos ltd bros llc plc mfg assn assoc univ inst intl natl govt bldg mt ft st "
    "ste ave blvd rd hwy pkwy esq cir jan feb mar apr jun jul aug sep sept oct okt nov dec dez "
    "mon tue tues wed thu thur thurs fri biol chem phys math med sci proc trans lett adv natl acad "
    "int am soc rev stat ann bull hist nat roy bot zool geol journ mag phil tom gen "
    # ranks and titles
    "rt msgr cpl lcpl pvt pfc spc ssgt sfc msgt brig cdr comdr ens det insp atty amb cllr ven asst "
    # statutes, rules, reporters, courts and journals of law
    "fed civ crim evid bankr pub const treas admin gov't cong rec comp reg reprt rptr app'x comm "
    "com bus ins prac proc proced rul chi div harv colum stan nw vand geo ass'n int'l nat'l "
    "comm'n dep't att'y fed'n bhd ry assocs mfrs enters indus props sys servs cert aff'd rev'd cl "
    "sup super mun magis jud exec"
)
"""The same, where they begin with a capital letter; without one they are words."""

STATES = _words(
    "ala ariz ark cal calif colo conn del fla ga ill ind kan kans ky la mass md mich minn miss mo "
    "mont neb nev okla ore oreg pa penn tenn tex va vt wash wis wyo d.c n.y n.j n.h n.c n.d n.m "
    "s.c s.d r.i w.va"
)
"""With a capital letter: after a comma ("Dover, Del.") as `ENDING`, else as `SOMETIMES`."""

STARTERS = _words(
    "The This That These Those There Then Thus Therefore They Their Them It Its He She His Her "
    "Him We Our Us You Your I My Me One Two Three Some Many Most Several Such Each Every Any All "
    "Both Either Neither Another Other Others No None Nobody Nothing Not Nor A An In On At By For "
    "From To With Without Within Under Over Upon After Afterwards Before Between Among During "
    "Through Since Until While When Whenever Where Whereas Whether Which Who Whose Whom What Why "
    "How If Unless Although Though Because As And But Or So Yet Still However Moreover "
    "Furthermore Hence Here Nevertheless Nonetheless Instead Indeed Likewise Similarly Also "
    "Additionally Finally First Firstly Second Secondly Third Next Later Once Now Today Tonight "
    "Again Only Even Perhaps Up Usually Often Sometimes Generally Typically Accordingly "
    "Consequently Alternatively Preferably Otherwise Meanwhile According Let Suppose Assume "
    "Consider Note See Given Using Based Following Like Unlike Despite Is Are Was Were Do Does "
    "Did Has Have Had Can Could Will Would Shall Should May Must Much Few Less More Further "
    "Today's It's That's There's He's She's We're They're Don't Let's "
    "Der Die Das Den Dem Ein Eine Er Sie Es Wir Ich Ihr Diese Dieser Dieses Im Am Auf Bei Mit Nach "
    "Von Zu Zum Zur Für Wenn Als Da Dann Damit Aber Und Oder Auch Wie Was Wer Nur Nicht "
    "Le La Les Un Une Il Elle Ils Elles Ce Cette Ces Dans Pour Sur Avec Mais Et Nous Vous Je On "
    "El Los Las Una Uno Ella Ellos En Con Por Para Pero Y Este Esta Estos Se Su Sus Lo "
    "Он Она Оно Они Это Этот Эта В На Но И Я Мы Вы Не По С К У О "
    "Ол Бұл Осы Сол Біз Мен Олар Кейін Содан"
)
"""Words that seldom are part of a name: a capital on them means that a sentence begins."""

COUNTERS = _words(
    "vitamin group type class grade phase plan team part point layer step stage node section "
    "sector panel annex appendix exhibit hepatitis schedule option version column row area zone "
    "model method case claim example figure table fig ex app factor strain set level station site "
    "sample room building block unit module route line curve region subject patient category "
    "parts points layers steps types classes teams groups typ gruppe klasse °"
)
"""Words before a letter that is a label, not an initial ("type B. Mice were …")."""

LABELS = (
    r"(?:fig(?:ure)?|tab(?:le)?|theorem|lemma|corollary|proposition|definition|example|remark|claim"
    r"|algorithm|scheme|chart|plate|box|step|rule|sec(?:tion)?|art(?:icle)?|chapter|part|appendix"
    r"|annex|note|case|phase|stage|day|question|exercise|problem|abb(?:ildung)?|tabelle|kapitel"
    r"|satz|tableau|figura|рис|табл|глава)"
)
"""What may stand with a number at the head of a sentence ("Table 2. Yields"), as a pattern."""

SPEAKING = (
    r"(?:said|asked|cried|replied|answered|shouted|whispered|exclaimed|murmured|muttered|demanded"
    r"|inquired|enquired|screamed|added|wondered|yelled|repeated|interrupted|says|asks)"
)
"""Verbs of a speaker's clause after a question or a call, as a pattern."""

AFTER_HOURS = _words(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Tues Wed Thu Thur Thurs Fri "
    "Sat Sun January February March April May June July August September October November "
    "December Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec EST EDT ET CST CDT CT MST MDT MT "
    "PST PDT PT AKST AKDT HST AST ADT NST GMT UTC BST IST CET CEST EET EEST MSK JST KST AEST AEDT "
    "ACST AWST NZST NZDT Eastern Central Pacific Mountain Atlantic Alaska Hawaii Greenwich "
    "Coordinated"
)
"""What goes on after "5 p.m." with a capital letter."""

EXCLAIMED = _words("Yahoo Yum Jeopardy Joomla E Wham Panic")
"""Names that end in an exclamation mark."""

FIRMS = _words("Inc Corp Ltd LLC PLC Co Company Group Holdings GmbH AG SA BV Brands Media")
"""Words that end the names of firms."""

GERMAN_MONTHS = _words(
    "Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember"
)

BEFORE_ORDINALS = _words(
    "am im vom zum zur beim der die das den dem des ab bis seit und den ein eine einen einem jeden "
    "jedem ersten dieser diesem ihrem seinem ihr sein"
)
"""German words between which and a noun a number with a stop is an ordinal ("im 19. Jahr")."""
