//! Detects pages that a server shows for any name ("soft 404"): in each directory with a link that
//! answers 200, one invented name is requested, and links with a similar answer are marked. Links
//! with another ending, which another program may serve, get an invented name with that ending.
//!
//! The requests are made in turn, after those of the links, under the same rules: the address
//! guard, the gaps between requests, robots.txt, and the store. The name depends on the directory
//! alone, so that a run that is repeated requests the same.
//!
//! Not recognised: pages that depend on the query of a link alone, as `view.php?id=7`. No query is
//! invented, since it may act.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use memchr::memmem;

use super::drive::content::{BESIDE_MAX, content_as};
use super::drive::{Drive, Learnt};
use super::hash::hash;
use super::target::{Target, Targets, last_name};
use super::{Observer, RequestOptions};
use crate::check::stand_in::leads_to_login;
use crate::error::Error;
use crate::finding::{Class, Reach};
use crate::grammar::split;
use crate::probe::Level;

/// Maximum number of invented names that are requested from one host. Most hosts have one answer
/// for all directories, or one for each program that serves them.
const NAMES_MAX: usize = 8;

/// The status of answers that claim that a page is there (RFC 9110 §15.3.1).
const OK: u16 = 200;

/// Number of letters in an invented name: 4 bits each.
const LETTERS: u32 = 24;

/// Marks the results in `learnt` whose pages are suspected, if `drive` is to look for such pages.
///
/// # Errors
/// When the network cannot be used at all.
pub(super) fn suspect(
    targets: &Targets,
    learnt: &mut Learnt,
    drive: &mut Drive<'_>,
    observer: &dyn Observer,
) -> Result<(), Error> {
    if !drive.options().suspects_soft {
        return Ok(());
    }
    let groups = groups(targets, learnt, drive.options());
    let wanted = groups.into_iter().filter_map(|(invented, numbers)| {
        let request = request(targets, &numbers, invented)?;
        Some((numbers, request))
    });
    let (groups, requests): (Vec<_>, Vec<_>) = wanted.unzip();
    let answers = drive.ask(&Targets::unsought(requests), observer)?;
    for (numbers, answer) in groups.into_iter().zip(answers.reaches) {
        let Some(answer) = answer else { continue };
        for number in numbers {
            if let Some(Some(reach)) = learnt.reaches.get_mut(number)
                && let Some(target) = targets.list.get(number)
                && is_alike((&target.text, reach), &answer)
            {
                *reach = Arc::new(suspected(reach));
            }
        }
    }
    Ok(())
}

/// Returns the names that are requested, each with the numbers of the links beside it.
fn groups(
    targets: &Targets,
    learnt: &Learnt,
    options: &RequestOptions,
) -> BTreeMap<Vec<u8>, Vec<usize>> {
    let reaches = || targets.list.iter().zip(&learnt.reaches).enumerate();
    let mut asked: HashMap<Vec<u8>, usize> = HashMap::new();
    for (_, (target, reach)) in reaches() {
        if reach.as_ref().is_some_and(|reach| reach.probe != Reach::UNREQUESTED) {
            *asked.entry(host(&target.text)).or_default() += 1;
        }
    }
    let most = options.rules.urls_per_host.map(|most| usize::try_from(most).unwrap_or(usize::MAX));
    let room = |host: &[u8]| {
        let asked = asked.get(host).copied().unwrap_or_default();
        most.map_or(NAMES_MAX, |most| most.saturating_sub(asked).min(NAMES_MAX))
    };
    let mut chosen: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
    let mut by_host: HashMap<Vec<u8>, BTreeSet<Vec<u8>>> = HashMap::new();
    for (number, (target, reach)) in reaches() {
        let is_there = target.level == Level::Get
            && reach.as_ref().is_some_and(|reach| claims_to_be_there(reach));
        let Some(name) = is_there.then(|| invented(&target.text)).flatten() else { continue };
        let host = host(&target.text);
        let of_host = by_host.entry(host.clone()).or_default();
        if of_host.contains(&name) || of_host.len() < room(&host) {
            of_host.insert(name.clone());
            chosen.entry(name).or_default().push(number);
        }
    }
    chosen
}

/// Reports whether a page answered with 200, and whether it can be compared.
fn claims_to_be_there(reach: &Reach) -> bool {
    let is_there = matches!(reach.class, Class::Alive | Class::Redirected);
    let can_compare = reach.content.is_some() || !reach.hops.is_empty();
    is_there && reach.status == Some(OK) && can_compare
}

/// Reports whether `invented`, the answer to an invented name, is that of the link `uri`: apart
/// from their names, both show the same page or redirect to the same place. At a login, nothing can
/// be told.
fn is_alike((uri, reach): (&[u8], &Reach), invented: &Reach) -> bool {
    let place = |reach: &Reach| reach.hops.last().map(|hop| hop.to.clone());
    let leads_to_same = place(reach)
        .zip(place(invented))
        .is_some_and(|(to, other)| is_same_place(uri, &to, &other));
    let is_login = place(reach).is_some_and(|to| leads_to_login(uri, &to));
    let contents = reach.content.as_ref().zip(content_as(invented, last_name(uri)));
    let shows_same = contents.is_some_and(|(one, other)| one.is_like(&other));
    claims_to_be_there(invented) && !is_login && (leads_to_same || shows_same)
}

/// Reports whether the link `uri` leads to the same place, `to`, as the name beside it that leads
/// to `other`. The query may repeat the name, as in `/error?page=NAME`. A place that has it in its
/// path is one of the link's own, as under another scheme or host: the page there decides.
fn is_same_place(uri: &[u8], to: &[u8], other: &[u8]) -> bool {
    let Some(((_, name), (directory, ending))) = parts(uri).zip(shape(uri)) else {
        return to == other;
    };
    let invented = [&letters(directory)[..], ending].concat();
    let query = |to: &[u8]| memchr::memchr(b'?', to).unwrap_or(to.len());
    let (path, query_of_other) = other.split_at(query(other));
    let mut expected = path.to_vec();
    let mut rest = query_of_other;
    while let Some(at) = memmem::find(rest, &invented) {
        let (before, after) = rest.split_at(at);
        expected.extend_from_slice(before);
        expected.extend_from_slice(name);
        rest = after.get(invented.len()..).unwrap_or_default();
    }
    expected.extend_from_slice(rest);
    to == expected
}

fn suspected(reach: &Reach) -> Reach {
    let message = format!("{}, as for an invented name beside it", reach.message);
    Reach { class: Class::SoftMissing, message, ..reach.clone() }
}

/// Returns the request for `text`, the invented name beside the links with these numbers.
fn request(targets: &Targets, numbers: &[usize], text: Vec<u8>) -> Option<Target> {
    let links = || numbers.iter().filter_map(|number| targets.list.get(*number));
    let names: BTreeSet<&[u8]> = links().map(|link| last_name(&link.text)).collect();
    let first = links().next()?;
    Some(Target {
        text: text.into(),
        after: None,
        level: Level::Get,
        effect: None,
        guess: None,
        senders: Vec::new(),
        is_careful: links().any(|link| link.is_careful),
        unwraps: first.unwraps,
        places: BTreeSet::new(),
        is_read: true,
        beside: names.into_iter().take(BESIDE_MAX).map(Box::from).collect(),
        archival: None,
    })
}

/// Returns the part of `uri` before its path, in lower case.
fn host(uri: &[u8]) -> Vec<u8> {
    uri.get(..split(uri).path.start).unwrap_or_default().to_ascii_lowercase()
}

/// Splits `uri`, without its query, after the directory of its last name, which may be that of a
/// directory itself; `None` at the root of a host, whose page is that of the whole host.
fn parts(uri: &[u8]) -> Option<(&[u8], &[u8])> {
    let path = split(uri).path;
    let inside = path.of(uri);
    let whole = inside.strip_suffix(b"/").unwrap_or(inside);
    let at = memchr::memrchr(b'/', whole)? + 1;
    let name = inside.get(at..).filter(|name| !name.is_empty())?;
    Some((uri.get(..path.start + at)?, name))
}

/// Returns an invented URI beside `uri`: a name of letters with the same ending.
fn invented(uri: &[u8]) -> Option<Vec<u8>> {
    let (directory, ending) = shape(uri)?;
    Some([directory, &letters(directory), ending].concat())
}

/// Returns the directory of `uri`, and the ending of its name.
fn shape(uri: &[u8]) -> Option<(&[u8], &[u8])> {
    let (directory, name) = parts(uri)?;
    Some((directory, ending(name)))
}

/// Returns the letters of the invented name in `directory`.
fn letters(directory: &[u8]) -> Vec<u8> {
    let bits = hash(directory);
    let letter = |at: u32| b'a' + u8::try_from(bits >> (4 * at) & 15).unwrap_or_default();
    (0..LETTERS).map(letter).collect()
}

/// Maximum length in bytes of an ending of a name, with its dot.
const ENDING_LEN_MAX: usize = 6;

/// Returns the end of `name` that shows its kind to the server: `.html`, or a slash.
fn ending(name: &[u8]) -> &[u8] {
    let dot = memchr::memrchr(b'.', name).filter(|at| *at > 0);
    let ending = name.get(dot.unwrap_or(name.len())..).unwrap_or_default();
    let letters = ending.get(1..).unwrap_or_default();
    let is_kind = ending.len() <= ENDING_LEN_MAX
        && !letters.is_empty()
        && letters.iter().all(u8::is_ascii_alphanumeric);
    match name {
        [.., b'/'] => b"/",
        _ if is_kind => ending,
        _ => b"",
    }
}

#[cfg(test)]
mod tests {
    use super::{ending, invented, is_alike, is_same_place, parts};
    use crate::finding::{Class, Content, Hop, Reach};

    #[test]
    fn the_invented_name_is_in_the_directory_and_always_the_same() {
        let case = |uri: &str, directory: Option<&str>, end: &str| {
            let found = parts(uri.as_bytes()).map(|(directory, _)| directory);
            assert_eq!(found, directory.map(str::as_bytes), "{uri}");
            let made = invented(uri.as_bytes());
            assert_eq!(made, invented(uri.as_bytes()));
            let Some(made) = made.map(|made| String::from_utf8(made).unwrap()) else { return };
            let name = made.strip_prefix(directory.unwrap()).unwrap();
            let letters = name.strip_suffix(end).unwrap();
            assert!(letters.len() == 24 && letters.bytes().all(|byte| byte.is_ascii_lowercase()));
        };
        case("http://h/a/b.html?c=d/e", Some("http://h/a/"), ".html");
        case("http://h/a/b", Some("http://h/a/"), "");
        case("http://h/a/b/", Some("http://h/a/"), "/");
        case("http://h:81/a", Some("http://h:81/"), "");
        case("http://h/", None, "");
        case("http://h", None, "");
        case("http://h/?a", None, "");
        assert_ne!(invented(b"http://h/a/b"), invented(b"http://h/b/b"));
        assert_eq!(invented(b"http://h/a/b"), invented(b"http://h/a/c"));
    }

    #[test]
    fn an_ending_is_short() {
        let endings = [("a.html", ".html"), ("a.tar.gz", ".gz"), ("a", ""), (".profile", "")];
        for (name, wanted) in endings {
            assert_eq!(ending(name.as_bytes()), wanted.as_bytes(), "{name}");
        }
        for name in ["a.", "a.b-c", "v1.everything"] {
            assert_eq!(ending(name.as_bytes()), b"", "{name}");
        }
    }

    #[test]
    fn answers_are_alike_by_what_they_show_or_where_they_lead() {
        let of = |status: u16, sketch: Option<u64>, to: Option<&str>| Reach {
            content: sketch
                .map(|sketch| Box::new(Content { digest: 0, sketch, changed_since: None })),
            hops: to
                .map(|to| Hop { status: 302, to: to.as_bytes().to_vec() })
                .into_iter()
                .collect(),
            ..Reach::new(Class::Alive, "http", "200 OK").with_status(status)
        };
        let case = |one: &Reach, other: &Reach, wanted| {
            assert_eq!(is_alike((b"http://h/a/page", one), other), wanted);
        };
        case(&of(200, Some(0), None), &of(200, Some(7), None), true);
        case(&of(200, Some(0), None), &of(200, Some(15), None), false);
        let shell = of(200, Some(Content::SCRIPTED), None);
        case(&shell, &shell, false);
        let login = of(200, Some(1), Some("http://h/login?next=/"));
        case(&login, &login, false);
        case(&of(200, None, Some("http://h/")), &of(200, None, Some("http://h/")), true);
        case(&of(200, None, Some("http://h/")), &of(200, None, Some("http://h/b")), false);
        case(&of(200, None, None), &of(200, None, None), false);
        case(&of(200, Some(0), None), &of(206, Some(0), None), false);
        let missing = Reach { class: Class::Missing, ..of(200, Some(0), None) };
        case(&of(200, Some(0), None), &missing, false);
    }

    #[test]
    fn places_are_the_same_but_for_the_name_in_their_query() {
        let uri = b"http://h/a/page.html";
        let name = invented(uri).unwrap();
        let name = std::str::from_utf8(&name["http://h/a/".len()..]).unwrap();
        let case = |to: &str, other: &str, wanted: bool| {
            let other = other.replace("NAME", name);
            let found = is_same_place(uri, to.as_bytes(), other.as_bytes());
            assert_eq!(found, wanted, "{to} {other}");
        };
        case("http://h/", "http://h/", true);
        case("http://h/", "http://h/b", false);
        case("http://h/error?of=/a/page.html", "http://h/error?of=/a/NAME", true);
        case("http://h/?page.html&page.html", "http://h/?NAME&NAME", true);
        case("http://h/error?of=/a/page.html", "http://h/error?of=/a/", false);
        case("http://h/error?of=1", "http://h/error?of=NAME", false);
        case("https://h/a/page.html", "https://h/a/NAME", false);
        case("https://h/a/page.html?b", "https://h/a/NAME?b", false);
    }
}
