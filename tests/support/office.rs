//! Recognises the markup of office programs in XML, by regular expressions.

use std::sync::LazyLock;

use regex::bytes::Regex;

/// Decodes the control or the sign at the beginning of `rest`, which takes seven bytes.
pub(crate) fn control(rest: &[u8]) -> Option<u8> {
    static CONTROL: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = "^_x(?:(005[fF])_x[0-9a-fA-F]{4}|(000[dD])|(000[aA])|(0009))_";
        Regex::new(pattern).expect("a pattern")
    });
    let found = CONTROL.captures(rest)?;
    [b'_', b'\r', b'\n', b'\t']
        .into_iter()
        .zip(1..)
        .find_map(|(made, group)| found.get(group).map(|_| made))
}

/// Bytes that `rest` begins with between two runs of a text, in XML of office programs.
pub(crate) fn between_runs(rest: &[u8]) -> Option<usize> {
    static REGEXES: LazyLock<[Regex; 4]> = LazyLock::new(|| {
        let value = r#"["'] [^<>\n"':]*"#;
        let other = r#"[^<>\n"']*"#;
        let tag = format!(
            r"(?x-u) ^< (/?) ([^\s/<>]*) ( {other} (?: {value} (?: ['\x22] {other} )? )* ) >"
        );
        let marks = "bookmark|reference-mark|(?:toc|(?:user|alphabetical)-index)-mark|change";
        let custom = "customXml(?:Ins|Del|MoveFrom|MoveTo)Range";
        let ends = "Start|End";
        [
            tag,
            format!("^text:(?:span|meta|soft-page-break|(?:{marks})(?:-start|-end)?)$"),
            format!(
                "^(?:r|ins|bdo|dir|fldSimple|proofErr|lastRenderedPageBreak\
                |(?:bookmark|commentRange|{custom})(?:{ends}))$"
            ),
            "^e(?:[b>]|<[^>es-]*>)*s".into(),
        ]
        .map(|pattern| Regex::new(&pattern).expect("a pattern"))
    });
    let [tag, within, between, runs] = &*REGEXES;
    let (mut letters, mut ends, mut first) = (Vec::new(), Vec::new(), None);
    let mut at = 0;
    loop {
        if !letters.is_empty() {
            at += rest[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        }
        let Some(found) = tag.captures(&rest[at..]) else { break };
        at += found[0].len();
        let (is_end, name) = (found[1] == *b"/", found[2].to_vec());
        if letters.is_empty() && within.is_match(&name) {
            return Some(at);
        }
        let local = name.rsplit(|byte| *byte == b':').next().unwrap_or_default();
        let is_empty = found[3].ends_with(b"/");
        letters.push(match local {
            b"rPr" if is_end || is_empty => b'>',
            b"rPr" => b'<',
            b"t" | b"instrText" if is_end && letters.is_empty() => b'e',
            b"t" | b"instrText" if !is_end && !is_empty && first.as_ref() == Some(&name) => b's',
            b"t" | b"instrText" => b'-',
            local if between.is_match(local) => b'b',
            _ => b'x',
        });
        first.get_or_insert(name);
        ends.push(at);
    }
    let end = runs.find(&letters).map(|runs| ends[runs.len() - 1])?;
    let markup = String::from_utf8_lossy(&rest[..end]);
    let (is_empty, is_apart) = (markup.contains("\n\n"), markup.contains(">\n"));
    let has_run = ["</w:r>", "<w:r>", "<w:r "].iter().any(|run| markup.contains(run));
    (!is_empty && (has_run || !is_apart)).then_some(end)
}
