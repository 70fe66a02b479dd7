//! Writes the summary of a run: totals, link rot by age, and omitted parts.

use super::chart::{self, Column};
use super::gather::{Gathered, UNDATED, Year};
use super::markup::{Text, counted, grouped, percent, size};
use crate::finding::{Archived, NotLookedUp, Verdict};
use crate::report::record::SummaryRecord;

/// The verdicts, the worst first, with their names on the page.
const VERDICTS: [(Verdict, &str); Verdict::ALL.len()] = [
    (Verdict::Error, "broken"),
    (Verdict::Warn, "worth a look"),
    (Verdict::Ok, "fine"),
    (Verdict::Skipped, "not judged"),
];

/// Returns the headline: the number of links, and how many are broken.
pub(super) fn headline(summary: &SummaryRecord) -> String {
    let (broken, all) = (summary.count(Verdict::Error), summary.findings);
    match (broken, all) {
        (_, 0) => "No links were found".to_owned(),
        (0, _) => format!("{}, none broken", counted(all, "link")),
        _ => format!("{} of {} broken", grouped(broken), counted(all, "link")),
    }
}

/// Returns the section of totals.
pub(super) fn totals(gathered: &Gathered, summary: &SummaryRecord) -> String {
    let bar = chart::bar(&summary.verdicts, summary.findings);
    let mut legend = String::new();
    for (verdict, words) in VERDICTS {
        let (name, count) = (verdict.name(), summary.count(verdict));
        legend += &format!(
            "<li class=\"{name}\"><b>{}</b> <span>{words}</span> <small>{}</small></li>\n",
            grouped(count),
            percent(count, summary.findings)
        );
    }
    format!(
        "<section id=\"overview\">\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n{}{}\
         <div class=\"share\" aria-hidden=\"true\">{bar}</div>\n\
         <ul class=\"legend\">\n{legend}</ul>\n\
         <dl class=\"tiles\">\n{}</dl>\n</section>\n",
        Text(&headline(summary)),
        lead(gathered, summary),
        incomplete(summary),
        absent(gathered, summary),
        tiles(summary)
    )
}

/// Explains the words of the headline for this run.
fn lead(gathered: &Gathered, summary: &SummaryRecord) -> String {
    let is_all = missing(gathered, summary) == 0;
    if gathered.asked == 0 {
        let asked =
            if is_all { "No link was probed" } else { "None of the shown links was probed" };
        return format!(
            "This run read texts and held each link to its grammar. {asked}: broken means \
             malformed."
        );
    }
    let sum = |of: fn(&Year) -> u64| gathered.years.values().map(of).sum();
    let asked = percent(gathered.asked, gathered.verdicts.iter().sum());
    format!(
        "Broken means dead ({}) or malformed ({}). {asked} of the links {}were probed, \
         or looked up on disk.",
        grouped(sum(|year| year.dead)),
        grouped(sum(|year| year.malformed)),
        if is_all { "" } else { "that are shown " }
    )
}

/// Returns the number of findings that are in the totals but were not passed to the report.
fn missing(gathered: &Gathered, summary: &SummaryRecord) -> u64 {
    summary.findings.saturating_sub(gathered.verdicts.iter().sum())
}

fn incomplete(summary: &SummaryRecord) -> &'static str {
    if summary.complete {
        return "";
    }
    "<p class=\"alert\">The run is <b>incomplete</b>: something could not be read in full. \
     <a href=\"#left-out\">What was left out</a> says where.</p>\n"
}

/// Explains how many findings were not passed to the report, if there are any.
fn absent(gathered: &Gathered, summary: &SummaryRecord) -> String {
    match missing(gathered, summary) {
        0 => String::new(),
        absent => format!(
            "<p class=\"alert\"><code>--show</code> left {} out of reports: all but these totals \
             is said of the others.</p>\n",
            counted(absent, "link")
        ),
    }
}

fn tiles(summary: &SummaryRecord) -> String {
    let where_there_are = |number: u64| Some(number).filter(|&number| number > 0);
    let tiles = [
        (summary.distinct, ["different link", "different links"]),
        (Some(summary.files), ["file", "files"]),
        (where_there_are(summary.members), ["member of an archive", "members of archives"]),
        (where_there_are(summary.messages), ["message", "messages"]),
    ];
    let tile = |name, number| format!("<div><dt>{name}</dt><dd>{number}</dd></div>\n");
    let counts = tiles.into_iter().filter_map(|(number, names)| Some((number?, names)));
    let counts = counts
        .map(|(number, [one, more])| tile(if number == 1 { one } else { more }, grouped(number)));
    counts.chain([tile("read", size(summary.bytes))]).collect()
}

/// Maximum number of columns of the chart.
const COLUMNS_MAX: usize = 60;

/// Returns the section of link rot by age.
pub(super) fn years(gathered: &Gathered) -> String {
    let dated: Vec<_> = gathered.years.iter().filter(|(year, _)| **year != UNDATED).collect();
    let undated = gathered.years.get(&UNDATED).copied().unwrap_or_default();
    let title = if gathered.asked > 0 { "Link rot by age" } else { "Broken links by age" };
    let about = "The share of broken links among those that were judged, by the year of the \
                 message that they stand in, or else the year in the name of its file, or that \
                 an archive tells of it.";
    let body = if dated.is_empty() {
        "<p class=\"none\">No link has a year: neither a message nor the name of a file tells \
         one.</p>\n"
            .to_owned()
    } else {
        let mut rows: String =
            dated.iter().map(|(year, n)| year_row(&year.to_string(), n)).collect();
        if undated != Year::default() {
            rows += &year_row("no year", &undated);
        }
        let chart = format!(
            "<figure class=\"chart\"><div class=\"scroll\" tabindex=\"0\" role=\"img\" \
             aria-label=\"{title}; the table below has the numbers\">{}</div>\n\
             <p class=\"hint\">Move the chart sideways to see all years.</p>\n\
             <figcaption>{}</figcaption></figure>\n\
             <details><summary>The numbers</summary>\n<div class=\"scroll\"><table>\n\
             <thead><tr><th>Year</th><th class=\"n\">Links</th><th class=\"n\">Dead</th>\
             <th class=\"n\">Malformed</th><th class=\"n\">Not judged</th>\
             <th class=\"n\">Broken</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\
             </details>\n",
            chart::years(&columns(&dated)),
            caption(gathered, &dated)
        );
        folded(&dated, &undated, chart)
    };
    format!(
        "<section id=\"years\">\n<h2>{title}</h2>\n<p class=\"about\">{about}</p>\n\
         {body}</section>\n"
    )
}

/// Returns `chart`, folded away if fewer than a tenth of the links have a year: these need not be
/// like the others.
fn folded(dated: &[(&u16, &Year)], undated: &Year, chart: String) -> String {
    let links = |year: &Year| year.judged() + year.skipped;
    let with_year = dated.iter().map(|(_, year)| links(year)).sum::<u64>();
    let all = with_year + links(undated);
    if with_year.saturating_mul(10) >= all {
        return chart;
    }
    format!(
        "<p class=\"none\">Only {} of {} have a year, fewer than a tenth, and need not be like the \
         others: the chart is folded away.</p>\n<details><summary>The chart</summary>\n{chart}\
         </details>\n",
        grouped(with_year),
        counted(all, "link")
    )
}

/// Returns one column a year, including years without links while there is room.
fn columns(dated: &[(&u16, &Year)]) -> Vec<Column> {
    let column = |year: u16, counts: Year| Column { name: year.to_string(), year: counts };
    let (Some((first, _)), Some((last, _))) = (dated.first(), dated.last()) else {
        return Vec::new();
    };
    if usize::from(**last - **first) < COLUMNS_MAX {
        let found = |year| dated.iter().find(|(other, _)| **other == year);
        let counts = |year| found(year).map(|(_, counts)| **counts).unwrap_or_default();
        return (**first..=**last).map(|year| column(year, counts(year))).collect();
    }
    let skipped = dated.len().saturating_sub(COLUMNS_MAX);
    dated.iter().skip(skipped).map(|(year, counts)| column(**year, **counts)).collect()
}

fn caption(gathered: &Gathered, dated: &[(&u16, &Year)]) -> String {
    let undated = gathered.years.get(&UNDATED).map(|year| year.judged() + year.skipped);
    let mut text = "<span class=\"key error\">dead</span> \
                    <span class=\"key malformed\">malformed</span>"
        .to_owned();
    if gathered.asked == 0 {
        text = "<span class=\"key malformed\">malformed</span>".to_owned();
    }
    text += " <span class=\"key skipped\">how many links were judged</span>";
    if let Some(undated) = undated.filter(|&undated| undated > 0) {
        text += &format!(" {} without a year are not drawn.", counted(undated, "link"));
    }
    let left_out = dated.len().saturating_sub(COLUMNS_MAX);
    if left_out > 0 {
        text += &format!(" The first {left_out} years are in the table only.");
    }
    text
}

fn year_row(name: &str, year: &Year) -> String {
    let judged = year.judged();
    let numbers = [judged + year.skipped, year.dead, year.malformed, year.skipped].map(grouped);
    let cells: String = numbers.iter().map(|n| format!("<td class=\"n\">{n}</td>")).collect();
    let share = percent(year.dead + year.malformed, judged);
    format!("<tr><th scope=\"row\">{name}</th>{cells}<td class=\"n\">{share}</td></tr>\n")
}

/// Returns a table of the links that were looked up in web archives, and of those that were not, by
/// reason; empty if none was to be looked up.
fn archives(summary: &SummaryRecord) -> String {
    let counts = Archived::NAMES.into_iter().zip(summary.archived.each());
    let by = summary.archived.unknown_by.iter().map(|(reason, count)| {
        (NotLookedUp::find(reason).map_or(&**reason, |known| known.words()), *count)
    });
    let row = |(name, count): (&str, u64)| {
        let count = grouped(count);
        format!("<tr><th scope=\"row\">{}</th><td class=\"n\">{count}</td></tr>\n", Text(name))
    };
    let rows: String = counts.filter(|(_, count)| *count > 0).chain(by).map(row).collect();
    if rows.is_empty() {
        return rows;
    }
    format!(
        "<table class=\"narrow\">\n<thead><tr><th>In archives of the Web</th><th class=\"n\">Count\
         </th></tr></thead>\n<tbody>\n{rows}</tbody></table>\n"
    )
}

/// Returns the section of omitted parts by reason, and of notes.
pub(super) fn left_out(gathered: &Gathered, summary: &SummaryRecord) -> String {
    let mut body = String::new();
    let archives = archives(summary);
    if summary.skipped.is_empty() && gathered.notes.is_empty() && archives.is_empty() {
        body += "<p class=\"none\">Nothing was left out.</p>\n";
    }
    if !summary.skipped.is_empty() {
        let row = |(reason, count): (&String, &u64)| {
            let count = grouped(*count);
            format!(
                "<tr><th scope=\"row\">{}</th><td class=\"n\">{count}</td></tr>\n",
                Text(reason)
            )
        };
        let rows: String = summary.skipped.iter().map(row).collect();
        body += &format!(
            "<table class=\"narrow\">\n<thead><tr><th>Reason</th><th class=\"n\">Count</th></tr>\
             </thead>\n<tbody>\n{rows}</tbody></table>\n"
        );
    }
    body += &archives;
    if !gathered.notes.is_empty() {
        let item = |note: &String| format!("<li>{}</li>\n", Text(note));
        let items: String = gathered.notes.iter().map(item).collect();
        let more = match gathered.notes_left_out {
            0 => String::new(),
            more => {
                format!("<p class=\"none\">{} more are not shown.</p>\n", counted(more, "note"))
            }
        };
        body += &format!("<h3>Notes</h3>\n<ul class=\"notes\">\n{items}</ul>\n{more}");
    }
    format!(
        "<section id=\"left-out\">\n<h2>What was left out</h2>\n<p class=\"about\">Inputs, parts \
         and links that were not read or not judged, by reason.</p>\n{body}</section>\n"
    )
}
