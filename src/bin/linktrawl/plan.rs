//! Converts flags and environment to the library's options.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use linktrawl::Error;
use linktrawl::internal::check::Checks;
use linktrawl::internal::finding::{Repairs, Verdict};
use linktrawl::internal::grammar::{self, Grammar};
use linktrawl::internal::report::Report as _;
use linktrawl::internal::report::gitlab::Gitlab;
use linktrawl::internal::report::groups::{self, Grouping};
use linktrawl::internal::report::text::Text;
use linktrawl::internal::run::{
    Changes, Ending, Input, Names, Options, Overrides, Showing, WalkRules, Wanted,
};
use linktrawl::internal::store::Baseline;
use linktrawl::internal::store::baseline::Use;

use crate::args::Command;
use crate::args::failing::{FailFlags, FailOn};
use crate::args::formats::{Color, Format, Hyperlinks, ReplaceFlags};
use crate::args::pattern::patterns;
use crate::args::scan::{ScanFlags, Show, To};
use crate::args::syntax::{ALL_REPAIRS, Allowed};
use crate::config::Config;
use crate::config::paths::Other;
use crate::environment::terminal::Styles;
use crate::environment::{processors, step_summary};
use crate::output::{Replacing, Reports, What};
use crate::platform;
use crate::streams;
use crate::suggestions;

mod request_options;

use request_options::policy;
pub(crate) use request_options::request_options;

/// Everything a scan needs.
pub(crate) struct Plan {
    /// The inputs.
    pub(crate) named: Named,
    /// The options of the run.
    pub(crate) options: Options,
    /// The reports to write.
    pub(crate) reports: Reports,
    /// The baseline to be written at the end, and the files that it may replace.
    pub(crate) baseline: Option<(PathBuf, Replacing)>,
    /// The effect of findings on the exit code.
    pub(crate) failing: Failing,
    /// The messages to print.
    pub(crate) voice: Voice,
    /// Whether `--watch` repeats the run, and handles signals for all of its runs.
    pub(crate) is_repeated: bool,
    /// The output of the run's summary.
    pub(crate) summary: To,
    /// Whether the digest of the findings is printed.
    pub(crate) digest: bool,
    /// Remarks to print before anything is read: results that will differ from the user's intent.
    pub(crate) remarks: Vec<String>,
}

/// The inputs that the user named.
pub(crate) struct Named {
    /// Paths of inputs.
    paths: Vec<PathBuf>,
    /// Files that list further inputs.
    lists: Vec<PathBuf>,
    /// The separator after each name in these files.
    ending: Ending,
}

impl Named {
    /// Returns the inputs that `flags` name.
    ///
    /// # Errors
    /// When standard input would be used twice.
    pub(crate) fn of(flags: &ScanFlags) -> anyhow::Result<Self> {
        Self::new(&flags.paths, &flags.lists, flags.null)
    }

    /// Returns the inputs at `paths`, and those that `lists` name, each name with a NUL byte after
    /// it if `is_nul` is true.
    ///
    /// # Errors
    /// When standard input would be used twice.
    pub(crate) fn new(paths: &[PathBuf], lists: &[PathBuf], is_nul: bool) -> anyhow::Result<Self> {
        let stdin = |paths: &[PathBuf]| paths.iter().filter(|path| path.as_os_str() == "-").count();
        let listed = stdin(lists);
        if listed + stdin(paths) > 0 {
            streams::need_stdin()?;
        }
        anyhow::ensure!(
            listed == 0 || listed + stdin(paths) == 1,
            "`-` can be standard input once: as one list of --files-from, or as a PATH"
        );
        let ending = if is_nul { Ending::Nul } else { Ending::Line };
        Ok(Self { paths: paths.to_vec(), lists: lists.to_vec(), ending })
    }

    /// Returns the paths that are named directly.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Returns all paths, then those of the lists. A list is opened when its turn comes.
    pub(crate) fn into_inputs(self) -> impl Iterator<Item = Input> {
        let listed = self.lists.into_iter().flat_map(move |list| Names::open(list, self.ending));
        self.paths.into_iter().map(Ok).chain(listed)
    }
}

/// The effect of findings on the exit code.
#[derive(Clone, Copy)]
pub(crate) struct Failing {
    /// The least verdict that gives 1; `None` if none does.
    from: Option<Verdict>,
    /// Whether a run without findings gives 2.
    when_empty: bool,
}

impl Failing {
    pub(crate) fn of(flags: &FailFlags) -> Self {
        let from = match flags.fail_on {
            _ if flags.exit_zero => None,
            FailOn::Warn => Some(Verdict::Warn),
            FailOn::Error => Some(Verdict::Error),
            FailOn::Never => None,
        };
        Self { from, when_empty: flags.fail_if_empty }
    }

    /// Reports whether one of the `verdicts` fails the run.
    pub(crate) fn is_due_to(self, verdicts: [u64; Verdict::ALL.len()]) -> bool {
        let fails = |verdict: Verdict| match verdict {
            Verdict::Ok | Verdict::Skipped => false,
            Verdict::Warn => self.from == Some(Verdict::Warn),
            Verdict::Error => self.from.is_some(),
        };
        Verdict::ALL.into_iter().zip(verdicts).any(|(verdict, count)| count > 0 && fails(verdict))
    }

    /// Reports whether the run fails because `found` is 0: it has checked nothing.
    pub(crate) fn is_for_lack_of(self, found: u64) -> bool {
        self.when_empty && found == 0
    }
}

/// The messages on standard error during a run.
#[derive(Clone, Copy)]
pub(crate) struct Voice {
    /// When there is a progress line.
    pub(crate) progress: Progress,
    /// Whether notes without a loss are printed, too.
    pub(crate) notes: bool,
}

/// When there is a progress line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Never.
    Never,
    /// Until the report begins: its lines on the same screen would tear the progress line, whether
    /// this program prints them or one that reads them from a pipe.
    UntilReport,
    /// Until the end.
    Always,
}

impl Plan {
    /// Returns the plan for `flags` in this environment, with the overrides of `config` for some
    /// inputs.
    ///
    /// # Errors
    /// When a pattern is no regular expression, standard input is named twice, or no format
    /// supports the requested groups.
    pub(crate) fn of(flags: &ScanFlags, config: Option<&Config>) -> anyhow::Result<Self> {
        let to_screen = flags.formats.iter().any(|format| format.file.is_none())
            && platform::may_stdout_be_shown();
        let progress = match (flags.quiet, to_screen) {
            (true, _) => Progress::Never,
            (false, true) => Progress::UntilReport,
            (false, false) => Progress::Always,
        };
        let mut reports = reports(&flags.formats, flags.group_by, flags.color, flags.hyperlinks)?;
        reports.replacing = replacing("format", what(&flags.replace), config);
        let summary = summary(flags);
        let is_elsewhere = flags.summary == To::Stdout && summary == To::Stderr;
        let elsewhere = "the summary goes to standard error: standard output has no text report";
        let remarks = ungrouped(&flags.formats, flags.group_by)
            .chain(unplaced(&flags.formats, &flags.paths))
            .chain(is_elsewhere.then(|| elsewhere.to_owned()))
            .filter(|_| !flags.quiet)
            // A quiet run still reports inputs that cannot be read.
            .chain(flags.paths.iter().filter_map(|path| suggestions::of_path(path)))
            .chain(flags.paths.iter().filter_map(|it| suggestions::of_report(it, &flags.formats)));
        Ok(Self {
            named: Named::of(flags)?,
            options: options(flags, config)?,
            reports,
            baseline: flags
                .baseline
                .clone()
                .filter(|_| flags.update_baseline)
                .map(|path| (path, replacing("baseline", What::Baselines, config))),
            failing: Failing::of(&flags.fail),
            voice: Voice { progress, notes: !flags.quiet },
            is_repeated: flags.watch,
            remarks: remarks.collect(),
            summary,
            digest: flags.digest,
        })
    }
}

/// Returns which files that the user named may be replaced by reports.
pub(crate) fn what(flags: &ReplaceFlags) -> What {
    if flags.force { What::All } else { What::Reports }
}

/// Returns which files named by the option `name` may be replaced: `what`, if the user named them;
/// at most our own, if a configuration file that was found names them.
fn replacing(name: &str, what: What, config: Option<&Config>) -> Replacing {
    match config.and_then(|config| config.found_for(name)) {
        Some(directory) => {
            let what = if what == What::All { What::Reports } else { what };
            Replacing { what, within: Some(directory.to_owned()) }
        }
        None => Replacing { what, within: None },
    }
}

/// Returns the output of the summary. `--quiet` concerns only standard error.
fn summary(flags: &ScanFlags) -> To {
    let is_after = |format: &Format| format.file.is_none() && format.report.name() == Text.name();
    match flags.summary {
        To::None => To::None,
        To::Stdout if flags.formats.iter().any(is_after) => To::Stdout,
        _ if flags.quiet => To::None,
        To::Stderr | To::Stdout => To::Stderr,
    }
}

/// Returns a remark for each of `formats` that does not support the requested groups, if others do.
pub(crate) fn ungrouped(
    formats: &[Format],
    group_by: Option<&'static Grouping>,
) -> impl Iterator<Item = String> {
    let names = formats.iter().map(|format| format.report.name());
    let has_none = move |name: &&str| group_by.is_some_and(|by| by.instead_of(name).is_none());
    names.filter(has_none).map(|name| format!("{name} has no groups: it reports each link"))
}

/// Returns a remark if a report for GitLab would name files that GitLab cannot find.
///
/// GitLab shows a problem at its line if the path is relative to the repository ("Code Quality
/// report format", `location.path`); jobs start in its root.
fn unplaced(formats: &[Format], paths: &[PathBuf]) -> Option<String> {
    let is_gitlab = formats.iter().any(|format| format.report.name() == Gitlab.name());
    let is_elsewhere = |path: &&PathBuf| {
        let path = path.strip_prefix(".").unwrap_or(path);
        path.is_absolute() || path.starts_with("..")
    };
    let path = paths.iter().find(is_elsewhere).filter(|_| is_gitlab)?;
    Some(format!(
        "gitlab names files as they are given, and GitLab shows those alone that are named from \
         the root of the repository, as in docs/a.md: found {}",
        path.display()
    ))
}

/// Returns the requested reports in this environment, with groups if requested and supported.
///
/// # Errors
/// When groups are requested, and no format supports them.
pub(crate) fn reports(
    formats: &[Format],
    group_by: Option<&'static Grouping>,
    color: Color,
    hyperlinks: Hyperlinks,
) -> anyhow::Result<Reports> {
    let names: Vec<_> = formats.iter().map(|format| format.report.name()).collect();
    anyhow::ensure!(
        group_by.is_none() || names.iter().any(|name| groups::formats().any(|it| it == *name)),
        "expected --format {} for --group-by, found {}",
        groups::formats().collect::<Vec<_>>().join(" or "),
        names.join(", ")
    );
    let grouped = |format: &Format| {
        let report = group_by.and_then(|grouping| grouping.instead_of(format.report.name()));
        Format { report: report.unwrap_or(format.report), file: format.file.clone() }
    };
    Ok(Reports {
        formats: formats.iter().map(grouped).collect(),
        styles: Styles::of(color, hyperlinks),
        step_summary: step_summary(),
        replacing: Replacing::default(),
    })
}

/// Returns the checks of each candidate.
///
/// # Errors
/// When a pattern is no regular expression.
pub(crate) fn checks(flags: &ScanFlags) -> Result<Checks, Error> {
    Ok(Checks {
        grammars: read_so(&flags.grammars, repairs(&flags.no_repair)),
        refused: repairs(&flags.no_repair),
        cues: flags.find.clone(),
        include: patterns(&flags.include)?,
        exclude: patterns(&flags.exclude)?,
        allowed: Allowed::lints(&flags.allowed),
        messages: false,
        names: false,
        effects: false,
        unwrap: !flags.no_unwrap,
    })
}

fn options(flags: &ScanFlags, config: Option<&Config>) -> anyhow::Result<Options> {
    let here = Path::new(".");
    let Checks { grammars, refused, cues, include, exclude, allowed, unwrap, .. } = checks(flags)?;
    Ok(Options {
        grammars,
        refused,
        find: cues,
        kind: flags.kind,
        include,
        exclude,
        allowed,
        unwrap,
        unique: flags.unique,
        digest: flags.digest,
        shown: match flags.show {
            Show::All => Showing::All,
            Show::Warn => Showing::Warnings,
            Show::Error => Showing::Errors,
        },
        threads: flags.threads.map_or_else(processors, NonZeroUsize::get),
        walk: walk_rules(flags),
        own: Vec::new(),
        overrides: overrides(config)?,
        baseline: baseline(flags)?,
        changes: flags.since.as_deref().map(|since| Changes::since(since, here)).transpose()?,
    })
}

/// Returns the overrides of `config` for some of the inputs.
///
/// # Errors
/// When a pattern is no regular expression, or the file's directory is gone.
pub(crate) fn overrides(config: Option<&Config>) -> anyhow::Result<Overrides> {
    let Some(config) = config.filter(|config| !config.others.is_empty()) else {
        return Ok(Overrides::default());
    };
    let mut overrides = Overrides::new(config.source.directory())?;
    for Other { paths, flags } in &config.others {
        let (scan, policy) = match &flags.command {
            Some(Command::Scan(scan)) => (scan, None),
            Some(Command::Check(check)) => (&check.scan, Some(policy(&check.ask))),
            _ => continue,
        };
        let (checks, policy) = (checks(scan)?, policy.unwrap_or_default());
        overrides.add(paths.clone(), Wanted { checks, policy });
    }
    Ok(overrides)
}

/// Returns the rules for the entries that directory walks skip.
pub(crate) fn walk_rules(flags: &ScanFlags) -> WalkRules {
    WalkRules { hidden: flags.hidden, ignored: flags.no_ignore }
}

/// Reads the file of `--baseline`.
fn baseline(flags: &ScanFlags) -> Result<Option<Arc<Baseline>>, Error> {
    let from = match flags.fail.fail_on {
        FailOn::Warn => Verdict::Warn,
        // If nothing fails this run, errors are listed for the next one.
        FailOn::Error | FailOn::Never => Verdict::Error,
    };
    let usage = if flags.update_baseline { Use::Update { from } } else { Use::Hold };
    let read = |path: &PathBuf| Baseline::read(path, usage).map(Arc::new);
    flags.baseline.as_ref().map(read).transpose()
}

/// Returns the repairs called `names`.
pub(crate) fn repairs(names: &[String]) -> Repairs {
    if names.iter().any(|name| name == ALL_REPAIRS) {
        return Repairs::ALL;
    }
    let each = names.iter().filter_map(|name| Repairs::find(name));
    each.fold(Repairs::NONE, Repairs::with)
}

/// Returns `grammars` in their order, without duplicates; the literal ones if all repairs are
/// refused.
pub(crate) fn read_so(
    grammars: &[&'static dyn Grammar],
    refused: Repairs,
) -> Vec<&'static dyn Grammar> {
    let literal = |grammar: &&'static dyn Grammar| {
        let name = format!("{}/literal", grammar.name());
        grammar::find(&name).filter(|_| refused == Repairs::ALL).unwrap_or(*grammar)
    };
    distinct(&grammars.iter().map(literal).collect::<Vec<_>>())
}

/// Returns `grammars` in their order, without duplicates.
fn distinct(grammars: &[&'static dyn Grammar]) -> Vec<&'static dyn Grammar> {
    let mut kept: Vec<&'static dyn Grammar> = Vec::new();
    for grammar in grammars {
        if !kept.iter().any(|earlier| earlier.name() == grammar.name()) {
            kept.push(*grammar);
        }
    }
    kept
}
