//! Gathers and writes link rot as studies count it: by year, by list and by top-level domain.

use std::collections::BTreeMap;

use super::chart;
use super::markup::{Text, counted, grouped, percent, shown};
use crate::report::host::host;
use crate::report::record::{Record, bytes};
use crate::report::rot::{Fate, is_inaccessible};

/// Maximum number of lists or domains that are counted separately: hostile text can produce any
/// number.
const NAMES_MAX: usize = 10_000;
const OTHERS: &str = "(others)";
/// Maximum number of rows of one table.
const ROWS_MAX: usize = 50;

/// The number of links with each fate.
#[derive(Clone, Copy, Default)]
struct Fates {
    counts: [u64; Fate::ALL.len()],
    inaccessible: u64,
}

impl Fates {
    fn add(&mut self, fate: Fate, is_inaccessible: bool) {
        let counts = self.counts.iter_mut().zip(Fate::ALL);
        counts.for_each(|(count, of)| *count += u64::from(of == fate));
        self.inaccessible += u64::from(is_inaccessible);
    }

    fn all(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// All links for which a server or name server was asked.
#[derive(Default)]
pub(super) struct Rot {
    years: BTreeMap<String, Fates>,
    lists: BTreeMap<String, Fates>,
    tops: BTreeMap<String, Fates>,
}

impl Rot {
    /// Counts the finding `record`, whose URI is shown as `uri`, of this year.
    pub(super) fn count(&mut self, record: &Record, uri: &str, year: Option<u16>) {
        let Some((fate, is_inaccessible)) = Fate::of(record).zip(is_inaccessible(record)) else {
            return;
        };
        let year = year.map_or_else(|| "no year".to_owned(), |year| year.to_string());
        let message = record.message.as_ref();
        let list =
            message.and_then(|it| Some(bytes(it.list_id.as_deref()?, it.list_id_bytes.as_ref())));
        let list = list.map_or_else(|| "no list".to_owned(), shown);
        for (table, name) in
            [(&mut self.years, year), (&mut self.lists, list), (&mut self.tops, top(uri))]
        {
            let is_full = table.len() >= NAMES_MAX && !table.contains_key(&name);
            let name = if is_full { OTHERS.to_owned() } else { name };
            table.entry(name).or_default().add(fate, is_inaccessible);
        }
    }

    /// Returns the section; empty if nobody was asked for any link.
    pub(super) fn section(&self) -> String {
        if self.years.is_empty() {
            return String::new();
        }
        let by_size = |table: &BTreeMap<String, Fates>| {
            let mut rows: Vec<_> =
                table.iter().map(|(name, fates)| (name.clone(), *fates)).collect();
            rows.sort_by_key(|(_, fates)| std::cmp::Reverse(fates.all()));
            rows
        };
        let years: Vec<_> = self.years.iter().map(|(name, fates)| (name.clone(), *fates)).collect();
        let tables = [
            table("By year", "Year", &years),
            table("By list", "List", &by_size(&self.lists)),
            table("By top-level domain", "Domain", &by_size(&self.tops)),
        ];
        format!(
            "<section id=\"rot\">\n<h2>As studies count it</h2>\n<p class=\"about\">What became \
             of the pages for which a server or a name server was asked: in the bars \
             <span class=\"key error\">gone, the page or the site</span> \
             <span class=\"key warn\">moved for good</span> <span class=\"key ok\">there</span> \
             <span class=\"key skipped\">server fails or is silent</span>. Inaccessible is what \
             the study of the Pew Research Center of 2024 calls so: the status codes 204, 400, \
             404, 410, 500, 501, 502, 503 and 523, and no answer at all.</p>\n{}</section>\n",
            tables.concat()
        )
    }
}

/// Returns the last label of the host of `uri`.
fn top(uri: &str) -> String {
    let host = host(uri).unwrap_or_default();
    let label = host.rsplit('.').next().unwrap_or_default();
    let is_address = label.bytes().all(|byte| byte.is_ascii_digit()) || host.starts_with('[');
    match label {
        "" => "no host".to_owned(),
        _ if is_address => "an address".to_owned(),
        label => label.to_owned(),
    }
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
