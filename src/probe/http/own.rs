//! Holds the request fields that the user configures for their own sites, such as a token for pages
//! that require a login.
//!
//! They come only from the user's configuration; no text and no server can cause one to be sent. A
//! site is scheme, host and port together, so that no field for a site with TLS is sent in clear,
//! and none follows a redirect to another site.

use data_encoding::BASE64;
use hyper::header::{
    CONNECTION, CONTENT_LENGTH, EXPECT, HOST, HeaderName, HeaderValue, TE, TRAILER,
    TRANSFER_ENCODING, UPGRADE,
};

use memchr::memmem;

use super::target::{Site, Target};
use crate::error::Error;
use crate::uri::unescaped;

/// The fields that frame a message or name its target; with other values, it could be parsed as
/// two.
const OURS: [HeaderName; 8] =
    [CONNECTION, CONTENT_LENGTH, EXPECT, HOST, TE, TRAILER, TRANSFER_ENCODING, UPGRADE];

/// The minimum length in bytes of a secret. A shorter word occurs by chance.
const SECRET_LEN_MIN: usize = 8;

/// A field for one site. `Debug` does not show its value.
#[derive(Clone, Debug)]
pub struct OwnField {
    site: Site,
    name: HeaderName,
    value: HeaderValue,
}

impl OwnField {
    /// Creates the field `name` with `value` for `site`, which is a URI of HTTP whose path is
    /// ignored: `https://example.org`.
    ///
    /// # Errors
    /// When one of them is invalid, or the field is one that messages need for themselves.
    pub fn new(site: &str, name: &str, value: &str) -> Result<Self, Error> {
        let refuse = |reason: &str| Error::Field { site: site.to_owned(), reason: reason.into() };
        let target = Target::parse(site.as_bytes()).map_err(|failure| refuse(&failure.message))?;
        let name: HeaderName = name.parse().map_err(|_| refuse("expected a field's name"))?;
        if OURS.contains(&name) {
            return Err(refuse("the field is one that messages need for themselves"));
        }
        let value = HeaderValue::from_str(value);
        let mut value = value.map_err(|_| refuse("expected a value of visible characters"))?;
        value.set_sensitive(true);
        Ok(Self { site: target.site(), name, value })
    }

    /// Returns the field if `target` belongs to its site.
    pub(super) fn field_for(&self, target: &Target) -> Option<(HeaderName, HeaderValue)> {
        self.site.has(target).then(|| (self.name.clone(), self.value.clone()))
    }

    /// Reports whether `uri` has the value, or a word of it, as servers repeat a token. The name in
    /// `name=value` is no secret, and a word below [`SECRET_LEN_MIN`] is not looked for.
    pub(super) fn is_repeated_in(&self, uri: &[u8]) -> bool {
        let value = self.value.as_bytes();
        let decoded = value.strip_prefix(b"Basic ").and_then(|pair| BASE64.decode(pair).ok());
        let password = decoded.iter().filter_map(|pair| pair.splitn(2, |it| *it == b':').nth(1));
        let words = value.split(|byte| matches!(byte, b' ' | b',' | b';')).map(|word| {
            let named = memchr::memchr(b'=', word).and_then(|equals| word.get(equals + 1..));
            // Base64 ends in equals signs.
            named.filter(|value| value.iter().any(|byte| *byte != b'=')).unwrap_or(word)
        });
        let is_in = |text: &[u8], word| memmem::find(text, word).is_some();
        words
            .chain(password)
            .filter(|word| word.len() >= SECRET_LEN_MIN)
            .any(|word| is_in(uri, word) || is_in(&unescaped(uri), word))
    }
}

#[cfg(test)]
mod tests {
    use super::{OwnField, Target};

    fn is_sent(site: &str, to: &str) -> bool {
        let own = OwnField::new(site, "Authorization", "Bearer secret").unwrap();
        own.field_for(&Target::parse(to.as_bytes()).unwrap()).is_some()
    }

    #[test]
    fn a_field_goes_to_its_site_alone() {
        let site = "https://example.org";
        assert!(is_sent(site, "https://example.org/a?b"));
        assert!(is_sent(site, "https://EXAMPLE.org.:443/"));
        assert!(is_sent("https://example.org/a/", "https://example.org/b"));
        assert!(!is_sent(site, "http://example.org/"));
        assert!(!is_sent(site, "https://example.org:8443/"));
        assert!(!is_sent(site, "https://www.example.org/"));
        assert!(!is_sent(site, "https://example.org.example.com/"));
        assert!(!is_sent(site, "https://example.org@example.com/"));
    }

    #[test]
    fn what_is_no_field_is_refused_and_its_value_never_shown() {
        let refused = |site: &str, name: &str, value: &str| {
            let error = OwnField::new(site, name, value).unwrap_err();
            let shown = format!("{error} {error:?}");
            assert!(!shown.contains("secret"), "{shown}");
        };
        refused("example.org", "x", "secret");
        refused("ftp://example.org", "x", "secret");
        refused("https://user:secret@/", "x", "y");
        refused("https://h", "a b", "secret");
        refused("https://h", "", "secret");
        refused("https://h", "x", "secret\r\ny: z");
        refused("https://h", "Transfer-Encoding", "secret");
        refused("https://h", "host", "secret");
        let own = OwnField::new("https://h", "x", "secret").unwrap();
        assert!(!format!("{own:?}").contains("secret"));
    }

    #[test]
    fn a_value_is_seen_in_the_target_of_a_redirect() {
        for (value, to, is_repeated) in [
            ("Bearer s3crettoken", "https://h/x?token=s3crettoken", true),
            ("Bearer s3crettoken", "https://h/x?u=%2Fx%3Ft%3Ds3cret%74oken", true),
            ("Bearer s3crettoken", "https://h/x?token=other", false),
            ("Basic dXNlcjpwYXNzd29yZDE=", "https://h/x?dXNlcjpwYXNzd29yZDE=", true),
            ("Basic dXNlcjpwYXNzd29yZDE=", "https://user:password1@h/x", true),
            ("lang=en; sid=0123456789", "https://h/en/lang?sid=0123456789", true),
            ("lang=en; sid=0123456789", "https://h/en/lang", false),
            ("session_id=0123456789", "https://h/x?session_id=9876543210", false),
            ("session_id=0123456789", "https://h/x?s=0123456789", true),
            ("Bearer short", "https://h/x?token=short", false),
        ] {
            let own = OwnField::new("https://h", "x", value).unwrap();
            assert_eq!(own.is_repeated_in(to.as_bytes()), is_repeated, "{value} {to}");
        }
    }
}
