//! Finds characters that browsers do not allow in the name of a host.
//!
//! The measure is the General Security Profile of UTS 39 §3.1: letters, marks and digits of the
//! scripts in modern use (UAX 31 Table 5), without letters of phonetics, old texts and mathematics.
//! Latin, Greek, Cyrillic, Georgian, Hebrew, Hangul and the kana have ranges of their own, because
//! their blocks hold most of these excluded letters; in the other scripts every letter, mark and
//! digit passes.

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;
use unicode_script::{Script, UnicodeScript as _};

/// Top-level domains whose registries sell names with symbols, although IDNA 2008 has none (RFC
/// 5892 §2).
const SYMBOL_TOPS: [&str; 10] = ["cf", "fm", "ga", "gq", "je", "kz", "ml", "st", "to", "ws"];

/// Returns the first character of `label` that is unusual in names, and its index.
///
/// A label of a single symbol imitates nothing, and passes; so do symbols under [`SYMBOL_TOPS`].
pub(super) fn stranger(label: &str, top: &str) -> Option<(usize, char)> {
    let found = label.chars().enumerate().find(|&(_, char)| !is_usual(char))?;
    let is_alone = label.chars().nth(1).is_none() || SYMBOL_TOPS.contains(&top);
    (!(is_alone && is_symbol(found.1))).then_some(found)
}

fn category(char: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(char)
}

/// Reports whether `char` is a mark drawn over, under or beside a letter.
pub(super) fn is_mark(char: char) -> bool {
    use GeneralCategory::{EnclosingMark, NonspacingMark, SpacingMark};
    matches!(category(char), EnclosingMark | NonspacingMark | SpacingMark)
}

/// Reports whether `char` is a decimal digit of any script.
pub(super) fn is_digit(char: char) -> bool {
    category(char) == GeneralCategory::DecimalNumber
}

fn is_symbol(char: char) -> bool {
    use GeneralCategory::{CurrencySymbol, MathSymbol, ModifierSymbol, OtherSymbol};
    matches!(category(char), CurrencySymbol | MathSymbol | ModifierSymbol | OtherSymbol)
}

/// Returns a noun for a character that belongs to no script.
pub(super) fn noun(char: char) -> &'static str {
    use GeneralCategory::{Control, DashPunctuation, DecimalNumber, Format, SpaceSeparator};
    match category(char) {
        DashPunctuation => "a dash",
        Control => "a control character",
        DecimalNumber => "a digit",
        Format => "an invisible character",
        SpaceSeparator => "a blank",
        _ if is_mark(char) => "a combining mark",
        _ if is_symbol(char) => "a symbol",
        _ if char.is_alphabetic() => "a letter of no script",
        _ => "a punctuation mark",
    }
}

fn is_usual(char: char) -> bool {
    if char.is_ascii() {
        return true;
    }
    match char.script() {
        Script::Latin => is_within(char, LATIN),
        Script::Greek => is_within(char, GREEK),
        Script::Cyrillic => is_within(char, CYRILLIC),
        Script::Georgian => ('\u{10D0}'..='\u{10FF}').contains(&char) && char != '\u{10FB}',
        Script::Hebrew => is_within(char, HEBREW),
        // Single jamo are for old texts; modern syllables have characters of their own.
        Script::Hangul => ('\u{AC00}'..='\u{D7A3}').contains(&char),
        // The halves of syllables and the marks above U+31F0 are for Ainu and old texts.
        Script::Hiragana => ('\u{3041}'..='\u{309F}').contains(&char),
        Script::Katakana => ('\u{30A1}'..='\u{30FE}').contains(&char),
        Script::Common | Script::Inherited => is_within(char, SHARED),
        // An unassigned character is invalid, which another check reports.
        Script::Unknown => true,
        // Numerals of traders, and a mark of repetition, which IDNA 2008 does not allow.
        Script::Han if matches!(char, '\u{3021}'..='\u{3029}' | '\u{303B}') => false,
        script => SCRIPTS.contains(&script) && (char.is_alphanumeric() || is_mark(char)),
    }
}

type Ranges = &'static [(u32, u32)];

fn is_within(char: char, ranges: Ranges) -> bool {
    let number = u32::from(char);
    ranges.iter().any(|&(first, last)| (first..=last).contains(&number))
}

/// Scripts in modern use (UAX 31 Table 5), without those that have ranges of their own.
const SCRIPTS: [Script; 21] = [
    Script::Arabic,
    Script::Armenian,
    Script::Bengali,
    Script::Bopomofo,
    Script::Devanagari,
    Script::Ethiopic,
    Script::Gujarati,
    Script::Gurmukhi,
    Script::Han,
    Script::Kannada,
    Script::Khmer,
    Script::Lao,
    Script::Malayalam,
    Script::Myanmar,
    Script::Oriya,
    Script::Sinhala,
    Script::Tamil,
    Script::Telugu,
    Script::Thaana,
    Script::Thai,
    Script::Tibetan,
];

/// Small letters of living orthographies. U+0138 is omitted: it is from old Greenlandic.
const LATIN: Ranges = &[
    (0xDF, 0x137),
    (0x139, 0x17E),
    // Hausa, Vietnamese, Fulfulde; African, Pinyin, Skolt Sami, Livonian and Romanian letters.
    (0x192, 0x192),
    (0x199, 0x199),
    (0x1A1, 0x1A1),
    (0x1B0, 0x1B0),
    (0x1B4, 0x1B4),
    (0x1CE, 0x1DD),
    (0x1E5, 0x1EF),
    (0x1F9, 0x1F9),
    (0x219, 0x21B),
    (0x21F, 0x21F),
    (0x22B, 0x233),
    (0x24D, 0x24D),
    (0x253, 0x254),
    (0x256, 0x257),
    (0x259, 0x259),
    (0x25B, 0x25B),
    (0x263, 0x263),
    (0x268, 0x269),
    (0x272, 0x272),
    (0x289, 0x289),
    (0x28B, 0x28B),
    (0x292, 0x292),
    (0x1E00, 0x1E99),
    (0x1EA0, 0x1EF9),
];

/// Modern Greek, and the letters of polytonic texts, which the registry of `.gr` allows.
const GREEK: Ranges = &[(0x390, 0x390), (0x3AC, 0x3CE), (0x1F00, 0x1FFC)];

/// Letters of living orthographies. Omitted are those of old Komi, Kildin Sami and church books,
/// which no hosts are named in.
const CYRILLIC: Ranges = &[
    (0x430, 0x45F),
    (0x491, 0x491),
    (0x493, 0x493),
    (0x495, 0x495),
    (0x497, 0x497),
    (0x499, 0x499),
    (0x49B, 0x49B),
    (0x49F, 0x49F),
    (0x4A1, 0x4A1),
    (0x4A3, 0x4A3),
    (0x4A5, 0x4A5),
    (0x4A9, 0x4A9),
    (0x4AB, 0x4AB),
    (0x4AD, 0x4AD),
    (0x4AF, 0x4AF),
    (0x4B1, 0x4B1),
    (0x4B3, 0x4B3),
    (0x4B5, 0x4B5),
    (0x4B7, 0x4B7),
    (0x4BB, 0x4BB),
    (0x4BD, 0x4BD),
    (0x4BF, 0x4BF),
    (0x4CF, 0x4F5),
    (0x4F9, 0x4F9),
    (0x525, 0x525),
];

/// Letters, geresh and gershayim; vowel points are for prayer books and for children.
const HEBREW: Ranges = &[(0x5D0, 0x5EA), (0x5EF, 0x5F4)];

/// Characters of several scripts: the middle dot of Catalan, marks of vowels and tones, joiners,
/// whose contexts IDNA checks, and characters that kana share.
const SHARED: Ranges = &[
    (0xB7, 0xB7),
    (0x300, 0x304),
    (0x306, 0x30C),
    (0x30F, 0x30F),
    (0x311, 0x311),
    (0x31B, 0x31B),
    (0x323, 0x328),
    (0x32D, 0x32E),
    (0x330, 0x331),
    (0x64B, 0x655),
    (0x660, 0x669),
    (0x670, 0x670),
    (0x200C, 0x200D),
    (0x3006, 0x3006),
    (0x3099, 0x309A),
    (0x30FB, 0x30FC),
];

#[cfg(test)]
mod tests {
    use unicode_script::{Script, UnicodeScript as _};
    use unicode_security::GeneralSecurityProfile as _;

    use super::is_usual;

    /// Every small character of the profile, except for those that browsers also refuse.
    #[test]
    fn what_the_profile_allows_is_usual() {
        // An apostrophe, dashes, dots and a double hyphen that imitate those of a host.
        let refused = "\u{2bb}\u{2bc}\u{58a}\u{6fd}\u{6fe}\u{2010}\u{2019}\u{2027}\u{30a0}\u{f0b}";
        let small = |char: &char| char.to_lowercase().eq([*char]);
        let missing: String = ('\u{80}'..=char::MAX)
            .filter(|char| char.identifier_allowed() && small(char))
            // Signs for old Tamil texts, which no host has.
            .filter(|char| char.script() != Script::Grantha)
            // Devanagari Extended-A (Unicode 15), of old manuscripts and songs.
            .filter(|char| !('\u{11B00}'..='\u{11B5F}').contains(char))
            .filter(|char| !is_usual(*char) && !refused.contains(*char))
            .collect();
        assert_eq!(missing, "");
    }

    /// This list is wider than the profile in some places, on purpose.
    #[test]
    fn what_is_usual_beyond_the_profile_is_known() {
        let own = [Script::Latin, Script::Cyrillic, Script::Greek, Script::Common];
        let wider = ('\u{80}'..='\u{2fff}')
            .filter(|char| own.contains(&char.script()) && char.to_lowercase().eq([*char]))
            .filter(|&char| is_usual(char) && !char.identifier_allowed())
            .count();
        assert!(wider < 400, "{wider}");
    }
}
