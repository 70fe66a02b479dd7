//! Implements `linktrawl explain`: explains the names in reports, and how to fix the problems.
//!
//! The texts are the library's; the output under an example is computed when it is printed.

use std::io::{self, Write as _};

use linktrawl::internal::check::unwrap::{Unwrapped, unwrapped};
use linktrawl::internal::finding::help::Example;
use linktrawl::internal::finding::topic::{Topic, TopicKind, topics};
use linktrawl::internal::finding::{Repairs, Warning};
use linktrawl::internal::grammar::{self, GRAMMARS, Grammar};
use linktrawl::internal::report::escape::Shown;
use linktrawl::internal::source::mail::mailbox::{self, FromLine};
use linktrawl::internal::uri::Redacted;

use super::parse::{self, Asked};
use crate::args::explain::{ExplainFlags, named};
use crate::args::values::list;

/// Prints the topics that `flags` name, or a list of all.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn run(flags: &ExplainFlags) -> anyhow::Result<()> {
    let mut out = Vec::new();
    if flags.names.is_empty() {
        append_list(&mut out);
    }
    let gap = |out: &mut Vec<u8>| {
        if !out.is_empty() {
            out.push(b'\n');
        }
    };
    for name in &flags.names {
        for topic in named(name) {
            gap(&mut out);
            append_topic(&topic, &mut out);
        }
        if let Some(link) = unwrapped(name.as_bytes()) {
            gap(&mut out);
            append_link(name.as_bytes(), &link, &mut out);
        }
    }
    let mut stdout = io::stdout().lock();
    stdout.write_all(&out)?;
    Ok(stdout.flush()?)
}

fn append_list(out: &mut Vec<u8>) {
    for (idx, kind) in TopicKind::ALL.into_iter().enumerate() {
        let of_kind: Vec<_> = topics().filter(|topic| topic.kind == kind).collect();
        let rows = list(of_kind.iter().map(|topic| (topic.name, topic.about)));
        let gap = if idx > 0 { "\n" } else { "" };
        out.extend_from_slice(format!("{gap}{}\n{rows}\n", kind.title()).as_bytes());
    }
}

/// Appends the gateways that wrapped `uri`, with the form of their links, and each layer.
fn append_link(uri: &[u8], link: &Unwrapped, out: &mut Vec<u8>) {
    Shown(&Redacted::new(uri).shown()).append_to(out);
    out.push(b'\n');
    parse::append_layers(link, out);
    let mut told: Vec<&str> = Vec::new();
    for row in link.layers.iter().map(|layer| layer.row) {
        if !told.contains(&row.name) {
            told.push(row.name);
            append_line(&format!("\n{}: {}\n  https://{}", row.name, row.about, row.form), out);
        }
    }
}

fn append_topic(topic: &Topic, out: &mut Vec<u8>) {
    let Topic { kind, name, about, spec, verdict, help } = topic;
    let verdict = verdict.map(|verdict| format!(", {} by default", verdict.name()));
    let spec = if spec.is_empty() { String::new() } else { format!(" ({spec})") };
    let head =
        format!("{name}: {about}\n  {}{}{spec}\n", kind.about(), verdict.unwrap_or_default());
    out.extend_from_slice(head.as_bytes());
    for (title, text) in [("Why", help.why), ("Fix", help.fix)] {
        out.extend_from_slice(format!("\n{title}\n").as_bytes());
        append_wrapped(text, out);
    }
    append_example(topic, out);
}

/// Width of sentences in columns.
const COLUMNS: usize = 78;

/// Appends `text` after two blanks, in lines of at most [`COLUMNS`], unless a word is longer.
fn append_wrapped(text: &str, out: &mut Vec<u8>) {
    let mut column = 0;
    for word in text.split(' ') {
        let width = word.chars().count();
        let before = match column {
            0 => "  ",
            _ if column + 1 + width > COLUMNS => "\n  ",
            _ => " ",
        };
        column = if before == " " { column + 1 + width } else { 2 + width };
        out.extend_from_slice(format!("{before}{word}").as_bytes());
    }
    out.push(b'\n');
}

fn append_example(topic: &Topic, out: &mut Vec<u8>) {
    match topic.help.example {
        Example::None => {}
        Example::Answer(answers) => append_line(&format!("\nSeen as\n  {answers}"), out),
        Example::Asked(link) => append_line(&format!("\nExample\n  {link}"), out),
        Example::Shown { shown, target } => {
            append_line(&format!("\nExample\n  [{shown}]({target})"), out);
            let mut warnings = Vec::new();
            grammar::lint_shown(target.as_bytes(), shown.as_bytes(), &mut warnings);
            append_warnings(&warnings, out);
        }
        Example::Cut { link, rest, fixed } => {
            append_line(&format!("\nExample\n  see {link}{rest}"), out);
            let mut warnings = Vec::new();
            let next = rest.chars().next().unwrap_or_default();
            grammar::lint_cut(link.as_bytes(), next, &mut warnings);
            append_warnings(&warnings, out);
            append_line(&format!("\nFixed\n  see {fixed}"), out);
        }
        Example::Fields { fields, fixed } => {
            append_fields("Example", fields, out);
            append_fields("Fixed", fixed, out);
        }
        Example::Bytes(bytes) => {
            let shown: String = bytes.iter().map(|&byte| octal(byte)).collect();
            append_line(&format!("\nExample\n  $ printf '{shown}' | linktrawl parse"), out);
            append_parsed(GRAMMARS[0], bytes, out);
        }
        Example::Text { text, fixed } => {
            for (title, text) in [("Example", Some(text)), ("Fixed", fixed)] {
                let Some(text) = text else { continue };
                let (grammar, option) = speaker(topic);
                append_line(&format!("\n{title}\n  $ linktrawl parse {option}'{text}'"), out);
                append_parsed(grammar, text.as_bytes(), out);
            }
        }
    }
}

/// Appends the header `fields` of a message, and the warnings about them.
fn append_fields(title: &str, fields: &str, out: &mut Vec<u8>) {
    append_line(&format!("\n{title}"), out);
    fields.lines().for_each(|line| append_line(&format!("  {line}"), out));
    let message = mailbox::message(fields.as_bytes(), 0, FromLine::Belongs);
    let offer = message.unsubscribe.map(|offer| offer.warnings);
    append_warnings(&offer.unwrap_or_default(), out);
}

fn append_warnings(warnings: &[Warning], out: &mut Vec<u8>) {
    for warning in warnings {
        append_line(&format!("  {}: {warning}", warning.lint.id), out);
    }
}

fn append_line(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(text.as_bytes());
    out.push(b'\n');
}

/// Formats `byte` for the command `printf`.
fn octal(byte: u8) -> String {
    if byte.is_ascii_graphic() { char::from(byte).into() } else { format!("\\{byte:03o}") }
}

/// Appends the output of `linktrawl parse` for `text`.
fn append_parsed(grammar: &'static dyn Grammar, text: &[u8], out: &mut Vec<u8>) {
    let mut printed = Vec::new();
    let asked = Asked { grammars: vec![grammar], refused: Repairs::NONE, allowed: Vec::new() };
    parse::append_text(text, &asked, &mut printed);
    for line in printed.strip_suffix(b"\n").unwrap_or(&printed).split(|&byte| byte == b'\n') {
        out.extend_from_slice(if line.is_empty() { b"" } else { b"  " });
        out.extend_from_slice(line);
        out.push(b'\n');
    }
}

/// Returns the first grammar for which the example shows `topic`, and the option that selects it;
/// empty for the default one.
fn speaker(topic: &Topic) -> (&'static dyn Grammar, String) {
    let shows = |grammar: &&&'static dyn Grammar| is_shown(topic, **grammar);
    match GRAMMARS.iter().skip(1).find(shows) {
        Some(grammar) if !is_shown(topic, GRAMMARS[0]) => {
            (*grammar, format!("--grammar {} ", grammar.name()))
        }
        _ => (GRAMMARS[0], String::new()),
    }
}

/// Reports whether `grammar` reports `topic` for the example.
fn is_shown(topic: &Topic, grammar: &dyn Grammar) -> bool {
    let Example::Text { text, .. } = topic.help.example else { return false };
    let read = grammar.read(text.as_bytes(), Repairs::NONE);
    match (topic.kind, read) {
        (TopicKind::Fault, Err(fault)) => fault.rule.id == topic.name,
        (TopicKind::Repair, Ok(repairs)) => repairs.iter().any(|repair| repair.id == topic.name),
        // A repair that narrows a rule shows by a text that is accepted without it.
        (TopicKind::Repair, Err(_)) => {
            let refused = Repairs::find(topic.name).unwrap_or_default();
            grammar.read(text.as_bytes(), refused).is_ok()
        }
        (TopicKind::Lint, read) => read.is_ok(),
        _ => false,
    }
}
