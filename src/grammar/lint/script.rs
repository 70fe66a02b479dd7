//! Judges the scripts of one host label: whether they may occur together (UTS 39 §5.2), whether its
//! letters pass for Latin ones, and whether its digits pass for others.
//!
//! The rules go from the single character to the whole label, so that a message names the first
//! problem that a reader would notice.

use std::fmt::Write as _;

use unicode_script::{Script, ScriptExtension, UnicodeScript as _};

use super::identifier::{is_digit, stranger};
use super::lookalike::{Likeness, digit, place};
use super::{alphabet, context};

/// Returns the problem with `label` under the top-level domain `top`, both in lower case and in the
/// form that people see.
pub(super) fn judge(label: &str, top: &str) -> Option<String> {
    if label.is_ascii() {
        return None;
    }
    if let Some((index, char)) = stranger(label, top) {
        let place = place(index, char);
        return Some(format!("the label has a character that no host is named with: {place}"));
    }
    mixed(label)
        .or_else(|| {
            let (index, reason) = context::misplaced(label, top)?;
            let place = place(index, label.chars().nth(index)?);
            Some(format!("the label has a character out of place, {reason}: {place}"))
        })
        .or_else(|| digits(label, top))
        .or_else(|| imitated(label, top))
}

/// Returns a message for a label with scripts that are never written together.
fn mixed(label: &str) -> Option<String> {
    let mut all = Systems::every();
    let mut others = Systems::every();
    // A character that Unicode has not assigned belongs to no script.
    for char in label.chars().filter(|char| char.script() != Script::Unknown) {
        let scripts = Systems::of(char);
        all = all.both(scripts);
        if !scripts.base.contains_script(Script::Latin) {
            others = others.both(scripts);
        }
    }
    if !all.is_none() {
        return None;
    }
    if !others.is_east_asian() {
        return Some(mix(label));
    }
    // Highly Restrictive: Latin may occur beside Chinese, Japanese and Korean. None of these is
    // written with the Latin letters that single languages add.
    let is_own = |&(_, char): &(usize, char)| !char.is_ascii() && char.script() == Script::Latin;
    let (index, char) = label.chars().enumerate().find(is_own)?;
    let place = place(index, char);
    Some(format!("the label mixes Latin letters beyond US-ASCII with ideographs: {place}"))
}

/// The writing systems that could have written a text: its scripts, and the three systems that use
/// several scripts (UTS 39 §5.1, augmented script sets).
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

/// Maximum number of script names in a message: these suffice, however many a label mixes.
const NAMES_MAX: usize = 3;

fn mix(label: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut odd = None;
    let has_latin = label.chars().any(|char| char.script() == Script::Latin);
    for (index, char) in label.chars().enumerate() {
        let script = char.script();
        let is_none = matches!(script, Script::Common | Script::Inherited | Script::Unknown);
        if is_none {
            // A mark or a sign of another script than the letters before it.
            let is_sign = odd.is_none() && !char.is_ascii();
            odd = if is_sign { Some((index, char, false)) } else { odd };
            continue;
        }
        let name = script.full_name().replace('_', " ");
        let is_first = names.is_empty();
        if !names.contains(&name) && names.len() < NAMES_MAX {
            names.push(name);
        }
        // Beside Latin letters, the odd one is the other script's, wherever it is.
        let is_odd = if has_latin { script != Script::Latin } else { !is_first && names.len() > 1 };
        if is_odd && odd.is_none_or(|(.., is_letter)| !is_letter) {
            odd = Some((index, char, true));
        }
    }
    let mut message = format!("the label mixes {}", names.join(" and "));
    if names.len() < 2 {
        message = String::from("the label mixes a script with a mark of another");
    }
    if let Some((index, char, _)) = odd {
        let _ = write!(message, "; {}", place(index, char));
    }
    message
}

/// Returns a message for digits of two systems (UTS 39 §5.3), and for a number in digits of another
/// script, or in which its letters pass for US-ASCII digits.
fn digits(label: &str, top: &str) -> Option<String> {
    let chars = || label.chars().enumerate();
    // Every system of decimal digits begins at a multiple of 16, or 6 after one, and ends before
    // the next multiple.
    let system = |char: char| u32::from(char) / 16;
    let first = chars().find(|&(_, char)| is_digit(char));
    if let Some((_, first)) = first
        && let Some((index, char)) =
            chars().find(|&(_, char)| is_digit(char) && system(char) != system(first))
    {
        let place = place(index, char);
        return Some(format!("the label mixes digits of two scripts; {place}"));
    }
    let (index, char) = chars().find(|(_, char)| !char.is_ascii())?;
    let is_home = !top.is_ascii() || Likeness::of(char.script()).is_some_and(|it| it.is_home(top));
    let has_ascii = label.bytes().any(|byte| byte.is_ascii_digit());
    let is_like = |char: char| char == '-' || is_digit(char) || digit(char).is_some();
    let is_long = label.chars().nth(1).is_some();
    let is_number = has_ascii && label.chars().all(is_like)
        || is_long && label.chars().all(|char| char == '-' || is_digit(char));
    (is_number && !is_home)
        .then(|| format!("the label looks like a number, and is none; {}", place(index, char)))
}

/// Returns a message for a label that looks like Latin text in every character.
fn imitated(label: &str, top: &str) -> Option<String> {
    let is_of_script = |&script: &Script| !matches!(script, Script::Common | Script::Inherited);
    let script = label.chars().map(|char| char.script()).find(is_of_script)?;
    let likeness = Likeness::of(script)?;
    // One letter imitates nothing, and α is a name in formulas.
    let is_one = label.chars().nth(1).is_none();
    if is_one || likeness.is_home(top) {
        return None;
    }
    let mut text = String::with_capacity(label.len());
    for char in label.chars() {
        match likeness.latin(char) {
            // A letter that is drawn as a digit makes no word, as б would: "pbl6a" for рыба.
            Some(alike) if !alike.bytes().any(|byte| byte.is_ascii_digit()) => text.push_str(alike),
            _ if char == '-' || char.is_ascii_alphanumeric() => text.push(char),
            _ => return alphabet::imitated(label),
        }
    }
    let (index, char) = label.chars().enumerate().find(|(_, char)| char.script() == script)?;
    let place = place(index, char);
    Some(format!("the label looks like \"{text}\", and is not Latin; {place}"))
}
