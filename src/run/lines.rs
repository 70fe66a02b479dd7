//! Writes reports of lines to their outputs, for builds that have no other reports.

use super::Output;
use super::encoder::Encoder;
use crate::error::Error;
use crate::finding::{Note, Summary};
use crate::report::Form;

/// All reports of a run.
#[derive(Default)]
pub(super) struct Sinks(Vec<Sink>);

/// A report, and the error after which nothing more is written to it.
struct Sink {
    output: Output,
    encoder: Encoder,
    failed: Option<Error>,
}

impl Sinks {
    /// Creates the sinks for `outputs`.
    pub(super) fn of(outputs: Vec<Output>, _: usize) -> Self {
        let sink = |output: Output| {
            let Form::Lines(lines) = output.report.form();
            let encoder = Encoder::of(lines, output.style.clone());
            Sink { output, encoder, failed: None }
        };
        Self(outputs.into_iter().map(sink).collect())
    }

    /// Returns the encoder of each report.
    pub(super) fn encoders(&self) -> Vec<Encoder> {
        self.0.iter().map(|sink| sink.encoder.clone()).collect()
    }

    /// Writes the text of `encoder`.
    pub(super) fn write(
        &mut self,
        encoder: &Encoder,
        text: &[u8],
        _: impl Iterator<Item = (usize, usize)>,
    ) {
        for sink in self.0.iter_mut().filter(|sink| sink.encoder.is(encoder)) {
            if sink.failed.is_none() {
                let target = sink.output.name.clone();
                let written = sink.output.target.write_all(text);
                sink.failed = written.err().map(|source| Error::Write { target, source });
            }
        }
    }

    /// Reports whether nothing can be written any more.
    pub(super) fn are_useless(&self) -> bool {
        self.0.iter().any(|sink| sink.failed.is_some())
    }

    /// Writes the notes about the whole run, and the totals.
    ///
    /// # Errors
    /// The first failure to write.
    pub(super) fn finish(mut self, notes: &[Note], summary: &Summary) -> Result<(), Error> {
        for encoder in self.encoders() {
            self.write(&encoder, &encoder.ending(notes, summary), std::iter::empty());
        }
        self.0.into_iter().find_map(|sink| sink.failed).map_or(Ok(()), Err)
    }
}
