//! Finds hosts that imitate a well-known name by marks over letters, strokes through them, or one
//! other letter: `googlé.com`, `faceboök.com`.
//!
//! Only hosts with characters outside US-ASCII are compared; `gogle.com` is a typing error, not a
//! lookalike. A word that some language writes with marks is not listed, however well known its
//! domain is (`medium.com` and `booking.com`: `médium.com` has another owner), nor is a name that
//! its owner writes with marks (`nestlé.com`).

use icu_normalizer::DecomposingNormalizerBorrowed;

use super::alphabet;
use super::identifier::is_mark;
use super::lookalike::{latin, place};

/// Names that impostors imitate: the domains common to lists of the most visited sites (Tranco,
/// Wikipedia's) and reports on imitated brands (APWG, Check Point), each under its owner's domain.
static NAMES: &[&str] = &[
    "adobe.com",
    "airbnb.com",
    "alibaba.com",
    "aliexpress.com",
    "amazon.com",
    "apple.com",
    "baidu.com",
    "bankofamerica.com",
    "binance.com",
    "bitcoin.org",
    "blockchain.com",
    "cloudflare.com",
    "coinbase.com",
    "discord.com",
    "dropbox.com",
    "ebay.com",
    "facebook.com",
    "fedex.com",
    "flickr.com",
    "github.com",
    "gitlab.com",
    "gmail.com",
    "google.com",
    "hotmail.com",
    "icloud.com",
    "instagram.com",
    "linkedin.com",
    "microsoft.com",
    "microsoftonline.com",
    "mozilla.org",
    "myetherwallet.com",
    "netflix.com",
    "office.com",
    "openai.com",
    "outlook.com",
    "paypal.com",
    "pinterest.com",
    "python.org",
    "reddit.com",
    "roblox.com",
    "samsung.com",
    "skype.com",
    "snapchat.com",
    "spotify.com",
    "stackoverflow.com",
    "steamcommunity.com",
    "steampowered.com",
    "telegram.org",
    "tiktok.com",
    "tumblr.com",
    "twitch.tv",
    "twitter.com",
    "walmart.com",
    "wellsfargo.com",
    "whatsapp.com",
    "wikipedia.org",
    "wordpress.com",
    "yahoo.com",
    "yandex.ru",
    "youtube.com",
];

/// Labels below domains of countries under which names are registered.
const SECONDS: &[&str] =
    &["ac", "co", "com", "edu", "gob", "gov", "gv", "ne", "net", "nom", "or", "org"];

/// Length from which a first label is still recognisable with one other letter, and is no common
/// word.
const NAME_LEN_MIN: usize = 6;

/// Length from which no word is so similar to a name by chance.
const LONG_NAME_LEN_MIN: usize = 8;

/// Returns the index of the label that imitates a well-known name, and a message. `labels` are in
/// the form that people see.
pub(super) fn near(labels: &[&str]) -> Option<(usize, String)> {
    let labels = match labels {
        // The root's label.
        [labels @ .., ""] => labels,
        labels => labels,
    };
    let (top, others) = labels.split_last()?;
    let others = match others {
        // `co.uk` and the like, below which names are registered.
        [names @ .., second] if top.len() == 2 && SECONDS.contains(second) => names,
        others => others,
    };
    let index = others.len().checked_sub(1)?;
    let label = others.last()?;
    if label.is_ascii() {
        return None;
    }
    let letters = skeleton(label);
    let text: String = letters.iter().map(|(letter, _)| *letter).collect();
    // All of a name may be in Cyrillic letters that are drawn like its own, except for a hook.
    let drawn: Option<String> = label.chars().map(alphabet::drawn).collect();
    let known = NAMES.iter().find(|known| {
        let (name, tail) = known.split_once('.').unwrap_or_default();
        let is_near = || name.len() >= NAME_LEN_MIN && is_one_letter_off(&letters, name);
        // A name that is no word has no other owner under another domain.
        let is_name = tail == *top || name.len() >= NAME_LEN_MIN;
        text == name && is_name || tail == *top && (is_near() || drawn.as_deref() == Some(name))
    })?;
    let (at, char) = label.chars().enumerate().find(|(_, char)| !char.is_ascii())?;
    let place = place(at, char);
    Some((index, format!("the host looks like the well-known \"{known}\"; {place}")))
}

/// A letter of a label, and whether it stands for a character outside US-ASCII.
type Letter = (char, bool);

/// Returns the letters of `label` without marks, in the Latin letters that it looks like.
fn skeleton(label: &str) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::with_capacity(label.len());
    for char in label.chars() {
        let is_odd = !char.is_ascii();
        for part in DecomposingNormalizerBorrowed::new_nfd().normalize_iter(std::iter::once(char)) {
            match latin(part) {
                Some(alike) => letters.extend(alike.chars().map(|letter| (letter, is_odd))),
                // A mark of its own belongs to the letter before it.
                None if is_mark(part) => {
                    if let Some((_, is_marked)) = letters.last_mut() {
                        *is_marked = true;
                    }
                }
                None => letters.push((part, is_odd)),
            }
        }
    }
    letters
}

/// Reports whether `text` differs from `name` in one letter, or lacks one, or has one too many, and
/// if it is short, whether its odd letter is there: the accents of a word that is only similar are
/// elsewhere.
fn is_one_letter_off(text: &[Letter], name: &str) -> bool {
    let name: Vec<_> = name.chars().collect();
    let is_same = |((one, _), other): &(&Letter, &char)| one == *other;
    let front = text.iter().zip(&name).take_while(is_same).count();
    let back = text.iter().rev().zip(name.iter().rev()).take_while(is_same).count();
    let (short, long) = (text.len().min(name.len()), text.len().max(name.len()));
    // Of a doubled letter, either may be the one.
    let (one, other) = (text.len().saturating_sub(back + 1), front);
    let mut near = text.iter().take(one.max(other) + 1).skip(one.min(other));
    let is_the_odd_one = name.len() >= LONG_NAME_LEN_MIN || near.any(|(_, is_odd)| *is_odd);
    long - short <= 1 && front + back + 1 >= long && is_the_odd_one
}
