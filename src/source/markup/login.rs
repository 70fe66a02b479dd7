//! Recognises pages of HTML that only let readers log in: a form with a password, and few words.
//!
//! Not known: pages that want a name first and a password on the next page, and forms that a script
//! makes.

use super::html::tokens::{Token, Tokens};
use super::reference::Resolved;
use crate::source::panics::caught;

/// Maximum number of bytes of text beside the form, without white space. Pages with a form for
/// members in a corner have more.
const TEXT_LEN_MAX: usize = 1024;

/// Reports whether `text`, HTML in UTF-8, is the page of a login.
#[must_use]
pub fn is_login(text: &[u8]) -> bool {
    caught(|| read(text)).unwrap_or(false)
}

fn read(text: &[u8]) -> bool {
    let (mut tag, mut has_password, mut words) = (&b""[..], false, 0);
    let is = |name: &[u8], known: &[u8]| name.eq_ignore_ascii_case(known);
    for token in Tokens::new(text, 0) {
        match token {
            Token::Open(name) => tag = name.of(text),
            Token::Attribute(name, value) => {
                let is_kind = is(tag, b"input") && is(name.of(text), b"type");
                has_password |= is_kind && is(value.of(text).trim_ascii(), b"password");
            }
            Token::Text(_) if is(tag, b"title") => {}
            Token::Text(span) => {
                let seen = Resolved::of_text(text, span).bytes;
                words += seen.iter().filter(|byte| !byte.is_ascii_whitespace()).count();
                if words > TEXT_LEN_MAX {
                    return false;
                }
            }
            Token::Close(_) => tag = b"",
            Token::Opened(_) | Token::Doctype(_) | Token::Raw(_) => {}
        }
    }
    has_password
}

#[cfg(test)]
mod tests {
    use super::is_login;

    #[test]
    fn a_login_has_a_password_and_few_words() {
        for page in [
            "<h1>Log in</h1><form method=post><input name=u><input type=password name=p></form>",
            "<FORM><INPUT TYPE='Password'></FORM>",
        ] {
            assert!(is_login(page.as_bytes()), "{page}");
        }
        let long = "<input type=password>".to_owned() + &"<p>words of a page".repeat(200);
        for page in ["<form><input type=text></form>", "<p type=password>words", &long] {
            assert!(!is_login(page.as_bytes()), "{page}");
        }
    }
}
