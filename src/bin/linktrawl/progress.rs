//! Draws the progress line on standard error, and prints warnings between its redraws.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use linktrawl::internal::finding::{Note, NoteKind, Summary, Verdict};
use linktrawl::internal::report::escape::Shown;
use linktrawl::internal::run::{Observer, ProbeProgress, SlowHost};

use crate::environment::terminal::columns;
use crate::plan::{Progress, Voice};
use crate::signals;
use crate::stderr;

/// Redraws a second: more cannot be read and cost time.
const REDRAWS_HZ: u8 = 10;

const TEMPLATE: &str = "{spinner} {decimal_bytes} read, {decimal_bytes_per_sec}, {elapsed}";

/// The template while links are probed.
const ASKING: &str = "{spinner} {msg}, {elapsed}";

/// Columns around the message there, up to an `elapsed` of `120m`; the last column stays free,
/// since some terminals wrap after it.
const AROUND_COLUMNS: usize = 9;

/// The period over which a rate is averaged: with ten updates a second, a hundred pairs of numbers.
const RATE_WINDOW: Duration = Duration::from_secs(10);

/// An observer that shows the progress of a run; dropping it removes the progress line.
///
/// Nothing is drawn by a timer: each report of progress may redraw, and `indicatif` limits redraws
/// to [`REDRAWS_HZ`].
pub(crate) struct Watch {
    bar: ProgressBar,
    voice: Voice,
    rate: Mutex<Rate>,
    /// Number of findings by verdict.
    verdicts: Mutex<Verdicts>,
    /// The template of the line: setting it again would start the spinner again.
    template: Mutex<&'static str>,
    /// Number of notes with warnings that no finding could carry.
    warnings: AtomicU64,
}

/// Number of findings by verdict, in the order of [`Verdict::ALL`].
type Verdicts = [u64; Verdict::ALL.len()];

impl Watch {
    /// Creates a watch that draws if `voice` asks for progress and standard error is a terminal.
    pub(crate) fn new(voice: Voice) -> Self {
        let target = match voice.progress {
            Progress::Never => ProgressDrawTarget::hidden(),
            Progress::UntilReport | Progress::Always => {
                ProgressDrawTarget::stderr_with_hz(REDRAWS_HZ)
            }
        };
        let bar = ProgressBar::with_draw_target(None, target).with_finish(ProgressFinish::AndClear);
        let (rate, verdicts, template) = Default::default();
        let watch = Self { bar, voice, rate, verdicts, template, warnings: AtomicU64::new(0) };
        watch.set_style(TEMPLATE);
        watch
    }

    /// Removes the progress line before a signal ends the program, so that the prompt of the shell
    /// does not follow it on its line. To be called once.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn clear_before_end(&self) -> io::Result<()> {
        if self.bar.is_hidden() {
            return Ok(());
        }
        let bar = self.bar.clone();
        signals::clear_before_end(move || bar.finish_and_clear())
    }

    /// Returns the number of findings by verdict, when the run is over. A note with a lint's
    /// warnings counts as a finding that has them.
    pub(crate) fn verdicts(&self) -> Verdicts {
        let mut verdicts = *self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        let warned = Verdict::ALL.iter().zip(&mut verdicts).filter(|(of, _)| **of == Verdict::Warn);
        warned.for_each(|(_, count)| *count += self.warnings.load(Ordering::Relaxed));
        verdicts
    }

    fn set_style(&self, template: &'static str) {
        let mut current = self.template.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut *current, template) == template {
            return;
        }
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
    }
}

impl Observer for Watch {
    fn note(&self, note: &Note) {
        if note.kind == NoteKind::ListUnsubscribe {
            self.warnings.fetch_add(1, Ordering::Relaxed);
        }
        if self.voice.notes || note.kind.is_incomplete() {
            self.bar.suspend(|| stderr::warn(note));
        }
    }

    fn progress(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    fn probing(&self, progress: &ProbeProgress<'_>) {
        let mut rate = self.rate.lock().unwrap_or_else(PoisonError::into_inner);
        let tenths = rate.tenths(progress.elapsed, progress.settled);
        self.set_style(ASKING);
        self.bar.set_message(words(progress, tenths, columns().saturating_sub(AROUND_COLUMNS)));
    }

    fn ended(&self, summary: &Summary) {
        *self.verdicts.lock().unwrap_or_else(PoisonError::into_inner) = summary.verdicts;
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

/// Number of settled links at recent times.
struct Rate {
    seen: VecDeque<(Duration, usize)>,
}

impl Default for Rate {
    fn default() -> Self {
        Self { seen: VecDeque::from([(Duration::ZERO, 0)]) }
    }
}

impl Rate {
    /// Returns the recent rate in tenths of a link per second, when `settled` links are done at
    /// `elapsed`.
    fn tenths(&mut self, elapsed: Duration, settled: usize) -> u64 {
        self.seen.push_back((elapsed, settled));
        let from = elapsed.saturating_sub(RATE_WINDOW);
        while self.seen.len() > 2 && self.seen.front().is_some_and(|(at, _)| *at < from) {
            self.seen.pop_front();
        }
        let (began, before) = self.seen.front().copied().unwrap_or_default();
        let links = u128::try_from(settled.saturating_sub(before)).unwrap_or(u128::MAX);
        let took = elapsed.saturating_sub(began).as_millis().max(1);
        u64::try_from(links.saturating_mul(10_000) / took).unwrap_or(u64::MAX)
    }
}

/// Formats the progress line while links are probed at a rate of `tenths` of a link per second. If
/// `width` columns are too few, the slowest host has priority over the rest.
fn words(progress: &ProbeProgress<'_>, tenths: u64, width: usize) -> String {
    let ProbeProgress { settled, total, under_way, remaining, slowest, .. } = *progress;
    let rate = format!(", {}.{}/s", tenths / 10, tenths % 10);
    let (to_go, slowest) = match remaining.as_secs() {
        0 => (String::new(), [].as_slice()),
        seconds => (format!(", {seconds} s to go"), slowest),
    };
    let mut slowest = slowest.iter().take_while(|slow| slow.remaining.as_secs() > 0);
    let first = slowest.next().map(|slow| Shown(slow.name.as_bytes()).to_string());
    let wanted = first.as_ref().map_or(0, |name| FOR.len() + columns_of(name).min(NAME_COLUMNS));
    let forms = [
        format!("{settled} of {total} links probed{rate}, {under_way} under way{to_go}"),
        format!("{settled} of {total} links probed{rate}{to_go}"),
        format!("{settled} of {total}{rate}{to_go}"),
        format!("{settled} of {total}{to_go}"),
    ];
    let fits = |form: &&String| columns_of(form) + wanted <= width;
    let mut words = forms.iter().find(fits).or(forms.last()).cloned().unwrap_or_default();
    if columns_of(&words) > width {
        words = format!("{settled} of {total}");
    }
    let room = width.saturating_sub(columns_of(&words) + FOR.len());
    let Some(name) = first.filter(|_| room >= NAME_COLUMNS_MIN) else { return words };
    words.push_str(FOR);
    words.push_str(&elided(&name, room));
    for SlowHost { name, remaining } in slowest {
        let part = format!(", {} s for {}", remaining.as_secs(), Shown(name.as_bytes()));
        if columns_of(&words) + columns_of(&part) > width {
            break;
        }
        words.push_str(&part);
    }
    words
}

const FOR: &str = " for ";

/// Columns that a name gets before anything else: enough for most servers, without the scheme.
const NAME_COLUMNS: usize = 24;

/// The smallest useful width of a shortened name in columns.
const NAME_COLUMNS_MIN: usize = 8;

/// Returns the width of `text` in columns: all of it is US-ASCII, except for the ellipsis.
fn columns_of(text: &str) -> usize {
    text.chars().count()
}

/// Shortens `name` to at most `width` columns, of which there is at least one: first drops its
/// scheme, then its middle.
fn elided(name: &str, width: usize) -> String {
    if columns_of(name) <= width {
        return name.to_owned();
    }
    let name = name.split_once("://").map_or(name, |(_, rest)| rest);
    let columns = columns_of(name);
    if columns <= width {
        return name.to_owned();
    }
    let after = width.saturating_sub(1) / 2;
    let before = width.saturating_sub(1 + after);
    let start: String = name.chars().take(before).collect();
    let end: String = name.chars().skip(columns - after).collect();
    format!("{start}\u{2026}{end}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use linktrawl::internal::run::{ProbeProgress, SlowHost};

    use super::{AROUND_COLUMNS, RATE_WINDOW, Rate, words};

    const SLOWEST: [SlowHost<'_>; 3] = [
        SlowHost { name: "https://a.example:443", remaining: Duration::from_millis(28_900) },
        SlowHost { name: "http://b\u{1b}[2J:80", remaining: Duration::from_secs(14) },
        SlowHost { name: "https://c.example:443", remaining: Duration::from_millis(999) },
    ];

    #[track_caller]
    fn case(seconds: u64, slowest: &[SlowHost<'_>], width: usize, wanted: &str) {
        let progress = ProbeProgress {
            settled: 12,
            total: 40,
            under_way: 5,
            remaining: Duration::from_secs(seconds),
            elapsed: Duration::from_secs(3),
            slowest,
        };
        let said = words(&progress, 32, width);
        assert_eq!(said, format!("12 of 40 links probed, 3.2/s, 5 under way{wanted}"));
    }

    #[test]
    fn hosts_are_named_as_there_is_room() {
        let (first, second) = (" for https://a.example:443", ", 14 s for http://b\\x1b[2J:80");
        let none = ", 28 s to go";
        let one = format!("{none}{first}");
        let two = format!("{one}{second}");
        // As long as the first part, and the rest.
        let room = |rest: &str| "12 of 40 links probed, 3.2/s, 5 under way".len() + rest.len();
        case(28, &SLOWEST, 500, &two);
        case(28, &SLOWEST, room(&two), &two);
        case(28, &SLOWEST, room(&two) - 1, &one);
        case(28, &SLOWEST, room(&one), &one);
        case(28, &[], 500, none);
        case(0, &SLOWEST, 500, "");
    }

    #[test]
    fn the_slowest_host_is_told_on_any_terminal() {
        let name = |name| SlowHost { name, remaining: Duration::from_secs(900) };
        let case = |host, columns: usize, wanted: &str| {
            let progress = ProbeProgress {
                settled: 12_345,
                total: 50_000,
                under_way: 1_000,
                remaining: Duration::from_secs(3_600),
                elapsed: Duration::from_secs(100),
                slowest: &[name(host), name("gopher://b.example:70")],
            };
            let width = columns - AROUND_COLUMNS;
            let said = words(&progress, 1_234, width);
            assert_eq!(said, wanted, "{columns}");
            assert!(said.chars().count() <= width, "{columns}");
        };
        let usual = "https://www.example.org:443";
        case(
            usual,
            120,
            "12345 of 50000 links probed, 123.4/s, 1000 under way, 3600 s to go for \
             https://www.example.org:443",
        );
        case(usual, 80, "12345 of 50000, 123.4/s, 3600 s to go for https://www.example.org:443");
        case(usual, 60, "12345 of 50000, 3600 s to go for www.examp\u{2026}.org:443");
        case(usual, 45, "12345 of 50000, 3600 s to go");
        case(usual, 24, "12345 of 50000");
        let long = "https://a-name-that-is-long.for-most-terminals.at-a-host-of.example.org:8443";
        case(
            long,
            120,
            "12345 of 50000 links probed, 123.4/s, 1000 under way, 3600 s to go for \
             a-name-that-is-long.\u{2026}of.example.org:8443",
        );
        case(
            long,
            80,
            "12345 of 50000, 123.4/s, 3600 s to go for a-name-that-is\u{2026}ample.org:8443",
        );
    }

    #[test]
    fn a_rate_is_that_of_the_last_seconds() {
        let mut rate = Rate::default();
        let mut at = |millis, settled| rate.tenths(Duration::from_millis(millis), settled);
        assert_eq!(at(0, 0), 0);
        assert_eq!(at(100, 1), 100, "one in a tenth of a second");
        assert_eq!(at(2_000, 5), 25);
        assert_eq!(at(9_900, 5), 5);
        assert_eq!(at(10_000, 5), 5);
        // No recent links, and the first five are forgotten.
        assert_eq!(at(12_001, 5), 0);
        // Only an old value is left to calculate with.
        assert_eq!(at(112_001, 105), 10);
        assert_eq!(at(u64::MAX, usize::MAX), 10_000);
    }

    #[test]
    fn a_rate_keeps_no_more_than_its_window() {
        let mut rate = Rate::default();
        for tick in 0..10_000_u64 {
            rate.tenths(Duration::from_millis(100 * tick), 0);
        }
        let ticks = usize::try_from(RATE_WINDOW.as_millis() / 100).unwrap();
        assert!(rate.seen.len() <= ticks + 2, "{}", rate.seen.len());
    }
}
