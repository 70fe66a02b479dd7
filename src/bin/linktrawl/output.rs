//! Opens the outputs of reports: standard output, or files that are renamed into place when they
//! are complete.
//!
//! A report for a file is written to a temporary file, which gets the name at the end, after it is
//! synced to disk: a full disk or a crash leaves the old report intact. It replaces only reports of
//! this program, unless the user forces it. Targets that are no regular files, such as a pipe or
//! `/dev/null`, are written directly, and GitHub's job summary is appended to its file.

mod aside;
mod replaced;
mod spot;

use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use linktrawl::Error;
use linktrawl::internal::platform::{self as files, Identity};
use linktrawl::internal::report::github::Github;
use linktrawl::internal::report::job_summary::JobSummary;
use linktrawl::internal::report::{Report, Style};
use linktrawl::internal::run::Output;

use crate::args::formats::Format;
use crate::environment::terminal::Styles;
use crate::{platform, streams};

pub(crate) use aside::{Aside, is_passing_name};
pub(crate) use replaced::{Replacing, What};

/// The requested reports, not yet opened.
pub(crate) struct Reports {
    /// Formats with their targets.
    pub(crate) formats: Vec<Format>,
    /// Their styles on standard output and in files.
    pub(crate) styles: Styles,
    /// The file that GitHub reads the job summary from, on GitHub's runners.
    pub(crate) step_summary: Option<PathBuf>,
    /// The files that they may replace.
    pub(crate) replacing: Replacing,
}

impl Reports {
    /// Opens all targets.
    ///
    /// # Errors
    /// When a file cannot be created or replaced, two reports have one target, or a report cannot
    /// be produced here.
    pub(crate) fn open(self) -> anyhow::Result<(Vec<Output>, Aside)> {
        self.refuse_shared_targets()?;
        let mut outputs = Vec::new();
        let mut aside = Aside::default();
        if let Some(path) = self.step_summary.as_deref().filter(|_| self.wants_job_summary()) {
            outputs.push(append(&JobSummary, path)?);
        }
        for Format { report, file } in self.formats {
            let output = match file {
                None if report.is_binary() && io::stdout().is_terminal() => anyhow::bail!(
                    "expected a file for {0}, which no terminal can show: --format {0}=FILE",
                    report.name()
                ),
                None => {
                    streams::need_stdout()?;
                    Output {
                        report,
                        style: self.styles.stdout.clone(),
                        name: "stdout".to_owned(),
                        identities: stdout_identity().into_iter().collect(),
                        target: Box::new(io::stdout()),
                    }
                }
                Some(path) => {
                    let replaced = identity_at(&path);
                    let file = aside.create(&path, &self.replacing)?;
                    Output {
                        report,
                        style: self.styles.file.clone(),
                        name: format!("{path:?}"),
                        identities: identity(&file).into_iter().chain(replaced).collect(),
                        target: Box::new(file),
                    }
                }
            };
            output.report.try_out().map_err(|why| Error::Write {
                target: output.name.clone(),
                source: io::Error::other(why),
            })?;
            outputs.push(output);
        }
        Ok((outputs, aside))
    }

    /// Refuses to write a report into one of the inputs: a mistake that would destroy a document.
    ///
    /// # Errors
    /// When a report would be written to an input.
    pub(crate) fn spare(&self, inputs: &[PathBuf]) -> anyhow::Result<()> {
        let found = |path: &PathBuf| identity_at(path);
        let files = self.formats.iter().filter_map(|format| format.file.as_ref());
        let targets: Vec<_> = files.filter_map(found).collect();
        let is_target = |path: &&PathBuf| found(path).is_some_and(|input| targets.contains(&input));
        match inputs.iter().find(is_target) {
            Some(path) => anyhow::bail!(
                "expected a file for the report, found {path:?}, which is to be read: the report \
                 would take its place"
            ),
            None => Ok(()),
        }
    }

    /// Reports whether annotations are requested, without a target for their summary.
    fn wants_job_summary(&self) -> bool {
        let has = |name| self.formats.iter().any(|format| format.report.name() == name);
        has(Github.name()) && !has(JobSummary.name())
    }

    /// Refuses two reports in one place.
    ///
    /// # Errors
    /// When there are some.
    pub(crate) fn refuse_shared_targets(&self) -> anyhow::Result<()> {
        let targets: Vec<_> =
            self.formats.iter().map(|format| format.file.as_deref().map(target_of)).collect();
        for (idx, (format, target)) in self.formats.iter().zip(&targets).enumerate() {
            if targets.iter().take(idx).any(|earlier| earlier == target) {
                anyhow::bail!(match &format.file {
                    None => "expected one report on standard output, found two: give one a file \
                             with --format NAME=FILE"
                        .to_owned(),
                    Some(path) => format!("expected one report in {path:?}, found two"),
                });
            }
        }
        Ok(())
    }
}

/// Writes a file that gets its name once it is complete and on disk, with the owner, the group and
/// the permissions of the file that it replaces.
///
/// # Errors
/// When it cannot be created, written or renamed, and when the existing file may not be replaced.
/// The existing file is then unchanged.
pub(crate) fn write(path: &Path, text: &[u8], replacing: &Replacing) -> Result<(), Error> {
    let at = |source| Error::Write { target: format!("{path:?}"), source };
    let mut aside = Aside::default();
    let mut file = aside.create(path, replacing)?;
    file.write_all(text).map_err(at)?;
    aside.keep()
}

/// Opens a report that is appended to the file, since other programs write to it as well.
fn append(report: &'static dyn Report, path: &Path) -> Result<Output, Error> {
    let name = format!("{path:?}");
    let file = File::options().append(true).create(true).open(path);
    let file = file.map_err(|source| Error::Write { target: name.clone(), source })?;
    let identities = identity(&file).into_iter().collect();
    Ok(Output { report, style: Style::default(), name, identities, target: Box::new(file) })
}

/// Returns the identity of a regular file, which is the same under any name.
fn identity(file: &File) -> Option<Identity> {
    file.metadata().ok()?.is_file().then(|| files::identity_of(file))?
}

/// Returns the path that a report for `path` takes, the same for each spelling of it, of a
/// directory and through links.
fn target_of(path: &Path) -> PathBuf {
    if let Ok(found) = files::canonicalize(path) {
        return found;
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = files::canonicalize(parent.unwrap_or(Path::new(".")));
    match (parent, path.file_name()) {
        (Ok(parent), Some(name)) => parent.join(name),
        _ => path.to_owned(),
    }
}

fn identity_at(path: &Path) -> Option<Identity> {
    let found = fs::metadata(path).ok()?;
    found.is_file().then(|| files::identity(path, &found))?
}

/// Returns the identity of the regular file that standard output is redirected to.
pub(crate) fn stdout_identity() -> Option<Identity> {
    let [stdout, _] = platform::standing_files();
    identity(&stdout?)
}

/// Returns the identities of the regular files that standard output and standard error are
/// redirected to.
pub(crate) fn standing_identities() -> Vec<Identity> {
    platform::standing_files().iter().flatten().filter_map(identity).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::target_of;

    #[test]
    fn a_target_is_the_same_under_each_spelling() {
        let home = tempfile::tempdir().unwrap();
        let [path, dotted] = [home.path().join("a.out"), home.path().join("./a.out")];
        assert_eq!(target_of(&path), target_of(&dotted));
        assert_ne!(target_of(&path), target_of(&home.path().join("b.out")));
        fs::create_dir(home.path().join("sub")).unwrap();
        assert_eq!(target_of(&path), target_of(&home.path().join("sub/../a.out")));
        fs::write(&path, "").unwrap();
        assert_eq!(target_of(&path), target_of(&home.path().join("sub/../a.out")));
        assert_eq!(target_of(Path::new("a.out")), target_of(Path::new("./a.out")));
    }
}
