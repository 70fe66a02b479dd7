//! The ends of comments in languages of templates and programs, which a URI may hold, slowly.

/// The end without what ends a comment of templates or programs that is open before the URI.
pub(super) fn end(text: &[u8], start: usize, from: usize, end: usize) -> usize {
    let near = String::from_utf8_lossy(&text[start.saturating_sub(512)..start]).into_owned();
    for (open, close) in [
        ("{{!--", "--}}"),
        ("<%--", "--%>"),
        ("{{", "-}}"),
        ("{%", "-%}"),
        ("<%", "-%>"),
        ("{#", "#}"),
        ("{-", "-}"),
        ("<#", "#>"),
        ("@*", "*@"),
        ("#*", "*#"),
        ("/+", "+/"),
        ("#=", "=#"),
    ] {
        let at = (from..end).find(|at| {
            let is_within = close.ends_with(['}', '>']) || *at + close.len() == end;
            text[*at..].starts_with(close.as_bytes()) && *at + close.len() >= end && is_within
        });
        let Some((before, inside)) = near.rsplit_once(open) else { continue };
        let follows_word = before.ends_with(|it: char| !it.is_ascii_whitespace());
        let is_apart = "{<".contains(&open[..1]) || !follows_word;
        if let Some(at) = at
            && is_apart
            && !inside.contains(close)
        {
            return at;
        }
    }
    end
}

/// True in a line that begins with a star and a blank.
pub(super) fn goes_on(before: &[u8]) -> bool {
    let near = &before[before.len().saturating_sub(512)..];
    let line = near.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    (near.len() < 512 || near.contains(&b'\n')) && line.trim_ascii_start().starts_with(b"* ")
}

/// Reports whether the last line has an open `/*` that is not part of a word or pattern.
pub(super) fn is_open(before: &[u8]) -> bool {
    let near = &before[before.len().saturating_sub(512)..];
    let line = near.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let Some(open) = line.windows(2).rposition(|two| two == b"/*") else { return false };
    let is_closed = line[open + 2..].windows(2).any(|two| two == b"*/");
    !is_closed && (open == 0 || b" \t;,(){}>".contains(&line[open - 1]))
}
