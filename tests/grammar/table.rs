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
    if !wanted.iter().all(|(name, _)| COMPONENTS.contains(&name.as_str())) {
        return None;
    }
    let uri = grammar.split(&case.input);
    let mut found: Vec<_> =
        uri.components().map(|(name, text)| (name.to_owned(), text.to_vec())).collect();
    // The table leaves out a path that is empty where it says nothing of it.
    found.retain(|(name, text)| {
        name != "path" || !text.is_empty() || wanted.contains(&(name.clone(), Vec::new()))
    });
    (found != *wanted).then(|| format!("line {}: components {found:?}", case.line))
}
