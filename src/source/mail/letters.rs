//! Recognises texts with messages that do not begin as mail does: exports of mail programs in the
//! reader's own language, forwarded messages, digests (RFC 1153), and messages after empty or ruled
//! lines. They are scanned as text, but their links are requested under the restrictions of mail.
//!
//! Only the first bytes decide, so that cuts make no difference. Only texts without markup are
//! examined: a document about mail, in Markdown or HTML, remains a document. So does a program. The
//! exception is a table of messages, as mail programs export it. Text that is not UTF-8 is read in
//! the charsets that mail programs save in. A plain text that
//! shows a whole header at the beginning of its lines counts as mail, which is the safe choice; one
//! that shows it indented does not. Not recognised: headers beyond the first bytes.

use std::borrow::Cow;

use super::charset::Charset;
use super::mime::{self, Coding};
use crate::source::markup::{self, Markup};

/// Maximum number of bytes that are examined, and of lines.
const HEAD_LEN_MAX: usize = 8 * 1024;
const LINES_MAX: usize = 400;
/// Maximum number of letters in the name of a field.
const LABEL_LETTERS_MAX: usize = 24;
/// Minimum number of dashes before words such as `Original Message`.
const DASHES_MIN: usize = 4;

/// Maximum number of letters in a line that only numbers a message.
const NUMBER_LETTERS_MAX: usize = 30;

/// Endings of the names of programs, settings and patches, beside those of documents (`Markup`).
/// All other endings may denote a saved text: `.bak`, `.old`, `.letter`.
#[rustfmt::skip]
static CODE: &[&str] = &[
    "ada", "adb", "ads", "am", "asm", "awk", "bas", "bash", "bat", "bzl", "c", "cc", "cfg", "cjs",
    "clj", "cmake", "cmd", "cnf", "conf", "config", "coffee", "cpp", "cs", "cxx", "d", "dart",
    "desktop", "diff", "dockerfile", "el", "elm", "env", "erl", "ex", "exs", "f", "f90", "fish",
    "fs", "go", "gradle", "graphql", "groovy", "h", "hcl", "hpp", "hrl", "hs", "hxx", "in", "inc",
    "inf", "ini", "ipp", "java", "jl", "js", "kt", "kts", "less", "lisp", "lock", "lua", "m", "m4",
    "mak", "mjs", "mk", "ml", "mli", "nim", "nix", "nu", "pas", "patch", "pl", "pm", "proto", "ps1",
    "psm1", "pxd", "py", "pyi", "pyx", "r", "rake", "rb", "reg", "rs", "s", "sass", "scala", "scm",
    "scss", "service", "sh", "spec", "sql", "swift", "t", "tcl", "tf", "tmpl", "toml", "ts", "v",
    "vb", "vbs", "vhd", "vim", "yaml", "yml", "zig", "zsh",
];

/// The purpose of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    From = 1,
    Date = 2,
    To = 4,
    Subject = 8,
}

/// Names of fields, as mail programs print them, in lower case.
#[rustfmt::skip]
static LABELS: &[(Field, &[&str])] = &[
    (Field::From, &[
        "from", "von", "de", "da", "van", "från", "fra", "lähettäjä", "od", "feladó", "від", "от",
        "από", "kimden", "gönderen", "من", "از", "מאת", "प्रेषक", "จาก", "từ", "dari", "差出人",
        "送信者",
        "发件人", "寄件者", "寄件人", "보낸 사람", "보낸사람", "expéditeur", "absender", "remitente",
        "mittente", "remetente", "afzender", "avsändare", "avsender", "afsender", "nadawca",
        "odesílatel", "odosielateľ", "expeditor", "отправитель", "відправник", "подател",
        "αποστολέας", "pošiljatelj", "пошиљалац", "шаље", "nuo", "no", "saatja", "sender",
        "sent by",
        "de la", "à partir de", "发信人",
    ]),
    (Field::Date, &[
        "date", "sent", "gesendet", "datum", "envoyé", "envoyé le", "enviado", "enviado el",
        "enviada em", "enviada", "fecha", "data", "data di invio", "inviato", "verzonden",
        "skickat",
        "sendt", "dato", "lähetetty", "päivämäärä", "päiväys", "wysłano", "wysłane", "odesláno",
        "odoslané", "elküldve", "küldve", "dátum", "trimis", "отправлено", "дата", "надіслано",
        "изпратено", "στάλθηκε", "ημερομηνία", "gönderildi", "tarih", "gönderme tarihi", "تاريخ",
        "التاريخ", "تم الإرسال", "أرسلت", "تاریخ", "ارسال شده", "תאריך", "נשלח", "दिनांक",
        "भेजा गया",
        "วันที่", "ส่ง", "ngày", "đã gửi", "tanggal", "dikirim", "terkirim", "日付", "送信日時", "日時",
        "日期", "发送时间", "发送日期", "傳送時間", "寄件日期", "寄件時間", "时间", "보낸 날짜", "날짜",
        "보낸날짜", "poslano", "послато", "išsiųsta", "nosūtīts", "saadetud", "enviat",
    ]),
    (Field::To, &[
        "to", "an", "à", "a", "para", "aan", "till", "til", "vastaanottaja", "do", "komu",
        "címzett",
        "către", "catre", "кому", "до", "προς", "kime", "alıcı", "إلى", "الى", "به", "אל",
        "प्रति",
        "ถึง", "đến", "tới", "kepada", "untuk", "宛先", "收件人", "收件者", "받는 사람", "받는사람", "za",
        "empfänger", "destinataire", "destinatario", "destinatário", "ontvanger", "mottagare",
        "mottaker",
        "modtager", "odbiorca", "příjemce", "príjemca", "получатель", "получател", "παραλήπτης",
        "cc", "kopie", "копия", "per a", "pentru", "kam", "kellele", "收信人",
    ]),
    (Field::Subject, &[
        "subject", "betreff", "objet", "asunto", "assunto", "oggetto", "onderwerp", "ämne",
        "emne",
        "aihe", "temat", "předmět", "predmet", "tárgy", "subiect", "тема", "относно", "θέμα",
        "konu",
        "الموضوع", "موضوع", "נושא", "विषय", "เรื่อง", "หัวเรื่อง", "chủ đề", "tiêu đề",
        "subjek", "perihal",
        "件名", "主题", "主題", "主旨", "标题", "제목", "tema", "наслов", "teema", "assumpte", "re",
    ]),
];

/// Reports whether the plain text called `name`, which begins with `head`, contains messages.
pub(in crate::source) fn holds_letters(head: &[u8], name: &[u8]) -> bool {
    let head = head.get(..HEAD_LEN_MAX).unwrap_or(head);
    is_plain(name) && readings(head).any(|text| names_sender(&text) && begins_letter(&text))
}

/// Reports whether the table that begins with `head` contains messages: a mail program exports
/// their senders and subjects as columns.
pub(in crate::source) fn holds_table(head: &[u8]) -> bool {
    let end = memchr::memchr(b'\n', head).unwrap_or(head.len()).min(HEAD_LEN_MAX);
    let head = head.get(..end).unwrap_or_default();
    readings(head).any(|line| names_letters(&line))
}

/// Reports whether `line` names columns for messages: their senders, their subjects, and one more.
/// Some programs add a remark to the name of a field: `"From: (Address)"`.
fn names_letters(line: &str) -> bool {
    let line = line.trim_start_matches('\u{FEFF}');
    let mut seen = 0;
    for cell in line.split([',', ';', '\t']) {
        let name = cell.split(['(', ':']).next().unwrap_or_default();
        let name = name.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
        seen |= purpose(name).map_or(0, |field| field as u8);
    }
    let least = Field::From as u8 | Field::Subject as u8;
    seen & least == least && seen.count_ones() > least.count_ones()
}

/// Returns the text that `head` may be: as it is, and in other charsets if it is not UTF-8, or
/// switches between sets of characters.
fn readings(head: &[u8]) -> impl Iterator<Item = Cow<'_, str>> {
    /// Bytes of a character that the end of `head` may cut.
    const CUT_MAX: usize = 3;
    let (text, is_utf8) = match std::str::from_utf8(head) {
        Ok(text) => (Cow::Borrowed(text), true),
        Err(error) => {
            let is_cut = head.len() - error.valid_up_to() <= CUT_MAX && error.error_len().is_none();
            (String::from_utf8_lossy(head), is_cut)
        }
    };
    let switches = memchr::memmem::find(head, b"\x1B$").is_some();
    // Pictures and programs have NULs, which no text in these charsets has.
    let is_legacy = !is_utf8 && memchr::memchr(0, head).is_none() && may_name_fields(head);
    let legacy = is_legacy.then(Charset::likely);
    let charsets = legacy.into_iter().flatten().chain(switches.then_some(Charset::Iso2022));
    let decode = move |charset| {
        let text = mime::decode(Coding::Charset(charset), head);
        Cow::Owned(String::from_utf8_lossy(&text).into_owned())
    };
    std::iter::once(text).chain(charsets.map(decode))
}

/// Reports whether two lines of `head` may begin with the names of fields beyond US-ASCII.
fn may_name_fields(head: &[u8]) -> bool {
    /// Colons: of US-ASCII, and wide ones in the charsets of China and Japan.
    const COLONS: [&[u8]; 4] = [b":", b"\xA3\xBA", b"\xA1\x47", b"\x81\x46"];
    const LABEL_LEN_MAX: usize = 2 * LABEL_LETTERS_MAX;
    const FIELDS_MIN: usize = 2;
    let is_field = |line: &&[u8]| {
        let begin = line.get(..LABEL_LEN_MAX).unwrap_or(line);
        let colon = COLONS.iter().filter_map(|colon| memchr::memmem::find(begin, colon)).min();
        colon.is_some_and(|at| begin.get(..at).is_some_and(|label| !label.is_ascii()))
    };
    let lines = head.split(|byte| *byte == b'\n').take(LINES_MAX);
    lines.filter(is_field).take(FIELDS_MIN).count() == FIELDS_MIN
}

/// Reports whether a line of `text` begins with the name of a field for the sender, without which
/// no header begins in it. Few texts have such a line, and a search for colons tells that.
fn names_sender(text: &str) -> bool {
    /// The first byte of the wide colon.
    const WIDE_FIRST: u8 = 0xEF;
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(rest) = bytes.get(from..)
        && let Some(len) = memchr::memchr2(b':', WIDE_FIRST, rest)
    {
        let (before, after) = rest.split_at(len);
        let start = from + memchr::memrchr(b'\n', before).map_or(0, |feed| feed + 1);
        let end = memchr::memchr(b'\n', after).map_or(bytes.len(), |feed| from + len + feed);
        let line = text.get(start..end).unwrap_or_default().trim_start_matches('\u{FEFF}');
        if field(unquoted(line)) == Some(Field::From) {
            return true;
        }
        from = end + 1;
    }
    false
}

/// Reports whether a header begins in `text`.
fn begins_letter(text: &str) -> bool {
    let text = text.trim_start_matches('\u{FEFF}');
    // A header may begin a text, or follow an empty line, a ruled one, or words that announce it.
    let mut may_begin = true;
    let mut is_first = true;
    let mut lines = text.split('\n').take(LINES_MAX).peekable();
    while let Some(line) = lines.next() {
        let line = unquoted(line);
        let is_border = line.is_empty() || is_ruled(line) || is_numbered(line);
        if is_border || announces(line) || line.starts_with("From ") {
            may_begin = true;
            continue;
        }
        if !may_begin {
            continue;
        }
        let mut seen = field(line).map_or(0, |field| field as u8);
        if seen == 0 && label(line).is_none() {
            (may_begin, is_first) = (false, false);
            continue;
        }
        while let Some(line) = lines.peek() {
            let is_folded = line.starts_with([' ', '\t']) && !line.trim().is_empty();
            let line = unquoted(line);
            if !is_folded && label(line).is_none() {
                break;
            }
            seen |= if is_folded { 0 } else { field(line).map_or(0, |field| field as u8) };
            lines.next();
        }
        // The sender and two more fields; at the beginning, one more suffices.
        let least = if is_first { 2 } else { 3 };
        if seen & Field::From as u8 != 0 && seen.count_ones() >= least {
            return true;
        }
        (may_begin, is_first) = (false, false);
    }
    false
}

/// Reports whether `name` is that of a plain text: it has no ending, or one of no language.
fn is_plain(name: &[u8]) -> bool {
    let name = markup::without_packing(name);
    if Markup::by_name(name).is_some() {
        return false;
    }
    let file = name.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let Some(at) = memchr::memrchr(b'.', file).filter(|at| *at > 0) else { return true };
    let ending = String::from_utf8_lossy(file.get(at + 1..).unwrap_or_default());
    let ending = ending.to_ascii_lowercase();
    !CODE.contains(&&*ending)
}

/// Returns a line without quote marks and marks of bold text at its beginning, and without blanks
/// at its end. An indented line keeps its indentation, since examples are indented.
fn unquoted(line: &str) -> &str {
    let line = line.trim_end();
    let mut rest = line;
    while let Some(after) = rest.strip_prefix(['>', '|']) {
        rest = after.strip_prefix(' ').unwrap_or(after);
    }
    rest.strip_prefix("**").or_else(|| rest.strip_prefix('*')).unwrap_or(rest)
}

/// Reports whether `line` is ruled, with or without words after its dashes: `-----Original
/// Message-----`.
fn is_ruled(line: &str) -> bool {
    let dash = |c: char| "-_=*~#+—–─━•".contains(c);
    let is_spaced = line.chars().all(|c| dash(c) || c.is_whitespace());
    let words = line.trim_start_matches(dash);
    is_spaced || line.chars().count() - words.chars().count() >= DASHES_MIN
}

/// Reports whether `line` only numbers a message: `Message 1`, `[1]`, `1.`, `2 of 5`.
fn is_numbered(line: &str) -> bool {
    const WORDS_MAX: usize = 4;
    let is_number = |word: &str| {
        let digits = word.trim_matches(|c: char| "#[](){}.:".contains(c));
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_word = |word: &str| word.chars().all(char::is_alphabetic);
    let words = || line.split_whitespace();
    line.len() <= NUMBER_LETTERS_MAX
        && words().count() <= WORDS_MAX
        && words().any(is_number)
        && words().all(|word| is_number(word) || is_word(word))
}

/// Reports whether `line` may announce a forwarded message: a short line that ends in a colon, as
/// in `Begin forwarded message:`.
fn announces(line: &str) -> bool {
    const LETTERS_MAX: usize = 60;
    let text = line.trim_end_matches(['*', ' ']);
    (text.ends_with(':') || text.ends_with('：'))
        && field(line).is_none()
        && text.chars().count() <= LETTERS_MAX
}

/// Returns the name of the field that `line` may be, without its colon.
fn label(line: &str) -> Option<&str> {
    let end = line.find([':', '：'])?;
    let label = line.get(..end)?;
    let is_indented = label.starts_with([' ', '\t']);
    let label = label.trim_end_matches(['*', ' ', '\u{A0}', '\u{202F}', '\u{3000}']);
    let is_name =
        |c: char| c.is_alphanumeric() || " -'_.\u{A0}".contains(c) || u32::from(c) >= 0x300;
    let is_short = label.chars().count() <= LABEL_LETTERS_MAX;
    let is_uri = line.get(end..).is_some_and(|rest| rest.starts_with("://"));
    let fits = !label.is_empty() && !is_indented && is_short && label.chars().all(is_name);
    (fits && !is_uri).then_some(label)
}

/// Returns the purpose of the field in `line`.
fn field(line: &str) -> Option<Field> {
    purpose(label(line)?)
}

/// Returns the purpose of the field called `label`.
pub(super) fn purpose(label: &str) -> Option<Field> {
    let label = label.to_lowercase();
    let is_one = |(_, labels): &&(Field, &[&str])| labels.contains(&&*label);
    LABELS.iter().find(is_one).map(|(field, _)| *field)
}

#[cfg(test)]
mod tests {
    use super::{begins_letter, holds_letters, holds_table, names_sender};

    #[track_caller]
    fn case(text: &str, name: &str, expected: bool) {
        assert!(names_sender(text) || !begins_letter(text), "{text}");
        assert_eq!(holds_letters(text.as_bytes(), name.as_bytes()), expected, "{name}: {text}");
    }

    #[test]
    fn exports_in_any_language_are_letters() {
        for text in [
            "Von: Anna <a@h.example>\nGesendet: Montag\nAn: Bob\nBetreff: Neues\n\nHallo",
            "De : Anna\nEnvoyé : lundi\nÀ : Bob\nObjet : Nouvelles\n\nBonjour",
            "De: Anna\nEnviado el: lunes\nPara: Bob\nAsunto: Noticias\n",
            "Da: Anna\nInviato: lunedì\nA: Bob\nOggetto: Novità\n",
            "差出人: Anna\n送信日時: 2024\n宛先: Bob\n件名: news\n",
            "发件人：Anna\n发送时间：2024\n收件人：Bob\n主题：news\n",
            "보낸 사람: Anna\n보낸 날짜: 2024\n받는 사람: Bob\n제목: news\n",
            "От: Анна\nОтправлено: понедельник\nКому: Боб\nТема: новости\n",
            "Od: Anna\nWysłano: poniedziałek\nDo: Bob\nTemat: nowości\n",
            "מאת: Anna\nנשלח: יום שני\nאל: Bob\nנושא: news\n",
            "\n\n\nFrom: Anna\nSubject: news\n\n",
            "-- \n----------\n\nFrom: Anna\nTo: Bob\n",
            "*From:* Anna\n*Sent:* Monday\n*To:* Bob\n",
            "> From: Anna\n> To: Bob\n> Subject: a\n",
            "see below\n\n-----Original Message-----\nFrom: Anna\nSent: Monday\nTo: Bob\n",
            "fyi\n\n---------- Forwarded message ---------\nFrom: Anna <a@h.example>\nDate: Mon\n\
             Subject: news\nTo: Bob\n",
            "Begin forwarded message:\n\nFrom: Anna\nSubject: news\nDate: Monday\nTo: Bob\n",
            "-------- Weitergeleitete Nachricht --------\nBetreff: Neues\nDatum: Mon\nVon: Anna\n",
            "* * *\nFrom: Anna\nTo: Bob\n",
            "#####\nFrom: Anna\nTo: Bob\n",
            "fyi\n\n+++++\nFrom: Anna\nTo: Bob\nSubject: a\n",
            "Message 1\nFrom: Anna\nTo: Bob\nSubject: a\n",
            "[1]\nFrom: Anna\nTo: Bob\nSubject: a\n",
            "my letters\n1.\nFrom: Anna\nTo: Bob\nSubject: a\n",
            "Rust Digest        Mon, 3 Jun 2002     Volume 2 : Issue 3\n\nToday's Topics:\n\
             \x20   news\n\n----------------------\n\nDate: Mon\nFrom: Anna\nSubject: news\n",
        ] {
            case(text, "a", true);
            case(text, "a.TXT", true);
            for ending in
                ["bak", "old", "eml.bak", "email", "letter", "mbx", "inbox", "txt~", "2024"]
            {
                case(text, &format!("a.{ending}"), true);
            }
            case(&text.replace('\n', "\r\n"), "mail/a.txt.gz", true);
            case(text, "a.md", false);
            case(text, "a.html", false);
            case(text, "a.rs", false);
        }
    }

    #[test]
    fn exports_in_legacy_charsets_are_letters() {
        let cases = [
            ("windows-1251", "От: Анна\r\nОтправлено: 3\r\nКому: Боб\r\nТема: новости\r\n"),
            ("koi8-r", "От: Анна\nОтправлено: понедельник\nКому: Боб\nТема: новости\n"),
            ("windows-1250", "Odesílatel: Anna\nPředmět: zprávy\nPříjemce: Bob\n"),
            ("shift_jis", "差出人: Anna\n送信日時: 2024\n宛先: Bob\n件名: news\n"),
            ("gbk", "发件人：Anna\n发送时间：2024\n收件人：Bob\n主题：news\n"),
            ("big5", "寄件者: Anna\n寄件日期: 2024\n收件者: Bob\n主旨: news\n"),
        ];
        for (label, text) in cases {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
            let (bytes, _, _) = encoding.encode(text);
            assert!(holds_letters(&bytes, b"a.txt"), "{label}");
            assert!(!holds_letters(&bytes, b"a.rs"), "{label}");
        }
        let japanese = b"\x1B$B:9=P?M\x1B(B: Anna\n\x1B$B7oL>\x1B(B: news\n";
        assert!(holds_letters(japanese, b"a.txt"));
        let (prose, _, _) = encoding_rs::WINDOWS_1251.encode("Да: это так\nНет: это не так\n");
        assert!(!holds_letters(&prose, b"a.txt"));
    }

    #[test]
    fn exported_tables_are_letters() {
        for (head, expected) in [
            ("\"Subject\",\"Body\",\"From: (Name)\",\"From: (Address)\",\"To: (Name)\"\r\n", true),
            ("\"Betreff\";\"Text\";\"Von: (Name)\";\"Von: (Adresse)\";\"An: (Name)\"\n", true),
            ("date,from,to,subject\n", true),
            ("from,to,distance\nA,B,3\n", false),
            ("subject,from\n", false),
            ("name,url\n", false),
        ] {
            assert_eq!(holds_table(head.as_bytes()), expected, "{head}");
        }
    }

    #[test]
    fn texts_are_not() {
        for text in [
            "",
            "From: Anna\n",
            "From here on\nto there: it goes\n",
            "A header looks so:\n\n    From: Anna\n    To: Bob\n    Subject: news\n",
            "Title: mail\nDate: 2024-01-01\n\nFrom: is a field.\n",
            "see From: Anna\nTo: Bob\n",
            "no line of a header\nFrom: Anna\nTo: Bob\nSubject: news\n",
            "http://h.example/\nTo: Bob\nSubject: news\n",
        ] {
            case(text, "a.txt", false);
        }
    }
}
