//! Decides which lines `From …` of a mailbox begin a message (RFC 4155, appendix A).
//!
//! The lines are written by programs that never agreed on a form, and writers begin sentences with
//! the same word. [`Signs`] collects the evidence for a message: the form of the line, the field
//! that follows, an empty line before, and the form of the first line of the mailbox.
//! [`Signs::begin`] alone decides; `corpus/mail/separators.tsv` lists its cases. `boxes`, which
//! knows the message around a line, decides that a line in a part begins nothing.

use super::lead::{is_blank_before, is_led};
use super::{LINE_LEN_MAX, after_way, is_of_way, is_quoted_field, line_len, name_len};

/// Bytes of a `From ` line and the field after it that are looked at.
pub(in crate::source) const SEPARATOR_LEN_MAX: usize = 1024;
/// Bytes of a `From ` line and the fields after it that are looked at where the line has no date.
pub(in crate::source) const CANDIDATE_LEN_MAX: usize = 4096;
/// Words of a `From ` line that are looked at: a sender, a date and a zone have fewer.
const WORDS_MAX: usize = 24;
/// Words before the date of a line that is followed by a field of no mail program: `joe at b dot
/// example` is a sender, a sentence has more.
const SENDER_WORDS_MAX: usize = 5;

/// The form of a `From ` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An address and a date, or a date as `ctime` writes it, which few people write.
    Dated,
    /// An address, and a time of day or a date.
    Timed,
    /// A time or a date as people write it, with words before it or none.
    Vague,
    /// A date with other words after it.
    Odd,
    /// Nothing else.
    Bare,
    /// Nothing else, and no blank: an editor removed it.
    Stripped,
    /// An address, or `-`.
    Sender,
    /// One word.
    Word,
    /// Words without a date.
    Words,
    /// A commit of git, with the date that `git format-patch` writes for all.
    Patch,
}

/// The first field after a `From ` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Field {
    /// No field.
    None,
    /// A name with blanks before its colon, or a line of UUCP.
    Loose,
    /// A field of any name.
    Other,
    /// A field that mail programs write.
    Known,
}

/// Signs that a `From ` line begins a message.
struct Signs<'t> {
    form: Form,
    field: Field,
    is_after_blank: bool,
    /// Whether bytes that programs leave between messages precede the line.
    is_led: bool,
    /// Whether the first word of the line is an address or `-`.
    is_of_sender: bool,
    is_first: bool,
    /// The form of the first line of the mailbox, where that is known.
    habit: Option<Form>,
    /// The lines that follow.
    next: &'t [u8],
}

impl Signs<'_> {
    /// Reports whether the line begins a message: the one decision.
    fn begin(&self) -> bool {
        let is_sure = || self.form == Form::Dated || self.heads_message();
        self.may_begin() && (!self.is_led || is_sure())
    }

    /// Reports whether the line begins a message where it is a line by itself.
    fn may_begin(&self) -> bool {
        let (blank, field) = (self.is_after_blank, self.field);
        let is_usual = |form| self.is_first || self.habit == Some(form);
        let is_strange = self.habit.is_some_and(|habit| habit != self.form);
        match self.form {
            Form::Dated => field >= Field::Other || blank && field == Field::Loose,
            Form::Patch if self.habit.is_none_or(|habit| habit == Form::Patch) => {
                field >= Field::Other
            }
            Form::Patch => false,
            Form::Timed => field == Field::Known || blank && field == Field::Loose,
            Form::Vague => {
                let is_trusted = field == Field::Known && self.habit != Some(Form::Dated);
                is_trusted || self.heads_message()
            }
            Form::Odd => {
                let is_expected = blank || is_usual(self.form) || self.is_of_sender;
                is_expected && self.heads_message()
            }
            Form::Bare if field == Field::Known => {
                blank || is_usual(self.form) || self.heads_message()
            }
            Form::Sender if field == Field::Known => {
                let is_confirmed = || !is_strange || self.is_addressed();
                blank && is_confirmed() || is_usual(self.form) || self.heads_message()
            }
            Form::Sender => blank && field == Field::Other && is_usual(self.form),
            Form::Word if field == Field::Known => {
                let is_expected = blank || is_usual(self.form);
                is_expected && (blank && !is_strange || self.heads_message())
            }
            Form::Stripped => (blank || is_usual(self.form)) && self.heads_message(),
            Form::Words => (is_usual(self.form) || self.is_of_sender) && self.heads_message(),
            Form::Bare | Form::Word => false,
        }
    }

    /// Reports whether the first field, if it has recipients, names one: an address, or a single
    /// word (RFC 5322 §3.6.3). People write more words after `To:`.
    fn is_addressed(&self) -> bool {
        let is_of_recipients = field_name(self.next)
            .is_some_and(|name| is_one_of(name, &[b"bcc", b"cc", b"from", b"reply-to", b"to"]));
        let value = super::value(self.next.get(..super::field_len(self.next)).unwrap_or_default());
        !is_of_recipients || words(&value).count() <= 1 || words(&value).any(is_address)
    }

    /// Reports whether the fields that every message has follow (RFC 5322 §3.6), or those that only
    /// programs write that send and deliver messages.
    fn heads_message(&self) -> bool {
        let (mut has_sender, mut has_date, mut known) = (false, false, 0);
        let mut of_programs = false;
        let mut rest = self.next;
        while !matches!(rest, [] | [b'\n' | b'\r', ..]) {
            let is_folded = known > 0 && matches!(rest, [b' ' | b'\t', ..]);
            let at = self.next.len() - rest.len();
            let is_passed = || known > 0 && is_quoted_field(self.next, at);
            if !is_folded && !is_passed() {
                let Some(name) = field_name(rest) else { break };
                has_sender |= is_one_of(name, &[b"from", b"sender"]);
                has_date |= is_one_of(name, &[b"date"]);
                of_programs |= is_one_of(name, &OF_PROGRAMS);
                known += usize::from(is_known(name));
            }
            rest = rest.get(line_len(rest)..).unwrap_or_default();
        }
        has_sender && has_date || of_programs && known >= 2
    }
}

/// Fields that only programs write that send or deliver messages.
const OF_PROGRAMS: [&[u8]; 6] = [
    b"content-transfer-encoding",
    b"delivered-to",
    b"message-id",
    b"mime-version",
    b"received",
    b"return-path",
];

/// Fields that mail programs write at the beginning of a header, beside [`PREFIXES`].
const KNOWN: [&[u8]; 39] = [
    b"apparently-to",
    b"approved",
    b"approved-by",
    b"bcc",
    b"cc",
    b"comments",
    b"control",
    b"date",
    b"delivered-to",
    b"delivery-date",
    b"disposition-notification-to",
    b"domainkey-signature",
    b"envelope-to",
    b"errors-to",
    b"expires",
    b"from",
    b"importance",
    b"in-reply-to",
    b"lines",
    b"mailing-list",
    b"message-id",
    b"mime-version",
    b"newsgroups",
    b"nntp-posting-host",
    b"organization",
    b"path",
    b"precedence",
    b"priority",
    b"received",
    b"references",
    b"reply-to",
    b"return-path",
    b"sender",
    b"status",
    b"subject",
    b"thread-topic",
    b"to",
    b"via",
    b"xref",
];

/// Prefixes of the names of other fields that mail programs write.
const PREFIXES: [&[u8]; 9] = [
    b"arc-",
    b"authentication-",
    b"content-",
    b"dkim-",
    b"list-",
    b"original-",
    b"received-",
    b"resent-",
    b"x-",
];

fn is_one_of(name: &[u8], names: &[&[u8]]) -> bool {
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Reports whether mail programs write a field of this name.
fn is_known(name: &[u8]) -> bool {
    let begins = |prefix: &&[u8]| {
        name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    PREFIXES.iter().any(begins) || is_one_of(name, &KNOWN)
}

/// Returns the name of the field that `line` begins with, when a colon follows it at once.
fn field_name(line: &[u8]) -> Option<&[u8]> {
    let len = name_len(line)?;
    line.get(..len).filter(|_| line.get(len) == Some(&b':'))
}

/// Reports whether the line at `at` begins a message, in a mailbox that nothing is known of.
#[must_use]
pub fn is_separator(bytes: &[u8], at: usize) -> bool {
    is_separator_of(bytes, at, None)
}

/// Reports whether the line at `at` begins a message, in a mailbox whose first line has the form
/// `habit`.
pub(in crate::source) fn is_separator_of(bytes: &[u8], at: usize, habit: Option<Form>) -> bool {
    let end = bytes.len().min(at.saturating_add(CANDIDATE_LEN_MAX));
    let text = bytes.get(at..end).unwrap_or_default();
    let line = text.get(..SEPARATOR_LEN_MAX).unwrap_or(text);
    let Some(form) = form(line) else { return false };
    let line = line.get(..line_len(line)).unwrap_or_default();
    let next = text.get(line.len()..).unwrap_or_default();
    // No quoted line follows a sender without a date.
    let is_dated = !matches!(form, Form::Stripped | Form::Word | Form::Words);
    let next = if is_dated { after_way(next) } else { next };
    let sender = words(line.get(super::FROM.len()..).unwrap_or_default()).next();
    let signs = Signs {
        form,
        field: field(line, next),
        is_after_blank: is_blank_before(bytes, at),
        is_led: is_led(bytes, at),
        is_of_sender: sender.is_some_and(is_address),
        is_first: at == 0 && habit.is_none(),
        habit,
        next,
    };
    signs.begin()
}

/// Returns the field that follows `line`, with which `next` begins.
fn field(line: &[u8], next: &[u8]) -> Field {
    let Some(len) = name_len(next) else {
        return if is_of_way(next) { Field::Loose } else { Field::None };
    };
    match next.split_at(len) {
        (name, [b':', ..]) if is_known(name) => Field::Known,
        (_, [b':', ..]) if is_of_sentence(line) => Field::None,
        (_, [b':', ..]) => Field::Other,
        _ => Field::Loose,
    }
}

/// Returns the form of the line that `text` begins with, when that is a whole `From ` line.
#[must_use]
pub(in crate::source) fn form(text: &[u8]) -> Option<Form> {
    let line = text.strip_prefix(super::FROM).filter(|_| super::is_from_line(text))?;
    let line = line.get(..memchr::memchr(b'\n', line)?)?;
    if matches!(line, b"" | b"\r") {
        return Some(Form::Stripped);
    }
    let mut places = [&b""[..]; WORDS_MAX];
    let len = places.iter_mut().zip(words(line)).map(|(place, word)| *place = word).count();
    let words = places.get(..len).unwrap_or_default();
    if let [commit, rest @ ..] = words
        && is_commit(commit)
        && rest == [&b"Mon"[..], b"Sep", b"17", b"00:00:00", b"2001"]
    {
        return Some(Form::Patch);
    }
    let time = words.iter().position(|word| has_time(word));
    Some(match (time, words) {
        (Some(at), words) => timed(words, at),
        (None, []) => Form::Bare,
        (None, [word]) if *word == b"-" || word.contains(&b'@') && !ends_sentence(word) => {
            Form::Sender
        }
        // The date was cut.
        (None, [word, day, ..]) if word.contains(&b'@') && (is_weekday(day) || is_month(day)) => {
            Form::Sender
        }
        (None, [word]) if !ends_sentence(word) => Form::Word,
        (None, [.., month, day, year]) if is_year(year) && is_date(&[month, day]) => {
            if is_of_address(words) {
                Form::Timed
            } else {
                Form::Vague
            }
        }
        (None, _) => Form::Words,
    })
}

/// Returns the form of a line of `words`, of which the one at `at` has a time of day.
fn timed(words: &[&[u8]], at: usize) -> Form {
    let (before, after) = words.split_at(at);
    let after = after.get(1..).unwrap_or_default();
    let is_of_day =
        |word: &&[u8]| is_month(word) || is_weekday(word) || is_year(word) || is_numeric(word);
    let has_day = words.iter().any(is_of_day);
    let way = after.windows(2).position(|two| two == [&b"remote"[..], b"from"]);
    let zone = after.get(..way.unwrap_or(after.len())).unwrap_or_default();
    let is_sure = is_of_address(words) || is_of_ctime(before, after);
    match (zone.iter().all(|word| may_follow_time(word)), has_day) {
        (true, true) if is_sure => Form::Dated,
        (true, false) if is_sure && before.len() <= 2 => Form::Timed,
        (true, true) => Form::Vague,
        (true, false) if before.len() <= 2 => Form::Vague,
        (true, false) => Form::Words,
        (false, true) => Form::Odd,
        (false, false) => Form::Words,
    }
}

/// Reports whether the first of `words` is an address.
fn is_of_address(words: &[&[u8]]) -> bool {
    words.first().is_some_and(|word| is_address(word))
}

/// Reports whether `word` is an address of mail or UUCP, or `-`, and ends no clause.
fn is_address(word: &[u8]) -> bool {
    let has_mark = || word.iter().any(|byte| matches!(byte, b'@' | b'!' | b'<'));
    word == b"-" || has_mark() && !ends_sentence(word)
}

/// Reports whether the words around a time of day are those that `ctime` writes, with a zone or
/// none: `Mon Jun  3 10:00:00 2024`.
fn is_of_ctime(before: &[&[u8]], after: &[&[u8]]) -> bool {
    /// Words of a zone before the year.
    const ZONE_WORDS_MAX: usize = 2;
    let [.., weekday, month, day] = before else { return false };
    let is_day = matches!(day, [b'0'..=b'9'] | [b'0'..=b'9', b'0'..=b'9']);
    let has_year = after.iter().take(ZONE_WORDS_MAX + 1).any(|word| is_year(word));
    is_weekday(weekday) && !weekday.ends_with(b",") && is_month(month) && is_day && has_year
}

/// Reports whether `line` may be a sentence with a date at its end: it has no sender, or many
/// words.
fn is_of_sentence(line: &[u8]) -> bool {
    let line = line.get(super::FROM.len()..).unwrap_or_default();
    let is_of_date = |word: &[u8]| is_month(word) || is_weekday(word) || has_time(word);
    let sender = words(line).take(WORDS_MAX).take_while(|word| !is_of_date(word)).count();
    !(1..=SENDER_WORDS_MAX).contains(&sender)
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Reports whether a sentence or a clause ends with `word`.
fn ends_sentence(word: &[u8]) -> bool {
    matches!(word.last(), Some(b':' | b',' | b';' | b'.' | b'!' | b'?'))
}

/// Reports whether `word` is the name of a commit, in SHA-1 or SHA-256.
fn is_commit(word: &[u8]) -> bool {
    matches!(word.len(), 40 | 64) && word.iter().all(u8::is_ascii_hexdigit)
}

/// Reports whether `word` is a year, a zone, or another part of a date.
fn may_follow_time(word: &[u8]) -> bool {
    // Programs that count years from 1900 write 124 or 19124.
    let is_number = word.iter().all(u8::is_ascii_digit) && word.len() <= 5;
    let is_comment = word.starts_with(b"(") || word.ends_with(b")");
    let is_half = is_one_of(word, &[b"am", b"pm", b"a.m.", b"p.m."]);
    let is_day = is_month(word) || is_weekday(word);
    is_number || is_zone(word) || is_comment || is_half || is_day
}

/// Reports whether `word` is a zone: an offset, a short name, both, or the name of a place.
fn is_zone(word: &[u8]) -> bool {
    /// Maximum number of letters of a short name.
    const NAME_LEN_MAX: usize = 5;
    let letters = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (name, rest) = word.split_at(letters);
    let is_offset = matches!(rest, [b'+' | b'-', digits @ ..]
        if digits.iter().all(|byte| byte.is_ascii_digit() || *byte == b':'));
    let is_upper = name.len() <= NAME_LEN_MAX && name.iter().all(u8::is_ascii_uppercase);
    let is_short = is_upper || is_one_of(name, &ZONES);
    is_short && (rest.is_empty() || is_offset) || is_place(word)
}

/// Names of zones, which some programs write in lower case.
const ZONES: [&[u8]; 24] = [
    b"aest", b"akdt", b"akst", b"bst", b"cdt", b"cest", b"cet", b"cst", b"edt", b"eest", b"eet",
    b"est", b"gmt", b"hst", b"ist", b"jst", b"mdt", b"mest", b"met", b"msk", b"mst", b"pdt",
    b"pst", b"utc",
];

/// Reports whether `word` is a zone as the database of IANA names it: an area and a place.
fn is_place(word: &[u8]) -> bool {
    let is_name = |name: &[u8]| {
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+".contains(byte);
        name.first().is_some_and(u8::is_ascii_uppercase) && name.iter().all(is_of_name)
    };
    word.contains(&b'/') && word.split(|byte| *byte == b'/').all(is_name)
}

/// Reports whether two words are a month and a day, in any order.
fn is_date(words: &[&[u8]; 2]) -> bool {
    let is_day = |word: &[u8]| {
        let word = word.strip_suffix(b",").unwrap_or(word);
        matches!(word.len(), 1 | 2) && word.iter().all(u8::is_ascii_digit)
    };
    let [one, other] = words;
    is_month(one) && is_day(other) || is_day(one) && is_month(other)
}

fn is_year(word: &[u8]) -> bool {
    matches!(word, [b'1', b'9', ..] | [b'2', b'0', ..])
        && word.len() == 4
        && word.iter().all(u8::is_ascii_digit)
}

/// Reports whether `word` is a date in numbers, with or without a time.
fn is_numeric(word: &[u8]) -> bool {
    let marks = word.iter().filter(|byte| matches!(byte, b'-' | b'/' | b'.')).count();
    word.first().is_some_and(u8::is_ascii_digit) && marks >= 2 && !word.contains(&b'@')
}

fn is_month(word: &[u8]) -> bool {
    const MONTHS: [&[u8]; 12] = [
        b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov",
        b"dec",
    ];
    is_one_of(word, &MONTHS)
}

fn is_weekday(word: &[u8]) -> bool {
    let word = word.strip_suffix(b",").unwrap_or(word);
    is_one_of(word, &[b"mon", b"tue", b"wed", b"thu", b"fri", b"sat", b"sun"])
}

/// Reports whether `line` has two digits, a colon and two digits.
pub(super) fn has_time(line: &[u8]) -> bool {
    let line = line.get(..LINE_LEN_MAX).unwrap_or(line);
    memchr::memchr_iter(b':', line).any(|at| {
        let digit = |idx: usize| line.get(idx).is_some_and(u8::is_ascii_digit);
        at > 1 && digit(at - 2) && digit(at - 1) && digit(at + 1) && digit(at + 2)
    })
}
