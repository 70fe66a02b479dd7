//! Splits the text after a link's host: segments of paths, and arguments.
//!
//! The split follows what a server might read, not a grammar: an argument that is a URI has a path
//! again, a fragment that looks like a path is one to the page that reads it, and `;` separates as
//! `&` does.

use super::token;
use crate::uri::request_target;

/// Maximum number of segments and arguments that are read. Further ones hardly add a meaning.
pub(super) const PARTS_MAX: usize = 256;

/// Names after which version control writes the hash of stored data. The data of a hash is the same
/// for all readers.
#[rustfmt::skip]
pub(super) const VERSIONED: &[&str] = &[
    "+", "archive", "blame", "blob", "browse", "changeset", "changesets", "commit", "commitdiff",
    "commits", "compare", "diff", "gist", "log", "patch", "raw", "rev", "revision", "revisions",
    "src", "tree",
];

/// Names among them that other programs have as well, for what they do with a record of one reader.
/// A hash follows them below an owner and a name, in a repository, and on hosts of version control.
#[rustfmt::skip]
const SHARED: &[&str] = &[
    "+", "archive", "browse", "compare", "diff", "gist", "log", "patch", "raw", "rev", "revision",
    "revisions", "src", "tree",
];

/// Labels of hosts of version control.
#[rustfmt::skip]
const CODE_LABELS: &[&str] = &[
    "bitbucket", "cgit", "code", "codeberg", "git", "github", "gitea", "gitlab", "gitweb", "hg",
    "review", "svn",
];

/// Names of arguments that hold such a hash, and names of the programs that take them.
const VERSION_NAMES: &[&str] =
    &["commit", "h", "hb", "hp", "hpb", "id", "id2", "rev", "revision", "sha"];
const VERSION_PROGRAMS: &[&str] = &["cgit", "git", "gitweb", "gitweb.cgi"];

/// Short names of arguments that mean a reader, a contact, or a mailing.
const READERS: &[&str] = &["c", "e", "i", "k", "m", "r", "s", "t", "u", "x", "z"];

/// Names of arguments whose numbers mean a reader from so many digits on: others name pages.
const NUMBERED: &[(&str, usize)] = &[("u", 5), ("k", 5), ("id", 10)];
/// Names of arguments that hold the name of a sender or a recipient.
const PERSONS: &[&str] = &["by", "for", "from", "r", "recipient", "ref", "sender", "to", "via"];

/// Names in paths of mail archives, followed by hashes of messages.
const ARCHIVES: &[&str] = &["arch", "archive", "archives", "d", "group", "groups", "hyperkitty"];
const ARCHIVED: &[&str] = &["browse", "browse_thread", "message", "msg", "thread"];

/// Schemes whose requests send the text after the host. In news and FTP no request can act, and no
/// server receives a mail address.
const SENDING: &[&str] = &["http", "https", "gopher"];

/// One argument.
pub(super) struct Argument<'t> {
    pub(super) name: &'t str,
    pub(super) value: &'t str,
}

/// The text of a link after its host.
#[derive(Default)]
pub(super) struct Link<'t> {
    /// The path, and the paths in fragments and in links of arguments.
    pub(super) paths: Vec<Vec<&'t str>>,
    pub(super) arguments: Vec<Argument<'t>>,
    /// Whether its host is named for version control.
    is_on_code: bool,
    /// The name of a place in a page.
    place: Option<&'t str>,
}

impl<'t> Link<'t> {
    /// Splits the decoded `text`.
    pub(super) fn of(text: &'t str) -> Self {
        let mut link = Self::default();
        let (text, fragment) = match text.split_once('#') {
            Some((text, fragment)) => (text, fragment),
            None => (text, ""),
        };
        link.add(text);
        let route = fragment.trim_start_matches('!');
        if route.starts_with('/') {
            link.add(route);
        } else if fragment.contains('=') {
            link.add_arguments(fragment);
        } else if !fragment.is_empty() {
            link.place = Some(fragment);
        }
        link
    }

    /// Returns the link as one to `host`.
    pub(super) fn on(self, host: &str) -> Self {
        let is_on_code = host.split('.').any(|label| CODE_LABELS.contains(&label));
        Self { is_on_code, ..self }
    }

    fn add(&mut self, text: &'t str) {
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        let mut segments = Vec::new();
        for segment in path.split('/').filter(|text| !text.is_empty()).take(PARTS_MAX) {
            let (segment, arguments) = segment.split_once(';').unwrap_or((segment, ""));
            segments.push(segment);
            self.add_arguments(arguments);
        }
        self.paths.push(segments);
        self.add_arguments(query);
    }

    fn add_arguments(&mut self, text: &'t str) {
        for text in text.split(['&', ';', '?', '#']).filter(|text| !text.is_empty()) {
            if self.arguments.len() >= PARTS_MAX {
                return;
            }
            let (name, value) = text.split_once('=').unwrap_or(("", text));
            if let Some((_, inner)) = value.split_once("://") {
                let path = inner.split('/').skip(1).filter(|text| !text.is_empty());
                self.paths.push(path.take(PARTS_MAX).collect());
            }
            self.arguments.push(Argument { name, value });
        }
    }

    /// Reports whether it leads to a film as the largest site for films writes it:
    /// `/watch?v=dQw4w9WgXcQ`. Elsewhere, such a value may be a token.
    pub(super) fn is_film(&self) -> bool {
        const FILM_LEN: usize = 11;
        let is_named = |it: &Argument<'_>| it.name == "v" && it.value.len() == FILM_LEN;
        self.paths.first().is_some_and(|path| *path == ["watch"])
            && self.arguments.first().is_some_and(is_named)
    }

    /// Reports whether some word in it was made for one reader, or is one reader's address.
    pub(super) fn has_token(&self) -> bool {
        let is_ours = |text: &str| token::is_in(text) || token::has_address(text);
        let in_paths = self.paths.iter().any(|path| {
            let ours = |(idx, text): (usize, &&str)| is_ours(text) && !self.is_public(path, idx);
            path.iter().enumerate().any(ours) || is_routed(path)
        });
        let is_argument = |it: &Argument<'_>| {
            let is_film = it.name == "v" && self.is_film();
            let is_opaque = token::is_opaque(it.value) && !is_film;
            let is_named = READERS.contains(&it.name) && token::is_mixed(it.value)
                || is_numbered(it)
                || is_person(it);
            (is_ours(it.value) || is_opaque || is_named) && !self.is_version(it)
                || token::is_in(it.name)
        };
        in_paths || self.arguments.iter().any(is_argument) || self.place.is_some_and(is_ours)
    }

    /// Reports whether the path holds a short token that no version control has named.
    pub(super) fn has_short_token(&self) -> bool {
        let Some(path) = self.paths.first() else { return false };
        let is_short = |text: &&str| token::is_short_token(text);
        let is_public = |text: &&str| VERSIONED.contains(text) || text.len() > 30;
        path.iter().any(is_short) && !path.iter().any(is_public)
    }

    /// Reports whether the segment `idx` of `path` names something that is for all readers.
    fn is_public(&self, path: &[&str], idx: usize) -> bool {
        let Some(text) = path.get(idx) else { return false };
        let stem = text.split('.').next().unwrap_or_default();
        if token::is_hash(stem) && self.is_versioned(path, idx) {
            return true;
        }
        let before = |back: usize| idx.checked_sub(back).and_then(|idx| path.get(idx)).copied();
        let archive = path.iter().take(idx).position(|text| ARCHIVES.contains(text));
        // The address of a list.
        if token::has_address(text) {
            let is_list = before(1).is_some_and(|text| matches!(text, "list" | "lists"));
            return is_list && archive.is_some() || token::is_message_id(text);
        }
        let is_archived = |text: &&str| ARCHIVED.contains(text);
        // Between the archive and its messages is the name of a list: elsewhere, `archive` may be
        // what a button does.
        let is_name = |text: &&str| !is_archived(text) && token::digits(text) < text.len();
        let has_name = |at: usize| path.iter().take(idx).skip(at + 1).any(&is_name);
        !text.contains('=')
            && archive.is_some_and(has_name)
            && (1..=3).filter_map(before).any(|text| is_archived(&text))
    }

    /// Reports whether the segment `idx` of `path` follows a name of version control.
    pub(super) fn is_versioned(&self, path: &[&str], idx: usize) -> bool {
        const OWNED_MIN: usize = 2;
        let counts = |at: usize| {
            let above = path.get(..at).unwrap_or_default();
            let is_stored = |text: &&str| {
                VERSION_PROGRAMS.contains(text) || text.ends_with(".git") || *text == "-"
            };
            path.get(at).is_some_and(|name| {
                VERSIONED.contains(name)
                    && (!SHARED.contains(name)
                        || self.is_on_code
                        || above.len() >= OWNED_MIN
                        || above.iter().any(is_stored))
            })
        };
        [1, 2].into_iter().filter_map(|back| idx.checked_sub(back)).any(counts)
    }

    /// Reports whether some argument names data in version control.
    pub(super) fn names_version(&self) -> bool {
        self.arguments.iter().any(|it| self.is_version(it))
    }

    /// Reports whether an argument is the hash of data in version control.
    fn is_version(&self, argument: &Argument<'_>) -> bool {
        let is_program = |text: &&str| {
            VERSION_PROGRAMS.contains(text) || VERSIONED.contains(text) || text.ends_with(".git")
        };
        let asks = |it: &Argument<'_>| it.name == "a" && VERSIONED.contains(&it.value);
        VERSION_NAMES.contains(&argument.name)
            && token::is_hash(argument.value)
            && (self.paths.iter().flatten().any(is_program) || self.arguments.iter().any(asks))
    }
}

/// Reports whether an argument has a number so long that it means a reader.
fn is_numbered(it: &Argument<'_>) -> bool {
    let is_number = token::digits(it.value) == it.value.len();
    is_number && NUMBERED.iter().any(|(name, len)| it.name == *name && it.value.len() >= *len)
}

/// Reports whether an argument holds the name of a person: `to=joe`, `ref=bob.smith`.
fn is_person(it: &Argument<'_>) -> bool {
    const LEN_MIN: usize = 2;
    let is_name =
        |text: &str| text.len() >= LEN_MIN && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_pair = it.value.split_once('.').is_some_and(|(a, b)| is_name(a) && is_name(b));
    PERSONS.contains(&it.name) && is_pair || it.name == "to" && is_name(it.value)
}

/// Splits a URI into its authority and the text after it; `None` where a request sends neither.
pub(super) fn apart(uri: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = match memchr::memmem::find(uri, b"://") {
        Some(colon) => {
            let scheme = uri.get(..colon)?;
            let is_sent = |name: &&str| scheme.eq_ignore_ascii_case(name.as_bytes());
            SENDING.iter().any(is_sent).then_some(())?;
            uri.get(colon + 3..)?
        }
        // A name without a scheme is short for `http://`.
        None if uri.get(..4).is_some_and(|text| text.eq_ignore_ascii_case(b"www.")) => uri,
        None => return None,
    };
    let end = memchr::memchr3(b'/', b'?', b'#', rest).unwrap_or(rest.len());
    rest.split_at_checked(end)
}

/// Returns the authority of `uri`, and the decoded texts after it that its server may read. Most
/// links have one. A link with dot segments has two: the text that a request sends, and that text
/// as servers read it that decode once more or know other separators (`..;`, `%252e`, `\`). The
/// segments that dots remove explain nothing.
pub(super) fn readings(uri: &[u8]) -> Option<(&[u8], Vec<String>)> {
    let (authority, after) = apart(uri)?;
    let written = token::decoded(after);
    let Some(resolved) = without_dots(&written) else { return Some((authority, vec![written])) };
    let is_gopher = uri.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"gopher:"));
    if is_gopher {
        return Some((authority, vec![written, resolved]));
    }
    let path_end = memchr::memchr2(b'?', b'#', after).unwrap_or(after.len());
    let (path, rest) = after.split_at_checked(path_end)?;
    let sent = request_target::origin_form(path, None);
    let sent = token::decoded(&[sent.as_bytes(), rest].concat());
    Some((authority, vec![sent, resolved]))
}

/// Returns the decoded `text` without the dot segments of its path; `None` if there are none.
fn without_dots(text: &str) -> Option<String> {
    let path_end = text.find(['?', '#']).unwrap_or(text.len());
    let (path, rest) = text.split_at_checked(path_end)?;
    let (mut kept, mut has_dots) = (Vec::new(), false);
    for segment in path.split(['/', '\\']) {
        match segment.split(';').next() {
            Some(".") => has_dots = true,
            Some("..") => {
                has_dots = true;
                kept.pop();
            }
            _ => kept.push(segment),
        }
    }
    has_dots.then(|| format!("/{}{rest}", kept.join("/").trim_start_matches('/')))
}

/// Reports whether `path` holds a long number after a single letter or after `ticket`, or letters
/// mixed with digits after a single letter: so programs that send mail write the paths of their
/// actions.
fn is_routed(path: &[&str]) -> bool {
    const DIGITS_MIN: usize = 10;
    path.windows(2).any(|pair| match pair {
        [way, number] => {
            let is_way = way.len() == 1 && way.bytes().all(|byte| byte.is_ascii_lowercase())
                || *way == "ticket";
            let digits = token::digits(number);
            let is_mixed =
                way.len() == 1 && is_way && token::is_mixed(number) && !number.contains('-');
            is_mixed
                || is_way && digits >= DIGITS_MIN.max(number.len() / 2) && !number.contains('@')
        }
        _ => false,
    })
}
