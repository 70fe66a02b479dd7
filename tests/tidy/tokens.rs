//! Reads code as tokens: paths, functions, modules and unsafe blocks, with their lines.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A path in code, up to its first segment after the root.
pub(crate) struct CodePath {
    pub(crate) line: usize,
    /// `crate`, or the name of another crate.
    pub(crate) root: String,
    pub(crate) head: String,
}

pub(crate) struct Function {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) len: usize,
}

/// Returns the number of modules that lead from the crate's root into the file.
pub(crate) fn module_depth(path: &str) -> usize {
    let inside = path.trim_start_matches("src/").trim_end_matches(".rs");
    inside.split('/').filter(|part| !matches!(*part, "lib" | "mod")).count()
}

pub(crate) fn ident(tree: Option<&TokenTree>) -> Option<String> {
    match tree {
        Some(TokenTree::Ident(name)) => Some(name.to_string()),
        _ => None,
    }
}

pub(crate) fn is_punct(tree: Option<&TokenTree>, wanted: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(found)) if found.as_char() == wanted)
}

pub(crate) fn is_path_separator(trees: &[TokenTree], at: usize) -> bool {
    is_punct(trees.get(at), ':') && is_punct(trees.get(at + 1), ':')
}

/// Collects every path that begins with an identifier, with `super` resolved: `depth` is the
/// number of modules around `tokens`.
pub(crate) fn collect_paths(tokens: TokenStream, depth: usize, found: &mut Vec<CodePath>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => {
                let is_module = at > 1 && ident(trees.get(at - 2)).as_deref() == Some("mod");
                collect_paths(group.stream(), depth + usize::from(is_module), found);
            }
            TokenTree::Ident(_) if at < 2 || !is_path_separator(&trees, at - 2) => {
                collect_path_at(&trees, at, depth, found);
            }
            _ => {}
        }
    }
}

fn collect_path_at(trees: &[TokenTree], start: usize, depth: usize, found: &mut Vec<CodePath>) {
    let mut at = start;
    let mut levels_left = depth;
    while ident(trees.get(at)).as_deref() == Some("super") && is_path_separator(trees, at + 1) {
        levels_left = levels_left.saturating_sub(1);
        at += 3;
    }
    let first = ident(trees.get(at)).unwrap_or_default();
    let line = trees.get(start).map_or(0, |tree| tree.span().start().line);
    let root = "crate".to_owned();
    if at > start {
        let heads = if levels_left == 0 { heads(trees.get(at)) } else { Vec::new() };
        found.extend(heads.into_iter().map(|head| CodePath { line, root: root.clone(), head }));
    } else if is_path_separator(trees, at + 1) {
        for head in heads(trees.get(at + 3)) {
            found.push(CodePath { line, root: first.clone(), head });
        }
    }
}

/// Returns the first segments after a `::`: one name, or those of a group in braces.
fn heads(tree: Option<&TokenTree>) -> Vec<String> {
    match tree {
        Some(TokenTree::Ident(name)) => vec![name.to_string()],
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let trees: Vec<TokenTree> = group.stream().into_iter().collect();
            let begins = |part: &[TokenTree]| ident(part.first());
            trees.split(|tree| is_punct(Some(tree), ',')).filter_map(begins).collect()
        }
        _ => Vec::new(),
    }
}

pub(crate) fn collect_functions(tokens: TokenStream, found: &mut Vec<Function>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            collect_functions(group.stream(), found);
        }
        if ident(Some(tree)).as_deref() != Some("fn") {
            continue;
        }
        let Some(name) = ident(trees.get(at + 1)) else { continue };
        let line = tree.span().start().line;
        if let Some(end) = body_end(trees.get(at..).unwrap_or_default()) {
            found.push(Function { line, name, len: end + 1 - line });
        }
    }
}

/// Returns the line of the brace that closes a function's body; `None` for a declaration.
fn body_end(trees: &[TokenTree]) -> Option<usize> {
    trees.iter().find_map(|tree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            Some(Some(group.span_close().end().line))
        }
        TokenTree::Punct(end) if end.as_char() == ';' => Some(None),
        _ => None,
    })?
}

pub(crate) fn collect_unsafe(tokens: TokenStream, lines: &mut Vec<usize>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => collect_unsafe(group.stream(), lines),
            TokenTree::Ident(name) if name == "unsafe" => lines.push(name.span().start().line),
            _ => {}
        }
    }
}

pub(crate) fn collect_modules(tokens: TokenStream, names: &mut Vec<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for window in trees.windows(3) {
        if ident(window.first()).as_deref() == Some("mod") && is_punct(window.last(), ';') {
            names.extend(ident(window.get(1)));
        }
    }
}
