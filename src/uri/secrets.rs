//! Finds the passwords in a text: those that occur in it literally (`authority`), those of URIs
//! that are escaped in it, and those that are parameters of a database connection.
//!
//! A URI in the query, the fragment or the path of another URI is escaped once for each time it
//! was passed on (RFC 3986 §2.4). The text is decoded as many times, and the source bytes of each
//! password found are hidden. So is the part before an `@` that programs accept in another form:
//! escaped, also as in HTML, in strings of programs and in mail, or of another width (UTS 46 maps
//! U+FF20 and U+FE6B to it).

use memchr::memmem;

use super::authority;
use super::percent::octet;
use crate::span::Span;

/// Number of times that escapes are decoded: URIs are passed on twice in links of redirectors, and
/// rarely more often.
const LEVELS_MAX: usize = 8;

/// Numbers of `@` and of its forms, and names of it, in escapes that are not those of URIs:
/// `&#64;`, `&commat;`, `\u0040`, `\100`, `=40`, `+AEA-`.
const AT_DECIMAL: &[&[u8]] = &[b"65312", b"65131", b"64"];
const AT_HEXADECIMAL: &[&[u8]] = &[b"ff20", b"fe6b", b"40"];
const AT_IN_STRINGS: &[&[u8]] = &[b"n{commercial at}", b"ff20", b"fe6b", b"100", b"64", b"40"];
const AT_NAMES: &[&[u8]] = &[b"commat"];

/// Forms of `@` in UTF-8.
const AT_FORMS: [&[u8]; 2] = [b"\xEF\xBC\xA0", b"\xEF\xB9\xAB"];

/// The first byte of each of them.
const AT_FORMS_FIRST: u8 = 0xEF;

/// Schemes of databases, directories, brokers and streams that take a password as a parameter.
const DATABASES: [&[u8]; 44] = [
    b"amqp",
    b"amqps",
    b"cassandra",
    b"clickhouse",
    b"cockroachdb",
    b"db2",
    b"exasol",
    b"firebird",
    b"h2",
    b"hive2",
    b"hsqldb",
    b"influxdb",
    b"kafka",
    b"ldap",
    b"ldaps",
    b"libsql",
    b"mariadb",
    b"memcached",
    b"mongodb",
    b"mongodb+srv",
    b"mssql",
    b"mysql",
    b"mysqlx",
    b"nats",
    b"neo4j",
    b"odbc",
    b"oracle",
    b"otpauth",
    b"postgres",
    b"postgresql",
    b"presto",
    b"r2dbc",
    b"redis",
    b"rediss",
    b"redshift",
    b"rtmp",
    b"rtmps",
    b"rtsp",
    b"rtsps",
    b"snowflake",
    b"sqlserver",
    b"teradata",
    b"trino",
    b"vertica",
];

/// Ends of the names of parameters that are passwords: `sslpassword`, `trustStorePassword`,
/// `X-BINDPW`.
const PARAMETERS: [&[u8]; 9] = [
    b"password",
    b"passwd",
    b"passphrase",
    b"pwd",
    b"pass",
    b"bindpw",
    b"auth",
    b"secret",
    b"token",
];

/// Reports whether `name` is that of a parameter for a secret: it ends with one of [`PARAMETERS`],
/// in any case, as `access_token` does.
pub(super) fn names_secret(name: &[u8]) -> bool {
    PARAMETERS.iter().any(|known| {
        let start = name.len().checked_sub(known.len());
        let end = start.and_then(|start| name.get(start..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(known))
    })
}

/// Returns the places of the passwords in `text`, in order.
///
/// Most texts have neither `@` nor an escape of it, and need only a few searches.
pub(super) fn passwords(text: &[u8]) -> impl Iterator<Item = Span> {
    let is_plain = is_address(text);
    let others = if is_plain { Vec::new() } else { others(text) };
    let may_be_literal = others.is_empty() && !is_plain;
    let plain = may_be_literal.then(|| authority::secrets(text)).into_iter().flatten();
    let all = if others.is_empty() {
        Vec::new()
    } else {
        merged(authority::secrets(text).chain(others).collect())
    };
    plain.chain(all)
}

/// Reports whether `text` is a plain address of mail, which has no password.
fn is_address(text: &[u8]) -> bool {
    const MAILTO: &[u8] = b"mailto:";
    let is_of_address = |byte: &u8| byte.is_ascii_alphanumeric() || b"@.-_".contains(byte);
    text.split_at_checked(MAILTO.len()).is_some_and(|(scheme, address)| {
        scheme.eq_ignore_ascii_case(MAILTO) && address.iter().all(is_of_address)
    })
}

/// Returns the parts at the end of `text`, which may be cut off, that may begin a password.
pub(super) fn open_ends(text: &[u8]) -> Vec<Span> {
    let mut found: Vec<Span> = authority::open_end(text).into_iter().collect();
    if memchr::memchr(b'%', text).is_some() {
        for level in levels(text) {
            found.extend(authority::open_end(&level.text).map(|span| level.origin(span)));
        }
    }
    found
}

/// Reports whether `text` has an `@`, in whatever form.
pub(crate) fn holds_at(text: &[u8]) -> bool {
    const ESCAPES: [&[u8]; 5] = [b"%40", b"%2540", b"%252540", b"%EF%BC%A0", b"%EF%B9%AB"];
    let holds = |part: &[u8]| memmem::find(text, part).is_some();
    memchr::memchr(b'@', text).is_some()
        || memchr::memchr(AT_FORMS_FIRST, text).is_some() && AT_FORMS.iter().any(|it| holds(it))
        || memchr::memchr(b'%', text).is_some() && ESCAPES.iter().any(|it| holds(it))
        || holds_at_escape(text)
}

/// Reports whether `text` has an escape of `@` that is not one of URIs.
fn holds_at_escape(text: &[u8]) -> bool {
    let begins = |at: &usize| at_escape(text, *at).is_some();
    memchr::memchr3_iter(b'&', b'\\', b'=', text).any(|at| begins(&at))
        || memchr::memchr3_iter(b'%', b'+', b'{', text).any(|at| begins(&at))
}

/// Returns the length of the escape of `@` that begins at `at` of `text`, if it is not one of URIs.
fn at_escape(text: &[u8], at: usize) -> Option<usize> {
    let (&mark, after) = text.get(at..)?.split_first()?;
    let (skipped, wanted) = match mark {
        b'&' => reference(after),
        b'\\' => (zeros(after, b"uUx"), AT_IN_STRINGS),
        b'%' if matches!(after.first(), Some(b'u' | b'U')) => (zeros(after, b"uU"), AT_HEXADECIMAL),
        // Else it is the value of a parameter.
        b'=' if after.starts_with(b"40") && memchr::memchr(b'?', text.get(..at)?).is_none() => {
            (0, &[&b"40"[..]][..])
        }
        b'+' => (0, &[&b"AEA-"[..]][..]),
        b'{' => (0, &[&b"at}"[..]][..]),
        _ => return None,
    };
    let rest = after.get(skipped..)?;
    let is_next =
        |it: &&&[u8]| rest.get(..it.len()).is_some_and(|start| start.eq_ignore_ascii_case(it));
    let found = wanted.iter().find(is_next)?.len();
    let is_closed = matches!(rest.get(found), Some(b';' | b'}')) && mark != b'=';
    Some(1 + skipped + found + usize::from(is_closed))
}

/// Returns the length of what comes before the number or the name in a reference of HTML, whose
/// ampersand may be escaped itself, and what that may be.
fn reference(after: &[u8]) -> (usize, &'static [&'static [u8]]) {
    const AMPERSAND: &[u8] = b"amp;";
    let mut skipped = 0;
    while after.get(skipped..).is_some_and(|rest| rest.starts_with(AMPERSAND)) {
        skipped += AMPERSAND.len();
    }
    let rest = after.get(skipped..).unwrap_or_default();
    match rest {
        [b'#', b'x' | b'X', rest @ ..] => (skipped + 2 + zeros(rest, b""), AT_HEXADECIMAL),
        [b'#', rest @ ..] => (skipped + 1 + zeros(rest, b""), AT_DECIMAL),
        _ => (skipped, AT_NAMES),
    }
}

/// Returns the length of the base that `text` begins with, one of `bases`, a brace, and zeros.
fn zeros(text: &[u8], bases: &[u8]) -> usize {
    let base = usize::from(text.first().is_some_and(|byte| bases.contains(byte)));
    let rest = text.get(base..).unwrap_or_default();
    base + rest.iter().take_while(|byte| matches!(byte, b'{' | b'0')).count()
}

/// Returns `places` in order, with those that touch merged.
pub(super) fn merged(mut places: Vec<Span>) -> Vec<Span> {
    places.sort_unstable_by_key(|place| place.start);
    places.dedup_by(|next, kept| {
        let touches = next.start <= kept.end;
        if touches {
            *kept = Span::new(kept.start, kept.end.max(next.end));
        }
        touches
    });
    places
}

/// Reports whether `text` may have a password: most texts have not, and need no more than a look at
/// their bytes.
pub(super) fn may_hold(text: &[u8]) -> bool {
    memchr::memchr3(b'@', b'%', b'=', text).is_some()
        || memchr::memchr3(AT_FORMS_FIRST, b'&', b'\\', text).is_some()
        || memchr::memchr2(b'+', b'{', text).is_some()
}

/// Returns the places of passwords that do not occur in `text` literally.
fn others(text: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    if !may_hold(text) {
        return found;
    }
    found.extend(parameters(text));
    if !may_be_escaped(text) {
        return found;
    }
    for level in levels(text) {
        let inside = authority::secrets(&level.text).chain(parameters(&level.text));
        found.extend(inside.map(|span| level.origin(span)));
    }
    found
}

/// Returns `text` with its escapes decoded once, twice and so on.
pub(super) fn levels(text: &[u8]) -> impl Iterator<Item = Level> {
    let first = Level { text: text.to_vec(), origins: (0..=text.len()).collect() };
    let decoded = std::iter::successors(first.decoded(), Level::decoded);
    decoded.take(LEVELS_MAX)
}

/// Reports whether a password may appear in `text` once its escapes are decoded: the text has an
/// `@` in some form, or names a database.
fn may_be_escaped(text: &[u8]) -> bool {
    if memchr::memchr(AT_FORMS_FIRST, text).is_some()
        && AT_FORMS.iter().any(|form| memmem::find(text, form).is_some())
    {
        return true;
    }
    if holds_at_escape(text) {
        return true;
    }
    // `%40`, `%2540`; `%EF%BC%A0`, `%EF%B9%AB`.
    let begins_at = |at: usize| {
        let digits = text.get(at + 1..at + 3).unwrap_or_default();
        digits == b"40" || digits == b"25" || digits.eq_ignore_ascii_case(b"EF")
    };
    let mut escapes = memchr::memchr_iter(b'%', text).peekable();
    let is_any = escapes.peek().is_some();
    is_any && (memchr::memchr(b'@', text).is_some() || names_database(text))
        || escapes.any(begins_at)
}

/// A text with its escapes decoded, and the source offsets of its bytes.
pub(super) struct Level {
    pub(super) text: Vec<u8>,
    /// The source offset of each byte, and the offset after the last one.
    origins: Vec<usize>,
}

impl Level {
    /// Returns the text with escapes decoded once more, and each form of `@` replaced by one;
    /// `None` if nothing changes.
    fn decoded(&self) -> Option<Self> {
        let (mut text, mut origins) = (Vec::new(), Vec::new());
        let mut at = 0;
        while let Some(byte) = self.text.get(at) {
            let rest = self.text.get(at..).unwrap_or_default();
            let form = AT_FORMS.iter().find(|form| rest.starts_with(form)).map(|form| form.len());
            let (byte, len) = match form.or_else(|| at_escape(&self.text, at)) {
                Some(len) => (b'@', len),
                None => octet(rest).map_or((*byte, 1), |octet| (octet, 3)),
            };
            text.push(byte);
            origins.push(self.origins.get(at).copied().unwrap_or_default());
            at += len;
        }
        origins.push(self.origins.last().copied().unwrap_or_default());
        (text.len() < self.text.len()).then_some(Self { text, origins })
    }

    /// Returns the source span of `span`.
    pub(super) fn origin(&self, span: Span) -> Span {
        let offset = |at: usize| self.origins.get(at).copied().unwrap_or_default();
        Span::new(offset(span.start), offset(span.end))
    }
}

/// Reports whether `text` names a database connection, perhaps in escapes.
fn names_database(text: &[u8]) -> bool {
    let is_colon =
        |at: &usize| matches!(text.get(*at..), Some([b':', ..] | [b'%', b'3', b'A' | b'a', ..]));
    find_ignoring_case(text, b"dbc").is_some()
        || memchr::memchr2_iter(b':', b'%', text)
            .filter(is_colon)
            .any(|at| database_before(text, at).is_some())
}

/// Reports whether `text` is the address of a database, or contains a JDBC address.
fn is_of_database(text: &[u8]) -> bool {
    let begins = |colon: usize| text.get(colon..).is_some_and(|rest| rest.starts_with(b"://"));
    find_ignoring_case(text, b"jdbc:").is_some()
        || memchr::memchr_iter(b':', text).any(|colon| {
            database_before(text, colon).is_some_and(|start| begins(colon) || is_begin(text, start))
        })
}

/// Reports whether `text` has a password in a list with semicolons after an authority, as drivers
/// of databases write their connections with any scheme: `tcp://h/db;USER=u;PASSWORD=p`.
fn is_list(text: &[u8]) -> bool {
    const NAMES: [&[u8]; 3] = [b"password=", b"passwd=", b"pwd="];
    let after = memmem::find(text, b"://").and_then(|at| text.get(at..)).unwrap_or_default();
    memchr::memchr_iter(b';', after).any(|at| {
        let item = after.get(at + 1..).unwrap_or_default().trim_ascii_start();
        let is_named =
            |name: &&[u8]| item.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name));
        NAMES.iter().any(is_named)
    })
}

/// Returns where the scheme of a database begins that ends before `colon`.
fn database_before(text: &[u8], colon: usize) -> Option<usize> {
    let before = text.get(..colon)?;
    let last = before.last()?.to_ascii_lowercase();
    DATABASES.iter().filter(|name| name.last() == Some(&last)).find_map(|name| {
        let start = colon.checked_sub(name.len())?;
        before.get(start..)?.eq_ignore_ascii_case(name).then_some(start)
    })
}

/// Reports whether `text` has only punctuation and `URL:` before `start`. A Message-ID is shown in
/// its brackets.
fn is_begin(text: &[u8], start: usize) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let is_url = |end: &[u8]| end.eq_ignore_ascii_case(b"url:");
    let marks = match before.len().checked_sub(4).and_then(|at| before.split_at_checked(at)) {
        Some((marks, end)) if is_url(end) => marks,
        _ => before,
    };
    marks.iter().all(|byte| b"<\"'( ".contains(byte))
}

/// Returns the offset of the first `wanted` in `text`, in any case. `wanted` is in lower case and
/// has a letter `b`.
fn find_ignoring_case(text: &[u8], wanted: &[u8]) -> Option<usize> {
    let ahead = memchr::memchr(b'b', wanted)?;
    memchr::memchr2_iter(b'b', b'B', text).find_map(|at| {
        let start = at.checked_sub(ahead)?;
        let found = text.get(start..start + wanted.len())?;
        found.eq_ignore_ascii_case(wanted).then_some(start)
    })
}

/// Maximum number of bytes before an equals sign that are searched for the name of a parameter.
const NAME_LEN_MAX: usize = 64;

/// Returns the places of the passwords in `text` if it is, or contains, the address of a database
/// connection.
fn parameters(text: &[u8]) -> impl Iterator<Item = Span> {
    let mut found = values(text);
    // Few texts have such parameters, and fewer are of a database.
    if !found.is_empty() && !is_of_database(text) && !is_list(text) {
        found.clear();
    }
    found.into_iter().chain(oracle(text))
}

/// Returns the places of the values of parameters that are named as passwords are.
fn values(text: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut end = 0;
    for equals in memchr::memchr_iter(b'=', text) {
        // Places are in order and do not nest.
        if end > equals + 1 {
            continue;
        }
        let near = text.get(equals.saturating_sub(NAME_LEN_MAX)..equals).unwrap_or_default();
        let before = near.trim_ascii_end();
        // Most names are settled by their last letter.
        let letter = before.iter().rfind(|byte| !byte.is_ascii_digit()).map(u8::to_ascii_lowercase);
        if !PARAMETERS.iter().any(|known| known.last().copied() == letter) {
            continue;
        }
        let opens = before.iter().rposition(|byte| b"?&;,( \t{".contains(byte));
        let name = before.get(opens.map_or(0, |at| at + 1)..).unwrap_or_default();
        // `password2` is another factor of MySQL's drivers.
        let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let name = name.get(..name.len() - digits).unwrap_or_default();
        if !names_secret(name) {
            continue;
        }
        let opener = opens.and_then(|at| before.get(at)).copied().unwrap_or(b'?');
        let start = equals + 1;
        let len = value_len(opener, text.get(start..).unwrap_or_default());
        if len > 0 {
            end = start + len;
            found.push(Span::new(start, end));
        }
    }
    found
}

/// Returns the place of the password of Oracle's thin driver, which follows a slash:
/// `jdbc:oracle:thin:user/password@host`.
fn oracle(text: &[u8]) -> Option<Span> {
    const THIN: &[u8] = b"jdbc:oracle:";
    let start = find_ignoring_case(text, THIN)? + THIN.len();
    let rest = text.get(start..)?;
    let end = memchr::memrchr(b'@', rest)?;
    let slash = memchr::memchr(b'/', rest.get(..end)?)?;
    (slash + 1 < end).then(|| Span::new(start + slash + 1, start + end))
}

/// Returns the length of the value at the start of `rest`, for a parameter after `opener`. A value
/// in braces reaches to the first closing brace.
fn value_len(opener: u8, rest: &[u8]) -> usize {
    if rest.starts_with(b"{")
        && let Some(end) = memchr::memchr(b'}', rest)
    {
        return end + 1;
    }
    let ends: &[u8] = match opener {
        b'(' | b',' | b'{' => b"),}",
        b';' => b";",
        _ => b"&",
    };
    rest.iter()
        .position(|byte| ends.contains(byte) || byte.is_ascii_whitespace())
        .unwrap_or(rest.len())
}
