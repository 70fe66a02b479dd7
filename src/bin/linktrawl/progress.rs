//! The progress line on standard error, and the warnings between its redraws.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use linktrawl::finding::Note;
use linktrawl::run::{Asked, Observer};

use crate::plan::{Progress, Voice};
use crate::stderr;

/// Redraws a second at most: more cannot be read and cost time.
const REDRAWS_HZ: u8 = 10;

const TEMPLATE: &str = "{spinner} {decimal_bytes} read, {decimal_bytes_per_sec}, {elapsed}";

/// While links are asked.
const ASKING: &str = "{spinner} {msg}, {elapsed}";

/// Hears of a run and tells people; dropping it takes the progress line away.
///
/// Nothing is drawn by the clock: each report of progress may redraw, and `indicatif` lets
/// pass no more than [`REDRAWS_HZ`] of them.
pub(crate) struct Watch {
    bar: ProgressBar,
    voice: Voice,
}

impl Watch {
    /// A watch that draws when `voice` wants progress and standard error is a terminal.
    pub(crate) fn new(voice: Voice) -> Self {
        let target = match voice.progress {
            Progress::Never => ProgressDrawTarget::hidden(),
            Progress::UntilReport | Progress::Always => {
                ProgressDrawTarget::stderr_with_hz(REDRAWS_HZ)
            }
        };
        let bar = ProgressBar::with_draw_target(None, target).with_finish(ProgressFinish::AndClear);
        let watch = Self { bar, voice };
        watch.set_style(TEMPLATE);
        watch
    }

    fn set_style(&self, template: &str) {
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
    }
}

impl Observer for Watch {
    fn note(&self, note: &Note) {
        if self.voice.counts || note.kind.is_incomplete() {
            self.bar.suspend(|| stderr::warn(note));
        }
    }

    fn progress(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    fn asked(&self, asked: &Asked<'_>) {
        let Asked { settled, total, under_way, remaining, slowest } = *asked;
        let mut words = format!("{settled} of {total} links asked, {under_way} under way");
        if let Some(slowest) = slowest.filter(|_| remaining.as_secs() > 0) {
            words.push_str(&format!(", {} s to go for {slowest}", remaining.as_secs()));
        }
        self.set_style(ASKING);
        // The name of a host has been read by the guard: letters, digits, dots and hyphens.
        self.bar.set_message(words);
    }

    fn reporting(&self) {
        if self.voice.progress == Progress::UntilReport {
            self.bar.finish_and_clear();
            self.bar.set_draw_target(ProgressDrawTarget::hidden());
        } else {
            self.set_style(TEMPLATE);
        }
    }
}
