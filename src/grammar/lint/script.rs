//! Scripts of one host label: may they stand together (UTS 39 §5.2), and do its letters
//! pass for Latin ones?
//!
//! The identifier profile of UTS 39 §3 is not asked: symbols and emoji belong to no script,
//! and a label of them is odd but no imitation.

use unicode_script::{Script, ScriptExtension, UnicodeScript as _};

/// What is wrong with `label` under the top-level domain `top`, both in lower case and as
/// people see them.
pub(super) fn judge(label: &str, top: &str) -> Option<String> {
    if label.is_ascii() {
        return None;
    }
    let mut all = Systems::every();
    let mut others = Systems::every();
    // What Unicode has not assigned is of no script.
    for char in label.chars().filter(|char| char.script() != Script::Unknown) {
        let scripts = Systems::of(char);
        all = all.both(scripts);
        if !scripts.base.contains_script(Script::Latin) {
            others = others.both(scripts);
        }
    }
    if all.is_none() {
        // Highly Restrictive: Latin may stand beside Chinese, Japanese and Korean.
        return (!others.is_east_asian()).then(|| mix(label));
    }
    if all.base.contains_script(Script::Latin) {
        return None;
    }
    let latin = imitated(label, top)?;
    Some(format!("the label looks like \"{latin}\", and is not Latin"))
}

/// Writing systems that could have written a text: its scripts, and the three that use
/// several (UTS 39 §5.1, augmented script sets).
#[derive(Clone, Copy)]
struct Systems {
    base: ScriptExtension,
    chinese: bool,
    japanese: bool,
    korean: bool,
}

impl Systems {
    fn every() -> Self {
        Self { base: Script::Common.into(), chinese: true, japanese: true, korean: true }
    }

    fn of(char: char) -> Self {
        let base = ScriptExtension::from(char);
        let any = base.is_common() || base.is_inherited() || base.contains_script(Script::Han);
        let has = |script| base.contains_script(script);
        Self {
            base,
            chinese: any || has(Script::Bopomofo),
            japanese: any || has(Script::Hiragana) || has(Script::Katakana),
            korean: any || has(Script::Hangul),
        }
    }

    fn both(mut self, other: Self) -> Self {
        self.base.intersect_with(other.base);
        self.chinese &= other.chinese;
        self.japanese &= other.japanese;
        self.korean &= other.korean;
        self
    }

    const fn is_east_asian(&self) -> bool {
        self.chinese || self.japanese || self.korean
    }

    fn is_none(&self) -> bool {
        self.base.is_empty() && !self.is_east_asian()
    }
}

/// Names of scripts that a message gives: who mixes more is told enough by these.
const NAMES_MAX: usize = 3;

fn mix(label: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    for char in label.chars() {
        let script = char.script();
        let is_none = matches!(script, Script::Common | Script::Inherited | Script::Unknown);
        if is_none || names.len() == NAMES_MAX {
            continue;
        }
        let name = script.full_name().replace('_', " ");
        if !names.contains(&name) {
            names.push(name);
        }
    }
    format!("the label mixes {}", names.join(" and "))
}

/// The Latin text that `label` looks like, when every character of it does.
///
/// Not where the top-level domain is of the same script or of a country that writes it: an
/// owner there has no reason to imitate, and short words of such letters are many.
fn imitated(label: &str, top: &str) -> Option<String> {
    let script =
        label.chars().map(|char| char.script()).find(|&script| script != Script::Common)?;
    let (_, homes, letters) = LOOKALIKES.iter().find(|(name, ..)| *name == script)?;
    // One letter imitates nothing, and α is a name of its own in formulas.
    let is_one = label.chars().nth(1).is_none();
    if is_one || !top.is_ascii() || homes.contains(&top) {
        return None;
    }
    let mut latin = String::with_capacity(label.len());
    for char in label.chars() {
        match letters.iter().find(|(letter, _)| *letter == char) {
            Some((_, drawn_alike)) => latin.push_str(drawn_alike),
            None if char == '-' || char.is_ascii_alphanumeric() => latin.push(char),
            None => return None,
        }
    }
    Some(latin)
}

type Letters = &'static [(char, &'static str)];

/// Scripts drawn like Latin, the country domains where they are at home, and the small
/// letters that look like Latin letters or digits (UTS 39 §4, `confusables.txt`).
static LOOKALIKES: &[(Script, &[&str], Letters)] = &[
    (
        Script::Cyrillic,
        &["ba", "bg", "by", "kg", "kz", "me", "mk", "mn", "rs", "ru", "su", "tj", "ua", "uz"],
        &[
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
    ),
    (
        Script::Greek,
        &["cy", "gr"],
        &[
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
    ),
    (
        Script::Armenian,
        &["am"],
        &[
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
    ),
];

#[cfg(test)]
mod tests {
    use unicode_script::UnicodeScript as _;

    use super::{LOOKALIKES, Script};

    /// Every letter of the table, against the skeletons of UTS 39 §4.
    #[test]
    fn lookalikes_are_those_of_the_confusables() {
        for (script, _, letters) in LOOKALIKES {
            for (letter, latin) in *letters {
                let skeleton: String = unicode_security::skeleton(&letter.to_string()).collect();
                assert_eq!((letter.script(), skeleton.as_str()), (*script, *latin), "{letter}");
            }
        }
    }

    /// Small letters of the modern blocks; the rest are numerals and musical signs.
    #[test]
    fn no_lookalike_is_missing() {
        for char in ('\u{370}'..='\u{58f}').chain('\u{a640}'..='\u{a69f}') {
            let skeleton: String = unicode_security::skeleton(&char.to_string()).collect();
            let is_small = char.to_lowercase().eq([char]);
            let is_latin =
                !skeleton.is_empty() && skeleton.bytes().all(|b| b.is_ascii_alphanumeric());
            let row = LOOKALIKES.iter().find(|(script, ..)| *script == char.script());
            // The old forms of Greek letters are mapped to the letters before anybody sees them.
            let is_mapped = matches!(char, 'ϒ' | 'ϱ' | 'ϲ' | 'ϴ' | 'Ϲ');
            if let Some((_, _, letters)) = row
                && is_small
                && is_latin
                && char.script() != Script::Common
                && !is_mapped
            {
                assert!(letters.iter().any(|(letter, _)| *letter == char), "{char} {skeleton}");
            }
        }
    }
}
