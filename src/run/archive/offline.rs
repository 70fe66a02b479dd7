//! Reads archives of the Web that are files of the user: WARC, and indices in CDXJ and CDX, each
//! also compressed by gzip.
//!
//! An index beside a WARC is read in its place, unless it is older. Memory does not depend on the
//! size of the file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

use crate::probe::archive::{Snapshot, cdx, warc};
use crate::report::statement::counted;
use crate::source::warc_heads::{self, Tally};

/// Maximum length in bytes of a line of an index; a longer one is skipped. No server answers URIs
/// of that length.
const LINE_LEN_MAX: u64 = 128 * 1024;

/// The first bytes of a gzip member (RFC 1952 §2.3.1).
const GZIP: &[u8] = b"\x1F\x8B";

/// Passes each copy that the archive at `path` holds to `take`, until that returns false. Returns
/// the reason why some of its bytes could not be read, if there are such.
///
/// # Errors
/// The reason why it could not be read to its end, in words.
pub(in crate::run) fn search(
    path: &Path,
    take: &mut dyn FnMut(Snapshot) -> bool,
) -> Result<Option<String>, String> {
    let index = index_beside(path);
    let path = index.as_deref().unwrap_or(path);
    let within = |reason: String| match &index {
        Some(index) => format!("{}: {reason}", index.display()),
        None => reason,
    };
    let tally = File::open(path).and_then(|file| {
        let name = path.file_name().and_then(|name| name.to_str());
        read(&mut BufReader::new(file), name.is_some_and(|name| warc_stem(name).is_some()), take)
    });
    let tally = tally.map_err(|error| within(error.to_string()))?;
    Ok(reason(&tally).map(within))
}

/// Returns the reason why some of an archive could not be read, if so.
fn reason(tally: &Tally) -> Option<String> {
    let Tally { skipped, damaged, .. } = *tally;
    let skipped = (skipped > 0).then(|| format!("{} between records", counted(skipped, "byte")));
    let damaged = (damaged > 0).then(|| counted(damaged, "damaged member"));
    let parts: Vec<String> = [skipped, damaged].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("skipped: {}", parts.join(", ")))
}

/// Returns `name` without the ending of a WARC, compressed or not.
fn warc_stem(name: &str) -> Option<&str> {
    name.strip_suffix(".gz").unwrap_or(name).strip_suffix(".warc")
}

/// Returns the index beside a WARC, if there is one that is not older: `x.cdxj` for `x.warc.gz`, or
/// `x.warc.gz.cdxj`.
fn index_beside(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let stem = warc_stem(name)?;
    let changed = |path: &Path| path.metadata().and_then(|found| found.modified()).ok();
    let names = [format!("{stem}.cdxj"), format!("{name}.cdxj"), format!("{stem}.warc.cdxj")];
    let mut paths = names.into_iter().map(|name| path.with_file_name(name));
    paths.find(|index| index.is_file() && changed(index) >= changed(path))
}

/// Reads an archive, which is a WARC if its name or its first bytes say so.
fn read(
    file: &mut dyn BufRead,
    is_warc: bool,
    take: &mut dyn FnMut(Snapshot) -> bool,
) -> io::Result<Tally> {
    let first = file.fill_buf()?;
    if !first.starts_with(GZIP) {
        if is_warc || first.starts_with(warc::MARK) {
            return records(|each| warc_heads::read(file, each), take);
        }
        return lines(file, take).map(|()| Tally::default());
    }
    let mut mark = [0; warc::MARK.len()];
    let begins = MultiGzDecoder::new(first).read_exact(&mut mark).is_ok() && mark == warc::MARK;
    if is_warc || begins {
        return records(|each| warc_heads::read_gzip(file, each), take);
    }
    lines(&mut BufReader::new(MultiGzDecoder::new(file)), take).map(|()| Tally::default())
}

/// Reads the lines of an index.
fn lines(input: &mut dyn BufRead, take: &mut dyn FnMut(Snapshot) -> bool) -> io::Result<()> {
    let (mut line, mut reader) = (Vec::new(), cdx::Lines::default());
    let mut has_text = false;
    while read_line(input, &mut line)? {
        has_text |= !line.trim_ascii().is_empty();
        if reader.read(&line).is_some_and(|found| !take(found)) {
            return Ok(());
        }
    }
    match reader.known() {
        0 if has_text => Err(broken("expected a WARC, or lines of CDX or CDXJ, found none")),
        _ => Ok(()),
    }
}

/// Reads a line; reports whether there was one. A line that is too long becomes empty.
fn read_line(mut input: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut is_long = false;
    loop {
        let len = (&mut input).take(LINE_LEN_MAX).read_until(b'\n', line)?;
        let is_whole = len == 0 || line.ends_with(b"\n");
        if is_whole && !is_long {
            return Ok(!line.is_empty());
        }
        if is_whole || is_long || line.len() as u64 >= LINE_LEN_MAX {
            is_long = true;
            line.clear();
        }
        if is_whole {
            return Ok(true);
        }
    }
}

/// Passes the copies in a WARC to `take`; `read` reads its records.
fn records(
    read: impl FnOnce(&mut dyn FnMut(&[u8], &[u8]) -> bool) -> io::Result<Tally>,
    take: &mut dyn FnMut(Snapshot) -> bool,
) -> io::Result<Tally> {
    let tally =
        read(&mut |head, block| warc::Head::of(head).snapshot(block).is_none_or(&mut *take))?;
    if tally.records == 0 && tally.skipped > 0 {
        return Err(broken("expected a record of a WARC, found something else"));
    }
    Ok(tally)
}

fn broken(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.to_owned())
}
