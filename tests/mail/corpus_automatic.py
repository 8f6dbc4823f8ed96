"""The corpus's automatic mails: robots, vacations and bounces; and people like them."""

# ruff: noqa: E501 (mails are stated as they are sent)

from __future__ import annotations

from collections.abc import Iterator

from tests.mail.clients import LETTER, MOVE, PLAIN, QUOTE, TOKEN, encoded_subject, mail
from tests.mail.corpus_layouts import Case


def robots() -> Iterator[Case]:
    yes = "f2 f4 g3\n"
    headers = {
        "auto-replied": "Auto-Submitted: auto-replied\n",
        "auto-notified": "Auto-Submitted: Auto-Notified (by cron)\n",
        "auto-vacation": "Auto-Submitted: auto-replied (vacation)\n",
        "precedence-bulk": "Precedence: bulk\n",
        "precedence-junk": "Precedence: Junk\n",
        "precedence-auto": "Precedence: auto_reply\n",
        "x-autoreply": "X-Autoreply: yes\n",
        "x-autorespond": "X-Autorespond: gone\n",
        "feedback": "Feedback-Type: abuse\n",
    }
    for name, extra in headers.items():
        yield Case(f"robot-{name}", mail(yes, extra=extra), kind="robot")
    for name, extra in {
        "list-id": "List-Id: <games.example.org>\n",
        "list-unsubscribe": "List-Unsubscribe: <mailto:x@example.org>\n",
    }.items():
        yield Case(f"robot-{name}", mail(yes, to=PLAIN, extra=extra), kind="robot")
        yield Case(f"person-{name}", mail(yes, extra=extra), orders=MOVE)
    for name, sender in {
        "no-reply": "Shop <no-reply@example.org>",
        "noreply": "noreply@example.org",
        "donotreply": "DoNotReply@example.org",
    }.items():
        yield Case(f"robot-{name}", mail(yes, sender=sender), kind="robot")
    yield Case(
        "robot-receipt",
        mail(
            "--r\nContent-Type: text/plain\n\nYour message was read.\n\n--r\nContent-Type: message/disposition-notification\n\nDisposition: manual-action\n\n--r--\n",
            kind="multipart/report; report-type=disposition-notification; boundary=r",
        ),
        kind="robot",
    )
    yield Case(
        "loop-own-letter",
        mail(
            yes,
            sender=f'"Bipod #42" <{PLAIN}>',
            to="bill@example.org",
            extra="X-PBEM-Loop: games.example.org\nList-Id: <g42.games.example.org>\n",
        ),
        kind="loop",
    )
    yield Case("loop-own-address", mail(yes, sender=f'"Bipod #42" <{PLAIN}>'), kind="loop")
    yield Case("loop-token-address", mail(yes, sender=TOKEN, to="bill@example.org"), kind="loop")
    yield Case(
        "loop-received",
        mail(
            yes, extra="Received: from a.example.org by b.example.org; Tue, 2 Jan 2024 10:00:00 +0000\n" * 60
        ),
        kind="loop",
    )


def vacations() -> Iterator[Case]:
    subjects = {
        "en": "Automatic reply: Bipod #42: Bill - Joao",
        "en-away": "Out of Office: Bipod #42: Bill - Joao",
        "en-away-re": "Out of office Re: Bipod #42",
        "en-notes": "AUTO: Bill Taylor is out of the office (returning 01/15/2024)",
        "en-brackets": "[Auto-Reply] Bipod #42",
        "de": "Automatische Antwort: Bipod #42",
        "de-away": "Abwesenheitsnotiz: Bipod #42",
        "fr": "Réponse automatique : Bipod #42",
        "fr-away": "Absence du bureau: Bipod #42",
        "es": "Respuesta automática: Bipod #42",
        "es-away": "Fuera de la oficina: Bipod #42",
        "pt": "Resposta automática: Bipod #42",
        "it": "Risposta automatica: Bipod #42",
        "it-away": "Fuori sede: Bipod #42",
        "nl": "Automatisch antwoord: Bipod #42",
        "nl-away": "Afwezigheidsbericht: Bipod #42",
        "sv": "Autosvar: Bipod #42",
        "sv-away": "Frånvaro: Bipod #42",
        "da": "Automatisk svar: Bipod #42",
        "nb": "Fraværsmelding: Bipod #42",
        "fi": "Automaattinen vastaus: Bipod #42",
        "pl": "Autoodpowiedź: Bipod #42",
        "pl-2": "Automatyczna odpowiedź: Bipod #42",
        "cs": "Automatická odpověď: Bipod #42",
        "hu": "Automatikus válasz: Bipod #42",
        "ro": "Răspuns automat: Bipod #42",
        "ru": "Автоматический ответ: Bipod #42",
        "ru-2": "Автоответ: Bipod #42",
        "uk": "Автоматична відповідь: Bipod #42",
        "el": "Αυτόματη απάντηση: Bipod #42",
        "tr": "Otomatik Yanıt: Bipod #42",
        "he": "מענה אוטומטי: Bipod #42",
        "ar": "رد تلقائي: Bipod #42",
        "ja": "自動返信: Bipod #42",
        "zh": "自动回复: Bipod #42",
        "zh-tw": "自動回覆: Bipod #42",
        "ko": "자동 회신: Bipod #42",
    }
    for name, subject in subjects.items():
        raw = mail("I am away until Monday.\n", subject=encoded_subject(subject))
        yield Case(f"vacation-{name}", raw, kind="robot")
    yield Case(
        "vacation-null-sender",
        b"Return-Path: <>\n"
        + mail("Away.\n", subject="Re: Bipod #42", extra="Auto-Submitted: auto-replied\n"),
        kind="robot",
    )


def bounces() -> Iterator[Case]:
    dsn = (
        "--d\nContent-Type: text/plain; charset=us-ascii\n\nThis is the mail system at host mail.example.org.\n\n<bill@example.org>: mailbox full\n\n"
        "--d\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mail.example.org\n\nFinal-Recipient: rfc822; bill@example.org\nAction: failed\nStatus: 5.2.2\n\n"
        f"--d\nContent-Type: message/rfc822\n\nFrom: <{PLAIN}>\nTo: bill@example.org\nSubject: Bipod #42\nX-PBEM-Loop: games.example.org\n\n{LETTER}\n--d--\n"
    )
    report = "multipart/report; report-type=delivery-status; boundary=d"
    to = "bounce+00f2b9c4a7d1e5638090@games.example.org"
    yield Case(
        "bounce-postfix",
        b"Return-Path: <>\n"
        + mail(
            dsn,
            sender="MAILER-DAEMON@mail.example.org (Mail Delivery System)",
            to=to,
            subject="Undelivered Mail Returned to Sender",
            kind=report,
            extra="Auto-Submitted: auto-replied\n",
        ),
        kind="bounce",
    )
    yield Case(
        "bounce-no-envelope",
        mail(
            dsn,
            sender="Mail Delivery System <MAILER-DAEMON@mail.example.org>",
            subject="Undelivered Mail Returned to Sender",
            kind=report,
        ),
        kind="bounce",
    )
    yield Case(
        "bounce-exim",
        mail(
            "This message was created automatically by mail delivery software.\n",
            sender="Mail Delivery System <Mailer-Daemon@mail.example.org>",
            subject="Mail delivery failed: returning message to sender",
            extra="X-Failed-Recipients: bill@example.org\nAuto-Submitted: auto-replied\n",
        ),
        kind="bounce",
    )
    yield Case(
        "bounce-qmail",
        mail(
            "Hi. This is the qmail-send program at example.org.\n",
            sender="MAILER-DAEMON@example.org",
            subject="failure notice",
        ),
        kind="bounce",
    )
    yield Case(
        "bounce-exchange",
        mail(
            dsn,
            sender="Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.org>",
            subject="Undeliverable: Bipod #42: Bill - Joao",
            kind=report,
        ),
        kind="bounce",
    )
    yield Case(
        "bounce-exchange-old-de",
        mail(
            "Ihre Nachricht hat einige Empfänger nicht erreicht.\n",
            sender="Systemadministrator <admin@example.org>",
            subject="Unzustellbar: Bipod #42",
        ),
        kind="bounce",
    )
    yield Case(
        "bounce-notes",
        mail(
            "Your message was not delivered.\n",
            sender="Bill Taylor <bill@example.org>",
            subject="DELIVERY FAILURE: User bill (bill@example.org) not listed in Domino Directory",
        ),
        kind="bounce",
    )
    yield Case(
        "bounce-gmail-delayed",
        mail(
            dsn,
            sender="Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
            subject="Delivery Status Notification (Delay)",
            kind=report,
            extra="Auto-Submitted: auto-replied\n",
        ),
        kind="bounce",
    )
    yield Case("bounce-to-bounce-address", mail("adopt\n", to=to), kind="bounce")
    yield Case(
        "bounce-bare-daemon", mail("adopt\n", sender="MAILER-DAEMON (Mail Delivery Subsystem)"), kind="bounce"
    )
    yield Case(
        "bounce-postmaster",
        mail("Your mail could not be delivered\n", sender="postmaster@example.org"),
        kind="bounce",
    )


def people_like_robots() -> Iterator[Case]:
    yield Case(
        "person-response-suppressed", mail("f2 f4 g3\n", extra="X-Auto-Response-Suppress: All\n"), orders=MOVE
    )
    yield Case(
        "person-auto-submitted-no", mail("f2 f4 g3\n", extra="Auto-Submitted: no (a person)\n"), orders=MOVE
    )
    yield Case(
        "person-precedence",
        mail(
            "f2 f4 g3\n", extra="Precedence: first-class\nX-Autoreply: no\nImportance: high\nX-Priority: 1\n"
        ),
        orders=MOVE,
    )
    for name, subject in {
        "re-vacation": "Re: Automatic reply: Bipod #42",
        "aw": "AW: Bipod #42: Bill - Joao",
        "automobile": "Automatic doors and other games",
        "office": "Office party",
        "vacation": "Vacation plans and my move",
        "delivery": "Delivery of my move",
        "none": "",
        "auto-name": "Autumn in Paris",
        "returned": "Returned mail",
        "undelivered": "Undelivered until now",
    }.items():
        yield Case(f"person-subject-{name}", mail("f2 f4 g3\n", subject=subject), orders=MOVE)
    yield Case(
        "person-named-like-a-machine",
        mail("f2 f4 g3\n", sender="Noreply Fan <norepp@example.org>"),
        orders=MOVE,
    )
    yield Case("person-playing", mail("f2 f4 g3\n", sender="player@example.org"), orders=MOVE)
    yield Case(
        "person-writes-of-holidays",
        mail(f"f2 f4 g3\n\nI am out of office next week!{QUOTE}"),
        orders=MOVE,
        comment="I am out of office next week!",
    )
