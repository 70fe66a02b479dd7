//! Finds the end of a link of eDonkey, `ed2k://|file|name.avi|123|…|/`, whose parts bars divide.
//!
//! No URI holds a bar, and the grammar reports it. The form is that of the program (eMule, "ed2k
//! links"); no specification has it.

use super::CANDIDATE_LEN_MAX;
use crate::span::Span;

/// The scheme and the beginning of its links.
const SCHEME: &[u8] = b"ed2k";
const BEGINNING: &[u8] = b"://|";

/// Returns the end of the link whose scheme is between `start` and `colon`: after the last bar and
/// slash of its word, or after the last bar.
pub(in crate::scan) fn end(bytes: &[u8], start: usize, colon: usize) -> Option<usize> {
    let name = Span::new(start, colon).of(bytes);
    let after = bytes.get(colon..bytes.len().min(start.saturating_add(CANDIDATE_LEN_MAX)))?;
    let parts = after.strip_prefix(BEGINNING).filter(|_| name.eq_ignore_ascii_case(SCHEME))?;
    // The first part is the kind of link: `file`, `server`.
    parts.first().filter(|first| first.is_ascii_alphabetic())?;
    let mut bytes = parts.iter().enumerate();
    let end = bytes.find(|(at, byte)| match byte {
        0..=b' ' | 0x7F | b'"' | b'<' | b'>' | b'\\' => true,
        // Another link begins directly after this one.
        b':' => parts.get(*at..).is_some_and(|next| next.starts_with(BEGINNING)),
        _ => false,
    });
    let word = parts.get(..end.map_or(parts.len(), |(at, _)| at))?;
    let len = match memchr::memmem::rfind(word, b"|/") {
        Some(last) => last + 2,
        None => memchr::memrchr(b'|', word)? + 1,
    };
    Some(colon + BEGINNING.len() + len)
}

#[cfg(test)]
mod tests {
    use crate::scan::Scanner;

    #[test]
    fn links_of_edonkey_have_bars() {
        for (text, expected) in [
            ("see ed2k://|file|a.avi|12|0AF|/.", "ed2k://|file|a.avi|12|0AF|/"),
            ("ed2k://|server|192.0.2.1|46|/ b", "ed2k://|server|192.0.2.1|46|/"),
            ("ED2K://|file|a|1|0|/|sources,h:1|/)", "ED2K://|file|a|1|0|/|sources,h:1|/"),
            ("ed2k://|a|1|/ed2k://|b|2|/", "ed2k://|a|1|/ ed2k://|b|2|/"),
            ("\"ed2k://|file|a|1|0|\"", "ed2k://|file|a|1|0|"),
            ("ed2k://|file http://h/a|b|/", "http://h/a"),
            ("ed2k://|~|", ""),
        ] {
            let mut scanner = Scanner::new(text.as_bytes());
            let found: Vec<_> =
                std::iter::from_fn(|| Some(scanner.next()?.text.to_vec())).collect();
            assert_eq!(String::from_utf8_lossy(&found.join(&b' ')), expected, "{text}");
        }
    }
}
