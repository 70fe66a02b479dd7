//! Gathers and writes the table of sites: the registrable domains that links lead to.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::markup::{Text, counted, grouped, percent};
use super::table::{OTHERS, ROWS_MAX, beyond, folded};
use crate::finding::Verdict;
use crate::report::day::Day;
use crate::report::record::Record;
use crate::report::site::site_or_address;

/// Maximum number of sites that are counted separately: hostile text can produce any number.
const SITES_MAX: usize = 100_000;

/// The links to one site.
#[derive(Default)]
struct Site {
    links: u64,
    /// The number of messages that have one, and a hash of the latest.
    messages: u64,
    message: Option<u64>,
    days: Option<[Day; 2]>,
    judged: u64,
    dead: u64,
    wrapped: u64,
}

/// All sites.
#[derive(Default)]
pub(super) struct Sites {
    by_name: HashMap<String, Site>,
}

impl Sites {
    /// Counts the finding `record`, whose URI is shown as `uri`. `is_dead` is true if its answer
    /// makes it an error, or its site is parked.
    pub(super) fn count(&mut self, record: &Record, uri: &str, is_dead: bool) {
        let Some(name) = site_or_address(uri) else { return };
        let is_full = self.by_name.len() >= SITES_MAX && !self.by_name.contains_key(&name);
        let name = if is_full { OTHERS.to_owned() } else { name };
        let site = self.by_name.entry(name).or_default();
        site.links += 1;
        site.judged += u64::from(record.verdict != Verdict::Skipped);
        site.dead += u64::from(is_dead);
        site.wrapped += u64::from(!record.wrapped_by.is_empty());
        // The findings of a message follow each other.
        let message = message(record);
        site.messages += u64::from(message.is_some() && message != site.message);
        site.message = message.or(site.message);
        let date = record.message.as_ref().and_then(|message| message.date.as_deref());
        if let Some(day) = date.or(record.place.date.as_deref()).and_then(Day::of) {
            let [first, last] = site.days.unwrap_or([day, day]);
            site.days = Some([first.min(day), last.max(day)]);
        }
    }

    /// Returns the section of the table.
    pub(super) fn section(&self) -> String {
        let mut rows: Vec<_> = self.by_name.iter().collect();
        rows.sort_by(|(a, left), (b, right)| (right.links, a).cmp(&(left.links, b)));
        let lines: Vec<_> =
            rows.iter().take(ROWS_MAX).map(|(name, site)| row(name, site)).collect();
        let body = match &*lines {
            [] => "<p class=\"none\">No link leads to a site.</p>\n".to_owned(),
            lines => folded(lines, table),
        };
        let others = rows.get(ROWS_MAX..).unwrap_or_default();
        let links = others.iter().map(|(_, site)| site.links).sum();
        let beyond = beyond(others.len(), &counted(links, "link"));
        format!(
            "<section id=\"sites\">\n<h2>Who is after them</h2>\n<p class=\"about\">Sites are \
             registrable domains (publicsuffix.org) and addresses. The share of dead links is \
             that of the judged ones, and wrapped links came through a gateway of mail.</p>\n\
             {body}{beyond}</section>\n"
        )
    }
}

/// Returns a hash of the message that contains a finding.
fn message(record: &Record) -> Option<u64> {
    let message = record.message.as_ref()?;
    let mut hasher = DefaultHasher::new();
    record.place.path().hash(&mut hasher);
    record.place.members().for_each(|member| member.hash(&mut hasher));
    (&message.id, message.number).hash(&mut hasher);
    Some(hasher.finish())
}

fn table(rows: &str) -> String {
    format!(
        "<div class=\"scroll\"><table>\n<thead><tr><th>Site</th><th class=\"n\">Links</th>\
         <th class=\"n\">Messages</th><th>First</th><th>Last</th><th class=\"n\">Dead</th>\
         <th class=\"n\">Wrapped</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )
}

fn row(name: &str, site: &Site) -> String {
    let [first, last] = match site.days {
        Some(days) => days.map(Day::text),
        None => [const { String::new() }; 2],
    };
    format!(
        "<tr><th scope=\"row\"><code>{}</code></th><td class=\"n\">{}</td>\
         <td class=\"n\">{}</td><td>{first}</td><td>{last}</td><td class=\"n\">{}</td>\
         <td class=\"n\">{}</td></tr>\n",
        Text(name),
        grouped(site.links),
        grouped(site.messages),
        percent(site.dead, site.judged),
        percent(site.wrapped, site.links),
    )
}
