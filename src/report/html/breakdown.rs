//! Tables of what is counted: by class of answer, by rule, by warning, by host and by scheme.

use super::chart;
use super::gather::{Counts, Gathered, Tally};
use super::markup::{Text, counted, grouped, percent};
use crate::finding::{Class, LINTS, RULES};

/// Rows that a table begins with; further ones are folded away.
const ROWS_SHOWN: usize = 12;
/// Rows of a table, the folded ones among them. The list below finds the others by their text.
const ROWS_MAX: usize = 200;

/// One table.
struct Breakdown<'g> {
    title: &'static str,
    /// What one row is, as in `host`.
    one: &'static str,
    /// By which of the list's filters a row is found there: a table of `data`.
    filter: &'static str,
    tally: &'g Tally,
    /// What a name means, where that is known.
    about: fn(&str) -> Option<String>,
    /// What is said instead of an empty table.
    none: &'static str,
}

/// The section of what is wrong.
pub(super) fn faults(gathered: &Gathered) -> String {
    let class = |name: &str| Class::find(name).map(|class| class.row().about.to_owned());
    let rule = |name: &str| {
        let rule = RULES.iter().find(|rule| rule.id == name)?;
        Some(rule.about.to_owned())
    };
    let lint = |name: &str| {
        let lint = LINTS.iter().find(|lint| lint.id == name)?;
        Some(format!("{} ({})", lint.about, lint.spec))
    };
    let tables = [
        Breakdown {
            title: "By answer",
            one: "class",
            filter: "labels",
            tally: &gathered.classes,
            about: class,
            none: "No link of this report was asked.",
        },
        Breakdown {
            title: "By grammar fault",
            one: "fault",
            filter: "labels",
            tally: &gathered.rules,
            about: rule,
            none: "Every link is what its grammar asks for.",
        },
        Breakdown {
            title: "By warning",
            one: "warning",
            filter: "labels",
            tally: &gathered.lints,
            about: lint,
            none: "Nothing is worth a warning.",
        },
    ];
    section("wrong", "What is wrong", &tables)
}

/// The section of where links lead.
pub(super) fn places(gathered: &Gathered) -> String {
    let tables = [
        Breakdown {
            title: "By host",
            one: "host",
            filter: "hosts",
            tally: &gathered.hosts,
            about: |_| None,
            none: "There are no links.",
        },
        Breakdown {
            title: "By scheme",
            one: "scheme",
            filter: "schemes",
            tally: &gathered.schemes,
            about: |_| None,
            none: "There are no links.",
        },
    ];
    section("where", "Where links lead", &tables)
}

fn section(id: &str, title: &str, tables: &[Breakdown<'_>]) -> String {
    let tables: String = tables.iter().map(Breakdown::table).collect();
    format!(
        "<section id=\"{id}\">\n<h2>{title}</h2>\n\
         <div class=\"columns\">\n{tables}</div>\n</section>\n"
    )
}

impl Breakdown<'_> {
    fn table(&self) -> String {
        let rows = self.tally.sorted();
        let title = format!("<h3>{}</h3>", self.title);
        if rows.is_empty() {
            return format!("<article>{title}\n<p class=\"none\">{}</p></article>\n", self.none);
        }
        let whole = rows.iter().map(|(_, counts)| counts.iter().sum()).max().unwrap_or_default();
        let lines: Vec<_> = rows.iter().take(ROWS_MAX).map(|row| self.row(row, whole)).collect();
        let (shown, folded) = lines.split_at(lines.len().min(ROWS_SHOWN));
        let mut body = self.framed(&shown.concat());
        if !folded.is_empty() {
            let count = counted(u64::try_from(folded.len()).unwrap_or_default(), "more row");
            body += &format!(
                "<details><summary>{count}</summary>{}</details>\n",
                self.framed(&folded.concat())
            );
        }
        body += &self.beyond(rows.get(ROWS_MAX..).unwrap_or_default());
        format!("<article>{title}\n{body}</article>\n")
    }

    fn framed(&self, rows: &str) -> String {
        format!(
            "<table class=\"breakdown\" data-filter=\"{}\">\n<thead><tr><th>{}</th>\
             <th class=\"n\">Links</th><th class=\"n\">Broken</th><th class=\"n\">Share</th></tr>\
             </thead>\n<tbody>\n{rows}</tbody></table>\n",
            self.filter, self.one
        )
    }

    /// What the rows say that are not in the table.
    fn beyond(&self, rows: &[(&str, Counts)]) -> String {
        if rows.is_empty() {
            return String::new();
        }
        let sum = |of: fn(&Counts) -> u64| rows.iter().map(|(_, counts)| of(counts)).sum();
        let links = counted(sum(|counts| counts.iter().sum()), "link");
        let broken = sum(|&[_, _, broken, _]| broken);
        format!(
            "<p class=\"none\">{} more, with {links}, {} of them broken, are not in this \
             table.</p>\n",
            grouped(u64::try_from(rows.len()).unwrap_or_default()),
            grouped(broken)
        )
    }

    fn row(&self, (name, counts): &(&str, Counts), whole: u64) -> String {
        let about = (self.about)(name);
        let about = about.map(|text| format!("<small>{}</small>", Text(&text))).unwrap_or_default();
        let all = counts.iter().sum();
        let [_, _, broken, skipped] = *counts;
        format!(
            "<tr><th scope=\"row\"><span class=\"name\">{}</span>{about}\
             <span class=\"bar\" aria-hidden=\"true\">{}</span></th><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
            Text(name),
            chart::bar(counts, whole),
            grouped(all),
            grouped(broken),
            percent(broken, all.saturating_sub(skipped)),
        )
    }
}
