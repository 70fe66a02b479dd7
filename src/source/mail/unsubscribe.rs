//! Reads the fields by which a message offers to unsubscribe together: List-Unsubscribe (RFC 2369
//! §3.2) and List-Unsubscribe-Post (RFC 8058).
//!
//! Nothing is requested. A message without a List-Unsubscribe-Post, as most old mail of lists,
//! claims nothing that the pair would have to keep: only a malformed List-Unsubscribe and a second
//! one are warned of.
//! Not checked: whether a signature is valid, which needs the key of its domain.

use memchr::memmem;

use crate::finding::lint::{
    ONE_CLICK_ALONE, ONE_CLICK_HTTPS, ONE_CLICK_UNCOVERED, ONE_CLICK_UNSIGNED, ONE_CLICK_VALUE,
    UNSUBSCRIBE_SYNTAX, UNSUBSCRIBE_TWICE,
};
use crate::finding::{Lint, Unsubscribe, Warning};
use crate::scan::Scanner;

/// The only value of List-Unsubscribe-Post (RFC 8058 §3.1).
const ONE_CLICK: &[u8] = b"List-Unsubscribe=One-Click";
/// The names of the fields, as messages print them: a signature must cover them (RFC 8058 §4).
const COVERED: [&str; 2] = ["List-Unsubscribe", "List-Unsubscribe-Post"];
/// Schemes of links that can be reported: readers can follow no others here.
const CARRIERS: [&[u8]; 4] = [b"https", b"http", b"mailto", b"ftp"];

/// The values of the fields, unfolded.
#[derive(Debug, Default)]
pub(super) struct Offer {
    /// The first List-Unsubscribe.
    pub(super) list: Option<Vec<u8>>,
    /// The first List-Unsubscribe-Post.
    pub(super) post: Option<Vec<u8>>,
    /// Each DKIM-Signature; they matter only beside a List-Unsubscribe-Post.
    pub(super) signatures: Vec<Vec<u8>>,
    /// Whether there is a second field of either name.
    pub(super) is_twice: [bool; 2],
}

impl Offer {
    /// Returns the warnings about the fields; `None` if there are none.
    pub(super) fn warnings(&self) -> Option<Unsubscribe> {
        let list = self.list.as_deref().map(List::of);
        let mut warnings = Vec::new();
        let mut warn = |lint: &'static Lint, message: &str| {
            warnings.push(Warning { lint, at: 0, message: message.to_owned() });
        };
        if let Some(fault) = list.as_ref().and_then(|list| list.fault) {
            warn(&UNSUBSCRIBE_SYNTAX, fault);
        }
        for (name, _) in COVERED.iter().zip(self.is_twice).filter(|(_, is_twice)| *is_twice) {
            warn(&UNSUBSCRIBE_TWICE, &format!("the message has a second {name}"));
        }
        if let Some(post) = &self.post {
            match &list {
                None => warn(&ONE_CLICK_ALONE, "List-Unsubscribe-Post has no List-Unsubscribe"),
                Some(list) if !list.has_https => {
                    warn(&ONE_CLICK_HTTPS, "List-Unsubscribe has no HTTPS URI to post to");
                }
                Some(_) => {}
            }
            if post.trim_ascii() != ONE_CLICK {
                let message = "List-Unsubscribe-Post is not `List-Unsubscribe=One-Click`";
                warn(&ONE_CLICK_VALUE, message);
            }
            if list.is_some() {
                self.cover(&mut warn);
            }
        }
        (!warnings.is_empty()).then(|| Unsubscribe { carrier: self.carrier(), warnings })
    }

    /// Returns the first link that a scan of List-Unsubscribe finds, and that can be reported,
    /// without whitespace.
    fn carrier(&self) -> Option<Vec<u8>> {
        let text = without_comments(self.list.as_deref()?);
        let mut scanner = Scanner::new(&text);
        while let Some(candidate) = scanner.next() {
            // Links outside brackets are not reported. The closing one may be missing.
            let before = text.get(..candidate.span.start).unwrap_or_default();
            let bracket = memchr::memrchr2(b'<', b'>', before).and_then(|at| before.get(at));
            let name = candidate.text.get(..candidate.scheme_len).unwrap_or_default();
            if bracket == Some(&b'<')
                && CARRIERS.iter().any(|carrier| carrier.eq_ignore_ascii_case(name))
            {
                let mut text = candidate.text.to_vec();
                text.retain(|byte| !byte.is_ascii_whitespace());
                return Some(text);
            }
        }
        None
    }

    /// Warns of a field that no signature covers. The signature that covers most decides.
    fn cover(&self, warn: &mut dyn FnMut(&'static Lint, &str)) {
        let covers: Vec<_> = self.signatures.iter().map(|signature| covered(signature)).collect();
        let count = |[list, post]: &[bool; 2]| u8::from(*list) + u8::from(*post);
        let Some(best) = covers.iter().max_by_key(|covers| count(covers)) else {
            return warn(&ONE_CLICK_UNSIGNED, "the message has no DKIM-Signature");
        };
        let missing: Vec<_> = COVERED.iter().zip(best).filter(|(_, is_in)| !**is_in).collect();
        // Each name may be in another signature.
        let is_split = covers.iter().any(|[list, _]| *list) && covers.iter().any(|[_, post]| *post);
        if is_split && !missing.is_empty() {
            let names = COVERED.join(" and ");
            warn(&ONE_CLICK_UNCOVERED, &format!("no single DKIM-Signature has {names} in its h="));
        } else if !missing.is_empty() {
            let names: Vec<&str> = missing.into_iter().map(|(name, _)| *name).collect();
            let names = names.join(" and ");
            warn(&ONE_CLICK_UNCOVERED, &format!("no DKIM-Signature has {names} in its h="));
        }
    }
}

/// The items of a List-Unsubscribe, as far as mail programs read them.
#[derive(Default)]
struct List {
    has_https: bool,
    /// The reason why the field, or the rest of it, is ignored.
    fault: Option<&'static str>,
}

/// Reports whether `uri` has a host if it has an authority, and no byte that no URI has (RFC 3986
/// §2).
fn is_well_formed(uri: &[u8]) -> bool {
    let after = memmem::find(uri, b"://").and_then(|at| uri.get(at + b"://".len()..));
    let is_host = |first: &u8| !b"/?#:@".contains(first);
    let is_escape = |at: usize| {
        let digits = uri.get(at + 1..at + 3);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    after.is_none_or(|after| after.first().is_some_and(is_host))
        && uri.iter().all(|byte| {
            !byte.is_ascii() || byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(byte)
        })
        && memchr::memchr_iter(b'%', uri).all(is_escape)
}

impl List {
    /// Reads `value` as RFC 2369 §2 asks mail programs to: a list of URIs in angle brackets,
    /// separated by commas. Comments count as whitespace.
    fn of(value: &[u8]) -> Self {
        let mut list = Self::default();
        list.fault = list.read(value).err();
        list
    }

    fn read(&mut self, value: &[u8]) -> Result<(), &'static str> {
        let mut rest = after_comments(value)?;
        let mut is_first = true;
        loop {
            let Some(inside) = rest.strip_prefix(b"<") else {
                return Err(match (is_first, rest) {
                    (true, []) => "List-Unsubscribe is empty",
                    (true, _) => "List-Unsubscribe does not begin with `<`",
                    (false, []) => "List-Unsubscribe ends with a comma",
                    (false, _) => "no `<` follows a comma of List-Unsubscribe",
                });
            };
            let Some(close) = memchr::memchr(b'>', inside) else {
                return Err("a `<` of List-Unsubscribe has no `>`");
            };
            let (uri, after) = inside.split_at(close);
            self.take(uri)?;
            is_first = false;
            rest = match after_comments(after.get(1..).unwrap_or_default())? {
                [] => return Ok(()),
                [b',', rest @ ..] => after_comments(rest)?,
                _ => return Err("no comma follows a URI of List-Unsubscribe"),
            };
        }
    }

    /// Takes the text between two angle brackets. Whitespace that mail servers insert does not
    /// count.
    fn take(&mut self, text: &[u8]) -> Result<(), &'static str> {
        let mut uri = text.to_vec();
        uri.retain(|byte| !byte.is_ascii_whitespace());
        let scheme = memchr::memchr(b':', &uri).and_then(|colon| uri.get(..colon));
        let is_scheme = |name: &&[u8]| {
            let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
            name.first().is_some_and(u8::is_ascii_alphabetic) && name.iter().all(is_letter)
        };
        let Some(scheme) = scheme.filter(is_scheme) else {
            return Err("the angle brackets of List-Unsubscribe hold no URI");
        };
        let is_https = scheme.eq_ignore_ascii_case(b"https");
        if memchr::memchr(b'<', &uri).is_some() {
            return Err("a URI of List-Unsubscribe has a `<`");
        }
        self.has_https |= is_https && is_well_formed(&uri);
        Ok(())
    }
}

/// Returns `value` with blanks in place of its comments, whose links are not reported.
fn without_comments(value: &[u8]) -> Vec<u8> {
    let mut text = value.to_vec();
    let (mut at, mut is_inside) = (0, false);
    while let Some(byte) = value.get(at) {
        let rest = value.get(at + 1..).unwrap_or_default();
        let mut end = at + 1;
        match byte {
            b'<' => is_inside = true,
            b'>' => is_inside = false,
            b'(' if !is_inside => {
                end += comment_end(rest).unwrap_or(rest.len());
                text.get_mut(at..end).unwrap_or_default().fill(b' ');
            }
            _ => {}
        }
        at = end;
    }
    text
}

/// Returns `text` after whitespace and comments (RFC 5322 §3.2.2).
fn after_comments(text: &[u8]) -> Result<&[u8], &'static str> {
    let mut rest = text.trim_ascii_start();
    while let Some(inside) = rest.strip_prefix(b"(") {
        let after = comment_end(inside).and_then(|end| inside.get(end..));
        rest = after.ok_or("a comment of List-Unsubscribe has no end")?.trim_ascii_start();
    }
    Ok(rest)
}

/// Returns the offset after the comment whose inside `text` begins with.
fn comment_end(text: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (1_usize, 0);
    while depth > 0 {
        match text.get(at)? {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    Some(at)
}

/// Reports which fields of [`COVERED`] `signature` covers: those that its tag `h` names (RFC 6376
/// §3.5).
fn covered(signature: &[u8]) -> [bool; 2] {
    let tags = signature.split(|byte| *byte == b';');
    let named = tags.filter_map(|tag| {
        let equals = memchr::memchr(b'=', tag)?;
        (tag.get(..equals)?.trim_ascii() == b"h").then(|| tag.get(equals + 1..).unwrap_or_default())
    });
    let fields = named.take(1).flat_map(|value| value.split(|byte| *byte == b':'));
    let mut covered = [false; 2];
    for field in fields {
        for (is_covered, name) in covered.iter_mut().zip(COVERED) {
            *is_covered |= field.trim_ascii().eq_ignore_ascii_case(name.as_bytes());
        }
    }
    covered
}

#[cfg(test)]
mod tests {
    use super::Offer;

    #[test]
    fn a_signature_covers_both_fields_or_the_message_says_which_it_lacks() {
        let case = |signatures: &[&str], wanted: &str| {
            let offer = Offer {
                list: Some(b"<https://h.example/>".to_vec()),
                post: Some(b"List-Unsubscribe=One-Click".to_vec()),
                signatures: signatures.iter().map(|text| text.as_bytes().to_vec()).collect(),
                is_twice: [false; 2],
            };
            let found = offer.warnings().map(|it| it.warnings[0].message.clone());
            assert_eq!(found.unwrap_or_default(), wanted);
        };
        let (list, post) = ("h=List-Unsubscribe", "h=List-Unsubscribe-Post");
        case(&["h=list-unsubscribe:list-unsubscribe-post"], "");
        case(&[list], "no DKIM-Signature has List-Unsubscribe-Post in its h=");
        let both = "List-Unsubscribe and List-Unsubscribe-Post in its h=";
        case(&["h=from"], &format!("no DKIM-Signature has {both}"));
        case(&[post, list], &format!("no single DKIM-Signature has {both}"));
    }
}
