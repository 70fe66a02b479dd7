//! Writes the broken links with all their positions, and the list of findings.
//!
//! The list has as many rows as a page without script should have; page.js replaces them by its
//! own, in the same form.

use std::collections::BTreeMap;

use super::gather::{Gathered, Row};
use super::markup::{Text, counted, grouped, percent};
use crate::finding::Verdict;

/// Maximum number of broken links that are listed.
const BROKEN_MAX: usize = 50;
/// Number of broken links that are shown at first; further ones are folded.
const BROKEN_SHOWN: usize = 10;
/// Maximum number of positions listed for each link; the list of findings has the others.
const PLACES_MAX: usize = 200;
/// Maximum number of findings in the list of a page without script, the worst first.
const ROWS_MAX: usize = 500;

/// Returns the section of the links that are broken in the most places.
pub(super) fn broken(gathered: &Gathered) -> String {
    let title = "<h2>Links broken most often</h2>";
    let top = top(gathered);
    if top.is_empty() {
        return format!(
            "<section id=\"broken\">\n{title}\n\
             <p class=\"none\">No link is broken.</p>\n</section>\n"
        );
    }
    let mut rows: BTreeMap<u32, Vec<&Row>> = top.iter().map(|&link| (link, Vec::new())).collect();
    for row in gathered.errors() {
        if let Some(rows) = rows.get_mut(&row.link) {
            rows.push(row);
        }
    }
    let item = |link| broken_item(gathered, rows.get(link).map_or(&[], |rows| rows));
    let items: Vec<String> = top.iter().map(item).collect();
    let (shown, folded) = items.split_at(items.len().min(BROKEN_SHOWN));
    let folded = match folded {
        [] => String::new(),
        _ => format!(
            "<details><summary>{} more</summary><ol class=\"broken\">\n{}</ol></details>\n",
            folded.len(),
            folded.concat()
        ),
    };
    let all = gathered.links.errors.iter().filter(|&&errors| errors > 0).count();
    let about = if all > top.len() {
        let all = grouped(u64::try_from(all).unwrap_or_default());
        format!("The first {} of {all}; the list of findings has the others.", top.len())
    } else {
        "All of them, with their places.".to_owned()
    };
    format!(
        "<section id=\"broken\">\n{title}\n<p class=\"about\">{about}</p>\n\
         <ol class=\"broken\">\n{}</ol>\n{folded}</section>\n",
        shown.concat()
    )
}

/// Returns the links with the most errors; of equals, those that arrived first come first.
fn top(gathered: &Gathered) -> Vec<u32> {
    let mut links: Vec<_> = (0..).zip(&gathered.links.errors).collect();
    links.retain(|&(_, &errors)| errors > 0);
    links.sort_by_key(|&(link, errors)| (std::cmp::Reverse(errors), link));
    links.truncate(BROKEN_MAX);
    links.into_iter().map(|(link, _)| link).collect()
}

fn broken_item(gathered: &Gathered, rows: &[&Row]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let places: String =
        rows.iter().take(PLACES_MAX).map(|row| place_item(gathered, row)).collect();
    let len = |len: usize| u64::try_from(len).unwrap_or(u64::MAX);
    let all = gathered.links.errors_of(first.link);
    let listed = len(rows.len().saturating_sub(PLACES_MAX));
    let mut more = String::new();
    if listed > 0 {
        // The script turns it into a button that shows these places.
        let places = counted(listed, "place");
        more += &format!("<p class=\"none more\">{places} more in the list below.</p>");
    }
    let unlisted = all.saturating_sub(len(rows.len()));
    if unlisted > 0 {
        let places = counted(unlisted, "place");
        more += &format!("<p class=\"none\">{places} more in no list: the page is full.</p>");
    }
    let count = counted(all, "place");
    format!(
        "<li><code class=\"uri\">{}</code>\n<p class=\"why\">{}</p>\n\
         <details><summary>{count}{}</summary>\
         <ul class=\"places\">\n{places}</ul>{more}</details></li>\n",
        Text(gathered.uris.text(first.uri)),
        why(gathered, first),
        span(gathered, rows)
    )
}

/// Returns the first and the last day of `rows`, if dates are known.
fn span(gathered: &Gathered, rows: &[&Row]) -> String {
    let dates = rows.iter().map(|row| date(gathered, row)).filter(|date| !date.is_empty());
    let (Some(first), Some(last)) = (dates.clone().min(), dates.max()) else {
        return String::new();
    };
    let text = if first == last { first.to_owned() } else { format!("{first} to {last}") };
    format!(" <small>{}</small>", Text(&text))
}

fn place_item(gathered: &Gathered, row: &Row) -> String {
    let date = match date(gathered, row) {
        "" => String::new(),
        date => format!(" <small>{}</small>", Text(date)),
    };
    format!("<li><code>{}</code>{date}</li>\n", Text(&place(gathered, row)))
}

fn place(gathered: &Gathered, row: &Row) -> String {
    format!("{}:{}:{}", gathered.places.text(row.place), row.line, row.column)
}

/// Returns the day of the message, such as `1994-12-01`; empty without a message.
fn date<'g>(gathered: &'g Gathered, row: &Row) -> &'g str {
    let message = gathered.messages.text(row.message);
    let date = message.split(' ').next().unwrap_or_default();
    date.split('T').next().unwrap_or_default()
}

fn identifier<'g>(gathered: &'g Gathered, row: &Row) -> &'g str {
    gathered.messages.text(row.message).split_once(' ').map_or("", |(_, id)| id)
}

/// Returns the names of the problems, and their words.
fn why(gathered: &Gathered, row: &Row) -> String {
    let labels = gathered.labels.text(row.labels).split(' ').filter(|label| !label.is_empty());
    let mut text: String =
        labels.map(|label| format!("<span class=\"label\">{}</span> ", Text(label))).collect();
    text += &Text(gathered.details.text(row.detail)).to_string();
    text
}

/// Returns the section of the list, with controls for the script.
pub(super) fn list(gathered: &Gathered) -> String {
    let kept = gathered.kept();
    let rows: String = gathered.worst().take(ROWS_MAX).map(|row| list_row(gathered, row)).collect();
    let all: u64 = gathered.verdicts.iter().sum();
    let listed = u64::try_from(kept.min(ROWS_MAX)).unwrap_or_default();
    let without_script = if listed < all {
        format!(
            "<p class=\"about\" id=\"without-script\">The worst {} of {} findings. With \
             JavaScript, the list has {} of them to search, sort and page through.</p>\n",
            grouped(listed),
            grouped(all),
            grouped(u64::try_from(kept).unwrap_or_default()),
        )
    } else {
        "<p class=\"about\" id=\"without-script\">All of them, the worst first.</p>\n".to_owned()
    };
    format!(
        "<section id=\"findings\">\n<h2>Findings</h2>\n{without_script}{}{CONTROLS}\
         <table class=\"list\" id=\"list\">\n<thead><tr><th data-sort=\"verdict\">Verdict</th>\
         <th data-sort=\"uri\">Link</th><th data-sort=\"place\">Place</th>\
         <th data-sort=\"date\">Date</th></tr></thead>\n<tbody>\n{rows}</tbody></table>\n\
         {PAGER}</section>\n",
        left_out(gathered, all)
    )
}

/// Reports the number of findings that are in no list, with or without script.
fn left_out(gathered: &Gathered, all: u64) -> String {
    match gathered.left_out() {
        0 => String::new(),
        left => format!(
            "<p class=\"alert\">{} ({}) are counted in all numbers and are not in this list, \
             which holds the worst ones. <code>--format ndjson</code> has them all.</p>\n",
            counted(left, "finding"),
            percent(left, all)
        ),
    }
}

fn list_row(gathered: &Gathered, row: &Row) -> String {
    let verdict = match row.verdict {
        Verdict::Ok => "ok",
        other => other.name(),
    };
    let id = match identifier(gathered, row) {
        "" => String::new(),
        id => format!("<small>{}</small>", Text(id)),
    };
    format!(
        "<tr><td><span class=\"tag {verdict}\">{verdict}</span></td>\
         <td><code class=\"uri\">{}</code><p class=\"why\">{}</p></td>\
         <td><code>{}</code>{id}</td><td>{}</td></tr>\n",
        Text(gathered.uris.text(row.uri)),
        why(gathered, row),
        Text(&place(gathered, row)),
        Text(date(gathered, row))
    )
}

/// The elements that the script fills and shows, before and after the list.
const CONTROLS: &str = include_str!("controls.html");
const PAGER: &str = include_str!("pager.html");
