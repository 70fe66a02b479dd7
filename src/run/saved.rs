//! Replays a saved run: writes reports from its lines, without judging anything anew.

use super::Output;
use super::sink::Sinks;
use crate::error::Error;
use crate::report::record::{Line, SummaryRecord};

/// The replay of a saved run, line by line.
pub struct Retelling {
    /// The name of the run in errors.
    name: String,
    sinks: Sinks,
    /// Number of lines taken so far.
    lines: u64,
    summary: Option<SummaryRecord>,
    /// Whether all readers of the reports have gone; the totals are still wanted.
    is_unread: bool,
}

impl Retelling {
    /// Begins to replay the run called `name` to `outputs`, on up to `threads` threads.
    #[must_use]
    pub fn new(name: String, outputs: Vec<Output>, threads: usize) -> Self {
        Self { name, sinks: Sinks::of(outputs, threads), lines: 0, summary: None, is_unread: false }
    }

    /// Takes the next line; skips empty ones.
    ///
    /// # Errors
    /// When the line is no record of a run, or follows the summary; and when nothing can be written
    /// any more.
    pub fn line(&mut self, text: &[u8]) -> Result<(), Error> {
        self.lines += 1;
        if text.trim_ascii().is_empty() {
            return Ok(());
        }
        if self.summary.is_some() {
            return Err(self.error("expected nothing after the summary of the run".to_owned()));
        }
        let parsed = Line::parse_saved(text).map_err(|error| self.error(error.to_string()))?;
        let (line, text) = parsed;
        if let Line::Summary(summary) = &line {
            self.summary = Some(summary.clone());
        }
        if self.is_unread {
            return Ok(());
        }
        self.sinks.write_saved(line, &text);
        if self.sinks.are_useless() {
            return self.close();
        }
        Ok(())
    }

    /// Ends the reports, and returns the totals that the run was saved with.
    ///
    /// # Errors
    /// When a report cannot be written, or the run had no end.
    pub fn finish(mut self) -> Result<SummaryRecord, Error> {
        self.close()?;
        let reason = match self.lines {
            0 => "expected a run saved by --format ndjson, found nothing",
            _ => "expected the summary of the run as its last line, found none: it was cut",
        };
        self.summary.take().ok_or_else(|| self.error(reason.to_owned()))
    }

    /// Ends the reports. A broken pipe is no error.
    fn close(&mut self) -> Result<(), Error> {
        match std::mem::take(&mut self.sinks).close() {
            Err(error) if error.is_broken_pipe() => {
                self.is_unread = true;
                Ok(())
            }
            closed => closed,
        }
    }

    fn error(&self, reason: String) -> Error {
        Error::Record { input: self.name.clone(), line: self.lines, reason }
    }
}
