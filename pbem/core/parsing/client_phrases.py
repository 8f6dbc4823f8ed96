"""Phrases that mail programs write, in some forty languages, for `pbem.core.parsing.reply_text`.

Every pattern is matched against a few lines of bounded length; none has two unbounded parts that could match
the same text, so all run in linear time.
"""

import re

WROTE_VERBS = re.compile(
    r"""(?<!\w)(?:
    wrote | writes | schrieb | geschrieben | schreef | geschreven | het\svolgende | skrev | skreif
    | skrifaði | [ée]crit | escribi[óo] | escribiu | va\sescriure | ha\sescrit | escreveu | ha\sscritto
    | scrive | scrisse | a\sscris | a\sscrisă | kirjoitti | kirjutas | napisał | napisała | pisze
    | napsal | napsala | napísal | napísala | napisao | napisala | je\spisal | je\spisala | írta | rašė
    | parašė | rakstīja | shkroi | idatzi\sdu | yazdı | yazmış | đã\sviết | viết | menulis | sinulat
    | написал | написала | пишет | писал | написав | пише | написа | написао | писали | je\snapisal
    | έγραψε | έγραφε | έγραψεν | כתב | כתבה | كتب | كتبت | نوشت | लिखा | লিখেছেন | zitat\svon | quoting
    | citando | citováno | цитата
    )(?!\w)
    | 写道 | 寫道 | 写到 | 写了 | 書きました | さんは | のメール | 작성 | 썼습니다 | 쓴\s글 | เขียนว่า | เขียน
    """,
    re.IGNORECASE | re.VERBOSE,
)

ATTRIBUTION_OPENINGS = re.compile(
    r"""-{0,6}\s?(?:
    On | In\sa\smessage | Am | Le | El | Il | Em | A\s\w+, | Op | Den | På | Dňa | Dne | W\sdniu | Dnia
    | Dana | Pe | În | Kuupäeval | Datums | Më | Ngày | Vào | Pada | Noong | Στις | На | В | בתאריך | ב
    | في | در | เมื่อ | 在 | 于 | 於 | Fecha | Quoting | Zitat | Citando
    | (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Mo|Di|Mi|Do|Fr|Sa|So|lun|mar|mer|jeu|ven|sam|dim)[.,\s]
    | (?:пн|вт|ср|чт|пт|сб|вс|нд)[.,\s] | (?:ma|ti|ke|to|pe|la|su)\s\d | (?:pon|wt|śr|czw|pt|sob|niedz)[.,\s]
    )(?!\w) | "?[^\W\d_][\w\ -]{1,40}\s\#\d
    """,
    re.VERBOSE,
)
MOMENT = re.compile(r"(?<!\d)(?:\d{4}(?!\d)|\d{1,2}[:.h]\d{2}(?!\d)|\d{1,2}[./-]\s?\d{1,2}[./-])")
"""A year, a time of day or a date."""
ADDRESS = re.compile(r"(?<=[^\s<>@,;:()\[\]])@[^\s<>@,;:()\[\]]{2}")

FORWARDED_LINES_PATTERN = re.compile(
    r"(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-?mail)"
    r"|début du message (?:réexpédié|transféré)"
    r"|inicio del mensaje reenviado|início da mensagem (?:reenviada|encaminhada)|inizio messaggio inoltrato"
    r"|begin doorgestuurd bericht|vidarebefordrat brev|start på videresendt)",
    re.IGNORECASE,
)

HEADER_LABELS = frozenset(
    label
    for line in """
    from|sent|date|to|cc|bcc|subject|reply-to|reply to|importance|sent by|attachments|mailing list
    von|gesendet|gesendet am|datum|an|betreff|antwort an|kopie|wichtigkeit
    de|envoyé|envoyé le|à|a|objet|répondre à|copie à|envoye
    enviado|enviado el|fecha|para|asunto|enviado em|enviada em|data|assunto|responder a
    da|inviato|oggetto|inviato il|rispondi a|van|verzonden|verstuurd|aan|onderwerp|antwoord naar
    fra|sendt|dato|til|emne|kopi|svar til|från|skickat|skickat den|till|ämne|kopia
    lähettäjä|lähetetty|päivämäärä|päiväys|pvm|vastaanottaja|aihe|kopio|kenelle|frá|dagsetning|efni
    od|wysłano|wysłane|do|temat|dw|odesílatel|odesláno|komu|předmět|odosielateľ|odoslané|dátum|predmet
    feladó|elküldve|küldve|címzett|tárgy|küldte|de la|trimis|către|catre|subiect
    poslano|za|prima|kome|šalje|poslato|zadeva|pošiljatelj|от|отправлено|дата|кому|тема|копия|послано
    від|надіслано|изпратено|до|относно|од|испратено|наслов|предмет|послато|за|коме
    από|προς|θέμα|ημερομηνία|στάλθηκε|εστάλη|κοινοποίηση
    kimden|gönderen|gönderildi|gönderme tarihi|tarih|kime|alıcı|konu|bilgi
    מאת|נשלח|תאריך|אל|עד|נושא
    من|أرسل|تم الإرسال|إرسال|التاريخ|إلى|الى|الموضوع|مرسل
    از|فرستنده|به|تاریخ|موضوع|ارسال شده
    发件人|发送时间|日期|收件人|主题|抄送|寄件者|寄件人|寄件日期|傳送時間|收件者|主旨|副本|發送時間|主題
    差出人|送信者|送信日時|日付|宛先|件名|送信元|送信日
    보낸 사람|보낸사람|보낸 날짜|받는 사람|받는사람|제목|날짜|보냄|참조|수신|발신
    từ|người gửi|đã gửi|ngày|đến|tới|người nhận|chủ đề|tiêu đề
    dari|dikirim|tanggal|kepada|ke|perihal|subjek|dihantar|tarikh
    จาก|ส่ง|วันที่|ถึง|เรื่อง|ส่งเมื่อ|หัวเรื่อง
    nuo|išsiųsta|kam|tema|nosūtīts|datums|temats|saatja|saadetud|kuupäev|saaja|teema
    प्रेषक|भेजा गया|दिनांक|प्रति|विषय|enviat|per a|assumpte|nork|nori|gaia|bidalia|bidaltzailea
    """.splitlines()
    for label in line.strip().split("|")
    if label
)

SIGNATURE = re.compile(
    r"""(?:
    (?:this\s(?:e-?mail|message)\swas\s)?(?:sent|composed|posted|written)\s
        (?:from|via|with|using|by)\s(?!me\b|him\b|her\b|you\b)\S
    | (?:get|download)\soutlook\b | holen\ssie\ssich\soutlook | (?:skaff\sdeg|stáhnout)\soutlook
    | (?:скачать|получить|загрузить)\soutlook | .{2,30}\siçin\soutlook
    | (?:获取|下载|取得|下載)\s.{0,20}outlook
    | .{0,20}outlook\b.{0,20}(?:入手|다운로드) | get\sthe\s.{2,30}\sapp\b | yahoo\smail:\s | do\syou\syahoo
    | (?:von|aus|vom)\s(?:meinem|meiner|mein)\s.{2,60}\s(?:gesendet|geschickt|verschickt)
    | (?:diese\s(?:nachricht|e-?mail|mail)\swurde\s)?(?:gesendet|verschickt|geschickt)\s(?:von|mit|aus|über
        |via|per)\s
    | diese\snachricht\swurde\svon\smeinem | outlook\sfür\s\S+\s(?:beziehen|herunterladen)
    | (?:e-mail\s|message\s|courriel\s)?envoyée?\s(?:de|depuis|avec|à\spartir|via|par|d)\W?
    | (?:télécharger|obtenir|obtenez)\soutlook
    | (?:mensaje\s|correo\s)?enviado\s(?:desde|de|do|da|a\spartir|pelo|con|com|via|por|mediante)\s
    | (?:obtener|obtenga|descargar|obter|obtenha|baixar|transferir)\s(?:o\s)?outlook
    | inviato\s(?:da|dal|dallo|dalla|con|tramite|via)\W | (?:ottieni|scarica)\soutlook
    | (?:verstuurd|verzonden|gestuurd)\s(?:vanaf|van|vanuit|met|via|door)\s | outlook\svoor\s\S+\s\S+
    | (?:skickat|skickades|sänt|sendt|afsendt|send)\s(?:från|fra|med|via|av)\s
    | (?:skaffa|hämta|hent|få|last\sned)\soutlook | sent\súr\s
    | lähetetty\s | lähetin\stämän | hanki\soutlook
    | wysłan[eoy]\s(?:z|ze|przy|za|w|przez)\W? | pobierz\s.{0,20}outlook
    | ode?sláno\s(?:z|ze|pomocí|přes)\W? | odoslané\s(?:z|zo|cez|pomocou)\W? | získa[tť]\s.{0,20}outlook
    | elküldve\s | (?:\S{2,30}\s){1,3}küldve\b | az\soutlook\s
    | trimis[ăe]?\s(?:de\spe|din|de\sla|cu|prin)\s | poslan[oa]\s(?:s|sa|z|iz|preko|pomoću)\s
    | послат[оа]\s(?:са|с|помоћу|преко)\s | изпратено\s(?:от|с|чрез)\s | испратено\sод\s
    | отправлено\s(?:с|со|из|через|от)\s | отправлен[оа]?\s(?:с|из|через)\s
    | (?:надіслано|відправлено)\s(?:з|із|зі|за|через)\s | адпраўлена\s(?:з|праз)\s
    | (?:στάλθηκε|εστάλη|απεστάλη)\s(?:από|μέσω|με)\s
    | .{2,40}\s(?:gönderildi|gönderilmiştir)\b | nire\s.{2,30}\sbidalia | enviat\s(?:des\sde|amb|de)\s
    | išsiųsta\s | nosūtīts\s(?:no|ar) | saadetud\s(?:minu|läbi)\s | dërguar\snga\s
    | (?:đã\s)?(?:được\s)?gửi\s(?:từ|bằng)\s | (?:di)?kirim(?:kan)?\sdari\s | dihantar\sdari\s
    | נשלח\s?מ | (?:تم\s)?(?:الإرسال|أُرسلت|أرسلت|أُرسل|أرسل|مُرسل|مرسل)\s?(?:من|عبر|بواسطة)\s
    | (?:ارسال\sشده|فرستاده\sشده)\s(?:از|با)\s | .{2,30}\sसे\sभेजा\sगया | मेरे\s.{2,30}\sभेजा
    | .{1,30}から送信 | .{1,20}で送信 | 发自 | 發自
    | 从我的.{1,30}发送 | 從我的.{1,30}(?:傳送|寄出) | 来自我的 | 發送自
    | 傳送自 | .{1,30}에서\s(?:보냄|전송|보낸) | ส่งจาก
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""Beginnings of the lines that telephones and mail programs add to mails."""
MAX_SIGNATURE = 120
PIECE_SEPARATORS = re.compile(r"[.!?,;:]{1,3}(?:\s{1,9}|$)|\s[-|]\s")
PIECE_WORDS = 10

MACHINE_NAMES = re.compile(
    r"""(?<![a-z])(?:
    i?phon | ipad | ipod | imac | ios\b | mac(?:book|os)?\b | apple\b | android | samsung | galaxy | huawei
    | honor\b | xiaomi | redmi | poco\b | oppo\b | vivo\b | oneplus | realme | pixel\b | nokia | motorola
    | moto\b | lg\b | sony\b | xperia | htc\b | lenovo | zte\b | fairphone | blackberry | windows | outlook
    | e?-?mail(?!ed|ing) | correo | courriel | posta | poczta | gmail | yahoo | aol\b | gmx\b | web\.de
    | t-online | proton | tuta | zoho | fastmail | spark\b | thunderbird | k-?9\b | bluemail | airmail
    | mailbird | em\s?client | evolution\b | kmail | sylpheed | mutt\b | alpine\b | roundcube | horde\b
    | foxmail | qq | naver | daum | hotmail | yandex | rambler | libero\b | posteo | t-mobile | verizon
    | vodafone | handy\b | mobil | m[óo]vil | celular | smart(?:ph|f)on | tel[eé]fon | telemóvel | cell?ulare
    | puhelim | tablet | device | ger[äa]t | app\b | handheld | https?://\S | www\.\S
    )
    | яндекс | почт | мобильн | мобільн | смартфон | телефон | планшет | айфон | هاتف | جوال | آيفون | آیفون
    | גלקסי | אייפון | נייד | 手机 | 手機 | 邮箱 | 郵件 | 邮件 | 휴대폰 | 스마트폰 | 아이폰
    | 携帯 | スマホ | スマートフォン
    | (?:please|bitte|merci|disculpe|desculpe)\b.{0,40}
        (?:brevity|kürze|brièveté|brevedad|brevidade|typos|tippfehler)
    | ^(?:search|organize|conquer)$
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Names of machines and their excuses. Each piece of a line that a machine wrote has one."""

CLOSING = re.compile(
    r"""\W*(?:
    (?:mit\s)?(?:(?:viele|liebe|beste|schöne|herzliche|freundliche|vielen|lieben|besten|schönen|herzlichen
        |freundliche[mr])n?\s)?(?:grüße|grüsse|gruesse|gruß|gruss)n? | mfg | [lv]g | hochachtungsvoll
    | (?:(?:with\s)?(?:best|kind|warm)\s)?regards | best(?:\swishes)? | cheers | (?:yours\s)?sincerely
    | many\sthanks | (?:bien\s)?cordialement | amicalement | bises | (?:un\s)?saludos?(?:\scordial(?:es)?)?
    | atentamente | (?:cordiali|distinti)?\s?saluti | atenciosamente | cumprimentos | abraços?
    | (?:met\s)?(?:vriendelijke\s)?(?:groet|groeten|groetjes) | (?:med\s)?(?:venlig|vennlig)\shilsen | hilsen
    | (?:med\s)?vänliga?\shälsning(?:ar)? | mvh | pozdrawiam | z\spoważaniem | с\sуважением
    )(?:[\s,]+(?P<name>[^\W\d_][\w.-]{0,30}(?:\s[^\W\d_][\w.-]{0,30})?))?\W*""",
    re.IGNORECASE | re.VERBOSE,
)
"""The line that ends a letter, perhaps with the writer's name: `Mit freundlichen Grüßen`, `LG Sabine`."""
CLOSED_LINES = 8
"""Maximum lines with text below it."""
CONTACT = re.compile(
    r"""\b(?:tel|telefon|phone|mobile?|handy|fon|fax|tél|telefono|teléfono)\b[.:\s]\W*\d
    | \+?\d[\d\s()/-]{6,} | @ | \bwww\. | \b(?:gmbh|inc|ltd|e\.?\s?v)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What a business signature has, and a few friendly words have not."""

MAX_BANNER = 300
BANNER = re.compile(
    r"""\W{0,4}(?:
    external(?:\s(?:e-?mail|sender|message))?\W{1,3}(?:$|(?:do\snot|this|be\s|use\s|caution|e-?mail|sender))
    | (?:caution|warning|attention|achtung|vorsicht|attenzione|atención|atenção|let\sop|uwaga|advarsel)\W{1,4}
        (?:this|external|diese|externe|ce\s|cet\s|questa?|este|esta|deze|dit|do\snot|the\ssender|ta\s|denne)
    | you\sdon't\soften\sget\se-?mail\sfrom | some\speople\swho\sreceived\sthis\smessage
    | learn\swhy\sthis\sis\simportant | sie\serhalten\snicht\s(?:oft|häufig)\se-?mails?\svon
    | (?:please\s)?do\snot\s(?:click|open)\b.{0,40}\b(?:links?|attachments?)\b
    | unless\syou\s(?:recogni[sz]e|know|trust)\b | (?:and\s)?know\sthe\scontent\sis\ssafe
    | this\s(?:e-?mail|message)\s(?:originated|was\ssent|came|comes|is)\sfrom\s(?:outside|an?\sexternal)
    | zjqcmqry\w*banner(?:start|end)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""Lines that the gateways of firms write above a mail from outside."""

FOOTER = re.compile(
    r"""\W{0,12}(?:
    confidentiality\snotice | confidential(?:ity)?\s*: | legal\snotice | disclaimer\b | virus-free
    | (?:this|the)\s(?:information|contents?)\s(?:contained\s)?(?:in|of)\sthis\s(?:e-?mail|message)
    | this\s(?:e-?mail|message|communication)\s(?:and\sany\b|\(including|contains\s|is\s(?:intended
        |confidential|for)|may\scontain|has\sbeen\s(?:scanned|checked))
    | the\sinformation\scontained\sin | please\sconsider\sthe\senvironment | before\sprinting
    | (?:diese|die)\s(?:e-?mail|nachricht)\s(?:enthält|ist\s(?:nur|vertraulich|ausschlie)|kann\svertraulich
        |und\s(?:alle|etwaige|ihre))
    | der\sinhalt\sdieser\s(?:e-?mail|nachricht) | vertraulichkeitshinweis | haftungsausschluss
    | (?:ce|cet)\s(?:message|courriel|e-?mail)\s(?:et\s(?:toutes|ses|les)|est\s(?:confidentiel|destiné
        |exclusivement)|contient|peut\scontenir)
    | (?:este|esta)\s(?:mensaje|correo|mensagem|e-?mail|comunicación)\s(?:y\s|e\s(?:seus|qualquer)|contiene
        |está\sdirigid|es\sconfidencial|é\sconfidencial|contém|se\sdirige|pode\sconter)
    | aviso\s(?:legal|de\sconfidenciali?dad[e]?) | avviso\sdi\sriservatezza
    | (?:questo|il\spresente|la\spresente)\s(?:messaggio|e-?mail)\s(?:e\s|è\s|contiene|può)
    | (?:dit|deze)\s(?:bericht|e-?mail)\s(?:en\s|is\s(?:uitsluitend|alleen|vertrouwelijk|bestemd)|kan\s|bevat)
    | (?:det\shär|detta|denne|dette)\s(?:meddelande|meddelelse|e-?postmeddelande|mail|e-?mail
        |e-post)\s(?:och\s|og\s|är\s|er\s|kan\s|innehåller|indeholder)
    | (?:ta|niniejsza)\swiadomość\s
    | (?:to|данное|это)\s(?:сообщение|письмо)\s(?:и\s|содержит|может|предназначено)
    )""",
    re.IGNORECASE | re.VERBOSE,
)

DISCLAIMER_WORDS = re.compile(
    r"""confiden | privileg | intended | recipient | addressee | disclos | unauthori | virus | scanned
    | malware | liab | environment | printing\s(?:this|it\b|e-?mail) | legal\b | disclaimer | vertraulich
    | empfänger
    | adressat | bestimmt | haftung | viren | destin | sigilo | riservat | vertrouwelijk | geadresseerde
    | bestemd | fortrolig | konfidenti | mottagar | modtager | mottaker | poufn | adresat | конфиденц
    | адресат
    """,
    re.IGNORECASE | re.VERBOSE,
)
FOOTER_SHORTEST = 12

ANSWERED_SUBJECT = re.compile(
    r"^\s*(?:re|aw|antw|antwort|sv|vs|res|resp|rv|ref|réf|r|rif|i|fw|fwd|wg|tr|enc|odp|pd|ynt|vl|hl|na|doorst"
    r"|vb|回复|答复|转发|回覆|轉寄|返信)(?:\s?\[?\d+\]?)?\s?[::]|\#\d",
    re.IGNORECASE,
)
"""What begins the Subject of an answer or of a mail that is passed on, or names one of our games."""
