//! Names, files and links of Windows.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Seek as _, SeekFrom};
use std::os::windows::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::windows::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Component, Path, PathBuf, Prefix};

use winapi_util::{Handle, file};

use super::{Identity, dos};

/// Numbers of errors and flags (winerror.h, winnt.h, fileapi.h).
const ERROR_FILE_NOT_FOUND: i32 = 2;
const ERROR_PATH_NOT_FOUND: i32 = 3;
const ERROR_INVALID_NAME: i32 = 123;
const ERROR_BAD_PATHNAME: i32 = 161;
const ERROR_DIRECTORY: i32 = 267;
const ERROR_CANT_ACCESS_FILE: i32 = 1920;
const ERROR_NOT_A_REPARSE_POINT: i32 = 4390;
const FILE_ATTRIBUTE_REPARSE_POINT: u32 = 0x400;
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;

pub(super) fn bytes(name: &OsStr) -> &[u8] {
    // The encoding is WTF-8 in fact: its documentation promises no more than a superset of UTF-8.
    name.as_encoded_bytes()
}

pub(super) fn os_of(bytes: &[u8]) -> Cow<'_, OsStr> {
    match std::str::from_utf8(bytes) {
        // A drive alone would mean the working directory on it.
        Ok(name) if dos::is_drive(bytes) => Cow::Owned(format!("{name}/").into()),
        Ok(name) => Cow::Borrowed(OsStr::new(name)),
        Err(_) => Cow::Owned(OsString::from_wide(&dos::wide(bytes))),
    }
}

pub(super) fn path_in(bytes: &[u8]) -> &Path {
    Path::new(std::str::from_utf8(bytes).unwrap_or_default())
}

pub(super) fn lasting(path: &Path) -> Cow<'_, [u8]> {
    match path.to_string_lossy() {
        Cow::Borrowed(path) => Cow::Borrowed(path.as_bytes()),
        Cow::Owned(path) => Cow::Owned(path.into_bytes()),
    }
}

pub(super) fn slashed(path: PathBuf) -> PathBuf {
    let bytes = bytes(path.as_os_str());
    let is_verbatim = bytes.starts_with(br"\\?\") || bytes.starts_with(br"\\.\");
    if is_verbatim || !bytes.contains(&b'\\') {
        return path;
    }
    let slash = |unit| if unit == u16::from(b'\\') { u16::from(b'/') } else { unit };
    let wide: Vec<u16> = path.as_os_str().encode_wide().map(slash).collect();
    OsString::from_wide(&wide).into()
}

pub(super) fn split(path: &Path) -> (Option<&[u8]>, Cow<'_, OsStr>) {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let name = path.file_name().unwrap_or(path.as_os_str());
    (directory.map(|parent| bytes(parent.as_os_str())), Cow::Borrowed(name))
}

pub(super) fn root_of(path: &[u8]) -> Option<&[u8]> {
    dos::root_of(path)
}

pub(super) fn root_of_uri(path: &[u8]) -> Option<(Cow<'static, [u8]>, &[u8])> {
    dos::root_of_uri(path).map(|(root, rest)| (Cow::Owned(root.to_vec()), rest))
}

pub(super) fn is_device(path: &Path) -> bool {
    path.file_name().is_some_and(|name| dos::is_device(bytes(name)))
}

pub(super) fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    let real = fs::canonicalize(named(path)?)?;
    // A verbatim path is needed for names that mean something else without it.
    if !has_plain_names(&real) {
        return Ok(real);
    }
    let bytes = bytes(real.as_os_str());
    let plain = match dos::without_verbatim(bytes) {
        Some(plain) => os_of(&plain).into_owned().into(),
        None => real,
    };
    Ok(slashed(plain))
}

pub(super) fn look(path: &Path) -> io::Result<Metadata> {
    if has_plain_names(path) {
        return fs::metadata(path);
    }
    // The name itself is looked up, which other systems may have written.
    fs::metadata(verbatim(path)?)
}

pub(super) fn metadata(path: &Path) -> io::Result<Metadata> {
    fs::metadata(named(path)?)
}

pub(super) fn identity(path: &Path, _: &Metadata) -> Option<Identity> {
    information(path).map(|(identity, _)| identity)
}

pub(super) fn identity_of(file: &File) -> Option<Identity> {
    let found = file::information(file).ok()?;
    Some((found.volume_serial_number(), found.file_index()))
}

pub(super) fn names_of(path: &Path, _: &Metadata) -> Option<(Identity, u64)> {
    information(path)
}

/// Returns the identity of the file at `path`, and the number of its names. Windows gives both of
/// open files only.
fn information(path: &Path) -> Option<(Identity, u64)> {
    let found = file::information(Handle::from_path_any(named(path).ok()?).ok()?).ok()?;
    Some(((found.volume_serial_number(), found.file_index()), found.number_of_links()))
}

pub(super) fn has_open(_: Identity) -> Option<bool> {
    None
}

pub(super) fn open(path: &Path) -> io::Result<File> {
    File::open(named(path)?)
}

pub(super) fn open_no_link(path: &Path) -> io::Result<File> {
    let path = named(path)?;
    let flags = FILE_FLAG_OPEN_REPARSE_POINT;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(&path)?;
    let found = file.metadata()?;
    if found.file_type().is_symlink() {
        return Err(io::Error::from_raw_os_error(ERROR_CANT_ACCESS_FILE));
    }
    // A file that is stored elsewhere or compressed is one only without the flag.
    let is_other = found.file_attributes() & FILE_ATTRIBUTE_REPARSE_POINT != 0;
    if is_other { File::open(&path) } else { Ok(file) }
}

pub(super) fn is_no_file(error: &io::Error) -> bool {
    error.raw_os_error() == Some(ERROR_CANT_ACCESS_FILE)
}

pub(super) fn read_at(mut file: &File, out: &mut [u8], at: u64) -> io::Result<usize> {
    // Reading at an offset moves the position here, from which a stream of the file is read.
    let position = file.stream_position()?;
    let read = file.seek_read(out, at);
    file.seek(SeekFrom::Start(position))?;
    read
}

pub(super) fn make_private(_: &mut OpenOptions) {}

pub(super) fn read_link(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::read_link(named(path)?) {
        Err(error) if error.raw_os_error() == Some(ERROR_NOT_A_REPARSE_POINT) => Ok(None),
        read => Ok(Some(slashed(read?))),
    }
}

pub(super) fn is_missing(code: i32) -> bool {
    matches!(
        code,
        ERROR_FILE_NOT_FOUND
            | ERROR_PATH_NOT_FOUND
            | ERROR_INVALID_NAME
            | ERROR_BAD_PATHNAME
            | ERROR_DIRECTORY
    )
}

/// `WSAEMFILE`, `WSAEADDRNOTAVAIL`, `WSAENOBUFS`.
pub(super) fn is_exhausted(code: i32) -> bool {
    matches!(code, 10024 | 10049 | 10055)
}

/// `ERROR_GEN_FAILURE`.
pub(super) const UNKNOWN_ERROR: i32 = 31;

/// Returns `path`, or a verbatim path if a name in it means a device otherwise.
fn named(path: &Path) -> io::Result<Cow<'_, Path>> {
    if names(path).any(dos::is_device) { verbatim(path).map(Cow::Owned) } else { Ok(path.into()) }
}

/// Reports whether each name of `path` is that of the file found by it.
fn has_plain_names(path: &Path) -> bool {
    names(path).all(|name| !dos::is_device(name) && !dos::means_another(name))
}

fn names(path: &Path) -> impl Iterator<Item = &[u8]> {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(bytes(name)),
        _ => None,
    })
}

/// Returns `path` in the form in which no name has a special meaning.
///
/// # Errors
/// When it is neither relative to the working directory nor on a drive.
fn verbatim(path: &Path) -> io::Result<PathBuf> {
    let no_such = || io::Error::from_raw_os_error(ERROR_PATH_NOT_FOUND);
    let whole =
        if path.is_absolute() { path.to_owned() } else { std::path::absolute(".")?.join(path) };
    let mut components = whole.components();
    let mut plain = match components.next() {
        Some(Component::Prefix(prefix)) => match prefix.kind() {
            Prefix::Disk(drive) => format!(r"\\?\{}:", char::from(drive)),
            Prefix::VerbatimDisk(_) | Prefix::Verbatim(_) | Prefix::VerbatimUNC(..) => {
                return Ok(whole);
            }
            Prefix::UNC(..) | Prefix::DeviceNS(_) => return Err(no_such()),
        },
        _ => return Err(no_such()),
    };
    let mut names = Vec::new();
    for component in components {
        match component {
            Component::Normal(name) => names.push(name),
            Component::ParentDir => drop(names.pop()),
            Component::RootDir | Component::CurDir => {}
            Component::Prefix(_) => return Err(no_such()),
        }
    }
    let mut path = OsString::new();
    plain.push('\\');
    path.push(plain);
    path.push(names.join(OsStr::new("\\")));
    Ok(path.into())
}

#[cfg(test)]
pub(super) fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(target, path)
}
