//! Recognises the beginnings of our own reports, so that a report never replaces any other file.
//!
//! Each format is recognised by its constant first words, and where other programs write the same
//! format, by our names for the problems. A truncated report counts as one, too. State files and
//! baselines are no reports.

use memchr::memmem;

use super::comparison::Change;
use super::statement;
use crate::finding::{Class, NOTES, RULES, lint};

/// Number of bytes examined at the beginning of a file. A page has its style sheet before our name,
/// and lines may begin with long paths: this is several times the length of either.
pub const BEGINNING_LEN: usize = 64 * 1024;

/// Maximum number of positions in a line that are tried as the end of the path.
const PATH_ENDS_MAX: usize = 64;

/// A format and the test for its beginning.
type Row = (&'static str, fn(&[u8]) -> bool);

/// One row for each format.
static ROWS: &[Row] = &[
    ("text", is_text),
    ("ndjson", is_ndjson),
    ("json", is_json),
    ("html", is_html),
    ("sarif", is_sarif),
    ("junit", is_junit),
    ("github", is_github),
    ("job-summary", is_job_summary),
    ("gitlab", is_gitlab),
    ("checkstyle", is_checkstyle),
    ("rdjson", is_rdjson),
    ("tap", is_tap),
    ("markdown", is_markdown),
    ("csv", is_csv),
    ("sqlite", is_sqlite),
    ("cdxj", is_cdxj),
    #[cfg(feature = "arrow")]
    ("arrow", super::arrow::is_own_stream),
    #[cfg(feature = "arrow")]
    ("parquet", super::arrow::is_own_file),
];

/// Returns the name of the format if `beginning` is the beginning of a report: the first
/// [`BEGINNING_LEN`] bytes of a file, or all of it. Returns `None` if this program did not write
/// the file.
///
/// ```
/// use linktrawl::internal::report::own;
/// assert_eq!(own::format_of(b"a.md:1:5: ok http://h/\n"), Some("text"));
/// assert_eq!(own::format_of(b"# Thesis\n"), None);
/// ```
#[must_use]
pub fn format_of(beginning: &[u8]) -> Option<&'static str> {
    ROWS.iter().find(|(_, begins)| begins(beginning)).map(|(name, _)| *name)
}

fn has(text: &[u8], part: &[u8]) -> bool {
    memmem::find(text, part).is_some()
}

fn first_line(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// Reports whether `id` is one of our names for a problem.
fn is_known(id: &[u8]) -> bool {
    let Ok(id) = std::str::from_utf8(id) else { return false };
    let is_rule = RULES.iter().any(|rule| rule.id == id);
    let is_note = || NOTES.iter().any(|note| note.name == id);
    is_rule || lint::find(id).is_some() || Class::find(id).is_some() || is_note()
}

/// Returns the text between `before` and `after`, if `text` contains both.
fn between<'t>(text: &'t [u8], before: &[u8], after: &[u8]) -> Option<&'t [u8]> {
    let start = memmem::find(text, before)? + before.len();
    let rest = text.get(start..)?;
    rest.get(..memmem::find(rest, after)?)
}

// ---- text -------------------------------------------------------------------------------

/// Recognises `path:line:column: error[missing]: …`, also with colours and hyperlinks.
fn is_text(beginning: &[u8]) -> bool {
    let line = without_styles(first_line(beginning));
    if is_change(&line) {
        return true;
    }
    memmem::find_iter(&line, b": ").take(PATH_ENDS_MAX).any(|at| {
        let (place, words) = line.split_at(at);
        let words = words.strip_prefix(b": ").unwrap_or_default();
        is_place(place) && (is_statement(words) || is_change(words))
    })
}

/// Reports whether `words` is a change of a link between two runs: `died[missing]: …`.
fn is_change(words: &[u8]) -> bool {
    Change::LISTED.iter().any(|change| {
        let rest = words.strip_prefix(change.name().as_bytes());
        rest.and_then(|rest| between(rest, b"[", b"]: ")).is_some_and(is_known)
    })
}

/// Reports whether `place` is `path:line:column`.
fn is_place(place: &[u8]) -> bool {
    let mut parts = place.rsplitn(3, |&byte| byte == b':');
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let numbers = parts.next().is_some_and(is_number) && parts.next().is_some_and(is_number);
    numbers && parts.next().is_some_and(|path| !path.is_empty())
}

/// Reports whether `words` is a verdict with one of our names, a URI, or the number of links in a
/// group. Compilers also write `error: `, and some write `error[E0001]: `.
fn is_statement(words: &[u8]) -> bool {
    let verdicts: [&[u8]; 4] = [b"ok", b"warn", b"error", b"skipped"];
    let Some(rest) = verdicts.iter().find_map(|verdict| words.strip_prefix(*verdict)) else {
        return false;
    };
    match rest {
        [b'[', ..] => between(rest, b"[", b"]").is_some_and(is_known),
        [b':', b' ', ..] => has(rest, b" link: ") || has(rest, b" links: "),
        // A URI contains no blank: blanks are shown escaped.
        [b' ', uri @ ..] => {
            let uri = uri.get(..memmem::find(uri, UNKNOWN).unwrap_or(uri.len()));
            let uri = uri.unwrap_or_default();
            let is_word = !uri.is_empty() && memchr::memchr(b' ', uri).is_none();
            is_word && memchr::memchr3(b':', b'/', b'.', uri).is_some()
        }
        _ => false,
    }
}

/// The words after the URI of a link whose target a gateway keeps.
const UNKNOWN: &[u8] = statement::UNKNOWN.as_bytes();

/// Returns `line` without the control sequences of colours and hyperlinks (ECMA-48 SGR, OSC 8).
fn without_styles(line: &[u8]) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::with_capacity(line.len()), line);
    while let Some(at) = memchr::memchr(0x1b, rest) {
        let (clean, sequence) = rest.split_at(at);
        out.extend_from_slice(clean);
        let end = match sequence.get(1) {
            Some(b'[') => memchr::memchr(b'm', sequence).map(|at| at + 1),
            Some(b']') => memmem::find(sequence, b"\x1b\\").map(|at| at + 2),
            _ => None,
        };
        rest = sequence.get(end.unwrap_or(sequence.len())..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    out
}

/// Recognises an annotation with our name as its title.
fn is_github(beginning: &[u8]) -> bool {
    let line = first_line(beginning);
    let commands: [&[u8]; 3] = [b"::error ", b"::warning ", b"::notice "];
    let is_command = commands.iter().any(|command| line.starts_with(command));
    is_command && (has(line, b"title=linktrawl%3A ") || has(line, b"title=linktrawl::"))
}

fn is_job_summary(beginning: &[u8]) -> bool {
    beginning.starts_with(b"\n## linktrawl\n")
}

fn is_tap(beginning: &[u8]) -> bool {
    let Some(rest) = beginning.strip_prefix(b"TAP version 14\n") else { return false };
    let line = first_line(rest);
    let is_point = line.starts_with(b"ok 1 - ") || line.starts_with(b"not ok 1 - ");
    let is_ours = || {
        let ends = memmem::find_iter(line, b": ").take(PATH_ENDS_MAX);
        ends.into_iter().any(|at| is_place(line.get(..at).unwrap_or_default()))
            || line.ends_with(b" - every input was read in full")
    };
    let is_note = || {
        let parts = line.split(|&byte| byte == b':').map(<[u8]>::trim_ascii);
        // A path precedes the name, and words follow it.
        let parts: Vec<&[u8]> = parts.take(PATH_ENDS_MAX).collect();
        let inner = parts.get(1..parts.len().saturating_sub(1)).unwrap_or_default();
        line.starts_with(b"# ") && inner.iter().any(|part| is_known(part))
    };
    rest.is_empty()
        || line == b"1..0 # SKIP no link was found"
        || is_point && is_ours()
        || is_note()
}

fn is_markdown(beginning: &[u8]) -> bool {
    let mut lines = beginning.split(|&byte| byte == b'\n');
    let heading = lines.next().unwrap_or_default();
    let count = lines.nth(1).unwrap_or_default();
    let is_comparison = heading.starts_with(b"## Links over time: ") && has(heading, b" died, ");
    heading.starts_with(b"## Links: ") && has(heading, b" error") && has(count, b" in ")
        || is_comparison
}

fn is_csv(beginning: &[u8]) -> bool {
    beginning.starts_with(b"type,verdict,reasons,uri,scheme,path,")
}

// ---- JSON -------------------------------------------------------------------------------

fn is_ndjson(beginning: &[u8]) -> bool {
    let line = first_line(beginning);
    line.starts_with(br#"{"type":"finding","uri":"#) && has(line, br#","place":{"#)
        || line.starts_with(br#"{"type":"note","#) && has(line, br#""place":{"#)
        || line.starts_with(br#"{"type":"summary","schema":"#)
}

fn is_json(beginning: &[u8]) -> bool {
    let line = first_line(beginning);
    let types: [&[u8]; 2] =
        [br#"{"type":"report","schema":"#, br#"{"type":"comparison","schema":"#];
    types.iter().any(|it| line.starts_with(it)) && has(line, br#""name":"linktrawl""#)
}

/// Recognises a key, a date, and an object with a verdict, which no index has.
fn is_cdxj(beginning: &[u8]) -> bool {
    let mut fields = first_line(beginning).splitn(3, |&byte| byte == b' ');
    let [key, time, object] = [(); 3].map(|()| fields.next().unwrap_or_default());
    let is_time = time == b"-" || time.len() == 14 && time.iter().all(u8::is_ascii_digit);
    let is_ours = object.starts_with(br#"{"url":""#) && has(object, br#","verdict":""#);
    !key.is_empty() && is_time && is_ours && has(object, br#","path":""#)
}

fn is_sarif(beginning: &[u8]) -> bool {
    let line = first_line(beginning);
    line.starts_with(br#"{"$schema":"#) && has(line, br#""driver":{"name":"linktrawl","#)
}

fn is_gitlab(beginning: &[u8]) -> bool {
    let name = || between(beginning, br#"","check_name":""#, br#"","fingerprint":""#);
    beginning == b"[\n]\n"
        || beginning.starts_with(b"[\n{\"description\":\"") && name().is_some_and(is_known)
}

fn is_rdjson(beginning: &[u8]) -> bool {
    beginning.starts_with(br#"{"source":{"name":"linktrawl"},"#)
}

// ---- markup and databases ---------------------------------------------------------------

const XML: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

fn is_junit(beginning: &[u8]) -> bool {
    let rest = beginning.strip_prefix(XML);
    rest.is_some_and(|rest| rest.starts_with(b"<testsuites name=\"linktrawl\">\n"))
}

fn is_checkstyle(beginning: &[u8]) -> bool {
    let rest = beginning.strip_prefix(XML);
    let rest = rest.and_then(|rest| rest.strip_prefix(b"<checkstyle version=\"4.3\">\n"));
    rest.is_some_and(|rest| rest == b"</checkstyle>\n" || has(rest, b" source=\"linktrawl."))
}

fn is_html(beginning: &[u8]) -> bool {
    let opening = b"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    let brand =
        b"<p class=\"brand\"><span class=\"mark\" aria-hidden=\"true\"></span>linktrawl</p>";
    beginning.starts_with(opening) && has(beginning, brand)
}

/// Recognises our tables, which are in the first page, or in the next ones if they do not fit there
/// (SQLite's database file format, section 2.6).
fn is_sqlite(beginning: &[u8]) -> bool {
    let tables: [&[u8]; 2] = [
        b"CREATE TABLE findings (id INTEGER PRIMARY KEY, \"uri\", \"scheme\", \"verdict\"",
        b"CREATE TABLE summary (id INTEGER PRIMARY KEY, \"schema\", \"complete\"",
    ];
    beginning.starts_with(b"SQLite format 3\0") && tables.iter().all(|it| has(beginning, it))
}

#[cfg(test)]
mod tests {
    use super::{ROWS, format_of};
    use crate::report::REPORTS;

    #[test]
    fn every_format_has_a_row() {
        let names: Vec<_> = ROWS.iter().map(|(name, _)| *name).collect();
        let wanted: Vec<_> = REPORTS.iter().map(|report| report.name()).collect();
        assert_eq!(names, wanted);
    }

    #[track_caller]
    fn case(beginning: &str, wanted: Option<&str>) {
        assert_eq!(format_of(beginning.as_bytes()), wanted, "{beginning}");
    }

    #[test]
    fn lines_of_text_are_ours_by_their_verdict_and_its_name() {
        let text = Some("text");
        case("a.md:1:5: ok http://h/\n", text);
        case("a: b.md:1:5: error[missing]: http://h/: 404", text);
        case(
            "\x1b[35ma.md\x1b[0m:\x1b[32m1\x1b[0m:\x1b[32m5\x1b[0m: \x1b[32mok\x1b[0m x:y\n",
            text,
        );
        case("\x1b]8;;file://h/a\x1b\\a\x1b]8;;\x1b\\!m:1:2: skipped x:y\n", text);
        case("a.md:1:5: ok http://h/: wrapped, target unknown: the gateway keeps it\n", text);
        case("a.md:1:5: error: h: 2 links: 1 error, 1 ok\n", text);
        case("a.c:1:5: error: expected ';'\n", None);
        case("a.rs:1:5: error[E0425]: cannot find value\n", None);
        case("a.md:1: ok http://h/\n", None);
        case(":1:5: ok http://h/\n", None);
        case("a.md:1:5: okay\n", None);
        case("see a.md:1:5\n", None);
    }

    #[test]
    fn what_others_write_in_the_same_formats_is_not_ours() {
        case("", None);
        case("From a@h Thu Jan  1 00:00:00 1970\n", None);
        case("TAP version 14\n1..1\nok 1 - a\n", None);
        case("TAP version 14\nok 1 - a works\n1..1\n", None);
        case("::error file=a.js,line=1::unexpected token\n", None);
        case("[\n{\"description\":\"a\",\"check_name\":\"no-undef\",\"fingerprint\":\"1\"}]", None);
        case("[]\n", None);
        case("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"jest\">\n", None);
        let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n";
        case(&format!("{xml}<file name=\"a\">\n<error source=\"eslint.x\"/>"), None);
        case("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", None);
        case("{\"type\":\"finding\"}\n", None);
        case("{\"type\":\"note\",\"text\":\"buy milk\"}\n", None);
        case("## Links\n\n- http://h/\n", None);
        case("type,verdict\n", None);
        case("SQLite format 3\0", None);
        case("{\"source\":{\"name\":\"eslint\"},", None);
    }
}
