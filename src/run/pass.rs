//! Runs one pass over the inputs, or over the records that an earlier pass made of them.

#[cfg(feature = "probe")]
use std::io;
use std::io::Read;
use std::path::Path;
#[cfg(feature = "probe")]
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

#[cfg(feature = "probe")]
use super::Observer;
use super::encoder::Encoder;
use super::order::Order;
use super::overrides;
use super::pool::Pool;
use super::reader::InputReader;
#[cfg(feature = "report")]
use super::sieve::Sieve;
#[cfg(feature = "report")]
use super::split::Split;
#[cfg(feature = "probe")]
use super::spool::Chunks;
#[cfg(feature = "probe")]
use super::unit::Unit;
use super::unit::{self, Role, WorkerContext};
#[cfg(not(feature = "report"))]
use super::unsieved::Sieve;
use super::{Input, Options};
use crate::check;
use crate::error::Error;
use crate::finding::{Note, Summary};
use crate::platform;
use crate::source::file::Reading;
use crate::source::piece;
use crate::source::threads::SpareThreads;

/// Returns the number of worker threads.
pub(super) fn threads(options: &Options) -> usize {
    options.threads.max(1)
}

/// An observer that drops the notes about inputs: they are spooled, and recur in the reports.
#[cfg(feature = "probe")]
struct Unheard<'o>(&'o dyn Observer);

#[cfg(feature = "probe")]
impl Observer for Unheard<'_> {
    fn note(&self, _: &Note) {}

    fn progress(&self, bytes: u64) {
        self.0.progress(bytes);
    }
}

/// The inputs of a pass.
pub(super) enum Inputs<'i> {
    /// Paths that the user named.
    Named(&'i mut dyn Iterator<Item = Input>),
    /// The name of a text, and the text.
    Stream(&'i Path, &'i mut dyn Read),
    /// Files that were planned, or a part of one.
    #[cfg(feature = "report")]
    Split(&'i Split),
}

/// One pass over the inputs, or over the records made of them.
#[derive(Clone, Copy)]
pub(super) struct Pass<'p> {
    pub(super) options: &'p Options,
    /// Device and inode of the files that the run writes to.
    pub(super) own: &'p [(u64, u64)],
    pub(super) role: Role<'p>,
    /// A flag that is set when the wait for a pipe must end; `None` if a signal ends the program.
    #[cfg(feature = "probe")]
    pub(super) stop: Option<&'p AtomicBool>,
}

impl Pass<'_> {
    /// Reads `inputs` once, for a later replay: returns their records, and the totals.
    #[cfg(feature = "probe")]
    pub(super) fn spool(
        &self,
        inputs: &mut dyn Iterator<Item = Input>,
        observer: &dyn Observer,
    ) -> Result<(Chunks, Summary), Error> {
        let observer = &Unheard(observer);
        let order = Order::new(Vec::new(), threads(self.options), false, observer);
        self.read(Inputs::Named(inputs), &order)?;
        order.finish_spool()
    }

    /// Reads `inputs`, and delivers their records to `order`.
    pub(super) fn read(&self, inputs: Inputs<'_>, order: &Order<'_>) -> Result<(), Error> {
        let sieve = Sieve::of(self.options);
        self.conduct(order, |scope, context| {
            let mut reader = InputReader::new(scope, context, self.own);
            #[cfg(feature = "probe")]
            {
                reader.stop = self.stop;
            }
            // A break means that nothing can be written any more; `order` holds the reason.
            let _ = match inputs {
                Inputs::Named(inputs) => {
                    let slashed = |input: Input| input.map(platform::slashed);
                    let mut inputs = inputs.map(slashed).inspect(|input| sieve.will_read(input));
                    reader.read_all(&mut inputs, self.options.walk)
                }
                Inputs::Stream(name, input) => reader.read_stream(name, input),
                #[cfg(feature = "report")]
                Inputs::Split(split) => reader.read_split(split),
            };
        })
    }

    /// Reports the records of `chunks` in their order; returns `order` for what follows them.
    ///
    /// # Errors
    /// When the records cannot be read, or threads cannot be started.
    #[cfg(feature = "probe")]
    pub(super) fn replay<'o>(
        &self,
        mut chunks: Chunks,
        order: Order<'o>,
    ) -> Result<Order<'o>, Error> {
        let mut read: io::Result<()> = Ok(());
        self.conduct(&order, |scope, context| {
            for number in 0.. {
                let chunk = match chunks.next() {
                    Ok(Some(chunk)) if !order.is_stopped() => chunk,
                    ended => return read = ended.map(drop),
                };
                // Waits while as many units as there are buffers are not written yet.
                let buffer = context.pool.take();
                let unit = Unit::Spooled(chunk, buffer);
                scope.spawn_fifo(move |_| unit::work(number, unit, context));
            }
        })?;
        read.map_err(|source| Error::Spool { source })?;
        Ok(order)
    }

    /// Lets `hand_over` give units to the pool's threads, and waits until all are worked on.
    fn conduct(
        &self,
        order: &Order<'_>,
        hand_over: impl for<'s> FnOnce(&rayon::ScopeFifo<'s>, WorkerContext<'s>),
    ) -> Result<(), Error> {
        let Self { options, role, .. } = *self;
        let threads = threads(options);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| Error::Threads { reason: error.to_string() })?;
        let pool = Arc::new(pool);
        let spare_threads = (threads > 1).then(|| {
            let pool = Arc::clone(&pool);
            SpareThreads::new(threads, move |task| pool.spawn_fifo(task))
        });
        // Message headers decide which probes are allowed.
        let is_check = role.is_check();
        #[cfg(feature = "report")]
        let is_digested = options.digest;
        #[cfg(not(feature = "report"))]
        let is_digested = false;
        let wants_messages = is_digested || order.encoders().iter().any(Encoder::wants_messages);
        let names = role.gathers();
        let overrides = &options.overrides.telling(is_check || wants_messages, names);
        let checks = overrides::checks(options, is_check || wants_messages, names);
        // For each thread, one buffer is worked on and one waits; the reader fills two more.
        let buffer_len = piece::buffer_len(piece::CORE_LEN_MAX, check::WINDOW);
        let buffers = Pool::new(2 * threads + 2, buffer_len);
        let context = WorkerContext {
            order,
            checks: &checks,
            overrides,
            reading: Reading { kind: options.kind, window: check::WINDOW },
            pool: &buffers,
            spare_threads: spare_threads.as_ref(),
            memories: &unit::Memories::new(threads),
            renamed: &Mutex::default(),
            role,
            sieve: Sieve::of(options),
            #[cfg(feature = "report")]
            digest: is_digested,
        };
        pool.in_place_scope_fifo(|scope| hand_over(scope, context));
        Ok(())
    }

    /// Writes the rest of the reports; `notes` are those about the whole run.
    pub(super) fn finish(&self, order: Order<'_>, mut notes: Vec<Note>) -> Result<Summary, Error> {
        let sieve = Sieve::of(self.options);
        if order.is_complete() {
            notes.extend(sieve.fixed(self.options));
        }
        order.finish(&notes)
    }
}
