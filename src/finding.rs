//! What we learnt about a candidate: where it stands, what the grammars say, and the verdict.
//!
//! Nothing here decides: faults come from `grammar`, verdicts from `check::judge`.

use std::fmt;
use std::path::PathBuf;

/// Why the scanner looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cue {
    /// `<URL:…>` (RFC 1738 Appendix).
    Url,
    /// `<…>` (RFC 3986 Appendix C).
    Angle,
    /// Standing in text without brackets.
    Bare,
    /// `www.` without a scheme.
    Www,
    /// A link of Markdown, HTML, reStructuredText or AsciiDoc.
    Markup,
    /// In a header field of a message.
    Header,
}

impl Cue {
    /// Every cue, in the order that `--find` lists them.
    pub const ALL: [Self; 6] =
        [Self::Url, Self::Angle, Self::Bare, Self::Www, Self::Markup, Self::Header];

    /// The cue's name in options and records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Angle => "angle",
            Self::Bare => "bare",
            Self::Www => "www",
            Self::Markup => "markup",
            Self::Header => "header",
        }
    }
}

/// What holds a text: a path, and the members that lead into a container.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The path as it was given or walked to; `-` for standard input.
    pub path: PathBuf,
    /// Names of nested members, outermost first; none for a plain file.
    pub members: Vec<Vec<u8>>,
}

/// Where a candidate stands.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// What holds the text.
    pub origin: &'a Origin,
    /// Offset of the first byte within the innermost member.
    pub offset: u64,
    /// Length of the raw text in bytes.
    pub len: u64,
    /// Line, from 1.
    pub line: u64,
    /// Column in Unicode scalars, from 1.
    pub column: u64,
    /// Offset in the file on disk, where the raw text is one run of bytes there.
    pub file_offset: Option<u64>,
}

/// The message that a candidate stands in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// The Message-ID with its brackets (RFC 5322 §3.6.4).
    pub id: Option<Vec<u8>>,
    /// The Date in UTC as RFC 3339 writes it; none when it cannot be read.
    pub date: Option<String>,
}

/// A set of bytes: what a grammar could have taken at some offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    /// The set without members.
    pub const EMPTY: Self = Self([0; 4]);

    /// Adds `byte`.
    pub const fn insert(&mut self, byte: u8) {
        self.0[(byte >> 6) as usize] |= 1 << (byte & 63);
    }

    /// True when `byte` is a member.
    #[must_use]
    pub const fn has(&self, byte: u8) -> bool {
        self.0[(byte >> 6) as usize] >> (byte & 63) & 1 == 1
    }

    /// True when there is no member.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// True when every member is one of `other` too.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// The set of the bytes from `first` to `last`.
    #[must_use]
    pub const fn range(first: u8, last: u8) -> Self {
        let mut set = Self::EMPTY;
        let mut byte = first;
        while byte < last {
            set.insert(byte);
            byte += 1;
        }
        set.insert(last);
        set
    }

    /// This set and the members of `other`.
    #[must_use]
    pub const fn with(mut self, other: Self) -> Self {
        let mut idx = 0;
        while idx < self.0.len() {
            self.0[idx] |= other.0[idx];
            idx += 1;
        }
        self
    }

    /// This set but the members of `other`.
    #[must_use]
    pub const fn without(mut self, other: Self) -> Self {
        let mut idx = 0;
        while idx < self.0.len() {
            self.0[idx] &= !other.0[idx];
            idx += 1;
        }
        self
    }

    /// The members in order.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=u8::MAX).filter(|&byte| self.has(byte))
    }
}

impl FromIterator<u8> for ByteSet {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
        let mut set = Self::EMPTY;
        bytes.into_iter().for_each(|byte| set.insert(byte));
        set
    }
}

/// A named reason that a candidate is malformed.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name in reports: `pct-encoded`.
    pub id: &'static str,
    /// One line on what the rule asks.
    pub about: &'static str,
    /// The section that says so, without the document's name: `§2.1`.
    pub section: &'static str,
}

/// Every fault that can be named, with its section of RFC 3986.
///
/// RFC 3987 keeps the names and the numbers of these components; where its own text is the
/// reason, a fault's `spec` says so.
pub static RULES: &[Rule] = &[
    Rule { id: "empty", about: "a URI begins with a scheme", section: "§3" },
    Rule {
        id: "scheme",
        about: "a scheme is a letter, then letters, digits, +, - or ., then a colon",
        section: "§3.1",
    },
    Rule {
        id: "authority",
        about: "an authority is [userinfo@]host[:port] and ends at /, ? or #",
        section: "§3.2",
    },
    Rule {
        id: "userinfo",
        about: "user information is unreserved, escaped, sub-delims or colon",
        section: "§3.2.1",
    },
    Rule {
        id: "host",
        about: "a host is a registered name, an IPv4 address or an IP literal",
        section: "§3.2.2",
    },
    Rule {
        id: "ip-literal",
        about: "between [ and ] stands an IPv6 address or an IPvFuture",
        section: "§3.2.2",
    },
    Rule { id: "port", about: "a port is digits", section: "§3.2.3" },
    Rule {
        id: "path", about: "a path is segments of pchar with slashes between", section: "§3.3"
    },
    Rule { id: "query", about: "a query is pchar, slash or question mark", section: "§3.4" },
    Rule {
        id: "fragment",
        about: "a fragment is pchar, slash or question mark; # stands once",
        section: "§3.5",
    },
    Rule {
        id: "pct-encoded",
        about: "behind a percent sign stand two hexadecimal digits",
        section: "§2.1",
    },
    Rule {
        id: "non-ascii",
        about: "a character that the grammar has no place for, beyond US-ASCII",
        section: "§2",
    },
    Rule { id: "control", about: "a control character or a space", section: "§2" },
    Rule { id: "utf-8", about: "bytes that are no UTF-8 text", section: "§2" },
];

/// Why a grammar does not take a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// Offset of the first byte after which nothing could have made the text valid; the
    /// text's length when it ends too early.
    pub at: usize,
    /// The bytes that could have stood there.
    pub expected: ByteSet,
    /// True when the text could have ended there.
    pub end_expected: bool,
    /// The document and section: `RFC 3986 §2.1`.
    pub spec: String,
}

impl Fault {
    /// What could have stood at the offset, in words: `a hex digit`, `one of: letter digit - .`.
    #[must_use]
    pub fn expectation(&self) -> String {
        describe(&self.expected, self.end_expected)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "expected {} at byte {} ({})", self.expectation(), self.at, self.spec)
    }
}

/// Groups of bytes that have a name of their own in an expectation. A group is named when
/// all of it is expected; of the bytes beyond US-ASCII one is enough.
static NAMED: [(&str, ByteSet); 4] = [
    ("letter", ByteSet::range(b'A', b'Z').with(ByteSet::range(b'a', b'z'))),
    (
        "hex-digit",
        ByteSet::range(b'0', b'9')
            .with(ByteSet::range(b'A', b'F'))
            .with(ByteSet::range(b'a', b'f')),
    ),
    ("digit", ByteSet::range(b'0', b'9')),
    ("non-ascii", ByteSet::range(0x80, 0xFF)),
];

fn describe(set: &ByteSet, end: bool) -> String {
    let mut left = *set;
    let mut words = Vec::new();
    for (name, group) in &NAMED {
        let is_named = match *name {
            "non-ascii" => left.without(*group) != left,
            _ => group.is_within(&left),
        };
        if is_named {
            words.push((*name).to_owned());
            left = left.without(*group);
        }
    }
    words.extend(left.iter().map(|byte| match byte {
        b' ' => "space".to_owned(),
        0x21..=0x7E => char::from(byte).to_string(),
        _ => format!("%x{byte:02X}"),
    }));
    let list = match words.as_slice() {
        [] => return "the end".to_owned(),
        [one] if one.len() > 1 => format!("a {}", one.replace('-', " ")),
        [one] => format!("\"{one}\""),
        _ => format!("one of: {}", words.join(" ")),
    };
    if end { format!("{list} or the end") } else { list }
}

/// What one grammar says of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// The grammar's name.
    pub grammar: &'static str,
    /// The reason when the grammar does not take the text.
    pub fault: Option<Fault>,
}

/// Good or bad, in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing is wrong.
    Ok,
    /// Worth a look, and no reason to fail.
    Warn,
    /// Malformed or dead.
    Error,
    /// Not asked, with a reason.
    Skipped,
}

impl Verdict {
    /// Every verdict, in the order of the summary.
    pub const ALL: [Self; 4] = [Self::Ok, Self::Warn, Self::Error, Self::Skipped];

    /// The verdict's name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Error => "error",
            Self::Skipped => "skipped",
        }
    }
}

/// A candidate with everything we learnt about it: one record of a report.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// The candidate, cleaned by its wrapper's rules.
    pub uri: &'a [u8],
    /// What stands in the text.
    pub raw: &'a [u8],
    /// Why the scanner looked.
    pub cue: Cue,
    /// The scheme in lower case; empty for `www`.
    pub scheme: &'a str,
    /// Where it stands.
    pub place: Place<'a>,
    /// The message it stands in, when its source is mail or news.
    pub message: Option<&'a Message>,
    /// The name of the header field it stands in.
    pub header: Option<&'a [u8]>,
    /// What each grammar that was asked says, in the order asked.
    pub syntax: &'a [Syntax],
    /// Good or bad.
    pub verdict: Verdict,
}

/// Something about the input that is no finding and must not get lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What kind of note.
    pub kind: NoteKind,
    /// What it is about.
    pub origin: Origin,
    /// Offset in the innermost member where that is known.
    pub offset: Option<u64>,
    /// What was expected, and what was found.
    pub message: String,
}

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// An input grew while it was read; what came later was not read.
    InputGrew,
    /// An input ended before its size said.
    InputShrank,
    /// An input was listed and was gone when it should be opened.
    InputVanished,
    /// An input that was asked for by name is packed, and was not read.
    InputPacked,
    /// An input could not be opened, listed or read.
    InputUnreadable,
    /// The program failed on a part of an input, which is lost.
    Internal,
    /// A candidate was longer than the limit and is reported cut.
    UriTooLong,
}

impl NoteKind {
    /// The kind's name in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InputGrew => "input-grew",
            Self::InputShrank => "input-shrank",
            Self::InputVanished => "input-vanished",
            Self::InputPacked => "input-packed",
            Self::InputUnreadable => "input-unreadable",
            Self::Internal => "internal",
            Self::UriTooLong => "uri-too-long",
        }
    }

    /// True when the note says that something asked for was not read: exit code 2.
    #[must_use]
    pub const fn is_incomplete(self) -> bool {
        !matches!(self, Self::InputGrew | Self::UriTooLong)
    }
}

/// Totals of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// False when an input could not be read in full.
    pub complete: bool,
    /// Inputs that were read.
    pub files: u64,
    /// Bytes that were read from them.
    pub bytes: u64,
    /// Messages in mailboxes.
    pub messages: u64,
    /// Findings reported.
    pub findings: u64,
    /// Different URIs among the findings; none when nobody asked to count them.
    pub distinct: Option<u64>,
    /// Findings by verdict, in the order of [`Verdict::ALL`].
    pub verdicts: [u64; 4],
    /// What was left out, by reason, sorted.
    pub skipped: std::collections::BTreeMap<&'static str, u64>,
}

impl Summary {
    /// Counts one finding.
    pub fn count(&mut self, verdict: Verdict) {
        self.findings += 1;
        for (count, of) in self.verdicts.iter_mut().zip(Verdict::ALL) {
            *count += u64::from(of == verdict);
        }
        if verdict == Verdict::Skipped {
            self.skip(NoteKind::UriTooLong.name(), 1);
        }
    }

    /// Counts `count` things that were left out for `reason`.
    pub fn skip(&mut self, reason: &'static str, count: u64) {
        if count > 0 {
            *self.skipped.entry(reason).or_default() += count;
        }
    }

    /// Adds the counts of `part`; `complete` and `distinct` are of the whole run.
    pub fn add(&mut self, part: &Self) {
        self.files += part.files;
        self.bytes += part.bytes;
        self.messages += part.messages;
        self.findings += part.findings;
        for (count, more) in self.verdicts.iter_mut().zip(part.verdicts) {
            *count += more;
        }
        for (reason, count) in &part.skipped {
            self.skip(reason, *count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ByteSet, RULES, describe};

    #[test]
    fn expectations_name_groups_and_list_the_rest() {
        let set = |text: &[u8]| text.iter().copied().collect::<ByteSet>();
        assert_eq!(describe(&set(b"/"), false), "\"/\"");
        assert_eq!(describe(&set(b"0123456789"), true), "a digit or the end");
        assert_eq!(describe(&set(b"0123456789abcdefABCDEF"), false), "a hex digit");
        assert_eq!(describe(&set(b"-."), false), "one of: - .");
        assert_eq!(describe(&ByteSet::EMPTY, true), "the end");
    }

    #[test]
    fn rule_ids_are_unique() {
        let mut ids: Vec<_> = RULES.iter().map(|rule| rule.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), RULES.len());
    }
}
