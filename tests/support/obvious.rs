//! A slow obvious scanner, for [`super`] to compare the fast one with.
//!
//! It knows bare URIs, and brackets with nothing but a URI inside. It was written from the rules,
//! one at a time, and is quadratic. It does not know wrappers with blanks, breaks, backslashes or
//! entities, nor `www.`; [`is_modelled`] excludes texts where these could matter. It takes names of
//! schemes and their classes from the table.

use linktrawl::internal::scan::Wrap;
use linktrawl::internal::scheme::{self, Class, Scheme, Shape};

mod address;
mod brackets;
mod comment;
mod control;
mod delimiter;
mod edonkey;
mod list;
mod modelled;
mod position;
mod quotation;
mod reference;
mod sign;

use address::has_port;
use brackets::{array_len, inner_len};
use delimiter::until_mark;
pub(crate) use modelled::is_modelled;
use reference::is_delimiter;

/// Start, end and text of each URI, with how it is wrapped.
pub(crate) type Found = (Wrap, usize, usize, Vec<u8>);

pub(crate) fn obvious(text: &[u8]) -> Vec<Found> {
    let mut found = Vec::new();
    let mut floor = 0;
    for colon in 0..text.len() {
        if colon < floor || text[colon] != b':' || !is_trigger(text, colon) {
            continue;
        }
        let is_url = text[floor..colon].to_ascii_lowercase().ends_with(b"<url");
        if is_url && !text[colon + 1..].starts_with(b"//") {
            let name_len = text[colon + 1..].iter().take(41).position(|byte| *byte == b':');
            if let Some(len) = name_len.filter(|len| *len > 0)
                && let Some((wrap, end)) = bracketed(text, colon + 1, colon + 1 + len, floor)
            {
                found.push((wrap, colon + 1, end, text[colon + 1..end].to_vec()));
                floor = end + 1;
            }
            continue;
        }
        let run = name_start(text, colon, floor);
        let Some(word) = text[run..colon].iter().position(u8::is_ascii_alphabetic) else {
            // Nothing, or a word without a letter, is no name.
            continue;
        };
        if let Some((wrap, end)) = bracketed(text, run, colon, floor) {
            found.push((wrap, run, end, text[run..end].to_vec()));
            floor = end + 1;
        } else if let Some((start, end)) =
            bare(text, control::after(text, run, colon).unwrap_or(run + word), colon)
        {
            found.push((Wrap::Bare, start, end, without_doubles(text, start, end)));
            floor = end;
        }
    }
    found
}

pub(crate) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)
}

/// Where the name before a colon begins, without the letter of an escape to US-ASCII.
fn name_start(text: &[u8], colon: usize, floor: usize) -> usize {
    let run = back(text, colon, floor.max(colon.saturating_sub(40)), is_name_byte);
    let is_escape = run < colon
        && ["\x1B(B", "\x1B(J", "\x1B(H"]
            .iter()
            .any(|escape| text[..=run].ends_with(escape.as_bytes()));
    run + usize::from(is_escape)
}

/// Where the run of bytes that `is_in` takes begins, which ends before `at`.
fn back(text: &[u8], at: usize, floor: usize, is_in: impl Fn(u8) -> bool) -> usize {
    (floor..at).rev().take_while(|idx| is_in(text[*idx])).last().unwrap_or(at)
}

/// Reports whether a URI may have this colon: a slash follows; or neither blank nor colon follows,
/// no mark or colon precedes, and there are no digits around.
fn is_trigger(text: &[u8], colon: usize) -> bool {
    let before = if colon == 0 { b' ' } else { text[colon - 1] };
    match text.get(colon + 1).copied().unwrap_or(b' ') {
        b'/' => true,
        0..=b' ' | b':' => false,
        next if next.is_ascii_digit() => before > b':',
        _ => before >= b'0' && before != b':',
    }
}

fn known(name: &[u8]) -> Option<&'static Scheme> {
    scheme::TABLE.iter().find(|row| row.name.as_bytes().eq_ignore_ascii_case(name))
}

/// `<name:…>` or `<URL:name:…>` with no blank inside.
fn bracketed(text: &[u8], run: usize, colon: usize, floor: usize) -> Option<(Wrap, usize)> {
    let left = &text[floor..run];
    let url = left.len() >= 5 && left[left.len() - 5..].eq_ignore_ascii_case(b"<url:");
    if !url && left.last() != Some(&b'<') {
        return None;
    }
    let is_class = left.ends_with(b"#<") && text[run].is_ascii_uppercase();
    if is_class && !text[colon + 1..].starts_with(b"//") {
        return None;
    }
    let len = text[run..].iter().position(|byte| b"<>\" ".contains(byte) || *byte < b' ')?;
    let (end, name) = (run + len, &text[run..colon]);
    if text[end] != b'>'
        || !name[0].is_ascii_alphabetic()
        || name.len() < 2 && !url
        || !name.iter().all(|b| is_name_byte(*b))
    {
        return None;
    }
    let (rest, scheme) = (text.get(colon + 1..end)?, known(name));
    // `URL:` and a scheme need no more than some text after it, and an unknown scheme must not be
    // followed by a second colon.
    if url && (scheme.is_some() || !rest.starts_with(b":")) {
        let more = rest.strip_prefix(b"//").unwrap_or(rest);
        return more.iter().any(|byte| !b":/".contains(byte)).then_some((Wrap::Url, end));
    }
    let fits = match rest.strip_prefix(b"//") {
        Some(authority) => has_host(scheme, authority),
        None => {
            scheme.is_some()
                && !rest.starts_with(b":")
                && (rest.iter().any(|byte| b".@".contains(byte))
                    || rest.windows(2).any(|two| two == b"//")
                    || scheme.is_some_and(|scheme| {
                        has_shape(scheme, rest)
                            || rest == b"*" && scheme.class == Class::Opaque(Shape::News)
                    }))
                && !is_element(text, &text[run..end], end + 1)
        }
    };
    fits.then_some((if url { Wrap::Url } else { Wrap::Angle }, end))
}

/// `<name:x>…</name:x>` on one line is XML.
fn is_element(text: &[u8], name: &[u8], after: usize) -> bool {
    let line = text[after..].split(|byte| *byte == b'\n').next().unwrap_or_default();
    let tag = [b"</", name].concat();
    name.iter().all(|byte| is_name_byte(*byte) || b":_".contains(byte))
        && line[..line.len().min(1024)].windows(tag.len()).any(|part| part == tag)
}

/// Start and end of the URI without brackets whose name begins at `start`, if it is one.
fn bare(text: &[u8], mut start: usize, colon: usize) -> Option<(usize, usize)> {
    let mut scheme = known(&text[start..colon]);
    if text[colon + 1..].starts_with(b"//") {
        if scheme.is_none() {
            start = delimiter::after_plus(text, start, colon);
            scheme = known(&text[start..colon]);
        }
        if scheme.is_none() {
            match glued(&text[start..colon]) {
                Some(len) => start = colon - len,
                None if is_part_of_word(text, start) || ends_in_letter(&text[..start]) => {
                    start = after_plus(text, start, colon)?;
                }
                None if colon - start < 2 => return None,
                None => {}
            }
            scheme = known(&text[start..colon]);
        }
        if let Some(end) = edonkey::end(text, start, colon) {
            return Some((start, end));
        }
        let text = until_mark(text, start);
        let end = trimmed(text, start, colon + 3, end_of_hierarchical(text, start, colon + 3));
        let end = without_root(text, start, colon + 3, end);
        let end = without_marks(text, start, colon + 3, end);
        let end = position::without(text, start, colon + 3, end);
        return has_host(scheme, &text[colon + 3..end]).then_some((start, end));
    }
    let text = until_mark(text, start);
    let end = walk(text, start, colon + 1, false);
    let end = address::second(text, &text[start..colon], colon + 1, end).unwrap_or(end);
    let end = trimmed(text, start, colon + 1, end);
    let end = address::end(text, &text[start..colon], colon + 1, end);
    let is_pattern = text[..start].ends_with(b"/^") && text[colon + 1..].starts_with(b"/");
    let fits =
        !is_part_of_word(text, start) && !is_pattern && has_shape(scheme?, &text[colon + 1..end]);
    fits.then_some((start, end))
}

/// Returns the length of the known scheme at the end of a name that is not a scheme: any scheme
/// after a dot, those of the web after anything.
fn glued(name: &[u8]) -> Option<usize> {
    let divided = name.iter().rposition(|byte| *byte == b'.').map(|at| &name[at + 1..]);
    let of_web = [&b"https"[..], b"http", b"sftp", b"ftp"].into_iter().find(|web| {
        name.len() >= web.len() && name[name.len() - web.len()..].eq_ignore_ascii_case(web)
    });
    let is_joined = name.contains(&b'+');
    let tails = [divided.filter(|tail| known(tail).is_some()), of_web];
    tails.into_iter().flatten().next().map(<[u8]>::len).filter(|_| !is_joined)
}

/// Length of the longest known scheme with an authority at the end of a name, in its last label.
fn glued_to_host(name: &[u8]) -> Option<usize> {
    let label = back(name, name.len(), 0, |byte| byte != b'.');
    let has_authority = |tail: &[u8]| {
        let is_named = ["file", "news", "snews", "nntp"]
            .iter()
            .any(|it| tail.eq_ignore_ascii_case(it.as_bytes()));
        is_named || known(tail).is_some_and(|scheme| !matches!(scheme.class, Class::Opaque(_)))
    };
    let at = (label..name.len()).find(|at| has_authority(&name[*at..]))?;
    // The name of a repository and a plus belong to it, but not digits or another plus before them.
    let first = ["git+", "hg+", "svn+", "bzr+"].into_iter().find(|first| {
        let before = name[label..at].to_ascii_lowercase();
        let word = before.strip_suffix(first.as_bytes());
        word.is_some_and(|word| !word.last().is_some_and(|it| b"+0123456789".contains(it)))
    });
    Some(name.len() - at + first.map_or(0, str::len))
}

/// Returns where the scheme of a name begins that is glued to a word: a known one after the last
/// plus and a command of TeX or an escape, or all of the name of a repository after a slash, an at
/// sign or a letter.
fn after_plus(text: &[u8], start: usize, colon: usize) -> Option<usize> {
    let plus = text[start..colon].iter().rposition(|byte| *byte == b'+')?;
    known(&text[start + plus + 1..colon])?;
    let first = &text[start..start + plus];
    let is_command = |name: &&str| text[..start + plus].ends_with(name.as_bytes());
    let is_escape = plus == 1 && text[start - 1] == b'\\';
    if is_escape || ["\\verb", "\\lstinline", "\\url", "\\path"].iter().any(is_command) {
        return Some(start + plus + 1);
    }
    let is_whole = matches!(text[start - 1], b'/' | b'@' | 0x80..)
        && ["git", "hg", "svn", "bzr"].iter().any(|it| first.eq_ignore_ascii_case(it.as_bytes()));
    is_whole.then_some(start)
}

fn ends_in_letter(text: &[u8]) -> bool {
    text.ends_with("é".as_bytes())
}

fn is_part_of_word(text: &[u8], start: usize) -> bool {
    let left = &text[..start];
    left.ends_with(b"::")
        || left.last().is_some_and(|byte| byte.is_ascii_digit() || b"$%_@/\\&#".contains(byte))
}

/// Steps to the byte that ends the URI, or its authority when `in_authority`.
fn walk(text: &[u8], start: usize, from: usize, in_authority: bool) -> usize {
    let (mut at, mut depth, mut fragments) = (from, 0_i32, 0);
    while at < text.len() {
        let rest = &text[at..];
        let mut len = 1;
        let goes_on = match rest[0] {
            b'|' | b'^' => {
                let passed = passed_mark(text, start, at, in_authority);
                len = passed.unwrap_or(1);
                passed.is_some()
            }
            b'*' | b'~' | b'!' if ends_pair(text, start, at) => false,
            b'(' if text[start..at].ends_with(b"__") && is_begun(text, start, b"__") => false,
            0..=b' ' | 0x7F | b'"' | b'<' | b'>' | b'\\' | b']'..=b'^' | b'`' | b'{'..=b'}' => {
                false
            }
            b'[' => match literal_len(text, from, at).filter(|_| in_authority) {
                Some(literal) => {
                    len = literal;
                    true
                }
                None => {
                    let in_word = || inner_len(text, start, at, depth > 0);
                    let own = array_len(text, start, at).or_else(in_word);
                    len = own.filter(|_| !in_authority).unwrap_or(1);
                    len > 1
                }
            },
            b'/' | b'?' | b'#' if in_authority => false,
            b'#' => {
                fragments += 1;
                (fragments < 2 || !begins_known(&rest[1..])) && !control::is_logged(text, start, at)
            }
            b'(' | b')' => {
                depth += if rest[0] == b'(' { 1 } else { -1 };
                depth >= 0
            }
            b',' | b';' | b'\'' if list::ends_at(text, start, at) => false,
            b',' | b';' => {
                !begins_known(&rest[1..])
                    && !begins_again(text, start, from, at + 1)
                    && !list::divides(text, start, at)
            }
            b'&' if rest.starts_with(b"&&") => {
                text[start..at].contains(&b'?') || text[start..at].contains(&b'#')
            }
            b'&' => !is_delimiter(rest),
            b'\'' if is_doubled(text, start, at) => {
                len = 2;
                true
            }
            b'\'' => !text[..start].ends_with(b"'") && !quotation::is_closed(text, start, at),
            b'*' if rest.starts_with(b"*/") => !ends_comment(rest, &text[..start]),
            0x80.. => match list::pass_character(text, start, at) {
                list::Passed::Word(end) => return end,
                list::Passed::Character(passed) => {
                    len = passed;
                    true
                }
                list::Passed::Nothing => false,
            },
            _ => true,
        };
        if !goes_on {
            break;
        }
        at += len;
    }
    at
}

/// Whether `rest`, which begins with `*/`, ends a comment that is open after `before`.
fn ends_comment(rest: &[u8], before: &[u8]) -> bool {
    let is_last = rest.get(2).is_none_or(u8::is_ascii_whitespace);
    comment::is_open(before) || is_last && comment::goes_on(before)
}

/// Whether the mark at `at` ends a picture of Textile that shows a link.
fn ends_picture(text: &[u8], at: usize) -> bool {
    text[at..].starts_with(b"!:") && begins_known(&text[at + 2..])
}

/// Length of the bars or the circumflex at `at` that are the URI's own.
fn passed_mark(text: &[u8], start: usize, at: usize, in_authority: bool) -> Option<usize> {
    let rest = &text[at..];
    let bars = rest.iter().take_while(|byte| **byte == b'|').count();
    let has_path = has_path(&text[start..at]);
    let is_quoted = || has_path && is_quoted(text, start, at) && !begins_known(&rest[1..]);
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"%_/=&-~".contains(byte);
    match rest[0] {
        b'|' if !in_authority && is_drive(&text[..at]) || is_quoted() => Some(1),
        b'|' if !in_authority && is_between_parameters(text, start, at) => Some(bars),
        b'^' if is_quoted() => Some(1),
        b'^' if matches!(rest, [_, b'M'] | [_, b'M', b'\r' | b'\n', ..]) => None,
        b'^' if has_path && !begins_known(&rest[1..]) => match &rest[1..] {
            [b'.' | b'?' | b'#' | b'+', next, ..] if next.is_ascii_alphanumeric() => Some(1),
            [next, ..] if is_of_word(next) => Some(1),
            _ => None,
        },
        _ => None,
    }
}

/// Reports whether the apostrophe at `at` is the first of two within a word of a string between two
/// apostrophes.
fn is_doubled(text: &[u8], start: usize, at: usize) -> bool {
    let (before, rest) = (&text[..start], &text[at..]);
    before.ends_with(b"'")
        && !before.ends_with(b"''")
        && has_path(&text[start..at])
        && !["file:", "ed2k://|"]
            .iter()
            .any(|begin| text[start..].to_ascii_lowercase().starts_with(begin.as_bytes()))
        && rest.starts_with(b"''")
        && (rest.get(2).is_some_and(u8::is_ascii_alphanumeric)
            || CHARACTERS.iter().any(|(character, role)| {
                *role == Role::Inside && rest[2..].starts_with(character.as_bytes())
            }))
        && !begins_known(&rest[2..])
}

/// The URI there with one apostrophe for two. Two at its end are none of its word.
fn without_doubles(text: &[u8], start: usize, end: usize) -> Vec<u8> {
    let mut at = start;
    std::iter::from_fn(|| {
        let byte = text[..end].get(at)?;
        at += if *byte == b'\'' && is_doubled(&text[..end], start, at) { 2 } else { 1 };
        Some(*byte)
    })
    .collect()
}

/// Reports whether the scheme has an authority and a slash, query or fragment follows it.
fn has_path(uri: &[u8]) -> bool {
    let colon = uri.iter().position(|byte| *byte == b':');
    let after = colon.and_then(|colon| uri[colon..].strip_prefix(b"://"));
    after.is_some_and(|authority| authority.iter().any(|byte| b"/?#".contains(byte)))
}

/// Reports whether a quote or a form feed before the URI closes at `at`, with no other end in
/// between.
fn is_quoted(text: &[u8], start: usize, at: usize) -> bool {
    let end = text[at..].iter().find(|byte| {
        byte.is_ascii_whitespace()
            || byte.is_ascii_control()
            || b"\"<>\\`".contains(byte)
            || Some(*byte) == text[..start].last().filter(|byte| **byte == b'\'')
    });
    end.is_some() && text[..start].last() == end && matches!(end, Some(b'"' | b'\'' | b'\x0C'))
}

/// Reports whether `text` ends in `file:/C`, before the bar that replaces a colon.
fn is_drive(text: &[u8]) -> bool {
    let near = String::from_utf8_lossy(&text[text.len().saturating_sub(9)..]).to_ascii_lowercase();
    near.ends_with(|last: char| last.is_ascii_alphabetic())
        && near[..near.len() - 1].trim_end_matches('/').ends_with("file:")
}

/// Returns the end of a URI with an authority: the authority to its end; then the rest, unless the
/// port continues with a word. Brackets that the authority opened may close after it, so the rest
/// is walked from the start.
fn end_of_hierarchical(text: &[u8], start: usize, from: usize) -> usize {
    let end = walk(text, start, from, true);
    let after_user = text[from..end].iter().rposition(|b| *b == b'@').map_or(from, |at| from + at);
    let after_host = text[after_user..end].iter().rposition(|byte| *byte == b']');
    let first = after_user + usize::from(text[after_user..end].starts_with(b"@"));
    let open = text[first..end].starts_with(b"[").then(|| literal_len(text, from, first)).flatten();
    let without = open.map_or(after_user, |len| first + len);
    let host = after_host.map_or(without, |at| after_user + at);
    let name = text[host..end].split(|byte| *byte == b':').next().expect("the first");
    let text_begins = end_of_host(text, start, from, (host, host + name.len(), end));
    if let Some(word) = address::word(text, after_user, host + name.len()) {
        return text_begins.map_or(word, |begin| begin.min(word));
    }
    let end = text_begins.unwrap_or(end);
    if let Some(colon) = text[host..end].iter().position(|byte| *byte == b':') {
        let port = &text[host + colon + 1..end];
        let digits = port.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_last = !matches!(text.get(end), Some(b'/' | b'?' | b'#'))
            && !list::is_of_hosts(&text[start..from], port);
        let marks = &port[digits..];
        let is_word = marks.iter().any(|byte| !byte.is_ascii_punctuation());
        let is_marked = digits > 0 && !marks.is_empty() && !marks.contains(&b'$');
        let after = host + colon + 1 + digits;
        let is_meant = text_begins.is_none() || text.get(after).is_some_and(|byte| *byte > 127);
        if is_last && (is_word || is_marked) && is_meant {
            return after;
        }
    }
    if text_begins.is_some() {
        return end;
    }
    let is_bar = text[end..].starts_with(b"|") && is_drive(&text[..end]);
    if is_bar || matches!(text.get(end), Some(b'/' | b'?' | b'#')) {
        walk_on(text, start, from, end)
    } else {
        end
    }
}

/// Where text begins in an authority that ends at `end`, whose host is `host..port`: at an
/// apostrophe, at hyphens that come last, at another URI. The first two only where the scheme's
/// hosts are machines.
fn end_of_host(
    text: &[u8],
    start: usize,
    from: usize,
    (host, port, end): (usize, usize, usize),
) -> Option<usize> {
    let next = address::next(text, from, end);
    let is_machine = known(&text[start..from - 3])
        .is_some_and(|scheme| scheme.class == Class::Web || is_with_port(scheme));
    let after_user = text[from..end].iter().rposition(|b| *b == b'@').map_or(from, |at| from + at);
    let apostrophe = text[after_user..end].iter().position(|byte| *byte == b'\'');
    let last = port.min(next.unwrap_or(port));
    let name = back(text, last, from, |byte| b"-.".contains(&byte));
    let is_name = name > from && (text[name - 1].is_ascii_alphanumeric() || text[name - 1] > 127);
    let hyphens = (host <= last && is_name && text[name..last].contains(&b'-')).then_some(name);
    let own = apostrophe.map(|at| after_user + at).or(hyphens).filter(|_| is_machine);
    own.into_iter().chain(next).min()
}

fn is_with_port(scheme: &Scheme) -> bool {
    scheme.class == Class::Authority && scheme.port.is_some()
}

/// Returns the end without the slash and dots that are all the text after a host.
fn without_root(text: &[u8], start: usize, from: usize, end: usize) -> usize {
    let is_machine = known(&text[start..from - 3])
        .is_some_and(|scheme| scheme.class == Class::Web || is_with_port(scheme));
    let Some(host) = text[from..end].strip_suffix(b"/") else { return end };
    let name = back(host, host.len(), 0, |byte| byte == b'.');
    let after_user = host.rsplit(|byte| *byte == b'@').next().unwrap_or_default();
    let is_host = !host.iter().any(|byte| b"/?#".contains(byte)) && !has_port(after_user);
    let is_name = name > 0 && (host[name - 1].is_ascii_alphanumeric() || host[name - 1] > 127);
    if is_machine && is_host && is_name && name < host.len() { from + name } else { end }
}

/// The end without hyphens, and without what follows punctuation beyond US-ASCII in the last label,
/// where the URI ends in a host.
fn without_marks(text: &[u8], start: usize, from: usize, end: usize) -> usize {
    let is_machine = known(&text[start..from - 3])
        .is_some_and(|scheme| scheme.class == Class::Web || is_with_port(scheme));
    let host = &text[from..end];
    let after_user = host.rsplit(|byte| b"@]".contains(byte)).next().unwrap_or_default();
    if !is_machine || host.iter().any(|byte| b"/?#".contains(byte)) || has_port(after_user) {
        return end;
    }
    without_marks_of(text, from, end)
}

/// The same for the host between `from` and `end`.
fn without_marks_of(text: &[u8], from: usize, end: usize) -> usize {
    let host = &text[from..end];
    let trails = ["…", "–"].map(str::as_bytes);
    let signs = ["…", "–", "😀"].map(str::as_bytes);
    let label = back(host, host.len(), 0, |byte| !b".@".contains(&byte));
    let sign =
        (label + 1..host.len()).find(|at| signs.iter().any(|it| host[*at..].starts_with(it)));
    if sign.is_none() && host.last() != Some(&b'-') && host.is_ascii() {
        return end;
    }
    let mut name = &host[..sign.unwrap_or(host.len())];
    loop {
        name = match name {
            [rest @ .., b'-' | b'.' | b',' | b':' | b'!' | b'?' | b'\'' | b'*'] => rest,
            _ => match trails.iter().find_map(|it| name.strip_suffix(*it)) {
                Some(rest) => rest,
                None => break,
            },
        };
    }
    let is_name = name
        .last()
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b']' || *byte > 127);
    if is_name { from + name.len() } else { end }
}

/// Goes on from the authority's end with the round brackets that it left open.
fn walk_on(text: &[u8], start: usize, from: usize, at: usize) -> usize {
    // A replacement for the authority that keeps nothing of it but its open brackets.
    let count = |mark: u8| text[from..at].iter().filter(|byte| **byte == mark).count();
    let open = vec![b'('; count(b'(') - count(b')')];
    if open.is_empty() {
        return walk(text, start, at, false);
    }
    let last: &[u8] = if text[at - 1] == b'(' { b"" } else { b"x" };
    let copy = [&text[..from], &open, last, &text[at..]].concat();
    at + walk(&copy, start, from, false) - from - open.len() - last.len()
}

/// Length of the IP literal at `at`, where a host may begin; its closing bracket may be missing.
fn literal_len(text: &[u8], from: usize, at: usize) -> Option<usize> {
    let near = &text[at + 1..text.len().min(at + 128)];
    let is_clean = |byte: u8| byte.is_ascii_alphanumeric() || b":.%-_~".contains(&byte);
    let end = near.iter().position(|byte| !is_clean(*byte));
    let inside = &near[..end.or((near.len() < 127).then_some(near.len()))?];
    let colons = inside.iter().filter(|byte| **byte == b':').count();
    let is_digits = inside.iter().all(|byte| byte.is_ascii_hexdigit() || b":.".contains(byte));
    let is_version = inside.starts_with(b"v") || inside.starts_with(b"V");
    let has_digit = inside.iter().any(u8::is_ascii_hexdigit);
    let (is_literal, len) = match near.get(inside.len()).copied().unwrap_or(b'\n') {
        b']' => (colons > 0 || is_version || address::is_ipv4(inside), inside.len() + 2),
        b'[' | b'(' | b'\\' | b'^' | b'{' | b'@' | b'&' | b'=' | b'+' | b'$' | b'*' => (false, 0),
        _ => (colons > 1 && is_digits && has_digit, inside.len() + 1),
    };
    let is_first = at == from || text[at - 1] == b'@';
    (is_first && is_literal).then_some(len)
}

/// The line of `start` before it, at most 512 bytes of it.
fn line_before(text: &[u8], start: usize) -> &[u8] {
    let near = &text[start.saturating_sub(512)..start];
    near.rsplit(|byte| *byte == b'\n').next().unwrap_or_default()
}

/// Reports whether bars in a query precede a name and its equals sign, or an ampersand, on a line
/// that has neither bars nor brackets before the URI.
fn is_between_parameters(text: &[u8], start: usize, at: usize) -> bool {
    let uri = &text[start..at];
    let near = &text[at..text.len().min(at + 256)];
    let bars = near.iter().take_while(|byte| **byte == b'|').count();
    let after = &near[bars..];
    let of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"%_-.~+|/:,".contains(byte);
    let name = after.iter().take_while(of_name).count();
    uri.contains(&b'?')
        && !uri.contains(&b'#')
        && name > 0
        && after.get(name).is_some_and(|byte| b"=&".contains(byte))
        && !begins_known(&text[at + bars..])
        && !line_before(text, start).iter().any(|byte| b"|[{".contains(byte))
}

/// The second of a pair of marks of emphasis, `**…**`, but not that of a pattern, `**/`, unless the
/// first directly precedes the URI, and no slash precedes the second, or another such URI follows.
fn ends_pair(text: &[u8], start: usize, at: usize) -> bool {
    if text[at] == b'!' {
        return ends_picture(text, at);
    }
    let pair = [text[at]; 2];
    let is_pattern = text.get(at + 2) == Some(&b'/');
    let is_list = is_pattern && text[at + 3..].starts_with(&pair) && begins_known(&text[at + 5..]);
    let is_around = text[..start].ends_with(&pair) && (is_list || text[at - 1] != b'/');
    text[at..].starts_with(&pair) && (!is_pattern || is_around) && is_begun(text, start, &pair)
}

/// Reports whether text that `marks` begin on the line before the URI has not ended there. Three
/// marks are two and one.
fn is_begun(text: &[u8], start: usize, marks: &[u8]) -> bool {
    let line = line_before(text, start);
    let mark = marks[0];
    let (mut is_begun, mut at) = (false, 0);
    while at < line.len() {
        let run = line[at..].iter().take_while(|byte| **byte == mark).count();
        let (before, after) = (&line[..at], &line[at + run..]);
        at += run.max(1);
        if run == 0 || run != marks.len() && run != 3 {
            continue;
        }
        let blank = |byte: &u8| byte.is_ascii_whitespace();
        if is_begun {
            is_begun = before.last().is_none_or(blank);
        } else {
            let is_next = after.is_empty() && (mark != b'_' || ends_no_word(before));
            let may_begin = match before.last() {
                None => true,
                Some(byte) if byte.is_ascii() => blank(byte) || b"([\"'*_~>:".contains(byte),
                Some(_) => ends_no_word(before),
            };
            let goes_on = after.first().is_some_and(|byte| !blank(byte));
            is_begun = is_next || goes_on && may_begin;
        }
    }
    is_begun
}

/// Reports whether a word may begin after `before`.
fn ends_no_word(before: &[u8]) -> bool {
    !before.last().is_some_and(u8::is_ascii_alphanumeric) && !ends_in_letter(before)
}

/// A known scheme and `://`: a comma before it divides a list.
fn begins_known(text: &[u8]) -> bool {
    let len = text.iter().take_while(|byte| is_name_byte(**byte)).count();
    known(&text[..len]).is_some() && text[len..].starts_with(b"://")
}

/// The name and colon between `start` and `from`, without an authority, once more at `at`.
fn begins_again(text: &[u8], start: usize, from: usize, at: usize) -> bool {
    let name = &text[start..from];
    let is_listed = ["mailto:", "sip:", "sips:", "tel:"]
        .iter()
        .any(|it| name.eq_ignore_ascii_case(it.as_bytes()));
    is_listed && text[at..].to_ascii_lowercase().starts_with(&name.to_ascii_lowercase())
}

/// The end without punctuation that belongs to the sentence.
fn trimmed(text: &[u8], start: usize, from: usize, mut end: usize) -> usize {
    let mark = text[..start].last().copied().filter(|byte| b"*_~+=$@".contains(byte));
    let first = mark.map_or(start, |mark| back(text, start, 0, |byte| byte == mark));
    let count = if start - first <= 4 && ends_no_word(&text[..first]) { start - first } else { 0 };
    let mut marks = count;
    let mut may_close = true;
    if let Some(mark) = mark.filter(|mark| count > 0 && !b"+$@".contains(mark))
        && (mark, count) != (b'=', 1)
    {
        let closes = |at: &usize| {
            let run = text[*at..end].iter().take_while(|byte| **byte == mark).count();
            let next = text[..end].get(at + run);
            (*at == from || text[at - 1] != mark)
                && run == count
                && next.is_some_and(|byte| b"([*~_".contains(byte) || *byte > 127)
        };
        end = (from..end).find(closes).unwrap_or(end);
    }
    if ends_picture(text, end) && text[from..end].ends_with(b")") {
        end = text[from..end].iter().rposition(|byte| *byte == b'(').map_or(end, |at| from + at);
    }
    end = before_tag(text, from, comment::end(text, start, from, end));
    while end > from {
        let last = text[end - 1];
        let quotes = text[from..end].iter().filter(|byte| **byte == b'\'').count();
        let is_of_text = text[from..end].ends_with(b"''")
            && (is_begun(text, start, b"''") || sign::is_quoted(text, start));
        if last == b'\'' && quotes % 2 == 0 && !is_of_text {
            return end;
        }
        let is_news = text[start..from].to_ascii_lowercase().starts_with(b"news:");
        if is_news && text[from..end].ends_with(b".*") && !text[..start].ends_with(b"*") {
            return end;
        }
        if b".,:!?'*%(;".contains(&last) || last == b'#' && text[from..end - 1].contains(&b'#') {
            // A reference goes as a whole; a name has at most 31 letters.
            let name = back(text, end - 1, from.max(end.saturating_sub(32)), |byte| {
                byte.is_ascii_alphanumeric() || byte == b'#'
            });
            let is_reference =
                last == b';' && end - 1 - name > 1 && name > from && text[name - 1] == b'&';
            end = if is_reference { name - 1 } else { end - 1 };
        } else if marks > 0 && mark == Some(last) {
            (marks, end) = (marks - 1, end - 1);
        } else if b"_~=".contains(&last) && may_close {
            // A mark that closes one from before the URI, once.
            may_close = false;
            let run = end - back(text, end, from, |byte| byte == last);
            let is_pair = run == 2 || run == 1 && last != b'=';
            if !is_pair || !is_begun(text, start, &text[end - run..end]) {
                return end;
            }
            end -= run;
        } else {
            let trails = |(text, role): &&(&str, Role)| *role == Role::Trails && !text.is_empty();
            let left = &text[from..end];
            match CHARACTERS.iter().filter(trails).find(|row| left.ends_with(row.0.as_bytes())) {
                Some((character, _)) => end -= character.len(),
                None => match sign::len(text, start, from, end) {
                    0 => return end,
                    len => end -= len,
                },
            }
        }
    }
    end
}

/// The end without hyphens that end a comment, what an arrow begins with, and the letter of POD.
fn before_tag(text: &[u8], from: usize, mut end: usize) -> usize {
    if text[end..].starts_with(b">") && text[from..end].ends_with(b"--") {
        end = back(text, end, from, |byte| byte == b'-');
    } else if text[from..end].ends_with(b"-")
        && text[end..].starts_with(b">")
        && text.get(end + 1) == Some(&b' ')
    {
        end -= 1;
    } else if text[end..].starts_with(b">") && begins_known(&text[end + 1..]) {
        end -= usize::from(end > from && b"-=".contains(&text[end - 1]));
    }
    let is_of_pod = text[end..].starts_with(b"<gt>") || text[end..].starts_with(b"<lt>");
    let is_letter = is_of_pod && text[from..end].ends_with(b"E") && end - from > 1;
    end - usize::from(is_letter)
}

/// Something that names a host, or a path; of the Web, a path that begins as a name does.
fn has_host(scheme: Option<&Scheme>, authority: &[u8]) -> bool {
    let tells =
        |text: &[u8]| text.iter().any(|b| b.is_ascii_alphanumeric() || *b > 127 || *b == b'[');
    let len = authority.iter().position(|byte| b"/?#".contains(byte)).unwrap_or(authority.len());
    let is_web = scheme.is_some_and(|scheme| scheme.class == Class::Web);
    let is_named = authority.get(1).is_some_and(u8::is_ascii_alphanumeric);
    let has_path = authority.starts_with(b"/") && is_named;
    tells(&authority[..len]) || len == 0 && if is_web { has_path } else { tells(authority) }
}

/// Reports whether an opaque scheme's rest has its shape, for the shapes that are modelled.
fn has_shape(scheme: &Scheme, rest: &[u8]) -> bool {
    let rest = &rest[..rest.len().min(320)];
    let text = String::from_utf8_lossy(rest);
    let parts = text.split_once('@').or_else(|| text.split_once("%40"));
    let is_address = parts.is_some_and(|(local, host)| {
        !local.is_empty()
            && !local.starts_with([':', '/', '?'])
            && host.starts_with(|c: char| c.is_ascii_alphanumeric() || c > '\u{7F}')
    });
    let letter = |byte: u8| byte.is_ascii_alphanumeric();
    let is_dotted = rest.first().is_some_and(|byte| letter(*byte))
        && rest.windows(3).any(|w| letter(w[0]) && w[1] == b'.' && letter(w[2]));
    match scheme.class {
        Class::Opaque(Shape::Mailto) => is_address || rest.starts_with(b"?") && text.contains('='),
        Class::Opaque(Shape::News | Shape::Dotted) => {
            is_address || is_dotted || rest.starts_with(b"//")
        }
        Class::Opaque(Shape::Path) => {
            let is_drive = rest.len() > 3 && rest[0].is_ascii_alphabetic() && rest[2] == b'/';
            rest.len() > 1 && rest[0] == b'/' || is_drive && b":|".contains(&rest[1])
        }
        Class::Opaque(Shape::Urn) => text.split_once(':').is_some_and(|(space, name)| {
            space.len() > 1
                && space.bytes().all(|byte| letter(byte) || byte == b'-')
                && !name.is_empty()
        }),
        _ => false,
    }
}

/// The effect of a character beyond US-ASCII on a bare URI.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Inside,
    Ends,
    Trails,
}

/// The characters beyond US-ASCII that are modelled.
const CHARACTERS: &[(&str, Role)] = &[
    ("é", Role::Inside),
    ("例", Role::Inside),
    ("\u{1F600}", Role::Inside),
    ("»", Role::Ends),
    ("”", Role::Ends),
    ("\u{A0}", Role::Ends),
    ("。", Role::Ends),
    ("…", Role::Trails),
    ("–", Role::Trails),
];
