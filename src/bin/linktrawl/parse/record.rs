//! What `parse --format ndjson` prints: one JSON object for each URI and grammar.
//!
//! Lists of millions of URIs pass here, so that what is the same in each record is copied;
//! all that needs escaping goes through the library's writer of JSON.

use linktrawl::finding::{Fault, Repairs, Warning};
use linktrawl::grammar::Grammar;
use linktrawl::report::json::{append_line, append_optional, append_text};
use linktrawl::scheme;
use linktrawl::uri::{Component, Guarded};
use serde::Serialize;

use super::{Asked, Found};

/// Appends a record for each of `grammars`.
pub(super) fn append(uri: &[u8], asked: &Asked, out: &mut Vec<u8>) -> Found {
    let mut found = Found::AllValid;
    for &grammar in &asked.grammars {
        out.extend_from_slice(br#"{"type":"parse""#);
        let shown = Guarded::new(uri);
        append_text([br#","input":"#, br#","input_bytes":"#], &shown.shown(), out);
        append_optional(br#","grammar":"#, Some(grammar.name()), out);
        match grammar.read(uri, asked.refused) {
            Ok(repairs) => {
                append_valid(uri, grammar, repairs, out);
                append_warnings(&asked.warnings(uri), out);
                out.extend_from_slice(b"}\n");
            }
            Err(fault) => {
                found = Found::Invalid;
                append_fault(uri, &fault, out);
            }
        }
    }
    found
}

/// Parts that every record has, null where they are absent.
const USUAL: [&[u8]; 8] = [
    br#","components":{"scheme":"#,
    br#","user":"#,
    br#","password":"#,
    br#","host":"#,
    br#","port":"#,
    br#","path":"#,
    br#","query":"#,
    br#","fragment":"#,
];

const USUAL_NAMES: [&str; 8] =
    ["scheme", "user", "password", "host", "port", "path", "query", "fragment"];

/// Where a user and a password stand in the list.
const USER: usize = 1;
const PASSWORD: usize = 2;

fn append_valid(uri: &[u8], grammar: &dyn Grammar, repairs: Repairs, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","ok":true"#);
    let components = grammar.components(uri);
    let mut usual: [Option<Guarded<'_>>; 8] = Default::default();
    let userinfo = components.iter().find(|component| component.name == "userinfo");
    if let Some(userinfo) = userinfo {
        let (user, password) = userinfo.text.user_and_password();
        [usual[USER], usual[PASSWORD]] = [Some(user), password];
    }
    let mut own: Vec<&Component<'_>> = Vec::new();
    for component in &components {
        let place = USUAL_NAMES.iter().position(|name| *name == component.name);
        match place.and_then(|idx| usual.get_mut(idx)) {
            Some(usual) => *usual = Some(component.text.clone()),
            None => own.push(component),
        }
    }
    for (key, text) in USUAL.into_iter().zip(&usual) {
        append_part(key, text.as_ref(), out);
    }
    append_own(&own, out);
    out.extend_from_slice(br#"},"repairs":["#);
    for (idx, repair) in repairs.iter().enumerate() {
        append_optional(if idx == 0 { b"" } else { b"," }, Some(repair.id), out);
    }
    out.push(b']');
    if let Some(violations) = grammar.violations(uri) {
        append_strings(br#","violations":["#, &violations, out);
    }
    if let Some(remark) = scheme::remark(uri) {
        append_optional(br#","remark":"#, Some(remark), out);
    }
}

/// Appends nothing where there is none.
fn append_warnings(warnings: &[Warning], out: &mut Vec<u8>) {
    if warnings.is_empty() {
        return;
    }
    out.extend_from_slice(br#","warnings":["#);
    for (idx, warning) in warnings.iter().enumerate() {
        let comma: &[u8] = if idx == 0 { b"" } else { b"," };
        out.extend_from_slice(comma);
        append_optional(br#"{"rule":"#, Some(warning.lint.id), out);
        out.extend_from_slice(format!(",\"at\":{}", warning.at).as_bytes());
        append_optional(br#","message":"#, Some(&warning.message), out);
        append_optional(br#","spec":"#, Some(warning.lint.spec), out);
        out.push(b'}');
    }
    out.push(b']');
}

fn append_part(key: &[u8], text: Option<&Guarded<'_>>, out: &mut Vec<u8>) {
    match text {
        None => {
            out.extend_from_slice(key);
            out.extend_from_slice(b"null");
        }
        Some(text) => append_text([key, b""], &text.shown(), out),
    }
}

/// Appends the document's own names; one that stands more than once has a list.
fn append_own(own: &[&Component<'_>], out: &mut Vec<u8>) {
    for (idx, component) in own.iter().enumerate() {
        let name = component.name;
        if own.iter().take(idx).any(|earlier| earlier.name == name) {
            continue;
        }
        let all: Vec<_> = own.iter().filter(|other| other.name == name).collect();
        append_optional(b",", Some(name), out);
        match all.as_slice() {
            [one] => append_text([b":", b""], &one.text.shown(), out),
            several => {
                out.extend_from_slice(b":[");
                for (idx, one) in several.iter().enumerate() {
                    let comma: &[u8] = if idx == 0 { b"" } else { b"," };
                    append_text([comma, b""], &one.text.shown(), out);
                }
                out.push(b']');
            }
        }
    }
}

fn append_strings(key: &[u8], texts: &[&str], out: &mut Vec<u8>) {
    out.extend_from_slice(key);
    for (idx, text) in texts.iter().enumerate() {
        append_optional(if idx == 0 { b"" } else { b"," }, Some(text), out);
    }
    out.push(b']');
}

/// The part of a record that says why a grammar does not take the text.
#[derive(Serialize)]
struct FaultRecord<'f> {
    ok: bool,
    at: Option<usize>,
    rule: &'static str,
    expected: Option<String>,
    spec: &'f str,
    message: &'f str,
    hint: Option<&'f str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<&'static str>,
}

fn append_fault(uri: &[u8], fault: &Fault, out: &mut Vec<u8>) {
    let record = FaultRecord {
        ok: false,
        at: fault.at,
        rule: fault.rule.id,
        expected: fault.at.map(|_| fault.expectation()),
        spec: &fault.spec,
        message: &fault.message,
        hint: fault.hint.as_deref(),
        remark: scheme::remark(uri),
    };
    // The object that was begun goes on where this one begins.
    let start = out.len();
    append_line(&record, out);
    if let Some(brace) = out.get_mut(start) {
        *brace = b',';
    }
}
