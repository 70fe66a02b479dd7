//! Tests of reading: what a failure loses.
#![cfg(feature = "probe")]

use std::path::Path;
use std::sync::Mutex;

use super::{
    FoundAs, InputKind, InputReader, Note, NoteKind, Reading, Stage as _, WorkerContext, unit,
};
use crate::check::{self, Checks};
use crate::report::{self, Style};
use crate::run::order::Order;
use crate::run::pool::Pool;
use crate::run::sieve::Sieve;
use crate::run::unit::Role;
use crate::run::{Observer, Output, Overrides};

#[derive(Default)]
struct Notes(Mutex<Vec<NoteKind>>);

impl Observer for Notes {
    fn note(&self, note: &Note) {
        self.0.lock().unwrap().push(note.kind);
    }

    fn progress(&self, _: u64) {}
}

fn checks() -> Checks {
    Checks::default()
}

#[test]
fn a_failure_while_reading_is_noted_and_loses_no_buffer() {
    let notes = Notes::default();
    let output = Output {
        report: report::find("text").unwrap(),
        style: Style::default(),
        name: "nowhere".to_owned(),
        identities: Vec::new(),
        target: Box::new(std::io::sink()),
    };
    let order = Order::new(vec![output], 1, false, &notes);
    let (checks, buffers) = (checks(), Pool::new(2, 10));
    let reading = Reading { kind: InputKind::Auto, window: check::WINDOW };
    let memories = unit::Memories::default();
    let pool = &buffers;
    let renamed = Mutex::default();
    let context = WorkerContext {
        order: &order,
        checks: &checks,
        overrides: &Overrides::default(),
        reading,
        pool,
        spare_threads: None,
        memories: &memories,
        renamed: &renamed,
        role: Role::Report,
        sieve: Sieve::default(),
        #[cfg(feature = "report")]
        digest: false,
    };
    let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    threads.in_place_scope_fifo(|scope| {
        let mut reader = InputReader::new(scope, context, &[]);
        for _ in 0..3 {
            let done = reader.read_here(
                Path::new("a"),
                FoundAs::Walked,
                NoteKind::InputVanished,
                |reader| {
                    let _lost = (reader.buffer(), reader.buffer(), reader.large_buffer(100));
                    panic!("the bug of this test");
                },
            );
            assert!(done.is_continue());
        }
    });
    assert!(!order.finish(&[]).unwrap().complete);
    assert_eq!(notes.0.into_inner().unwrap(), [NoteKind::Internal; 3]);
}
