//! Writes the tables of link rot as studies count it, with a bar for each row.

use std::collections::BTreeMap;

use super::chart;
use super::markup::{Text, counted, grouped, percent};
use super::rot::{Fates, Rot};
use super::table::beyond;

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
    let all = years.iter().fold(Fates::default(), |sum, (_, fates)| sum.with(fates));
    let columns: Vec<_> = COLUMNS.iter().filter(|column| column.is_shown(&all)).collect();
    let tables = [
        table("By year", "Year", &years, &columns),
        table("By list", "List", &by_size(&rot.lists), &columns),
        table("By top-level domain", "Domain", &by_size(&rot.tops), &columns),
    ];
    format!(
        "<section id=\"rot\">\n<h2>As studies count it</h2>\n<p class=\"about\">What became \
         of the pages for which a server or a name server was asked. Inaccessible is what the \
         study of the Pew Research Center of 2024 calls so: the status codes 204, 400, 404, \
         410, 500, 501, 502, 503 and 523, and no answer at all.{}</p>\n<p class=\"about\">\
         <span class=\"key error\">gone, the page or the site</span> \
         <span class=\"key warn\">moved for good</span> <span class=\"key ok\">there</span> \
         <span class=\"key skipped\">server fails or is silent</span></p>\n{}</section>\n",
        explained(&columns),
        tables.concat()
    )
}

/// A column that is shown when a run looked for what it counts, or found any.
struct Column {
    title: &'static str,
    about: &'static str,
    count: fn(&Fates) -> u64,
    /// Returns the number of links of which it is known; the share of `count` in it is shown.
    of: fn(&Fates) -> u64,
    /// Returns 0 if nothing shows that the run looked for it.
    looked: fn(&Fates) -> u64,
}

impl Column {
    fn is_shown(&self, all: &Fates) -> bool {
        (self.looked)(all) > 0
    }
}

static COLUMNS: [Column; 3] = [
    Column {
        title: "Soft 404",
        about: "A soft 404 is suspected where a page is there, and an invented name beside it gets \
                the same page.",
        count: |fates| fates.soft,
        of: Fates::all,
        looked: |fates| fates.soft,
    },
    Column {
        title: "Changed",
        about: "Changed are pages whose content is another than in an earlier run.",
        count: |fates| fates.changed,
        of: Fates::all,
        looked: |fates| fates.changed,
    },
    Column {
        title: "Archived",
        about: "Archived is the share of links with a copy in a web archive, among those that were \
                looked up.",
        count: |fates| fates.archived[0],
        of: looked_up,
        looked: looked_up,
    },
];

/// Returns the number of links of which it is known whether an archive has a copy.
fn looked_up(fates: &Fates) -> u64 {
    fates.archived.iter().sum()
}

fn explained(columns: &[&Column]) -> String {
    columns.iter().map(|column| format!(" {}", column.about)).collect()
}

fn table(title: &str, one: &str, rows: &[(String, Fates)], columns: &[&Column]) -> String {
    let whole = rows.iter().map(|(_, fates)| fates.all()).max().unwrap_or_default();
    let row = |(name, it): &(String, Fates)| row(name, it, whole, columns);
    let lines: String = rows.iter().take(ROWS_MAX).map(row).collect();
    let head = |column: &&Column| format!("<th class=\"n\">{}</th>", column.title);
    let heads: String = columns.iter().map(head).collect();
    let others = rows.get(ROWS_MAX..).unwrap_or_default();
    let links = counted(others.iter().map(|(_, fates)| fates.all()).sum(), "link");
    let more = beyond(others.len(), &links);
    format!(
        "<h3>{title}</h3>\n<div class=\"scroll\"><table class=\"breakdown\">\n<thead><tr>\
         <th>{one}</th><th class=\"n\">Links</th><th class=\"n\">Page gone</th>\
         <th class=\"n\">Site gone</th><th class=\"n\">Server</th><th class=\"n\">Moved</th>\
         <th class=\"n\">Inaccessible</th>{heads}</tr></thead>\n<tbody>\n{lines}</tbody></table>\
         </div>\n\
         {more}"
    )
}

fn row(name: &str, fates: &Fates, whole: u64, columns: &[&Column]) -> String {
    let [there, moved, page, site, server] = fates.counts;
    let all = fates.all();
    let cells: String = [page, site, server, moved]
        .map(|n| format!("<td class=\"n\">{}</td>", percent(n, all)))
        .concat();
    let share = |column: &&Column| {
        let text = percent((column.count)(fates), (column.of)(fates));
        format!("<td class=\"n\">{text}</td>")
    };
    let more: String = columns.iter().map(share).collect();
    format!(
        "<tr><th scope=\"row\"><span class=\"name\">{}</span><span class=\"bar\" \
         aria-hidden=\"true\">{}</span></th><td class=\"n\">{}</td>{cells}\
         <td class=\"n\">{}</td>{more}</tr>\n",
        Text(name),
        chart::bar(&[there, moved, page + site, server], whole),
        grouped(all),
        percent(fates.inaccessible, all),
    )
}
