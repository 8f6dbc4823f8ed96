"""Orders that are taken back, doubted or only mentioned, in the languages that the words are known in."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from pbem.core.parsing.doubts import IN_A_SENTENCE, LISTED, OTHER_ORDER, PROSE_ABOVE, TAKEN_BACK
from pbem.core.parsing.mail_orders import GameBlock, read_orders
from pbem.core.parsing.taken_back import MAX_LETTERS, MAX_LINES, takes_back
from rules import RULES
from tests.quickness import quick

READER = RULES["bipod"].start().read
BACK = {
    "English": (
        "no, wait|no wait, e5|No, I want to play on.|wait, that was wrong|Hold on.|sorry, I meant e5"
        "|I meant e5|Actually, do not play that yet.|not yet|on second thoughts, e5|instead e5"
        "|Scratch that.|I do not!|never mind|or rather e5|please don't play that|Hmm, no.|Bob, wait!"
        "|just kidding|or is there something else?"
    ),
    "German": (
        "nein, doch nicht|Nein!|warte mal|Moment noch|Sorry, ich meinte e5|ich meinte e5|doch lieber e5"
        "|noch nicht|stattdessen e5|eigentlich e5|Halt!|oder doch e5|vergiss es|lieber nicht"
        "|war nur ein Scherz"
    ),
    "French": (
        "non, attends|Non.|attendez|pardon, je voulais e5|je voulais dire e5|en fait, e5|finalement non"
        "|pas encore|plutôt e5|à la réflexion, e5|annule|ou plutôt e5|je plaisante"
    ),
    "Spanish": (
        "no, espera|No.|espera|perdón, quería e5|quise decir e5|en realidad e5|todavía no|mejor no"
        "|mejor dicho, e5|en vez de eso e5|pensándolo bien, e5|olvídalo|era una broma|me equivoqué"
    ),
    "Portuguese": (
        "não, espera|Não.|espere|desculpa, queria e5|queria dizer e5|na verdade e5|ainda não|melhor não"
        "|em vez disso e5|pensando bem, e5|esquece|era brincadeira|ou melhor, e5"
    ),
    "Italian": (
        "no, aspetta|No.|aspetta|scusa, volevo e5|volevo dire e5|in realtà e5|non ancora|anzi, e5"
        "|invece e5|piuttosto e5|ripensandoci, e5|lascia perdere|ho sbagliato|scherzavo"
    ),
    "Dutch": (
        "nee, wacht|Nee.|wacht|sorry, ik bedoelde e5|ik bedoel e5|eigenlijk e5|nog niet|toch niet"
        "|liever e5|bij nader inzien e5|laat maar|grapje|of toch e5"
    ),
    "Scandinavian": (
        "nei, vent|Nej!|vent litt|vänta|jeg mente e5|jag menade e5|egentlig e5|ikke ennå|inte än"
        "|i stedet e5|ved nærmere ettertanke, e5|glem det|glöm det"
    ),
    "Finnish": (
        "ei, odota|Ei!|eiku e5|odota|tarkoitin e5|oikeastaan e5|ei vielä|sittenkin e5|unohda se"
        "|muutin mieleni"
    ),
    "Polish": (
        "nie, czekaj|Nie.|poczekaj|przepraszam, miałem na myśli e5|chodziło mi o e5|właściwie e5"
        "|jeszcze nie|zamiast tego e5|jednak e5|po namyśle e5|pomyłka|żartuję"
    ),
    "Czech": (
        "ne, počkej|Ne.|počkej|promiň, myslel jsem e5|myslel jsem e5|vlastně e5|ještě ne|místo toho e5"
        "|raději e5|rozmyslel jsem si to|zapomeň na to|omyl"
    ),
    "Russian": (
        "нет, подожди|Нет.|подождите|извини, я имел в виду e5|я имел в виду e5|на самом деле e5|ещё не"
        "|вместо этого e5|лучше e5|передумал|забудь|ошибка"
    ),
}
"""Lines that take back what stands above them; each stands below a move, an agreed draw and a resignation."""
HONEST = {
    "English": (
        "Thanks for the game!|No hurry.|No problem, take your time.|Sorry for the delay.|Nice move!"
        "|Don't worry about the clock.|I was on holiday.|Good luck!"
        "|b2 b5 would have been stronger, I think.|It snows here. Actually, a lot.|Now I am in trouble."
        "|Well played!|You saw everything.|My daughter says hello.|See you next week.|Cheers,"
        "|Wow, what a game.|I thought about the corner for days.|Never a dull moment with you."
        "|Not bad at all, your last one.|Rematch?|Joao|Another joke: two stones meet on a board."
    ),
    "German": (
        "Danke für die Partie!|Kein Problem.|Viel Glück!|Schöner Zug!|Entschuldige die Verspätung."
        "|Bei uns schneit es.|Ich war im Urlaub.|Gruß, Lena|Jetzt wird es eng.|Keine Eile."
        "|Noch ein Spiel?|Gut gespielt!"
    ),
    "French": (
        "Merci pour la partie !|Bonne chance|Joli coup !|Pas de souci.|Désolé du retard.|Il neige ici."
        "|À bientôt|Amitiés, Luc|Quelle partie !|Bien joué !|J'étais en vacances."
    ),
    "Spanish": (
        "¡Gracias por la partida!|Buena suerte|Buena jugada.|Sin prisa.|Perdona el retraso.|Aquí nieva."
        "|Un saludo, Ana|Estuve de vacaciones.|¡Bien jugado!|Nos vemos."
    ),
    "Portuguese": (
        "Obrigado pelo jogo!|Boa sorte|Boa jogada.|Sem pressa.|Desculpa a demora.|Aqui neva."
        "|Abraço, Rui|Estive de férias.|Bem jogado!|Não tenhas pressa."
    ),
    "Italian": (
        "Grazie per la partita!|Buona fortuna|Bella mossa.|Nessuna fretta.|Scusa il ritardo."
        "|Qui nevica.|Saluti, Ugo|Ero in vacanza.|Ben giocato!|Non c'è fretta."
    ),
    "Dutch": (
        "Bedankt voor de partij!|Succes|Mooie zet.|Geen haast.|Het sneeuwt hier.|Groetjes, Jan|Goed gespeeld!"
    ),
    "Scandinavian": (
        "Takk for spillet!|Lykke til|Fint trekk.|Ingen hast.|Det snør her.|Hilsen Per|Bra spelat!"
    ),
    "Finnish": (
        "Kiitos pelistä!|Onnea|Hyvä siirto.|Ei kiirettä.|Täällä sataa lunta.|Terveisin Aino|Hyvin pelattu!"
    ),
    "Polish": (
        "Dziękuję za grę!|Powodzenia|Dobry ruch.|Nie grałem w to od lat.|Tu pada śnieg.|Pozdrawiam, Ola"
    ),
    "Czech": ("Děkuji za hru!|Hodně štěstí|Pěkný tah.|Nespěchej.|Sněží tu.|Zdraví Petr|Dobře zahráno!"),
    "Russian": ("Спасибо за игру!|Удачи|Хороший ход.|Не спеши.|У нас снег.|Привет от Ивана|Отлично сыграно!"),
}
"""Lines that say nothing about the order above them."""
ORDERS = ("f6 h2 i1", "accept", "resign")
AT_MOST_ASKED = 0.03


def block_of(words: str) -> GameBlock:
    found = read_orders(words, marked=True, reader=READER)
    assert found.problem == ""
    (block,) = found.blocks
    return block


def cases(table: dict[str, str]) -> Iterator[str]:
    """Each line below each order, directly and below an empty line."""
    for lines in table.values():
        for line in lines.split("|"):
            yield from (f"{order}\n\n{line}" for order in ORDERS)


@pytest.mark.parametrize("language", BACK)
def test_what_is_taken_back_is_doubted(language: str) -> None:
    given = list(cases({language: BACK[language]}))
    assert [] == [words for words in given if block_of(words).doubt != TAKEN_BACK]


@pytest.mark.parametrize("language", BACK)
def test_what_is_taken_back_on_the_next_line_is_doubted(language: str) -> None:
    given = [words.replace("\n\n", "\n") for words in cases({language: BACK[language]})]
    assert [] == [words for words in given if block_of(words).doubt != TAKEN_BACK]


def test_three_hundred_cases_are_tried() -> None:
    assert min(len(list(cases(table))) for table in (BACK, HONEST)) > 300


def test_few_honest_comments_are_doubted() -> None:
    given = list(cases(HONEST))
    doubted = [words for words in given if block_of(words).doubt]
    assert len(doubted) <= AT_MOST_ASKED * len(given), doubted


@pytest.mark.parametrize(
    "words",
    [
        "f6 h2 i1\n\nThanks!\n\nno wait, e5",
        "f6 h2 i1\nJoao\n\nActually, not yet.",
        "f6 h2 i1\n\nIt snows here. No, wait, I meant e5.",
        "resign\n\nBest wishes,\nJoao\n\nPS: no, do not do it",
        "f6 h2 i1\n\n(no, wait)",
    ],
)
def test_a_change_of_mind_counts_below_other_words_too(words: str) -> None:
    assert TAKEN_BACK == block_of(words).doubt


AFTER_ALL = """Please ignore this.
Please don't.
Don't!
Please wait.
I want to play on.
I'm not resigning!
Good game! Actually, I want to play on.
Sorry, that's the wrong game.
That was by mistake.
Just testing.
Strike that.
Hold it.
Let me think about it first.
I'll decide tomorrow.
lol no
LOL just kidding
Ich gebe nicht auf.
Ich spiele doch weiter.
Ich will weiterspielen.
Bitte nicht spielen.
Falsche Partie!
Das war ein Versehen.
Das war ein Scherz.
War nur Spaß.
Irrtum!
Ich hab's mir anders überlegt
Je veux continuer à jouer.
Quiero seguir jugando.
Voglio continuare a giocare.""".split("\n")
MEANT = """Should I have played g3?
Would you like a rematch?
What would you say to a rematch?
What if I had played f2?
Is that your first win?
Maybe not my day.
A rematch would be nice.
You decide what we play next.
Sorry for my mistakes.
I have no more moves to try.""".split("\n")


@pytest.mark.parametrize("line", AFTER_ALL)
def test_a_resignation_that_is_contradicted_is_doubted(line: str) -> None:
    assert TAKEN_BACK == block_of(f"resign\n\n{line}").doubt


@pytest.mark.parametrize("line", MEANT)
def test_a_question_about_what_has_been_is_no_doubt(line: str) -> None:
    assert "" == block_of(f"resign\n\n{line}").doubt


@pytest.mark.parametrize(
    ("words", "doubt"),
    [
        ("Thanks for the idea but I will not\nf6\nyet, there is something better", IN_A_SENTENCE),
        ("What I like least is\nf6 h2 i1\nsince it gives you everything", IN_A_SENTENCE),
        ("Hi Bob, nice to play again\nf6 h2 i1\nthanks", PROSE_ABOVE),
        ("Nice move.\nf6 h2 i1\nsee you soon", PROSE_ABOVE),
        ("Hello Bob\nf6 h2 i1\ngreetings from Lisbon", ""),
        ("- draw\n- undo\n\nBoth are possible.", LISTED),
        ("* f6 h2 i1\n* resign", OTHER_ORDER),
        ("- f6 h2 i1", ""),
        ("f6 h2 i1\n\nThanks.\n\ng1 E1", OTHER_ORDER),
        ("f6 h2 i1\n\nThanks.\n\nresign", OTHER_ORDER),
        ("f6 h2 i1\n\nThanks.\n\nf6 h2 i1", ""),
        ("What would you do here?\n\nresign\n\nMy clock runs.", PROSE_ABOVE),
        ("Thank you, Bob!\n\nresign", ""),
        ("You have played well.\n\naccept", PROSE_ABOVE),
    ],
)
def test_prose_round_an_order_is_told_from_words_below_it(words: str, doubt: str) -> None:
    assert doubt == block_of(words).doubt


def test_the_only_order_of_a_mail_directly_below_prose_is_doubted() -> None:
    block = block_of("I may as well\nresign")
    assert (["resign"], IN_A_SENTENCE) == ([command.text for command in block.commands], block.doubt)


def test_no_words_take_long() -> None:
    for letters in ("no ", "wait, ", "thanks ", "(", "или "):
        long = [letters * (MAX_LETTERS // len(letters))] * MAX_LINES
        quick(0.02, partial(takes_back, long))
