//! Finds the words to which a link of plain text is attached, as programs write that make text of
//! HTML: `Headline <URI>`, `Headline ( URI )`, `[Headline](URI)`, and `Read more: URI` below a
//! teaser.
//!
//! Such words were the text of the link in HTML. A sentence is, too, that leads to its link
//! (`to leave, click here <URI>`), which is judged elsewhere (`headline`). Since it may begin on a
//! line above, all its lines are read, and none if they are many.

use super::{BORDER, GAP_MAX, split_last_line};
use crate::check::effects::prose::Says;

/// Maximum number of lines of a headline.
const LINES_MAX: usize = 3;
/// Maximum number of lines of a teaser.
const TEASER_LINES_MAX: usize = 12;

/// The words to which a link is attached, and the paragraph before them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Attached {
    pub(super) own: String,
    pub(super) block: String,
}

/// Returns the words to which the link between `before` and `after` is attached, if it is. In both,
/// other links are borders.
pub(super) fn words(before: &str, after: &str) -> Option<Attached> {
    let head = before.trim_end_matches([' ', '\t']);
    if let Some(inside) = head.strip_suffix("](").filter(|_| after.starts_with(')')) {
        return marked(inside);
    }
    let inside = head.strip_suffix(['<', '(']).filter(|_| ends_line_in_bracket(after));
    let text = inside.unwrap_or(before);
    if let Some(attached) = reading(text) {
        return Some(attached);
    }
    let own = headline(inside?)?;
    Some(Attached { own, block: String::new() })
}

/// Reads `[words](URI)`, of Markdown.
fn marked(inside: &str) -> Option<Attached> {
    let (before, own) = inside.rsplit_once('[')?;
    let is_whole = !own.contains(BORDER) && own.lines().count() <= LINES_MAX;
    let own = own.replace('\n', " ");
    is_whole.then(|| Attached { own, block: paragraph(before.trim_end(), TEASER_LINES_MAX) })
}

/// Reads words that offer to read on, and end a paragraph or are below it.
fn reading(text: &str) -> Option<Attached> {
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '<' | '('));
    let (line, above) = split_last_line(text);
    let own = line.rsplit(". ").next().unwrap_or(line);
    let reads = !own.contains(BORDER) && Says::of(own).reads;
    let before = if own.len() < line.len() { text.get(..text.len() - own.len())? } else { above };
    reads.then(|| Attached { own: own.to_owned(), block: paragraph(before, TEASER_LINES_MAX) })
}

/// Returns the words that end `text`, from the beginning of their paragraph, of their item of a
/// list, or of what follows another link.
fn headline(text: &str) -> Option<String> {
    let (line, above) = split_last_line(text);
    if let Some((_, own)) = line.rsplit_once(BORDER) {
        return Some(own.trim_start_matches(['>', ')', ',', ';', ' ']).to_owned());
    }
    let mut lines = vec![line];
    let mut rest = above;
    while !is_item(lines.last()?) {
        let (line, above) = split_last_line(rest);
        let is_end = line.trim_end().ends_with(['.', ':', '!', '?', '。']);
        if line.trim().is_empty() || line.contains(BORDER) || is_end {
            break;
        }
        lines.push(line);
        if lines.len() > LINES_MAX {
            return None;
        }
        rest = above;
    }
    lines.reverse();
    Some(lines.join(" "))
}

/// Reports whether `line` begins an item of a list.
fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let is_numbered = (1..=2).contains(&digits)
        && line.get(digits..).is_some_and(|rest| rest.starts_with([')', '.']));
    line.starts_with(['-', '+', '\u{2013}', '\u{2022}', '\u{25B6}', '\u{25CF}']) || is_numbered
}

/// Returns the last paragraph of `text`, if it has no link and no more lines than `lines_max`.
fn paragraph(text: &str, lines_max: usize) -> String {
    let mut found: Vec<&str> = Vec::new();
    let mut gap = 0;
    for line in text.rsplit('\n') {
        let is_empty = line.trim().is_empty();
        gap += usize::from(is_empty);
        if is_empty && !found.is_empty() || gap > GAP_MAX || line.contains(BORDER) {
            break;
        }
        found.extend((!is_empty).then_some(line));
    }
    found.reverse();
    if found.len() > lines_max { String::new() } else { found.join(" ") }
}

/// Reports whether `after` closes a bracket and ends its line.
fn ends_line_in_bracket(after: &str) -> bool {
    let line = after.split('\n').next().unwrap_or_default().trim_start();
    let rest = line.strip_prefix(['>', ')']);
    rest.is_some_and(|rest| rest.trim().trim_end_matches(['.', ',', ';']).is_empty())
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_those_that_were_the_text_of_the_link() {
        for (before, after, own, block) in [
            ("The old harbour <", ">\n", "The old harbour ", ""),
            ("Hello.\n\nThe old\nharbour ( ", " )\n", "The old harbour ", ""),
            ("- A fox\n- The old harbour (", ")", "- The old harbour ", ""),
            ("A fox <\u{1}>\nThe old harbour <", ">.", "The old harbour ", ""),
            ("If you want\nto leave, do <", ">", "If you want to leave, do ", ""),
            ("See [the old harbour](", "), there", "the old harbour", "See"),
            ("A fox came.\nRead more: ", "\n", "Read more:", "A fox came."),
            ("A fox came.\n\nRead more <", ">", "Read more", "A fox came."),
            ("A fox\ncame. Read more: ", "", "Read more:", "A fox came. "),
            ("Read more:\n", "", "Read more:", ""),
        ] {
            let found = words(before, after).unwrap();
            assert_eq!((&*found.own, &*found.block), (own, block), "{before}");
        }
        for (before, after) in [
            ("The old harbour ", "\n"),
            ("The old harbour <", "> or that\n"),
            ("a\nb\nc\nd <", ">"),
            ("[![a](\u{1})](", ")"),
        ] {
            assert_eq!(words(before, after), None, "{before}");
        }
    }
}
