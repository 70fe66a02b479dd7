//! Formats the output of `parse` for people: the components, or a mark under the faulty byte.

use linktrawl::internal::check::unwrap::{Unwrapped, unwrapped};
use linktrawl::internal::finding::{Fault, Repairs};
use linktrawl::internal::grammar::{GRAMMARS, Grammar};
use linktrawl::internal::report::escape::Shown;
use linktrawl::internal::report::escape::runner::disarm_line;
use linktrawl::internal::scheme;
use linktrawl::internal::uri::Redacted;

use super::{Asked, Validity};

/// Appends `uri` and the results of its grammars.
pub(super) fn append(uri: &[u8], asked: &Asked, out: &mut Vec<u8>) -> Validity {
    let grammars = &asked.grammars;
    let start = out.len();
    Shown(&Redacted::new(uri).shown()).append_to(out);
    disarm_line(out, start);
    out.push(b'\n');
    let mut last_column = None;
    let mut is_taken = false;
    for grammar in grammars {
        let name = (grammars.len() > 1).then(|| grammar.name());
        match grammar.read(uri, asked.refused) {
            Ok(repairs) => {
                is_taken = true;
                if let Some(name) = name {
                    out.extend_from_slice(format!("  {name}: valid\n").as_bytes());
                }
                append_valid(uri, *grammar, repairs, out);
            }
            Err(fault) => last_column = Some(append_fault(uri, name, &fault, out)),
        }
    }
    let mut found = if let Some(column) = last_column {
        append_accepting(uri, grammars, column, out);
        Validity::Invalid
    } else {
        Validity::AllValid
    };
    // Faults suffice for a text that no grammar accepts.
    let warnings = if is_taken { asked.warnings(uri) } else { Vec::new() };
    for warning in warnings {
        let text = format!("{}: {warning}", warning.lint.id);
        append_row("warning", text.as_bytes(), out);
    }
    if let Some(remark) = scheme::remark(uri) {
        append_row("remark", remark.as_bytes(), out);
    }
    if let Some(link) = unwrapped(uri) {
        append_layers(&link, out);
        found = found.max(append_target_faults(&link, asked, out));
    }
    found
}

/// Appends a row for each mail gateway that wrapped `link`, and one for the target.
pub(super) fn append_layers(link: &Unwrapped, out: &mut Vec<u8>) {
    for layer in &link.layers {
        let shown = Redacted::new(&layer.uri).shown().into_owned();
        let text = [layer.row.name.as_bytes(), b": ", &shown].concat();
        append_row("wrapper", &text, out);
    }
    match &link.target {
        Ok(target) => append_row("target", &Redacted::new(target).shown(), out),
        Err(unknown) => {
            append_row("target", format!("unknown: {}", unknown.about()).as_bytes(), out);
        }
    }
}

/// Appends a row for each grammar that rejects the target of `link`.
fn append_target_faults(link: &Unwrapped, asked: &Asked, out: &mut Vec<u8>) -> Validity {
    let mut found = Validity::AllValid;
    let Ok(target) = &link.target else { return found };
    for grammar in &asked.grammars {
        let Err(Fault { rule, message, spec, .. }) = grammar.read(target, asked.refused) else {
            continue;
        };
        found = Validity::Invalid;
        let name = (asked.grammars.len() > 1).then(|| format!("{}: ", grammar.name()));
        let text = format!("{}{}: {message} ({spec})", name.unwrap_or_default(), rule.id);
        append_row("fault", text.as_bytes(), out);
    }
    found
}

fn append_valid(uri: &[u8], grammar: &dyn Grammar, repairs: Repairs, out: &mut Vec<u8>) {
    for component in grammar.components(uri) {
        append_row(component.name, &component.text.shown(), out);
    }
    for repair in repairs.iter() {
        append_row("repair", format!("{}: {}", repair.id, repair.about).as_bytes(), out);
    }
    for violation in grammar.violations_at(uri).unwrap_or_default() {
        let text = format!("{} at byte {}", violation.name, violation.at);
        append_row("violation", text.as_bytes(), out);
    }
}

/// Width of the column of names: `violation`, `fragment`.
const NAME_WIDTH: usize = 10;

/// Appends one row. An empty component has a name alone, which distinguishes it from an absent one.
fn append_row(name: &str, text: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(b"  ");
    out.extend_from_slice(name.as_bytes());
    if !text.is_empty() {
        append_blanks(NAME_WIDTH.saturating_sub(name.len()).max(1), out);
        Shown(text).append_to(out);
    }
    out.push(b'\n');
}

/// Marks the byte of `fault` under the line of `uri`, describes the fault, and returns the column
/// of further lines.
fn append_fault(uri: &[u8], grammar: Option<&str>, fault: &Fault, out: &mut Vec<u8>) -> usize {
    let column = fault.at.map_or(0, |at| {
        let before = Redacted::new(uri).shown_before(char_start(uri, at));
        Shown(&before).width()
    });
    append_blanks(column, out);
    out.extend_from_slice(if fault.at.is_some() { b"^ " } else { b"  " });
    if let Some(grammar) = grammar {
        out.extend_from_slice(format!("{grammar}: ").as_bytes());
    }
    let Fault { rule, message, spec, .. } = fault;
    out.extend_from_slice(format!("{}: {message} ({spec})\n", rule.id).as_bytes());
    let column = column + 2;
    let mut line = |text: &str| {
        append_blanks(column, out);
        out.extend_from_slice(text.as_bytes());
        out.push(b'\n');
    };
    match (fault.at, fault.known_expectation()) {
        (Some(_), Some(expected)) => line(&format!("expected {expected}")),
        (Some(_), None) => {}
        (None, _) => line("this grammar does not report the byte"),
    }
    if let Some(hint) = &fault.hint {
        line(&format!("hint: {hint}"));
    }
    column
}

/// Appends the short names of the other grammars that accept `uri`, if there are any.
fn append_accepting(uri: &[u8], asked: &[&'static dyn Grammar], column: usize, out: &mut Vec<u8>) {
    let is_other = |grammar: &dyn Grammar| asked.iter().all(|it| it.name() != grammar.name());
    let others = accepting(uri).filter(|grammar| is_other(*grammar));
    let names: Vec<_> =
        others.map(|other| other.aliases().first().copied().unwrap_or(other.name())).collect();
    if !names.is_empty() {
        append_blanks(column, out);
        out.extend_from_slice(format!("accepted by: {}\n", names.join(", ")).as_bytes());
    }
}

/// Returns the grammars that accept `uri`, without redundant ones: references if the URI is
/// accepted, combined grammars, and those that accept nearly everything.
fn accepting(uri: &[u8]) -> impl Iterator<Item = &'static dyn Grammar> {
    let takes = |name: &str| GRAMMARS.iter().any(|it| it.name() == name && it.check(uri).is_ok());
    let (is_uri, is_iri) = (takes("rfc3986-uri"), takes("rfc3987-iri"));
    let is_said = move |name: &str| match name {
        "current" | "rfc3986-absolute" => true,
        "rfc3986-ref" => is_uri,
        "rfc3987-ref" => is_iri,
        _ => name.ends_with("/literal"),
    };
    let all = GRAMMARS.iter().copied();
    all.filter(move |it| !is_said(it.name()) && it.check(uri).is_ok())
}

fn append_blanks(count: usize, out: &mut Vec<u8>) {
    out.resize(out.len() + count, b' ');
}

/// The largest number of bytes of one character before its last one (RFC 3629 §3).
const CHAR_TAIL_MAX: usize = 3;

/// Returns the offset of the first byte of the character that contains the byte at `at`; `at`
/// itself if that is not part of UTF-8 text, and at the end.
fn char_start(text: &[u8], at: usize) -> usize {
    let holds_at = |&start: &usize| {
        let tail = text.get(start..).unwrap_or_default();
        let head = tail.get(..=CHAR_TAIL_MAX).unwrap_or(tail);
        let valid = head.utf8_chunks().next().map(|chunk| chunk.valid()).unwrap_or_default();
        valid.chars().next().is_some_and(|first| start + first.len_utf8() > at)
    };
    (at.saturating_sub(CHAR_TAIL_MAX)..at).find(holds_at).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use linktrawl::internal::finding::{Fault, RULES};

    use super::{append_fault, char_start};

    #[track_caller]
    fn marked(uri: &[u8], at: usize, mark: &str) {
        let rule = RULES.iter().find(|rule| rule.id == "port").unwrap();
        let fault = Fault {
            rule,
            at: Some(at),
            expected: [b'/'].into_iter().collect(),
            end_expected: true,
            message: rule.about.into(),
            hint: None,
            spec: "RFC 0 §1".into(),
        };
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
        // Within the two bytes of a character: under the character.
        marked("\u{e9}\u{e9}".as_bytes(), 3, " ^");
        // After a password, which is shown as three characters.
        marked(b"x://u:secret@h", 13, "          ^");
    }

    #[test]
    fn a_byte_inside_a_character_is_marked_at_its_first() {
        let text = "a\u{e9}\u{4e2d}\u{1f600}b".as_bytes();
        let starts: Vec<_> = (0..=text.len()).map(|at| char_start(text, at)).collect();
        assert_eq!(starts, [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11]);
        assert_eq!(char_start(b"a\x80\xe2\x82b", 3), 3);
        assert_eq!(char_start(b"\x80\x80", 1), 1);
    }
}
