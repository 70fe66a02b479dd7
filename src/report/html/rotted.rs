//! Writes the tables of link rot as studies count it, with a bar for each row.

use std::collections::BTreeMap;

use super::chart;
use super::markup::{Text, counted, grouped, percent};
use super::rot::{Fates, Rot};

/// Maximum number of rows of one table.
const ROWS_MAX: usize = 50;

/// Returns the section; empty if no link was requested.
pub(super) fn section(rot: &Rot) -> String {
    if rot.years.is_empty() {
        return String::new();
    }
    let by_size = |table: &BTreeMap<String, Fates>| {
        let mut rows: Vec<_> = table.iter().map(|(name, fates)| (name.clone(), *fates)).collect();
        rows.sort_by_key(|(_, fates)| std::cmp::Reverse(fates.all()));
        rows
    };
    let years: Vec<_> = rot.years.iter().map(|(name, fates)| (name.clone(), *fates)).collect();
    let tables = [
        table("By year", "Year", &years),
        table("By list", "List", &by_size(&rot.lists)),
        table("By top-level domain", "Domain", &by_size(&rot.tops)),
    ];
    format!(
        "<section id=\"rot\">\n<h2>As studies count it</h2>\n<p class=\"about\">What became \
         of the pages for which a server or a name server was asked. Inaccessible is what the \
         study of the Pew Research Center of 2024 calls so: the status codes 204, 400, 404, \
         410, 500, 501, 502, 503 and 523, and no answer at all.</p>\n<p class=\"about\">\
         <span class=\"key error\">gone, the page or the site</span> \
         <span class=\"key warn\">moved for good</span> <span class=\"key ok\">there</span> \
         <span class=\"key skipped\">server fails or is silent</span></p>\n{}</section>\n",
        tables.concat()
    )
}

fn table(title: &str, one: &str, rows: &[(String, Fates)]) -> String {
    let whole = rows.iter().map(|(_, fates)| fates.all()).max().unwrap_or_default();
    let lines: String = rows.iter().take(ROWS_MAX).map(|(name, it)| row(name, it, whole)).collect();
    let beyond = rows.get(ROWS_MAX..).unwrap_or_default();
    let more = match beyond.len() {
        0 => String::new(),
        count => format!(
            "<p class=\"none\">{} more, with {}, are not in this table.</p>\n",
            grouped(u64::try_from(count).unwrap_or_default()),
            counted(beyond.iter().map(|(_, fates)| fates.all()).sum(), "link")
        ),
    };
    format!(
        "<h3>{title}</h3>\n<div class=\"scroll\"><table class=\"breakdown\">\n<thead><tr>\
         <th>{one}</th><th class=\"n\">Links</th><th class=\"n\">Page gone</th>\
         <th class=\"n\">Site gone</th><th class=\"n\">Server</th><th class=\"n\">Moved</th>\
         <th class=\"n\">Inaccessible</th></tr></thead>\n<tbody>\n{lines}</tbody></table></div>\n\
         {more}"
    )
}

fn row(name: &str, fates: &Fates, whole: u64) -> String {
    let [there, moved, page, site, server] = fates.counts;
    let all = fates.all();
    let cells: String = [page, site, server, moved]
        .map(|n| format!("<td class=\"n\">{}</td>", percent(n, all)))
        .concat();
    format!(
        "<tr><th scope=\"row\"><span class=\"name\">{}</span><span class=\"bar\" \
         aria-hidden=\"true\">{}</span></th><td class=\"n\">{}</td>{cells}\
         <td class=\"n\">{}</td></tr>\n",
        Text(name),
        chart::bar(&[there, moved, page + site, server], whole),
        grouped(all),
        percent(fates.inaccessible, all),
    )
}
