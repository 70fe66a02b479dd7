//! Prints clap's message about arguments that are refused.
//!
//! Clap quotes arguments as they are, whole or in part. An argument may be the name of a stranger's
//! file, with line ends and controls, or a URI with a password, of which a part is no URI by
//! itself.

use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process;

use clap::Parser as _;
use clap::error::ErrorKind;
use linktrawl::internal::report::Paint;
use linktrawl::internal::report::escape::Shown;
use linktrawl::internal::uri::Redacted;
use memchr::memmem;

use crate::args::Flags;
use crate::config::{self, Refusal};
use crate::environment::terminal;
use crate::exit::is_broken_pipe;
use crate::shown::shown;
use crate::stderr;
use crate::streams;
use crate::suggestions;

/// The exit code for work that could not be done.
const FAILED: i32 = 2;

/// Minimum number of bytes of a secret that is removed wherever it occurs: shorter ones are parts
/// of words.
const SECRET_LEN_MIN: usize = 3;

/// Exits with clap's message, which may quote arguments: help, the version, a bad option.
pub(crate) fn refuse(error: &clap::Error) -> ! {
    // Help and version quote no arguments, and an `@` in them needs no redaction.
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        exit(error);
    }
    let typed: Vec<_> = env::args_os().collect();
    let plain: Vec<_> = typed.iter().map(plain).collect();
    let words = match config::parse(&plain) {
        _ if plain == typed => error.render().to_string(),
        Err(Refusal::Typed(error)) => suggestions::advised(*error, &plain).render().to_string(),
        _ => match no_text(&typed, &plain) {
            Some(found) => format!("error: expected an argument in UTF-8, found \"{found}\"\n"),
            None => "error: expected other arguments, found one with control characters\n".into(),
        },
    };
    match without_secrets(words.as_bytes(), &typed) {
        Cow::Borrowed(_) if plain == typed => exit(error),
        hidden => {
            // A closed standard error changes nothing.
            let _ = io::stderr().lock().write_all(&hidden);
            process::exit(error.exit_code())
        }
    }
}

/// Exits with clap's message, on the stream and with the exit code that clap has for it.
///
/// Without colours, it is written here: clap takes `CLICOLOR_FORCE=0` for a wish for colours, and
/// does not report a standard output that cannot be written.
fn exit(error: &clap::Error) -> ! {
    let paint = if error.use_stderr() {
        terminal::paint_of(&io::stderr())
    } else {
        terminal::paint_of(&io::stdout())
    };
    if paint == Paint::Ansi {
        error.exit();
    }
    let text = error.render().to_string();
    if error.use_stderr() {
        // A closed standard error changes nothing.
        let _ = io::stderr().lock().write_all(text.as_bytes());
        process::exit(error.exit_code())
    }
    let written = streams::need_stdout().and_then(|()| {
        let mut stdout = io::stdout().lock();
        Ok(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())?)
    });
    match written {
        Err(failure) if !is_broken_pipe(&failure) => {
            stderr::say_failure(&failure);
            process::exit(FAILED)
        }
        _ => process::exit(error.exit_code()),
    }
}

/// Returns the first of `typed` that had to be UTF-8 and is not, as it is in `plain`.
///
/// Clap does not say which one it refuses. Names of files may be any bytes, so each argument is
/// parsed as it was typed, among the others as they are in `plain`.
fn no_text<'p>(typed: &[OsString], plain: &'p [OsString]) -> Option<&'p str> {
    let is_refused = |at: usize| {
        let mut mixed = plain.to_vec();
        mixed.splice(at..=at, typed.get(at).cloned());
        let refusal = Flags::try_parse_from(mixed).err();
        refusal.is_some_and(|error| error.kind() == ErrorKind::InvalidUtf8)
    };
    let at = (0..plain.len()).find(|&at| typed.get(at) != plain.get(at) && is_refused(at))?;
    plain.get(at)?.to_str()
}

/// Returns an argument with its control characters escaped.
fn plain(argument: &OsString) -> OsString {
    let mut text = Vec::new();
    Shown(argument.as_encoded_bytes()).append_to(&mut text);
    match String::from_utf8(text) {
        Ok(text) if argument.to_str() != Some(&text) => text.into(),
        _ => argument.clone(),
    }
}

/// Returns `words` without passwords, and without those of the arguments `typed` in whatever part
/// of an argument they occur.
fn without_secrets<'w>(words: &'w [u8], typed: &[OsString]) -> Cow<'w, [u8]> {
    let texts: Vec<&[u8]> = typed.iter().flat_map(texts_of).collect();
    let mut kept = redacted(words, &texts);
    let hosts: Vec<Vec<u8>> = texts.iter().filter_map(|text| host_as_uri(text)).collect();
    for text in texts.into_iter().chain(hosts.iter().map(Vec::as_slice)) {
        for secret in Redacted::new(text).secrets() {
            if let Some(rest) = without(&kept, secret) {
                kept = Cow::Owned(rest);
            }
        }
    }
    kept
}

/// Returns a URI with the host of an argument that has no scheme, `u:secret@h.example`, whose user
/// information is secret, too.
fn host_as_uri(text: &[u8]) -> Option<Vec<u8>> {
    let is_host = memchr::memchr(b'@', text).is_some() && memmem::find(text, b"//").is_none();
    is_host.then(|| [b"http://", text].concat())
}

/// Returns an argument, and the value after its equals sign.
fn texts_of(argument: &OsString) -> impl Iterator<Item = &[u8]> {
    let bytes = argument.as_encoded_bytes();
    let value = memchr::memchr(b'=', bytes).and_then(|at| bytes.get(at + 1..));
    [Some(bytes), value].into_iter().flatten()
}

/// Returns `words` without passwords and tokens. One of `texts` that is quoted whole is redacted by
/// itself: all text after a gateway's URL counts as its tokens.
fn redacted<'w>(words: &'w [u8], texts: &[&[u8]]) -> Cow<'w, [u8]> {
    let quoted = texts.iter().find_map(|text| {
        let at = memmem::find(words, text).filter(|_| !text.is_empty())?;
        Redacted::new(text).hides_any().then_some((at, *text))
    });
    let Some((at, text)) = quoted else { return shown(words) };
    let (before, rest) = words.split_at_checked(at).unwrap_or((words, &[]));
    let after = redacted(rest.get(text.len()..).unwrap_or_default(), texts);
    Cow::Owned([&*shown(before), &*shown(text), &*after].concat())
}

/// Returns `text` with stars for each `secret`, if there is one.
fn without(text: &[u8], secret: &[u8]) -> Option<Vec<u8>> {
    let mut places = memmem::find_iter(text, secret).peekable();
    if secret.len() < SECRET_LEN_MIN || places.peek().is_none() {
        return None;
    }
    let (mut out, mut from) = (Vec::new(), 0);
    for at in places {
        out.extend_from_slice(text.get(from..at)?);
        out.extend_from_slice(b"***");
        from = at + secret.len();
    }
    out.extend_from_slice(text.get(from..)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_an_argument_shows_its_password() {
        let typed = ["x".into(), "--own-host=http://u:Secret@h/".into()];
        let words = br#"expected a host, found "Secret@h.example""#;
        let told = without_secrets(words, &typed);
        assert_eq!(&*told, br#"expected a host, found "***@h.example""#);
        assert!(matches!(without_secrets(b"found \"h\"", &typed), Cow::Borrowed(_)));
        for typed in [["--own-host=u:Secret@h", ""], ["--own-host", "u:Secret@h"]] {
            let told = without_secrets(br#"found "u:Secret@h""#, &typed.map(OsString::from));
            assert_eq!(&*told, br#"found "u:***@h""#);
        }
    }

    #[test]
    fn the_reason_follows_a_url_of_a_gateway() {
        let url = "https://protect-us.mimecast.com/s/AbCdEfGhIjKlMnOp?domain=h.example";
        let words = format!("error: invalid value '{url}' for '--archive <WHERE>': expected more");
        let typed = ["x".into(), format!("--archive={url}").into()];
        let told = without_secrets(words.as_bytes(), &typed);
        let told = String::from_utf8_lossy(&told);
        assert!(told.ends_with("' for '--archive <WHERE>': expected more"), "{told}");
        assert!(!told.contains("AbCdEf"), "{told}");
    }

    #[test]
    fn an_argument_has_no_line_ends() {
        assert_eq!(plain(&"--a\n::error::b".into()), r"--a\x0a::error::b");
        let escaped = plain(&"a\u{9b}b".into()).into_string().expect("UTF-8");
        assert!(!escaped.contains(char::is_control) && escaped.ends_with('b'), "{escaped}");
        assert_eq!(plain(&"--a=b c".into()), "--a=b c");
    }
}
