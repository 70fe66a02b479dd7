//! Translates patterns of ignore files from git's syntax to that of the crate `ignore`: in git,
//! braces are literal, and brackets may hold named classes and escapes by backslash (git's
//! `wildmatch.c`, which is what the documentation of `gitignore` means by `fnmatch(3)`).
//!
//! Two differences remain: git compares bytes, but the crate characters; and the crate matches a
//! slash with a negated class.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

/// The first and the last character of a range.
type Range = (char, char);

/// The named classes of POSIX, in US-ASCII; without the slash, which a class never matches, and
/// which would anchor the pattern to its directory.
const CLASSES: [(&str, &[Range]); 12] = [
    ("alnum", &[('0', '9'), ('A', 'Z'), ('a', 'z')]),
    ("alpha", &[('A', 'Z'), ('a', 'z')]),
    ("blank", &[(' ', ' '), ('\t', '\t')]),
    ("cntrl", &[('\0', '\x1F'), ('\x7F', '\x7F')]),
    ("digit", &[('0', '9')]),
    ("graph", &[('!', '.'), ('0', '~')]),
    ("lower", &[('a', 'z')]),
    ("print", &[(' ', '.'), ('0', '~')]),
    ("punct", &[('!', '.'), (':', '@'), ('[', '`'), ('{', '~')]),
    ("space", &[('\t', '\r'), (' ', ' ')]),
    ("upper", &[('A', 'Z')]),
    ("xdigit", &[('0', '9'), ('A', 'F'), ('a', 'f')]),
];

/// Translates `line` of an ignore file for the crate; returns none if git matches it with nothing,
/// as for unclosed brackets and unknown classes.
pub(super) fn written(line: &str) -> Option<Cow<'_, str>> {
    let line = without_blanks(line);
    let Some(last) = line.chars().next_back().filter(|last| *last != ' ' && last.is_whitespace())
    else {
        return within(line);
    };
    // The crate would strip this white space. Within braces it is not the last character.
    let start = line.strip_suffix(last).unwrap_or(line);
    let start = if ends_in_escape(start) { start.strip_suffix('\\')? } else { start };
    Some(Cow::Owned(format!("{}{{{last}}}", within(start)?)))
}

/// Returns `line` without the spaces at its end, which git strips, but no tabs. A space after a
/// backslash stays.
fn without_blanks(line: &str) -> &str {
    let kept = line.trim_end_matches(' ');
    let escaped = usize::from(ends_in_escape(kept));
    line.get(..kept.len() + escaped).unwrap_or(line)
}

/// Reports whether a backslash at the end of `text` escapes the character that follows.
fn ends_in_escape(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// Translates a line whose end stays as it is.
fn within(line: &str) -> Option<Cow<'_, str>> {
    if !line.contains(['{', '}', '[']) {
        return Some(Cow::Borrowed(line));
    }
    let mut out = String::with_capacity(line.len() + 8);
    let mut rest = line.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            '{' | '}' => out.extend(['\\', next]),
            '[' => brackets(&mut rest, &mut out)?,
            '\\' => {
                out.push(next);
                out.extend(rest.next());
            }
            _ => out.push(next),
        }
    }
    Some(Cow::Owned(out))
}

/// Translates a bracket expression up to its end; returns none if it has no end.
fn brackets(rest: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    let is_negated = rest.next_if(|next| matches!(next, '!' | '^')).is_some();
    let mut ranges = Vec::new();
    // The start of a range, if a hyphen follows.
    let mut before = None;
    let mut next = rest.next()?;
    loop {
        let last = match next {
            '-' if before.is_some() && rest.peek().is_some_and(|after| *after != ']') => {
                let end = rest.next().and_then(|end| literal(end, rest))?;
                ranges.extend(before.filter(|start| *start <= end).map(|start| (start, end)));
                None
            }
            '[' if rest.peek() == Some(&':') => match name(rest)? {
                Some(class) => {
                    ranges.extend_from_slice(class);
                    None
                }
                None => Some(next),
            },
            _ => Some(literal(next, rest)?),
        };
        ranges.extend(last.map(|one| (one, one)));
        before = last;
        next = rest.next()?;
        if next == ']' {
            write(ranges, is_negated, out);
            return Some(());
        }
    }
}

/// Returns the character that `next` is or escapes.
fn literal(next: char, rest: &mut Peekable<Chars<'_>>) -> Option<char> {
    if next == '\\' { rest.next() } else { Some(next) }
}

/// Returns the ranges of the class named after a bracket, and skips the name. Returns no ranges if
/// no name ends soon, so that the bracket is literal; returns none for an unknown name.
fn name(rest: &mut Peekable<Chars<'_>>) -> Option<Option<&'static [Range]>> {
    /// Maximum length with both colons, since each bracket of a line looks that far ahead.
    const NAME_LEN_MAX: usize = 16;
    let mut ahead = rest.clone();
    let after = ahead.by_ref().take(NAME_LEN_MAX).skip(1);
    let inside: String = after.take_while(|next| *next != ']').collect();
    let Some(name) = inside.strip_suffix(':') else { return Some(None) };
    *rest = ahead;
    CLASSES.iter().find(|(known, _)| *known == name).map(|(_, ranges)| Some(*ranges))
}

/// Writes a class of `ranges`. Characters that are special in the crate's brackets are placed where
/// they are literal: a bracket first, a hyphen last, negation marks in between, or escaped if the
/// class holds nothing else.
fn write(ranges: Vec<Range>, is_negated: bool, out: &mut String) {
    let mut ranges = ranges;
    let [bracket, hyphen, mark, caret] = [']', '-', '!', '^'].map(|one| taken(&mut ranges, one));
    if ranges.is_empty() && !(bracket || hyphen || is_negated) {
        let both = if mark { r"\!" } else { r"\^" };
        out.push_str(if mark && caret { r"{\!,\^}" } else { both });
        return;
    }
    let is_first = hyphen && ranges.is_empty() && !bracket;
    out.push_str(if is_negated { "[!" } else { "[" });
    let push = |out: &mut String, is_there: bool, one| out.extend(is_there.then_some(one));
    push(out, bracket, ']');
    push(out, is_first, '-');
    for (start, end) in ranges {
        out.push(start);
        if start < end {
            out.extend(['-', end]);
        }
    }
    push(out, caret, '^');
    push(out, mark, '!');
    push(out, hyphen && !is_first, '-');
    out.push(']');
}

/// Removes the US-ASCII character `one` from `ranges`; returns whether they contained it.
fn taken(ranges: &mut Vec<Range>, one: char) -> bool {
    let holds = |range: &Range| (range.0..=range.1).contains(&one);
    let is_there = ranges.iter().any(holds);
    let code = u32::from(one);
    let below = char::from_u32(code - 1).unwrap_or(one);
    let above = char::from_u32(code + 1).unwrap_or(one);
    *ranges = std::mem::take(ranges)
        .into_iter()
        .flat_map(|range| match range {
            (start, end) if holds(&range) => [(start, below), (above, end)],
            _ => [range, ('1', '0')],
        })
        .filter(|(start, end)| start <= end)
        .collect();
    is_there
}

#[cfg(test)]
mod tests {
    use super::written;
    use ignore::gitignore::GitignoreBuilder;

    /// Reports whether `pattern` matches `name`.
    fn fits(pattern: &str, name: &str) -> bool {
        let mut builder = GitignoreBuilder::new("");
        builder.allow_unclosed_class(false);
        if let Some(line) = written(pattern) {
            let _ = builder.add_line(None, &line);
        }
        builder.build().unwrap().matched(name, false).is_ignore()
    }

    /// Asserts that `pattern` matches the names of the first list and none of the second, as by
    /// `git check-ignore` of 2.47.
    #[track_caller]
    fn case(pattern: &str, fitting: &[&str], others: &[&str]) {
        for name in fitting {
            assert!(fits(pattern, name), "{pattern} {name}: {:?}", written(pattern));
        }
        for name in others {
            assert!(!fits(pattern, name), "{pattern} {name}: {:?}", written(pattern));
        }
    }

    #[test]
    fn braces_are_themselves() {
        case("{a,b}", &["{a,b}", "x/{a,b}"], &["a", "b"]);
        case("*.{md,txt}", &["a.{md,txt}"], &["a.md", "a.txt"]);
        case(r"\{a}", &["{a}"], &["a"]);
        case("a}", &["a}"], &["a"]);
        case("[{,]", &["{", ","], &["a"]);
    }

    #[test]
    fn only_blanks_that_nothing_escapes_are_cut_from_the_end() {
        case("foo  ", &["foo"], &["foo ", "foo  "]);
        case("foo\t", &["foo\t"], &["foo"]);
        case("foo \t", &["foo \t"], &["foo", "foo ", "foo\t"]);
        case("foo\t  ", &["foo\t"], &["foo", "foo\t  "]);
        case("foo\r", &["foo\r"], &["foo"]);
        case("foo\u{A0}", &["foo\u{A0}"], &["foo"]);
        case("[ab]*\t\t", &["a\t\t"], &["a", "a\t"]);
        case("\t", &["\t", "x/\t"], &["x"]);
        case("#\t", &[], &["#\t"]);
        case(r"foo\  ", &["foo "], &["foo", r"foo\", "foo  "]);
        case(r"foo\\  ", &[r"foo\"], &["foo", r"foo\ ", "foo "]);
        case("foo\\\t ", &["foo\t"], &["foo", "foo\\"]);
    }

    #[test]
    fn classes_have_names() {
        case("[[:alpha:]]", &["a", "Z"], &["a]", "1", ":"]);
        case("[[:upper:]]*", &["Foo"], &["foo"]);
        case("[![:digit:]x]", &["a", "-"], &["1", "x"]);
        case("[[:punct:]]", &["!", "-", "]", "^", "~", "["], &["a", " "]);
        case("a[[:space:]_-]b", &["a b", "a_b", "a-b"], &["ab", "axb"]);
        case("[[:graph:]]", &["!", "a", "]"], &[" "]);
        case("[[:nobody:]]", &[], &["n", "[[:nobody:]]"]);
        let long = format!("[{}x]", "[:".repeat(500_000));
        case(&long, &["[", ":", "x"], &["a"]);
        case("[[:alpha]", &["[", ":", "a"], &["b"]);
    }

    #[test]
    fn brackets_are_those_of_git() {
        case("[a", &[], &["[a", "a"]);
        case(r"[\]]", &["]"], &["\\"]);
        case(r"[a\-z]", &["a", "-", "z"], &["b", "\\"]);
        case("[]-]", &["]", "-"], &["a"]);
        case("[a-c-e]", &["b", "-", "e"], &["d"]);
        case(r"[\!]", &["!"], &["a", "\\"]);
        case(r"[\!\^]", &["!", "^"], &["a"]);
        case("[a^]", &["a", "^"], &["b"]);
        case("[-!]", &["-", "!"], &["a"]);
        case("[+-.]", &["+", "-", "."], &["*"]);
        case("[Z-a]", &["Z", "]", "^", "a"], &["b"]);
        case("[!!]", &["a"], &["!"]);
        case("[z-a]", &["z"], &["b"]);
        case("!*.md", &[], &["a.md"]);
    }
}
