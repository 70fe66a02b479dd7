//! The schedule in simulated worlds, in a time that is a number.
//!
//! With `LINKTRAWL_SEEDS` in the environment, so many seeds are run instead of the usual ones:
//! a hundred thousand take some minutes.

#![expect(
    clippy::panic,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test says what must hold by panicking"
)]
#![expect(clippy::cast_possible_truncation, reason = "worlds are small")]

use std::hash::Hasher;
use std::net::IpAddr;

use linktrawl::internal::probe::schedule::{
    Came, Fate, GivenUp, History, HostId, HostTraits, Owner, Reason, Rules, Schedule, Step, Terms,
    Trouble, UrlId,
};

mod account;
mod world;

use account::{AFTER_MAX, COOL_DOWN, Run};
use world::{HostPlan, World, plain};

/// Seeds of each kind of world in the usual run.
const SEEDS: u64 = 3_000;

/// How many seeds, from the environment or as usual.
fn seeds() -> u64 {
    let asked = std::env::var("LINKTRAWL_SEEDS").ok();
    asked.map_or(SEEDS, |text| text.parse().expect("LINKTRAWL_SEEDS is a number"))
}

/// Runs `test` for each seed, and says which one failed.
fn for_each_seed(test: fn(u64)) {
    let workers = 2;
    std::thread::scope(|scope| {
        for worker in 0..workers {
            scope.spawn(move || {
                for seed in (worker..seeds()).step_by(workers as usize) {
                    let failed = std::panic::catch_unwind(|| test(seed)).is_err();
                    assert!(!failed, "seed {seed}");
                }
            });
        }
    });
}

#[test]
fn in_every_world_each_link_gets_one_verdict_and_every_promise_is_kept() {
    for_each_seed(|seed| {
        let world = World::wild(seed);
        Run::new(&world).finish();
    });
}

#[test]
fn as_much_is_under_way_as_is_allowed_by_then() {
    let mut schedule = Schedule::new(Rules { in_flight: 1, ..PLAIN });
    for number in 0..9 {
        let host = schedule.host(HostTraits { owner: Owner::User, site: number });
        schedule.add(UrlId(number as u32), host).unwrap();
    }
    for (allowed, more) in [(1, 1), (4, 3), (2, 0), (5, 1)] {
        schedule.allow(allowed);
        let begun = std::iter::from_fn(|| match schedule.next(0) {
            Step::Ask { url, .. } => Some(url),
            step => {
                assert_eq!(step, Step::Busy);
                None
            }
        });
        assert_eq!(begun.count(), more, "{allowed} are allowed");
    }
}

#[test]
fn the_same_seed_gives_the_same_steps() {
    for_each_seed(|seed| {
        let trace = |seed| {
            let world = World::wild(seed);
            let mut run = Run::new(&world);
            run.finish();
            run.trace.finish()
        };
        if seed % 8 == 0 {
            assert_eq!(trace(seed), trace(seed));
        }
    });
}

/// The time below which no order can come: the host with the most to do, or all of them
/// through the places that there are.
fn bound(world: &World) -> u64 {
    let of_host = |host: &HostPlan| {
        let gap = world.rules.host_gap.max(2 * host.latency);
        u64::from(host.links - 1) * gap + host.latency
    };
    let slowest = world.hosts.iter().map(of_host).max().unwrap_or(0);
    let all = world.hosts.iter().map(|host| u64::from(host.links) * host.latency).sum::<u64>();
    slowest.max(all / world.rules.in_flight as u64)
}

#[test]
fn a_polite_world_takes_hardly_longer_than_it_must() {
    for_each_seed(|seed| {
        let world = World::polite(seed);
        let (took, bound) = (Run::new(&world).finish(), bound(&world));
        assert!(took >= bound, "the bound is none: {took} < {bound}");
        assert!(took * 100 <= bound * 105, "{took} for {bound}");
    });
}

const PLAIN: Rules = Rules {
    in_flight: 1_000,
    gap: 0,
    host_concurrency: 1,
    own_concurrency: 16,
    host_gap: 1_000,
    own_gap: 0,
    retries: 2,
    per_address: 4,
    per_site: 4,
    urls_per_host: None,
    breaker: 3,
};

#[test]
fn a_link_after_those_of_a_slow_host_is_among_the_first() {
    // Even where two questions are all that may be under way.
    let world = plain(&[(600, 20_000), (1, 10)], Rules { in_flight: 2, ..PLAIN });
    let mut run = Run::new(&world);
    run.finish();
    assert_eq!(run.order.iter().position(|url| *url == 600), Some(1));
}

#[test]
fn links_grouped_by_host_take_no_longer_than_their_largest_group() {
    let hosts = [(200, 50); 6];
    let world = plain(&hosts, Rules { in_flight: 128, ..PLAIN });
    assert_eq!(Run::new(&world).finish(), 199 * 1_000 + 50);
}

/// Asks the next link, which must be there, and answers with `came` after `latency`.
fn ask(schedule: &mut Schedule, now: &mut u64, latency: u64, came: Came) -> (UrlId, Vec<GivenUp>) {
    loop {
        match schedule.next(*now) {
            Step::Ask { url, host, .. } => {
                *now += latency;
                return (url, schedule.done(url, host, *now, came).given_up);
            }
            Step::Wait { until } => *now = until,
            step => panic!("{step:?} and no question"),
        }
    }
}

const NOBODY: Came = Came::Failed { kind: Trouble::Connect, after: None };

fn one_host(links: u32, rules: Rules) -> (Schedule, HostId) {
    let mut schedule = Schedule::new(rules);
    let host = schedule.host(HostTraits { owner: Owner::Stranger, site: 1 });
    (0..links).for_each(|url| schedule.add(UrlId(url), host).unwrap());
    (schedule, host)
}

#[test]
fn a_dead_host_is_left_alone_tried_once_more_and_given_up_with_all_its_links() {
    let (mut schedule, host) = one_host(600, PLAIN);
    let mut now = 0;
    for url in 0..3 {
        assert_eq!(ask(&mut schedule, &mut now, 10, NOBODY), (UrlId(url), Vec::new()));
    }
    let seemed_dead_at = now;
    let (url, given_up) = ask(&mut schedule, &mut now, 10, NOBODY);
    assert_eq!((url, now), (UrlId(3), seemed_dead_at + COOL_DOWN + 10));
    assert_eq!(given_up.len(), 599);
    assert!(given_up.iter().all(|one| one.reason == Reason::Dead));
    let tries = |url| given_up.iter().find(|one| one.url == UrlId(url)).map(|one| one.tries);
    assert_eq!([tries(0), tries(3), tries(4)], [Some(1), None, Some(0)]);
    assert_eq!(schedule.next(now), Step::Done);
    assert_eq!(schedule.add(UrlId(700), host), Err(Reason::Dead));
}

#[test]
fn a_dead_host_is_given_up_at_once_where_nothing_is_tried_twice() {
    let (mut schedule, host) = one_host(600, Rules { retries: 0, ..PLAIN });
    let mut now = 0;
    (0..2).for_each(|_| assert!(ask(&mut schedule, &mut now, 10, NOBODY).1.is_empty()));
    let (url, given_up) = ask(&mut schedule, &mut now, 10, NOBODY);
    assert_eq!((url, given_up.len()), (UrlId(2), 597));
    assert!(given_up.iter().all(|one| one.reason == Reason::Dead));
    assert_eq!((schedule.next(now), now), (Step::Done, 2 * 1_000 + 10));
    assert_eq!(schedule.add(UrlId(700), host), Err(Reason::Dead));
    // One that asks for time is not dead.
    let (mut schedule, _) = one_host(600, Rules { retries: 0, ..PLAIN });
    let busy = Came::Failed { kind: Trouble::Other, after: Some(0) };
    let mut now = 0;
    (0..3).for_each(|_| assert!(ask(&mut schedule, &mut now, 10, busy).1.is_empty()));
    assert_eq!(ask(&mut schedule, &mut now, 10, busy).1.len(), 596);
}

#[test]
fn a_pause_is_whole_where_the_clock_is_rounded_down() {
    let (mut schedule, host) = one_host(2, Rules { host_gap: 0, ..PLAIN });
    let Step::Ask { url, .. } = schedule.next(0) else { panic!("no question") };
    // The answer comes at 10.9 ms.
    let busy = Came::Failed { kind: Trouble::Other, after: Some(1_000) };
    schedule.done(url, host, 10, busy);
    // 1,010.1 ms would be too early.
    assert_eq!(schedule.next(1_010), Step::Wait { until: 1_011 });
    assert!(matches!(schedule.next(1_011), Step::Ask { .. }));
}

#[test]
fn what_an_earlier_run_knew_of_a_host_counts() {
    let (mut schedule, host) = one_host(600, PLAIN);
    let history = History { rests_until: 5_000, gap: 4_000, failures: 0 };
    schedule.remember(host, &history, 0);
    assert_eq!(schedule.next(0), Step::Wait { until: 5_000 });
    let mut now = 0;
    ask(&mut schedule, &mut now, 2_000, Came::Answered);
    assert_eq!((now, schedule.next(now)), (7_000, Step::Wait { until: 9_000 }));
    assert_eq!(schedule.history(host), history);
    // A host that was dead is requested once, after all others.
    let (mut schedule, host) = one_host(600, PLAIN);
    schedule.remember(host, &History { failures: 3, ..History::default() }, 0);
    let other = schedule.host(HostTraits { owner: Owner::Stranger, site: 2 });
    schedule.add(UrlId(700), other).unwrap();
    assert_eq!(ask(&mut schedule, &mut 0, 10, Came::Answered).0, UrlId(700));
    assert_eq!(ask(&mut schedule, &mut 0, 10, NOBODY).1.len(), 599);
    assert_eq!(schedule.history(host).failures, 3);
    // One that wants to be left alone for longer than a run takes is not asked.
    let (mut schedule, host) = one_host(0, PLAIN);
    let rests_until = AFTER_MAX + 6;
    schedule.remember(host, &History { rests_until, ..History::default() }, 5);
    assert_eq!(schedule.add(UrlId(0), host), Err(Reason::Later));
}

#[test]
fn a_run_that_was_stopped_asks_no_more_of_a_host_than_it_may() {
    let rules = Rules { urls_per_host: Some(5), ..PLAIN };
    let (mut schedule, host) = one_host(0, rules);
    schedule.resume(host, 3, 0);
    let added = [0, 1, 2].map(|url| schedule.add(UrlId(url), host));
    assert_eq!(added, [Ok(()), Ok(()), Err(Reason::Limit)]);
    let (mut schedule, host) = one_host(600, Rules { retries: 0, ..PLAIN });
    schedule.resume(host, 2, 2);
    assert_eq!(ask(&mut schedule, &mut 0, 10, NOBODY).1.len(), 599);
}

#[test]
fn a_host_that_comes_back_has_no_second_trial() {
    let (mut schedule, _) = one_host(600, PLAIN);
    let mut now = 0;
    (0..3).for_each(|_| assert!(ask(&mut schedule, &mut now, 10, NOBODY).1.is_empty()));
    (0..2).for_each(|_| assert!(ask(&mut schedule, &mut now, 10, Came::Answered).1.is_empty()));
    (0..2).for_each(|_| assert!(ask(&mut schedule, &mut now, 10, NOBODY).1.is_empty()));
    let (url, given_up) = ask(&mut schedule, &mut now, 10, NOBODY);
    assert_eq!((url, given_up.len()), (UrlId(7), 597));
}

#[test]
fn who_knows_better_ends_a_host() {
    let (mut schedule, host) = one_host(4, PLAIN);
    ask(&mut schedule, &mut 0, 10, Came::Answered);
    let given_up = schedule.give_up(host);
    let told = |url| GivenUp { url: UrlId(url), tries: 0, reason: Reason::ByCaller };
    assert_eq!(given_up, [told(1), told(2), told(3)]);
    assert_eq!(schedule.next(20), Step::Done);
}

#[test]
fn a_host_may_have_terms_of_its_own() {
    let mut schedule = Schedule::new(Rules { per_site: 9, ..PLAIN });
    let [plain, own, slow, wide] = [Owner::Stranger, Owner::User, Owner::Stranger, Owner::Stranger]
        .map(|owner| schedule.host(HostTraits { owner, site: 1 }));
    schedule.terms(own, Terms { gap: Some(500), concurrency: Some(1) });
    schedule.terms(slow, Terms { gap: Some(7_000), concurrency: None });
    schedule.terms(wide, Terms { gap: Some(0), concurrency: Some(3) });
    for (host, base) in [(plain, 0), (own, 10), (slow, 20), (wide, 30)] {
        (base..base + 4).for_each(|url| schedule.add(UrlId(url), host).unwrap());
    }
    let mut asked: Vec<(HostId, u64)> = Vec::new();
    let mut now = 0;
    loop {
        match schedule.next(now) {
            Step::Ask { url, host, .. } => {
                asked.push((host, now));
                schedule.done(url, host, now, Came::Answered);
            }
            Step::Wait { until } => now = until,
            Step::Busy | Step::Done => break,
        }
    }
    let times = |host| asked.iter().filter(|(id, _)| *id == host).map(|(_, at)| *at).collect();
    let [plain, own, slow, wide]: [Vec<u64>; 4] = [plain, own, slow, wide].map(times);
    assert_eq!(plain, [0, 1_000, 2_000, 3_000]);
    assert_eq!(own, [0, 500, 1_000, 1_500]);
    assert_eq!(slow, [0, 7_000, 14_000, 21_000]);
    assert_eq!(wide, [0; 4]);
}

/// When the links of a host are asked that answers after `latency`, of three.
fn times(owner: Owner, latency: u64, address: IpAddr, delay: u64) -> Vec<u64> {
    let mut schedule = Schedule::new(Rules { host_concurrency: 3, ..PLAIN });
    let host = schedule.host(HostTraits { owner, site: 1 });
    (0..3).for_each(|url| schedule.add(UrlId(url), host).unwrap());
    schedule.delay(host, delay);
    let (mut now, mut times) = (0, Vec::new());
    loop {
        match schedule.next(now) {
            Step::Ask { url, host, .. } => {
                times.push(now);
                now += latency;
                schedule.address(host, address);
                schedule.done(url, host, now, Came::Answered);
            }
            Step::Wait { until } => now = until,
            Step::Busy | Step::Done => return times,
        }
    }
}

#[test]
fn this_machine_has_no_gap_but_one_that_it_wishes_for() {
    let [here, there] = [[127, 0, 0, 9], [203, 0, 113, 9]].map(IpAddr::from);
    assert_eq!(times(Owner::Machine, 700, here, 0), [0, 700, 1_400]);
    assert_eq!(times(Owner::Machine, 700, here, 5_000), [0, 5_000, 10_000]);
    assert_eq!(times(Owner::User, 700, here, 5_000), [0, 700, 1_400]);
    // A name is known to be this machine when it was connected to.
    assert_eq!(times(Owner::Stranger, 700, here, 0), [0, 700, 1_400]);
    assert_eq!(times(Owner::Stranger, 700, there, 0), [0, 1_400, 2_800]);
}

#[test]
fn this_machine_is_asked_no_more_at_once_than_strangers() {
    for (owner, wanted) in [(Owner::User, 16), (Owner::Machine, 1), (Owner::Stranger, 1)] {
        let mut schedule = Schedule::new(Rules { host_gap: 0, ..PLAIN });
        let host = schedule.host(HostTraits { owner, site: 1 });
        (0..20).for_each(|url| schedule.add(UrlId(url), host).unwrap());
        assert_eq!(asked(&mut schedule, 0).len(), wanted, "{owner:?}");
    }
}

#[test]
fn terms_say_how_much_is_asked_of_a_host_at_once() {
    let (mut schedule, host) = one_host(9, PLAIN);
    schedule.terms(host, Terms { gap: Some(0), concurrency: Some(3) });
    // The first is alone until it is answered.
    assert_eq!(ask(&mut schedule, &mut 0, 0, Came::Answered).0, UrlId(0));
    let under_way = (0..9).take_while(|_| matches!(schedule.next(1), Step::Ask { .. })).count();
    assert_eq!(under_way, 3);
}

#[test]
fn all_hosts_together_are_asked_no_faster_than_the_gap_for_all() {
    // A third of a second, which is no whole number of milliseconds.
    let mut schedule = Schedule::new(Rules { gap: 333_334, host_gap: 0, ..PLAIN });
    for site in 0..30 {
        let host = schedule.host(HostTraits { owner: Owner::User, site });
        schedule.add(UrlId(site as u32), host).expect("a link");
    }
    let (mut now, mut times) = (5_000, Vec::new());
    loop {
        match schedule.next(now) {
            Step::Ask { url, host, .. } => {
                times.push(now);
                schedule.done(url, host, now, Came::Answered);
            }
            // Time that passes unused is not made up for.
            Step::Wait { until } if times.len() == 15 && now < 20_000 => now = until + 10_000,
            Step::Wait { until } => now = until,
            Step::Busy => panic!("nothing is under way"),
            Step::Done => break,
        }
    }
    assert_eq!(times.len(), 30);
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= 333), "{times:?}");
    let (first, second) = (times[14] - times[0], times[29] - times[15]);
    assert_eq!((first, second), (4_666, 4_666), "{times:?}");
}

#[test]
fn what_is_left_is_foreseen() {
    let (mut schedule, host) = one_host(11, PLAIN);
    let mut now = 0;
    ask(&mut schedule, &mut now, 100, Came::Answered);
    // Ten questions are left: the first at 1000, the last nine seconds later.
    assert_eq!(schedule.eta(now), 900 + 9 * 1_000 + 100);
    let small = schedule.host(HostTraits { owner: Owner::Stranger, site: 2 });
    schedule.add(UrlId(11), small).unwrap();
    let slowest: Vec<_> = schedule.slowest(now, 9).iter().map(|slow| slow.host).collect();
    assert_eq!(slowest, [host, small]);
    assert_eq!(schedule.slowest(now, 1).len(), 1);
    assert_eq!((schedule.slowest(now, 1)[0].host, schedule.slowest(now, 1)[0].left), (host, 10));
}

#[test]
fn what_comes_first_is_asked_alone_and_is_no_link() {
    let rules = Rules { host_concurrency: 3, host_gap: 0, urls_per_host: Some(2), ..PLAIN };
    let (mut schedule, host) = one_host(2, rules);
    schedule.add_first(UrlId(9), host).unwrap();
    assert_eq!(schedule.add(UrlId(2), host), Err(Reason::Limit));
    assert_eq!(asked(&mut schedule, 0), [(host, UrlId(9))]);
    schedule.done(UrlId(9), host, 0, Came::Answered);
    assert_eq!(asked(&mut schedule, 0), [(host, UrlId(0)), (host, UrlId(1))]);
    schedule.give_up(host);
    assert_eq!(schedule.add_first(UrlId(9), host), Err(Reason::ByCaller));
}

#[test]
fn what_comes_first_is_tried_again_before_any_link() {
    let failed = Came::Failed { kind: Trouble::Other, after: None };
    let rules = Rules { host_concurrency: 3, own_concurrency: 3, host_gap: 0, own_gap: 0, ..PLAIN };
    for owner in [Owner::Stranger, Owner::Machine, Owner::User] {
        let mut schedule = Schedule::new(Rules { retries: 1, ..rules });
        let host = schedule.host(HostTraits { owner, site: 1 });
        schedule.add_first(UrlId(9), host).unwrap();
        schedule.add(UrlId(0), host).unwrap();
        schedule.add(UrlId(1), host).unwrap();
        assert_eq!(asked(&mut schedule, 0), [(host, UrlId(9))]);
        let Fate::Again { at } = schedule.done(UrlId(9), host, 0, failed).fate else {
            panic!("no other try");
        };
        assert_eq!(schedule.next(at - 1), Step::Wait { until: at });
        schedule.add(UrlId(2), host).unwrap();
        assert_eq!(schedule.next(at), Step::Ask { url: UrlId(9), host, attempt: 2 });
        assert_eq!(schedule.next(at), Step::Busy);
        assert_eq!(schedule.done(UrlId(9), host, at, failed).fate, Fate::Final);
        assert_eq!(asked(&mut schedule, at), [0, 1, 2].map(|url| (host, UrlId(url))));
    }
}

#[test]
fn an_answer_that_nobody_waits_for_changes_nothing() {
    let (mut schedule, host) = one_host(1, PLAIN);
    let settled = schedule.done(UrlId(0), host, 5, NOBODY);
    assert_eq!((settled.fate, settled.given_up.len()), (Fate::Final, 0));
    assert_eq!(schedule.next(5), Step::Ask { url: UrlId(0), host, attempt: 1 });
}

#[test]
fn links_that_failed_together_do_not_come_back_together() {
    let mut schedule = Schedule::new(PLAIN);
    let mut tries = Vec::new();
    for url in 0..200 {
        let host = schedule.host(HostTraits { owner: Owner::Stranger, site: u64::from(url) });
        schedule.add(UrlId(url), host).unwrap();
        assert_eq!(schedule.next(0), Step::Ask { url: UrlId(url), host, attempt: 1 });
        let Fate::Again { at } = schedule.done(UrlId(url), host, 0, NOBODY).fate else {
            panic!("no other try");
        };
        tries.push(at);
    }
    tries.sort_unstable();
    assert!((2_000..3_000).contains(&tries[0]) && (19_000..=20_000).contains(&tries[199]));
    assert!(tries.windows(2).all(|two| two[1] - two[0] < 1_000), "{tries:?}");
}

/// The hosts that are asked at `now`, in order.
fn asked(schedule: &mut Schedule, now: u64) -> Vec<(HostId, UrlId)> {
    let mut asked = Vec::new();
    while let Step::Ask { url, host, .. } = schedule.next(now) {
        asked.push((host, url));
    }
    asked
}

#[test]
fn a_host_that_moved_to_the_front_stands_in_line_once() {
    let mut schedule = Schedule::new(Rules { per_site: 2, ..PLAIN });
    let [a, b, c, d] =
        [1, 1, 1, 2].map(|site| schedule.host(HostTraits { owner: Owner::Stranger, site }));
    let mut number = 0;
    let mut add = |schedule: &mut Schedule, host, count| {
        for _ in 0..count {
            schedule.add(UrlId(number), host).unwrap();
            number += 1;
        }
    };
    add(&mut schedule, a, 1);
    assert_eq!(asked(&mut schedule, 0), [(a, UrlId(0))]);
    schedule.done(UrlId(0), a, 0, NOBODY);
    // `a` may be requested again, after the first tries of others, and then for the first time.
    let now = 30_000;
    add(&mut schedule, d, 1);
    assert_eq!(schedule.next(now), Step::Ask { url: UrlId(1), host: d, attempt: 1 });
    add(&mut schedule, a, 1);
    // Two others take the places of its site, and it waits until both are free.
    add(&mut schedule, b, 5);
    add(&mut schedule, c, 4);
    assert_eq!(asked(&mut schedule, now), [(b, UrlId(3)), (c, UrlId(8))]);
    schedule.done(UrlId(3), b, now, Came::Answered);
    schedule.done(UrlId(8), c, now, Came::Answered);
    assert_eq!(asked(&mut schedule, now), [(a, UrlId(2))]);
    schedule.done(UrlId(2), a, now, Came::Answered);
    // Both places are there again.
    assert_eq!(asked(&mut schedule, now + 1_000).len(), 2);
}

#[test]
fn half_a_million_links_are_asked_in_few_steps() {
    let mut schedule = Schedule::new(PLAIN);
    let traits = |site| HostTraits { owner: Owner::Stranger, site };
    let hosts: Vec<_> = (0..50_000).map(|site| schedule.host(traits(site))).collect();
    for url in 0..500_000_u32 {
        schedule.add(UrlId(url), hosts[url as usize % hosts.len()]).unwrap();
    }
    let (mut now, mut steps, mut asked) = (0, 0, 0);
    loop {
        steps += 1;
        match schedule.next(now) {
            Step::Ask { url, host, .. } => {
                asked += 1;
                schedule.done(url, host, now, Came::Answered);
            }
            Step::Wait { until } => now = until,
            Step::Busy => panic!("nothing is under way"),
            Step::Done => break,
        }
    }
    assert_eq!(asked, 500_000);
    assert_eq!(steps, asked + 10, "one wait for each further link of a host, and the end");
}
