"""The commands about games: playing, planning, looking, several games in one mail."""

from collections.abc import Mapping

from pbem.core.parsing import arguments
from pbem.core.parsing.command_row import CommandRow, Lobby
from pbem.core.parsing.reach import Reach

PLAYING: Mapping[str, CommandRow] = {
    "move": CommandRow(
        "Your move, as the rules have it, such as `{move}`, is played at once. With its number before "
        "it, as in `#{number_of_move} {move}`, it is played as move {number_of_move} or not at all.",
        in_orders=True,
    ),
    "adopt": CommandRow(
        "The words `adopt`, `black`, `swap` and `pass` are moves too, in games that have them.",
        examples=("adopt{adopt}",),
    ),
    "black": CommandRow(examples=("black{black}",)),
    "swap": CommandRow(examples=("swap{swap}",)),
    "pass": CommandRow(examples=("pass{pass}",)),
    "resign": CommandRow(
        "With `resign` you give the game up. Before the tenth move we ask once.",
        arguments.resign,
        examples=("resign{playing}",),
        irreversible=True,
    ),
    "draw": CommandRow(
        "With `draw` you offer a draw; the other answers `accept` or `decline`. The offer lapses when "
        "the other plays on, or after 14 days.",
        arguments.no_arguments,
        examples=("draw{playing}",),
        irreversible=True,
    ),
    "annul": CommandRow(
        "With `annul` you ask that the game ends without a result: nobody wins, and no rating changes. The "
        "other answers `accept annul` or `decline annul`, or plays on, which says no. In leagues, ladders "
        "and matches the director decides this.",
        arguments.no_arguments,
        examples=("annul{playing}",),
        irreversible=True,
    ),
    "accept": CommandRow(
        "With `accept` and `decline` you answer what the letter you reply to offers. Where several "
        "things are on offer, write which: `accept draw`, `accept annul`, `accept undo`, `accept pause`, or "
        "`accept` and the number of a challenge. Where one thing is asked, `yes` and `no` alone answer it "
        "too.",
        arguments.answer,
        examples=(
            "accept{offered}",
            "accept {offer}",
            "accept {challenge}",
        ),
        irreversible=True,
        lobby=Lobby.BEGINS,
    ),
    "decline": CommandRow(
        parse=arguments.answer,
        examples=(
            "decline{offered}",
            "decline {offer}",
            "decline {challenge}",
        ),
        irreversible=True,
        lobby=Lobby.ANSWERS,
    ),
    "undo": CommandRow(
        "With `undo` you take your last move back at once while nobody else has seen it; after that "
        "the other is asked, and answers `accept` or `decline`.",
        arguments.no_arguments,
        examples=("undo{undo}",),
        irreversible=True,
    ),
    "pause": CommandRow(
        "With `pause 10 days` you ask the other for a pause, up to 30 days long, in which neither "
        "clock runs; the other agrees with `accept pause`.",
        arguments.pause,
        examples=("pause 10 days{clock}",),
    ),
    "give": CommandRow(
        "With `give 2d` or `give 48h` you give the other so much more time.",
        arguments.give,
        examples=(
            "give 2d{clock}",
            "give 48h{clock}",
        ),
        irreversible=True,
    ),
    "claim": CommandRow(
        "With `claim win`, `claim draw` or `claim void` you end a game with a soft clock once the "
        "other is out of time.\n"
        "With `claim win proved` you end a game that you have won already, whoever is to move: we look for "
        "a proof, a winning answer to each move of the other. If we find it you win at once. "
        "If not, the other hears nothing, and you cannot try again in that game.",
        arguments.by_pattern(r"(?:an? )?(win|draw|void)(?: game)?( proved)?", "result", "proved"),
        examples=(
            "claim win{claim}",
            "claim draw{claim}",
            "claim void{claim}",
        ),
        irreversible=True,
    ),
    "bid": CommandRow(
        "In games with bids, write `bid`, a number, `max` and a higher number: we then bid for you up to "
        "the higher one. `plans` shows that limit, and `if clear` removes it.",
        asked="max guard window offer offers",
    ),
    "say": CommandRow(
        "Write `say` and some words to send the words alone, at any time. Without `say` we show them to "
        "you first; answer `send` to send them.",
        in_orders=True,
    ),
    "game": CommandRow(
        "With `game {number}` on a line of its own, the lines below it are about game {number}, "
        "whichever letter you answer.",
        in_orders=True,
    ),
}
PLANS: Mapping[str, CommandRow] = {
    "if": CommandRow(
        "With `if {theirs} then {mine}` you answer {theirs} with {mine} as soon as it is played, without "
        "using your time. Nobody else sees what you have planned.\n"
        "A line may go on: `if {theirs} then {mine} if {theirs2} then {mine2}` answers {theirs2} too, "
        "where that comes after {mine}. Further lines with `if` add to the plan.\n"
        "With `if any then {mine}` you answer every move that no other line names.\n"
        "With `if {theirs} then resign` you give the game up then, with `if draw then accept` you agree "
        "to a draw that is offered.",
        asked="plan then any conditional conditionals",
        in_orders=True,
    ),
    "plans": CommandRow(
        "With `plans` you get what you have planned, with `if clear` we forget all of it.",
        arguments.no_arguments,
    ),
}
LOOKING: Mapping[str, CommandRow] = {
    "show": CommandRow(
        "With `show` you get the board, with `show #{last}` the board after move {last}.",
        arguments.show_words,
        examples=(
            "show{playing}",
            "show #{last}",
        ),
        asked="look looking board",
    ),
    "moves": CommandRow("With `moves` you get all moves of the game.", arguments.no_arguments),
    "try": CommandRow(
        "With `try {now} then {then}` you get the boards after {now} and after {then}. "
        "Nothing is played by it, and nobody else sees it.",
        examples=("try {now} then {then}",),
        asked="trial",
        in_orders=True,
    ),
    "hint": CommandRow(
        "With `hint` you get a move and a sentence about it within seconds, where it is your turn in an "
        "unrated game outside leagues, ladders and matches. The game's page says for which moves you had "
        "a hint.",
        arguments.maybe_a_game,
        reach=Reach.GAME,
    ),
    "note": CommandRow(
        "Write `note` and some words to keep them for yourself alone, with all that is below them. With "
        "`notes` you get what you noted.",
        reach=Reach.GAME,
        in_orders=True,
    ),
    "notes": CommandRow(parse=arguments.no_arguments),
    "watch": CommandRow(
        "To watch a game that you do not play in, write `watch` and its number: you get every move. To "
        "end that, write `unwatch` and its number. `watch` alone lists what you watch.\n"
        "With `watch {name}` you watch all games of {name}, those that run and those that begin later. Write "
        "`unwatch` and the name to end that.\n"
        "With `watch {game} league` you get the week's results and the first table each Saturday.",
        arguments.watched,
        examples=(
            "watch {other}",
            "watch {name}",
        ),
        asked="watched watching",
    ),
    "unwatch": CommandRow(
        parse=arguments.watched,
        examples=(
            "unwatch {watched}",
            "unwatch {watched_name}",
        ),
    ),
    "mute": CommandRow(
        "With `mute {number}` no letters of game {number} come but its end, and what happens when your own "
        "time is over there; your clock runs as before. `unmute {number}` ends that.",
        arguments.muted,
        reach=Reach.GAME,
        examples=("mute {number}{playing}",),
        asked="muted",
    ),
    "unmute": CommandRow(parse=arguments.muted, reach=Reach.GAME, examples=("unmute {muted}",)),
    "guess": CommandRow(
        "To guess a move, answer the letter of a game you watch with the move that you expect next, or "
        "write `guess`, the game's number and the move. Nobody sees your guess until that move is made. "
        "Until then another takes its place, and the word none in place of a move withdraws it.",
        arguments.guess,
    ),
    "export": CommandRow(
        "With `export` you are sent the game as a file, your notes included, with `export all` all "
        "your games, and with `export json` data for programs.",
        arguments.export,
        examples=(
            "export",
            "export all",
            "export json",
        ),
    ),
    "rating": CommandRow(
        "With `rating` you get your ratings and results, with `rating {name}` those of {name}, with "
        "`standings` the best in every game, with `standings {game}` those of one.",
        arguments.optional_name,
        asked="ratings",
    ),
    "standings": CommandRow(parse=arguments.with_game(r"GAME?", "game")),
    "puzzle": CommandRow(
        "With `puzzle` you get a board from a game that was played here, on which one move wins, with "
        "`puzzle {game}` one of that game, with `puzzle 7` the one of that number. Answer that letter with "
        "your move. `set puzzles daily` brings one every morning, `set paper on` the Saturday paper.",
        arguments.with_game(r"(?:GAME|#?(\d{1,9}))?", "game", "number#"),
    ),
    "learn": CommandRow(
        "With `learn` you get the lessons of every game, with `learn {game}` the first one of that game that "
        "you have not solved. A lesson is a board and a question; answer that letter with your move, or with "
        "`hint`. You then hear why it is right or wrong, and get the next. With `learn {game} 2` you get "
        "lesson 2, with `learn {game} again` you begin with the first.",
        arguments.learn,
        examples=(
            "learn {game}",
            "learn {game} 2",
        ),
    ),
    "games": CommandRow(
        "With `games` you get your games, each with its number, and the challenges.", arguments.no_arguments
    ),
    "rules": CommandRow(
        "With `rules` you get the rules of the game you answer about, with `rules {game}` those of another.",
        arguments.with_game(r"GAME?", "game"),
    ),
    "help": CommandRow(
        "With `help` you get what is needed most, with `help challenge` what there is to say on a word, with "
        "`help all` everything.",
        arguments.by_pattern(r"([A-Za-z][\w-]{1,30})?", "topic"),
    ),
}
SEVERAL: Mapping[str, CommandRow] = {
    "boards": CommandRow(
        "With `boards` you get all boards that wait for you in one letter, with `boards all` those too "
        "that wait for others.\n"
        "To answer it, write `game` and its number on a line of its own and your move below, then the "
        "same for the next game, and so on. We answer all of it in one letter; what is refused in one "
        "game stops nothing in another.",
        arguments.by_pattern(r"(all)?", "every"),
        asked="bundle bundles",
    ),
    "digest": CommandRow(
        "With `digest 7` you get one letter every day at 7 in your zone, with all that happened, in place of "
        "the letters that say it is your turn; with `digest 7 too` you get both. `digest off` ends it.",
        arguments.by_pattern(
            r"(?:at )?(off|none|\d{1,2}(?:[:.h]\d\d|h)? ?(?:am|pm)?)?( too)?", "hour", "too"
        ),
        reach=Reach.CLOCKS,
        looks=True,
        examples=(
            "digest 7",
            "digest 7 too",
            "digest off",
        ),
        asked="digests",
    ),
}
