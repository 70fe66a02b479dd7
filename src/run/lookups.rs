//! Looks up links in archives of the Web: first in files, then on the network.
//!
//! An archive on the network learns the links that are requested from it. It gets a link only if
//! the link's own host may get the path: never a link of mail that is known to act, or of which
//! only the host is probed; never user names, passwords, tokens and fragments; and an archive on a
//! public host never gets a link of a host that is not public. Each archive gets one request for a
//! link at most, and some for further pages of its TimeMap; it gets none for a link that an archive
//! before it holds. An archive with a CDX server gets one request for all links of a directory with
//! many.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};

use super::archive::disclosure::{host_of, is_public, spoken};
use super::archive::offline;
use super::archive::replay::replayed;
use super::archive::silence::Silences;
use super::archive::{Archive, Service};
use super::drive::{Drive, Learnt};
use super::listing;
use super::target::{Archival, Target, Targets};
use super::{Observer, RequestOptions};
use crate::error::Error;
use crate::finding::{
    Archived, Memento, NotLookedUp, Note, NoteKind, Origin, Reach, Verdict, days_between,
};
use crate::grammar::normalize::key;
use crate::probe::Level;
use crate::probe::archive::link_format::Page;
use crate::probe::archive::{Snapshot, nearest, relevant};
use crate::probe::lookup;
use crate::report::rot::is_parked;
use crate::uri::Redacted;

/// The results of all lookups, by the number of the target.
#[derive(Default)]
pub(super) struct Lookups {
    held: HashMap<usize, Held>,
    /// The names of the archives, by their numbers.
    names: Vec<String>,
    /// The time after which no copy was made: that of this machine, which may be slow.
    latest: Option<Timestamp>,
    /// The requests to archives that gave no answer.
    silences: Silences,
}

/// The time by which the clocks of this machine and of an archive may differ.
const CLOCKS_DIFFER_MAX: SignedDuration = SignedDuration::from_hours(24);

/// The copies of one target in archives.
#[derive(Default)]
struct Held {
    /// Copies, each with the number of its archive.
    snapshots: Vec<(usize, Snapshot)>,
    /// The reason why at least one archive gave no answer, or was not asked.
    unknown: Option<NotLookedUp>,
}

impl Lookups {
    /// Looks up the selected ones of `targets`; `learnt` has the results of probing.
    ///
    /// # Errors
    /// When the network cannot be used at all. A file that cannot be read is a note.
    pub(super) fn of(
        targets: &Targets,
        learnt: &Learnt,
        drive: &mut Drive<'_>,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let options = drive.options();
        let archives = &options.archives;
        let mut lookups =
            Self { names: archives.list.iter().map(name).collect(), ..Self::default() };
        lookups.latest = Timestamp::now().checked_add(CLOCKS_DIFFER_MAX).ok();
        if archives.list.is_empty() {
            return Ok(lookups);
        }
        for (number, target) in targets.list.iter().enumerate() {
            let reach = learnt.reaches.get(number).and_then(|reach| reach.as_deref());
            if is_wanted(target, reach, options) {
                lookups.held.insert(number, Held::default());
            }
        }
        lookups.search_files(targets, drive, observer);
        if options.is_offline {
            return Ok(lookups);
        }
        for (number, service) in archives.services() {
            lookups.ask(targets, (number, service), drive, observer)?;
        }
        Ok(lookups)
    }

    /// Returns a note for each archive and each cause for which it gave no answer.
    pub(super) fn notes(&self) -> Vec<Note> {
        self.silences.notes(&self.names)
    }

    /// Reports whether nothing was looked up.
    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Returns what archives hold of the target with this number, nearest to the date of a link to
    /// it; `None` if it was not looked up.
    pub(super) fn of_target(
        &self,
        target: usize,
        date: impl FnOnce() -> Option<Timestamp>,
    ) -> Option<Archived> {
        let held = self.held.get(&target)?;
        let date = if held.snapshots.is_empty() { None } else { date() };
        let Some((number, found)) = nearest(&held.snapshots, date, |(_, it)| it) else {
            return Some(held.unknown.map_or(Archived::Absent, Archived::Unknown));
        };
        let shown =
            |uri: &Vec<u8>| String::from_utf8_lossy(&Redacted::new(uri).shown()).into_owned();
        let uri = found.uri.as_ref().map(shown);
        Some(Archived::Found(Memento {
            uri,
            time: found.time,
            distance_days: date.map(|date| days_between(date, found.time)),
            archive: self.names.get(*number).cloned().unwrap_or_default(),
        }))
    }

    /// Looks up all targets in the files.
    fn search_files(&mut self, targets: &Targets, drive: &mut Drive<'_>, observer: &dyn Observer) {
        let mut numbers: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
        for &number in self.held.keys() {
            if let Some(target) = targets.list.get(number) {
                numbers.entry(exactly(&target.text)).or_default().push(number);
            }
        }
        let archives = &drive.options().archives;
        for (archive, path) in archives.files() {
            let read = offline::search(path, &mut |mut found| {
                let original = found.original.clone().unwrap_or_default();
                let wanted =
                    numbers.get(&exactly(&original)).map(Vec::as_slice).unwrap_or_default();
                found.uri = archives.replay.as_ref().map(|at| replayed(at, &found));
                for number in wanted {
                    let dates = targets.list.get(*number).map(Target::dates).unwrap_or_default();
                    self.hold(*number, archive, found.clone(), dates);
                }
                !drive.options().is_stopped()
            });
            let (kind, reason) = match read {
                Ok(None) => continue,
                Ok(Some(reason)) => (NoteKind::ArchiveBroken, reason),
                Err(reason) => {
                    self.held.values_mut().for_each(|held| held.doubt(NotLookedUp::Unread));
                    (NoteKind::InputUnreadable, reason)
                }
            };
            let origin = Origin { path: path.clone(), ..Origin::default() };
            let message = format!("an archive for --archive: {reason}");
            observer.note(&Note { kind, origin, offset: None, message });
            drive.cut();
        }
    }

    /// Keeps a copy of the target `number`.
    fn hold(
        &mut self,
        number: usize,
        archive: usize,
        found: Snapshot,
        dates: [Option<Timestamp>; 2],
    ) {
        let Some(held) = self.held.get_mut(&number) else { return };
        if !is_possible(&found, self.latest) {
            return;
        }
        held.snapshots.push((archive, found));
        if held.snapshots.len() >= HELD_MAX {
            held.thin(dates);
        }
    }

    /// Requests from `service` the targets that no archive holds so far.
    fn ask(
        &mut self,
        targets: &Targets,
        (archive, service): (usize, &Service),
        drive: &mut Drive<'_>,
        observer: &dyn Observer,
    ) -> Result<(), Error> {
        let listed = self.list(targets, (archive, service), drive, observer)?;
        let (mut wanted, mut requests) = (Vec::new(), Vec::new());
        for number in self.lacking() {
            let Some(held) = self.held.get_mut(&number).filter(|_| !listed.contains(&number))
            else {
                continue;
            };
            let Some(target) = targets.list.get(number) else { continue };
            match told(target, service) {
                Ok(link) => {
                    let dates = target.dates();
                    wanted.push(number);
                    requests.push(request_at(service.address(&link, dates), dates));
                }
                Err(reason) => held.doubt(reason),
            }
        }
        let round = Round { wanted, requests };
        self.follow(targets, (archive, service, round), drive, observer)
    }

    /// Returns the numbers of the targets of which no archive holds a copy so far, in order.
    fn lacking(&self) -> Vec<usize> {
        let lacking = self.held.iter().filter(|(_, held)| held.snapshots.is_empty());
        let mut numbers: Vec<_> = lacking.map(|(number, _)| *number).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Requests a list of copies for each directory with many links, if `service` can list all
    /// links with one beginning. Returns the numbers of the targets with complete lists, which need
    /// no request of their own.
    fn list(
        &mut self,
        targets: &Targets,
        (archive, service): (usize, &Service),
        drive: &mut Drive<'_>,
        observer: &dyn Observer,
    ) -> Result<HashSet<usize>, Error> {
        let mut decided = HashSet::new();
        let links = self
            .lacking()
            .into_iter()
            .filter_map(|number| Some((number, told(targets.list.get(number)?, service).ok()?)));
        let mut rest = listing::directories(links);
        rest.truncate(
            drive
                .options()
                .rules
                .urls_per_host
                .map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX)),
        );
        // A server without lists answers for the beginning alone, as for any link: the first list
        // shows which one it is, unless it is empty.
        let mut lists = service.lists();
        while !rest.is_empty() {
            let at_once = if lists { LISTS_AT_ONCE } else { 1 };
            let later = rest.split_off(at_once.min(rest.len()));
            let requests = rest.iter().map_while(|(start, numbers)| {
                let dates = dates(numbers.iter().filter_map(|number| targets.list.get(*number)));
                let mut request = request_at(service.listing(start)?, dates);
                request.archival.as_mut()?.is_listing = true;
                Some(request)
            });
            let requests: Vec<_> = requests.collect();
            if requests.is_empty() {
                break;
            }
            let learnt = drive.ask(&Targets::unsought(requests), observer)?;
            for ((start, numbers), reach) in rest.iter().zip(learnt.reaches) {
                let Some(reach) = reach else { continue };
                let Some(found) = lookup::found(&reach) else { continue };
                lists |= found.iter().any(|found| is_below(found, start));
                self.take(targets, numbers, (archive, service), found);
                if lists && lookup::is_whole(&reach) {
                    decided.extend(numbers);
                }
            }
            if !lists {
                break;
            }
            rest = later;
        }
        Ok(decided)
    }

    /// Takes the copies of the targets with these `numbers` out of a list.
    fn take(
        &mut self,
        targets: &Targets,
        numbers: &[usize],
        (archive, service): (usize, &Service),
        found: Vec<Snapshot>,
    ) {
        let mut by_text: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
        for number in numbers {
            if let Some(target) = targets.list.get(*number) {
                by_text.entry(same(&target.text)).or_default().push(*number);
            }
        }
        for found in found {
            let Some(original) = found.original.as_deref().map(same) else { continue };
            let is_same = |uri: &[u8]| same(uri) == original;
            let Some(found) = service.placed(found) else {
                // There is a copy at an unknown address.
                let numbers = by_text.get(&original).into_iter().flatten();
                numbers.for_each(|number| self.doubt(*number, NotLookedUp::NoAddress));
                continue;
            };
            if !found.is_of(is_same) || !service.may_name(&found) {
                continue;
            }
            for number in by_text.get(&original).into_iter().flatten() {
                let dates = targets.list.get(*number).map(Target::dates).unwrap_or_default();
                self.hold(*number, archive, found.clone(), dates);
            }
        }
    }

    /// Records the reason why the copies of a target are unknown.
    fn doubt(&mut self, number: usize, reason: NotLookedUp) {
        if let Some(held) = self.held.get_mut(&number) {
            held.doubt(reason);
        }
    }

    /// Sends the requests of `round` to `service`, and those for the further pages to which the
    /// answers lead, as long as these may be nearer than the copies that are known.
    fn follow(
        &mut self,
        targets: &Targets,
        (archive, service, mut round): (usize, &Service, Round),
        drive: &mut Drive<'_>,
        observer: &dyn Observer,
    ) -> Result<(), Error> {
        let latest = self.latest;
        let mut followed: HashMap<usize, Followed> = HashMap::new();
        while !round.wanted.is_empty() {
            let mut next = Round::default();
            for (number, request) in round.wanted.iter().zip(&round.requests) {
                followed.entry(*number).or_default().seen.push(request.text.to_vec());
            }
            let learnt = drive.ask(&Targets::unsought(round.requests), observer)?;
            for (number, reach) in round.wanted.into_iter().zip(learnt.reaches) {
                let (Some(held), Some(target)) =
                    (self.held.get_mut(&number), targets.list.get(number))
                else {
                    continue;
                };
                let Some(found) = reach.as_deref().and_then(lookup::found) else {
                    held.doubt(NotLookedUp::NoAnswer);
                    self.silences.add(archive, reach.as_deref());
                    continue;
                };
                reach.iter().for_each(|reach| self.silences.answered(archive, reach));
                let original = same(&target.text);
                let is_same = |uri: &[u8]| same(uri) == original;
                for found in found {
                    if !found.is_of(is_same) || !is_possible(&found, latest) {
                        continue;
                    }
                    match service.placed(found) {
                        Some(found) if service.may_name(&found) => {
                            held.snapshots.push((archive, found));
                        }
                        Some(_) => {}
                        // There is a copy at an unknown address.
                        None => held.doubt(NotLookedUp::NoAddress),
                    }
                }
                let followed = followed.entry(number).or_default();
                followed.pages.extend(reach.as_deref().map(lookup::pages).unwrap_or_default());
                let is_lacking = held.lacks(target.dates());
                if is_lacking {
                    followed.pages.extend(reach.as_deref().map(lookup::maps).unwrap_or_default());
                }
                let is_of_gate = reach.as_deref().is_some_and(lookup::is_of_gate);
                let again = (is_lacking && is_of_gate && !followed.is_again)
                    .then(|| again(target, service))
                    .flatten();
                followed.is_again |= again.is_some();
                let page = || {
                    let page = followed.next(held, target.dates(), service)?;
                    Some(request_at(page.uri, target.dates()))
                };
                if let Some(request) = again.or_else(page) {
                    next.wanted.push(number);
                    next.requests.push(request);
                }
            }
            round = next;
        }
        Ok(())
    }
}

/// Requests to an archive, each with the number of its target.
#[derive(Default)]
struct Round {
    wanted: Vec<usize>,
    requests: Vec<Target>,
}

/// The TimeMaps of one target that were requested from an archive.
#[derive(Default)]
struct Followed {
    seen: Vec<Vec<u8>>,
    /// The remaining pages.
    pages: Vec<Page>,
    /// Whether a TimeGate was asked for the last date, too.
    is_again: bool,
}

impl Followed {
    /// Takes the next page: one at the same host that may list a copy which is nearer to the dates
    /// of the links than those that `held` has.
    fn next(
        &mut self,
        held: &Held,
        [first, last]: [Option<Timestamp>; 2],
        service: &Service,
    ) -> Option<Page> {
        // With several dates, no page is too far away.
        let date = first.filter(|_| first == last);
        let apart = |date: Timestamp| {
            let times = held.snapshots.iter().map(|(_, found)| found.time);
            times.map(|time| time.duration_since(date).abs()).min()
        };
        while self.seen.len() <= lookup::PAGES_MAX && !self.pages.is_empty() {
            let page = self.pages.remove(0);
            let is_near = date.is_none_or(|date| apart(date).is_none_or(|it| page.gap(date) < it));
            let is_new = !self.seen.contains(&page.uri);
            if is_near && is_new && host_of(&page.uri) == service.host() {
                return Some(page);
            }
        }
        None
    }
}

/// Maximum number of lists that are requested at once: an answer takes up to a megabyte.
const LISTS_AT_ONCE: usize = 32;

/// Number of copies of one target from which on those that are not relevant are dropped.
const HELD_MAX: usize = 4096;

impl Held {
    /// Reports whether another copy than those that a TimeGate named for the first of the dates may
    /// be nearest to a later one. A copy made after the last date is nearest to all.
    fn lacks(&self, [first, last]: [Option<Timestamp>; 2]) -> bool {
        first != last && !self.snapshots.iter().any(|(_, found)| Some(found.time) >= last)
    }

    /// Records a reason why copies are unknown.
    fn doubt(&mut self, reason: NotLookedUp) {
        self.unknown = Some(self.unknown.map_or(reason, |known| known.min(reason)));
    }

    /// Drops copies that are not nearest to any date of the links.
    fn thin(&mut self, dates: [Option<Timestamp>; 2]) {
        let mut by_archive: HashMap<usize, Vec<Snapshot>> = HashMap::new();
        for (archive, snapshot) in self.snapshots.drain(..) {
            by_archive.entry(archive).or_default().push(snapshot);
        }
        for (archive, snapshots) in by_archive {
            let kept = relevant(snapshots, dates).into_iter();
            self.snapshots.extend(kept.map(|snapshot| (archive, snapshot)));
        }
    }
}

/// Returns the name of an archive in reports: as the user gave it, without a password.
fn name(archive: &Archive) -> String {
    let text = match archive {
        Archive::Service(service) => service.name().as_bytes(),
        Archive::File(path) => path.as_os_str().as_encoded_bytes(),
    };
    String::from_utf8_lossy(&Redacted::new(text).shown()).into_owned()
}

/// Reports whether `target` is to be looked up: a link of the Web or of FTP that is dead, or whose
/// site is parked, or any.
fn is_wanted(target: &Target, reach: Option<&Reach>, options: &RequestOptions) -> bool {
    let is_kind = [&b"http://"[..], b"https://", b"ftp://"].iter().any(|start| {
        target.text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
    });
    let is_dead = || {
        reach.is_some_and(|reach| {
            let mut hops = reach.hops.iter().map(|hop| &*hop.to);
            options.policy.is_dead(reach, &target.text) || is_parked(&target.text, &mut hops)
        })
    };
    let was_asked = || reach.is_some_and(|it| it.class.row().verdict != Verdict::Skipped);
    is_kind && (is_dead() || options.archives.all && (options.is_offline || was_asked()))
}

/// Returns the link of `target` as `service` may learn it, or the reason why it must not: the path
/// may be sent to the link's own host, no link of mail to it may act, it has no secret, and an
/// archive on a public host knows public hosts only.
fn told(target: &Target, service: &Service) -> Result<Vec<u8>, NotLookedUp> {
    if target.level == Level::Host {
        return Err(NotLookedUp::HostOnly);
    }
    if let Some(reason) = target.archival.as_ref().and_then(|archival| archival.withheld) {
        return Err(reason);
    }
    let is_for_all = !service.host().is_some_and(|host| is_public(&host));
    if !host_of(&target.text).is_some_and(|host| is_for_all || is_public(&host)) {
        return Err(NotLookedUp::PrivateHost);
    }
    spoken(&target.text).ok_or(NotLookedUp::Secret)
}

/// Reports whether `found` was made between the beginning of the Web and `latest`.
fn is_possible(found: &Snapshot, latest: Option<Timestamp>) -> bool {
    found.is_of_the_web() && latest.is_none_or(|latest| found.time <= latest)
}

/// Returns the earliest and the latest date of the links to `targets`.
fn dates<'t>(targets: impl Iterator<Item = &'t Target>) -> [Option<Timestamp>; 2] {
    let all = targets.flat_map(Target::dates).flatten();
    all.fold([None; 2], |[first, last], date| {
        [Some(first.map_or(date, |first: Timestamp| first.min(date))), last.max(Some(date))]
    })
}

/// Reports whether `found` is a copy of a link that begins with `start`, and is longer.
fn is_below(found: &Snapshot, start: &[u8]) -> bool {
    let (start, original) = (same(start), found.original.as_deref().map(same));
    original.is_some_and(|it| it.len() > start.len() + 1 && it.starts_with(&start))
}

/// Returns the target for a request to a TimeGate for the last date of the links to `target`.
fn again(target: &Target, service: &Service) -> Option<Target> {
    let [_, last] = target.dates();
    let link = told(target, service).ok()?;
    Some(request_at(service.address(&link, [last; 2]), [last; 2]))
}

/// Returns the target for a request to the archive at `address`, for a link with `dates`.
fn request_at(address: Vec<u8>, dates: [Option<Timestamp>; 2]) -> Target {
    Target {
        text: address.into(),
        after: None,
        level: Level::Get,
        effect: None,
        guess: None,
        senders: Vec::new(),
        is_careful: false,
        unwraps: false,
        is_read: false,
        beside: Box::default(),
        places: std::collections::BTreeSet::new(),
        archival: Some(Box::new(Archival { dates, is_request: true, ..Archival::default() })),
    }
}

/// Returns a text that two URIs share if archives take them for one: scheme, user, default port, a
/// `www.` before the host, a last slash, letter case and the order of parameters make no
/// difference.
fn same(uri: &[u8]) -> Vec<u8> {
    shared(&key(uri).to_ascii_lowercase())
}

/// Returns a text that two URIs share if they name one page: as [`same`], but the letter case of
/// the path and the query counts. Archives on the network fold it; a file lists what it holds.
fn exactly(uri: &[u8]) -> Vec<u8> {
    shared(&key(uri))
}

/// Returns the parts of `normal`, a URI in normal form, by which archives know it.
fn shared(normal: &[u8]) -> Vec<u8> {
    let rest = normal.iter().position(|byte| *byte == b':').map(|at| &normal[at..]);
    let rest = rest.and_then(|rest| rest.strip_prefix(b"://")).unwrap_or(normal);
    let end = rest.iter().position(|byte| b"/?#".contains(byte)).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority.rsplit(|byte| *byte == b'@').next().unwrap_or(authority);
    let host =
        [&b":80"[..], b":443"].iter().find_map(|port| host.strip_suffix(*port)).unwrap_or(host);
    let host = host.strip_prefix(b"www.").unwrap_or(host);
    let path = path.split(|byte| *byte == b'#').next().unwrap_or(path);
    let start = memchr::memchr(b'?', path).unwrap_or(path.len());
    let (path, query) = path.split_at(start);
    if query.is_empty() {
        return [host, path.strip_suffix(b"/").unwrap_or(path)].concat();
    }
    let mut parameters: Vec<&[u8]> = query[1..].split(|byte| *byte == b'&').collect();
    parameters.sort_unstable();
    [host, path, b"?", &parameters.join(&b'&')].concat()
}
