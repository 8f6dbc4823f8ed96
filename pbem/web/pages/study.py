"""`/study`: a pasted or uploaded record, as a board to step through. The address holds the whole game."""

from flask import Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from pbem.core.records.study import MAX_TEXT, DamagedAddress, Study, TooLong, open_study, study_path
from pbem.web.blueprints import Link, Pages
from pbem.web.responses import Validator, private_response, public_page, public_response, raise_not_found
from rules import record

pages = Pages(
    "study",
    __name__,
    nav=[Link("/study", "Study a record", 50, "foot")],
    sitemap=["/study"],
    robots=["/study/"],
)


@pages.get("/study")
def show_form() -> Response:
    return public_page("study_new.html", validator=Validator("study"), problem="", text="")


@pages.post("/study")
def make_study() -> ResponseReturnValue:
    file = request.files.get("file")
    raw = file.read(4 * MAX_TEXT + 4) if file else b""
    text = raw.decode("utf-8", "replace") if raw.strip() else request.form.get("record", "")
    try:
        address = study_path(text)
    except (record.RecordError, TooLong) as error:
        return private_response("study_new.html", 422, problem=str(error), text=text[:MAX_TEXT])
    return redirect(address, 303)


@pages.get("/study/<code>")
def show_last_ply(code: str) -> ResponseReturnValue:
    """Redirect to the last ply: all addresses end in a ply, so that links between plies can be short."""
    query = f"?{request.query_string.decode('ascii', 'replace')}" if request.query_string else ""
    return redirect(f"/study/{code}/{_open_study(code, None).last}{query}", 302)


@pages.get("/study/<code>/<int(max=99999):n>")
def board(code: str, n: int) -> Response:
    def write() -> str:
        bare = request.args.get("comments") == "none"
        return render_template("study.html", study=_open_study(code, n), bare=bare)

    return public_response(write, Validator("study"))


@pages.get("/study/<code>.game")
def as_record(code: str) -> Response:

    def write() -> Response:
        answer = Response(record.write(_open_study(code, None).text_record), mimetype="text/plain")
        answer.headers["Content-Disposition"] = 'attachment; filename="study.game"'
        return answer

    return public_response(write, Validator("study"))


def _open_study(code: str, n: int | None) -> Study:
    try:
        return open_study(code, n)
    except DamagedAddress:
        raise_not_found(
            "This address holds no game: a mail program may have cut it in two. Paste the record again."
        )
    except record.NoSuchPly as error:
        raise_not_found(str(error))
    except record.RecordError as error:
        raise_not_found(f"The game in this address cannot be played: {error}")
