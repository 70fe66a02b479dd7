//! Writes the tables of counts: by class of answer, by rule, by warning, by host and by scheme.

use super::chart;
use super::gather::{Counts, Gathered, Tally};
use super::markup::{Text, counted, grouped, percent};
use super::table::{self, ROWS_MAX};
use crate::finding::{Class, LINTS, RULES};

/// One table.
struct Breakdown<'g> {
    title: &'static str,
    /// The name of one row, such as `host`.
    one: &'static str,
    /// The filter of the list that finds a row: the name of a table of `data`.
    filter: &'static str,
    tally: &'g Tally,
    /// The function that returns the description of a name, if there is one.
    about: fn(&str) -> Option<String>,
    /// The text in place of an empty table.
    none: &'static str,
}

/// Returns the section of problems.
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
            none: "No link of this report was probed.",
        },
        Breakdown {
            title: "By grammar fault",
            one: "fault",
            filter: "labels",
            tally: &gathered.rules,
            about: rule,
            none: "Every link conforms to its grammar.",
        },
        Breakdown {
            title: "By warning",
            one: "warning",
            filter: "labels",
            tally: &gathered.lints,
            about: lint,
            none: "There are no warnings.",
        },
    ];
    section("wrong", "What is wrong", &tables)
}

/// Returns the section of the targets of links.
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
        let body = table::folded(&lines, |rows| self.framed(rows));
        let beyond = beyond(rows.get(ROWS_MAX..).unwrap_or_default());
        format!("<article>{title}\n{body}{beyond}</article>\n")
    }

    fn framed(&self, rows: &str) -> String {
        format!(
            "<table class=\"breakdown\" data-filter=\"{}\">\n<thead><tr><th>{}</th>\
             <th class=\"n\">Links</th><th class=\"n\">Broken</th><th class=\"n\">Share</th></tr>\
             </thead>\n<tbody>\n{rows}</tbody></table>\n",
            self.filter, self.one
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

/// Returns a summary of the rows that are not in a table.
fn beyond(rows: &[(&str, Counts)]) -> String {
    let sum = |of: fn(&Counts) -> u64| rows.iter().map(|(_, counts)| of(counts)).sum();
    let links = counted(sum(|counts| counts.iter().sum()), "link");
    let broken = grouped(sum(|&[_, _, broken, _]| broken));
    table::beyond(rows.len(), &format!("{links}, {broken} of them broken"))
}
