//! Patterns of ignore files as the crate `ignore` reads them: braces are nothing special to git,
//! and in its brackets a class may have a name and a backslash escapes (git's `wildmatch.c`, which
//! is what the documentation of `gitignore` means by `fnmatch(3)`).
//!
//! Not done: git compares bytes, the crate characters; in a class that is negated the crate
//! takes a slash for one of the others.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

/// Characters from one to another.
type Range = (char, char);

/// The classes of POSIX that have a name, in US-ASCII. Without the slash, which a class never
/// fits, and which would hold a pattern to its directory.
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

/// `line` of an ignore file, written for the crate; none when git fits it to nothing: brackets
/// without an end, and classes that nobody knows.
pub(super) fn written(line: &str) -> Option<Cow<'_, str>> {
    let line = without_blanks(line);
    let Some(last) = line.chars().next_back().filter(|last| *last != ' ' && last.is_whitespace())
    else {
        return within(line);
    };
    // The crate would cut it. In braces it is not the last.
    let start = line.strip_suffix(last).unwrap_or(line);
    let start = if ends_in_escape(start) { start.strip_suffix('\\')? } else { start };
    Some(Cow::Owned(format!("{}{{{last}}}", within(start)?)))
}

/// `line` up to the spaces at its end: git cuts these, and no tabs, unless a backslash stands
/// before the first of them.
fn without_blanks(line: &str) -> &str {
    let kept = line.trim_end_matches(' ');
    let escaped = usize::from(ends_in_escape(kept));
    line.get(..kept.len() + escaped).unwrap_or(line)
}

/// True when a backslash at the end of `text` escapes what stands behind it.
fn ends_in_escape(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// A line whose end stays as it is.
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

/// Writes what stands in brackets up to their end; none when there is none.
fn brackets(rest: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    let is_negated = rest.next_if(|next| matches!(next, '!' | '^')).is_some();
    let mut ranges = Vec::new();
    // What a hyphen begins a range with.
    let mut before = None;
    let mut next = rest.next()?;
    loop {
        let last = match next {
            '-' if before.is_some() && rest.peek().is_some_and(|behind| *behind != ']') => {
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

/// The character that `next` is, or escapes.
fn literal(next: char, rest: &mut Peekable<Chars<'_>>) -> Option<char> {
    if next == '\\' { rest.next() } else { Some(next) }
}

/// The class that is named behind a bracket, which is passed. No class where no name ends soon,
/// and the bracket is only itself; nothing at all for a name that is none.
fn name(rest: &mut Peekable<Chars<'_>>) -> Option<Option<&'static [Range]>> {
    /// With both colons; each bracket of a line looks as far.
    const NAME_LEN_MAX: usize = 16;
    let mut ahead = rest.clone();
    let behind = ahead.by_ref().take(NAME_LEN_MAX).skip(1);
    let inside: String = behind.take_while(|next| *next != ']').collect();
    let Some(name) = inside.strip_suffix(':') else { return Some(None) };
    *rest = ahead;
    CLASSES.iter().find(|(known, _)| *known == name).map(|(_, ranges)| Some(*ranges))
}

/// Writes a class of `ranges`. What means something in the crate's brackets stands where it does
/// not: a bracket first, a hyphen last, what negates in between, or in braces if there is
/// nothing else.
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

/// Takes the character `one` of US-ASCII out of `ranges`; true when it was in there.
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

    /// Whether `pattern` fits `name`.
    fn fits(pattern: &str, name: &str) -> bool {
        let mut builder = GitignoreBuilder::new("");
        builder.allow_unclosed_class(false);
        if let Some(line) = written(pattern) {
            let _ = builder.add_line(None, &line);
        }
        builder.build().unwrap().matched(name, false).is_ignore()
    }

    /// What `git check-ignore` of 2.47 says: `pattern` fits these names, and not those.
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
