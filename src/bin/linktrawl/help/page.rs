//! Parses a text of the guide into blocks: headings, paragraphs, items of lists, code, and tables.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Begins a span of code within a block's text. No text of the guide contains it.
pub(super) const CODE: char = '\u{1}';
/// Ends a span of code.
pub(super) const END: char = '\u{2}';

/// One block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// The title, or the name of a section.
    Heading(Rank, String),
    Paragraph(String),
    /// An item with its marker, `1.` or `-`.
    Item(String, String),
    /// Preformatted lines.
    Code(String),
    /// Rows of cells; the first is the head.
    Table(Vec<Vec<String>>),
}

/// The level of a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rank {
    Title,
    Section,
}

/// A text as a list of blocks.
pub(super) struct Page {
    pub(super) blocks: Vec<Block>,
}

impl Page {
    /// Parses `text`, which is Markdown of the subset that the guide uses.
    pub(super) fn of(text: &str) -> Self {
        let mut reading = Reading::default();
        Parser::new_ext(text, Options::ENABLE_TABLES).for_each(|event| reading.take(event));
        Self { blocks: reading.blocks }
    }
}

/// The state of the parser.
#[derive(Default)]
struct Reading {
    blocks: Vec<Block>,
    /// The text of the open block.
    text: String,
    /// The number of the next item of each open list; `None` for lists with bullets.
    lists: Vec<Option<u64>>,
    /// The marker of the open item, until it is written.
    marker: Option<String>,
    rows: Vec<Vec<String>>,
}

impl Reading {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) => self.text.push_str(&text),
            Event::Code(code) => {
                self.text.push(CODE);
                self.text.push_str(&code);
                self.text.push(END);
            }
            Event::SoftBreak | Event::HardBreak => self.text.push(' '),
            Event::Start(tag) => self.begin(&tag),
            Event::End(tag) => self.end(tag),
            _ => {}
        }
    }

    fn begin(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::List(first) => self.lists.push(*first),
            Tag::Item => {
                self.flush();
                let number = self.lists.last_mut().and_then(Option::as_mut);
                let marker = number.map_or("-".to_owned(), |number| {
                    *number += 1;
                    format!("{}.", *number - 1)
                });
                self.marker = Some(marker);
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => self.flush(),
            Tag::TableRow | Tag::TableHead => self.rows.push(Vec::new()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => {
                let is_title = level == HeadingLevel::H1;
                let rank = if is_title { Rank::Title } else { Rank::Section };
                let text = std::mem::take(&mut self.text);
                self.blocks.push(Block::Heading(rank, text));
            }
            TagEnd::Paragraph | TagEnd::Item => self.flush(),
            TagEnd::List(_) => drop(self.lists.pop()),
            TagEnd::CodeBlock => {
                let text = std::mem::take(&mut self.text);
                self.blocks.push(Block::Code(text));
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.text);
                self.rows.last_mut().into_iter().for_each(|row| row.push(cell.clone()));
            }
            TagEnd::Table => {
                let rows = std::mem::take(&mut self.rows);
                self.blocks.push(Block::Table(rows));
            }
            _ => {}
        }
    }

    /// Ends the open paragraph or item.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.trim().is_empty() {
            return;
        }
        self.blocks.push(match self.marker.take() {
            Some(marker) => Block::Item(marker, text),
            None => Block::Paragraph(text),
        });
    }
}
