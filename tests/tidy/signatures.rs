//! Limits the number of parameters, and the places that catch panics.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::File;
use super::tokens::{ident, is_punct};

/// Parameters of a function, `self` included: more are a struct that is named for its role.
const PARAMETERS_MAX: usize = 5;
/// The methods that traits of other crates define: file and name.
const OF_OTHERS: [(&str, &str); 1] = [("src/probe/trust.rs", "verify_server_cert")];
/// The files in `src` that catch panics, each in one function: of a unit of work, so that the
/// others are still worked on, and of decoders and parsers of others.
const CATCHES_AT: [&str; 2] = ["src/run/unit.rs", "src/source/panics.rs"];

/// Complains about functions with more parameters than the limit.
pub(crate) fn parameters_are_few(file: &File) -> Vec<String> {
    let mut found = Vec::new();
    file.tokens().into_iter().for_each(|tokens| collect_signatures(tokens, &mut found));
    found.retain(|it| {
        it.parameters > PARAMETERS_MAX && !OF_OTHERS.contains(&(&file.path, &it.name))
    });
    let complaint = |it: &Signature| {
        file.complain(it.line, &format!("fn {} has {} parameters", it.name, it.parameters))
    };
    found.iter().map(complaint).collect()
}

/// Complains about each place that catches panics, but for the first one of the files that may.
pub(crate) fn panics_are_caught_in_few_places(file: &File) -> Vec<String> {
    let mut lines = Vec::new();
    if file.path.starts_with("src/") {
        file.tokens().into_iter().for_each(|tokens| collect_catches(tokens, &mut lines));
    }
    let allowed = usize::from(CATCHES_AT.contains(&file.path.as_str()));
    let complaint = |&line: &usize| file.complain(line, "panics are caught elsewhere");
    lines.iter().skip(allowed).map(complaint).collect()
}

fn collect_catches(tokens: TokenStream, lines: &mut Vec<usize>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => collect_catches(group.stream(), lines),
            TokenTree::Ident(name) if name == "catch_unwind" => {
                lines.push(name.span().start().line);
            }
            _ => {}
        }
    }
}

struct Signature {
    line: usize,
    name: String,
    parameters: usize,
}

fn collect_signatures(tokens: TokenStream, found: &mut Vec<Signature>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            collect_signatures(group.stream(), found);
        }
        if ident(Some(tree)).as_deref() != Some("fn") {
            continue;
        }
        // The type of a function has no name.
        let Some(name) = ident(trees.get(at + 1)) else { continue };
        let after = trees.get(at + 2..).unwrap_or_default();
        let list = outside_of_angles(after).find_map(|tree| match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group),
            _ => None,
        });
        let line = tree.span().start().line;
        let parameters = list.map_or(0, |list| count(list.stream()));
        found.push(Signature { line, name, parameters });
    }
}

/// Returns the number of parameters in `list`.
fn count(list: TokenStream) -> usize {
    let trees: Vec<TokenTree> = list.into_iter().collect();
    let commas = outside_of_angles(&trees).filter(|tree| is_punct(Some(tree), ',')).count();
    // A comma may follow the last one.
    commas + usize::from(!trees.is_empty() && !is_punct(trees.last(), ','))
}

/// Returns the trees that are in no angle brackets. The bracket of an arrow is none.
fn outside_of_angles(trees: &[TokenTree]) -> impl Iterator<Item = &TokenTree> {
    let mut depth = 0_usize;
    trees.iter().enumerate().filter_map(move |(at, tree)| {
        let is_arrow = at > 0 && is_punct(trees.get(at - 1), '-');
        if is_punct(Some(tree), '<') {
            depth += 1;
        } else if is_punct(Some(tree), '>') && !is_arrow {
            depth = depth.saturating_sub(1);
        } else if depth == 0 {
            return Some(tree);
        }
        None
    })
}

// ---- each check, seen red --------------------------------------------------------------

#[cfg(test)]
mod tests {
    use super::super::{complains, is_content};
    use super::{panics_are_caught_in_few_places, parameters_are_few};

    #[test]
    fn a_long_list_of_parameters_is_seen_and_one_at_the_limit_is_not() {
        let check = parameters_are_few;
        let six = "impl A {\n fn a(&self, b: B<C, D>, e: E, f: F, g: G, h: H,) -> I {} }";
        complains(check, "src/a.rs", six, "src/a.rs:2: fn a has 6 parameters");
        let six = "fn a<F: Fn(A, B) -> C>(b: F, c: impl Fn(D) -> E, f: F, g: G, h: H, i: I) {}";
        complains(check, "tests/a.rs", six, "tests/a.rs:1: fn a has 6 parameters");
        let five = "fn a<F: Fn(A, B, C) -> D>(b: (F, G), c: fn(A, B) -> M<D, E>, d: D, e: E, f: F)";
        is_content(check, "src/a.rs", five);
        is_content(check, "src/a.rs", "fn a() {} type A = fn(A, A, A, A, A, A);");
    }

    #[test]
    fn a_panic_that_is_caught_elsewhere_is_seen() {
        let check = panics_are_caught_in_few_places;
        let (once, file) = ("fn a() { panic::catch_unwind(b) }", "src/source/panics.rs");
        let expected = "src/probe/dns.rs:1: panics are caught elsewhere";
        complains(check, "src/probe/dns.rs", once, expected);
        is_content(check, file, once);
        let twice = format!("{once}\n{once}");
        complains(check, file, &twice, "src/source/panics.rs:2: panics are caught elsewhere");
        is_content(check, "tests/fuzzed.rs", &twice);
    }
}
