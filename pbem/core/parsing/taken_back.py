"""Words below an order that take it back, in several languages.

A phrase counts at the beginning of a sentence. A plain no counts where a stop, a comma or another phrase
follows: `No, wait`, but not `No hurry`. Doubtful phrases count in the first sentence alone, where somebody
changes their mind; farther down they are news (`Actually it snows here`).
"""

import re
from collections.abc import Mapping, Sequence

from pbem.core.parsing.yes_no import POLITE, is_unsure, read_yes_no

MAX_LINES, MAX_LETTERS = 40, 400
"""Lines of words that are looked at, and signs of each."""

_MOVE = r"[a-z]\d{1,2}\b"
PHRASES: Mapping[str, tuple[str, str, str]] = {
    "English": (
        "no|nope|nah|not that",
        r"wait(?=\W*$|[,.!;:…-]| no\b| i\b| a (?:moment|minute|second|sec|bit)\b| please\b)|hold on|hang on"
        r"|stop(?=\W*$|[,.!]| it\b| that\b)"
        r"|sorry\W+(?:i meant?\b|no\b|wait\b|wrong\b|not\b|typo\b|that was\b|my mistake\b|ignore\b)"
        r"|i meant?(?= |,|:)|correction|not (?:yet|really|now|today|this one|serious)|on second thoughts?"
        r"|second thoughts|scratch that|(?:forget|ignore|disregard|cancel|undo) (?:it|that|this|the above)"
        r"|cancel(?=\W*$)|never ?mind(?=\W*$|[,.!]| that| it)|(?:just |only )?(?:kidding|joking)"
        r"|(?:please )?(?:do not|don'?t) (?:play|do|make|move|resign|accept|count|take|send|draw|carry)"
        r"|i (?:do not|don'?t|did not|didn'?t|will not|won'?t)(?=\W*$| mean| want| resign| accept| agree"
        r"| really)"
        r"|please (?:ignore|disregard|cancel|wait|do not(?=\W*$)|don'?t(?=\W*$))|don'?t(?=\W*$)"
        r"|i(?: want|'d like| would like)? to (?:play on|continue)|i'?m not (?:resigning|giving)|just testing"
        r"|strike that"
        r"|hold it|let me think|i'll decide|i(?: have|'ve)? changed my mind"
        r"|i take (?:it|that|this) back|or rather|rather not|better not"
        r"|i(?:'d| would) rather",
        r"actually|instead|oops|whoops|but (?:no|wait|not)|better(?=:|,)|that was (?:a |just )?(?:joke|wrong)"
        rf"|or(?= {_MOVE}| is| should| would| maybe| perhaps| shall| do| what| not)|rather"
        r"|is (?:that|it|this)(?! (?:your|the first|still))|would (?:that|it|you)(?! have| like| say)"
        r"|should i(?! have)|what (?:would(?! you say)|do|if(?! i had))|which (?:one|would)"
        r"|maybe not(?! my)|perhaps not",
    ),
    "German": (
        "nein|nee|ne|nö",
        r"warte(?:n sie)?(?=\W*$|[,.!;:]| mal| noch| bitte| nein)|(?:einen )?moment(?=\W*$|,| noch| mal)"
        r"|halt(?=\W*$|[,.!]| nein)|stopp?(?=\W*$|[,.!])|doch (?:nicht|lieber)"
        r"|(?:sorry|entschuldigung|pardon)\W+"
        r"(?:ich mein\w*|nein|falsch|ich wollte)|ich meine?te|ich wollte (?:sagen|schreiben)|noch nicht"
        r"|(?:bitte )?nicht (?:spielen|ziehen|aufgeben|ausführen|annehmen|ernst)|stattdessen|quatsch"
        r"|vergiss (?:es|das)|vergessen sie|korrektur|ich nehme (?:das|es|den \w+) zurück|besser nicht"
        r"|lieber (?:nicht|doch)|ich habe? es mir anders|nur (?:ein )?(?:scherz|spaß)|war (?:nur )?ein "
        r"(?:scherz|spaß|witz)|(?:war )?nur spaß|scherz|irrtum|falsche partie|bei näherem"
        r"|oder (?:doch|lieber|besser)|ich hab'?s mir anders|hab'?s mir anders|nicht wirklich",
        rf"eigentlich|ups|hoppla|falsch|anders|aber nein|oder(?= {_MOVE}| soll| ist| gibt| was)|soll ich",
    ),
    "French": (
        "non",
        r"attend(?:s|ez)|pardon\W+je (?:voulais|pensais)"
        r"|(?:désolée?|excuse\w*)\W+(?:je voulais|je pensais|non)"
        r"|je voulais (?:dire|écrire)|pas encore|pas maintenant|à la place|plutôt (?:non|pas|que)"
        r"|réflexion faite"
        r"|(?:à|après) (?:la )?réflexion|oublie[zs]?|annule[zs]?|laisse[zs]? tomber|je (?:blague|plaisante)"
        r"|ne (?:joue|fais|jouez|faites)|stop(?=\W*$|[,.!])|ou plutôt|j'ai changé d'avis|erreur|correction"
        r"|je rigole",
        rf"en fait|finalement|oups|plutôt|mais non|ou(?= {_MOVE}| bien| alors| est| y)|est-ce",
    ),
    "Spanish": (
        "no|nop",
        r"espera|espere|(?:perdón|perdona|lo siento)\W+(?:quería|quise|no|me)"
        r"|(?:quise|quería) (?:decir|poner|escribir)"
        r"|(?:todavía|aún) no|ahora no|en vez|en lugar|mejor (?:no|dicho)|pensándolo|pensandolo|olvídalo"
        r"|olvidalo"
        r"|olvida (?:eso|esto)|cancela|no (?:juegues|lo hagas|quiero|acepto|abandono|es en serio)"
        r"|me equivoqué"
        r"|(?:es|era) (?:una )?broma|cambié de (?:idea|opinión)|he cambiado|o mejor|corrección"
        r"|alto(?=\W*$|[,.!])",
        rf"en realidad|mejor(?=:|,| {_MOVE})|ups|pero no|o(?= {_MOVE}| hay| qué| debería)|debería",
    ),
    "Portuguese": (
        "não|nao",
        r"espera|espere|(?:desculpa|desculpe|perdão)\W+(?:queria|quis|não|eu)"
        r"|(?:queria|quis) (?:dizer|escrever)"
        r"|ainda não|agora não|em vez|em lugar|melhor (?:não|dizendo)|pensando (?:bem|melhor)|esquece"
        r"|esqueça|cancela"
        r"|não (?:jogues|jogue|faças|faça|quero|aceito|desisto|abandono|é a sério)|enganei-me|me enganei"
        r"|(?:é|era) brincadeira|mudei de (?:ideia|ideias)|ou melhor|correção|aliás",
        rf"na verdade|afinal|ups|melhor(?=:|,| {_MOVE})|mas não|ou(?= {_MOVE}| há| será| devo)|será que",
    ),
    "Italian": (
        "no",
        r"aspetta|aspetti|(?:scusa|scusi|scusami)\W+(?:volevo|intendevo|no|ho)|volevo (?:dire|scrivere)"
        r"|intendevo"
        r"|non ancora|non adesso|non ora|invece|piuttosto|meglio (?:no|di no)|ripensandoci|pensandoci"
        r"|lascia (?:perdere|stare)|dimentica|annulla"
        r"|non (?:giocare|farlo|voglio|accetto|abbandono|sul serio)"
        r"|ho (?:sbagliato|cambiato idea)|scherz(?:o|avo)|oppure|o meglio|correzione|anzi",
        rf"in realtà|veramente|ops|meglio(?=:|,| {_MOVE})|ma no|o(?= {_MOVE}| c'è| dovrei)|dovrei",
    ),
    "Dutch": (
        "nee|neen",
        r"wacht|(?:sorry|pardon)\W+(?:ik bedoel\w*|nee|fout)|ik bedoel\w*|nog niet|niet nu|in plaats"
        r"|toch (?:niet|maar|liever)"
        r"|bij nader inzien|vergeet (?:het|dat)|laat maar|foutje|niet (?:spelen|doen|opgeven|serieus)"
        r"|liever niet|grapje"
        r"|ik (?:wil|heb me bedacht)|of (?:toch|liever)|correctie|stop(?=\W*$|[,.!])",
        rf"eigenlijk|oeps|liever|maar nee|of(?= {_MOVE}| is| moet)|moet ik",
    ),
    "Scandinavian": (
        "nei|nej|næ",
        r"vent(?: litt| lige)?(?=\W*$|[,.!]| )|vänta"
        r"|(?:sorry|unnskyld|undskyld|förlåt|beklager)\W+(?:jeg mente|jag menade|nei|nej)"
        r"|jeg mente|jag menade|jag menar|ikke (?:ennå|endnu|nå|spill|gjør)|inte (?:än|nu|spela)|i stedet"
        r"|istället"
        r"|ved nærmere|vid närmare|glem det|glöm det|heller ikke|hellre inte|jeg ombestemte|jag ångrar"
        r"|tuller bare|skojar"
        r"|eller rettere|spill ikke|spela inte",
        rf"egentlig|egentligen|faktisk|ups|hoppsan|heller|hellre|men nei"
        rf"|eller(?= {_MOVE}| er| är| kanskje| skal| ska)",
    ),
    "Finnish": (
        "ei|ei ?kun?",
        r"odota|hetkinen|tarkoitin|(?:anteeksi|sori)\W+(?:tarkoitin|ei)|ei (?:vielä|nyt|sittenkään)"
        r"|älä (?:pelaa|tee)|sen sijaan"
        r"|sittenkin|unohda (?:se|tuo)|peru(?:uta)?|muutin mieleni|vitsi|korjaus",
        rf"oikeastaan|itse asiassa|hups|mutta ei|vai(?= {_MOVE}| onko)",
    ),
    "Polish": (
        "nie",
        r"(?:za|po)?czekaj|przepraszam\W+(?:chodziło|mia[łl]\w*|nie)|mia[łl][ae]m na myśli|chodziło mi"
        r"|jeszcze nie|nie teraz"
        r"|zamiast|po namyśle|zapomnij|pomyłka|nie (?:graj|rób|chcę|poddaję|przyjmuję|na serio)|żartuję|żart"
        r"|zmieni[łl][ae]m zdanie|raczej nie|lepiej nie|albo (?:lepiej|raczej)|korekta|anuluj",
        rf"właściwie|jednak|ups|ale nie|lepiej(?=:|,| {_MOVE})|albo(?= {_MOVE})|czy (?:mam|to|jest)|a może",
    ),
    "Czech": (
        "ne",
        r"počkej(?:te)?|(?:promiň|pardon)\w*\W+(?:myslel\w*|chtěl\w*|ne)|myslela? jsem|ještě ne|teď ne"
        r"|místo toho"
        r"|rozmyslela? jsem|zapomeň|omyl|ne(?:hraj|dělej|vzdávám|chci|přijímám)|žertuji|vtip|raději ne"
        r"|radši ne"
        r"|nebo (?:raději|radši)|oprava|zruš",
        rf"vlastně|raději|radši|ups|ale ne|nebo(?= {_MOVE}| je| mám)|mám",
    ),
    "Russian": (
        "нет|не",
        r"подожди(?:те)?|погоди(?:те)?|постой(?:те)?|стой(?=\W*$|[,.!])"
        r"|извини(?:те)?\W+(?:я |имел|хотел|нет)|я имела? в виду"
        r"|имел[ао]?сь в виду|ещё не|еще не"
        r"|не (?:сейчас|надо|нужно|играй|ходи|сдаюсь|хочу|принимаю|серьёзно)|вместо"
        r"|передумала?|я передумала?|забудь(?:те)?|ошибка|ошибся|ошиблась|шучу|шутка|лучше не|или лучше"
        r"|отмена|отмени",
        rf"на самом деле|вообще-то|лучше|ой|но нет|или(?= {_MOVE}| есть)",
    ),
}
"""For each language: a no; phrases that take back; phrases that do so in the first sentence alone."""


def _any(which: int) -> str:
    return "|".join(row[which] for row in PHRASES.values())


_ASIDE = (
    r"(?:(?:h+m+|oh|ah|uh|um|er|well|ok|okay|ach|och|ugh|argh|eh|ay|ps|p\.s\.|please|bitte|lol|haha|das|that's"
    r"|[^\W\d_]{1,20}[,:])[\s,.:…-]+)?"
)
_SURE = re.compile(
    rf"\W*+{_ASIDE}(?:(?P<no>{_any(0)})(?:\W*$|\s?[,.!;:…-](?!\s?\d)|\s+(?=(?:{_any(0)}|{_any(1)}|i\b|that\b|"
    rf"{_MOVE})))|(?:{_any(1)})(?!\w))",
    re.IGNORECASE,
)
_DOUBTFUL = re.compile(rf"\W*+{_ASIDE}(?:{_any(2)})(?!\w)", re.IGNORECASE)
_PLAYS_ON = re.compile(
    r"\b(?:play(?:ing)? on|(?:not|don't) (?:resign|give up|accept)\w*|wrong game|by mistake|my mistake"
    r"|decide (?:tomorrow|later)|unless you|weiter ?spielen|spiele? (?:doch )?weiter"
    r"|gebe? (?:noch )?nicht auf"
    r"|falsche partie|(?:ein|aus) versehen|überlege? (?:es )?(?:mir )?noch|ignorieren|jouer encore"
    r"|continuer (?:à|de) jouer|seguir jugando|continuare a giocare|continuar a jogar|verder ?spelen)\b",
    re.IGNORECASE,
)
"""Phrases that contradict an order that ends a game, wherever they stand."""
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
_POLITE = re.compile(rf"\W*(?:(?:{POLITE})\W*)+(?:\w+\W*)?", re.IGNORECASE)


def takes_back(words: Sequence[str], *, only_no: bool = False) -> bool:
    """True if lines below an order take it back or doubt it. With `only_no` none but a plain no does."""
    first = True
    for line in words[:MAX_LINES]:
        for sentence in _SENTENCE_END.split(line[:MAX_LETTERS].strip()):
            sure = _SURE.match(sentence)
            if sure and (sure["no"] or not only_no):
                return True
            if first and not only_no and _DOUBTFUL.match(sentence):
                return True
            if sentence.strip(" .!,") and not is_polite_line(sentence):
                first = False
    return False


def plays_on(words: Sequence[str]) -> bool:
    """True if words below an ending order say that it goes on."""
    return any(_PLAYS_ON.search(line[:MAX_LETTERS]) for line in words[:MAX_LINES])


def is_polite_line(line: str) -> bool:
    """True if the line is thanks or a greeting, perhaps with a name."""
    return len(line) <= MAX_LETTERS and _POLITE.fullmatch(line.strip()) is not None


MAX_YES_WITH_WORDS = 500
_BUT = re.compile(
    r"\b(?:but|however|unless|if|when|once|only|first|wait|not|no|don't|aber|doch|wenn|sobald|nur|nicht|mais|si|pas|pero|mas|ma"
    r"|maar|men|mutta|ale|\u043d\u043e)\b|\?",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,.!;:\n]|\s[-\u2013\u2014]\s")


def begins_with_yes(words: str) -> bool:
    """True if the words begin with a yes and hold no doubt: `Sure, let's play!` or `With pleasure, Ana`."""
    first, *rest = _CLAUSE_END.split(words.strip(), maxsplit=1)
    if len(words) > MAX_YES_WITH_WORDS or not rest or read_yes_no(first) is not True or is_unsure(words):
        return False
    return not (_BUT.search(rest[0]) or takes_back([rest[0]]))
