//! Writes the whole page: its policy, its sections in order, its style sheet and its script.

use std::io::{self, BufWriter, Write};

use data_encoding::BASE64;
use ring::digest::{SHA256, digest};

use super::gather::Gathered;
use super::markup::Text;
use super::{breakdown, data, findings, overview, rotted};
use crate::report::record::SummaryRecord;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Writes the page.
///
/// # Errors
/// Errors of `out`.
pub(super) fn write(
    mut gathered: Gathered,
    summary: &SummaryRecord,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    gathered.close();
    let sections = [
        ("overview", "Overview", overview::totals(&gathered, summary)),
        ("years", "By age", overview::years(&gathered)),
        ("wrong", "What is wrong", breakdown::faults(&gathered)),
        ("where", "Where", breakdown::places(&gathered)),
        ("sites", "Sites", gathered.sites.section()),
        ("rot", "Link rot", rotted::section(&gathered.rot)),
        ("broken", "Broken links", findings::broken(&gathered)),
        ("findings", "Findings", findings::list(&gathered)),
        ("left-out", "Left out", overview::left_out(&gathered, summary)),
    ];
    let links = sections.iter().filter(|(_, _, section)| !section.is_empty());
    let links: String =
        links.map(|(id, label, _)| format!("<a href=\"#{id}\">{label}</a>\n")).collect();
    let navigation = format!("<nav aria-label=\"Sections\">\n{links}</nav>\n");
    out.write_all(head(summary, &navigation).as_bytes())?;
    for (_, _, section) in sections {
        out.write_all(section.as_bytes())?;
    }
    out.write_all(FOOT.as_bytes())?;
    out.write_all(b"<script type=\"application/json\" id=\"data\">")?;
    let rows = gathered.take_rows();
    data::write(&gathered, &rows, &mut out)?;
    out.write_all(b"</script>\n<script>")?;
    out.write_all(SCRIPT.as_bytes())?;
    out.write_all(b"</script>\n</body>\n</html>\n")?;
    out.flush()
}

/// Returns the source expression for `text` in the page's policy (CSP Level 3 §2.3.1).
fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(digest(&SHA256, text.as_bytes()).as_ref()))
}

fn head(summary: &SummaryRecord, navigation: &str) -> String {
    let policy = format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    );
    opening(&overview::headline(summary), &policy) + &top(navigation)
}

/// Returns the beginning of a page without script, up to its first section.
pub(super) fn plain_head(title: &str) -> String {
    let policy = format!(
        "default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'",
        hash(STYLE)
    );
    opening(title, &policy) + &top("")
}

fn opening(title: &str, policy: &str) -> String {
    format!(
        r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{}</title>
<style>{STYLE}</style>
</head>
<body>
"#,
        Text(title)
    )
}

/// The switch consists of radio buttons that one style rule each depends on, so that it works
/// without script.
fn top(navigation: &str) -> String {
    format!("{BRAND}{navigation}{THEME}")
}

const BRAND: &str = r#"<header class="top">
<p class="brand"><span class="mark" aria-hidden="true"></span>linktrawl</p>
"#;

const THEME: &str = r#"<fieldset class="theme">
<legend>Colours</legend>
<label><input type="radio" name="theme" id="theme-auto" checked><span>Auto</span></label>
<label><input type="radio" name="theme" id="theme-light"><span>Light</span></label>
<label><input type="radio" name="theme" id="theme-dark"><span>Dark</span></label>
</fieldset>
</header>
<main>
"#;

pub(super) const FOOT: &str = concat!(
    "</main>\n<footer>\n<p>Made by linktrawl ",
    env!("CARGO_PKG_VERSION"),
    ". URIs are shown here and never linked: opening one may act for its reader, \
     or tell a sender that an address is read.</p>\n</footer>\n"
);
