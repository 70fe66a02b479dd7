//! Tests printed completions in the shells that read them: they take the scripts, and offer the
//! existing subcommands, options and values.
//!
//! No shell is given a terminal but zsh, which makes its own. bash and elvish are called with the
//! words that their line editors would give; a small substitute for elvish's editor has the
//! functions that the script needs. What bash's editor offers by itself is seen as it reads lines
//! from a pipe. PowerShell is not a package of Debian: its script is compared with the expected
//! shape, and with the table of elvish.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must hold by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::printed::generate;
use linktrawl::internal::finding::CLASSES;
use linktrawl::internal::report::REPORTS;

/// The completions for `shell`, in a file of the test called `test`.
fn script(test: &str, shell: &str) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated");
    fs::create_dir_all(&home).expect("a directory");
    let path = home.join(format!("{test}.{shell}"));
    fs::write(&path, generate(&format!("complete-{shell}"))).expect("a file");
    path
}

/// Returns the output of `shell` when it runs `text` with `script` as its first argument.
#[track_caller]
fn run(shell: &str, options: &[&str], text: &str, script: &Path) -> String {
    let output = Command::new(shell)
        .args(options)
        .args(["-c", text, shell])
        .arg(script)
        .stdin(Stdio::null())
        .env("HOME", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("the shell");
    assert!(output.status.success(), "{shell}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn shells_take_their_scripts() {
    for shell in ["bash", "zsh", "fish"] {
        let script = script("taken", shell);
        let output = Command::new(shell).arg("-n").arg(&script).output().expect("the shell");
        assert!(output.status.success() && output.stderr.is_empty(), "{shell}: {output:?}");
        // The check itself can fail.
        fs::write(&script, "if (\n").expect("a file");
        let output = Command::new(shell).arg("-n").arg(&script).output().expect("the shell");
        assert!(!output.status.success(), "{shell} takes anything");
    }
}

#[test]
fn fish_loads_its_script_without_a_word_and_describes_values() {
    let script = script("loaded", "fish");
    let offers = "source $argv[1]; complete -C 'linktrawl check --count-as '";
    let loaded = |path: &Path| {
        let mut fish = Command::new("fish");
        fish.args(["--no-config", "-c", offers]).arg(path).env("HOME", env!("CARGO_TARGET_TMPDIR"));
        fish.stdin(Stdio::null()).output().expect("fish")
    };
    let output = loaded(&script);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let offered = String::from_utf8_lossy(&output.stdout);
    assert!(offered.starts_with("pew\tPew Research Center, \"When Online"), "{offered}");
    // The check itself can fail.
    fs::write(&script, "complete -c linktrawl a b\n").expect("a file");
    assert!(!loaded(&script).stderr.is_empty(), "fish says nothing of anything");
}

fn has_all<'n>(offered: &str, names: impl IntoIterator<Item = &'n str>) {
    let words: Vec<_> = offered.split_whitespace().collect();
    names.into_iter().for_each(|name| assert!(words.contains(&name), "{name}: {offered}"));
}

fn formats() -> Vec<&'static str> {
    REPORTS.iter().map(|report| report.name()).collect()
}

/// Returns the candidates that bash offers after `words`.
fn offered_by_bash(script: &Path, words: &str) -> String {
    let count = words.split(' ').count();
    let text = format!(
        "source \"$1\"; COMP_WORDS=({words} ''); COMP_CWORD={count}; \
         _linktrawl linktrawl '' \"${{COMP_WORDS[COMP_CWORD-1]}}\"; echo \"${{COMPREPLY[@]}}\""
    );
    run("bash", &["--norc"], &text, script)
}

#[test]
fn bash_offers_subcommands_options_and_values() {
    let script = script("offered", "bash");
    let offered = |words: &str| offered_by_bash(&script, words);
    has_all(&offered("linktrawl"), ["scan", "check", "explain"]);
    has_all(&offered("linktrawl scan --format"), REPORTS.iter().map(|report| report.name()));
    has_all(&offered("linktrawl check --fail-on"), ["warn", "error", "never"]);
    has_all(&offered("linktrawl report --hyperlinks"), ["auto", "always", "never"]);
    has_all(&offered("linktrawl explain"), ["pct-encoded", "tls-name", "R3"]);
}

/// Returns the text that bash puts in place of the last of `words`, which it splits as readline
/// does.
fn completed_by_bash(script: &Path, line: &str, words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    let last = words.last().filter(|word| **word != "=").unwrap_or(&"");
    let text = format!(
        "source \"$1\"; COMP_WORDS=({}); COMP_CWORD={}; COMP_LINE='{line}'; \
         _linktrawl_words linktrawl '{last}' x 2>&1; echo \"${{COMPREPLY[@]}}\"",
        quoted.join(" "),
        words.len() - 1,
    );
    run("bash", &["--norc"], &text, script).trim_end().to_owned()
}

#[test]
fn bash_completes_what_readline_parts_into_words() {
    let script = script("parted", "bash");
    let case = |words: &[&str], expected: &str| {
        let line = words.join(" ").replace(" = ", "=").replace(" =", "=");
        assert_eq!(completed_by_bash(&script, &line, words), expected, "{line}");
    };
    case(&["linktrawl", "scan", "--format", "=", "sa"], "sarif");
    case(&["linktrawl", "scan", "--format", "sa"], "sarif");
    case(&["linktrawl", "scan", "--format", "="], &formats().join(" "));
    case(&["linktrawl", "scan", "--find", "url,b"], "url,bare");
    case(&["linktrawl", "scan", "--find", "=", "url,b"], "url,bare");
    case(&["linktrawl", "check", "--verdict", "missing", "=", "w"], "warn");
    case(&["linktrawl", "check", "--verdict", "=", "missing", "=", "w"], "warn");
    case(&["linktrawl", "check", "--verdict", "miss"], &each("missing", " "));
    case(&["linktrawl", "explain", "tls-na"], "tls-name");
    // Where nothing is offered, readline offers files.
    case(&["linktrawl", "scan", ""], "");
    case(&["linktrawl", "scan", "--format", "sarif", "=", "o"], "");
    case(&["linktrawl", "scan", "--no-i"], "--no-ignore");
}

/// Returns the arguments that readline makes of each of `lines` when a tab is typed after it.
fn completed_by_readline(script: &Path, lines: &[&str]) -> Vec<String> {
    // A session of its own keeps bash from taking over the terminal of the tests.
    let mut bash = Command::new("setsid")
        .args(["--wait", "bash", "--norc", "-i", "-s"])
        .arg(script)
        .env("HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("HISTFILE", "")
        .env("INPUTRC", "/dev/null")
        .env("TERM", "dumb")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("bash");
    let typed: String = lines.iter().map(|line| format!("linktrawl {line}\t\n")).collect();
    let first = "source \"$1\"; linktrawl() { printf '<%s>\\n' \"$*\"; }\n";
    let mut stdin = bash.stdin.take().expect("a pipe");
    stdin.write_all([first, &typed].concat().as_bytes()).expect("bash reads");
    drop(stdin);
    let output = bash.wait_with_output().expect("bash");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines = text.lines().filter_map(|line| line.strip_prefix('<')?.strip_suffix('>'));
    lines.map(str::to_owned).collect()
}

#[test]
fn bash_completes_paths_where_paths_are_meant_and_nowhere_else() {
    let script = script("readline", "bash");
    let paths = [
        "scan Cargo.t",
        "scan --quiet Cargo.t",
        "scan --baseline=Cargo.t",
        "scan --format sarif=Cargo.t",
        "check --format=sarif=Cargo.t",
        "config check Cargo.t",
        "fix --from Cargo.t",
    ];
    let whole = paths.map(|line| format!("{line}oml"));
    assert_eq!(completed_by_readline(&script, &paths), whole);
    let others = [
        "Cargo.t",
        "explain Cargo.t",
        "parse Cargo.t",
        "grammar Cargo.t",
        "help scan Cargo.t",
        "parse --format Cargo.t",
        "scan --as Cargo.t",
        "check --host-gap Cargo.t",
        "--generate Cargo.t",
    ];
    assert_eq!(completed_by_readline(&script, &others), others);
    assert_eq!(completed_by_readline(&script, &["explain tls-na"]), ["explain tls-name"]);
}

/// `class` with each verdict that it can be given.
fn each(class: &str, gap: &str) -> String {
    ["ok", "warn", "error", "skip"].map(|verdict| format!("{class}={verdict}")).join(gap)
}

/// Types the second argument into a zsh that has the first one as its script, on a terminal of
/// zsh's own making, and prints each word that is offered between `<` and `>`.
const TYPE: &str = r#"
zmodload zsh/zpty
zpty z TERM=dumb zsh -f -i
zpty -w z "PS1= PROMPT= ; stty -echo; unsetopt prompt_sp prompt_cr
    autoload -U compinit; compinit -D -u; source '$1'
    compadd () {
        if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd \"\$@\"; return; fi
        local -a hits; builtin compadd -A hits \"\$@\"
        [[ -n \$hits ]] && print -rl -- '<'\${^hits}'>'
        builtin compadd \"\$@\"
    }
    ended () { print '<<end>>'; exit 0 }
    comppostfuncs=(ended); zle -C offer complete-word _main_complete; bindkey '^I' offer
    print '<<be''gin>>'"
local text
zpty -r -m z text '*<<begin>>*' || exit 1
zpty -w -n z "$2"$'\t'
zpty -r -m z text '*<<end>>*'
print -r -- ${text##*'<<begin>>'}
"#;

/// Returns the candidates that zsh offers for the last word of `line`.
fn offered_by_zsh(script: &Path, line: &str) -> BTreeSet<String> {
    let output = Command::new("zsh")
        .args(["-f", "-c", TYPE, "zsh"])
        .arg(script)
        .arg(line)
        .env("HOME", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("zsh");
    assert!(output.status.success(), "{line}: {output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // The typed text is before the first mark.
    let (offered, _) = text.split_once("<<end>>").expect("the end");
    let words = offered.split('<').skip(1).filter_map(|rest| rest.split_once('>'));
    words.map(|(word, _)| word.to_owned()).collect()
}

#[test]
fn zsh_offers_subcommands_options_values_and_items_of_lists() {
    let script = script("offered", "zsh");
    let case = |line: &str, expected: &[&str]| {
        let offered = offered_by_zsh(&script, &format!("linktrawl {line}"));
        assert_eq!(offered, expected.iter().map(|word| (*word).to_owned()).collect(), "{line}");
    };
    case("exp", &["explain"]);
    case("explain tls-na", &["tls-name"]);
    case("scan --no-i", &["--no-ignore"]);
    case("scan --format=sa", &["sarif"]);
    case(
        "check --verdict missing=",
        &["missing=error", "missing=ok", "missing=skip", "missing=warn"],
    );
    case("scan --find u", &["url"]);
    case("scan --find url,b", &["bare"]);
    case("scan --find=url,bare,m", &["markup"]);
    case("scan --baseline CHANGELOG.m", &["CHANGELOG.md"]);
    case("check --root-dir sr", &["src"]);
    case("check --host-gap CHANGELOG.m", &[]);
    case("scan --format sarif=CHANGELOG.m", &["CHANGELOG.md"]);
    case("check --format=sarif=CHANGELOG.m", &["CHANGELOG.md"]);
    case("parse --format text=CHANGELOG.m", &[]);
    case("check src --offl", &["--offline"]);
    case("check src corp", &["corpus"]);
}

#[test]
fn zsh_loads_a_function_that_offers_the_same_when_it_is_called_again() {
    let script = script("loaded", "zsh");
    let directory = script.parent().expect("a directory").join("functions");
    fs::create_dir_all(&directory).expect("a directory");
    fs::copy(&script, directory.join("_linktrawl")).expect("a copy");
    let text = "fpath=($2:h/functions $fpath); autoload -Uz _linktrawl; compset () { }
        _arguments () { print -r -- ${words[CURRENT]} }
        for turn in 1 2; do words=(linktrawl scan --find url,an); CURRENT=4; _linktrawl; done";
    let output = Command::new("zsh")
        .args(["-f", "-c", text, "zsh", "zsh"])
        .arg(&script)
        .env("HOME", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("zsh");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text.lines().collect::<Vec<_>>(), ["an", "an"], "{output:?}");
}

#[test]
fn fish_offers_subcommands_options_and_values() {
    let script = script("offered", "fish");
    let offered = |words: &str| {
        let text = format!("source $argv[2]; complete -C '{words}'");
        run("fish", &["--no-config"], &text, &script)
    };
    has_all(&offered("linktrawl "), ["scan", "check", "explain"]);
    has_all(&offered("linktrawl scan --format "), REPORTS.iter().map(|report| report.name()));
    has_all(&offered("linktrawl check --fail-on "), ["warn", "error", "never"]);
    has_all(&offered("linktrawl report --hy"), ["--hyperlinks"]);
    has_all(&offered("linktrawl explain pct"), ["pct-encoded"]);
    has_all(&offered("linktrawl grammar show rfc17"), ["rfc1738"]);
    has_all(&offered("linktrawl check --verdict miss"), ["missing=ok", "missing=skip"]);
    has_all(&offered("linktrawl scan --find=url,b"), ["--find=url,bare"]);
    has_all(&offered("linktrawl scan "), ["src/", "Cargo.toml"]);
    has_all(&offered("linktrawl config import "), ["src/", "Cargo.toml"]);
    has_all(&offered("linktrawl check --root-dir "), ["src/"]);
    has_all(&offered("linktrawl help "), ["scan", "check", "help"]);
    has_all(&offered("linktrawl help grammar "), ["show"]);
    has_all(&offered("linktrawl --generate man-s"), ["man-scan"]);
    has_all(&offered("linktrawl scan --format sarif=sr"), ["sarif=src/"]);
    has_all(&offered("linktrawl check --format=sarif=sr"), ["--format=sarif=src/"]);
    let families = offered("linktrawl check --verdict tls=o");
    assert!(families.starts_with("tls=ok\ttls-expired, tls-"), "{families}");
    let nothing = [
        "check --host-gap ",
        "parse ",
        "check --root-dir Cargo.t",
        "explain Cargo.t",
        "help Cargo.t",
        "help scan ",
        "--generate Cargo.t",
        "parse --format text=Cargo.t",
    ];
    for words in nothing {
        assert_eq!(offered(&format!("linktrawl {words}")), "", "{words}");
    }
}

/// The functions of elvish's line editor that the script needs, since the editor exists only on a
/// terminal: a candidate is its text, and there are two files.
const EDITOR: &str = r#"
var edit: = (ns [
    &complex-candidate~={|stem &display='' &code-suffix=''|
        put [&stem=$stem &display=$display &code-suffix=$code-suffix]
    }
    &complete-filename~={|@words|
        put [&stem=docs/ &display='' &code-suffix=''] [&stem=d.md &display='' &code-suffix=' ']
    }
    &completion:=(ns [&arg-completer=[&]])
])
"#;

/// Returns the candidates that elvish offers for the last of `words`.
#[track_caller]
fn offered_by_elvish(words: &str) -> String {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated");
    fs::create_dir_all(&home).expect("a directory");
    let completions = generate("complete-elvish");
    let ask = format!("$edit:completion:arg-completer[linktrawl] linktrawl {words}");
    let text = format!("{EDITOR}\n{completions}\n{ask} | each {{|it| echo $it[stem]}}\n");
    let name: String = words.chars().filter(char::is_ascii_alphanumeric).collect();
    let path = home.join(format!("{name}.elv"));
    fs::write(&path, text).expect("a file");
    let mut command = Command::new("elvish");
    let output = command.arg("-norc").arg(&path).stdin(Stdio::null()).output().expect("elvish");
    assert!(output.status.success(), "{words}: {output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().collect::<Vec<_>>().join(" ")
}

#[test]
fn elvish_offers_subcommands_options_and_values() {
    let formats = formats();
    has_all(&offered_by_elvish("''"), ["scan", "check", "explain"]);
    has_all(&offered_by_elvish("explain ''"), ["pct-encoded", "tls-name", "R3"]);
    has_all(&offered_by_elvish("explain R3 ''"), ["pct-encoded", "tls-name", "R3"]);
    has_all(&offered_by_elvish("scan docs -"), ["--format", "-q", "--quiet", "--no-ignore"]);
    has_all(&offered_by_elvish("scan docs --format ''"), formats.iter().copied());
    let after: Vec<_> = formats.iter().map(|name| format!("--format={name}")).collect();
    assert_eq!(offered_by_elvish("scan --format=s"), after.join(" "));
    let cues = ["url", "angle", "bare", "www", "markup", "header"];
    assert_eq!(offered_by_elvish("scan --find ''"), cues.join(" "));
    assert_eq!(
        offered_by_elvish("scan --find url,b"),
        cues.map(|cue| format!("url,{cue}")).join(" ")
    );
    has_all(&offered_by_elvish("grammar show ''"), ["rfc1738", "rfc3987-iri"]);
    has_all(&offered_by_elvish("--generate ''"), ["man", "man-scan", "complete-elvish"]);
    assert_eq!(offered_by_elvish("check --fail-on ''"), "warn error never");
}

#[test]
fn elvish_offers_each_class_with_each_verdict() {
    let classes = CLASSES.iter().map(|row| row.name).chain(["tls", "policy", "dns"]);
    let all: Vec<_> = classes.map(|class| each(class, " ")).collect();
    assert_eq!(offered_by_elvish("check docs --verdict ''"), all.join(" "));
}

#[test]
fn elvish_offers_paths_where_paths_are_meant_and_nothing_for_numbers() {
    let paths = "docs/ d.md";
    for words in ["scan ''", "scan d", "check --root-dir ''", "config import ''", "scan d d"] {
        assert_eq!(offered_by_elvish(words), paths, "{words}");
    }
    assert_eq!(offered_by_elvish("scan --baseline=d"), "--baseline=docs/ --baseline=d.md");
    assert_eq!(offered_by_elvish("scan --format sarif=d"), "sarif=docs/ sarif=d.md");
    assert_eq!(
        offered_by_elvish("scan --format=sarif=d"),
        "--format=sarif=docs/ --format=sarif=d.md"
    );
    for words in ["check --host-gap ''", "scan --exclude d", "parse ''"] {
        assert_eq!(offered_by_elvish(words), "", "{words}");
    }
}

/// The pieces of a script of PowerShell: strings between single quotes as they are meant, and
/// every other character; comments are none.
fn pieces(script: &str) -> Vec<Result<String, char>> {
    let mut pieces = Vec::new();
    let mut left = script.chars().peekable();
    while let Some(letter) = left.next() {
        match letter {
            '#' => while left.next_if(|next| *next != '\n').is_some() {},
            '\'' => pieces.push(Ok(string(&mut left))),
            other => pieces.push(Err(other)),
        }
    }
    pieces
}

/// Returns the text up to the end of a string whose first quote was read.
fn string(left: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let is_quote = |letter: char| matches!(letter, '\'' | '\u{2018}'..='\u{201b}');
    let mut text = String::new();
    while let Some(letter) = left.next() {
        if is_quote(letter) && left.next_if(|next| is_quote(*next)).is_none() {
            return text;
        }
        text.push(letter);
    }
    panic!("a string without an end: {text}");
}

#[test]
fn powershell_has_brackets_in_pairs_and_strings_with_ends() {
    let script = generate("complete-powershell");
    let mut open = Vec::new();
    for piece in pieces(&script) {
        match piece {
            Err(bracket @ ('{' | '(' | '[')) => open.push(bracket),
            Err(bracket @ ('}' | ')' | ']')) => {
                let pair = format!("{}{bracket}", open.pop().expect("an open bracket"));
                assert!(["{}", "()", "[]"].contains(&pair.as_str()), "{pair}");
            }
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?}");
    // Keys of a table are case-insensitive: two alike would be an error.
    for block in script.split("Taken = @{").skip(1) {
        let lines = block.lines().skip(1).take_while(|line| line.trim() != "}");
        let names: Vec<_> = lines.map(|line| line.trim().split(' ').next()).collect();
        let lower = names.iter().map(|name| name.map(str::to_lowercase));
        assert_eq!(lower.collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
    }
}

#[test]
fn powershell_knows_what_elvish_knows() {
    let elvish = generate("complete-elvish");
    let powershell = generate("complete-powershell");
    // Both escape a quote by a second one. The one has kinds as strings, the other as words.
    let kinds = ["one", "list", "report", "path"];
    let words = |script: &str, head: &str, end: &str| -> Vec<String> {
        let (_, rest) = script.split_once(head).expect("the table");
        let (table, _) = rest.split_once(end).expect("the end of the table");
        let words = pieces(table).into_iter().filter_map(Result::ok);
        words.filter(|word| !kinds.contains(&word.as_str())).collect()
    };
    let expected = words(&elvish, "var levels = [", "\n    ]\n");
    let found = words(&powershell, "$levels = @{", "\n    }\n");
    assert!(expected.len() > 1000, "{}", expected.len());
    let differ = found.iter().zip(&expected).position(|(one, other)| one != other);
    assert_eq!(differ.map(|idx| (&found[idx], &expected[idx])), None);
    assert_eq!(found.len(), expected.len());
}
