//! Decides whether a mark or a word within a bare URI divides it from another one, or from a clause
//! of the text: lists, values of settings, and scripts without blanks between words.

use super::{Walk, begins_uri};
use crate::scan::unicode::{self, Role};
use crate::scheme;

/// Longest name of a setting, or of a character in a reference, that is read, in bytes.
const NAME_LEN_MAX: usize = 64;

/// Longest word of a script without blanks that is read before a second URI, in characters.
const WORD_CHARS_MAX: usize = 16;

impl Walk<'_> {
    /// Reports whether the scheme occurs again after the byte at `at`: `mailto:a@b,mailto:c@d`, as
    /// in records of DMARC (RFC 7489 §6.3).
    pub(super) fn divides_list(&self) -> bool {
        let after = self.at + 1;
        let name = self.bytes.get(after..after + self.name.len()).unwrap_or_default();
        !name.is_empty() && name.eq_ignore_ascii_case(self.name)
    }

    /// Reports whether an address of mail follows the comma, semicolon or apostrophe at `at`, as in
    /// lists of contacts: `https://h/x,mailto:a@b`. A query may hold one.
    pub(super) fn precedes_address(&mut self) -> bool {
        const MAILTO: &[u8] = b"mailto:";
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let (name, address) = rest.split_at_checked(MAILTO.len()).unwrap_or_default();
        name.eq_ignore_ascii_case(MAILTO)
            && address.first().is_some_and(u8::is_ascii_alphanumeric)
            && !self.fragment
            && !self.is_in_query()
    }

    /// Reports whether the next comma or semicolon divides two names with URIs as their values, as
    /// in settings of proxies: `a=http://h/x;b=http://i/y`. A query may hold both.
    pub(super) fn divides_values(&mut self) -> bool {
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let (before, rest) = self.bytes.split_at(self.at);
        let after = rest.get(1..).unwrap_or_default();
        let len = after.iter().take(NAME_LEN_MAX).take_while(|byte| is_of_name(byte)).count();
        let mark = after.get(len).filter(|mark| len > 0 && matches!(mark, b'=' | b':'));
        let is_value = match before.get(..self.start) {
            Some([.., name, last]) => Some(last) == mark && is_of_name(name),
            _ => false,
        };
        is_value
            && !self.ends_reference()
            && begins_uri(self.bytes, self.at + len + 2)
            && begins_uri(self.bytes, self.start)
            && !self.fragment
            && !self.is_in_query()
    }

    /// Reports whether the next comma or semicolon divides text in a script without blanks between
    /// words, which also precedes the URI on its line: `看http://h/a,其他`. One after such a word may
    /// be part of a name.
    pub(super) fn ends_clause(&mut self) -> bool {
        let last = self.at.checked_sub(1).and_then(|last| self.bytes.get(last));
        last.is_some_and(u8::is_ascii)
            && !self.ends_reference()
            && unicode::char_at(self.bytes, self.at + 1).is_some_and(unicode::needs_no_blank)
            && self.around.follows_words_without_blanks(self.bytes)
    }

    /// Reports whether `character`, the next one, is punctuation or a symbol before another URI:
    /// `http://h/a→http://h/b`.
    pub(super) fn divides_uris(&self, character: char) -> bool {
        begins_uri(self.bytes, self.at + character.len_utf8())
            && (unicode::role(character) == Role::Trails || unicode::is_sign(character))
    }

    /// Reports whether the next semicolon ends a character reference of HTML.
    fn ends_reference(&self) -> bool {
        let (before, rest) = self.bytes.split_at(self.at);
        let is_of_reference = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
        let mut last = before.iter().rev().take(NAME_LEN_MAX).skip_while(|it| is_of_reference(it));
        rest.starts_with(b";") && last.next() == Some(&b'&')
    }

    /// Reports whether a URI begins after the next comma or semicolon whose scheme need not be
    /// known: with the scheme of this URI, `s3a://b/x,s3a://c/y`, or after a port,
    /// `A://h:1,B://i:2`.
    pub(super) fn divides_unlisted(&self) -> bool {
        let own = self.bytes.get(self.start..self.at).unwrap_or_default();
        let next = self.bytes.get(self.at + 1..).unwrap_or_default();
        let Some(next_len) = scheme_len(next) else { return false };
        let Some(len) = scheme_len(own) else { return false };
        let is_same = own.get(..len).is_some_and(|name| {
            next.get(..next_len).is_some_and(|next| next.eq_ignore_ascii_case(name))
        });
        let authority = own.get(len + 3..).unwrap_or_default();
        let digits = authority.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let is_port = digits > 0
            && authority.get(..authority.len() - digits).is_some_and(|host| host.ends_with(b":"))
            && memchr::memchr3(b'/', b'?', b'#', authority).is_none();
        is_same || is_port
    }

    /// Skips `character`, the next one, unless the text begins with it.
    pub(super) fn pass_character(&mut self, character: char) -> bool {
        let is_own = match self.word_before_uri(character) {
            Some(end) if end == self.at => false,
            Some(end) => {
                // The word belongs to the path, and the other URI begins after it.
                self.bytes = self.bytes.get(..end).unwrap_or(self.bytes);
                true
            }
            None => !self.divides_uris(character) && !self.begins_ellipsis(character),
        };
        self.at += if is_own { character.len_utf8() } else { 0 };
        is_own
    }

    /// Returns the end of this URI where a word of a script without blanks begins with `character`
    /// and ends before another URI, in a path: `http://h/a和http://i/b`. The word belongs to the
    /// text after a letter or a digit of US-ASCII.
    fn word_before_uri(&self, character: char) -> Option<usize> {
        if !self.has_path || !unicode::needs_no_blank(character) {
            return None;
        }
        let mut end = self.at;
        for _ in 0..WORD_CHARS_MAX {
            let next = unicode::char_at(self.bytes, end).filter(|it| unicode::needs_no_blank(*it));
            end += next.map_or(0, char::len_utf8);
        }
        let last = self.at.checked_sub(1).and_then(|last| self.bytes.get(last));
        let is_of_text = last.is_some_and(u8::is_ascii_alphanumeric);
        begins_uri(self.bytes, end).then_some(if is_of_text { self.at } else { end })
    }

    /// Reports whether the ellipsis `character`, as Chinese writes it, twice, is next after a
    /// letter or a digit of US-ASCII, and a word of a script without blanks follows:
    /// `http://h/a……然后`.
    fn begins_ellipsis(&self, character: char) -> bool {
        let last = self.at.checked_sub(1).and_then(|last| self.bytes.get(last));
        let next = self.at + character.len_utf8();
        let after = next + character.len_utf8();
        character == '…'
            && self.has_path
            && last.is_some_and(u8::is_ascii_alphanumeric)
            && unicode::char_at(self.bytes, next) == Some(character)
            && unicode::char_at(self.bytes, after).is_some_and(unicode::needs_no_blank)
    }
}

/// Returns the length of the scheme's name at the beginning of `text`, if an authority follows.
fn scheme_len(text: &[u8]) -> Option<usize> {
    let near = text.get(..text.len().min(scheme::SCHEME_LEN_MAX + 1)).unwrap_or_default();
    let len = near.iter().take_while(|byte| scheme::is_scheme_byte(**byte)).count();
    let is_name = len > 1 && text.first().is_some_and(u8::is_ascii_alphabetic);
    (is_name && text.get(len..)?.starts_with(b"://")).then_some(len)
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn case(text: &str, expected: &[&str]) {
        let mut scanner = crate::scan::Scanner::new(text.as_bytes());
        let next = || scanner.next().map(|it| String::from_utf8_lossy(it.text).into_owned());
        assert_eq!(std::iter::from_fn(next).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn lists_have_uris_of_any_scheme() {
        case("x=PLAINTEXT://h:9092,SSL://i:9093", &["PLAINTEXT://h:9092", "SSL://i:9093"]);
        case("failover:(tcp://a:1,tcp://b:2)", &["tcp://a:1", "tcp://b:2"]);
        case("s3a://b/x.jar,S3A://c/y.jar", &["s3a://b/x.jar", "S3A://c/y.jar"]);
        case("grpc://a:1/x;grpc://b:2/y", &["grpc://a:1/x", "grpc://b:2/y"]);
        case("x-a://h/b,x-c://i/d", &["x-a://h/b,x-c://i/d"]);
        case("http://h/a,b", &["http://h/a,b"]);
    }

    #[test]
    fn an_address_of_mail_may_follow_a_mark() {
        case("http://h.example,mailto:a@i", &["http://h.example", "mailto:a@i"]);
        case("http://h/a;MAILTO:a@i", &["http://h/a", "MAILTO:a@i"]);
        case("see http://h.example'mailto:a@i", &["http://h.example", "mailto:a@i"]);
        case("tel:+1555,mailto:a@i", &["tel:+1555", "mailto:a@i"]);
        case("http://h/?a=b,mailto:a@i", &["http://h/?a=b,mailto:a@i"]);
        case("http://h/a,mailto:", &["http://h/a,mailto"]);
    }

    #[test]
    fn a_file_may_follow_a_host() {
        case("http://h.examplefile:///etc/x", &["http://h.example", "file:///etc/x"]);
        case("http://h.example/file:///x", &["http://h.example/file:///x"]);
    }

    #[test]
    fn a_word_without_blanks_may_precede_another_uri() {
        case("见http://h/a和http://i/b。", &["http://h/a", "http://i/b"]);
        case("http://h/条目http://i/b", &["http://h/条目", "http://i/b"]);
        case("http://h/a和b", &["http://h/a和b"]);
        case("http://h/和?u=http://i/b", &["http://h/和?u=http://i/b"]);
        case("http://h/和/http://i/b", &["http://h/和/http://i/b"]);
    }

    #[test]
    fn a_semicolon_and_dots_may_end_a_clause() {
        case("看http://h/a;看", &["http://h/a"]);
        case("http://h/a;看", &["http://h/a;看"]);
        case("看http://h/?a&amp;看", &["http://h/?a&amp;看"]);
        case("http://h/a……然后", &["http://h/a"]);
        case("http://h/他……然后", &["http://h/他……然后"]);
    }
}
