//! Recognises pages of HTML that hold no words but a script: the script makes the page in the
//! reader's browser, so that the places of the page are not in its text.
//!
//! If the script sets a cookie and loads the page again, it is that of a guard, of which there are
//! more than `challenge` lists. Not known: the work of external scripts.

use memchr::memmem;

use super::html::tokens::{Token, Tokens};
use super::reference::Resolved;
use crate::source::panics::caught;

/// The work of the script of a page without words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// It makes the page, as far as is known.
    Page,
    /// It sets a cookie, with which the site then sends the page.
    Cookie,
    /// It leads to another page. The words say so, or tell readers to wait.
    Leads,
}

/// Maximum number of bytes of the text of a page whose script leads to another page.
const LEADS_LEN_MAX: usize = 300;

/// Maximum number of bytes of a text that only requests readers to wait.
const WAIT_LEN_MAX: usize = 40;

/// The beginnings of such text; in other languages, it ends with an ellipsis.
const WAITS: [&[u8]; 4] = [b"loading", b"one moment", b"please wait", b"redirecting"];

/// Returns the work of the script of `text`, HTML in UTF-8, if the page has no words.
#[must_use]
pub fn shell(text: &[u8]) -> Option<Shell> {
    caught(|| read(text)).flatten()
}

fn read(text: &[u8]) -> Option<Shell> {
    let (mut tag, mut words, mut script) = (&b""[..], Vec::new(), Vec::new());
    let (mut has_script, mut is_data, mut is_noscript) = (false, false, false);
    let is = |name: &[u8], known: &[u8]| name.eq_ignore_ascii_case(known);
    for token in Tokens::new(text, 0) {
        match token {
            Token::Open(name) => (tag, is_data) = (name.of(text), false),
            Token::Attribute(name, value) => {
                is_data |= is(name.of(text), b"type") && is_data_type(value.of(text));
            }
            Token::Opened(_) => {
                has_script |= is(tag, b"script") && !is_data;
                is_noscript |= is(tag, b"noscript");
            }
            Token::Raw(span) if is(tag, b"script") && !is_data => {
                script.extend_from_slice(span.of(text));
            }
            Token::Text(_) if is_noscript || is(tag, b"title") => {}
            Token::Text(span) => {
                let seen = Resolved::of_text(text, span);
                words.extend_from_slice(seen.bytes.trim_ascii());
                // Nearly all pages end here.
                if words.len() > LEADS_LEN_MAX {
                    return None;
                }
            }
            Token::Close(name) => {
                is_noscript &= !is(name.of(text), b"noscript");
                tag = b"";
            }
            Token::Doctype(_) | Token::Raw(_) => {}
        }
    }
    let (is_shell, leads) = (has_script && only_waits(&words), loads(&script));
    let sets_cookie = is_assigned(&script, b"document.cookie");
    match (is_shell, leads) {
        (true, true) if sets_cookie => Some(Shell::Cookie),
        (true, _) => Some(Shell::Page),
        (false, true) if !sets_cookie => Some(Shell::Leads),
        (false, _) => None,
    }
}

/// Reports whether a script of the type `name` is data or a template.
fn is_data_type(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    [&b"json"[..], b"template", b"html"].iter().any(|part| memmem::find(&name, part).is_some())
}

/// Reports whether the words of a page are none, or only ask readers to wait.
fn only_waits(words: &[u8]) -> bool {
    let begins =
        |begin: &&[u8]| words.get(..begin.len()).is_some_and(|it| it.eq_ignore_ascii_case(begin));
    if words.len() > WAIT_LEN_MAX {
        return false;
    }
    let is_cut = words.ends_with(b"...") || words.ends_with("\u{2026}".as_bytes());
    words.is_empty() || is_cut || WAITS.iter().any(begins)
}

/// Reports whether `script` loads the page again, or another one.
fn loads(script: &[u8]) -> bool {
    const CALLS: [&[u8]; 3] = [b"location.assign(", b"location.reload(", b"location.replace("];
    CALLS.iter().any(|call| memmem::find(script, call).is_some())
        || is_assigned(script, b"location")
        || is_assigned(script, b"location.href")
}

/// Reports whether `script` assigns a value to `name`.
fn is_assigned(script: &[u8], name: &[u8]) -> bool {
    memmem::find_iter(script, name).any(|at| {
        let after = script.get(at + name.len()..).unwrap_or_default().trim_ascii_start();
        after.starts_with(b"=") && !after.starts_with(b"==")
    })
}

#[cfg(test)]
mod tests {
    use super::{Shell, shell};

    #[track_caller]
    fn case(text: &str, expected: Option<Shell>) {
        assert_eq!(shell(text.as_bytes()), expected, "{text}");
    }

    #[test]
    fn a_page_without_words_is_made_by_its_script() {
        let page = Some(Shell::Page);
        case("<!doctype html><title>A</title><div id=root></div><script src=a.js></script>", page);
        case("<noscript>Please enable JavaScript</noscript><script>run()</script>", page);
        case("<script type=module src=a.js></script><p>Loading...", page);
        case("<script>run()</script><p>Bitte warten\u{2026}", page);
        case("<script>run()</script><style>p { color: red }</style><!-- words -->", page);
    }

    #[test]
    fn a_page_with_words_or_without_a_script_is_a_page() {
        case("<script>run()</script><p>words", None);
        case("<title>A</title>", None);
        case("", None);
        case("<p>Loading...", None);
        case("<script type=application/ld+json>{}</script>", None);
        case("<script>run()</script><noscript>a</noscript>words", None);
        let long = "Loading ".repeat(9);
        case(&format!("<script>run()</script>{long}..."), None);
    }

    #[test]
    fn a_page_may_say_that_its_script_leads_on() {
        let words = "<h1>This page has moved</h1><p>The page is now <a href=/new>here</a>.</p>";
        for script in ["location.href='/new'+location.hash", "window.location.replace('/new')"] {
            case(&format!("{words}<script>{script}</script>"), Some(Shell::Leads));
        }
        case(&format!("{words}<script>if (location.href == '/') run()</script>"), None);
        let long = "A page of many words. ".repeat(20);
        case(&format!("{long}<script>location.href='/new'</script>"), None);
    }

    #[test]
    fn a_script_that_sets_a_cookie_and_loads_the_page_is_a_guards() {
        let cookie = Some(Shell::Cookie);
        for script in [
            "document.cookie='a=1';location.reload()",
            "document.cookie = \"a=1\"; document.location.reload(true)",
            "document.cookie='a=1';window.location='/b'",
            "document.cookie='a=1';location.href = '/b'",
            "document.cookie='a=1';location.replace('/b')",
        ] {
            case(&format!("<script>{script}</script>"), cookie);
            case(&format!("<script>{script}</script><p>words of a page"), None);
        }
        for script in [
            "if (document.cookie == 'a=1') location.reload()",
            "document.cookie='a=1'",
            "location.reload()",
            "document.cookie='a=1';if (location.href == '/b') run()",
        ] {
            case(&format!("<script>{script}</script>"), Some(Shell::Page));
        }
    }
}
