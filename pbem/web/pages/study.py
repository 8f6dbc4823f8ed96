"""`/study`: a pasted or uploaded record, as a board to step through. The address holds the whole game."""

from collections.abc import Callable
from typing import Any

from flask import Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from pbem.core.play.preview import MovePreview, preview_on_board
from pbem.core.records.record import record_of
from pbem.core.records.study import (
    MAX_PACKED,
    MAX_TEXT,
    MAX_WORDS,
    DamagedAddress,
    Study,
    TooLong,
    game_path,
    open_study,
    say_of_move,
    study_path,
    take_out,
    try_move,
)
from pbem.store import games
from pbem.web.blueprints import MenuLink, Pages
from pbem.web.composer import board_facts, move_in_query
from pbem.web.pages.games import GAME_PATH, PLY_PATH
from pbem.web.responses import (
    Validator,
    application,
    lead_to,
    private_response,
    public_page,
    public_response,
    raise_not_found,
)
from rules import record
from rules.contract import RulesError

pages = Pages(
    "study",
    __name__,
    nav=[MenuLink("/study", "Study a game", 50, "foot")],
    sitemap=["/study"],
    robots=["/study/", "/games/*/study"],
)

MAX_OPTIONS = 400
"""Characters taken of a game's name, and of its options."""


@pages.get("/study")
def show_form() -> Response:
    return public_page("study_new.html", validator=Validator("study"), **_new_facts())


def _new_facts() -> dict[str, Any]:
    """Return the page's facts for a new study. Each game's name has the address of an empty board."""
    names = (rules.name for rules in application().offered.values())
    empty = {name: study_path(f'[Game "{name}"]') for name in names}
    return {"empty": empty, "most_options": MAX_OPTIONS}


@pages.post("/study")
def make_study() -> ResponseReturnValue:
    board = _board_asked()
    text = record.write(board) if board else _record_sent()
    try:
        address = study_path(text)
    except (record.RecordError, TooLong) as error:
        typed = {"board": board.tags} if board else {"text": text[:MAX_TEXT]}
        return private_response("study_new.html", 422, problem=str(error), **_new_facts(), **typed)
    return redirect(f"{address}/0/move" if board else address, 303)


def _board_asked() -> record.Record | None:
    """Return the form's empty board: its options, laid out by chance."""
    game, options = (request.form.get(name, "")[:MAX_OPTIONS] for name in ("game", "options"))
    seed = str(application().rng.getrandbits(30))
    return record.Record({"Game": game, "Options": options, "Seed": seed}) if game else None


def _record_sent() -> str:
    file = request.files.get("file")
    raw = file.read(4 * MAX_TEXT + 4) if file else b""
    return raw.decode("utf-8", "replace") if raw.strip() else request.form.get("record", "")


@pages.get("/study/<code>")
def show_last_ply(code: str) -> ResponseReturnValue:
    """Redirect to the last ply. All addresses end in a ply, so that links between plies can be short."""
    query = f"?{request.query_string.decode('ascii', 'replace')}" if request.query_string else ""
    return redirect(f"/study/{code}/{_open_study(code, None).last}{query}", 302)


@pages.get("/study/<code>/<int(max=99999):n>")
def board(code: str, n: int) -> Response:
    def write() -> str:
        bare = request.args.get("comments") == "none"
        return render_template("study.html", **_facts(_open_study(code, n)), bare=bare)

    return public_response(write, Validator("study"))


def _facts(study: Study) -> dict[str, Any]:
    return {"study": study, "most_words": MAX_WORDS, "most_letters": MAX_PACKED}


@pages.get("/study/<code>/<int(max=99999):n>/move")
def compose(code: str, n: int) -> ResponseReturnValue:
    """The board to try a move on. Each click is a link to this page with the move so far."""
    study = _open_study(code, n)
    return _move_page(study, preview_on_board(study.shown, move_in_query()))


@pages.post("/study/<code>/<int(max=99999):n>/move")
def make_move(code: str, n: int) -> ResponseReturnValue:
    study, text = _open_study(code, n), request.form.get("move", "").strip()
    drawn = preview_on_board(study.shown, text)
    if drawn.problem or request.form.get("do") != "send":
        return _move_page(study, drawn)
    try:
        address = try_move(study, text)
    except (RulesError, TooLong) as error:
        return _move_page(study, drawn, str(error))
    over = drawn.after is not None and drawn.after.outcome
    return lead_to(address if over else f"{address}/move")


def _move_page(study: Study, drawn: MovePreview, problem: str = "") -> ResponseReturnValue:
    if study.shown.outcome:
        return lead_to(f"/study/{study.code}/{study.n}")
    problem = problem or drawn.problem
    return private_response(
        "study_move.html",
        422 if problem and request.method == "POST" else 200,
        study=study,
        **board_facts(study.shown, drawn, problem),
    )


@pages.post("/study/<code>/<int(max=99999):n>/comment")
def comment(code: str, n: int) -> ResponseReturnValue:
    words = request.form.get("words", "")
    return _change(code, n, lambda study: say_of_move(study, words), words)


@pages.post("/study/<code>/<int(max=99999):n>/out")
def take_move_out(code: str, n: int) -> ResponseReturnValue:
    return _change(code, n, take_out)


def _change(code: str, n: int, change: Callable[[Study], str], words: str = "") -> ResponseReturnValue:
    """Redirect to the changed study, or to its start if `n` is 0, which is no move."""
    study = _open_study(code, n)
    try:
        return lead_to(change(study) if n else f"/study/{code}/0")
    except TooLong as error:
        return private_response("study.html", 422, **_facts(study), problem=str(error), words=words)


@pages.get(f"{PLY_PATH}/study")
@pages.get(f"{GAME_PATH}/study")
def study_game(id: int, n: int | None = None) -> ResponseReturnValue:
    """Redirect to a study of a game here, after ply `n`."""
    with application().store.read() as db:
        game = games.load_game(db, application().games_by_key, id)
    game = game or raise_not_found(f"There is no game {id} here.")
    shown = len(game.state.plies) if n is None else n
    if shown > len(game.state.plies):
        raise_not_found(f"Game {id} has no move {shown}.")
    try:
        address, mark, query = game_path(record_of(game, application().config.host)).partition("?")
    except TooLong as error:
        raise_not_found(str(error))
    return lead_to(f"{address}/{shown}{mark}{query}")


@pages.get("/study/<code>/<int(max=99999):n>.game")
@pages.get("/study/<code>.game")
def as_record(code: str, n: int | None = None) -> Response:
    """The record, or the line through move `n` as one."""

    def write() -> Response:
        answer = Response(record.write(_open_study(code, n).text_record), mimetype="text/plain")
        answer.headers["Content-Disposition"] = 'attachment; filename="study.game"'
        return answer

    return public_response(write, Validator("study"))


def _open_study(code: str, n: int | None) -> Study:
    try:
        return open_study(code, n)
    except DamagedAddress:
        raise_not_found(
            "This link holds no whole study. A mail program may have cut it in two: please copy all of it."
        )
    except record.NoSuchPly as error:
        raise_not_found(str(error))
    except record.RecordError as error:
        raise_not_found(f"The game in this address cannot be played: {error}")
