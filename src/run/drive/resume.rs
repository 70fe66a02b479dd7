//! Continues a run that was stopped: its chains of redirects, and what hosts were asked.

use std::collections::BTreeMap;

use super::chain::{self, Chain};
use super::{Driver, is_of_connecting};
use crate::finding::Class;
use crate::probe::schedule::{HostId, Rules, UrlId};

impl Driver<'_, '_> {
    /// Restores the chains of redirects that a stopped run had followed.
    pub(super) fn resume_chains(&mut self) {
        let Some(journal) = &mut self.journal else { return };
        for number in 0..self.plan.requests.len() {
            let url = UrlId(u32::try_from(number).unwrap_or(u32::MAX));
            let request = self.plan.request(url);
            let by_get = request.by_get();
            let mut ways = by_get.iter().chain([&request]);
            let chain = ways.find_map(|request| Chain::resumed(request, journal.way(request)?));
            self.chains.extend(chain.map(|chain| (url, chain)));
        }
    }

    /// Restores the schedule's counts of requests and failures per host from a stopped run, if a
    /// limit depends on them.
    pub(super) fn resume(&mut self) {
        let Rules { urls_per_host, retries, .. } = self.options.rules;
        if urls_per_host.is_none() && retries > 0 {
            return;
        }
        let resumed: Vec<_> =
            self.plan.resumed().map(|(one, reach)| (one, reach.clone())).collect();
        let mut asked: BTreeMap<HostId, (u32, Vec<Class>)> = BTreeMap::new();
        for (request, reach) in resumed {
            let (count, classes) = asked.entry(self.host(&request)).or_default();
            *count += 1;
            classes.push(reach.class);
            // Each redirect target of a link counts, and so does another form of it.
            let form = chain::variant(&request, &reach).map(|chain| chain.request());
            let hops = reach.hops.into_iter().map(|hop| request.moved(hop.to));
            for request in hops.chain(form) {
                asked.entry(self.host(&request)).or_default().0 += 1;
            }
        }
        let on_the_way: Vec<_> = self.chains.values().flat_map(Chain::answered).collect();
        for request in on_the_way {
            asked.entry(self.host(&request)).or_default().0 += 1;
        }
        for (host, (count, classes)) in asked {
            // Response order is not recorded; any success clears the failure count.
            let is_silent = classes.iter().all(|class| is_of_connecting(*class));
            let failures = if is_silent { classes.len() } else { 0 };
            let failures = u32::try_from(failures).unwrap_or(u32::MAX);
            self.schedule.resume(host, count, failures);
        }
    }
}
