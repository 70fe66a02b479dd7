//! Counts the requests to archives on the network that gave no answer, by archive and cause, and
//! recognises archives that know no link at all, whose addresses may be wrong.

use std::collections::BTreeMap;

use crate::finding::{Class, Note, NoteKind, Origin, Reach};
use crate::report::statement::counted;
use crate::uri::Redacted;

/// Number of requests from which on an archive that answers 404 to all of them may have another
/// address. Few links of most texts are in no archive.
const ABSENT_MIN: u64 = 8;

/// The requests without an answer.
#[derive(Default)]
pub(in crate::run) struct Silences {
    /// The number of requests, and the message of the first, by the number of the archive, the
    /// name of the class, and the status.
    counts: BTreeMap<(usize, &'static str, Option<u16>), (u64, String)>,
    /// The numbers of all answers, and of those with 404 or 410 among them, by the number of the
    /// archive. An archive may answer so for a link that it does not hold.
    answers: BTreeMap<usize, [u64; 2]>,
}

impl Silences {
    /// Counts a request to the archive with this number, which ended with `reach`; `None` if it was
    /// not sent, which the run reports otherwise.
    pub(in crate::run) fn add(&mut self, archive: usize, reach: Option<&Reach>) {
        let Some(reach) = reach else { return };
        let key = (archive, reach.class.row().name, reach.status);
        let (count, _) = self.counts.entry(key).or_insert_with(|| (0, message(reach)));
        *count += 1;
    }

    /// Counts a request to the archive with this number that was answered with `reach`.
    pub(in crate::run) fn answered(&mut self, archive: usize, reach: &Reach) {
        let [all, absent] = self.answers.entry(archive).or_default();
        *all += 1;
        *absent += u64::from(reach.class != Class::Alive && reach.status.is_some());
    }

    /// Returns a note for each archive and cause. `names` are those of the archives.
    pub(in crate::run) fn notes(&self, names: &[String]) -> Vec<Note> {
        let note = |archive: usize, message: String| Note {
            kind: NoteKind::ArchiveUnanswered,
            origin: Origin {
                path: names.get(archive).map(Into::into).unwrap_or_default(),
                ..Origin::default()
            },
            offset: None,
            message: format!("an archive for --archive: {message}"),
        };
        let silent = self.counts.iter().map(|((archive, ..), (count, message))| {
            note(*archive, format!("{message}; no answer to {}", counted(*count, "request")))
        });
        let is_strange = |[all, absent]: &[u64; 2]| all == absent && *all >= ABSENT_MIN;
        let strange = self.answers.iter().filter(|(_, counts)| is_strange(counts));
        let strange = strange.map(|(archive, [all, _])| {
            note(*archive, format!("404 to all of {all} requests: is its address right?"))
        });
        silent.chain(strange).collect()
    }
}

/// Returns the message of `reach`, which may quote a server, and how an address that is not allowed
/// can be allowed.
fn message(reach: &Reach) -> String {
    let shown = Redacted::new(reach.message.as_bytes()).shown().into_owned();
    let shown = String::from_utf8_lossy(&shown);
    match reach.class {
        Class::PolicyAddress => format!("{shown}; --allow-net allows its address"),
        _ => shown.into_owned(),
    }
}
