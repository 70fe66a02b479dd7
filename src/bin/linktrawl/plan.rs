//! From flags and environment to what the library is asked to do.

use std::io::{self, IsTerminal as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use linktrawl::Error;
use linktrawl::check::Checks;
use linktrawl::finding::{Repairs, Verdict};
use linktrawl::grammar::{self, Grammar};
use linktrawl::report::Report as _;
use linktrawl::report::gitlab::Gitlab;
use linktrawl::report::groups::{self, Grouping};
use linktrawl::report::text::Text;
use linktrawl::run::{
    Changes, Ending, Input, Names, Options, Overrides, Showing, WalkRules, Wanted,
};
use linktrawl::store::Baseline;
use linktrawl::store::baseline::Use;

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
use crate::slips;
use crate::streams;

mod asking;

pub(crate) use asking::asking;
use asking::policy;

/// Everything a scan needs.
pub(crate) struct Plan {
    /// What to read.
    pub(crate) named: Named,
    /// What to do with it.
    pub(crate) options: Options,
    /// Where to write.
    pub(crate) reports: Reports,
    /// The baseline to be written, when all is done, and what it may replace.
    pub(crate) baseline: Option<(PathBuf, Replacing)>,
    /// What findings do to the exit code.
    pub(crate) failing: Failing,
    /// What to say besides.
    pub(crate) voice: Voice,
    /// Where the summary of the run goes.
    pub(crate) summary: To,
    /// What is said before anything is read: what comes out otherwise than it was asked for.
    pub(crate) remarks: Vec<String>,
}

/// What somebody named to be read.
pub(crate) struct Named {
    /// By itself.
    paths: Vec<PathBuf>,
    /// In these files.
    lists: Vec<PathBuf>,
    /// What stands behind each name there.
    ending: Ending,
}

impl Named {
    /// What `flags` name.
    ///
    /// # Errors
    /// When standard input would have to be two things at once.
    pub(crate) fn of(flags: &ScanFlags) -> anyhow::Result<Self> {
        let stdin = |paths: &[PathBuf]| paths.iter().filter(|path| path.as_os_str() == "-").count();
        let lists = stdin(&flags.lists);
        if lists + stdin(&flags.paths) > 0 {
            streams::need_stdin()?;
        }
        anyhow::ensure!(
            lists == 0 || lists + stdin(&flags.paths) == 1,
            "`-` can be standard input once: as one list of --files-from, or as a PATH"
        );
        let ending = if flags.null { Ending::Nul } else { Ending::Line };
        Ok(Self { paths: flags.paths.clone(), lists: flags.lists.clone(), ending })
    }

    /// The paths that are named by themselves.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Each path, then what the lists name. A list is opened when its turn has come.
    pub(crate) fn into_inputs(self) -> impl Iterator<Item = Input> {
        let listed = self.lists.into_iter().flat_map(move |list| Names::open(list, self.ending));
        self.paths.into_iter().map(Ok).chain(listed)
    }
}

/// What findings do to the exit code.
#[derive(Clone, Copy)]
pub(crate) struct Failing {
    /// The least verdict that gives 1; none when none does.
    from: Option<Verdict>,
    /// No findings at all give 2.
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

    /// True when a verdict that was given fails the run.
    pub(crate) fn is_due_to(self, verdicts: [u64; Verdict::ALL.len()]) -> bool {
        let fails = |verdict: Verdict| match verdict {
            Verdict::Ok | Verdict::Skipped => false,
            Verdict::Warn => self.from == Some(Verdict::Warn),
            Verdict::Error => self.from.is_some(),
        };
        Verdict::ALL.into_iter().zip(verdicts).any(|(verdict, count)| count > 0 && fails(verdict))
    }

    /// True when a run that found so many links has checked nothing, and that is to fail.
    pub(crate) fn is_for_lack_of(self, found: u64) -> bool {
        self.when_empty && found == 0
    }
}

/// What is said on standard error while a run goes on.
#[derive(Clone, Copy)]
pub(crate) struct Voice {
    /// When there is a progress line.
    pub(crate) progress: Progress,
    /// Notes that lose nothing, too.
    pub(crate) notes: bool,
}

/// When there is a progress line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Never.
    Never,
    /// Until the report begins: its lines on the same screen would tear the progress line.
    UntilReport,
    /// Until the end.
    Always,
}

impl Plan {
    /// The plan that `flags` ask for, and `config` of some of the inputs instead, in this
    /// environment.
    ///
    /// # Errors
    /// When a pattern is no regular expression, or standard input is asked for twice, or no format
    /// has the groups that are asked for.
    pub(crate) fn of(flags: &ScanFlags, config: Option<&Config>) -> anyhow::Result<Self> {
        let to_screen =
            flags.formats.iter().any(|format| format.file.is_none()) && io::stdout().is_terminal();
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
            // Of what keeps input from being read, those who want it quiet are told, too.
            .chain(flags.paths.iter().filter_map(|path| slips::of_path(path)));
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
            remarks: remarks.collect(),
            summary,
        })
    }
}

/// Which files reports may replace that the user named.
pub(crate) fn what(flags: &ReplaceFlags) -> What {
    if flags.force { What::All } else { What::Reports }
}

/// Which files that the option `name` names may be replaced: of those that the user named, `what`;
/// of those in a file of options that was found, no more than our own.
fn replacing(name: &str, what: What, config: Option<&Config>) -> Replacing {
    match config.and_then(|config| config.found_for(name)) {
        Some(directory) => {
            let what = if what == What::All { What::Reports } else { what };
            Replacing { what, within: Some(directory.to_owned()) }
        }
        None => Replacing { what, within: None },
    }
}

/// Where the summary goes, whatever was asked for. What is kept quiet is standard error.
fn summary(flags: &ScanFlags) -> To {
    let is_behind = |format: &Format| format.file.is_none() && format.report.name() == Text.name();
    match flags.summary {
        To::None => To::None,
        To::Stdout if flags.formats.iter().any(is_behind) => To::Stdout,
        _ if flags.quiet => To::None,
        To::Stderr | To::Stdout => To::Stderr,
    }
}

/// Which of `formats` have no groups, where these are asked for and others have them.
pub(crate) fn ungrouped(
    formats: &[Format],
    group_by: Option<&'static Grouping>,
) -> impl Iterator<Item = String> {
    let names = formats.iter().map(|format| format.report.name());
    let has_none = move |name: &&str| group_by.is_some_and(|by| by.instead_of(name).is_none());
    names.filter(has_none).map(|name| format!("{name} has no groups: it tells of each link"))
}

/// What is to be said where a report for GitLab would name files that GitLab does not know.
///
/// It shows a problem beside a line where the path is relative to the repository ("Code Quality
/// report format", `location.path`); jobs begin at its root.
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

/// The reports that are asked for, in groups where that is and they can, in this environment.
///
/// # Errors
/// When groups are asked for, and no format has them.
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

/// What `flags` ask of each candidate.
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
    })
}

fn options(flags: &ScanFlags, config: Option<&Config>) -> anyhow::Result<Options> {
    let here = Path::new(".");
    let Checks { grammars, refused, cues, include, exclude, allowed, .. } = checks(flags)?;
    Ok(Options {
        grammars,
        refused,
        find: cues,
        kind: flags.kind,
        include,
        exclude,
        allowed,
        unique: flags.unique,
        shown: match flags.show {
            Show::All => Showing::All,
            Show::Warn => Showing::Warnings,
            Show::Error => Showing::Errors,
        },
        threads: flags.threads.map_or_else(processors, NonZeroUsize::get),
        walk: walk_rules(flags),
        overrides: overrides(config)?,
        baseline: baseline(flags)?,
        changes: flags.since.as_deref().map(|since| Changes::since(since, here)).transpose()?,
    })
}

/// Returns what `config` wants of some of the inputs instead of what is wanted of all.
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

/// What a walk leaves out.
pub(crate) fn walk_rules(flags: &ScanFlags) -> WalkRules {
    WalkRules { hidden: flags.hidden, ignored: flags.no_ignore }
}

/// What `--baseline` names.
fn baseline(flags: &ScanFlags) -> Result<Option<Arc<Baseline>>, Error> {
    let from = match flags.fail.fail_on {
        FailOn::Warn => Verdict::Warn,
        // Where nothing fails, it is for the next run that trouble is listed.
        FailOn::Error | FailOn::Never => Verdict::Error,
    };
    let usage = if flags.update_baseline { Use::Update { from } } else { Use::Hold };
    let read = |path: &PathBuf| Baseline::read(path, usage).map(Arc::new);
    flags.baseline.as_ref().map(read).transpose()
}

/// The repairs that are called `names`.
pub(crate) fn repairs(names: &[String]) -> Repairs {
    if names.iter().any(|name| name == ALL_REPAIRS) {
        return Repairs::ALL;
    }
    let each = names.iter().filter_map(|name| Repairs::find(name));
    each.fold(Repairs::NONE, Repairs::with)
}

/// `grammars` in their order, each once; the literal ones where no repair is to be made.
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

/// `grammars` in their order, each once.
fn distinct(grammars: &[&'static dyn Grammar]) -> Vec<&'static dyn Grammar> {
    let mut kept: Vec<&'static dyn Grammar> = Vec::new();
    for grammar in grammars {
        if !kept.iter().any(|earlier| earlier.name() == grammar.name()) {
            kept.push(*grammar);
        }
    }
    kept
}
