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

/// Maximum length in bytes of a line of an index, or of a header; a longer one is skipped. No
/// server answers URIs of that length.
const LINE_LEN_MAX: u64 = 128 * 1024;

/// Maximum number of lines in the header of a record.
const LINES_MAX: usize = 1000;

/// Bytes of a record that hold its status line.
const STATUS_LEN_MAX: u64 = 64;

/// The first bytes of a gzip member (RFC 1952 §2.3.1).
const GZIP: &[u8] = b"\x1F\x8B";

/// Passes each copy that the archive at `path` holds to `take`, until that returns false.
///
/// # Errors
/// The reason why it could not be read to its end, in words.
pub(in crate::run) fn search(
    path: &Path,
    take: &mut dyn FnMut(Snapshot) -> bool,
) -> Result<(), String> {
    let index = index_beside(path);
    let path = index.as_deref().unwrap_or(path);
    let searched = File::open(path).and_then(|file| {
        let mut file = BufReader::new(file);
        if file.fill_buf()?.starts_with(GZIP) {
            return read(&mut BufReader::new(MultiGzDecoder::new(file)), take);
        }
        read(&mut file, take)
    });
    searched.map_err(|error| match &index {
        Some(index) => format!("{}: {error}", index.display()),
        None => error.to_string(),
    })
}

/// Returns the index beside a WARC, if there is one that is not older: `x.cdxj` for `x.warc.gz`, or
/// `x.warc.gz.cdxj`.
fn index_beside(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let stem = name.strip_suffix(".gz").unwrap_or(name).strip_suffix(".warc")?;
    let changed = |path: &Path| path.metadata().and_then(|found| found.modified()).ok();
    let names = [format!("{stem}.cdxj"), format!("{name}.cdxj"), format!("{stem}.warc.cdxj")];
    let mut paths = names.into_iter().map(|name| path.with_file_name(name));
    paths.find(|index| index.is_file() && changed(index) >= changed(path))
}

fn read(input: &mut dyn BufRead, take: &mut dyn FnMut(Snapshot) -> bool) -> io::Result<()> {
    if input.fill_buf()?.starts_with(warc::MARK) {
        records(input, take)
    } else {
        lines(input, take)
    }
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

/// Reads the records of a WARC.
fn records(mut input: &mut dyn BufRead, take: &mut dyn FnMut(Snapshot) -> bool) -> io::Result<()> {
    let mut line = Vec::new();
    while next_line(input, &mut line)? {
        if !line.starts_with(warc::MARK) {
            return Err(broken("expected a record of a WARC, found something else"));
        }
        let head = head(input, &mut line)?;
        let len = head.block_len().ok_or_else(|| broken("expected the length of a record"))?;
        let mut status = Vec::new();
        (&mut input).take(len.min(STATUS_LEN_MAX)).read_to_end(&mut status)?;
        if head.snapshot(&status).is_some_and(|found| !take(found)) {
            break;
        }
        let left = len.saturating_sub(status.len() as u64);
        if io::copy(&mut (&mut input).take(left), &mut io::sink())? < left {
            return Err(broken("expected the rest of a record, found the end"));
        }
    }
    Ok(())
}

/// Reads the next line that is not empty, as those between records are; reports whether there is
/// one.
fn next_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    while read_line(input, line)? {
        if !line.trim_ascii().is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads the header of a record, up to the empty line that ends it.
fn head(input: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<warc::Head> {
    let mut head = warc::Head::default();
    for _ in 0..LINES_MAX {
        if !read_line(input, line)? || line.trim_ascii().is_empty() {
            return Ok(head);
        }
        head.field(line);
    }
    Err(broken("expected the end of a record's header"))
}

fn broken(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.to_owned())
}
