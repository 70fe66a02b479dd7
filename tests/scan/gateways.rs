//! The links that mail gateways wrapped, by corpus/unwrap/links.tsv, by encoders that were written
//! here, and by what no gateway would write.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use data_encoding::{BASE64, BASE64URL_NOPAD};
use linktrawl::internal::check::unwrap::{
    GATEWAYS, LAYERS_MAX, Unknown, WRAPPER_LEN_MAX, unwrapped,
};
use linktrawl::internal::uri::Redacted;

use crate::support::chance::Chance;

/// The fewest links of a gateway in the table.
const LINKS_MIN: usize = 10;

struct Row {
    by: String,
    target: String,
    link: String,
}

fn rows() -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unwrap/links.tsv");
    let table = fs::read_to_string(path).expect("the table is UTF-8 text");
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let row = |line: &str| {
        let fields: Vec<_> = line.split('\t').map(str::to_owned).collect();
        let [by, target, link] = fields.try_into().expect("three fields");
        Row { by, target, link }
    };
    lines.map(row).collect()
}

/// The gateways and the target of `link`, as the table writes them.
fn read(link: &[u8]) -> (String, String) {
    let Some(found) = unwrapped(link) else { return Default::default() };
    let target = match found.target {
        Ok(ref target) => String::from_utf8(target.clone()).expect("UTF-8"),
        Err(unknown) => format!("!{unknown:?}").to_lowercase(),
    };
    (found.names().join(" "), target)
}

#[track_caller]
fn case(link: &str, by: &str, target: &str) {
    assert_eq!(read(link.as_bytes()), (by.to_owned(), target.to_owned()), "{link}");
}

#[test]
fn every_link_of_the_table_is_unwrapped() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for Row { by, target, link } in rows() {
        case(&link, &by, &target);
        *counts.entry(by.split(' ').next().unwrap_or_default().to_owned()).or_default() += 1;
    }
    for row in GATEWAYS {
        let count = counts.get(row.name).copied().unwrap_or_default();
        assert!(count >= LINKS_MIN, "{} has {count} links", row.name);
    }
}

#[test]
fn a_link_in_text_without_a_scheme_is_none() {
    case("urldefense.com/v3/__https://h.example/__;!!a!b$", "", "");
    case("//urldefense.com/v3/__https://h.example/__;!!a!b$", "", "");
    case("", "", "");
}

// ---- encoders --------------------------------------------------------------------------

fn escaped(text: &[u8], kept: &[u8], sign: char) -> String {
    text.iter().fold(String::new(), |mut out, byte| {
        match byte {
            byte if byte.is_ascii_alphanumeric() || kept.contains(byte) => {
                out.push(char::from(*byte));
            }
            byte => write!(out, "{sign}{byte:02X}").expect("memory"),
        }
        out
    })
}

/// A word of a token.
fn token(chance: &mut Chance) -> String {
    let len = 8 + chance.below(40);
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    (0..len).map(|_| char::from(letters[chance.below(letters.len())])).collect()
}

/// The third version of URL Defense: what is not in `KEPT` is replaced, by bytes or by characters.
fn third(target: &str, counts_bytes: bool) -> String {
    const KEPT: &str = "/:.?=&%~";
    const RUN_MAX: usize = 65;
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let is_kept = |char: char| char.is_ascii_alphanumeric() || KEPT.contains(char);
    let (mut link, mut bytes, mut run) = (String::new(), Vec::new(), 0);
    let close = |link: &mut String, run: &mut usize| {
        while *run > 0 {
            let len = (*run).min(RUN_MAX);
            match len {
                1 => link.push('*'),
                len => link.extend(["**", &char::from(digits[len - 2]).to_string()]),
            }
            *run -= len;
        }
    };
    for char in target.chars() {
        if is_kept(char) {
            close(&mut link, &mut run);
            link.push(char);
        } else {
            let len = bytes.len();
            bytes.extend_from_slice(char.to_string().as_bytes());
            run += if counts_bytes { bytes.len() - len } else { 1 };
        }
    }
    close(&mut link, &mut run);
    format!("__{link}__;{}!!", BASE64URL_NOPAD.encode(&bytes))
}

/// Wraps `target` as the gateway of this number does.
fn wrap(number: usize, target: &str, chance: &mut Chance) -> (&'static str, String) {
    let value = escaped(target.as_bytes(), b"", '%');
    let token = token(chance);
    match number {
        0 => (
            "safelinks",
            format!(
                "https://eur01.safelinks.protection.outlook.com/?url={value}&data=05%7C02%7C{token}"
            ),
        ),
        1 => {
            ("urldefense", format!("https://urldefense.proofpoint.com/v1/url?u={value}&k={token}"))
        }
        2 => {
            let value = escaped(target.as_bytes(), b".", '-').replace("-2F", "_");
            ("urldefense", format!("https://urldefense.proofpoint.com/v2/url?u={value}&d={token}"))
        }
        3 => {
            let link = third(target, chance.below(2) == 0);
            ("urldefense", format!("https://urldefense.com/v3/{link}{token}$"))
        }
        4 => ("cisco", format!("https://secure-web.cisco.com/{token}/{value}")),
        5 => {
            let value = value.to_lowercase();
            // Only escapes are written in lower case, and a link may have capitals.
            let is_same = target.to_lowercase() == target;
            let value = if is_same { value } else { escaped(target.as_bytes(), b"", '%') };
            let host = "linkprotect.cudasvc.com";
            ("barracuda", format!("https://{host}/url?a={value}&c=E,1,{token}&typo=1"))
        }
        6 => {
            let value = BASE64.encode(target.as_bytes());
            let host = "us-west-2.protection.sophos.com";
            ("sophos", format!("https://{host}/?d=h.example&u={value}&i={token}&h={token}"))
        }
        7 => ("symantec", format!("https://clicktime.symantec.com/{token}?u={value}")),
        8 => {
            let host = "imsva91-ctp.trendmicro.com";
            let path = "wis/clicktime/v1/query";
            ("trendmicro", format!("https://{host}/{path}?url={value}&umid={token}&auth={token}"))
        }
        9 => {
            let host = "protect2.fireeye.com";
            ("fireeye", format!("https://{host}/v1/url?k={token}&q=1&e={token}&u={value}"))
        }
        10 => ("google", format!("https://www.google.com/url?q={value}&usg={token}")),
        11 => ("facebook", format!("https://l.facebook.com/l.php?u={value}&h={token}")),
        12 => ("zix", format!("https://link.zixcentral.com/u/1/{token}?u={value}")),
        _ => ("edgepilot", format!("https://link.edgepilot.com/s/{token}/1?u={value}")),
    }
}

const ENCODERS: usize = 14;

/// A URI that no gateway wrapped, of characters by chance.
fn target(chance: &mut Chance) -> String {
    const ODD: [char; 8] =
        ['\u{e9}', '\u{df}', '\u{3b1}', '\u{540d}', '\u{1f600}', '\u{fe6b}', '\u{202e}', '\u{a0}'];
    let begins = ["https://h.example/", "http://H.example:8080/?", "ftp://h/#", "x-a:", "mailto:"];
    let mut text = begins[chance.below(begins.len())].to_owned();
    for _ in 0..chance.below(120) {
        match chance.below(12) {
            0 => text.push(ODD[chance.below(ODD.len())]),
            1 => text.push('%'),
            // No blank: those at the end are not kept.
            _ => text.push(char::from(u8::try_from(0x21 + chance.below(0x5e)).expect("ASCII"))),
        }
    }
    text
}

#[test]
fn what_is_wrapped_by_chance_comes_back() {
    let mut chance = Chance(0x00C0_FFEE);
    for _ in 0..5_000 {
        let target = target(&mut chance);
        let (mut names, mut link) = (Vec::new(), target.clone());
        for _ in 0..=chance.below(3) {
            let (name, wrapper) = wrap(chance.below(ENCODERS), &link, &mut chance);
            names.insert(0, name);
            link = wrapper;
        }
        case(&link, &names.join(" "), &target);
        // HTML writes ampersands as references.
        let html = link.replace('&', "&amp;");
        if names.len() == 1 && !matches!(names[0], "urldefense" | "cisco") {
            case(&html, names[0], &target);
        }
    }
}

// ---- what no gateway writes ------------------------------------------------------------

#[test]
fn what_is_nested_without_end_ends() {
    let begin = "https://l.facebook.com/l.php?u=";
    for count in [LAYERS_MAX, LAYERS_MAX + 1, 100, 100_000] {
        let link = begin.repeat(count) + "https://h.example/";
        let (names, target) = read(link.as_bytes());
        let layers = names.split(' ').count();
        assert!(layers <= LAYERS_MAX, "{layers}");
        match count {
            8 => assert_eq!((layers, &*target), (8, "https://h.example/")),
            9 | 100 => assert_eq!((layers, &*target), (LAYERS_MAX, "!deep")),
            _ => assert_eq!((layers, &*target), (1, "!long")),
        }
        // Nothing of what is inside shows, either.
        let shown = Redacted::new(link.as_bytes()).shown().into_owned();
        assert_eq!(shown, b"https://l.facebook.com/l.php?u=***", "{count}");
    }
}

#[test]
fn a_wrapper_that_is_too_long_is_not_read() {
    let link = |len: usize| {
        let begin = "https://l.facebook.com/l.php?u=https%3A%2F%2Fh.example%2F";
        format!("{begin}{}", "a".repeat(len - begin.len()))
    };
    assert!(read(link(WRAPPER_LEN_MAX).as_bytes()).1.starts_with("https://h.example/aaa"));
    assert_eq!(read(link(WRAPPER_LEN_MAX + 1).as_bytes()).1, "!long");
}

#[test]
fn programs_and_data_are_targets_like_any_other_and_controls_are_none() {
    let safe = |value: &str| {
        let host = "nam01.safelinks.protection.outlook.com";
        read(format!("https://{host}/?url={value}&data=1").as_bytes()).1
    };
    assert_eq!(safe("javascript%3Aalert(1)"), "javascript:alert(1)");
    assert_eq!(safe("data%3A,a"), "data:,a");
    for control in ["%00", "%0A", "%0d%0a", "%1B", "%7F", "%C2%9B", "%09"] {
        assert_eq!(safe(&format!("https%3A%2F%2Fh.example%2F{control}a")), "!control", "{control}");
    }
    assert_eq!(safe("%20https%3A%2F%2Fh.example%2F%20"), "https://h.example/");
    assert_eq!(safe("https%3A%2F%2Fh.example%2F%FF%C3"), "https://h.example/%FF%C3");
    assert_eq!(safe("https%3A%2F%2Fh.example%2F%"), "https://h.example/%");
    for none in ["%2F%2Fh.example%2F", "h.example", "h.example%3A80", "%3A", "%"] {
        assert_eq!(safe(none), "!nouri", "{none}");
    }
}

/// Changes of one byte, beginnings and ends of each link of the table.
#[test]
fn no_link_harms_whatever_becomes_of_it() {
    let check = |link: &[u8]| {
        let Some(found) = unwrapped(link) else { return };
        assert!((1..=LAYERS_MAX).contains(&found.layers.len()));
        if let Ok(target) = &found.target {
            let text = std::str::from_utf8(target).expect("UTF-8");
            assert!(!text.chars().any(char::is_control), "{text:?}");
            assert!(linktrawl::internal::scheme::name_len(target) > 0, "{text:?}");
        }
    };
    let mut chance = Chance(0xBAD);
    for Row { link, .. } in rows() {
        for at in (chance.below(3)..link.len()).step_by(3) {
            check(&link.as_bytes()[..at]);
            check(&link.as_bytes()[at..]);
            let mut changed = link.clone().into_bytes();
            let odd = b"\0\n*%_-;&=!/\xff?#";
            changed[at] = odd[chance.below(odd.len())];
            check(&changed);
            drop(Redacted::new(&changed).shown());
        }
    }
}

#[test]
fn each_reason_has_a_link() {
    let found: Vec<String> = rows().into_iter().map(|row| row.target).collect();
    for unknown in Unknown::ALL {
        let name = format!("!{unknown:?}").to_lowercase();
        // The text after a link decides that a line break cut it.
        let is_of_text = matches!(unknown, Unknown::Long | Unknown::Cut);
        assert!(is_of_text || found.contains(&name), "{name}");
    }
}
