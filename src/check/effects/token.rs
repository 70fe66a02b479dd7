//! Recognises words that machines make: names of one reader, or of one message to one reader.
//!
//! A name of 64 random bits cannot be guessed, so it identifies its reader. The number of random
//! bits in a word is unknown; it is estimated from how often the word changes between letters and
//! digits, and between upper and lower case.

use data_encoding::{BASE64_NOPAD, HEXLOWER_PERMISSIVE};

use crate::uri::unescaped;

/// Minimum number of bytes of a word that may be a token: 16 digits of base 16 hold 64 bits.
const TOKEN_LEN_MIN: usize = 16;
/// The limit for letters of both cases and digits, of which 11 hold 64 bits. One more, because film
/// sites name their films by 11.
const DENSE_LEN_MIN: usize = 12;
/// Minimum number of digits of a number of 64 bits.
const DIGITS_MIN: usize = 20;

/// Returns `bytes` with percent-encodings decoded, twice if the result holds some again. Bytes that
/// are not UTF-8 become U+FFFD.
pub(super) fn decoded(bytes: &[u8]) -> String {
    let mut bytes = bytes.to_vec();
    for _ in 0..2 {
        if !bytes.contains(&b'%') {
            break;
        }
        bytes = unescaped(&bytes).into_owned();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reports whether `text`, a segment, a value, or a label of a host, holds a word that looks
/// machine-made.
pub(super) fn is_in(text: &str) -> bool {
    is_json(text)
        || is_uuid(text)
        || text.split(|c: char| !c.is_ascii_alphanumeric()).any(is_token)
        || is_ragged_text(text)
}

/// Reports whether `text` may hold the number of a reader or a message in some base: people who
/// write arguments by hand write words, or digits.
pub(super) fn is_opaque(text: &str) -> bool {
    const LEN_MIN: usize = 8;
    let is_mixed = |word: &str| {
        let switches = switches(word);
        word.len() >= LEN_MIN && (switches >= 2 || switches == 1 && is_hash(word))
    };
    text.split(|c: char| !c.is_ascii_alphanumeric()).any(is_mixed)
}

/// Reports whether letters and digits alternate in `text` as often as they do by chance.
pub(super) fn is_ragged(text: &str) -> bool {
    const SWITCHES_MIN: usize = 4;
    let longest = text.split(|c: char| !c.is_ascii_alphanumeric()).map(switches).max();
    longest.is_some_and(|switches| switches >= SWITCHES_MIN)
}

/// Reports whether `text` is a short word that no person would write: letters of both cases and
/// digits whose kinds change at half of its bytes or more, or at least 8 digits of base 16 that
/// change from digits to letters or back twice.
pub(super) fn is_short_token(text: &str) -> bool {
    const LENS: std::ops::RangeInclusive<usize> = 6..=DENSE_LEN_MIN;
    let has = |kind: fn(&u8) -> bool| text.bytes().any(|byte| kind(&byte));
    let is_word = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_lowercase);
    let is_hex = is_hash(text) && text.len() >= 8 && switches(text) >= 2;
    let is_dense = has(u8::is_ascii_uppercase) && changes(text) * 2 >= text.len();
    is_word && is_mixed && LENS.contains(&text.len()) && (is_dense || is_hex)
}

/// Reports whether `text` mixes letters and digits, as the short numbers of readers do.
pub(super) fn is_mixed(text: &str) -> bool {
    const LEN_MIN: usize = 5;
    let is_word = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    is_word && text.len() >= LEN_MIN && letters > 0 && switches(text) >= 2
}

/// Reports whether `text` holds a mail address in base 64 or base 16.
fn has_coded_address(text: &str) -> bool {
    /// Letters of the shortest encoded address, and of the longest (RFC 5321 §4.5.3.1).
    const LEN_MIN: usize = 8;
    const LEN_MAX: usize = 680;
    let is_address = |bytes: Vec<u8>| {
        String::from_utf8(bytes).is_ok_and(|text| {
            text.contains('@') && text.chars().all(|c| !c.is_control()) && has_plain_address(&text)
        })
    };
    text.split(|c: char| !c.is_ascii_alphanumeric() && !"+/-_".contains(c))
        .filter(|word| (LEN_MIN..=LEN_MAX).contains(&word.len()))
        .any(|word| {
            let by_64 = || {
                let word = word.replace('-', "+").replace('_', "/");
                // Left-over bits make no byte.
                let word = word.get(..word.len() - usize::from(word.len() % 4 == 1))?;
                BASE64_NOPAD.decode(word.as_bytes()).ok()
            };
            let by_16 = || HEXLOWER_PERMISSIVE.decode(word.as_bytes()).ok();
            by_16().is_some_and(is_address) || by_64().is_some_and(is_address)
        })
}

/// Returns the number of digits in `text`.
pub(super) fn digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

/// Reports whether `text` has a number of four digits or more that is neither a year nor a date.
pub(super) fn has_number(text: &str) -> bool {
    numbers(text).any(|number| number.len() >= 4 && !is_date(number))
}

/// Reports whether `text` has a number that may be a reader's: of five digits or more, no date.
pub(super) fn has_long_number(text: &str) -> bool {
    numbers(text).any(|number| number.len() >= 5 && !is_date(number))
}

fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit())
}

/// Reports whether `number` is a year, or begins with one and a month: `2024`, `20240501`.
fn is_date(number: &str) -> bool {
    const LENS: [usize; 5] = [4, 6, 8, 12, 14];
    let is_year = number.starts_with("19") || number.starts_with("20");
    let month = number.get(4..6);
    let is_month = |text: &str| matches!(text.parse::<u8>(), Ok(1..=12));
    is_year && LENS.contains(&number.len()) && month.is_none_or(is_month)
}

/// Reports whether `text` has digits of base 16 alone, as version control names its data.
pub(super) fn is_hash(text: &str) -> bool {
    text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Reports whether `text` holds base64 of JSON, as JSON Web Tokens have it (RFC 7519 §3.1): `{"`;
/// or of a URI: `http`.
fn is_json(text: &str) -> bool {
    let begins = |word: &str| word.starts_with("eyJ") || word.starts_with("aHR0c");
    text.split(['.', '=', ':']).any(|word| word.len() >= TOKEN_LEN_MIN && begins(word))
}

/// Reports whether `text` holds a UUID in the form of RFC 9562 §4.
fn is_uuid(text: &str) -> bool {
    const LEN: usize = 36;
    let is_one = |text: &[u8]| {
        let is_right = |(idx, byte): (usize, &u8)| match idx {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        };
        text.iter().enumerate().all(is_right)
    };
    text.as_bytes().windows(LEN).any(is_one)
}

/// Reports whether `word`, of letters and digits, looks machine-made.
fn is_token(word: &str) -> bool {
    let len = word.len();
    let has = |kind: fn(&u8) -> bool| word.bytes().any(|byte| kind(&byte));
    let (has_digit, has_lower) = (has(u8::is_ascii_digit), has(u8::is_ascii_lowercase));
    let has_upper = has(u8::is_ascii_uppercase);
    if !has_lower && !has_upper {
        return len >= DIGITS_MIN;
    }
    if len < TOKEN_LEN_MIN {
        let is_mixed = has_digit && has_lower && has_upper;
        return len >= DENSE_LEN_MIN && is_mixed && pieces(word) * 5 >= len * 2;
    }
    let is_mixed = has_lower && has_upper;
    (has_digit && (is_hash(word) || switches(word) >= 4))
        || (is_mixed && pieces(word) * 13 >= len * 5)
        || (is_mixed && has_digit && changes(word) * 10 >= len * 3)
        || is_unspeakable(word)
}

/// Reports whether `text`, of the letters of base64url, looks machine-made without its `-` and `_`.
fn is_ragged_text(text: &str) -> bool {
    let word: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    let has = |kind: fn(&u8) -> bool| word.bytes().any(|byte| kind(&byte));
    let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_lowercase);
    let is_dense = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_=".contains(&byte));
    is_dense
        && is_mixed
        && has(u8::is_ascii_uppercase)
        && word.len() >= TOKEN_LEN_MIN
        && pieces(&word) * 13 >= word.len() * 5
}

/// Returns how often a letter and a digit are adjacent.
fn switches(word: &str) -> usize {
    borders(word, |byte| byte.is_ascii_digit().into())
}

/// Returns how often bytes of two kinds are adjacent: capitals, small letters, digits.
fn changes(word: &str) -> usize {
    borders(word, |byte| match byte {
        b'0'..=b'9' => 0,
        b'A'..=b'Z' => 1,
        _ => 2,
    })
}

fn borders(word: &str, kind: fn(u8) -> u8) -> usize {
    let is_border = |pair: &&[u8]| matches!(pair, [a, b] if kind(*a) != kind(*b));
    word.as_bytes().windows(2).filter(is_border).count()
}

/// The letters that often follow each letter, from `a` on, in words of thirty languages written
/// without accents: pairs that are 0.06 % of all or more, counted in the tables of `prose::west`
/// and in English documentation.
#[rustfmt::skip]
const FOLLOWING: [&str; 26] = [
    "abcdfghijklmnprstuvyz", "aeilorsu", "acehiklortu", "adeiorsu",
    "abcdefgijklmnpqrstuvwxz", "aefiloru", "aeghilnorsu", "aeilort",
    "abcdefgjklmnoprstvz", "aeou", "aeilostu", "adeilostuy",
    "abeimopsu", "acdefgiklnostuvy", "abcdefgiklmnoprstuvwz", "aeiloprstu",
    "u", "acdegiklmnorstuyz", "acehiklopstuyz", "aehilorstuy",
    "abcdegijklmnoprstz", "aeio", "aehino", "p",
    "est", "aei",
];

/// Reports whether `label`, of a host, was hardly made by a person: too many of its neighbours are
/// letters that seldom follow each other in any language, or a letter and a digit. Of 2,000 random
/// labels of 16 letters, 93 % are found, and none of 7,400 hosts of public mail and documents but
/// abbreviations before a year, which have one such change.
pub(super) fn is_improbable(label: &str) -> bool {
    const LEN_MIN: usize = 10;
    const CHANGES_MIN: usize = 2;
    let is_odd = |pair: &&[u8]| match pair {
        [a @ b'a'..=b'z', b @ b'a'..=b'z'] => {
            let following = FOLLOWING.get(usize::from(a - b'a'));
            !following.is_some_and(|letters| letters.as_bytes().contains(b))
        }
        [a, b] => a.is_ascii_digit() != b.is_ascii_digit(),
        _ => false,
    };
    let is_word = label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let odd = label.as_bytes().windows(2).filter(is_odd).count();
    let is_mixed = switches(label) >= CHANGES_MIN;
    let is_long = label.len() >= TOKEN_LEN_MIN && odd * 3 >= label.len();
    let is_dense = label.len() >= LEN_MIN && is_mixed && (odd + 1) * 5 > label.len() * 2;
    is_word && digits(label) < label.len() && (is_long || is_dense)
}

/// Returns the number of runs of digits, of capitals, and of small letters with the capital before
/// them.
fn pieces(word: &str) -> usize {
    let begins = |pair: &&[u8]| match pair {
        [a, b] if a.is_ascii_digit() || b.is_ascii_digit() => {
            a.is_ascii_digit() != b.is_ascii_digit()
        }
        [a, b] => a.is_ascii_lowercase() && b.is_ascii_uppercase(),
        _ => false,
    };
    let humps = |triple: &&[u8]| match triple {
        [a, b, c] => a.is_ascii_uppercase() && b.is_ascii_uppercase() && c.is_ascii_lowercase(),
        _ => false,
    };
    let bytes = word.as_bytes();
    1 + bytes.windows(2).filter(begins).count() + bytes.windows(3).filter(humps).count()
}

/// Reports whether hardly a letter is a vowel: of words in languages with spaces, a third are.
fn is_unspeakable(word: &str) -> bool {
    let vowels = word.bytes().filter(|byte| b"aeiouyAEIOUY".contains(byte)).count();
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    letters >= TOKEN_LEN_MIN && vowels * 9 < letters * 2
}

/// Reports whether a fifth of the letters of `word` or more are vowels, or none is of US-ASCII.
pub(super) fn is_speakable(word: &str) -> bool {
    let vowels = word.bytes().filter(|byte| b"aeiouyAEIOUY".contains(byte)).count();
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    vowels * 5 >= letters
}

/// Reports whether `text` holds a mail address: `j.doe@b.example`, as Mailman writes it, or
/// encoded.
pub(super) fn has_address(text: &str) -> bool {
    has_plain_address(text) || has_coded_address(text)
}

fn has_plain_address(text: &str) -> bool {
    let is_domain = |text: &str| {
        let is_label = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
        let end = text.find(|c| !is_label(c)).unwrap_or(text.len());
        let name = text.get(..end).unwrap_or_default().trim_end_matches('.');
        let top = name.rsplit_once('.').map_or("", |(_, top)| top);
        top.len() > 1 && top.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    ["@", "--at--", "(at)", "[at]"].into_iter().any(|sign| {
        text.match_indices(sign).any(|(at, _)| {
            let (before, after) = (text.get(..at), text.get(at + sign.len()..));
            let is_local = |c: char| c.is_ascii_alphanumeric() || "+-_.=".contains(c);
            before.is_some_and(|text| text.ends_with(is_local)) && after.is_some_and(is_domain)
        })
    })
}

/// Reports whether `text` is a Message-ID (RFC 5322 §3.6.4) in the path of an archive: its left
/// side is longer than people's names are, and holds digits.
pub(super) fn is_message_id(text: &str) -> bool {
    const LEFT_LEN_MIN: usize = 12;
    const DIGITS_MIN: usize = 3;
    let Some((left, right)) = text.split_once('@') else { return false };
    let is_plain = !right.contains(['@', '=']) && !left.contains('=');
    is_plain && left.len() >= LEFT_LEN_MIN && digits(left) >= DIGITS_MIN
}

#[cfg(test)]
mod tests {
    use super::{decoded, has_address, is_improbable, is_in, is_message_id};

    #[test]
    fn labels_of_people_are_told_from_random_ones() {
        for text in ["wqhzkxtbvnmcjfpd", "a7k2q9xw3b", "jbswy3dpeblw64tm", "xkqzvbwjthgfmcpr"] {
            assert!(is_improbable(text), "{text}");
        }
        for text in [
            "stackoverflow",
            "kccncna2026",
            "donaudampfschifffahrt",
            "internationalisation",
            "raw2githubmirror",
            "openstreetmaps",
            "20260406123000",
            "kubernetes1dashboard",
        ] {
            assert!(!is_improbable(text), "{text}");
        }
    }

    #[test]
    fn what_a_machine_made_is_seen() {
        for text in [
            "9f86d081884c7d65",
            "9F86D081884C7D659A2FEAA0C55AD015",
            "ORSXG5BAMFXGIIDUN5VWK3TT",
            "Xy7_-aQ2k9-_Zp0Lw3Rt",
            "qWeRtYuIoPaSdFgHjKl",
            "kjhsdfkjhwrtnsdfkl",
            "a8Kd03Lq9ZxT",
            "12345678901234567890",
            "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.x",
            "1234-9f86d081884c7d65",
        ] {
            assert!(is_in(text), "{text}");
        }
    }

    #[test]
    fn what_people_write_is_not() {
        for text in [
            "",
            "donaudampfschifffahrtsgesellschaft",
            "how-to-parse-uris-in-2019",
            "AbstractSingletonProxyFactoryBean",
            "ubuntu-22.04.3-desktop-amd64.iso",
            "dQw4w9WgXcQ",
            "1234567890123456789",
            "20190405T123456Z",
            "KBN1X10ZY",
            "Uniform_Resource_Locator_(RFC_1738)",
            "aaaaaaaaaaaaaaaaaaaaaaaa",
        ] {
            assert!(!is_in(text), "{text}");
        }
    }

    #[test]
    fn percent_encodings_are_decoded_twice() {
        assert_eq!(decoded(b"%75n%2573ub%"), "unsub%");
        assert_eq!(decoded(b"%C3%BC%ff%4"), "ü\u{FFFD}%4");
    }

    #[test]
    fn addresses_are_told_from_message_ids_and_places() {
        for text in ["j.doe@b.example", "x=j@b.example&", "j--at--b.example", "a@b.co.uk"] {
            assert!(has_address(text), "{text}");
        }
        for text in ["@38.7,-9.2,12z", "react@16.8.0", "@jane", "a@b", "", "@b.example"] {
            assert!(!has_address(text), "{text}");
        }
        assert!(is_message_id("20210514093012.4321-1-dev@example.org"));
        assert!(!is_message_id("karl42@example.org"));
        assert!(!is_message_id("bounce-123456-anna=b.example@lists.example"));
    }
}
