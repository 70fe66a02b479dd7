//! Recognises commands of workflow runners, which they read in the output of a step and execute.
//!
//! GitHub's runner treats a line as a command if it begins with `::`, after optional blanks
//! (actions/runner, `ActionCommand`). It and the agent of Azure Pipelines treat `##[` and `##vso[`
//! as a command anywhere in a line, and so does TeamCity with `##teamcity[`. Without its first
//! character, none of these is a command.

/// The text after the two number signs of a command, in lower case.
const COMMANDS: [&[u8]; 3] = [b"[", b"vso[", b"teamcity["];

/// Returns the offset of the first command in `text` of the kinds that may occur anywhere in a
/// line.
pub(in crate::report) fn first_command(text: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'#', text).find(|at| {
        let rest = text.get(at + 1..).and_then(|rest| rest.strip_prefix(b"#"));
        rest.is_some_and(|rest| {
            let begins = |command: &&[u8]| {
                rest.get(..command.len()).is_some_and(|found| found.eq_ignore_ascii_case(command))
            };
            COMMANDS.iter().any(begins)
        })
    })
}

/// Escapes the command at the start of the line at offset `start` of `out`, if there is one. The
/// line was escaped for a terminal before, so it is UTF-8.
pub fn disarm_line(out: &mut Vec<u8>, start: usize) {
    let line = out.get(start..).unwrap_or_default();
    // Nearly all lines begin with something else.
    if !matches!(line.first(), Some(b':' | b' ' | 0x80..)) {
        return;
    }
    let Ok(text) = std::str::from_utf8(line) else { return };
    let blanks = text.len() - text.trim_start().len();
    if line.get(blanks..).is_some_and(|rest| rest.starts_with(b"::")) {
        let colon = start + blanks;
        out.splice(colon..=colon, *b"\\x3a");
    }
}

#[cfg(test)]
mod tests {
    use super::disarm_line;
    use crate::report::escape::Shown;

    #[track_caller]
    fn case(text: &str, shown: &str) {
        let mut out = b"before\n".to_vec();
        let start = out.len();
        Shown(text.as_bytes()).append_to(&mut out);
        disarm_line(&mut out, start);
        assert_eq!(String::from_utf8(out).unwrap(), format!("before\n{shown}"));
    }

    #[test]
    fn no_line_begins_a_command() {
        case("::error::a", r"\x3a:error::a");
        case("  ::set-output name=a::b", r"  \x3a:set-output name=a::b");
        case("\u{a0}\u{3000}::add-mask::a", "\u{a0}\u{3000}\\x3a:add-mask::a");
        case(":error::a", ":error::a");
        case("a::b", "a::b");
        case("", "");
        case(" ", " ");
    }

    #[test]
    fn no_command_stands_in_a_line() {
        case("a##[error]b", r"a\x23#[error]b");
        case(
            "http://h/##vso[task.complete result=Failed]",
            r"http://h/\x23#vso[task.complete result=Failed]",
        );
        case("##VSO[a]##TeamCity[b", r"\x23#VSO[a]\x23#TeamCity[b");
        case("###[a]\u{1b}##[b]", r"#\x23#[a]\x1b\x23#[b]");
        case("\u{1b}\u{1b}##[b]\u{1b}##vso[", r"\x1b\x1b\x23#[b]\x1b\x23#vso[");
        case("caf\u{e9}##[b]", "caf\u{e9}\\x23#[b]");
        case("## [a](b) ##vs[ # #[", "## [a](b) ##vs[ # #[");
    }
}
