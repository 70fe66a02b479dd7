//! Tells notices from reports: sentences about something that waits for an answer, and about
//! something done.
//!
//! Programs write notices in the third person (`Ann asks for access to the group`, `A message waits
//! in the queue`). They say nothing of their reader and look like headlines, but their links act.
//! A report is the reverse: it has the noun of an action (`the result of the vote`), and its link
//! leads to a text.
//!
//! Words of six letters or more match whatever their ending is, and shorter ones, and several in a
//! row, only before a star.

use std::sync::LazyLock;

use super::prose::{Says, folded, is_glued_script};

/// Beginnings of words, or of several in a row, of notices: requests, and states of waiting.
#[rustfmt::skip]
const WAITING: &[&str] = &[
    "asked for", "asked to", "asks for", "asks to", "is asking", "has offered", "offers to",
    "applied for", "applied to", "applies for", "requests", "waiting", "waits", "wait for",
    "await*", "pending", "is held", "are held", "was held", "on hold", "in the queue", "queued",
    "up for", "is free", "are free", "free slot", "free seat", "free place", "free spot",
    "open until", "open to", "open for", "to be signed", "to be approved", "sign up", "signed off",
    "shared by", "was shared", "paused", "hidden by", "go ahead", "not been proven",
    "for a decision", "nominated", "would like to", "wants to", "wants you", "wishes to",
    "has not answered", "flagged", "must be", "has to be", "overdue", "needs a", "needs to be",
    "invites", "expires", "nobody has", "no one has", "ends on", "closes on", "is open for",
    "is out for", "until somebody", "until someone", "erbeten", "erbittet", "bittet", "bitten um",
    "beantragt", "mochte in", "wartet", "warten auf", "in der schlange", "in der warteschlange",
    "steht aus", "stehen aus", "ausstehend", "frei geworden", "ist frei", "sind frei", "noch frei",
    "offen bis", "zur freigabe", "zur abstimmung", "zur unterschrift", "angehalten",
    "zuruckgehalten", "muss noch", "demande a", "demande d", "demande l", "demandent", "souhaite",
    "attend", "attendent", "en attente", "dans la file", "est libre", "sont libres", "s est liber*",
    "reste libre", "a signer", "a valider", "a approuver", "doit etre", "ouvert jusqu*",
    "ouverte jusqu*", "pide", "piden", "solicita", "espera en", "esperan", "en espera",
    "en la cola", "sitio libre", "plaza libre", "lugar libre", "queda un", "pendiente", "retenid",
    "abierto hasta", "abierta hasta", "quiere entrar", "desea entrar", "chiede", "chiedono",
    "aspetta", "attende", "attendono", "in attesa", "in coda", "posto libero", "si e liberat*",
    "in sospeso", "trattenut", "aperto fino", "aperta fino", "da firmare", "da approvare", "pede",
    "pedem", "espera na", "aguarda", "na fila", "ficou livre", "lugar livre", "vaga livre",
    "pendente", "aberto ate", "aberta ate", "por assinar", "vraagt", "wacht", "in de rij",
    "is vrij", "vrijgekomen", "nog vrij", "open tot", "moet nog", "ber om", "begar", "vantar",
    "i kon", "blivit ledig", "ar ledig", "ledig plats", "oppen till", "beder om", "anmoder",
    "venter", "i koen", "plads fri", "er ledig", "ledig plads", "aben til", "ledig plass",
    "apen til", "pyyta*", "odotta*", "jonossa", "vapaa paikka", "vapautu", "avoinna", "bidur",
    "bida eftir", "laust saeti", "prosi o", "prosza o", "czeka*", "oczekuj", "w kolejce",
    "zwolnilo sie", "wolne miejsce", "zada o", "zadaji o", "ceka", "cekaji", "ve fronte", "uvolnil",
    "volne misto", "ziada", "ziadaju", "caka", "cakaju", "v rade", "volne miesto", "szeretne",
    "keri", "kerik", "var a sor*", "varakoz", "a sorban", "felszabadult", "szabad hely", "cere",
    "solicita", "asteapta", "la rand", "s a eliberat", "loc liber", "in asteptare", "trazi",
    "moli za", "na cekanju", "oslobodi", "slobodno mjesto", "cekanj", "v vrsti", "sprosti",
    "prosto mesto", "просит", "просят", "просит", "ждет", "ждут", "ожида*", "в очереди",
    "освободил", "просить", "просять", "чекає", "чекають", "очіку*", "в черзі", "у черзі",
    "звільнил", "вільне місце", "свободное место", "моли за", "иска да", "чака", "в опашката",
    "освободи*", "тражи", "чека", "на чекању", "ослободи", "просіць", "чакае", "ζητα", "ζητουν",
    "περιμεν", "αναμεν", "στην ουρα", "αδειασε", "κενη θεση", "κενες θεσεις", "istiyor", "bekliyor",
    "bekleme", "sirada", "yer acil*", "bos yer", "onay bekl*", "تطلب", "يطلب", "طلبت", "تنتظر",
    "ينتظر", "بانتظار", "شاغر", "في الصف", "מבקש*", "ממתינ*", "ממתין", "בתור", "התפנה", "درخواست",
    "منتظر", "در صف", "चाहत*", "प्रतीक्षा", "कतार", "खाली", "xin vào", "yêu cầu", "đang chờ",
    "chờ duyệt", "hàng chờ", "chỗ trống", "còn chỗ", "meminta", "minta", "menunggu", "dalam antre*",
    "dalam antri*", "kosong", "menanti", "demana", "a la cua", "lloc lliure", "eskatu du",
    "zain dago", "leku libre", "agarda", "praso", "laukia", "eileje", "atsilaisvin", "ludz",
    "gaida", "atbrivoj", "palub", "ootab", "ootavad", "jarjekorras", "vabane", "kerkon",
    "eshte ne pritje", "vend i lire", "anaomba", "inasubiri", "humihiling", "naghihintay",
    "bakante", "vra om", "wag op", "petas", "atendas", "ითხოვს", "ელოდება", "თავისუფალია",
    "խնդրում", "սպասում", "ազատ տեղ", "сұрай*", "күтіп*", "бос орын", "istəyir", "gözləyir",
    "boş yer",
];

/// The same of scripts that put no blanks between words.
#[rustfmt::skip]
const GLUED_WAITING: &[&str] = &[
    "待っ", "待ち", "空席", "申請", "希望し", "保留", "求めて", "等待", "排队", "排隊", "空出", "名额", "名額", "申请",
    "待审", "待審", "请求", "請求", "원합니다", "대기", "자리가 났", "자리가 비", "신청", "기다리", "보류", "รอการ", "ขอเข้า",
    "ที่ว่าง", "ในคิว",
];

/// Beginnings of words for what is done and written down: results, minutes, explanations.
#[rustfmt::skip]
const REPORTED: &[&str] = &[
    "result", "minutes", "outcome", "explain", "describ", "how the", "how we", "program",
    "ergebnis", "auswertung", "protokoll", "beschrieb", "beschreib", "erklar", "erlauter",
    "resultat", "compte rendu", "proces verbal", "expliqu", "resultado", "acta", "explica",
    "contamos como", "esito", "risultat", "verbale", "spiega", "spieghiamo", "ata", "explicamos",
    "uitslag", "notulen", "legt uit", "leggen uit", "is gedaan", "beschreven", "referat", "gjordes",
    "gjorde vi", "beskriv", "forklar", "tulos", "tulokset", "poytakirj", "selita", "kuvaa*",
    "wynik*", "protokol", "opisuj", "opisan", "powstal", "vysled", "zapis*", "popisuj", "vznikl",
    "eredmeny", "jegyzokonyv", "leirjuk", "keszult", "magyaraz", "rezultat", "zapisnik", "objasn",
    "итог*", "протокол", "результат", "описан", "описыва", "объясн", "проводил", "підсумк",
    "описує", "поясню", "резултат", "обяснява", "записник", "αποτελεσμα", "πρακτικα", "εξηγ*",
    "περιγραφ", "sonuc*", "tutanak", "tutanag", "acikl*", "anlatiyor", "نتيجة", "نتائج", "محضر",
    "نشرح", "תוצאות", "פרוטוקול", "נתיجه", "نتیجه", "صورتجلسه", "kết quả", "biên bản", "giải thích",
    "hasil", "notulen", "menjelaskan", "jelaskan", "resultat", "ohjelma", "программ", "програма",
    "програми", "προγραμμα", "chương trình", "acara", "emaitz", "aktan", "rezultatai", "rezultati",
    "tulemus", "rezultatet", "matokeo",
];

/// The same of scripts that put no blanks between words.
const GLUED_REPORTED: &[&str] = &[
    "結果",
    "議事録",
    "説明",
    "结果",
    "会议记录",
    "會議記錄",
    "说明",
    "介绍",
    "결과",
    "회의록",
    "설명",
    "ผลการ",
];

/// Beginnings of nouns that tables have as those of buttons: votes, surveys, passwords.
#[rustfmt::skip]
const NOUNS: &[&str] = &[
    "vote", "votes", "voting", "poll", "polls", "survey", "surveys", "ballot", "password",
    "passwords", "election", "abstimmung", "umfrage", "passwort", "passworter", "kennwort",
    "scrutin", "enquete", "sondage", "votacion", "encuesta", "contrasena", "votazione", "sondaggio",
    "votacao", "inquerito", "pesquisa", "senha", "senhas", "stemming", "wachtwoord", "omrostning",
    "enkat*", "losenord", "afstemning", "undersogelse", "adgangskode", "avstemning", "undersokelse",
    "passord", "aanestyks", "kysely", "salasana", "glosowani", "ankiet", "haslo", "hasla", "hasel",
    "hlasovan", "pruzkum", "prieskum", "heslo", "hesel", "hesla", "szavazas", "felmeres", "jelszo",
    "votului", "votul", "sondaj", "parola", "parole", "glasanj", "glasovanj", "anket*", "lozink",
    "geslo", "gesla", "голосовани", "опрос*", "парол*", "голосуванн", "опитуванн", "гласуван",
    "гласањ", "анкет*", "ψηφοφορι", "ερευνα", "δημοσκοπησ", "κωδικ", "oylama", "sifre*", "التصويت",
    "الاستطلاع", "كلمة المرور", "ההצבעה", "הסקר", "bỏ phiếu", "khảo sát", "mật khẩu",
    "pemungutan suara", "survei", "kata sandi", "balsavim", "balsojum", "haaletus",
];

/// The same of scripts that put no blanks between words.
const GLUED_NOUNS: &[&str] = &[
    "投票",
    "調査",
    "アンケート",
    "パスワード",
    "调查",
    "問卷",
    "问卷",
    "密码",
    "투표",
    "설문",
    "조사",
    "비밀번호",
];

/// Words for minutes and hours, and for what is valid so long.
#[rustfmt::skip]
const MINUTES: &[&str] = &[
    "minut*", "minuut", "hour", "hours", "stunden", "heures", "horas", "ore", "uur", "timmar",
    "timer", "perc*", "minuc*", "минут*", "хвилин", "λεπτ*", "dakika", "dəqiqə", "دقيقة", "دقائق",
    "دقیقه", "דקות", "मिनट", "phút", "menit*", "minit*", "րոպե", "წუთ", "wuti*", "tuntia", "godzin",
    "hodin", "часов", "годин*", "saat", "ساعة", "ساعت", "שעות", "घंट", "giờ", "jam", "минути",
    "daqiqa",
];
const GLUED_MINUTES: &[&str] = &["分", "小时", "小時", "時間", "시간", "นาที", "ชั่วโมง"];
#[rustfmt::skip]
const VALID: &[&str] = &[
    "valid*", "good for", "expire", "runs out", "works for", "gultig", "gilt", "lauft ab",
    "valable", "expir*", "valido", "valida", "scade", "caduc*", "es valid", "geldig", "verloopt",
    "giltig", "gyldig", "gjelder", "galler", "utloper", "udlober", "voimassa", "gildir", "wazn*",
    "wygas", "platn*", "vyprsi", "ervenyes", "lejar", "valabil", "vrijedi", "istjece", "velja",
    "важи", "vazi", "валидн", "действ", "истек*", "дійсн", "діє", "ισχυ*", "ληγει", "gecerli",
    "gecer*", "صالح", "تنتهي", "معتبر", "תקף", "בתוקף", "मान्य", "वैध", "hiệu lực", "berlaku",
    "sah selama", "galioja", "derig*", "kehtib", "valid", "baliozko", "vixencia", "may bisa",
    "hudumu", "i vlefshem", "etibarl", "amal qiladi", "жарамды", "gultech", "validas", "მოქმედებს",
    "ძალაშია", "վավեր", "ddilys", "bailí", "valida per",
];
const GLUED_VALID: &[&str] = &["有効", "有效", "유효", "ใช้ได้", "หมดอายุ"];

/// A table of words, folded, and of texts in scripts without blanks.
struct Table {
    /// Each after a blank; before one, if the word must end there.
    spaced: Vec<String>,
    glued: &'static [&'static str],
}

impl Table {
    fn new(spaced: &[&str], glued: &'static [&'static str]) -> Self {
        Self { spaced: spaced.iter().map(|entry| spaced_entry(entry)).collect(), glued }
    }

    /// Reports whether `text`, folded, has an entry.
    fn is_in(&self, text: &str) -> bool {
        self.spaced.iter().any(|entry| text.contains(&**entry))
            || text.chars().any(is_glued_script)
                && self.glued.iter().any(|entry| text.contains(entry))
    }

    /// Returns `text`, folded, without the words of entries.
    fn removed_from(&self, text: &str) -> String {
        let mut rest = text.to_owned();
        for entry in &self.spaced {
            let stem = entry.trim_end();
            while let Some(at) = rest.find(&**entry) {
                let end = at + stem.len();
                let len = rest.get(end..).and_then(|text| text.find(' ')).unwrap_or_default();
                rest.replace_range(at..end + len, "");
            }
        }
        self.glued.iter().fold(rest, |rest, entry| rest.replace(entry, ""))
    }
}

/// Returns an entry as it is searched for.
fn spaced_entry(entry: &str) -> String {
    const STEM_LETTERS_MIN: usize = 6;
    let text = folded(entry);
    let text = text.trim();
    let is_long = !text.contains(' ') && text.chars().count() >= STEM_LETTERS_MIN;
    let end = if is_long || entry.ends_with('*') { "" } else { " " };
    [" ", text, end].concat()
}

static NOTICES: LazyLock<Table> = LazyLock::new(|| Table::new(WAITING, GLUED_WAITING));
static REPORTS: LazyLock<Table> = LazyLock::new(|| Table::new(REPORTED, GLUED_REPORTED));
static ACTIONS: LazyLock<Table> = LazyLock::new(|| Table::new(NOUNS, GLUED_NOUNS));
static SPANS: LazyLock<Table> = LazyLock::new(|| Table::new(MINUTES, GLUED_MINUTES));
static TERMS: LazyLock<Table> = LazyLock::new(|| Table::new(VALID, GLUED_VALID));

/// Reports whether `text` says for how many minutes or hours something holds, as mail says of the
/// links for a session.
pub(super) fn expires(text: &str) -> bool {
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let folded = folded(text);
    let words: Vec<&str> = folded.trim().split(' ').collect();
    let is_span = |pair: &[&str]| match pair {
        [one, other] => is_span(one, other) || is_span(other, one),
        _ => false,
    };
    (words.windows(2).any(is_span) || GLUED_MINUTES.iter().any(|it| folded.contains(it)))
        && TERMS.is_in(&folded)
}

/// Reports whether `number` is one of minutes or hours, which `word` names.
fn is_span(number: &str, word: &str) -> bool {
    const DIGITS_MAX: usize = 3;
    let is_number = number.len() <= DIGITS_MAX && number.bytes().all(|it| it.is_ascii_digit());
    is_number && SPANS.is_in(&[" ", word, " "].concat())
}

/// Reports whether `text` is about something that waits for an answer.
pub(super) fn awaits(text: &str) -> bool {
    NOTICES.is_in(&folded(text))
}

/// Reports whether `text` is about something done: it has a word for a report, and no word for an
/// action but nouns.
pub(super) fn reports(text: &str) -> bool {
    /// Minimum number of words of a sentence, without the nouns.
    const WORDS_MIN: usize = 2;
    let folded = folded(text);
    if !REPORTS.is_in(&folded) || NOTICES.is_in(&folded) {
        return false;
    }
    let rest = Says::of(&ACTIONS.removed_from(&folded));
    !rest.acts && !rest.leaves && rest.words >= WORDS_MIN
}

#[cfg(test)]
mod tests {
    use super::{awaits, expires, reports};

    #[test]
    fn notices_are_told_from_headlines() {
        for text in [
            "Ann asks for access to the group",
            "Ein Beitrag wartet in der Schlange",
            "Ann demande \u{E0} entrer dans le groupe",
            "Анна просит доступ",
            "\u{9806}\u{756A}\u{3092}\u{5F85}\u{3063}\u{3066}\u{3044}\u{307E}\u{3059}",
        ] {
            assert!(awaits(text), "{text}");
        }
        for text in [
            "The old harbour has a new roof",
            "Stadtrat stellt Pl\u{E4}ne vor",
            "Pedestrians open tobacco shops",
        ] {
            assert!(!awaits(text), "{text}");
        }
    }

    #[test]
    fn what_holds_for_minutes_is_known() {
        for text in [
            "It is valid for 15 minutes.",
            "Dit is 15 minute geldig.",
            "15\u{5206}\u{9593}\u{6709}\u{52B9}",
        ] {
            assert!(expires(text), "{text}");
        }
        for text in ["The last 15 minutes of the match", "It is valid.", "Valid from 2024 on"] {
            assert!(!expires(text), "{text}");
        }
    }

    #[test]
    fn reports_have_nouns_for_actions_and_no_verbs() {
        for text in [
            "The results of the vote are in the minutes",
            "Das Ergebnis der Abstimmung steht im Protokoll",
            "L'esito della votazione \u{E8} nel verbale",
            "How the survey was made is described here",
        ] {
            assert!(reports(text), "{text}");
        }
        for text in [
            "The minutes of the vote wait for approval",
            "The minutes are here, approve them",
            "Vote on the house",
            "Das Protokoll der Abstimmung genehmigen",
            "Umfrage zum Hafen",
        ] {
            assert!(!reports(text), "{text}");
        }
    }
}
