//! Each row of the case table: verdict, offset, rule, section, components.

use linktrawl::grammar;

use crate::cases::{self, Answer, Case};

const COMPONENTS: [&str; 7] = ["scheme", "userinfo", "host", "port", "path", "query", "fragment"];

#[test]
fn every_row_gets_its_answer() {
    let wrong: Vec<String> = cases::all().iter().filter_map(complaint).collect();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_table_has_rows_for_every_grammar() {
    let cases = cases::all();
    for grammar in grammar::GRAMMARS {
        assert!(cases.iter().any(|case| case.grammar == grammar.name()), "{}", grammar.name());
    }
    assert!(cases.len() > 300, "{} rows", cases.len());
}

#[test]
fn a_fault_reads_as_reports_print_it() {
    for name in ["rfc3986", "rfc3987", "current"] {
        let fault = grammar::find(name).unwrap().check(b"http://h/%zz").unwrap_err();
        assert_eq!(fault.rule.id, "pct-encoded");
        assert_eq!(fault.to_string(), "expected a hex digit at byte 10 (RFC 3986 §2.1)");
    }
}

#[test]
fn names_and_aliases_are_unique_and_the_default_comes_first() {
    let all = grammar::GRAMMARS.iter().flat_map(|grammar| {
        std::iter::once(grammar.name()).chain(grammar.aliases().iter().copied())
    });
    let mut names: Vec<_> = all.collect();
    assert_eq!(names.first(), Some(&"current"));
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(names.iter().all(|name| grammar::find(name).is_some()));
    assert!(grammar::find("rfc9999").is_none());
}

/// What is wrong about the answer to a row.
fn complaint(case: &Case) -> Option<String> {
    let grammar = grammar::find(&case.grammar).unwrap();
    let found = match grammar.check(&case.input) {
        Err(fault) => format!("{} {} {}", fault.at, fault.rule.id, fault.spec),
        Ok(()) => "valid".to_owned(),
    };
    let wanted = match &case.answer {
        Answer::Invalid(at, rule, spec) => format!("{at} {rule} {spec}"),
        Answer::Valid(_) => "valid".to_owned(),
    };
    if found != wanted {
        let input = String::from_utf8_lossy(&case.input[..case.input.len().min(80)]).into_owned();
        return Some(format!(
            "line {}: {} {input:?}: wanted {wanted}, found {found}",
            case.line, case.grammar
        ));
    }
    let Answer::Valid(wanted) = &case.answer else { return None };
    let uri = grammar.split(&case.input);
    let found: Vec<_> =
        uri.components().map(|(name, text)| (name.to_owned(), text.to_vec())).collect();
    is_told(&found, wanted, &case.input)
        .err()
        .map(|what| format!("line {}: {what}: components {found:?}", case.line))
}

type Component = (String, Vec<u8>);

/// Compares the components of `text` with those of a row.
///
/// A row tells all of RFC 3986's, where it tells no name of a scheme's own; else those that
/// it leaves out are held to the expression that RFC 3986 prints.
fn is_told(found: &[Component], wanted: &[Component], text: &[u8]) -> Result<(), &'static str> {
    let is_known = |component: &&Component| COMPONENTS.contains(&component.0.as_str());
    let (known, own): (Vec<_>, Vec<_>) = wanted.iter().partition(is_known);
    // The table leaves out a path that is empty where it says nothing of it.
    let is_named = |name: &str| known.iter().any(|component| component.0 == name);
    let told: Vec<_> = found
        .iter()
        .filter(|(name, text)| {
            let is_due = own.is_empty() && (name != "path" || !text.is_empty());
            is_due || is_named(name)
        })
        .collect();
    if told != known {
        return Err("not those of the row");
    }
    let whole = outline(found);
    let is_inside = |component: &&Component| {
        let part = &component.1;
        whole.iter().flatten().any(|text| text.windows(part.len().max(1)).any(|run| run == part))
    };
    if !own.iter().all(|component| component.1.is_empty() || is_inside(component)) {
        return Err("a part of a scheme's own is cut in two");
    }
    if whole != by_appendix_b(text) {
        return Err("not those of RFC 3986 Appendix B");
    }
    Ok(())
}

/// Scheme, authority, path, query and fragment.
type Outline = [Option<Vec<u8>>; 5];

fn by_appendix_b(text: &[u8]) -> Outline {
    let printed = r"^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?";
    let regex = regex::bytes::Regex::new(&format!("(?s-u){printed}")).unwrap();
    let groups = regex.captures(text).unwrap();
    [2, 4, 5, 7, 9].map(|group| groups.get(group).map(|found| found.as_bytes().to_vec()))
}

fn outline(found: &[Component]) -> Outline {
    let part = |name: &str| found.iter().find(|part| part.0 == name).map(|part| part.1.clone());
    let authority = part("host").map(|host| {
        let userinfo = part("userinfo").map(|text| [text, b"@".to_vec()].concat());
        let port = part("port").map(|text| [b":".to_vec(), text].concat());
        [userinfo.unwrap_or_default(), host, port.unwrap_or_default()].concat()
    });
    [part("scheme"), authority, part("path"), part("query"), part("fragment")]
}

#[test]
fn rows_with_names_of_a_scheme_s_own_are_checked_too() {
    let part = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
    let text = b"mailto:a@b?cc=d";
    let found = [part("scheme", "mailto"), part("path", "a@b"), part("query", "cc=d")];
    let wanted = [part("to", "a@b"), part("hfield", "cc=d")];
    assert_eq!(is_told(&found, &wanted, text), Ok(()));
    assert_eq!(is_told(&found, &[part("to", "a@b"), part("path", "a@b")], text), Ok(()));
    is_told(&found, &[part("to", "a@b"), part("path", "a@c")], text).unwrap_err();
    is_told(&found, &[part("to", "a@b?cc")], text).unwrap_err();
    is_told(&[part("scheme", "mailto"), part("path", "a@b?cc=d")], &wanted, text).unwrap_err();
}
