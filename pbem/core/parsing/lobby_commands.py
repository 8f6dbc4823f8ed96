"""The commands about finding a game, time, letters and the account."""

from collections.abc import Mapping

from pbem.core.parsing import arguments, club_arguments
from pbem.core.parsing.command_row import CommandRow, Lobby
from pbem.core.parsing.director_acts import read_act
from pbem.core.parsing.reach import Reach
from pbem.core.preferences.letter_kinds import CATEGORIES
from rules.notation import join_words

FINDING: Mapping[str, CommandRow] = {
    "play": CommandRow(
        "With `play {game}` you ask for a game: the answer has the offers that wait for you to take. "
        "Where there are none, your own offer waits in public.",
        arguments.play,
        lobby=Lobby.SEEKS,
    ),
    "challenge": CommandRow(
        "With `challenge {name} {game}` you ask {name} for a game. After it you may write options of "
        "the game such as `size=4`, the seat you would like, `first` or `second`, `unrated`, and how "
        "much time there is: `3d/move` for three days a move, `7d+1d<=14d` for seven days and one more "
        "with each move up to fourteen, `brisk`, `normal`, `leisure`, `postal` or `none`. With `weekends` "
        "behind the time each clock rests on its owner's Saturday and Sunday. With "
        "`unrated soft` nobody loses by the clock itself.\n"
        "With `challenge bot {game}` you play against the computer at once, with "
        "`challenge bot5 {game}` against its best level, which are bot1 to bot5. People's ratings never "
        "change by such games.\n"
        "With `accept` and `decline` you answer the challenge whose letter you reply to. A number behind "
        "the word says which other challenge you mean.",
        arguments.challenge,
        asked="seat seats options rated unrated",
        lobby=Lobby.BEGINS,
    ),
    "invite": CommandRow(
        "With `invite {game}` you get a letter to forward to a friend. Whoever answers it plays with you, "
        "and needs no account before. `invite 5 {game}` takes five friends; `invite` alone takes an easy "
        "game.\n"
        "With `invite friend@example.com {game}` we write to that address ourselves, once and for all, and "
        "without a word of yours. Or write to your friend with play@{host} in Cc, and the game with a "
        "question mark as the first line.",
        arguments.invite,
        examples=("invite {game}",),
        asked="friend friends invitation invitations",
    ),
    "pair": CommandRow(
        "With `pair {name} {game}` you ask for two games at once, in which each of you is first once. Behind "
        "it stands what a challenge may have.",
        arguments.pair,
        examples=("pair {name} {game}",),
        lobby=Lobby.BEGINS,
    ),
    "simul": CommandRow(
        "With `simul 8 {game}` you challenge eight members of your club, drawn by lot; with `simul {game} "
        "for` and names, those.",
        club_arguments.simul,
        reach=Reach.PEOPLE,
        examples=(),
        asked="simuls simultaneous",
        lobby=Lobby.BEGINS,
    ),
    "rematch": CommandRow(
        "With `rematch`, in answer to a letter of a game that is over, you ask the other player for the same "
        "game on the same terms, with the seats exchanged.",
        arguments.maybe_a_game,
        examples=("rematch{over}",),
        lobby=Lobby.BEGINS,
    ),
    "seek": CommandRow(
        "With `seek {game}` you ask anybody: your seek waits in public for 30 days. Behind it you may "
        "write the same as in a challenge. With `seek {game} bots welcome` the computer takes it after "
        "a day, if nobody else has.\n"
        "With `seek {game} about my strength` only players near to your rating may take it. With "
        "`seek {game} up to 3` your seek waits on after it is taken, until three games of it run, and again "
        "when one of them is over; `withdraw` and its number ends it.",
        arguments.seek,
        examples=(
            "seek {game}",
            "seek {game} 3d/move unrated",
            "seek {game} 7d+1d weekends",
            "seek {game} about my strength",
        ),
        asked="strength standing",
        lobby=Lobby.SEEKS,
    ),
    "seeks": CommandRow(
        "With `seeks` you see who waits for a game. Write `take` and a seek's number to begin that game "
        "at once, `withdraw` and a number to take back your own seek or challenge.",
        arguments.no_arguments,
        reach=Reach.READS,
    ),
    "suggest": CommandRow(
        "With `suggest` you get up to three people about your strength who have played lately, each with the "
        "words to ask them, with `suggest {game}` for one game. Who has stopped letters about challenges is "
        "not named.",
        arguments.suggest,
        reach=Reach.READS,
        examples=("suggest", "suggest {game}"),
        asked="players player partner partners opponent opponents online",
    ),
    "take": CommandRow(
        parse=arguments.take, examples=("take {seek}",), irreversible=True, lobby=Lobby.BEGINS
    ),
    "withdraw": CommandRow(parse=arguments.optional_number, reach=Reach.PEOPLE, examples=("withdraw {own}",)),
    "events": CommandRow(
        "With `events` you see the leagues, the ladders and the matches of clubs that you can join or play "
        "in, each with what to write.",
        arguments.no_arguments,
        reach=Reach.READS,
        asked="event match matches team teams",
    ),
    "join": CommandRow(
        "With `join {game} league` you join the league of a game: seasons in divisions of four to ten, in "
        "which everybody meets everybody. We ask before each season, and without a `yes` you do not play in "
        "it. With `leave {game} league` you leave it; in a season that runs this forfeits the games left.\n"
        "With `table {game}` you get the table of your division.",
        arguments.event(
            r"(?:the )?GAME(?: KIND)?|(?:the )?(?:match|league|ladder) #?(\d{1,9})(?: ([a-z][\w -]{1,60}))?",
            *("number", "club"),
        ),
        asked="leagues season seasons division divisions",
    ),
    "leave": CommandRow(
        parse=arguments.event(
            r"(?:(club)(?: (?!yes\Z)([a-z][\w -]{1,60}?))?"
            r"|(?:the )?GAME(?: KIND)?|(?:the )?(?:match|league|ladder) #?(\d{1,9}))?(?: (yes))?",
            *("number", "yes"),
            before=("in_club", "club"),
        ),
        reach=Reach.FOR_GOOD,
    ),
    "table": CommandRow(
        parse=arguments.event(r"GAME(?: KIND)?|(?:(?:match|league|ladder) )?#?(\d{1,9})", "number"),
        reach=Reach.READS,
    ),
    "ladder": CommandRow(
        "With `ladder {game}` you enter the ladder of a game at the bottom. Written again it challenges the "
        "highest player up to four places above you, `ladder {game} {name}` challenges {name}. If they do "
        "not accept within five days, or you win, you change places. With `ladder {game} {name} yes` you "
        "accept the challenge of {name}, with `no` you decline it.\n"
        "With `table {game} ladder` you see the ladder, with `leave {game} ladder` you leave it. "
        "An organiser makes a club's with `ladder new {game}`; a number stands for its game.",
        club_arguments.ladder,
        asked="ladders",
    ),
    "club": CommandRow(
        "With `club new Tuesday Evening` you make a club and organise it. `club` lists your clubs, "
        "`club join Tuesday Evening` joins one, `leave club` leaves it.\n"
        "An organiser writes `club invite {name}`, `club invite friend@example.com` or, to forward, `club "
        "invite 5`, perhaps with a game. Also `club organiser {name}`, "
        "`club remove {name}`, `club set open`, `club set asking` or `club set closed`, "
        "`club set town Lisbon`, and `club say` with words to all below it. Who has several clubs adds "
        "which: `club set open in Tuesday Evening`.",
        club_arguments.club,
        reach=Reach.PEOPLE,
        looks=True,
        asked="clubs organiser",
    ),
    "league": CommandRow(
        "An organiser makes a league of their club: `league new {game}`, and behind it what a challenge may "
        "have, `double` for two games with each, and `for` with names. Those named, or all members, are "
        "asked by letter. It starts when all have answered, or with `league start {game}`.",
        club_arguments.league,
        reach=Reach.PEOPLE,
    ),
    "match": CommandRow(
        "An organiser asks another club for a match: `match new {game} against Monday Club`, with what a "
        "challenge may have behind the game. With the other organiser's `yes` all members are asked, and "
        "join with `join match 7`. It starts after a week, or with `match start 7`.",
        club_arguments.match,
        reach=Reach.PEOPLE,
        examples=(),
    ),
    "limit": CommandRow(
        "With `limit {game} 3` you play at most three such games at once, with `limit {game} none` as "
        "many as you like.",
        arguments.with_game(r"(?:GAME (\d{1,3}|none))?", "game", "most"),
        reach=Reach.CLOCKS,
        looks=True,
        examples=(
            "limit {game} 3",
            "limit {game} none",
        ),
        asked="limits",
    ),
    "block": CommandRow(
        "Write `block` and a player's name to have no challenges and no words between you two, `unblock` "
        "and the name to end that. `block` alone lists whom you blocked.",
        arguments.optional_name,
        reach=Reach.PEOPLE,
        looks=True,
        examples=("block {name}",),
        asked="blocks",
        irreversible=True,
    ),
    "unblock": CommandRow(parse=arguments.one_name, reach=Reach.PEOPLE, examples=("unblock {blocked}",)),
    "report": CommandRow(
        "Write `report` in answer to a letter of a game, and below it what is wrong. The operator then "
        "reads what was said there, and nobody else hears of it.",
        arguments.maybe_a_game,
        reach=Reach.PEOPLE,
        examples=("report{playing}",),
        asked="reports abuse",
        irreversible=True,
    ),
    "direct": CommandRow(
        "The operator may name directors, who help where something went wrong in a game; an organiser "
        "directs the leagues of their club. What they can decide, by mail too, is at {site}/direct.",
        read_act,
        reach=Reach.ASKS,
        examples=(),
        asked="director directors directing",
        irreversible=True,
    ),
}
TIME: Mapping[str, CommandRow] = {
    "clock": CommandRow(
        "Letters about a game, and `show`, say until when there is time and what both clocks show.",
        asked="clocks deadline",
    ),
    "vacation": CommandRow(
        "With `vacation {days} days` you stop your clocks at once, with `vacation {dates}` for those "
        "days. `back` ends it, `vacation cancel` takes a later one back, and `vacation` shows how many "
        "days you have left.",
        arguments.vacation,
        looks=True,
        examples=(
            "vacation {days} days",
            "vacation {dates}",
            "vacation cancel{planned}",
        ),
    ),
    "back": CommandRow(parse=arguments.no_arguments, examples=("back{away}",), irreversible=True),
    "remind": CommandRow(
        "With `remind` you see when we remind you of a turn. With `remind 48h 12h` we do it two days and "
        "twelve hours before your time is over, with `remind off` never. With `set quiet 22-7` we do not "
        "do it at night.",
        arguments.remind,
        looks=True,
        examples=(
            "remind 48h 12h",
            "remind 2d",
            "remind off",
        ),
        asked="reminder reminders quiet",
    ),
    "flag": CommandRow(
        "When your time runs out, days of your vacation are used, five in a row at most. Then you have a "
        "last day, if a turn has three or more. After that you lose on time; with a soft clock the other "
        "writes `claim win`, `claim draw` or `claim void`, or waits.",
        asked="soft grace",
    ),
    "calendar": CommandRow(
        "The answer to `set all` has the address of a calendar with your deadlines. With `set calendar on` "
        "every reminder brings its deadline for your calendar.",
        asked="feed",
    ),
}
ACCOUNT: Mapping[str, CommandRow] = {
    "set": CommandRow(
        "With `set` you see how your letters are, and what you can change: the clock they go by, "
        "plain text or HTML, and whether a move is acknowledged. `set all` tells every setting. "
        "Examples are `set zone Berlin`, `set format text` and `set receipts off`.",
        arguments.set_words,
        looks=True,
        asked="settings letters",
    ),
    "stop": CommandRow(
        "With `stop turns` you get no more letters that say it is your turn, with `start turns` you get "
        f"them again. The same works with {join_words(CATEGORIES[1:])}. To stop letters is never to resign.",
        arguments.category,
        examples=(
            "stop chat",
            "stop turns",
        ),
        irreversible=True,
    ),
    "start": CommandRow(parse=arguments.category),
    "register": CommandRow(
        "A mail with `register Anna`, sent to play@{host} from an address that is new here, asks for "
        "the name Anna. We write to that address, and `yes` in answer to that letter settles it.",
        arguments.register,
        reach=Reach.READS,
        examples=("register Anna",),
        asked="name",
    ),
    "confirm": CommandRow(parse=arguments.no_arguments, reach=Reach.READS, examples=(), irreversible=True),
    "address": CommandRow(
        "With `address` you see the addresses that we know as yours.\n"
        "With `address add another@example.com` our letters go there; we ask at your old address and at "
        "the new one first. Write `address drop` and an address to take one away.\n"
        "With `address spare another@example.com` they go there only where they come back from your usual "
        "address. `address drop spare` takes that one away.\n"
        "With `address renew` we refuse answers to all letters you have had so far. Use it when somebody "
        "else has seen one.",
        arguments.address,
        reach=Reach.ASKS,
        examples=(
            "address",
            "address add another@example.com",
            "address spare another@example.com",
        ),
        irreversible=True,
    ),
    "web": CommandRow(
        "All of this can be set on the web too, at {site}/settings, where a link by mail signs you in."
    ),
    "forget": CommandRow(
        "With `forget me` your name, your addresses and all that is only yours go away from here. We ask "
        "once, and say what becomes of your games.",
        arguments.by_pattern(r"(me)", "who"),
        reach=Reach.ASKS,
        examples=("forget me",),
        irreversible=True,
    ),
}
