"""Phrases of mail programs by language: quote introductions, Outlook's labels, phone signatures.

Each is as programs of that language write it, for a letter of 2 January 2024 from `"Bipod #42"`. `{a}` stands
for the address it came from.
"""

# ruff: noqa: E501 (mails are stated as they are sent)

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """The phrases of one language.

    `wrote`: the line of Gmail or Thunderbird (it may be two lines). `labels`: From, Sent, To, Subject in
    Outlook. `original`: the words between dashes. `phone`: the line that an iPhone adds.
    """

    wrote: str
    labels: tuple[str, str, str, str]
    original: str
    phone: str


LANGUAGES = {
    "en": Language(
        "On Tue, Jan 2, 2024 at 10:00 AM Bipod #42 <{a}> wrote:",
        ("From", "Sent", "To", "Subject"),
        "Original Message",
        "Sent from my iPhone",
    ),
    "de": Language(
        "Am Di., 2. Jan. 2024 um 10:00 Uhr schrieb Bipod #42 <{a}>:",
        ("Von", "Gesendet", "An", "Betreff"),
        "Ursprüngliche Nachricht",
        "Von meinem iPhone gesendet",
    ),
    "fr": Language(
        "Le mar. 2 janv. 2024 à 10:00, Bipod #42 <{a}> a écrit :",
        ("De", "Envoyé", "À", "Objet"),
        "Message d'origine",
        "Envoyé de mon iPhone",
    ),
    "es": Language(
        "El mar, 2 ene 2024 a las 10:00, Bipod #42 (<{a}>) escribió:",
        ("De", "Enviado el", "Para", "Asunto"),
        "Mensaje original",
        "Enviado desde mi iPhone",
    ),
    "pt": Language(
        "Em ter., 2 de jan. de 2024 às 10:00, Bipod #42 <{a}> escreveu:",
        ("De", "Enviado", "Para", "Assunto"),
        "Mensagem original",
        "Enviado do meu iPhone",
    ),
    "it": Language(
        "Il giorno mar 2 gen 2024 alle ore 10:00 Bipod #42 <{a}> ha scritto:",
        ("Da", "Inviato", "A", "Oggetto"),
        "Messaggio originale",
        "Inviato da iPhone",
    ),
    "nl": Language(
        "Op di 2 jan 2024 om 10:00 schreef Bipod #42 <{a}>:",
        ("Van", "Verzonden", "Aan", "Onderwerp"),
        "Oorspronkelijk bericht",
        "Verstuurd vanaf mijn iPhone",
    ),
    "sv": Language(
        "Den tis 2 jan. 2024 kl 10:00 skrev Bipod #42 <{a}>:",
        ("Från", "Skickat", "Till", "Ämne"),
        "Ursprungligt meddelande",
        "Skickat från min iPhone",
    ),
    "da": Language(
        "Den tirs. 2. jan. 2024 kl. 10.00 skrev Bipod #42 <{a}>:",
        ("Fra", "Sendt", "Til", "Emne"),
        "Oprindelig meddelelse",
        "Sendt fra min iPhone",
    ),
    "nb": Language(
        "tir. 2. jan. 2024 kl. 10:00 skrev Bipod #42 <{a}>:",
        ("Fra", "Sendt", "Til", "Emne"),
        "Opprinnelig melding",
        "Sendt fra min iPhone",
    ),
    "fi": Language(
        "ti 2. tammik. 2024 klo 10.00 Bipod #42 ({a}) kirjoitti:",
        ("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"),
        "Alkuperäinen viesti",
        "Lähetetty iPhonesta",
    ),
    "is": Language(
        "þri., 2. jan. 2024 kl. 10:00 skrifaði Bipod #42 <{a}>:",
        ("Frá", "Sent", "Til", "Efni"),
        "Upprunaleg skilaboð",
        "Sent úr iPhone",
    ),
    "pl": Language(
        "wt., 2 sty 2024 o 10:00 Bipod #42 <{a}> napisał(a):",
        ("Od", "Wysłano", "Do", "Temat"),
        "Wiadomość oryginalna",
        "Wysłane z iPhone'a",
    ),
    "cs": Language(
        "út 2. 1. 2024 v 10:00 odesílatel Bipod #42 <{a}> napsal:",
        ("Od", "Odesláno", "Komu", "Předmět"),
        "Původní zpráva",
        "Odesláno z iPhonu",
    ),
    "sk": Language(
        "ut 2. 1. 2024 o 10:00 Bipod #42 <{a}> napísal(a):",
        ("Od", "Odoslané", "Komu", "Predmet"),
        "Pôvodná správa",
        "Odoslané z iPhonu",
    ),
    "hu": Language(
        "Bipod #42 <{a}> ezt írta (időpont: 2024. jan. 2., K, 10:00):",
        ("Feladó", "Elküldve", "Címzett", "Tárgy"),
        "Eredeti üzenet",
        "Elküldve az iPhone-omról",
    ),
    "ro": Language(
        "În mar., 2 ian. 2024 la 10:00, Bipod #42 <{a}> a scris:",
        ("De la", "Trimis", "Către", "Subiect"),
        "Mesaj original",
        "Trimis de pe iPhone-ul meu",
    ),
    "hr": Language(
        "uto, 2. sij 2024. u 10:00 Bipod #42 <{a}> napisao je:",
        ("Od", "Poslano", "Prima", "Predmet"),
        "Izvorna poruka",
        "Poslano s mog iPhonea",
    ),
    "sl": Language(
        "V tor., 2. jan. 2024 ob 10:00 je oseba Bipod #42 <{a}> napisala:",
        ("Od", "Poslano", "Za", "Zadeva"),
        "Izvirno sporočilo",
        "Poslano iz mojega iPhona",
    ),
    "ru": Language(
        "вт, 2 янв. 2024 г. в 10:00, Bipod #42 <{a}>:",
        ("От", "Отправлено", "Кому", "Тема"),
        "Исходное сообщение",
        "Отправлено с iPhone",
    ),
    "uk": Language(
        "вт, 2 січ. 2024 р. о 10:00 Bipod #42 <{a}> пише:",
        ("Від", "Надіслано", "Кому", "Тема"),
        "Оригінальне повідомлення",
        "Надіслано з iPhone",
    ),
    "bg": Language(
        "На вт, 2.01.2024 г. в 10:00 Bipod #42 <{a}> написа:",
        ("От", "Изпратено", "До", "Относно"),
        "Оригинално съобщение",
        "Изпратено от моя iPhone",
    ),
    "el": Language(
        "Στις Τρί 2 Ιαν 2024 στις 10:00 π.μ., ο χρήστης Bipod #42 <{a}> έγραψε:",
        ("Από", "Στάλθηκε", "Προς", "Θέμα"),
        "Αρχικό μήνυμα",
        "Στάλθηκε από το iPhone μου",
    ),
    "tr": Language(
        "Bipod #42 <{a}>, 2 Oca 2024 Sal, 10:00 tarihinde şunu yazdı:",
        ("Kimden", "Gönderildi", "Kime", "Konu"),
        "Orijinal İleti",
        "iPhone'umdan gönderildi",
    ),
    "he": Language(
        "\u200fבתאריך יום ג׳, 2 בינו׳ 2024 ב-10:00 מאת \u202aBipod #42\u202c\u200f <\u202a{a}\u202c\u200f>:\u200f",
        ("מאת", "נשלח", "אל", "נושא"),
        "הודעה מקורית",
        "נשלח מה-iPhone שלי",
    ),
    "ar": Language(
        "في الثلاثاء، 2 يناير 2024 في 10:00 ص تمت كتابة ما يلي بواسطة Bipod #42 <{a}>:",
        ("من", "تم الإرسال", "إلى", "الموضوع"),
        "الرسالة الأصلية",
        "أُرسلت من الـ iPhone",
    ),
    "fa": Language(
        "در تاریخ سه‌شنبه ۲ ژانویهٔ ۲۰۲۴، ۱۰:۰۰ Bipod #42 <{a}> نوشت:",
        ("از", "ارسال شده", "به", "موضوع"),
        "پیام اصلی",
        "ارسال شده از iPhone من",
    ),
    "ja": Language(
        "2024年1月2日(火) 10:00 Bipod #42 <{a}>:",
        ("差出人", "送信日時", "宛先", "件名"),
        "元のメッセージ",
        "iPhoneから送信",
    ),
    "zh-cn": Language(
        "Bipod #42 <{a}> 于2024年1月2日周二 10:00写道：",
        ("发件人", "发送时间", "收件人", "主题"),
        "原始邮件",
        "发自我的 iPhone",
    ),
    "zh-tw": Language(
        "Bipod #42 <{a}> 於 2024年1月2日 週二 上午10:00寫道：",
        ("寄件者", "寄件日期", "收件者", "主旨"),
        "原始郵件",
        "從我的 iPhone 傳送",
    ),
    "ko": Language(
        "2024년 1월 2일 (화) 오전 10:00, Bipod #42 <{a}>님이 작성:",
        ("보낸 사람", "보낸 날짜", "받는 사람", "제목"),
        "원본 메시지",
        "나의 iPhone에서 보냄",
    ),
    "vi": Language(
        "Vào Th 3, 2 thg 1, 2024 vào lúc 10:00 Bipod #42 <{a}> đã viết:",
        ("Từ", "Đã gửi", "Đến", "Chủ đề"),
        "Thư gốc",
        "Đã gửi từ iPhone của tôi",
    ),
    "id": Language(
        "Pada tanggal Sel, 2 Jan 2024 pukul 10.00 Bipod #42 <{a}> menulis:",
        ("Dari", "Dikirim", "Kepada", "Perihal"),
        "Pesan asli",
        "Dikirim dari iPhone saya",
    ),
    "th": Language(
        "ในวันที่ อ. 2 ม.ค. 2024 เวลา 10:00 Bipod #42 <{a}> เขียนว่า:",
        ("จาก", "ส่ง", "ถึง", "เรื่อง"),
        "ข้อความเดิม",
        "ส่งจาก iPhone ของฉัน",
    ),
    "hi": Language(
        "मंगल, 2 जन॰ 2024 को 10:00 am बजे Bipod #42 <{a}> ने लिखा:",
        ("प्रेषक", "भेजा गया", "प्रति", "विषय"),
        "मूल संदेश",
        "मेरे iPhone से भेजा गया",
    ),
    "lt": Language(
        "2024-01-02, an, 10:00 Bipod #42 <{a}> rašė:",
        ("Nuo", "Išsiųsta", "Kam", "Tema"),
        "Pradinis laiškas",
        "Išsiųsta iš mano iPhone",
    ),
    "et": Language(
        "Kuupäeval T, 2. jaanuar 2024 kell 10:00 kirjutas Bipod #42 <{a}>:",
        ("Saatja", "Saadetud", "Saaja", "Teema"),
        "Algne sõnum",
        "Saadetud minu iPhone'ist",
    ),
}
