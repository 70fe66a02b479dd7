//! Reads `corpus/grammar/cases.tsv`, which says itself what its fields and escapes are.

/// One row: a text, and what a grammar says of it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) line: usize,
    pub(crate) grammar: String,
    pub(crate) input: Vec<u8>,
    pub(crate) answer: Answer,
}

/// The expected verdict of a grammar.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// Names and texts of the components that are there.
    Valid(Vec<(String, Vec<u8>)>),
    /// Offset, rule and specification.
    Invalid(Option<usize>, String, String),
}

const TABLE: &str = include_str!("../../corpus/grammar/cases.tsv");

/// Every row.
pub(crate) fn all() -> Vec<Case> {
    let lines = TABLE.lines().enumerate().filter(|(_, text)| !text.starts_with('#'));
    lines.map(|(idx, text)| parse(idx + 1, text)).collect()
}

fn parse(line: usize, text: &str) -> Case {
    let fields: Vec<&str> = text.split('\t').collect();
    let &[grammar, input, verdict, components, at, rule, spec, _note] = fields.as_slice() else {
        panic!("line {line}: expected 8 fields, found {}", fields.len());
    };
    let answer = match verdict {
        "valid" => Answer::Valid(split_components(components)),
        "invalid" => Answer::Invalid(Some(at.parse().unwrap()), rule.to_owned(), spec.to_owned()),
        other => panic!("line {line}: no verdict: {other}"),
    };
    Case { line, grammar: grammar.to_owned(), input: unescape(input), answer }
}

fn split_components(text: &str) -> Vec<(String, Vec<u8>)> {
    // A semicolon after a backslash is data, and no field holds U+0001.
    let redacted = text.replace("\\;", "\u{1}");
    let pieces = redacted.split(';').filter(|piece| !piece.is_empty());
    let pair = |piece: &str| {
        let (name, value) = piece.split_once('=').unwrap();
        (name.to_owned(), unescape(&value.replace('\u{1}', ";")))
    };
    pieces.map(pair).collect()
}

/// Returns the bytes that `text` encodes.
pub(crate) fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        bytes.extend(plain.bytes());
        let (kind, after) = escape.split_at(1);
        rest = match kind {
            "\\" => put(&mut bytes, b"\\", after),
            "t" => put(&mut bytes, b"\t", after),
            "x" => put(&mut bytes, &[u8::from_str_radix(&after[..2], 16).unwrap()], &after[2..]),
            "u" => {
                let (number, after) = after[1..].split_once('}').unwrap();
                let scalar = u32::from_str_radix(number, 16).ok().and_then(char::from_u32).unwrap();
                put(&mut bytes, scalar.to_string().as_bytes(), after)
            }
            "r" => {
                let (what, after) = after[1..].split_once('}').unwrap();
                let (count, text) = what.split_once(',').unwrap();
                put(&mut bytes, text.repeat(count.parse().unwrap()).as_bytes(), after)
            }
            other => panic!("no escape: \\{other}"),
        };
    }
    bytes.extend(rest.bytes());
    bytes
}

fn put<'t>(bytes: &mut Vec<u8>, what: &[u8], after: &'t str) -> &'t str {
    bytes.extend(what);
    after
}
