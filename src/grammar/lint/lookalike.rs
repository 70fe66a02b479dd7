//! Letters that look like Latin letters or digits, script by script, and the domains where each
//! script is at home.
//!
//! `letters` are the rows of UTS 39's `confusables.txt` for small letters, as tests verify. `drawn`
//! is our own choice: letters that the file distinguishes, but that readers mistake for Latin
//! letters in the fonts of an address bar, where a stroke or a hook is one pixel.

use unicode_script::{Script, UnicodeScript as _};

use super::identifier::{is_digit, noun};

type Letters = &'static [(char, &'static str)];

/// A script that looks like Latin, or whose digits make numbers.
pub(super) struct Likeness {
    pub(super) script: Script,
    /// Top-level domains of the countries where it is written.
    pub(super) homes: &'static [&'static str],
    pub(super) letters: Letters,
    pub(super) drawn: Letters,
}

impl Likeness {
    /// Returns the table of `script`.
    pub(super) fn of(script: Script) -> Option<&'static Self> {
        LIKENESSES.iter().find(|likeness| likeness.script == script)
    }

    /// Reports whether the script is at home under the top-level domain `top`.
    ///
    /// Owners there have no reason to imitate Latin, and many short words consist of such letters.
    pub(super) fn is_home(&self, top: &str) -> bool {
        top.chars().any(|char| char.script() == self.script) || self.homes.contains(&top)
    }

    /// Returns the Latin text that `char`, a letter of the script, looks like.
    pub(super) fn latin(&self, char: char) -> Option<&'static str> {
        let mut rows = self.letters.iter().chain(self.drawn);
        rows.find(|(letter, _)| *letter == char).map(|(_, latin)| *latin)
    }
}

/// Returns the Latin text that `char` looks like.
pub(super) fn latin(char: char) -> Option<&'static str> {
    let of_script = Likeness::of(char.script()).and_then(|likeness| likeness.latin(char));
    let row = |table: Letters| table.iter().find(|(letter, _)| *letter == char);
    of_script
        .or_else(|| row(LATIN).or_else(|| row(SIGNS)).map(|(_, latin)| *latin))
        .or_else(|| row(DIGITS).map(|(_, latin)| *latin))
}

/// Returns the digit that the letter `char` looks like among digits.
pub(super) fn digit(char: char) -> Option<&'static str> {
    let own = DIGITS.iter().find(|(letter, _)| *letter == char).map(|(_, digit)| *digit);
    own.or_else(|| match latin(char)? {
        "o" => Some("0"),
        "l" | "i" => Some("1"),
        "s" => Some("5"),
        "b" | "6" => Some("6"),
        _ => None,
    })
}

/// Returns the place and the character of a message, in US-ASCII: `character 2 is U+0440 (Cyrillic,
/// looks like "p")`. `index` counts from 0.
pub(super) fn place(index: usize, char: char) -> String {
    format!("character {} is {}", index + 1, described(char))
}

fn described(char: char) -> String {
    let script = char.script();
    let is_none = matches!(script, Script::Common | Script::Inherited | Script::Unknown);
    let name = if is_none { noun(char).to_owned() } else { script.full_name().replace('_', " ") };
    let kind = if !is_none && is_digit(char) { format!("{name} digit") } else { name };
    match latin(char).or_else(|| digit(char)) {
        Some(alike) => format!("U+{:04X} ({kind}, looks like \"{alike}\")", u32::from(char)),
        None => format!("U+{:04X} ({kind})", u32::from(char)),
    }
}

/// Signs that are not letters, and the characters that they pass for.
static SIGNS: Letters = &[
    ('\u{b7}', "."),
    ('\u{2027}', "."),
    ('\u{30fb}', "."),
    ('\u{2010}', "-"),
    ('\u{2011}', "-"),
    ('\u{2012}', "-"),
    ('\u{2013}', "-"),
    ('\u{2014}', "-"),
    ('\u{2015}', "-"),
    ('\u{2043}', "-"),
    ('\u{2212}', "-"),
    ('\u{2796}', "-"),
    ('\u{2cbb}', "-"),
    ('\u{2d7}', "-"),
    ('\u{58a}', "-"),
    ('\u{30a0}', "="),
    ('\u{30fc}', "-"),
    ('\u{2044}', "/"),
    ('\u{2215}', "/"),
    ('\u{29f8}', "/"),
    ('\u{338}', "/"),
    ('\u{30ce}', "/"),
    ('\u{1c3}', "!"),
    ('\u{2019}', "'"),
    ('\u{2bb}', "'"),
    ('\u{2bc}', "'"),
    ('\u{2039}', "<"),
    ('\u{203a}', ">"),
    ('\u{4e00}', "-"),
    ('\u{3127}', "-"),
    ('\u{4e28}', "l"),
    ('\u{4e36}', "\\"),
    ('\u{4e3f}', "/"),
    ('\u{4e40}', "\\"),
    ('\u{4e41}', "\\"),
    ('\u{4e01}', "t"),
    ('\u{4e03}', "t"),
    ('\u{4e05}', "t"),
    ('\u{4e06}', "t"),
    ('\u{4e2b}', "y"),
    ('\u{4e42}', "x"),
    ('\u{5341}', "+"),
    ('\u{5de5}', "i"),
    ('\u{3007}', "o"),
];

/// Latin letters that are not composed of a letter and a mark, and the plain letters that they look
/// like.
static LATIN: Letters = &[
    ('ß', "b"),
    ('æ', "ae"),
    ('ø', "o"),
    ('đ', "d"),
    ('ð', "d"),
    ('ħ', "h"),
    ('ı', "i"),
    ('ĸ', "k"),
    ('ǥ', "g"),
    ('ł', "l"),
    ('ŋ', "n"),
    ('œ', "oe"),
    ('ŧ', "t"),
    ('þ', "p"),
    ('ƒ', "f"),
    ('ƙ', "k"),
    ('ƅ', "b"),
    ('ƴ', "y"),
    ('ȷ', "j"),
    ('ɍ', "r"),
    ('ɓ', "b"),
    ('ɔ', "o"),
    ('ɖ', "d"),
    ('ɗ', "d"),
    ('ə', "e"),
    ('ɛ', "e"),
    ('ɡ', "g"),
    ('ɢ', "g"),
    ('ɣ', "y"),
    ('ɨ', "i"),
    ('ɩ', "i"),
    ('ɲ', "n"),
    ('ʉ', "u"),
    ('ʋ', "u"),
    ('ʟ', "l"),
    ('ᴏ', "o"),
    ('ᴡ', "w"),
    ('ᴇ', "e"),
    ('ⱴ', "v"),
];

/// Letters that look like a digit among digits, in the order of the digits.
static DIGITS: Letters = &[
    ('θ', "0"),
    ('ѳ', "0"),
    ('ө', "0"),
    ('ଠ', "0"),
    ('ഠ', "0"),
    ('ዐ', "0"),
    ('ဝ', "0"),
    ('ߊ', "1"),
    ('ꓲ', "1"),
    ('ا', "1"),
    ('ו', "1"),
    ('ן', "1"),
    ('շ', "2"),
    ('ƨ', "2"),
    ('ᒿ', "2"),
    ('տ', "2"),
    ('ટ', "2"),
    ('з', "3"),
    ('ҙ', "3"),
    ('ӡ', "3"),
    ('ӟ', "3"),
    ('э', "3"),
    ('є', "3"),
    ('ʒ', "3"),
    ('ǯ', "3"),
    ('ʓ', "3"),
    ('ȝ', "3"),
    ('ɜ', "3"),
    ('उ', "3"),
    ('ও', "3"),
    ('ਤ', "3"),
    ('ဒ', "3"),
    ('ვ', "3"),
    ('პ', "3"),
    ('კ', "3"),
    ('ჳ', "3"),
    ('ձ', "4"),
    ('ძ', "4"),
    ('ч', "4"),
    ('ҷ', "4"),
    ('ҹ', "4"),
    ('ӵ', "4"),
    ('ㄐ', "4"),
    ('Ꮞ', "4"),
    ('丩', "4"),
    ('կ', "4"),
    ('ƽ', "5"),
    ('ट', "5"),
    ('ട', "5"),
    ('ऽ', "5"),
    ('ડ', "5"),
    ('б', "6"),
    ('ճ', "6"),
    ('ნ', "6"),
    ('ь', "6"),
    ('ъ', "6"),
    ('ੜ', "6"),
    ('ר', "7"),
    ('ㄱ', "7"),
    ('ȣ', "8"),
    ('ଃ', "8"),
    ('զ', "9"),
    ('գ', "9"),
];

static LIKENESSES: &[Likeness] = &[
    Likeness {
        script: Script::Cyrillic,
        homes: &[
            "ba", "bg", "by", "kg", "kz", "me", "mk", "mn", "rs", "ru", "su", "tj", "ua", "uz",
        ],
        letters: &[
            ('а', "a"),
            ('б', "6"),
            ('г', "r"),
            ('е', "e"),
            ('о', "o"),
            ('р', "p"),
            ('с', "c"),
            ('у', "y"),
            ('х', "x"),
            ('ш', "w"),
            ('ѕ', "s"),
            ('і', "i"),
            ('ј', "j"),
            ('ѡ', "w"),
            ('ѵ', "v"),
            ('ѹ', "oy"),
            ('ү', "y"),
            ('һ', "h"),
            ('ҽ', "e"),
            ('ӏ', "l"),
            ('ӕ', "ae"),
            ('ԁ', "d"),
            ('ԛ', "q"),
            ('ԝ', "w"),
            ('ꙇ', "i"),
            ('ꚙ', "oo"),
        ],
        drawn: &[
            ('ъ', "b"),
            ('ь', "b"),
            ('п', "n"),
            ('ы', "bl"),
            ('ю', "lo"),
            ('ԍ', "g"),
            ('ԗ', "p"),
        ],
    },
    Likeness {
        script: Script::Greek,
        homes: &["cy", "gr"],
        letters: &[
            ('α', "a"),
            ('γ', "y"),
            ('ι', "i"),
            ('ν', "v"),
            ('ο', "o"),
            ('ρ', "p"),
            ('σ', "o"),
            ('υ', "u"),
            ('ϳ', "j"),
            ('ϸ', "p"),
        ],
        drawn: &[('η', "n"), ('κ', "k"), ('τ', "t"), ('χ', "x"), ('ω', "w"), ('ϼ', "p")],
    },
    Likeness {
        script: Script::Armenian,
        homes: &["am"],
        letters: &[
            ('ՠ', "rn"),
            ('ա', "w"),
            ('գ', "q"),
            ('զ', "q"),
            ('հ', "h"),
            ('յ', "j"),
            ('ո', "n"),
            ('ռ', "n"),
            ('ս', "u"),
            ('ց', "g"),
            ('ւ', "i"),
            ('ք', "f"),
            ('օ', "o"),
        ],
        drawn: &[('լ', "l"), ('փ', "p")],
    },
    Likeness {
        script: Script::Ethiopic,
        homes: &["er", "et"],
        letters: &[('ዐ', "o"), ('ሀ', "u")],
        drawn: &[
            ('ሠ', "w"),
            ('ሡ', "w"),
            ('ሐ', "m"),
            ('ሑ', "m"),
            ('ሰ', "h"),
            ('ሱ', "h"),
            ('ሸ', "h"),
            ('በ', "n"),
            ('ቡ', "n"),
            ('ተ', "t"),
            ('ቱ', "t"),
            ('ነ', "i"),
            ('አ', "h"),
            ('ዑ', "o"),
            ('ዘ', "h"),
            ('የ', "p"),
            ('ደ', "r"),
            ('ጠ', "m"),
            ('ፀ', "o"),
            ('ፐ', "t"),
        ],
    },
    Likeness {
        script: Script::Georgian,
        homes: &["ge"],
        letters: &[('ჿ', "o"), ('ჽ', "s"), ('ყ', "y")],
        drawn: &[('ი', "o"), ('ძ', "d"), ('ხ', "b"), ('ს', "b"), ('ჩ', "h")],
    },
    Likeness {
        script: Script::Hebrew,
        homes: &["il"],
        letters: &[('ו', "l"), ('ט', "v"), ('י', "'"), ('ן', "l"), ('ס', "o")],
        drawn: &[('ד', "t"), ('ח', "n")],
    },
    Likeness {
        script: Script::Devanagari,
        homes: &["in", "np"],
        letters: &[('०', "o"), ('३', "3")],
        drawn: &[('ऽ', "s"), ('उ', "3"), ('ट', "c")],
    },
    Likeness {
        script: Script::Bengali,
        homes: &["bd", "in"],
        letters: &[('০', "o"), ('৪', "8"), ('৭', "9")],
        drawn: &[('২', "2"), ('ও', "3")],
    },
    Likeness {
        script: Script::Gurmukhi,
        homes: &["in", "pk"],
        letters: &[('੪', "8"), ('੧', "9"), ('੦', "o")],
        drawn: &[('੨', "2"), ('੩', "3"), ('ਠ', "o")],
    },
    Likeness {
        script: Script::Gujarati,
        homes: &["in"],
        letters: &[('૦', "o"), ('૩', "3")],
        drawn: &[('૧', "9"), ('૨', "2"), ('૭', "9"), ('ડ', "s"), ('ટ', "z"), ('ઽ', "s")],
    },
    Likeness {
        script: Script::Oriya,
        homes: &["in"],
        letters: &[('ଃ', "8"), ('୨', "9"), ('୦', "o"), ('ଠ', "o")],
        drawn: &[('୮', "l"), ('୫', "8")],
    },
    Likeness {
        script: Script::Tamil,
        homes: &["in", "lk", "my", "sg"],
        letters: &[('௦', "o")],
        drawn: &[('ட', "l"), ('ப', "u")],
    },
    Likeness {
        script: Script::Telugu,
        homes: &["in"],
        letters: &[('౦', "o"), ('ం', "o")],
        drawn: &[('౧', "o"), ('౨', "2"), ('౩', "3")],
    },
    Likeness {
        script: Script::Kannada,
        homes: &["in"],
        letters: &[('ಂ', "o"), ('೦', "o")],
        drawn: &[('೧', "o"), ('೨', "9"), ('೩', "2"), ('ಽ', "s")],
    },
    Likeness {
        script: Script::Malayalam,
        homes: &["in"],
        letters: &[('൦', "o"), ('ം', "o"), ('ട', "s"), ('ഠ', "o")],
        drawn: &[('ധ', "w"), ('ന', "m")],
    },
    Likeness { script: Script::Sinhala, homes: &["lk"], letters: &[('ං', "o")], drawn: &[] },
    Likeness {
        script: Script::Thai,
        homes: &["th"],
        letters: &[('๐', "o")],
        drawn: &[
            ('ท', "n"),
            ('น', "u"),
            ('บ', "u"),
            ('ป', "u"),
            ('พ', "w"),
            ('ฝ', "w"),
            ('ฟ', "w"),
            ('ร', "s"),
            ('ห', "n"),
        ],
    },
    Likeness {
        script: Script::Lao,
        homes: &["la"],
        letters: &[('໐', "o")],
        drawn: &[
            ('ຟ', "w"),
            ('ພ', "w"),
            ('ຝ', "w"),
            ('ຣ', "s"),
            ('ຮ', "s"),
            ('ບ', "u"),
            ('ປ', "u"),
            ('ທ', "n"),
        ],
    },
    Likeness {
        script: Script::Myanmar,
        homes: &["mm"],
        letters: &[('င', "c"), ('ဝ', "o"), ('၀', "o"), ('ၚ', "c")],
        drawn: &[
            ('ခ', "o"),
            ('ဂ', "n"),
            ('ဌ', "g"),
            ('ပ', "u"),
            ('ဒ', "3"),
            ('၁', "o"),
            ('၂', "j"),
            ('ၔ', "l"),
            ('႐', "o"),
            ('႑', "o"),
            ('႕', "c"),
            ('႖', "6"),
            ('႗', "c"),
        ],
    },
    Likeness { script: Script::Khmer, homes: &["kh"], letters: &[('០', "o")], drawn: &[] },
    Likeness {
        script: Script::Arabic,
        homes: &[
            "ae", "af", "bh", "dz", "eg", "iq", "ir", "jo", "kw", "lb", "ly", "ma", "mr", "om",
            "pk", "ps", "qa", "sa", "sd", "sy", "tn", "ye",
        ],
        letters: &[],
        drawn: &[],
    },
    Likeness { script: Script::Tibetan, homes: &["bt"], letters: &[], drawn: &[] },
];

#[cfg(test)]
mod tests {
    use unicode_script::UnicodeScript as _;

    use super::{LIKENESSES, Likeness, Script};

    fn skeleton(char: char) -> String {
        unicode_security::skeleton(&char.to_string()).collect()
    }

    /// Every letter of the tables, against the skeletons of UTS 39 §4, in any case.
    #[test]
    fn lookalikes_are_those_of_the_confusables() {
        for Likeness { script, letters, .. } in LIKENESSES {
            for (letter, latin) in *letters {
                let skeleton = skeleton(*letter).to_lowercase();
                assert_eq!((letter.script(), skeleton.as_str()), (*script, *latin), "{letter}");
            }
        }
    }

    /// The file maps none of our own letters to plain Latin text.
    #[test]
    fn letters_of_our_own_are_of_their_script_and_in_no_row() {
        for Likeness { script, letters, drawn, .. } in LIKENESSES {
            for (letter, _) in *drawn {
                assert_eq!(letter.script(), *script, "{letter}");
                assert!(letters.iter().all(|(other, _)| other != letter), "{letter} twice");
                assert!(!skeleton(*letter).is_ascii(), "{letter} has a row");
            }
        }
    }

    /// Small letters of the modern blocks; the rest are numerals and musical signs.
    #[test]
    fn no_lookalike_is_missing() {
        for char in ('\u{370}'..='\u{58f}').chain('\u{a640}'..='\u{a69f}') {
            let skeleton = skeleton(char);
            let is_small = char.to_lowercase().eq([char]);
            let is_latin =
                !skeleton.is_empty() && skeleton.bytes().all(|b| b.is_ascii_alphanumeric());
            // Old forms of Greek letters are mapped to the letters before they are shown.
            let is_mapped = matches!(char, 'ϒ' | 'ϱ' | 'ϲ' | 'ϴ' | 'Ϲ');
            if let Some(likeness) = Likeness::of(char.script())
                && is_small
                && is_latin
                && char.script() != Script::Common
                && !is_mapped
            {
                let letters = likeness.letters;
                assert!(letters.iter().any(|(letter, _)| *letter == char), "{char} {skeleton}");
            }
        }
    }
}
