//! Classifies lines of AsciiDoc by their own marks (AsciiDoc Language Documentation, "Blocks",
//! "Section Titles", "Lists"), by the rules of Asciidoctor 2.0. The reader adds the rules that
//! depend on the lines around them.

/// The content of a block of lines between two delimiters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// Text that no reader sees.
    Comment,
    /// Blocks and text.
    Compound,
    /// HTML.
    Passed,
    /// Text that is shown verbatim.
    Verbatim,
}

/// Lines that select the branches of a document.
const CONDITIONS: [&[u8]; 4] = [b"ifdef::", b"ifndef::", b"ifeval::", b"endif::"];

/// Returns the block that a line opens.
pub(super) fn block(body: &[u8]) -> Option<Block> {
    if body == b"--" {
        return Some(Block::Compound);
    }
    if body.starts_with(b"```") && !body.get(3..)?.contains(&b'`') {
        return Some(Block::Verbatim);
    }
    let (first, rest) = body.split_first()?;
    let second = rest.first()?;
    if rest.len() < 3 || rest.iter().any(|byte| byte != second) {
        return None;
    }
    match (first, second) {
        (b'/', b'/') => Some(Block::Comment),
        (b'+', b'+') => Some(Block::Passed),
        (b'-', b'-') | (b'.', b'.') => Some(Block::Verbatim),
        (b'*', b'*') | (b'_', b'_') => Some(Block::Compound),
        // With another mark before, the delimiter of a table.
        (b'=' | b'|' | b',' | b':' | b'!', b'=') => Some(Block::Compound),
        _ => None,
    }
}

/// Returns the line that ends the block which `body` opens.
pub(super) fn delimiter(body: &[u8]) -> &[u8] {
    if body.starts_with(b"```") { b"```" } else { body }
}

/// Returns the text in the brackets of a line of attributes for the next block.
pub(super) fn attributes(body: &[u8]) -> Option<&[u8]> {
    let inside = body.strip_prefix(b"[")?.strip_suffix(b"]")?;
    let is_begin =
        |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_.#%{,\"'".contains(byte);
    let is_anchor = inside.starts_with(b"[") && inside.ends_with(b"]");
    (is_anchor || inside.first().is_none_or(is_begin)).then_some(inside)
}

/// Reports whether the next paragraph or block has macros, if `attributes` list its substitutions
/// (AsciiDoc Language Documentation, "Customize the Substitutions Applied to Blocks"): `subs=none`,
/// `subs="attributes,macros"`. `None` if they do not, or if the usual ones are only changed and the
/// change leaves macros alone.
pub(super) fn has_macros(attributes: &[u8]) -> Option<bool> {
    const NAME: &[u8] = b"subs=";
    let at = memchr::memmem::find(attributes, NAME)?;
    let before = attributes.get(..at)?.last();
    let after = attributes.get(at + NAME.len()..)?;
    let value = match after.split_first()? {
        (quote @ (b'"' | b'\''), rest) => rest.split(|byte| byte == quote).next()?,
        _ => after.split(|byte| *byte == b',').next()?,
    };
    if before.is_some_and(|byte| !matches!(byte, b',' | b' ' | b'"')) {
        return None;
    }
    let mut is_changed = false;
    let mut found = false;
    for step in value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
        let is_removed = step.starts_with(b"-");
        let name = step.strip_prefix(b"-").or_else(|| step.strip_prefix(b"+")).unwrap_or(step);
        let name = name.strip_suffix(b"+").unwrap_or(name);
        is_changed |= name.len() < step.len();
        if matches!(name, b"macros" | b"m" | b"normal" | b"n") {
            if is_removed {
                return Some(false);
            }
            found = true;
        }
    }
    (found || !is_changed).then_some(found)
}

/// Returns the title of `== Title`, and of `## Title`, which Asciidoctor accepts, too; with one
/// mark, that of the document.
pub(in crate::source::markup) fn title(body: &[u8]) -> Option<&[u8]> {
    let mark = body.first().filter(|mark| matches!(mark, b'=' | b'#'))?;
    let len = body.iter().take_while(|byte| *byte == mark).count();
    let rest = body.get(len..)?;
    let title = rest.trim_ascii();
    let is_title = len <= 6 && rest.starts_with(b" ") && !title.is_empty();
    // The marks may follow the title, too.
    let marks = body.get(..len)?;
    let title = title.strip_suffix(marks).filter(|title| title.ends_with(b" ")).unwrap_or(title);
    is_title.then(|| title.trim_ascii())
}

/// Reports whether `line` underlines `title`: with one mark, repeated, and about as long. Both are
/// whole lines without white space at their ends.
pub(in crate::source::markup) fn is_underline(line: &[u8], title: &[u8]) -> bool {
    let Some(mark) = line.first().filter(|mark| b"=-~^+".contains(mark)) else { return false };
    // No character has more than four bytes: longer titles are not counted.
    if title.len() / 4 > line.len() + 1 || title.starts_with(b".") {
        return false;
    }
    let text = String::from_utf8_lossy(title);
    line.iter().all(|byte| byte == mark)
        && text.chars().count().abs_diff(line.len()) <= 1
        && text.chars().any(char::is_alphanumeric)
        && !is_own(title)
}

/// Reports whether a line is never a part of a paragraph, whatever is below it.
pub(super) fn is_own(body: &[u8]) -> bool {
    is_block_title(body)
        || is_condition(body)
        || is_comment(body)
        || attributes(body).is_some()
        || title(body).is_some()
}

/// Reports whether a line is `.Title`, of the block that follows.
pub(in crate::source::markup) fn is_block_title(body: &[u8]) -> bool {
    let Some(title) = body.strip_prefix(b".") else { return false };
    let title = title.strip_prefix(b".").unwrap_or(title);
    title.first().is_some_and(|first| !matches!(first, b' ' | b'\t' | b'.'))
}

pub(super) fn is_comment(body: &[u8]) -> bool {
    body.starts_with(b"//") && !body.starts_with(b"///")
}

fn is_condition(body: &[u8]) -> bool {
    body.ends_with(b"]") && CONDITIONS.iter().any(|condition| body.starts_with(condition))
}

/// Reports whether a line begins with the mark of a list's item, a callout or a cell, or holds a
/// term.
pub(super) fn is_item(body: &[u8]) -> bool {
    let word = first_word(body);
    let is_mark = |mark: &u8| word.iter().all(|byte| byte == mark);
    [b'*', b'-', b'.'].iter().any(is_mark)
        || is_number(word)
        || matches!(word, [b'|' | b'<', ..])
        || memchr::memmem::find(body, b"::").is_some()
}

/// Reports whether a line begins an item of a list.
pub(super) fn is_list_item(body: &[u8]) -> bool {
    let word = first_word(body);
    let is_marks = |mark: u8| word.iter().all(|byte| *byte == mark);
    let is_marked = is_marks(b'*')
        || is_marks(b'.')
        || word == b"-"
        || word == "•".as_bytes()
        || is_number(word)
        || matches!(word, [letter, b'.'] if letter.is_ascii_alphabetic())
        || matches!(word, [b'<', .., b'>'] | [b'I' | b'V' | b'X' | b'i' | b'v' | b'x', .., b')']);
    let is_term = |word: &[u8]| word.ends_with(b"::") || word.ends_with(b";;");
    is_marked && word.len() < body.len() || body.split(u8::is_ascii_whitespace).any(is_term)
}

fn first_word(body: &[u8]) -> &[u8] {
    body.split(u8::is_ascii_whitespace).next().unwrap_or_default()
}

fn is_number(word: &[u8]) -> bool {
    word.strip_suffix(b".").is_some_and(|number| number.iter().all(u8::is_ascii_digit))
}
