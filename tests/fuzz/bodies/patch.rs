//! Any bytes as a patch of git, and as the name and the lines of a file in one: the names come from
//! the patch, and the lines of a file are never read as a part of it.

use std::collections::HashMap;

use linktrawl::internal::source::changes::{Changed, Patch};

/// Longest name of a file that is put into a patch.
const NAME_LEN_MAX: usize = 32;

/// Runs one input.
pub(crate) fn run(bytes: &[u8]) {
    for (name, changed) in read(bytes) {
        assert!(name.len() <= bytes.len());
        let ranges = match changed {
            Changed::Lines(ranges) => ranges,
            Changed::Nothing | Changed::All => Vec::new(),
        };
        assert!(!ranges.is_empty() && ranges.iter().all(|it| it.start() <= it.end()));
    }
    let (name, text) = bytes.split_at(bytes.len().min(NAME_LEN_MAX));
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let mut patch = b"diff --git a/x b/x\n--- /dev/null\n+++ ".to_vec();
    patch.extend_from_slice(&quoted(&[b"b/", name].concat()));
    patch.extend_from_slice(format!("\n@@ -0,0 +1,{} @@\n", lines.len()).as_bytes());
    for line in &lines {
        patch.extend_from_slice(&[b"+", *line, b"\n"].concat());
    }
    let last = u64::try_from(lines.len()).expect("a number of lines");
    let expected = HashMap::from([(name.to_vec(), Changed::Lines(vec![1..=last]))]);
    assert_eq!(read(&patch), expected);
}

/// Returns the changes of `patch`.
fn read(patch: &[u8]) -> HashMap<Vec<u8>, Changed> {
    let (mut reader, mut changed) = (Patch::default(), HashMap::new());
    patch.split(|byte| *byte == b'\n').for_each(|line| reader.line(line, &mut changed));
    changed
}

/// Quotes `name` as git does (`quote.c`).
fn quoted(name: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    for &byte in name {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b' '..=b'~' => out.push(byte),
            _ => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
        }
    }
    out.push(b'"');
    out
}
