//! Each row of the case table: verdict, offset, rule, section, components.

use linktrawl::internal::grammar;
use linktrawl::{Span, Uri};

use crate::cases::{self, Answer, Case};

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

/// Returns the difference between the answer to a row and the expected one.
fn complaint(case: &Case) -> Option<String> {
    let grammar = grammar::find(&case.grammar).unwrap();
    let found = match grammar.check(&case.input) {
        Err(fault) => {
            let at = fault.at.map_or("-".to_owned(), |at| at.to_string());
            format!("{at} {} {}", fault.rule.id, fault.spec)
        }
        Ok(()) => "valid".to_owned(),
    };
    let wanted = match &case.answer {
        Answer::Invalid(at, rule, spec) => {
            let at = at.map_or("-".to_owned(), |at| at.to_string());
            format!("{at} {rule} {spec}")
        }
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
    let found: Vec<_> = (grammar.components(&case.input).iter())
        .map(|part| (part.name.to_owned(), part.text.in_clear().to_vec()))
        .collect();
    let told = |list: &[(String, Vec<u8>)]| {
        let each = list.iter().map(|(name, text)| format!("{name}={}", text.escape_ascii()));
        each.collect::<Vec<_>>().join(";")
    };
    (found != *wanted).then(|| {
        let (wanted, found) = (told(wanted), told(&found));
        format!("line {}: {}: wanted {wanted}, found {found}", case.line, case.grammar)
    })
}

/// The generic components of RFC 3986 are those of the expression that it prints.
#[test]
fn generic_components_are_those_of_appendix_b() {
    for case in cases::all().iter().filter(|case| matches!(case.answer, Answer::Valid(_))) {
        let uri = grammar::find(&case.grammar).unwrap().split(&case.input);
        assert_eq!(outline(&uri), by_appendix_b(&case.input), "line {}", case.line);
    }
}

/// Scheme, authority, path, query and fragment.
type Outline = [Option<Vec<u8>>; 5];

fn by_appendix_b(text: &[u8]) -> Outline {
    let printed = r"^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?";
    let regex = regex::bytes::Regex::new(&format!("(?s-u){printed}")).unwrap();
    let groups = regex.captures(text).unwrap();
    [2, 4, 5, 7, 9].map(|group| groups.get(group).map(|found| found.as_bytes().to_vec()))
}

fn outline(uri: &Uri<'_>) -> Outline {
    let part = |span: Option<Span>| span.map(|span| span.of(uri.text).to_vec());
    let authority = part(uri.host).map(|host| {
        let userinfo = part(uri.userinfo).map(|text| [text, b"@".to_vec()].concat());
        let port = part(uri.port).map(|text| [b":".to_vec(), text].concat());
        [userinfo.unwrap_or_default(), host, port.unwrap_or_default()].concat()
    });
    [part(uri.scheme), authority, part(Some(uri.path)), part(uri.query), part(uri.fragment)]
}
