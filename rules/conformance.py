"""The promises of every game, as laws about one random game. A broken law raises `Broken` with a sentence.

`check(rules)` holds a game to all of these laws, so the author of a new game needs this module alone.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from random import Random
from xml.etree import ElementTree

from rules import conformance_board, conformance_moves, conformance_words
from rules.conformance_words import is_prose
from rules.contract import Illegal, Position, Rules, RulesError, other, replay
from rules.draft import Amount, Choice, Draft
from rules.picture import cell_table, score_lines, stone_lines, text
from rules.random_play import MAX_PLIES, Broken, Law, RandomGame, hold, some_moves
from rules.stone_reading import SWAP
from rules.svg import Link, svg

COLUMNS = 74
"""The 76 columns of a letter without its indent."""
MANY = 400


def a_seed_deals_the_same(trial: RandomGame) -> None:
    """Options and seed determine the starting position, which is ply 0 and has a seat to play."""
    start = trial.start
    hold(start == trial.start, f"seed {trial.seed} dealt two different positions")
    hold(start.ply == 0, f"the game began at ply {start.ply}")
    hold(start.to_play is not None, "nobody is to play at the start")
    hold(start.rules is trial.rules, "the position names other rules")


def somebody_can_move_until_the_end(trial: RandomGame) -> None:
    """Without an outcome, a seat is to play and has a move; with an outcome, neither is true."""
    for position in trial.positions:
        over = position.outcome is not None
        hold(over == (position.to_play is None), "the seat to play and the outcome disagree")
        hold(over != any(True for _ in position.moves()), "moves and the outcome disagree")
        hold(over != bool(position.examples()), "examples and the outcome disagree")
        hold(not (over and position.playable()), "cells may be played after the end")


def what_is_offered_is_legal(trial: RandomGame) -> None:
    """Listed moves, examples and samples may be played. `playable` names no cell twice."""
    for position, move in trial.steps:
        for offer in some_moves(position, move):
            hold(position.problem(offer) is None, f"offers {offer}: {position.problem(offer)}")
        hold(len(position.examples()) <= 3, "gives more than three examples")
        names = position.playable()
        hold(len(names) == len(set(names)), "names a playable cell twice")


def reading_undoes_writing(trial: RandomGame) -> None:
    """`read(str(move)) == move`, and every position of the game reads the canonical text."""
    start = trial.start
    for position, move in trial.steps:
        for offer in some_moves(position, move):
            hold(position.read(str(offer)) == offer, f"reads {offer} as another move")
            hold(str(position.read(str(offer))) == str(offer), f"{offer} has two spellings")
            hold(start.read(str(offer)) == offer, f"reads {offer} otherwise at the start")


def play_leaves_the_old_position(trial: RandomGame) -> None:
    """Playing a move gives a new position and leaves the old one unchanged."""
    for position, move in trial.walk():
        if move is None:
            break
        before = json.dumps(position.data()), text(position.picture())
        after = position.play(move)
        unchanged = before == (json.dumps(position.data()), text(position.picture()))
        hold(unchanged, f"{move} changed the past")
        hold(after.ply == position.ply + 1, f"{move} did not count as one ply")
        hold(after == position.follow(move), f"play and follow disagree about {move}")


def nothing_follows_the_end(trial: RandomGame) -> None:
    last = trial.positions[-1]
    made = [late for position, move in trial.steps[:-1] for late in some_moves(position, move)]
    for late in made if last.outcome else ():
        try:
            last.play(late)
        except Illegal:
            continue
        raise Broken(f"{late} was played after the end")


def the_journal_is_the_game(trial: RandomGame) -> None:
    """Canonical texts, played again from the start, lead to the same position."""
    last = trial.positions[-1]
    again = replay(trial.start, [str(move) for _, move in trial.steps[:-1]])
    hold(again == last, "the same moves led to another position")
    with suppress(TypeError):  # they need not have one
        hold(hash(again) == hash(last), "equal positions have different hashes")
    hold(again.outcome == last.outcome, "the same moves led to another outcome")


def data_are_json(trial: RandomGame) -> None:
    """`data()` survives JSON, and is different in any two positions of a game."""
    told = [json.dumps(position.data()) for position in trial.positions]
    for position, each in zip(trial.positions, told, strict=True):
        hold(json.loads(each) == position.data(), "data() does not survive JSON")
    hold(len(set(told)) == len(told), "data() is the same in two positions")


def pictures_can_be_drawn(trial: RandomGame) -> None:
    """A picture can be drawn as text, SVG and a table. The text is 7-bit and at most 74 columns wide."""
    for position in trial.positions:
        picture = position.picture()
        for line in f"{text(picture)}\n{text(picture, last=True)}".split("\n"):
            hold(line.isascii() and line.isprintable(), f"draws with more than 7 bits: {line}")
            hold(len(line) <= COLUMNS, f"draws {len(line)} columns")
            hold(line == line.rstrip(), f"draws spaces at the end of: {line}")
        ElementTree.fromstring(  # noqa: S314
            svg(picture, links={spot.name: Link("/", spot.name) for spot in picture.spots})
        )
        table = cell_table(picture)
        for cells in (*table.head, *(row.cells for row in table.rows)):
            hold(sum(cell.span for cell in cells) == table.width, "its table has uneven rows")
        conformance_board.hold_same_cells(picture)


def what_is_shown_is_no_move(trial: RandomGame) -> None:
    """No quoted line of the board, the notes, the scores or the lists of stones is read as a move."""
    for position in trial.positions:
        picture = position.picture()
        shown = [text(picture), text(picture, last=True), *score_lines(position.scores())]
        shown += [*stone_lines(position.stones()), *position.notes()]
        for line in "\n".join(shown).splitlines():
            hold(is_prose(position, line), f"takes a line that it shows for a move: {line}")


def moves_are_listed_once(trial: RandomGame) -> None:
    """Each legal move is listed once. A move of one word that is not listed is illegal."""
    made: list[str] = []
    rng = Random(trial.seed)
    for position, move in trial.steps:
        listed = [str(each) for each in islice(position.moves(), MANY)]
        hold(len(listed) == len(set(listed)), "lists a move twice")
        late = rng.choice(made) if made else None
        if late is not None:
            _hold_problem_to_play(position, late)
        if len(listed) == MANY or move is None or " " in str(move):
            continue
        hold(str(move) in listed, f"does not list {move}, which may be played")
        if late is not None and str(position.read(late)) not in listed:
            refused = position.problem(position.read(late)) is not None
            hold(refused, f"takes {late}, which it does not list")
        made.append(str(move))


def _hold_problem_to_play(position: Position, late: str) -> None:
    move = position.read(late)
    sentence = position.problem(move)
    hold(sentence is None or bool(sentence.strip()), f"refuses {late} without a sentence")
    try:
        position.play(move)
    except Illegal as error:
        hold(str(error) == sentence, f"play and problem do not agree about {late}")
    else:
        hold(sentence is None, f"play makes {late}, which is illegal: {sentence}")


def sides_are_exchanged_on_ply_2_or_never(trial: RandomGame) -> None:
    """Seats play different sides. If the game has `swap`, it exchanges the sides and `first` plays next."""
    for position in trial.positions:
        sides = position.side(0), position.side(1)
        differ = sides == (None, None) or (sides[0] != sides[1] and all(sides))
        hold(differ, f"both seats play {sides[0]}")
        open_ = trial.rules.pie and position.problem(SWAP) is None
        hold(not open_ or position.ply == 1, f"has sides exchanged on ply {position.ply + 1}")
        hold(not open_ or SWAP in position.moves(), "does not list swap, which may be played")
        if trial.rules.pie and not trial.chosen and position.ply == 1:
            hold(open_, "has a pie rule and refuses swap on ply 2")
        if open_:
            after = position.play(SWAP)
            hold((after.side(1), after.side(0)) == sides, "swap does not exchange the sides")
            hold(after.to_play in (0, None), "after swap first is to play")


def who_wins_is_said(trial: RandomGame) -> None:
    """An outcome names the winner's side and gives its reason, a sentence without the full stop."""
    last = trial.positions[-1]
    outcome = last.outcome
    if outcome is None:
        return
    hold(bool(outcome.reason.strip()), "ended without a reason")
    hold(not outcome.reason.endswith((".", "!")), f"ends its reason with a full stop: {outcome.reason}")
    side = None if outcome.winner is None else last.side(outcome.winner)
    hold(outcome.winner in (0, 1, None), f"names the winner {outcome.winner}")
    hold(outcome.side == side, f"says that {outcome.side} wins, who sits elsewhere than the winner ({side})")


def the_last_ply_can_be_made_out(trial: RandomGame) -> None:
    """A ply that changes the board is marked in the picture; before the first ply nothing is marked."""
    before = None
    for position in trial.positions:
        picture = position.picture()
        looks = [spot.look for spot in picture.spots]
        marked = any("last" in spot.marks for spot in picture.spots)
        hold(before is not None or not marked, "marks a last ply before the first")
        hold(marked or before in (None, looks), f"does not mark the last ply, ply {position.ply}")
        before = looks


def a_move_that_gives_up_loses(trial: RandomGame) -> None:
    """A ply that players are asked to confirm loses, and a sentence says why."""
    for position, move in trial.steps[:-1]:
        for each in some_moves(position, move):
            why = position.gives_up(each)
            if why is not None and position.to_play is not None:
                outcome = position.follow(each).outcome
                lost = outcome is not None and outcome.winner == other(position.to_play)
                hold(lost and bool(why.strip()), f"asks about {each}, which does not lose the game")


def episodes_leave_nothing_out(trial: RandomGame) -> None:
    """The episodes of a story cover every ply in order, and each is told in words."""
    due = 1
    for episode in trial.rules.story(trial.positions) if trial.rules.story else ():
        told = episode.first == due <= episode.last and bool(episode.words.strip())
        hold(told, f"tells nothing of ply {due}")
        due = episode.last + 1
    hold(trial.rules.story is None or due == len(trial.steps), f"tells nothing of ply {due}")


def games_end(trial: RandomGame) -> None:
    """A random game comes to its end. (A game that need not end is exempt from this law alone.)"""
    ended = not trial.rules.ends or trial.positions[-1].outcome is not None
    hold(ended, f"a game of seed {trial.seed} has not ended after {MAX_PLIES} plies")


def what_is_clicked_is_legal(trial: RandomGame) -> None:
    """Every click leads to another state, and random clicks end in a legal ply."""
    for position, rng in _some_positions(trial):
        text = ""
        for _ in range(60):  # clicks, after which a ply should have come about
            draft = _draft(position, text)
            _hold_draft(position, draft)
            ways: list[Choice | Amount] = [*draft.choices, *draft.amounts]
            for way in rng.sample(ways, min(len(ways), 6)):
                _draft(position, _after(way, rng))
            if (draft.complete and rng.random() < 0.5) or not ways:
                break
            text = _click_by_chance(draft, rng)
        clickable = position.outcome is None and text
        hold(draft.complete or not clickable, f"clicks lead to {text!r} and no further")


def every_ply_can_be_clicked(trial: RandomGame) -> None:
    """Every ply can be composed by clicks on choices and amounts. A game that offers no choices is exempt."""
    for position, rng in _some_positions(trial):
        draft = _draft(position, "")
        if position.outcome is None and (draft.choices or draft.amounts):
            move = str(position.sample(rng))
            hold(_can_be_clicked(position, move), f"{move} cannot be clicked")


def _some_positions(trial: RandomGame) -> Iterator[tuple[Position, Random]]:
    rng, positions = Random(trial.seed), trial.positions
    numbers = {0, 1, len(positions) - 1, *(rng.randrange(len(positions)) for _ in range(12))}
    yield from ((positions[number], rng) for number in sorted(numbers) if number < len(positions))


def _after(way: Choice | Amount, rng: Random) -> str:
    if isinstance(way, Choice):
        return way.text
    number = rng.choice((way.least, way.most, rng.randint(way.least, way.most)))
    return f"{way.before}{number}{way.after}"


def _click_by_chance(draft: Draft, rng: Random) -> str:
    """Return the text after a random click, onward if possible. Controls and cells have equal chances."""
    if draft.amounts and (not draft.choices or rng.random() < 0.5):
        return _after(rng.choice(draft.amounts), rng)
    onward = [each for each in draft.choices if draft.text and each.text.startswith(draft.text)]
    onward = onward or list(draft.choices)
    controls = [each for each in onward if not each.cell]
    return rng.choice(controls if controls and rng.random() < 0.5 else onward).text


def _draft(position: Position, text: str) -> Draft:
    try:
        draft = position.draft(text)
    except RulesError as error:
        raise Broken(f"offers {text!r} and refuses it: {error}") from None
    hold(draft.text == text, f"offers {text!r} and makes {draft.text!r} of it")
    return draft


def _hold_draft(position: Position, draft: Draft) -> None:
    text, on_board = draft.text, {spot.name for spot in position.picture().spots}
    cells = [choice.cell for choice in draft.choices if choice.cell]
    hold(len(cells) == len(set(cells)), f"has two meanings for one cell after {text!r}")
    hold(on_board.issuperset(cells), f"offers cells that are not drawn after {text!r}")
    labels = [choice.label for choice in draft.choices] + [amount.label for amount in draft.amounts]
    hold(all(map(str.strip, labels)), f"has a click without a name after {text!r}")
    fair = all(each.least <= each.first <= each.most for each in draft.amounts)
    hold(fair, f"asks too much after {text!r}")
    hold((draft.back is None) == (text == ""), f"has no way back from {text!r}, or one from nothing")
    if draft.back is not None:
        _draft(position, draft.back)
    if draft.complete:
        move = position.read_ply(text)
        hold(position.problem(move) is None, f"calls {text!r} complete: {position.problem(move)}")
    if position.outcome is not None:
        hold(not (draft.choices or draft.amounts), "has something to click after the end")


def _can_be_clicked(position: Position, move: str) -> bool:
    """True if clicks lead to `move`. A text on the way begins it, or contains only words of that ply."""
    wanted, numbers = Counter(move.split()), [int(n) for n in re.findall(r"-?[0-9]+", move)]
    seen, ahead = {""}, [""]
    while ahead:
        draft = position.draft(ahead.pop())
        if draft.complete and str(position.read_ply(draft.text)) == move:
            return True
        texts = [choice.text for choice in draft.choices]
        for each in draft.amounts:
            texts += [f"{each.before}{n}{each.after}" for n in numbers if each.least <= n <= each.most]
        fresh = {
            text
            for text in texts
            if text not in seen and (move.startswith(text) or Counter(text.split()) <= wanted)
        }
        seen |= fresh
        ahead += sorted(fresh, reverse=True)
    return False


def actions_and_keys_serve_a_search(trial: RandomGame) -> None:
    """Actions are legal, distinct, and complete if claimed so. Equal keys mean equal plies and outcome."""
    rng, known = Random(trial.seed), dict[object, object]()
    for position, move in trial.steps:
        actions = list(map(str, position.actions()))
        hold(len(actions) == len(set(actions)), "gives a search one ply twice")
        hold(bool(actions) == (position.outcome is None), "actions and the outcome disagree")
        for text_ in rng.sample(actions, min(8, len(actions))):
            sentence = position.problem(position.read(text_))
            hold(sentence is None, f"gives a search {text_}: {sentence}")
        if move is not None and position.complete:
            after = position.play(move)
            found = str(move) in actions or any(_leads_to(position, each, after) for each in actions)
            hold(found, f"does not give a search {move}, which may be played")
        facts = position.to_play, position.outcome, sorted(actions)
        hold(known.setdefault(position.key(), facts) == facts, "two positions have one key and differ")


def _leads_to(position: Position, text_: str, wanted: Position) -> bool:
    """True if this ply leads to the wanted position, or to a position one ply before it."""
    after = position.play(position.read(text_))
    return wanted.key() in (after.key(), *(after.play(each).key() for each in after.actions()))


LAWS: tuple[Law, ...] = (
    a_seed_deals_the_same,
    play_leaves_the_old_position,
    games_end,
    *conformance_words.LAWS,
    conformance_board.cells_are_drawn_apart,
    somebody_can_move_until_the_end,
    what_is_offered_is_legal,
    moves_are_listed_once,
    sides_are_exchanged_on_ply_2_or_never,
    reading_undoes_writing,
    *conformance_moves.LAWS,
    nothing_follows_the_end,
    the_journal_is_the_game,
    data_are_json,
    what_is_clicked_is_legal,
    every_ply_can_be_clicked,
    pictures_can_be_drawn,
    *conformance_board.LAWS,
    the_last_ply_can_be_made_out,
    what_is_shown_is_no_move,
    a_move_that_gives_up_loses,
    episodes_leave_nothing_out,
    who_wins_is_said,
    actions_and_keys_serve_a_search,
)


def check(
    rules: Rules,
    chosen: Mapping[str, str] | None = None,
    games: int = 3,
    is_command: Callable[[str], bool] = lambda line: False,
) -> None:
    """Hold `rules` to every law over `games` random games each. Raise `Broken` if one is broken.

    `is_command` returns True for a line that the server, if there is one, takes for a command.
    """
    trials = [RandomGame(rules, chosen or {}, seed, is_command) for seed in range(games)]
    for law in LAWS:
        for trial in trials:
            obey(law, trial)


def obey(law: Law, trial: RandomGame) -> None:
    """Hold a game to one law. An exception also counts as a broken law."""
    try:
        law(trial)
    except Broken as error:
        raise Broken(f"{trial.rules.name}: {error}") from error
    except Exception as error:
        what = law.__name__.replace("_", " ")
        raise Broken(f"{trial.rules.name}: {type(error).__name__} where {what}: {error}") from error
