"""Doubtful mail: commands make it a person's, whatever its subject says."""

from __future__ import annotations

import pytest

from pbem.core.parsing.inbound import Envelope, Mail, settle_doubts
from pbem.core.parsing.line import any_reader
from pbem.core.parsing.mail_orders import read_orders
from pbem.mail.inbound.parse import parse_mail
from rules import RULES
from tests.mail.clients import TOKEN, encoded_subject

SUBJECTS = """\
On vacation|On vacation: Bipod #1|On holiday|On holidays|On annual leave|OOO|OOO: Bipod|Out of office
Out-of-office|Out of the office|Out of office reply|Away from my mail|Away from the office
I am away from my desk|Auto: away|I am currently out of the office|Automatic reply
Automatic reply: Bipod #1|Auto-Reply|Autoreply|Auto response|Vacation reply|Vacation message
Vacation notice|Bill is out of the office|Im Urlaub|Abwesenheit|Abwesenheitsnotiz|Abwesend
Automatische Antwort|Autoantwort|Bill ist außer Haus|En congé|En congés|En vacances|Absence|Absent
Absence du bureau|Réponse automatique|Message d'absence|Bill est absent|De vacaciones|Fuera de la oficina
Respuesta automática|Ausencia|Ausente de la oficina|De férias|Resposta automática|Fora do escritório
Ausência|In ferie|Fuori sede|Fuori ufficio|Risposta automatica|Assenza dall'ufficio|Afwezig|Afwezigheid
Buiten kantoor|Niet aanwezig|Automatisch antwoord|På semester|Frånvaro|Autosvar|Automatiskt svar|Fravær
Ikke til stede|Poissa|Automaattinen vastaus|Na urlopie|Nieobecność|Poza biurem|Autoodpowiedź|Dovolená
Automatická odpověď|Mimo kancelář|Házon kívül|Automatikus válasz|Răspuns automat|В отпуске|Автоответ
Отсутствие|Вне офиса|Автоматична відповідь|Εκτός γραφείου|Αυτόματη απάντηση|Ofis dışında|Otomatik yanıt
自動返信|不在通知|自动回复|자동 회신|부재중|Returned mail|Returned mail: see transcript|Undeliverable
Undelivered mail|Delivery failed|Mail delivery failed|Message delivery failure|Delivery report
Failure notice|Non-delivery report|Unzustellbar|Non remis|Не доставлено
""".replace("\n", "|").strip("|").split("|")  # fmt: skip

BODIES = [
    "I am out of the office until Monday, 4 January, with limited access to e-mail.\n\nBest regards,\nBill",
    "Hello,\n\nThank you for your mail. I am on vacation from 20 December to 5 January.\n\n"
    "Back on 6 January.\n\nBill",
    "Hi,\n\nI'm away. For urgent matters please call\n\nJames\n+44 1632 960001\n\nRegards\nDrew",
    "Note: I will be out of the office until 5 January.\n\nNote that my mail is not read.",
    "Note that I read no mail until 5 January.",
    "Thank you!\n\nBank\n\nBill Taylor\nHead of Games\nRoom B4",
    "OOO until 3/1. Ping @joao.",
    "Vacation!",
    "Ich bin bis zum 5.1. nicht im Büro.\n\nIhre Mail wird nicht weitergeleitet.\n\n"
    "Mit freundlichen Grüßen\nBill",
    "Bonjour,\n\nje suis absent du 20 décembre au 5 janvier.\n\nCordialement,\nBill",
    "Hola:\n\nEstoy de vacaciones hasta el 5 de enero.\n\nUn saludo",
    "Olá,\n\nestou de férias até 5 de janeiro.\n\nObrigado",
    "Sono fuori ufficio fino al 5 gennaio.\n\nCordiali saluti",
    "Ik ben afwezig tot 5 januari.\n\nMet vriendelijke groet",
    "Jag är på semester till den 5 januari.\n\nHälsningar",
    "Jeg er på ferie til 5. januar.\n\nHilsen\nBo",
    "Olen lomalla 5.1. saakka.\n\nTerveisin",
    "Jestem na urlopie do 5 stycznia.\n\nPozdrawiam",
    "Я в отпуске до 5 января.\n\nС уважением",
    "Λείπω μέχρι τις 5 Ιανουαρίου.",
    "5 Ocak'a kadar izindeyim.",
    "1月5日まで休暇をいただいております。",
    "我将于1月5日回来。",
    "1월 5일까지 휴가입니다.",
    "Hi. This is the qmail-send program at example.org.\nI'm afraid I wasn't able to deliver it.\n\n"
    "--- Below this line is a copy of the message.\n",
    "",
]  # fmt: skip


def judged(subject: str, body: str, headers: str = "", *, own: bool = True) -> Mail:
    """Return the kind of a mail to a player of all games."""
    head = f"From: Bill <bill@example.org>\nTo: {TOKEN}\nSubject: {encoded_subject(subject)}\n{headers}"
    raw = f"{head}Content-Type: text/plain; charset=utf-8\n\n{body}\n".encode()
    inbound = parse_mail(raw, Envelope("bill@example.org", TOKEN), "games.example.org")
    reader = any_reader([rules.start().read for rules in RULES.values()])
    return settle_doubts(inbound, read_orders(inbound.words, marked=inbound.marked, reader=reader), own=own)


@pytest.mark.parametrize(
    "order", ["vacation 10 days", "f2 f4 g3", "resign", "games", "confirm", "say hello", "yes", "No, thanks."]
)
def test_an_order_makes_a_persons_mail_of_every_subject(order: str) -> None:
    assert [] == [subject for subject in SUBJECTS if judged(subject, order).kind != "person"]
    assert len(SUBJECTS) >= 82


def test_all_these_subjects_without_an_order_are_a_machines() -> None:
    told = {subject: judged(subject, "I am away until Monday.").kind for subject in SUBJECTS}
    assert [] == [subject for subject, kind in told.items() if kind not in ("robot", "bounce")]


@pytest.mark.parametrize("body", BODIES)
def test_what_robots_write_holds_no_order(body: str) -> None:
    found = judged("On vacation", body)
    assert ("robot", "the subject of an automatic reply", "") == (found.kind, found.reason, found.words)
    assert "bounce" == judged("Returned mail", body).kind


def test_a_list_header_is_no_sign_in_mail_of_the_owner_of_a_reply_address() -> None:
    listed = "List-Id: <friends.example.org>\nList-Post: <mailto:x@example.org>\n"
    assert "person" == judged("Re: Bipod #42", "f2 f4 g3", listed).kind
    assert "robot" == judged("Re: Bipod #42", "f2 f4 g3", listed, own=False).kind
    assert "robot" == judged("On vacation", "I am away", listed).kind
    assert "robot" == judged("On vacation", "f2 f4 g3", listed, own=False).kind


def test_a_mail_that_cannot_be_read_is_a_robots_if_its_subject_says_so() -> None:
    sealed = "MIME-Version: 1.0\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nx"
    assert "robot" == judged("On vacation", "", sealed).kind
    assert "refused" == judged("Re: Bipod #42", "", sealed).kind
