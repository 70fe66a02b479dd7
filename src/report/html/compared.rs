//! Writes the page of a comparison of two runs: a table for each change. It has no script.

use std::fmt::Write as _;

use super::markup::{Text, counted, grouped, shown};
use super::page;
use crate::report::comparison::{Change, Counts, Format, Row, Runs};

/// Maximum number of rows of one table, which a browser still scrolls through with ease.
const ROWS_MAX: u64 = 20_000;

/// The page, of which only the number of rows of the last table is kept.
#[derive(Default)]
pub(in crate::report) struct Page {
    rows: u64,
}

impl Format for Page {
    fn begin(&mut self, runs: &Runs, counts: &Counts, out: &mut Vec<u8>) {
        let died = counts.of(Change::Died);
        let title = format!("{} died", counted(died, "link"));
        let [old, new] = runs.dated();
        out.extend_from_slice(page::plain_head(&title).as_bytes());
        let mut text = format!(
            "<section id=\"overview\">\n<h1>{}</h1>\n<p class=\"lead\">From {} to {}: {}.</p>\n\
             <dl class=\"tiles\">\n",
            Text(&title),
            Text(&old),
            Text(&new),
            counted(counts.all(), "link"),
        );
        for change in Change::ALL {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "<div><dt>{}</dt><dd>{}</dd></div>",
                change.name(),
                grouped(counts.of(change))
            );
        }
        text.push_str("</dl>\n</section>\n");
        out.extend_from_slice(text.as_bytes());
    }

    fn section(&mut self, change: Change, count: u64, out: &mut Vec<u8>) {
        self.rows = 0;
        let text = format!(
            "<section id=\"{0}\">\n<h2>{0}: {1}</h2>\n<p class=\"about\">Links that are {2}.</p>\n\
             <div class=\"scroll\">\n<table>\n<thead><tr><th>Link</th><th>History</th>\
             <th>Where</th></tr></thead>\n<tbody>\n",
            change.name(),
            grouped(count),
            change.about()
        );
        out.extend_from_slice(text.as_bytes());
    }

    fn row(&mut self, _: Change, row: &Row, out: &mut Vec<u8>) {
        self.rows += 1;
        if self.rows > ROWS_MAX {
            return;
        }
        let text = |bytes: &[u8]| Text(&shown(bytes)).to_string();
        let to = row.moved_to().map(|to| format!(" \u{2192} <code>{}</code>", text(&to)));
        let before = row.moved_before().map(|to| format!(" (was <code>{}</code>)", text(&to)));
        let place = row.place().map(|place| text(&place)).unwrap_or_default();
        let line = format!(
            "<tr><td><code>{}</code>{}{}</td><td>{}</td><td>{place}</td></tr>\n",
            text(&row.uri()),
            to.unwrap_or_default(),
            before.unwrap_or_default(),
            Text(&row.history()),
        );
        out.extend_from_slice(line.as_bytes());
    }

    fn end_section(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"</tbody></table>\n</div>\n");
        if self.rows > ROWS_MAX {
            let more = grouped(self.rows - ROWS_MAX);
            out.extend_from_slice(
                format!("<p class=\"about\">{more} more are omitted here.</p>\n").as_bytes(),
            );
        }
        out.extend_from_slice(b"</section>\n");
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(page::FOOT.as_bytes());
        out.extend_from_slice(b"</body>\n</html>\n");
    }
}
