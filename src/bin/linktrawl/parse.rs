//! `linktrawl parse`: holds URIs to grammars and explains what is wrong.
//!
//! URIs are bytes, from the command line or one a line from standard input. Nothing is
//! trimmed but the end of the line: a blank is part of what is asked about.

use std::ffi::OsStr;
use std::io::{self, Read, Write as _};

use linktrawl::finding::Fault;
use linktrawl::grammar::{GRAMMARS, Grammar};
use linktrawl::report::escape::Shown;
use linktrawl::report::json::{append_line, text_entry};
use linktrawl::{Span, Uri};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use crate::flags::{ParseFlags, ParseFormat};
use crate::plan;

/// Whether something was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Every URI is valid in every grammar asked for.
    AllValid,
    /// At least one is not.
    Invalid,
}

/// Explains each URI of `flags`.
///
/// # Errors
/// When standard input cannot be read, has a line beyond [`LINE_BYTES_MAX`], or standard
/// output cannot be written.
pub(crate) fn run(flags: &ParseFlags) -> anyhow::Result<Found> {
    let mut explainer = Explainer {
        grammars: plan::distinct(&flags.grammars),
        format: flags.format,
        out: Vec::new(),
        found: Found::AllValid,
    };
    if flags.uris.is_empty() {
        explainer.explain_stdin()?;
    }
    for uri in &flags.uris {
        if uri == OsStr::new("-") {
            explainer.explain_stdin()?;
        } else {
            explainer.explain(uri.as_encoded_bytes());
            explainer.write()?;
        }
    }
    Ok(explainer.found)
}

/// Bytes that are read at once.
const BLOCK_BYTES: usize = 256 * 1024;

/// Longest line that is taken: what is longer is no list of URIs, and must not fill memory.
const LINE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Gives `each_block` the whole lines of `input`, block by block, from one buffer that grows
/// to the longest line. Only the last block of all may lack its line feed.
fn read_lines(
    mut input: impl Read,
    mut each_block: impl FnMut(&[u8]) -> io::Result<()>,
) -> anyhow::Result<()> {
    let mut buffer = vec![0; BLOCK_BYTES];
    let mut filled = 0;
    loop {
        if filled == buffer.len() {
            anyhow::ensure!(
                filled < LINE_BYTES_MAX,
                "expected lines of at most {LINE_BYTES_MAX} bytes on standard input"
            );
            buffer.resize((2 * filled).min(LINE_BYTES_MAX), 0);
        }
        let read = match input.read(buffer.get_mut(filled..).unwrap_or_default()) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => anyhow::bail!("cannot read standard input: {error}"),
            Ok(0) => break,
            Ok(read) => read,
        };
        // What was there before holds no line feed.
        let fresh = Span::new(filled, filled + read);
        filled = fresh.end;
        if let Some(feed) = memchr::memrchr(b'\n', fresh.of(&buffer)) {
            let taken = fresh.start + feed + 1;
            each_block(Span::new(0, taken).of(&buffer))?;
            buffer.copy_within(taken..filled, 0);
            filled -= taken;
        }
    }
    if filled > 0 {
        each_block(Span::new(0, filled).of(&buffer))?;
    }
    Ok(())
}

/// The lines of `block` without their ends.
fn lines(block: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = block.strip_suffix(b"\n").unwrap_or(block);
    text.split(|&byte| byte == b'\n').map(without_return)
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Holds URIs to grammars and collects what is to be printed.
struct Explainer {
    grammars: Vec<&'static dyn Grammar>,
    format: ParseFormat,
    out: Vec<u8>,
    found: Found,
}

impl Explainer {
    fn explain_stdin(&mut self) -> anyhow::Result<()> {
        read_lines(io::stdin().lock(), |block| {
            lines(block).for_each(|line| self.explain(line));
            self.write()
        })
    }

    fn write(&mut self) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(&self.out)?;
        self.out.clear();
        stdout.flush()
    }

    fn explain(&mut self, uri: &[u8]) {
        match self.format {
            ParseFormat::Text => self.explain_as_text(uri),
            ParseFormat::Ndjson => self.explain_as_ndjson(uri),
        }
    }

    fn explain_as_ndjson(&mut self, uri: &[u8]) {
        for grammar in &self.grammars {
            let checked = grammar.check(uri);
            if checked.is_err() {
                self.found = Found::Invalid;
            }
            append_line(&ParseRecord { uri, grammar: *grammar, checked }, &mut self.out);
        }
    }

    fn explain_as_text(&mut self, uri: &[u8]) {
        Shown(uri).append_to(&mut self.out);
        self.out.push(b'\n');
        let mut valid = true;
        for grammar in &self.grammars {
            if let Err(fault) = grammar.check(uri) {
                valid = false;
                let name = (self.grammars.len() > 1).then(|| grammar.name());
                append_fault(uri, name, &fault, &mut self.out);
            }
        }
        if !valid {
            self.found = Found::Invalid;
            append_accepting(uri, &mut self.out);
        } else if let Some(grammar) = self.grammars.first() {
            append_components(&grammar.split(uri), &mut self.out);
        }
    }
}

/// Length of the longest name of a component: `userinfo`, `fragment`.
const NAME_LEN_MAX: usize = 8;

fn append_components(uri: &Uri<'_>, out: &mut Vec<u8>) {
    for (name, text) in uri.components() {
        out.extend_from_slice(b"  ");
        out.extend_from_slice(name.as_bytes());
        // An empty component is a name alone: it is there, other than an absent one.
        if !text.is_empty() {
            append_blanks(NAME_LEN_MAX.saturating_sub(name.len()) + 2, out);
            Shown(text).append_to(out);
        }
        out.push(b'\n');
    }
}

/// Marks the byte of `fault` under the line of `uri`, and says what is wrong there.
fn append_fault(uri: &[u8], grammar: Option<&str>, fault: &Fault, out: &mut Vec<u8>) {
    let column = Shown(uri.get(..char_start(uri, fault.at)).unwrap_or(uri)).width();
    append_blanks(column, out);
    out.extend_from_slice(b"^ ");
    if let Some(grammar) = grammar {
        out.extend_from_slice(grammar.as_bytes());
        out.extend_from_slice(b": ");
    }
    let (rule, spec) = (fault.rule, &fault.spec);
    out.extend_from_slice(format!("{}: {} ({spec})\n", rule.id, rule.about).as_bytes());
    append_blanks(column + 2, out);
    out.extend_from_slice(format!("expected {}\n", fault.expectation()).as_bytes());
}

/// Names every grammar that takes `uri`, when there is one.
fn append_accepting(uri: &[u8], out: &mut Vec<u8>) {
    let taking = GRAMMARS.iter().filter(|grammar| grammar.check(uri).is_ok());
    let names: Vec<_> = taking.map(|grammar| grammar.name()).collect();
    if !names.is_empty() {
        out.extend_from_slice(format!("  accepted by: {}\n", names.join(" ")).as_bytes());
    }
}

fn append_blanks(count: usize, out: &mut Vec<u8>) {
    out.resize(out.len() + count, b' ');
}

/// Most bytes of one character that can stand before its last (RFC 3629 §3).
const CHAR_TAIL_MAX: usize = 3;

/// The first byte of the character that the byte at `at` belongs to; `at` itself when it is
/// no part of UTF-8 text, and at the end.
fn char_start(text: &[u8], at: usize) -> usize {
    let holds_at = |&start: &usize| {
        let tail = text.get(start..).unwrap_or_default();
        let head = tail.get(..=CHAR_TAIL_MAX).unwrap_or(tail);
        let valid = head.utf8_chunks().next().map(|chunk| chunk.valid()).unwrap_or_default();
        valid.chars().next().is_some_and(|first| start + first.len_utf8() > at)
    };
    (at.saturating_sub(CHAR_TAIL_MAX)..at).find(holds_at).unwrap_or(at)
}

/// What one grammar says of one URI.
struct ParseRecord<'u> {
    uri: &'u [u8],
    grammar: &'static dyn Grammar,
    checked: Result<(), Fault>,
}

impl Serialize for ParseRecord<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("type", "parse")?;
        text_entry(&mut map, "input", "input_bytes", self.uri)?;
        map.serialize_entry("grammar", self.grammar.name())?;
        map.serialize_entry("ok", &self.checked.is_ok())?;
        match &self.checked {
            Ok(()) => {
                map.serialize_entry("components", &Components(self.grammar.split(self.uri)))?;
                map.serialize_entry("repairs", &[(); 0])?;
            }
            Err(fault) => {
                map.serialize_entry("at", &fault.at)?;
                map.serialize_entry("rule", fault.rule.id)?;
                map.serialize_entry("expected", &fault.expectation())?;
                map.serialize_entry("spec", &fault.spec)?;
            }
        }
        map.end()
    }
}

/// The components by name; what is absent is null, what is empty is an empty string.
struct Components<'u>(Uri<'u>);

impl Serialize for Components<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Uri { text, scheme, userinfo, host, port, path, query, fragment } = self.0;
        let (user, password) = split_userinfo(text, userinfo);
        let named = [
            ("scheme", scheme),
            ("user", user),
            ("password", password),
            ("host", host),
            ("port", port),
            ("path", Some(path)),
            ("query", query),
            ("fragment", fragment),
        ];
        let lossy = |span: Span| String::from_utf8_lossy(span.of(text));
        to.collect_map(named.map(|(name, span)| (name, span.map(lossy))))
    }
}

/// `user:password`, split at the first colon (RFC 3986 §3.2.1).
fn split_userinfo(text: &[u8], userinfo: Option<Span>) -> (Option<Span>, Option<Span>) {
    let Some(whole) = userinfo else { return (None, None) };
    match memchr::memchr(b':', whole.of(text)) {
        None => (Some(whole), None),
        Some(colon) => {
            let colon = whole.start + colon;
            (Some(Span::new(whole.start, colon)), Some(Span::new(colon + 1, whole.end)))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use linktrawl::Span;

    use linktrawl::finding::{Fault, RULES};

    use super::{BLOCK_BYTES, append_fault, char_start, lines, read_lines};

    #[track_caller]
    fn marked(uri: &[u8], at: usize, mark: &str) {
        let rule = RULES.iter().find(|rule| rule.id == "port").unwrap();
        let expected = [b'/'].into_iter().collect();
        let fault = Fault { rule, at, expected, end_expected: true, spec: "RFC 0 §1".to_owned() };
        let mut out = Vec::new();
        append_fault(uri, Some("old"), &fault, &mut out);
        let wanted = format!(
            "{mark} old: port: a port is digits (RFC 0 §1)\n{}expected \"/\" or the end\n",
            " ".repeat(mark.len() + 1)
        );
        assert_eq!(String::from_utf8(out).unwrap(), wanted);
    }

    #[test]
    fn the_mark_stands_under_the_byte_as_it_is_shown() {
        marked(b"x:y", 0, "^");
        marked(b"x:y", 3, "   ^");
        marked(b"x:\x1b\xff%", 4, "          ^");
        marked("x:\u{202e}z".as_bytes(), 5, "          ^");
        // Inside the two bytes of a character: under the character.
        marked("\u{e9}\u{e9}".as_bytes(), 3, " ^");
    }

    #[test]
    fn a_byte_inside_a_character_is_marked_at_its_first() {
        let text = "a\u{e9}\u{4e2d}\u{1f600}b".as_bytes();
        let starts: Vec<_> = (0..=text.len()).map(|at| char_start(text, at)).collect();
        assert_eq!(starts, [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11]);
        assert_eq!(char_start(b"a\x80\xe2\x82b", 3), 3);
        assert_eq!(char_start(b"\x80\x80", 1), 1);
    }

    #[test]
    fn user_and_password_part_at_the_first_colon() {
        let text = b"u:p:q";
        let (user, password) = super::split_userinfo(text, Some(Span::new(0, 5)));
        assert_eq!(user.unwrap().of(text), b"u");
        assert_eq!(password.unwrap().of(text), b"p:q");
        assert_eq!(super::split_userinfo(b"u", Some(Span::new(0, 1))).1, None);
    }

    /// Gives `step` bytes at a time.
    struct Trickle<'t> {
        text: &'t [u8],
        step: usize,
    }

    impl Read for Trickle<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let (now, later) = self.text.split_at(self.step.min(self.text.len()).min(into.len()));
            into[..now.len()].copy_from_slice(now);
            self.text = later;
            Ok(now.len())
        }
    }

    #[test]
    fn lines_are_the_same_however_they_are_read() {
        let long = "x".repeat(2 * BLOCK_BYTES + 1);
        let text = format!("x:a\r\n\nx:b\n{long}\nx:\rc");
        for step in [1, 4096, BLOCK_BYTES - 1, usize::MAX] {
            assert_eq!(inputs(text.as_bytes(), step), ["x:a", "", "x:b", &long, "x:\rc"]);
        }
        assert_eq!(inputs(b"x:a\r\nx:b\r\n\r", 1), ["x:a", "x:b", ""]);
        assert_eq!(inputs(b"", 1), Vec::<String>::new());
    }

    fn inputs(text: &[u8], step: usize) -> Vec<String> {
        let mut found = Vec::new();
        let text_of = |line: &[u8]| String::from_utf8(line.to_vec()).unwrap();
        read_lines(Trickle { text, step }, |block| {
            found.extend(lines(block).map(text_of));
            Ok(())
        })
        .unwrap();
        found
    }
}
