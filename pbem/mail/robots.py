"""Mail that no person wrote: filed, never answered (RFC 3834, RFC 3464).

The order matters and is that of the table `_SIGNS`: what the envelope says first, phrases last. A
reply suppressed by X-Auto-Response-Suppress is none of it: Exchange puts that on people's mail.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import Message
from typing import NamedTuple

from pbem.core.inbound import Envelope, Kind
from pbem.mail.headers import Unsafe, sender, shown, value, values

RECEIVED_MOST = 50
LOOP_HEADER = "X-PBEM-Loop"
"""Every letter of ours carries it, with our host name; `X-PBEM-` begins no header of anybody else."""

OWN_MAILBOXES = ("play", "bounce")
MACHINES = re.compile(
    r"(?:mailer-?daemon|postmaster|no[-_.]?reply|do[-_.]?not[-_.]?reply|auto-?reply|autoresponder|"
    r"microsoftexchange[0-9a-f]{32}|bounces?)(?:[-+=].*)?",
    re.IGNORECASE,
)
DAEMONS = re.compile(r"(?:mailer-?daemon|postmaster|microsoftexchange|bounces?)", re.IGNORECASE)
AUTOMATIC_HEADERS = ("X-Autoreply", "X-Autorespond", "X-Failed-Recipients", "Feedback-Type")
AUTOMATIC_PRECEDENCE = frozenset({"bulk", "junk", "list", "auto_reply"})

_TOKEN_LOCAL = re.compile(r"(?:play|bounce)[-+.=][a-z0-9]{16,60}", re.IGNORECASE)


class Found(NamedTuple):
    """What a mail was found to be, and by which sign."""

    kind: Kind
    reason: str


class Mail(NamedTuple):
    """What the signs look at. `host` is our own, None where any host might be ours."""

    headers: Message
    envelope: Envelope
    host: str | None
    sender: str

    def has(self, name: str) -> bool:
        return name in self.headers


def by_envelope(envelope: Envelope) -> Found | None:
    """A bounce, as far as the envelope alone tells it."""
    if not envelope.sender.strip("<> "):
        return Found("bounce", "the null sender")
    return Found("bounce", "sent to a bounce address") if _is_bounce_address(envelope.recipient) else None


def robot(headers: Message, envelope: Envelope, host: str | None) -> Found | None:
    """Which machine wrote this mail, None where none did."""
    try:
        address = sender(headers).address
    except Unsafe:
        address = _any_address(headers)
    mail = Mail(headers, envelope, host, address)
    return next(filter(None, (sign(mail) for sign in _SIGNS)), None)


def _any_address(headers: Message) -> str:
    """The first thing in From that looks like an address: enough to know a machine by."""
    match = re.search(r"[^\s<>@,;:()\"]{1,64}@[\w.-]{1,253}", value(headers, "from"))
    if match:
        return match[0]
    bare = value(headers, "from").strip('<>" ')
    return bare if MACHINES.fullmatch(bare[:80]) else ""


def _local(address: str) -> str:
    return address.strip("<> ").rpartition("@")[0]


def _is_bounce_address(address: str) -> bool:
    return re.match(r"bounce[-+.=][0-9a-z]{8,}@", address.strip("<> "), re.IGNORECASE) is not None


# ------------------------------------------------------------------------------------- the signs


def _our_own(mail: Mail) -> Found | None:
    loops = [text.split(";")[0].strip().lower() for text in values(mail.headers, LOOP_HEADER)]
    if loops and (mail.host is None or mail.host.lower() in loops):
        return Found("loop", "our own letter")
    if mail.has("X-PBEM-Game") or loops:
        return Found("loop", "a letter of a game server")
    for address in (mail.sender, mail.envelope.sender):
        if _is_our_address(address, mail):
            return Found("loop", "from an address of our own")
    return None


def _is_our_address(address: str, mail: Mail) -> bool:
    local, _, host = address.strip("<> ").lower().rpartition("@")
    own = (mail.host or mail.envelope.recipient.strip("<> ").rpartition("@")[2]).lower()
    if mail.host is None and _TOKEN_LOCAL.fullmatch(local):
        return True
    return bool(own) and host == own and (local in OWN_MAILBOXES or _TOKEN_LOCAL.fullmatch(local) is not None)


def _going_round(mail: Mail) -> Found | None:
    count = sum(1 for name in mail.headers if name.lower() == "received")
    return Found("loop", f"{count} Received lines") if count > RECEIVED_MOST else None


def _null_sender(mail: Mail) -> Found | None:
    if mail.envelope.sender.strip("<> "):
        return None
    replied = _auto_submitted(mail).startswith("auto-replied")
    return Found("robot" if replied else "bounce", "the null sender")


def _bounced(mail: Mail) -> Found | None:
    return (
        Found("bounce", "sent to a bounce address") if _is_bounce_address(mail.envelope.recipient) else None
    )


def _auto_submitted(mail: Mail) -> str:
    """The keyword of Auto-Submitted without comments and parameters, "" where there is none."""
    text = value(mail.headers, "Auto-Submitted").lower()
    return re.sub(r"\([^()]{0,500}\)", " ", text).partition(";")[0].strip()


def _submitted_by_machine(mail: Mail) -> Found | None:
    keyword = _auto_submitted(mail)
    if keyword in ("", "no"):
        return None
    failed = _is_failure(mail)
    return Found("bounce" if failed else "robot", f"Auto-Submitted: {keyword[:40]}")


def _is_failure(mail: Mail) -> bool:
    return bool(DAEMONS.match(_local(mail.sender) or mail.sender)) or _report_type(mail) == "delivery-status"


def _precedence(mail: Mail) -> Found | None:
    word = value(mail.headers, "Precedence").strip().lower()
    return Found("robot", f"Precedence: {word}") if word in AUTOMATIC_PRECEDENCE else None


def _automatic(mail: Mail) -> Found | None:
    for name in AUTOMATIC_HEADERS:
        if mail.has(name):
            return Found("bounce" if name == "X-Failed-Recipients" else "robot", name)
    return None


def _list(mail: Mail) -> Found | None:
    names = (name for name in mail.headers if name.lower().startswith("list-"))
    return next((Found("robot", f"{name}: list mail") for name in names), None)


def _report_type(mail: Mail) -> str:
    if mail.headers.get_content_type() != "multipart/report":
        return ""
    match = re.search(
        r"report-type\s{0,3}=\s{0,3}\"?([a-z-]{1,40})", value(mail.headers, "Content-Type").lower()
    )
    return match[1] if match else "delivery-status"


def _report(mail: Mail) -> Found | None:
    kind = _report_type(mail)
    if not kind:
        return None
    return Found("bounce" if kind == "delivery-status" else "robot", f"a report ({kind})")


def _machine(mail: Mail) -> Found | None:
    local = _local(mail.sender) or mail.sender
    if not MACHINES.fullmatch(local):
        return None
    return Found("bounce" if DAEMONS.match(local) else "robot", f"from {local[:60]}")


def _phrase(mail: Mail) -> Found | None:
    subject = shown(value(mail.headers, "subject")[:500]).strip("[]<>*\"' ")
    if FAILED.match(subject):
        return Found("bounce", "the subject of a bounce")
    return Found("robot", "the subject of an automatic reply") if AWAY.match(subject) else None


_SIGNS: tuple[Callable[[Mail], Found | None], ...] = (
    _our_own,
    _going_round,
    _null_sender,
    _bounced,
    _submitted_by_machine,
    _precedence,
    _automatic,
    _list,
    _report,
    _machine,
    _phrase,
)

# ----------------------------------------------------------------------------------- the phrases

_END = r"(?=\s*(?:[:!.,;/()\[\]|\u2013-]|\bre\b|\baw\b|$))"

AWAY = re.compile(
    r"""(?:auto(?=\s?:) | [^:]{1,60}\s(?:is\sout\sof\s(?:the\s)?office|ist\saußer\shaus|est\sabsente?)
    | auto(?:matic|matische|mated)?[\s:-]{0,3}(?:re(?:ply|sponse|sponder)|antwort|svar)
    | auto-?reply | automatic\sreply
    | out[\s-]of(?:[\s-]the)?[\s-]office(?:\s(?:reply|autoreply|notice|message|re))?
    | ooo | away\sfrom\s(?:my\s|the\s)?(?:mail|e-?mail|office|desk)
    | vacation\s(?:reply|notice|message|response|autoreply)
    | on\s(?:vacation|annual\sleave|holiday)s? | i\sam\s(?:currently\s)?(?:out\sof|away\sfrom)\s.{0,60}
    | automatische\s(?:antwort|r[üu]ckantwort)
    | abwesenheits?(?:notiz|nachricht|meldung|assistent|benachrichtigung)?
    | autom(?:atische)?\.?\sabwesenheitsnotiz | automatisch(?:e|es)?\santwoord
    | afwezig(?:heid)?(?:sbericht|sassistent|smelding)?
    | niet\saanwezig | buiten\skantoor
    | r[ée]ponse\sautomatique | absen(?:ce|t)\s?(?:du\sbureau|de\smon\sbureau)? | message\sd'absence
    | respuesta\sautom[áa]tica | fuera\sde\s(?:la\s)?oficina | ausente\sde\sla\soficina | ausencia
    | resposta\sautom[áa]tica | fora\sd[oe]\sescrit[óo]rio
    | aus[êe]ncia(?:\s(?:tempor[áa]ria|do\sescrit[óo]rio))?
    | risposta\sautomatica | fuori\s(?:sede|ufficio) | assenza\sdall'ufficio
    | autosvar | automatiskt?\s(?:svar|besked) | fr[åa]nvaro(?:meddelande|anm[äa]lan)?
    | frav[æe]r(?:sbesked|smelding)?
    | ikke\stil\sstede | ikke\sp[åa]\skontoret
    | automaattinen\s(?:poissaolo)?(?:vastaus|viesti) | poissa(?:\stoimistosta|oloviesti)?
    | automatyczna\sodpowied[źz] | odpowied[źz]\sautomatyczna | poza\sbiurem | autoodpowied[źz]
    | nieobecno[śs][ćc]
    | automatick[áa]\sodpov[ěe][ďd] | automatick[áa]\sodpove[ďd] | mimo\s(?:kancel[áa][řr]|kancel[áa]rie)
    | automatikus\sv[áa]lasz | h[áa]zon\sk[íi]v[üu]l | r[ăa]spuns\sautomat | [îi]n\safara\sbiroului
    | automatski\sodgovor | samodejni\sodgovor | автоматический\sответ | автоответ(?:чик)?
    | автоматична\sвідповідь | автовідповідь | автоматичен\sотговор | вне\sофиса | отсутстви[ея]
    | αυτόματη\sαπάντηση | εκτός\sγραφείου | otomatik\s(?:yan[ıi]t|cevap) | ofis\sd[ıi][şs][ıi]nda
    | automatinis\satsakymas | automātiska?\satbilde | automaatvastus | sjálfvirkt\ssvar
    | trả\slời\stự\sđộng | balasan\sotomatis | balasan\sautomatik | jawaban\sotomatis
    | מענה\sאוטומטי | תשובה\sאוטומטית | الرد\sالتلقائي | رد\sتلقائي | پاسخ\sخودکار
    )"""
    + _END
    + r""" | (?:自動(?:返信|応答|回覆|回復|回信) | 自动(?:回复|答复) | 不在通知 | 不在のお知らせ
    | 외출\s?중 | 자동\s?(?:회신|응답|답장)
    | 부재\s?중 | การตอบกลับอัตโนมัติ | ตอบกลับอัตโนมัติ | स्वचालित\s(?:उत्तर|जवाब) | 外出自动)""",
    re.IGNORECASE | re.VERBOSE,
)
"""How automatic replies begin their subjects. A person's reply begins with `Re:` or the game's name."""

FAILED = re.compile(
    r"""(?:undeliver(?:able|ed)\b(?:\s(?:mail|message))? | undelivered\smail\sreturned | returned\smail\b
    | (?:mail|message)\sdelivery\s(?:failed|failure|subsystem|problem|status|system)
    | delivery\s(?:status\s)?notification
    | delivery\s(?:has\s)?(?:failed|failure|delayed|report|problem) | failure\snotice | mail\ssystem\serror
    | non-?delivery\s(?:report|notification|notice) | nondeliverable\smail | dsn: | ndn:
    | warning:\s(?:message|could\snot\ssend)
    | (?:your\s)?(?:mail|message)\s(?:could|was)\snot\s(?:be\s)?delivered
    | unzustellbar | nicht\szustellbar | unzustellbarkeits | zustellung\sfehlgeschlagen
    | fehlgeschlagene\szustellung
    | mail\sdelivery\sfailed | non\s(?:remis|distribuable|délivré)
    | échec\sde\s(?:la\s)?(?:remise|distribution|livraison)
    | no\sse\spuede\sentregar | no\sentregado | error\sde\sentrega | não\s(?:é\spossível\sentregar|entregue)
    | falha\sna\sentrega | non\srecapitabile | mancato\srecapito | notifica\sdi\smancato
    | onbestelbaar | niet\sbestelbaar | olevererbar | kan\sikke\sleveres | ikke\sleverbar
    | går\sinte\satt\sleverera
    | det\sgår\sinte | ei\svoida\stoimittaa | niedostarczalne | nie\smożna\sdostarczyć | nedoručiteln
    | nelze\sdoručit
    | kézbesíthetetlen | nu\spoate\sfi\slivrat | недоставлен | не\sудалось\sдоставить | не\sдоставлено
    | teslim\sedilemedi
    | 配信不能 | 配信できません | 无法送达 | 無法傳遞 | 系统退信 | 退信 | 배달되지 | 전송\s?실패)""",
    re.IGNORECASE | re.VERBOSE,
)
"""How bounces begin their subjects: many are sent without any header that says so."""

__all__ = ["LOOP_HEADER", "Found", "by_envelope", "robot"]
