//! The `text` format: `path:line:column: message`, one line a finding, as editors, terminals and
//! continuous integration understand it.
//!
//! A finding is `ok URI`, or one line for the result of the probe, for each grammar that finds a
//! fault, and for each warning. Notes and totals are not part of it: the binary writes them to
//! standard error.
//!
//! Millions of lines are written, so numbers and escapes are appended without `core::fmt`; only the
//! messages of faults and warnings, which are rare, use it.

use std::borrow::Cow;
use std::io::Write as _;

use super::escape::Shown;
use super::escape::runner::disarm_line;
use super::number::append_number;
use super::record::{Line, MementoRecord, archived_words};
use super::statement::{Answer, answered, append_archived, hinted, is_news, unknown, warned};
use super::{Encoding, Form, Lines, Paint, Report, Style, hyperlink};
use crate::finding::{
    Class, Fault, Finding, Note, Place, Reach, Summary, Syntax, Verdict, Warning,
};
use crate::uri::Redacted;

mod saved;

/// The `text` format.
pub struct Text;

impl Report for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn about(&self) -> &'static str {
        "path:line:column: message, for people, editors and continuous integration"
    }

    fn form(&self) -> Form {
        Form::Lines(&Self)
    }
}

impl Lines for Text {
    fn encoding(&self) -> Encoding {
        Encoding::Text
    }

    fn finding(&self, finding: &Finding<'_>, style: &Style, out: &mut Vec<u8>) {
        let mut faults = finding.facts.syntax.iter().filter_map(with_fault).peekable();
        if let Some(reach) = finding.reach.filter(|_| has_news(finding)) {
            append_reach(finding, reach, style, out);
        } else if faults.peek().is_none() && finding.facts.warnings.is_empty() {
            append_place(&finding.place, style, out);
            append_word(finding.verdict, None, style, out);
            out.push(b' ');
            Shown(&finding.uri.shown()).append_to(out);
            let reason = finding.wrapped.as_ref().and_then(|wrapped| wrapped.unknown);
            out.extend_from_slice(unknown(reason).as_bytes());
            let mut words = Vec::new();
            append_archived(archived(finding).as_deref(), &mut words);
            Shown(&words).append_to(out);
            out.push(b'\n');
        }
        for (grammar, fault) in faults {
            append_place(&finding.place, style, out);
            append_word(finding.verdict, Some(fault.rule.id), style, out);
            out.extend_from_slice(b": ");
            Shown(&finding.uri.shown()).append_to(out);
            if finding.facts.syntax.len() > 1 {
                out.extend_from_slice(b": ");
                out.extend_from_slice(grammar.as_bytes());
            }
            // Writing to a vector cannot fail.
            let _ = writeln!(out, ": {fault}");
        }
        for warning in &finding.facts.warnings {
            append_warning(finding, warning, style, out);
        }
    }

    fn note(&self, _: &Note, _: &mut Vec<u8>) {}

    fn summary(&self, _: &Summary, _: &mut Vec<u8>) {}

    fn saved(&self, line: &Line, _: &[u8], style: &Style, out: &mut Vec<u8>) {
        if let Line::Finding(record) = line {
            saved::append(record, style, out);
        }
    }

    fn is_styled(&self) -> bool {
        true
    }

    fn counts_distinct(&self) -> bool {
        false
    }

    fn wants_messages(&self) -> bool {
        false
    }
}

fn with_fault(syntax: &Syntax) -> Option<(&'static str, &Fault)> {
    syntax.fault.as_ref().map(|fault| (syntax.grammar, fault))
}

/// Reports whether the result of the probe says more than that the link answers.
fn has_news(finding: &Finding<'_>) -> bool {
    finding.reach.is_some_and(|reach| {
        let has_more = reach.hint.is_some() || reach.changed_since().is_some();
        is_news(reach.class == Class::Alive, has_more, finding.verdict)
    })
}

/// Returns what web archives hold of the link, in words.
fn archived(finding: &Finding<'_>) -> Option<String> {
    let archived = finding.archived?;
    let memento = archived.memento().map(MementoRecord::from);
    archived_words(archived.is_found(), memento.as_ref(), archived.unknown())
}

/// Appends the result of the probe: `error[missing]: URI: 404 …`, with the redirects.
fn append_reach(finding: &Finding<'_>, reach: &Reach, style: &Style, out: &mut Vec<u8>) {
    let verdict = answered(finding.verdict, Some(reach.class), finding.facts.warnings.len());
    append_place(&finding.place, style, out);
    append_word(verdict, Some(reach.class.row().name), style, out);
    out.extend_from_slice(b": ");
    Shown(&finding.uri.shown()).append_to(out);
    let shown = |text: &[u8]| Cow::Owned(Redacted::new(text).shown().into_owned());
    let answer = Answer {
        hops: reach.hops.iter().map(|hop| shown(&hop.to)).collect(),
        message: shown(reach.message.as_bytes()),
        dead_runs: reach.dead_runs,
        changed_since: reach.changed_since().map(Cow::Owned),
        hint: reach
            .hint
            .as_deref()
            .map(|hint| shown(&hinted(reach.probe, reach.class.row().name, hint.as_bytes()))),
        archived: archived(finding),
    };
    let mut words = Vec::new();
    answer.append_to(&mut words);
    Shown(&words).append_to(out);
    out.push(b'\n');
}

fn append_warning(finding: &Finding<'_>, warning: &Warning, style: &Style, out: &mut Vec<u8>) {
    append_place(&finding.place, style, out);
    append_word(warned(finding.known.as_ref()), Some(warning.lint.id), style, out);
    out.extend_from_slice(b": ");
    Shown(&finding.uri.shown()).append_to(out);
    // Writing to a vector cannot fail.
    let _ = writeln!(out, ": {warning}");
}

// The colours of SGR (ECMA-48 §8.3.117), as grep and others use them for paths and numbers.
const PATH: &[u8] = b"\x1b[35m";
const NUMBER: &[u8] = b"\x1b[32m";
const GOOD: &[u8] = b"\x1b[32m";
const DOUBTFUL: &[u8] = b"\x1b[33m";
const BAD: &[u8] = b"\x1b[1;31m";
const FAINT: &[u8] = b"\x1b[2m";
const RESET: &[u8] = b"\x1b[0m";

/// Appends the output of `fill`, in `colour` if colours are enabled.
fn painted(colour: &[u8], style: &Style, out: &mut Vec<u8>, fill: impl FnOnce(&mut Vec<u8>)) {
    match style.paint {
        Paint::Plain => fill(out),
        Paint::Ansi => {
            out.extend_from_slice(colour);
            fill(out);
            out.extend_from_slice(RESET);
        }
    }
}

fn append_place(place: &Place<'_>, style: &Style, out: &mut Vec<u8>) {
    let path = Redacted::new(place.origin.path.as_os_str().as_encoded_bytes());
    let members: Vec<_> = place.origin.members.iter().map(|member| Redacted::new(member)).collect();
    let members = members.iter().map(Redacted::shown);
    append_origin(&path.shown(), members, [place.line, place.column], style, out);
}

/// Appends `path!member:line:column: `.
fn append_origin(
    path: &[u8],
    members: impl Iterator<Item = impl AsRef<[u8]>>,
    numbers: [u64; 2],
    style: &Style,
    out: &mut Vec<u8>,
) {
    // Standard input is called `-`, and cannot be opened as a file.
    let links = style.links.as_ref().filter(|_| path != b"-");
    if let Some(home) = links {
        home.append_begin(path, out);
    }
    painted(PATH, style, out, |out| {
        let start = out.len();
        Shown(path).append_to(out);
        disarm_line(out, start);
        for member in members {
            out.push(b'!');
            Shown(member.as_ref()).append_to(out);
        }
    });
    if links.is_some() {
        hyperlink::append_end(out);
    }
    for number in numbers {
        out.push(b':');
        painted(NUMBER, style, out, |out| append_number(number, out));
    }
    out.extend_from_slice(b": ");
}

fn append_word(verdict: Verdict, id: Option<&str>, style: &Style, out: &mut Vec<u8>) {
    let colour = match verdict {
        Verdict::Ok => GOOD,
        Verdict::Warn => DOUBTFUL,
        Verdict::Error => BAD,
        Verdict::Skipped => FAINT,
    };
    painted(colour, style, out, |out| {
        out.extend_from_slice(verdict.name().as_bytes());
        if let Some(id) = id {
            out.push(b'[');
            Shown(id.as_bytes()).append_to(out);
            out.push(b']');
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Lines as _, Paint, Style, Text};
    use crate::finding::{Facts, Fault, Finding, Origin, Place, RULES, Repairs, Syntax, Verdict};
    use crate::platform::path_of;
    use crate::report::Home;

    fn origin(path: &[u8], members: &[&[u8]]) -> Origin {
        let path = path_of(path).into_owned();
        let members = members.iter().map(|member| member.to_vec()).collect();
        Origin { path, members, ..Origin::default() }
    }

    fn fault(id: &str, at: usize) -> Fault {
        Fault {
            rule: RULES.iter().find(|rule| rule.id == id).unwrap(),
            at: Some(at),
            expected: b"0123456789ABCDEFabcdef".iter().copied().collect(),
            end_expected: false,
            message: "a message".into(),
            hint: None,
            spec: "RFC 3986 §2.1".into(),
        }
    }

    fn print(origin: &Origin, uri: &[u8], syntax: &[Syntax], paint: Paint) -> String {
        print_styled(origin, uri, syntax, &Style { paint, links: None })
    }

    fn print_styled(origin: &Origin, uri: &[u8], syntax: &[Syntax], style: &Style) -> String {
        let is_bad = syntax.iter().any(|syntax| syntax.fault.is_some());
        let facts = Arc::new(Facts {
            scheme: "http".into(),
            syntax: syntax.to_vec(),
            verdict: if is_bad { Verdict::Error } else { Verdict::Ok },
            ..Facts::default()
        });
        let place = Place::example(origin, [0, 1, 1204, 17]);
        let finding = Finding::example(uri, place, &facts);
        let mut out = Vec::new();
        Text.finding(&finding, style, &mut out);
        String::from_utf8(out).expect("text is UTF-8 whatever came in")
    }

    fn good(grammar: &'static str) -> Syntax {
        Syntax { grammar, fault: None, repairs: Repairs::NONE }
    }

    fn bad(grammar: &'static str, id: &str, at: usize) -> Syntax {
        Syntax { grammar, fault: Some(fault(id, at)), repairs: Repairs::NONE }
    }

    #[test]
    fn a_good_finding_is_one_line() {
        assert_eq!(
            print(&origin(b"mail/box.mbox", &[]), b"http://h/", &[good("current")], Paint::Plain),
            "mail/box.mbox:1204:17: ok http://h/\n"
        );
    }

    #[test]
    fn a_fault_names_rule_offset_and_section() {
        let syntax = [bad("current", "pct-encoded", 10)];
        assert_eq!(
            print(&origin(b"a.md", &[]), b"http://h/%zz", &syntax, Paint::Plain),
            "a.md:1204:17: error[pct-encoded]: http://h/%zz: \
             expected a hex digit at byte 10 (RFC 3986 §2.1)\n"
        );
    }

    #[test]
    fn several_grammars_have_a_line_each_that_finds_a_fault() {
        let syntax = [bad("rfc3986-uri", "pct-encoded", 10), good("lax"), bad("old", "path", 9)];
        assert_eq!(
            print(&origin(b"a", &[]), b"http://h/%zz", &syntax, Paint::Plain),
            "a:1204:17: error[pct-encoded]: http://h/%zz: rfc3986-uri: \
             expected a hex digit at byte 10 (RFC 3986 §2.1)\n\
             a:1204:17: error[path]: http://h/%zz: old: \
             expected a hex digit at byte 9 (RFC 3986 §2.1)\n"
        );
    }

    #[test]
    fn members_follow_the_path() {
        let inside = origin(b"s.tar.gz", &[b"box.mbox", b"msg 12", b"part 1.2"]);
        assert_eq!(
            print(&inside, b"x:y", &[good("current")], Paint::Plain),
            "s.tar.gz!box.mbox!msg 12!part 1.2:1204:17: ok x:y\n"
        );
    }

    #[test]
    fn a_hostile_path_member_or_uri_cannot_leave_its_line() {
        let hostile = origin(b"a\nfake:1:1: ok\x1b]0;t\x07\xff", &[b"m\r\xc2\x9b2J"]);
        assert_eq!(
            print(&hostile, "http://h/\u{202e}\n\u{feff}".as_bytes(), &[], Paint::Plain),
            "a\\x0afake:1:1: ok\\x1b]0;t\\x07\\xff!m\\x0d\\u{9b}2J:1204:17: \
             ok http://h/\\u{202e}\\x0a\\u{feff}\n"
        );
    }

    #[test]
    fn a_path_or_a_uri_is_no_command_for_a_runner_of_workflows() {
        let place = origin(b"::error::a", &[b"##vso[b]"]);
        assert_eq!(
            print(&place, b"http://h/##[error]c", &[], Paint::Plain),
            "\\x3a:error::a!\\x23#vso[b]:1204:17: ok http://h/\\x23#[error]c\n"
        );
    }

    #[test]
    fn a_path_is_a_hyperlink_only_when_asked_and_standard_input_never() {
        let links = Some(Home::new(b"here", b"/home/me"));
        let style = Style { paint: Paint::Plain, links };
        let linked =
            |path: &[u8]| print_styled(&origin(path, &[b"m"]), b"x:y", &[good("current")], &style);
        let wanted =
            "\x1b]8;;file://here/home/me/a%1B\x1b\\a\\x1b!m\x1b]8;;\x1b\\:1204:17: ok x:y\n";
        assert_eq!(linked(b"a\x1b"), wanted);
        assert_eq!(linked(b"-"), "-!m:1204:17: ok x:y\n");
    }

    #[test]
    fn colours_come_only_when_asked_and_never_from_the_text() {
        let place = origin(b"a\x1b[1m", &[]);
        let painted = print(&place, b"x:\x1b[1m", &[bad("g", "path", 2)], Paint::Ansi);
        let mut plain = painted.clone();
        for code in ["35", "32", "1;31", "0"] {
            plain = plain.replace(&format!("\x1b[{code}m"), "");
        }
        assert_ne!(painted, plain);
        assert_eq!(plain, print(&place, b"x:\x1b[1m", &[bad("g", "path", 2)], Paint::Plain));
    }
}
