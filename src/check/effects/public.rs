//! Knows links that lead to texts for every reader: the sites that hold standards, archives of
//! lists, packages and answers, and the paths of trackers and archives, whatever their host is.
//!
//! A number alone explains nothing, as in `/x/4711`. In the forms here, it names a report, a
//! message or a topic.

use super::link::{Argument, Link};
use super::token;
use super::words;

/// Hosts whose links are read alone, also with `www.` before them. Hosts that send mail with links
/// for one reader are none.
#[rustfmt::skip]
const SITES: &[&str] = &[
    "arxiv.org", "askubuntu.com", "bugs.debian.org", "bugs.python.org", "crates.io",
    "cve.mitre.org", "datatracker.ietf.org", "doc.rust-lang.org", "docs.python.org", "docs.rs",
    "doi.org", "dx.doi.org", "gist.github.com", "git.kernel.org", "git.launchpad.net", "gnu.org",
    "hackage.haskell.org", "iana.org",
    "ietf.org", "kernel.org", "lists.debian.org", "lists.gnu.org", "lists.w3.org", "lkml.org",
    "lore.kernel.org", "lwn.net", "mail-archive.com", "mailarchive.ietf.org", "man7.org",
    "marc.info", "metacpan.org", "news.ycombinator.com", "npmjs.com", "nvd.nist.gov",
    "openwall.com", "packages.debian.org", "peps.python.org", "pkg.go.dev", "pypi.org",
    "rfc-editor.org", "security-tracker.debian.org", "serverfault.com", "sourceware.org",
    "spinics.net", "stackoverflow.com", "superuser.com", "support.google.com", "tools.ietf.org",
    "tracker.debian.org",
    "unicode.org", "w3.org", "wiki.debian.org", "youtu.be",
];

/// Domains each of whose hosts is such a one, as languages have, and those of static pages, for
/// which no program of their owner runs.
#[rustfmt::skip]
const DOMAINS: &[&str] = &[
    "github.io", "gitlab.io", "readthedocs.io", "stackexchange.com", "wikipedia.org",
    "wiktionary.org",
];

/// Hosts that send mail for one reader, too, and the segments before the numbers of their records.
const HOSTS: &[(&str, &[&str])] =
    &[("openstreetmap.org", &["changeset", "node", "note", "relation", "way"])];

/// Segments before the number of a report.
#[rustfmt::skip]
const REPORTS: &[&str] = &[
    "bug", "bugs", "issue", "issues", "merge_requests", "pipelines", "pull", "pull-requests",
    "ticket",
];

/// Programs that show a report or a topic, and the names of the arguments by whose numbers they do.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("discuss.php", &["d"]),
    ("show_bug.cgi", &["id"]),
    ("showthread.php", &["t", "tid", "p", "pid"]),
    ("viewtopic.php", &["e", "f", "p", "t"]),
];

/// Digits that the number of a report has at most: longer ones are made for one reader.
const DIGITS_MAX: usize = 8;

/// Reports whether `host`, without user and port, holds texts alone.
pub(super) fn is_site(host: &str) -> bool {
    let name = host.strip_prefix("www.").unwrap_or(host);
    let is_below = |domain: &&str| {
        name.strip_suffix(*domain).is_some_and(|label| label.is_empty() || label.ends_with('.'))
    };
    SITES.contains(&name) || DOMAINS.iter().any(is_below)
}

/// Reports whether `path` is that of a record which `host` has for all.
pub(super) fn is_of_host(host: &str, path: &[&str]) -> bool {
    let name = host.strip_prefix("www.").unwrap_or(host);
    let kinds = HOSTS.iter().find(|(host, _)| *host == name).map(|(_, kinds)| kinds);
    matches!((kinds, path), (Some(kinds), [kind, number])
        if kinds.contains(kind) && token::digits(number) == number.len())
}

/// Reports whether `link`, with `path`, has the form of a report, a message or a topic.
pub(super) fn is_record(link: &Link<'_>, path: &[&str]) -> bool {
    if let Some(program) = path.last().filter(|_| !link.arguments.is_empty())
        && is_shown_by(program, &link.arguments)
    {
        return true;
    }
    if link.arguments.iter().any(words::tells) {
        return false;
    }
    match path {
        [.., "browse", key] => is_key(key),
        [.., "t", title, number]
        | [.., "t", title, number, _]
        | [.., "questions", number, title] => is_number(number) && title.contains('-'),
        [.., "job", _, number, "console"] | [.., "c", _, "+", number] => is_number(number),
        [.., "actions", "runs", number] => token::digits(number) == number.len(),
        [.., year, month, page] if is_month(year, month) => is_message(page),
        [.., "lists", _, page] => is_message(page),
        ["g", _, "message", number] => is_number(number),
        ["sympa", "arc", _, ..] => true,
        [.., kind, number] => REPORTS.contains(kind) && is_number(number),
        _ => false,
    }
}

/// Reports whether `program` shows the record that `arguments` number, which has no others.
fn is_shown_by(program: &str, arguments: &[Argument<'_>]) -> bool {
    let known = PROGRAMS.iter().find(|(name, _)| *name == program);
    known.is_some_and(|(_, names)| {
        arguments.iter().all(|it| names.contains(&it.name) && is_number(it.value))
    })
}

fn is_number(text: &str) -> bool {
    (1..=DIGITS_MAX).contains(&text.len()) && token::digits(text) == text.len()
}

/// Reports whether `text` is the key of a report in a project: `ABC-123`.
fn is_key(text: &str) -> bool {
    const LETTERS_MAX: usize = 10;
    text.split_once('-').is_some_and(|(project, number)| {
        (1..=LETTERS_MAX).contains(&project.len())
            && project.bytes().all(|byte| byte.is_ascii_uppercase())
            && is_number(number)
    })
}

/// Reports whether two segments are a year and a month of it.
fn is_month(year: &str, month: &str) -> bool {
    let is_year = year.len() == 4 && (year.starts_with("19") || year.starts_with("20"));
    is_year && is_number(year) && month.len() <= 2 && is_number(month)
}

/// Reports whether `page` is that of a message in an archive: `msg00123.html`.
fn is_message(page: &str) -> bool {
    let stem = page.strip_suffix(".html").and_then(|page| page.strip_prefix("msg"));
    stem.is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use super::{is_of_host, is_record, is_site};
    use crate::check::effects::link::Link;

    #[test]
    fn sites_for_texts_are_known_by_their_hosts() {
        for host in [
            "www.rfc-editor.org",
            "lists.debian.org",
            "de.wikipedia.org",
            "harbour.readthedocs.io",
            "youtu.be",
        ] {
            assert!(is_site(host), "{host}");
        }
        for host in ["email.npmjs.com", "rfc-editor.org.h.example", "notwikipedia.org", ""] {
            assert!(!is_site(host), "{host}");
        }
        for (host, path, expected) in [
            ("www.openstreetmap.org", &["way", "4711"], true),
            ("www.openstreetmap.org", &["way", "x4711"], false),
            ("www.openstreetmap.org", &["confirm", "4711"], false),
            ("h.example", &["way", "4711"], false),
        ] {
            assert_eq!(is_of_host(host, path), expected, "{host} {path:?}");
        }
    }

    #[test]
    fn reports_and_messages_are_known_by_their_paths() {
        let is_known = |text: &str| {
            let link = Link::of(text);
            let path = link.paths.first().cloned().unwrap_or_default();
            is_record(&link, &path)
        };
        for text in [
            "/browse/ABC-123",
            "/project/ticket/4711",
            "/issues/77",
            "/team/project/-/pipelines/4711",
            "/t/how-to-name-things/4711",
            "/t/how-to-name-things/4711/3",
            "/questions/4711/how-to-name-things",
            "/job/build/77/console",
            "/c/project/+/4711",
            "/debian-devel/2015/03/msg00123.html",
            "/lists/kernel/msg4711.html",
            "/show_bug.cgi?id=4711",
            "/viewtopic.php?f=1&t=4711",
            "/viewtopic.php?p=4711",
            "/team/project/actions/runs/12345678901",
            "/g/kernel/message/4711",
            "/sympa/arc/kernel",
            "/mod/forum/discuss.php?d=4711",
            "/viewtopic.php?f=1&t=4711&e=4711",
        ] {
            assert!(is_known(text), "{text}");
        }
        for text in [
            "/browse/unsubscribe-1",
            "/issues/77/close",
            "/issues/123456789",
            "/issues/77?vote=1",
            "/t/x/4711",
            "/t/4711",
            "/x/77/console",
            "/2015/77",
            "/show_bug.cgi?id=4711&do=close",
            "/show_bug.cgi?id=abc",
            "/g/kernel/leave/4711",
            "/sympa/sigrequest/kernel",
            "/mod/forum/discuss.php?d=4711&unsubscribe=1",
        ] {
            assert!(!is_known(text), "{text}");
        }
    }
}
