//! Classifies characters outside US-ASCII that end a URI in text, or are not part of it at its end.
//!
//! RFC 3987 allows nearly every character in an IRI, and prose puts punctuation around it. So
//! brackets and quotation marks end an IRI, and other punctuation does at its end. Tables are of
//! Unicode 16, from its general categories.

/// The role of a character in the text of a bare URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Belongs to the URI.
    Inside,
    /// Ends the URI.
    Ends,
    /// Belongs to the URI unless it comes last.
    Trails,
}

/// Returns the role of a character outside US-ASCII.
pub(super) fn role(character: char) -> Role {
    let code = u32::from(character);
    if is_in(ENDING, code) || is_in(CLOSERS, code) {
        Role::Ends
    } else if is_in(PUNCTUATION, code) || is_in(DASHES, code) || is_in(TRAILING, code) {
        Role::Trails
    } else {
        Role::Inside
    }
}

fn is_in(ranges: &[(u32, u32)], code: u32) -> bool {
    let after = ranges.partition_point(|&(first, _)| first <= code);
    after.checked_sub(1).and_then(|idx| ranges.get(idx)).is_some_and(|&(_, last)| code <= last)
}

/// Returns the character that begins at `at`, if it is outside US-ASCII and the bytes there are
/// UTF-8.
pub(super) fn char_at(bytes: &[u8], at: usize) -> Option<char> {
    let len = match bytes.get(at)? {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    std::str::from_utf8(bytes.get(at..at + len)?).ok()?.chars().next()
}

/// Returns the character outside US-ASCII that ends before `end`, if the bytes there are UTF-8.
pub(super) fn char_before(bytes: &[u8], end: usize) -> Option<char> {
    let first = (2..=4).find(|back| {
        end.checked_sub(*back).and_then(|at| bytes.get(at)).is_some_and(|byte| *byte >= 0xC0)
    })?;
    char_at(bytes, end - first).filter(|character| character.len_utf8() == first)
}

/// Reports whether a letter of Latin, Greek or Cyrillic outside US-ASCII, or an accent on one, ends
/// before `end`. In these scripts, unlike Chinese or Japanese, blanks separate words.
pub(super) fn ends_in_letter(bytes: &[u8], end: usize) -> bool {
    char_before(bytes, end).is_some_and(|character| match character {
        '\u{C0}'..'\u{250}' | '\u{370}'..'\u{530}' => character.is_alphabetic(),
        '\u{300}'..'\u{370}' => true,
        _ => false,
    })
}

/// Reports whether `character` is of a script whose words need no blanks between them, or are
/// written directly after a foreign word: those of Thailand, Laos, Myanmar, Cambodia, China, Japan
/// and Korea.
pub(super) fn needs_no_blank(character: char) -> bool {
    is_in(WITHOUT_BLANKS, u32::from(character))
}

/// Reports whether `character` is a sign that no name of a top-level domain has: a symbol, a digit
/// above or below the line, or an accent or a prime that replaces an apostrophe.
pub(super) fn is_sign(character: char) -> bool {
    is_in(SIGNS, u32::from(character))
}

/// Returns the length of the character that ends before `end`, if a reader sees nothing of it and
/// it changes nothing there: a soft hyphen, a joiner after which nothing follows, or the form of a
/// letter of US-ASCII. In scripts of India, a joiner at the end changes the form of a letter.
pub(super) fn unseen_len(bytes: &[u8], end: usize) -> Option<usize> {
    let last = char_before(bytes, end)?;
    let before = || char_before(bytes, end - last.len_utf8());
    let is_one = match last {
        '\u{AD}' | '\u{34F}' | '\u{206A}'..='\u{206F}' => true,
        '\u{200C}' | '\u{200D}' => !matches!(before(), Some('\u{900}'..='\u{DFF}')),
        '\u{FE00}'..='\u{FE0F}' => before().is_none(),
        _ => false,
    };
    is_one.then_some(last.len_utf8())
}

/// Blocks of symbols without letters that a name may have, and single signs in other blocks.
const SIGNS: &[(u32, u32)] = &[
    (0x00A2, 0x00A9),
    (0x00AC, 0x00AC),
    (0x00AE, 0x00B6),
    (0x00B8, 0x00B9),
    (0x00BC, 0x00BF),
    (0x00D7, 0x00D7),
    (0x00F7, 0x00F7),
    (0x02BC, 0x02BC),
    (0x2030, 0x2037),
    (0x2070, 0x209C),
    (0x20A0, 0x20FF),
    (0x2100, 0x2BFF),
    (0x3012, 0x3013),
    (0x3200, 0x33FF),
    (0xFE00, 0xFE0F),
    (0xFF03, 0xFF07),
    (0xFF0A, 0xFF0B),
    (0xFF1C, 0xFF1E),
    (0xFF3E, 0xFF40),
    (0xFF5E, 0xFF5E),
    (0xFFE0, 0xFFEE),
    (0x1F000, 0x1FAFF),
];

/// The blocks of these scripts.
const WITHOUT_BLANKS: &[(u32, u32)] = &[
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1100, 0x11FF),
    (0x1780, 0x17FF),
    (0x2E80, 0x2FDF),
    (0x3005, 0x9FFF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC),
    (0x20000, 0x3FFFF),
];

/// Blanks, characters that look like blanks, and line breaks; marks of direction, which RFC 3987
/// §4.1 forbids, and others that nobody sees; dashes that separate clauses; lines of tables;
/// ornamental quotation marks; marks that end a sentence in scripts without blanks between words,
/// with their full-width, half-width and small forms; the specials.
const ENDING: &[(u32, u32)] = &[
    (0x0080, 0x00A0),
    (0x061C, 0x061C),
    (0x0F0D, 0x0F0E),
    (0x104A, 0x104B),
    (0x115F, 0x1160),
    (0x1680, 0x1680),
    (0x17D4, 0x17D5),
    (0x180E, 0x180E),
    (0x2000, 0x200B),
    (0x200E, 0x200F),
    (0x2014, 0x2015),
    (0x2028, 0x202F),
    (0x205F, 0x2064),
    (0x2066, 0x2069),
    (0x2500, 0x257F),
    (0x275B, 0x275E),
    (0x2800, 0x2800),
    (0x3000, 0x3002),
    (0x3164, 0x3164),
    (0xFE50, 0xFE52),
    (0xFE54, 0xFE57),
    (0xFEFF, 0xFEFF),
    (0xFF01, 0xFF02),
    (0xFF0C, 0xFF0C),
    (0xFF0E, 0xFF0E),
    (0xFF1A, 0xFF1C),
    (0xFF1E, 0xFF1F),
    (0xFF5C, 0xFF5C),
    (0xFF61, 0xFF61),
    (0xFF64, 0xFF64),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFF),
];

/// Arrows, heavy marks of exclamations and questions, and full-width forms of marks that are
/// symbols by their categories.
const TRAILING: &[(u32, u32)] = &[
    (0x2190, 0x21FF),
    (0x2753, 0x2755),
    (0x2757, 0x2757),
    (0x2763, 0x2763),
    (0xFF0B, 0xFF0B),
    (0xFF1D, 0xFF1D),
    (0xFF3E, 0xFF40),
    (0xFF5E, 0xFF5E),
];

/// General categories Ps, Pe, Pi and Pf.
#[rustfmt::skip]
const CLOSERS: &[(u32, u32)] = &[
    (0x00AB, 0x00AB), (0x00BB, 0x00BB), (0x0F3A, 0x0F3D), (0x169B, 0x169C), (0x2018, 0x201F),
    (0x2039, 0x203A), (0x2045, 0x2046), (0x207D, 0x207E), (0x208D, 0x208E), (0x2308, 0x230B),
    (0x2329, 0x232A), (0x2768, 0x2775), (0x27C5, 0x27C6), (0x27E6, 0x27EF), (0x2983, 0x2998),
    (0x29D8, 0x29DB), (0x29FC, 0x29FD), (0x2E02, 0x2E05), (0x2E09, 0x2E0A), (0x2E0C, 0x2E0D),
    (0x2E1C, 0x2E1D), (0x2E20, 0x2E29), (0x2E42, 0x2E42), (0x2E55, 0x2E5C), (0x3008, 0x3011),
    (0x3014, 0x301B), (0x301D, 0x301F), (0xFD3E, 0xFD3F), (0xFE17, 0xFE18), (0xFE35, 0xFE44),
    (0xFE47, 0xFE48), (0xFE59, 0xFE5E), (0xFF08, 0xFF09), (0xFF3B, 0xFF3B), (0xFF3D, 0xFF3D),
    (0xFF5B, 0xFF5B), (0xFF5D, 0xFF5D), (0xFF5F, 0xFF60), (0xFF62, 0xFF63),
];

/// General category Po.
#[rustfmt::skip]
const PUNCTUATION: &[(u32, u32)] = &[
    (0x00A1, 0x00A1), (0x00A7, 0x00A7), (0x00B6, 0x00B7), (0x00BF, 0x00BF), (0x037E, 0x037E),
    (0x0387, 0x0387), (0x055A, 0x055F), (0x0589, 0x0589), (0x05C0, 0x05C0), (0x05C3, 0x05C3),
    (0x05C6, 0x05C6), (0x05F3, 0x05F4), (0x0609, 0x060A), (0x060C, 0x060D), (0x061B, 0x061B),
    (0x061D, 0x061F), (0x066A, 0x066D), (0x06D4, 0x06D4), (0x0700, 0x070D), (0x07F7, 0x07F9),
    (0x0830, 0x083E), (0x085E, 0x085E), (0x0964, 0x0965), (0x0970, 0x0970), (0x09FD, 0x09FD),
    (0x0A76, 0x0A76), (0x0AF0, 0x0AF0), (0x0C77, 0x0C77), (0x0C84, 0x0C84), (0x0DF4, 0x0DF4),
    (0x0E4F, 0x0E4F), (0x0E5A, 0x0E5B), (0x0F04, 0x0F12), (0x0F14, 0x0F14), (0x0F85, 0x0F85),
    (0x0FD0, 0x0FD4), (0x0FD9, 0x0FDA), (0x104A, 0x104F), (0x10FB, 0x10FB), (0x1360, 0x1368),
    (0x166E, 0x166E), (0x16EB, 0x16ED), (0x1735, 0x1736), (0x17D4, 0x17D6), (0x17D8, 0x17DA),
    (0x1800, 0x1805), (0x1807, 0x180A), (0x1944, 0x1945), (0x1A1E, 0x1A1F), (0x1AA0, 0x1AA6),
    (0x1AA8, 0x1AAD), (0x1B4E, 0x1B4F), (0x1B5A, 0x1B60), (0x1B7D, 0x1B7F), (0x1BFC, 0x1BFF),
    (0x1C3B, 0x1C3F), (0x1C7E, 0x1C7F), (0x1CC0, 0x1CC7), (0x1CD3, 0x1CD3), (0x2016, 0x2017),
    (0x2020, 0x2027), (0x2030, 0x2038), (0x203B, 0x203E), (0x2041, 0x2043), (0x2047, 0x2051),
    (0x2053, 0x2053), (0x2055, 0x205E), (0x2CF9, 0x2CFC), (0x2CFE, 0x2CFF), (0x2D70, 0x2D70),
    (0x2E00, 0x2E01), (0x2E06, 0x2E08), (0x2E0B, 0x2E0B), (0x2E0E, 0x2E16), (0x2E18, 0x2E19),
    (0x2E1B, 0x2E1B), (0x2E1E, 0x2E1F), (0x2E2A, 0x2E2E), (0x2E30, 0x2E39), (0x2E3C, 0x2E3F),
    (0x2E41, 0x2E41), (0x2E43, 0x2E4F), (0x2E52, 0x2E54), (0x3001, 0x3003), (0x303D, 0x303D),
    (0x30FB, 0x30FB), (0xA4FE, 0xA4FF), (0xA60D, 0xA60F), (0xA673, 0xA673), (0xA67E, 0xA67E),
    (0xA6F2, 0xA6F7), (0xA874, 0xA877), (0xA8CE, 0xA8CF), (0xA8F8, 0xA8FA), (0xA8FC, 0xA8FC),
    (0xA92E, 0xA92F), (0xA95F, 0xA95F), (0xA9C1, 0xA9CD), (0xA9DE, 0xA9DF), (0xAA5C, 0xAA5F),
    (0xAADE, 0xAADF), (0xAAF0, 0xAAF1), (0xABEB, 0xABEB), (0xFE10, 0xFE16), (0xFE19, 0xFE19),
    (0xFE30, 0xFE30), (0xFE45, 0xFE46), (0xFE49, 0xFE4C), (0xFE50, 0xFE52), (0xFE54, 0xFE57),
    (0xFE5F, 0xFE61), (0xFE68, 0xFE68), (0xFE6A, 0xFE6B), (0xFF01, 0xFF03), (0xFF05, 0xFF07),
    (0xFF0A, 0xFF0A), (0xFF0C, 0xFF0C), (0xFF0E, 0xFF0F), (0xFF1A, 0xFF1B), (0xFF1F, 0xFF20),
    (0xFF3C, 0xFF3C), (0xFF61, 0xFF61), (0xFF64, 0xFF65), (0x10100, 0x10102),
    (0x1039F, 0x1039F), (0x103D0, 0x103D0), (0x1056F, 0x1056F), (0x10857, 0x10857),
    (0x1091F, 0x1091F), (0x1093F, 0x1093F), (0x10A50, 0x10A58), (0x10A7F, 0x10A7F),
    (0x10AF0, 0x10AF6), (0x10B39, 0x10B3F), (0x10B99, 0x10B9C), (0x10F55, 0x10F59),
    (0x10F86, 0x10F89), (0x11047, 0x1104D), (0x110BB, 0x110BC), (0x110BE, 0x110C1),
    (0x11140, 0x11143), (0x11174, 0x11175), (0x111C5, 0x111C8), (0x111CD, 0x111CD),
    (0x111DB, 0x111DB), (0x111DD, 0x111DF), (0x11238, 0x1123D), (0x112A9, 0x112A9),
    (0x113D4, 0x113D5), (0x113D7, 0x113D8), (0x1144B, 0x1144F), (0x1145A, 0x1145B),
    (0x1145D, 0x1145D), (0x114C6, 0x114C6), (0x115C1, 0x115D7), (0x11641, 0x11643),
    (0x11660, 0x1166C), (0x116B9, 0x116B9), (0x1173C, 0x1173E), (0x1183B, 0x1183B),
    (0x11944, 0x11946), (0x119E2, 0x119E2), (0x11A3F, 0x11A46), (0x11A9A, 0x11A9C),
    (0x11A9E, 0x11AA2), (0x11B00, 0x11B09), (0x11BE1, 0x11BE1), (0x11C41, 0x11C45),
    (0x11C70, 0x11C71), (0x11EF7, 0x11EF8), (0x11F43, 0x11F4F), (0x11FFF, 0x11FFF),
    (0x12470, 0x12474), (0x12FF1, 0x12FF2), (0x16A6E, 0x16A6F), (0x16AF5, 0x16AF5),
    (0x16B37, 0x16B3B), (0x16B44, 0x16B44), (0x16D6D, 0x16D6F), (0x16E97, 0x16E9A),
    (0x16FE2, 0x16FE2), (0x1BC9F, 0x1BC9F), (0x1DA87, 0x1DA8B), (0x1E5FF, 0x1E5FF),
    (0x1E95E, 0x1E95F),
];

/// General category Pd.
#[rustfmt::skip]
const DASHES: &[(u32, u32)] = &[
    (0x058A, 0x058A), (0x05BE, 0x05BE), (0x1400, 0x1400), (0x1806, 0x1806), (0x2010, 0x2015),
    (0x2E17, 0x2E17), (0x2E1A, 0x2E1A), (0x2E3A, 0x2E3B), (0x2E40, 0x2E40), (0x2E5D, 0x2E5D),
    (0x301C, 0x301C), (0x3030, 0x3030), (0x30A0, 0x30A0), (0xFE31, 0xFE32), (0xFE58, 0xFE58),
    (0xFE63, 0xFE63), (0xFF0D, 0xFF0D), (0x10D6E, 0x10D6E), (0x10EAD, 0x10EAD),
];

#[cfg(test)]
mod tests {
    use super::{CLOSERS, DASHES, ENDING, PUNCTUATION, Role, is_in, role};
    use super::{char_at, char_before, unseen_len};

    #[test]
    fn the_tables_are_the_general_categories() {
        let tables = [
            (CLOSERS, r"[\p{Ps}\p{Pe}\p{Pi}\p{Pf}]"),
            (PUNCTUATION, r"\p{Po}"),
            (DASHES, r"\p{Pd}"),
        ];
        for (table, pattern) in tables {
            let pattern = regex::Regex::new(pattern).unwrap();
            for character in ('\u{80}'..=char::MAX).step_by(1) {
                let expected = pattern.is_match(character.encode_utf8(&mut [0; 4]));
                assert_eq!(is_in(table, u32::from(character)), expected, "{character:?}");
            }
        }
    }

    #[test]
    fn every_blank_ends_a_uri() {
        let pattern = regex::Regex::new(r"[\p{Z}\p{Cc}]").unwrap();
        for character in '\u{80}'..=char::MAX {
            if pattern.is_match(character.encode_utf8(&mut [0; 4])) {
                assert!(is_in(ENDING, u32::from(character)), "{character:?}");
            }
        }
    }

    #[test]
    fn letters_stay_and_quotation_marks_end() {
        assert_eq!(role('é'), Role::Inside);
        assert_eq!(role('»'), Role::Ends);
        assert_eq!(role('…'), Role::Trails);
        assert_eq!(role('–'), Role::Trails);
        assert_eq!(role('～'), Role::Trails);
        assert_eq!(role('＞'), Role::Ends);
        assert_eq!(role('｡'), Role::Ends);
        assert_eq!(role('❞'), Role::Ends);
        assert_eq!(role('\u{2800}'), Role::Ends);
        assert_eq!(role('❗'), Role::Trails);
    }

    #[test]
    fn characters_are_read_forwards_and_backwards() {
        let text = "a\u{e9}\u{20ac}\u{1f600}".as_bytes();
        assert_eq!([1, 3, 6].map(|at| char_at(text, at)), [Some('é'), Some('€'), Some('😀')]);
        assert_eq!([3, 6, 10].map(|at| char_before(text, at)), [Some('é'), Some('€'), Some('😀')]);
        assert_eq!(char_at(text, 2), None);
        assert_eq!(char_before(text, 2), None);
        assert_eq!(char_before(b"\xE9", 1), None);
    }
    #[test]
    fn a_reader_may_see_nothing_of_the_last_character() {
        let len = |text: &str| unseen_len(text.as_bytes(), text.len());
        assert_eq!(["a\u{AD}", "é\u{34F}", "a\u{206A}"].map(len), [Some(2), Some(2), Some(3)]);
        assert_eq!(["a\u{200C}", "ی\u{200D}"].map(len), [Some(3); 2]);
        assert_eq!(["a\u{FE0F}", "/\u{FE0E}"].map(len), [Some(3); 2]);
        // A letter of Malayalam, an emoji, and a letter after the joiner.
        assert_eq!(["ന\u{D4D}\u{200D}", "⭐\u{FE0F}", "ی\u{200C}ی", "a"].map(len), [None; 4]);
    }
}
