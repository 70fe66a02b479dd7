//! Formats the output of `parse --format ndjson`: one JSON object for each URI and grammar.
//!
//! Lists of millions of URIs are processed here, so constant parts of a record are copied; text
//! that needs escaping goes through the library's JSON writer.

use linktrawl::internal::check::unwrap::unwrapped;
use linktrawl::internal::finding::{Fault, Repairs, Warning};
use linktrawl::internal::grammar::{Grammar, Violation};
use linktrawl::internal::report::escape::json::{append_optional, append_text, append_value};
use linktrawl::internal::scheme;
use linktrawl::internal::uri::{Component, Redacted};

use super::{Asked, Validity};

/// Appends a record for each of `grammars`.
pub(super) fn append(uri: &[u8], asked: &Asked, out: &mut Vec<u8>) -> Validity {
    let mut found = Validity::AllValid;
    for &grammar in &asked.grammars {
        out.extend_from_slice(br#"{"type":"parse""#);
        let shown = Redacted::new(uri);
        append_text([br#","input":"#, br#","input_bytes":"#], &shown.shown(), out);
        append_optional(br#","grammar":"#, Some(grammar.name()), out);
        let read = grammar.read(uri, asked.refused);
        match &read {
            Ok(repairs) => append_valid(uri, grammar, *repairs, out),
            Err(fault) => {
                found = Validity::Invalid;
                append_fault(fault, out);
            }
        }
        if let Some(remark) = scheme::remark(uri) {
            append_optional(br#","remark":"#, Some(remark), out);
        }
        found = found.max(append_layers(uri, grammar, asked.refused, out));
        if read.is_ok() {
            append_warnings(&asked.warnings(uri), out);
        }
        out.extend_from_slice(b"}\n");
    }
    found
}

/// Components that every record has, null if absent.
#[derive(Default)]
struct Usual<'c> {
    scheme: Option<&'c Redacted<'c>>,
    user: Option<&'c Redacted<'c>>,
    password: Option<&'c Redacted<'c>>,
    host: Option<&'c Redacted<'c>>,
    port: Option<&'c Redacted<'c>>,
    path: Option<&'c Redacted<'c>>,
    query: Option<&'c Redacted<'c>>,
    fragment: Option<&'c Redacted<'c>>,
}

impl<'c> Usual<'c> {
    /// Returns the slot of the component called `name`; `None` if the name is specific to the
    /// document.
    fn place(&mut self, name: &str) -> Option<&mut Option<&'c Redacted<'c>>> {
        Some(match name {
            "scheme" => &mut self.scheme,
            "user" => &mut self.user,
            "password" => &mut self.password,
            "host" => &mut self.host,
            "port" => &mut self.port,
            "path" => &mut self.path,
            "query" => &mut self.query,
            "fragment" => &mut self.fragment,
            _ => return None,
        })
    }

    fn append_to(&self, out: &mut Vec<u8>) {
        append_part(br#","components":{"scheme":"#, self.scheme, out);
        append_part(br#","user":"#, self.user, out);
        append_part(br#","password":"#, self.password, out);
        append_part(br#","host":"#, self.host, out);
        append_part(br#","port":"#, self.port, out);
        append_part(br#","path":"#, self.path, out);
        append_part(br#","query":"#, self.query, out);
        append_part(br#","fragment":"#, self.fragment, out);
    }
}

fn append_valid(uri: &[u8], grammar: &dyn Grammar, repairs: Repairs, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","ok":true"#);
    append_components(&grammar.components(uri), out);
    if repairs.is_empty() {
        out.extend_from_slice(br#"},"repairs":[]"#);
    } else {
        let ids: Vec<&str> = repairs.iter().map(|repair| repair.id).collect();
        append_strings(br#"},"repairs":["#, &ids, out);
    }
    if let Some(violations) = grammar.violations_at(uri) {
        append_violations(&violations, out);
    }
}

/// Appends the mail gateways that wrapped `uri`, the URL of each, and the target with its fault;
/// nothing if no gateway did.
fn append_layers(
    uri: &[u8],
    grammar: &dyn Grammar,
    refused: Repairs,
    out: &mut Vec<u8>,
) -> Validity {
    let Some(link) = unwrapped(uri) else { return Validity::AllValid };
    append_strings(br#","wrapped_by":["#, &link.names(), out);
    out.extend_from_slice(br#","wrappers":["#);
    for (idx, layer) in link.layers.iter().enumerate() {
        let comma: &[u8] = if idx == 0 { b"" } else { b"," };
        out.extend_from_slice(comma);
        append_value(&String::from_utf8_lossy(&Redacted::new(&layer.uri).shown()), out);
    }
    out.push(b']');
    match &link.target {
        Ok(target) => {
            append_text([br#","target":"#, b""], &Redacted::new(target).shown(), out);
            if let Err(fault) = grammar.read(target, refused) {
                out.extend_from_slice(br#","target_fault":{"#);
                append_place(&fault, out);
                out.push(b'}');
                return Validity::Invalid;
            }
        }
        Err(unknown) => {
            append_optional(br#","target_unknown":"#, Some(unknown.about()), out);
        }
    }
    Validity::AllValid
}

/// Appends the warnings, or nothing if there are none.
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

fn append_components(components: &[Component<'_>], out: &mut Vec<u8>) {
    let mut usual = Usual::default();
    let mut own: Vec<&Component<'_>> = Vec::new();
    for component in components {
        match usual.place(component.name) {
            Some(place) => *place = Some(&component.text),
            None => own.push(component),
        }
    }
    let userinfo = own.iter().find(|component| component.name == "userinfo");
    let pair = userinfo.map(|userinfo| userinfo.text.user_and_password());
    if let Some((user, password)) = &pair {
        usual.user = usual.user.or(Some(user));
        usual.password = usual.password.or(password.as_ref());
    }
    usual.append_to(out);
    append_own(&own, out);
}

/// Appends `key` and `text`. The caller knows the key's length, so copying it needs no call.
#[inline]
fn append_part<const LEN: usize>(key: &[u8; LEN], text: Option<&Redacted<'_>>, out: &mut Vec<u8>) {
    match text {
        None => {
            out.extend_from_slice(key);
            out.extend_from_slice(b"null");
        }
        Some(text) => append_text([key, b""], &text.shown(), out),
    }
}

/// Appends components with names specific to the document; one that occurs more than once has a
/// list.
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

/// Appends the names, and in the same order the offsets.
fn append_violations(violations: &[Violation], out: &mut Vec<u8>) {
    let names: Vec<&str> = violations.iter().map(|violation| violation.name).collect();
    append_strings(br#","violations":["#, &names, out);
    out.extend_from_slice(br#","violations_at":["#);
    for (idx, violation) in violations.iter().enumerate() {
        let comma = if idx == 0 { "" } else { "," };
        out.extend_from_slice(format!("{comma}{}", violation.at).as_bytes());
    }
    out.push(b']');
}

fn append_strings(key: &[u8], texts: &[&str], out: &mut Vec<u8>) {
    out.extend_from_slice(key);
    for (idx, text) in texts.iter().enumerate() {
        append_optional(if idx == 0 { b"" } else { b"," }, Some(text), out);
    }
    out.push(b']');
}

/// Appends the part of a record that explains why a grammar rejects the text.
fn append_fault(fault: &Fault, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","ok":false,"#);
    append_place(fault, out);
}

/// Appends the place and the description of `fault`.
fn append_place(fault: &Fault, out: &mut Vec<u8>) {
    out.extend_from_slice(br#""at":"#);
    append_value(&fault.at, out);
    append_optional(br#","rule":"#, Some(fault.rule.id), out);
    let expected = fault.known_expectation();
    append_optional(br#","expected":"#, expected.as_deref(), out);
    append_optional(br#","spec":"#, Some(&fault.spec), out);
    append_optional(br#","message":"#, Some(&fault.message), out);
    append_optional(br#","hint":"#, fault.hint.as_deref(), out);
}
