//! Reads names as Windows does: devices, drives, and WTF-8. It is pure, so that its tests run on
//! every system.
//!
//! Microsoft's "Naming Files, Paths, and Namespaces" has the rules, and "The WTF-8 encoding" the
//! encoding.

/// Devices that have a number after their name.
const NUMBERED: [&[u8]; 2] = [b"COM", b"LPT"];
const DEVICES: [&[u8]; 6] = [b"CON", b"PRN", b"AUX", b"NUL", b"CONIN$", b"CONOUT$"];

/// Reports whether Windows takes `name` for a device, whatever its directory and its ending.
pub(super) fn is_device(name: &[u8]) -> bool {
    let end = name.iter().position(|byte| matches!(byte, b'.' | b':')).unwrap_or(name.len());
    let stem = name.get(..end).unwrap_or_default().trim_ascii_end();
    let is_numbered = |device: &&[u8]| {
        let digit = stem.split_at_checked(device.len());
        // The numbers 1, 2 and 3 may be superscripts.
        digit.is_some_and(|(name, digit)| {
            let is_digit = matches!(digit, [b'0'..=b'9'] | [0xC2, 0xB9 | 0xB2 | 0xB3]);
            name.eq_ignore_ascii_case(device) && is_digit
        })
    };
    DEVICES.iter().any(|device| stem.eq_ignore_ascii_case(device))
        || NUMBERED.iter().any(is_numbered)
}

/// Reports whether `name` leads to a file with another name: blanks and dots at its end are
/// dropped, and a stream follows a colon.
pub(super) fn means_another(name: &[u8]) -> bool {
    name.ends_with(b" ") || name.ends_with(b".") || name.contains(&b':')
}

/// Reports whether `path` is a drive without its root.
pub(super) fn is_drive(path: &[u8]) -> bool {
    matches!(path, [drive, b':'] if drive.is_ascii_alphabetic())
}

/// Returns the root that `path` begins with: a drive, or all of a path to another machine. A slash
/// alone is the root of the drive of the working directory.
pub(super) fn root_of(path: &[u8]) -> Option<&[u8]> {
    match path {
        [b'/' | b'\\', b'/' | b'\\', ..] => Some(path),
        [b'/' | b'\\', ..] => path.get(..1),
        [drive, b':', ..] if drive.is_ascii_alphabetic() => path.get(..path.len().min(3)),
        _ => None,
    }
}

/// Splits the path of a `file` URI into a drive with its slash, in upper case, and the rest, which
/// begins with a slash (RFC 8089, appendix E.2). A bar in place of the colon is one of the 1990s.
pub(super) fn root_of_uri(path: &[u8]) -> Option<([u8; 3], &[u8])> {
    match path {
        [b'/', drive, b':' | b'|', rest @ ..] if drive.is_ascii_alphabetic() => {
            let is_whole = rest.is_empty() || rest.starts_with(b"/");
            is_whole.then_some(([drive.to_ascii_uppercase(), b':', b'/'], rest))
        }
        _ => None,
    }
}

/// Returns a verbatim path as it is usually written; `None` if it is none, or only a verbatim path
/// reaches it.
pub(super) fn without_verbatim(path: &[u8]) -> Option<Vec<u8>> {
    let rest = path.strip_prefix(br"\\?\")?;
    if let Some(share) = rest.strip_prefix(br"UNC\") {
        return Some([br"\\", share].concat());
    }
    matches!(rest, [drive, b':', b'\\', ..] if drive.is_ascii_alphabetic()).then(|| rest.to_vec())
}

/// Decodes WTF-8; bytes that are none become U+FFFD.
pub(super) fn wide(bytes: &[u8]) -> Vec<u16> {
    let (mut units, mut rest) = (Vec::with_capacity(bytes.len()), bytes);
    while !rest.is_empty() {
        // An unpaired surrogate has the bytes of a scalar that UTF-8 does not allow.
        if let [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF, after @ ..] = rest {
            let low = u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F);
            units.push(0xD000 | low);
            rest = after;
            continue;
        }
        let end =
            rest.array_windows().position(|[first, second]| *first == 0xED && *second >= 0xA0);
        let (text, after) = match end {
            Some(0) => rest.split_at(1),
            Some(end) => rest.split_at(end),
            None => (rest, &[][..]),
        };
        units.extend(String::from_utf8_lossy(text).encode_utf16());
        rest = after;
    }
    units
}

#[cfg(test)]
mod tests {
    use super::{is_device, is_drive, means_another, root_of, root_of_uri, wide, without_verbatim};

    #[test]
    fn devices_have_any_ending_and_any_case() {
        for name in ["NUL", "nul", "con.txt", "Con .a.b", "AUX:", "com1", "LPT9.md", "COM²", "prn "]
        {
            assert!(is_device(name.as_bytes()), "{name}");
        }
        for name in ["", "null", "con-1.md", "com", "com10", "acon", ".nul", "a.nul", "lptx"] {
            assert!(!is_device(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn a_name_that_is_changed_leads_elsewhere() {
        let found = [&b"a."[..], b"a ", b"a:b", b"a", b".a", b"a b"].map(means_another);
        assert_eq!(found, [true, true, true, false, false, false]);
    }

    #[test]
    fn a_root_is_a_drive_or_a_share() {
        let case = |path: &'static [u8], root: Option<&[u8]>| assert_eq!(root_of(path), root);
        case(b"C:/a", Some(b"C:/"));
        case(b"c:", Some(b"c:"));
        case(b"/a", Some(b"/"));
        case(b"//host/share/a", Some(b"//host/share/a"));
        case(br"\\?\C:\a", Some(br"\\?\C:\a"));
        case(b"a/b", None);
        case(b"1:/a", None);
        assert_eq!([&b"c:"[..], b"c:/", b"1:", b"c"].map(is_drive), [true, false, false, false]);
    }

    #[test]
    fn a_uri_names_a_drive() {
        let case = |path: &'static [u8], found: Option<(&[u8; 3], &[u8])>| {
            let root = root_of_uri(path);
            assert_eq!(root.as_ref().map(|(root, rest)| (root, *rest)), found);
        };
        case(b"/C:/a/b", Some((b"C:/", b"/a/b")));
        case(b"/c|/a", Some((b"C:/", b"/a")));
        case(b"/C:", Some((b"C:/", b"")));
        case(b"/C:a", None);
        case(b"/etc/hosts", None);
        case(b"C:/a", None);
    }

    #[test]
    fn a_verbatim_path_is_written_as_usual() {
        let case = |path, plain: Option<&[u8]>| {
            assert_eq!(without_verbatim(path).as_deref(), plain);
        };
        case(br"\\?\C:\a\b", Some(br"C:\a\b"));
        case(br"\\?\UNC\host\share\a", Some(br"\\host\share\a"));
        case(br"\\?\Volume{1}\a", None);
        case(br"C:\a", None);
    }

    #[test]
    fn names_of_any_units_come_back() {
        let surrogate = b"a\xED\xA0\xBDb\xED\xBE\xBF";
        assert_eq!(wide(surrogate), [0x61, 0xD83D, 0x62, 0xDFBF]);
        assert_eq!(wide("é😀\u{D7FF}".as_bytes()), [0xE9, 0xD83D, 0xDE00, 0xD7FF]);
        assert_eq!(wide(b"\xFF\xED"), [0xFFFD, 0xFFFD]);
        assert_eq!(wide(b"\xED\xA0"), [0xFFFD, 0xFFFD]);
    }
}
