//! Formats a page as a man page of section 7, in the macros of man(7).

use linktrawl::guide::Topic;

use super::page::{Block, CODE, END, Page, Rank};
use crate::args::help::about;

/// Columns of a table on a man page, which is shown on 80.
const COLUMNS: usize = 72;

/// Returns the man page of `topic`.
pub(crate) fn man_page(topic: &Topic) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut out = format!(
        ".TH linktrawl\\-{name} 7 \"\" \"linktrawl {version}\" \"linktrawl guide\"\n\
         .SH NAME\nlinktrawl\\-{name} \\- {about}\n.SH DESCRIPTION\n",
        name = topic.name,
        about = escaped(&about(topic).replace('`', "")),
    );
    for block in &Page::of(topic.text).blocks {
        out.push_str(&macros(block));
    }
    out.push_str(".SH \"SEE ALSO\"\n\\fBlinktrawl\\fR(1)\n");
    out
}

fn macros(block: &Block) -> String {
    match block {
        // The title is in the header of the page.
        Block::Heading(Rank::Title, _) => String::new(),
        Block::Heading(Rank::Section, text) => format!(".SS \"{}\"\n", escaped(text)),
        Block::Paragraph(text) => format!(".PP\n{}\n", escaped(text)),
        Block::Item(marker, text) => format!(".IP {} 3\n{}\n", escaped(marker), escaped(text)),
        Block::Code(text) => literal(text.lines()),
        Block::Table(_) => {
            let lines = super::screen::plain_lines(block, COLUMNS);
            literal(lines.iter().map(String::as_str))
        }
    }
}

/// Formats lines without filling.
fn literal<'l>(lines: impl Iterator<Item = &'l str>) -> String {
    let lines = lines.map(|line| format!("{}\n", escaped(line)));
    format!(".PP\n.nf\n{}.fi\n", lines.collect::<String>())
}

/// Escapes `text` for roff: characters that would begin an escape or a request, and hyphens, which
/// may be typeset differently.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('"', "\\(dq");
    let text = text.replace(CODE, "\\fB").replace(END, "\\fR");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}
