//! Suggests equivalents for options of lychee or ripgrep, where clap would guess by spelling alone.
//!
//! No further input is accepted: a tip is added to the error, or a remark about an input. `values`
//! has the tips about values.

mod values;

use std::ffi::OsString;
use std::path::Path;
use std::slice;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory as _};
use linktrawl::internal::grammar::resolve;
use linktrawl::internal::scheme;

use crate::args::Flags;
use crate::args::formats::Format;
use crate::config;
use values::insert;

/// Options of other programs, by all their names, and the equivalents here: the short ones are from
/// ripgrep and similar programs, the long ones from any. The table of `config import` for lychee's
/// keys also serves for its options; entries here override or extend it.
const OPTIONS: &[(&[&str], &str)] = &[
    (&["-L", "--follow"], FOLLOWED),
    (&["-c", "--count"], BY_FILE),
    (&["-f"], "--format NAME, and NAME=FILE for a file"),
    (&["-g", "--glob", "--max-depth"], GLOB),
    (&["-i", "--ignore-case"], CASE),
    (&["-j"], "--threads N"),
    (&["-l", "--files-with-matches"], BY_FILE),
    (&["-n", "--line-number"], "reports say the line of each link anyway"),
    (&["-o", "--output"], OUTPUT),
    (&["-r", "--recursive"], "directories are walked whenever they are named"),
    (&["-t", "--type"], "--as KIND, for inputs that are not recognised by their content"),
    (&["-u"], "--no-ignore, and --hidden"),
    (&["--cache"], "--state FILE keeps answers, and does not repeat recent requests"),
    (&["--exclude-path"], "put the path into a file .linktrawlignore"),
    (&["--host-request-interval"], "--host-gap DURATION"),
    (&["--include-fragments"], FRAGMENTS),
    (&["--include-mail"], "links of mailto are probed anyway; --exclude '^mailto:' omits them"),
    (&["-k", "--insecure"], "--verdict tls=ok accepts faulty certificates"),
    (&["--json"], "--format ndjson, or json"),
    (&["--max-cache-age"], "--max-age DURATION, with --state"),
    (&["--method"], "--probe head, or get"),
    (&["--min-tls"], "TLS 1.2 is the minimum"),
    (&["--mode"], "--color WHEN"),
    (&["--no-color"], "--color never"),
    (&["--no-progress"], "progress is shown on terminals only; --quiet prints none"),
    (&["--scheme"], "--include '^https?:' reports links of these schemes alone"),
    (&["--suggest"], "--archive wayback looks up dead links"),
];

/// Commands of other programs that print texts about themselves, and the equivalents here.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["completion", "completions"], "--generate complete-bash, -zsh, -fish, -powershell, -elvish"),
    (&["man", "manpage", "manpages"], "--generate man, and man-check or man-mail for parts"),
];

const BY_FILE: &str = "--group-by file counts the links of each file";
const CASE: &str = "hosts and schemes are compared without case; patterns begin with (?i)";
const FOLLOWED: &str =
    "redirects are followed anyway; a symbolic link is read where it is named itself";
const FRAGMENTS: &str = "fragments are looked for in files anyway; --fragments all, in pages";
const GLOB: &str =
    "`.linktrawlignore` files leave paths out; the shell finds those that match a pattern";
const OUTPUT: &str = "--format NAME=FILE writes a report into a file, as in --format json=out.json";

/// The long forms of short options of lychee 0.24, without those that exist here, too. After
/// `check`, the equivalent of lychee, they have lychee's meaning.
const SHORTS: &[(&str, &str)] = &[
    ("-E", "--exclude-all-private"),
    ("-H", "--header"),
    ("-T", "--threads"),
    ("-X", "--method"),
    ("-a", "--accept"),
    ("-b", "--base-url"),
    ("-c", "--config"),
    ("-f", "--format"),
    ("-i", "--insecure"),
    ("-m", "--max-redirects"),
    ("-n", "--no-progress"),
    ("-o", "--output"),
    ("-p", "--preprocess"),
    ("-r", "--retry-wait-time"),
    ("-s", "--scheme"),
    ("-t", "--timeout"),
    ("-u", "--user-agent"),
];

/// Adds a tip to `error`, about the arguments `typed`, if their intention is known.
pub(crate) fn advised(mut error: clap::Error, typed: &[OsString]) -> clap::Error {
    let kind = match error.kind() {
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        ErrorKind::InvalidValue => return values::advised(error, typed),
        ErrorKind::ArgumentConflict => {
            if let Some(tip) = of_split(typed) {
                insert(&mut error, tip);
            }
            return error;
        }
        ErrorKind::MissingRequiredArgument => {
            if let Some(tip) = of_state(&error, typed) {
                insert(&mut error, tip);
            }
            return error;
        }
        _ => return error,
    };
    let Some(ContextValue::String(typed)) = error.get(kind) else { return error };
    let tip = match error.kind() {
        ErrorKind::UnknownArgument => {
            let mut root = Flags::command();
            // Building adds --version to the options of the program.
            root.build();
            of_option(typed, &root, refusing(&root, &error))
        }
        _ => {
            // Clap may suggest a command with a similar name.
            let is_new = error.get(ContextKind::SuggestedSubcommand).is_none();
            let input = || if is_new { of_input(typed) } else { None };
            of_command(typed).map(str::to_owned).or_else(input)
        }
    };
    if let Some(tip) = tip {
        // Clap's suggestion by spelling would be misleading, and so would its usage.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::TrailingArg);
        error.remove(ContextKind::Usage);
        insert(&mut error, tip);
    }
    error
}

/// Returns a tip about a PATH that is missing because `--state` took it for its FILE.
fn of_state(error: &clap::Error, typed: &[OsString]) -> Option<String> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let at = typed.iter().position(|argument| argument == "--state")?;
    let file = typed.get(at + 1)?.to_str().filter(|file| !file.starts_with('-'))?;
    let is_path = missing.iter().any(|name| name.contains("<PATH>"));
    is_path.then(|| {
        format!("{file} was read as the FILE of --state: put PATH first, or write --state=FILE")
    })
}

/// Returns a tip about an option that has no use beside `--split`.
fn of_split(typed: &[OsString]) -> Option<String> {
    let has = |name: &str| typed.iter().any(|argument| argument == name);
    let is_split = |argument: &OsString| {
        argument.to_str().is_some_and(|text| text == "--split" || text.starts_with("--split="))
    };
    let option = ["--hidden", "--no-ignore"].into_iter().find(|name| has(name))?;
    typed.iter().any(is_split).then(|| format!("{option} is for `plan`, which chooses the inputs"))
}

/// Returns the command below `root` whose usage `error` shows.
fn refusing<'c>(root: &'c Command, error: &clap::Error) -> &'c Command {
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else { return root };
    let usage = usage.to_string();
    // The first words are `Usage:` and the program.
    let mut words = usage.split_whitespace().skip(2);
    let deeper = |command: &'c Command, word| command.find_subcommand(word).ok_or(command);
    words.try_fold(root, deeper).unwrap_or_else(|deepest| deepest)
}

/// Returns a tip about where `typed`, which `command` lacks, is an option, or about its equivalent.
fn of_option(typed: &str, root: &Command, command: &Command) -> Option<String> {
    if has(root, typed) {
        return Some(format!(
            "{typed} is an option of linktrawl itself, and goes before the command"
        ));
    }
    let owners = owners(root, &[typed.to_owned()]);
    let owned = owners.map(|owners| format!("{typed} is an option of {owners}, and goes after it"));
    // `check` uses lychee's names for the same options. If only another command has an option of
    // this name, as `resolve` has `--base`, it may mean something else in lychee.
    let is_shared = root.find_subcommand(CHECK).is_some_and(|check| has(check, typed));
    let others = || same_here(typed, command).map(|tip| with_owners(tip, root, command));
    let as_command = || Some(usage(root.find_subcommand(typed.strip_prefix("--")?)?));
    if is_shared { owned } else { others().or(owned).or_else(as_command) }
}

/// Returns the words that run `command`, with its first value.
fn usage(command: &Command) -> String {
    let value = command.get_positionals().next().and_then(|arg| arg.get_value_names()?.first());
    let value = value.map(|value| format!(" {value}")).unwrap_or_default();
    format!("`linktrawl {}{value}`", command.get_name())
}

/// The equivalent of lychee.
const CHECK: &str = "check";

/// Returns the equivalent of other programs' option `typed` for `command`.
fn same_here(typed: &str, command: &Command) -> Option<String> {
    let shorts = if command.get_name() == CHECK { SHORTS } else { &[] };
    let long = shorts.iter().find(|(short, _)| *short == typed).map(|(_, long)| *long);
    if let Some(long) = long.filter(|long| has(command, long)) {
        return Some(long.to_owned());
    }
    let name = long.unwrap_or(typed);
    let row = OPTIONS.iter().find(|(names, _)| names.contains(&name));
    let here = row.map(|(_, here)| (*here).to_owned());
    here.or_else(|| config::of_lychee(name.strip_prefix("--")?))
}

/// Appends to `tip` the commands that have its options, if `command` lacks them.
fn with_owners(tip: String, root: &Command, command: &Command) -> String {
    let mut lacking = options_in(&tip, root);
    lacking.retain(|option| !has(command, option));
    let noun = if lacking.len() == 1 { "an option" } else { "options" };
    match owners(root, &lacking).filter(|_| !lacking.is_empty()) {
        Some(owners) => format!("{tip} ({noun} of {owners})"),
        None => tip,
    }
}

/// Returns the options of this program that `tip` names: `--quiet`, or a key of files between
/// backticks.
fn options_in(tip: &str, root: &Command) -> Vec<String> {
    let option = |word: &str| match word.strip_prefix('`') {
        Some(key) => key.strip_suffix('`').map(|key| format!("--{key}")),
        None => word.starts_with("--").then(|| word.to_owned()),
    };
    let words = tip.split([' ', ',', ';', ':']).filter_map(option);
    let mut options: Vec<_> =
        words.filter(|option| owners(root, slice::from_ref(option)).is_some()).collect();
    options.sort_unstable();
    options.dedup();
    options
}

/// Returns the commands below `root` that have all of `options`, if there are any.
fn owners(root: &Command, options: &[String]) -> Option<String> {
    let has_all = |part: &&Command| options.iter().all(|option| has(part, option));
    let owners = root.get_subcommands().filter(has_all);
    let names: Vec<_> = owners.map(|part| format!("`{}`", part.get_name())).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Reports whether `command` has an option called `typed`.
fn has(command: &Command, typed: &str) -> bool {
    let long = typed.strip_prefix("--");
    let short = typed.strip_prefix('-').and_then(|name| name.parse::<char>().ok());
    let is_it = |arg: &clap::Arg| match long {
        Some(long) => arg.get_long() == Some(long),
        None => short.is_some() && arg.get_short() == short,
    };
    command.get_arguments().any(is_it)
}

/// Returns the equivalent of another program's command.
fn of_command(typed: &str) -> Option<&'static str> {
    COMMANDS.iter().find(|(names, _)| names.contains(&typed)).map(|(_, here)| *here)
}

/// Returns a tip about an input in the place of a command.
fn of_input(typed: &str) -> Option<String> {
    if is_uri(typed.as_bytes()) {
        return Some("`linktrawl parse URI` explains one URI".to_owned());
    }
    let is_path = typed.contains(['/', '.']) || Path::new(typed).exists();
    let tip = "`linktrawl scan PATH` finds links and sends no request; \
               `linktrawl check PATH` probes them";
    is_path.then(|| tip.to_owned())
}

/// Reports whether `text` is a URI with `//` or of a known scheme: `notes:old.txt` and `C:\\a.md`
/// are more likely files.
fn is_uri(text: &[u8]) -> bool {
    let (name, rest) = text.split_at(scheme::name_len(text));
    resolve::is_base(text) && (rest.starts_with(b"://") || scheme::find(name).is_some())
}

/// Returns a remark about the input `path`, if it does not exist and is probably meant as the file
/// of one of `formats`, which have none.
pub(crate) fn of_report(path: &Path, formats: &[Format]) -> Option<String> {
    if path.symlink_metadata().is_ok() {
        return None;
    }
    let ending = path.extension()?;
    let mut names = formats.iter().filter(|it| it.file.is_none()).map(|it| it.report.name());
    let name = names.find(|name| ending == *name)?;
    Some(format!("to write a report there: --format {name}={}", path.display()))
}

/// Returns a remark about the input `path` if it does not exist.
pub(crate) fn of_path(path: &Path) -> Option<String> {
    if path.as_os_str() == "-" || path.symlink_metadata().is_ok() {
        return None;
    }
    let name = path.as_os_str().as_encoded_bytes();
    if is_uri(name) {
        let tip = "inputs are files and directories: `linktrawl parse URI` explains one URI, and \
                   `-` reads standard input, as in `echo URI | linktrawl check -`";
        return Some(tip.to_owned());
    }
    let has = |byte| name.contains(&byte);
    let is_pattern = has(b'*') || has(b'?') || has(b'[') && has(b']');
    let tip = "patterns are for the shell, which expands those that match a file and are not in \
               quotes";
    is_pattern.then(|| tip.to_owned())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::Path;

    use clap::{CommandFactory as _, Parser as _};

    use super::{CHECK, Flags, OPTIONS, SHORTS, advised, has, of_option, of_path, same_here};

    #[track_caller]
    fn told(line: &[&str], wanted: &str) {
        let line: Vec<_> = ["linktrawl"].iter().chain(line).map(OsString::from).collect();
        let error = Flags::try_parse_from(&line).err().expect("a refusal");
        let words = advised(error, &line).to_string();
        assert!(words.contains(wanted), "{words}");
        assert_eq!(words.matches("tip:").count(), 1, "{words}");
    }

    #[test]
    fn options_of_others_are_told_by_those_that_do_the_same() {
        told(&["check", "--max-concurrency", "5", "."], "tip: --in-flight\n");
        told(&["check", "--max-concurrency=5", "."], "tip: --in-flight\n");
        told(&["check", "--exclude-path", "x", "."], "tip: put the path into a file .linktrawlig");
        told(&["check", "--no-progress", "."], "tip: progress is shown on terminals only; --quiet");
        told(&["check", "--dump", "."], "tip: `linktrawl scan` lists links");
        told(&["check", "-i", "."], "tip: --verdict tls=ok accepts faulty certificates\n");
        told(&["check", "--suggest", "."], "tip: --archive wayback looks up dead links\n");
        told(&["check", "--max-redirects", "3", "."], "tip: how many are followed is no option");
        told(&["check", "-o", "file", "."], "tip: --format NAME=FILE");
        told(&["check", "--base", "x", "."], "tip: --base-url\n");
        told(&["scan", "-r", "."], "tip: directories are walked whenever they are named");
        told(&["scan", "--type", "md", "."], "tip: --as KIND");
        told(&["scan", "-l", "."], "tip: --group-by file counts the links of each file");
        told(&["check", "-k", "."], "tip: --verdict tls=ok accepts faulty certificates\n");
        told(&["scan", "-i", "."], "tip: hosts and schemes are compared without case");
        told(&["completions", "bash"], "tip: --generate complete-bash");
        told(&["man"], "tip: --generate man");
        told(&["scan", "--format", "jsonl", "."], "a similar value exists: 'ndjson'");
    }

    #[test]
    fn short_options_are_those_of_lychee_behind_check_and_of_ripgrep_elsewhere() {
        told(&["check", "-t", "20", "."], "tip: --timeout\n");
        told(&["scan", "-t", "md", "."], "tip: --as KIND");
        told(&["check", "-u", "bot", "."], "tip: linktrawl always names itself");
        told(&["scan", "-u", "."], "tip: --no-ignore, and --hidden\n");
        told(&["check", "-r", "3", "."], "tip: the schedule finds the time");
        told(&["check", "-n", "."], "tip: progress is shown on terminals only; --quiet");
        told(&["scan", "-n", "."], "tip: reports say the line of each link anyway\n");
        told(&["check", "-X", "get", "."], "tip: --probe head, or get\n");
        told(&["check", "-E", "."], "unless `allow-net` or `allow-private` opens them\n");
        told(&["check", "-j", "4", "."], "tip: --threads N\n");
        let command = Flags::command();
        let check = command.find_subcommand(CHECK).expect("it");
        for (short, long) in SHORTS {
            assert!(!has(check, short), "{short} is ours");
            let tip = same_here(short, check).expect(short);
            assert!(tip == *long || !has(check, long), "{short}: {tip}");
        }
    }

    #[test]
    fn an_option_that_the_command_lacks_is_told_with_its_owners() {
        told(
            &["parse", "--max-concurrency", "5", "x:"],
            "tip: --in-flight (an option of `check`)\n",
        );
        told(&["scan", "--method", "get", "."], "tip: --probe head, or get (an option of `check`)");
        told(&["scan", "--max-cache-age", "1d", "."], "--state (options of `check`)\n");
        told(&["scan", "--exclude-private", "."], "opens them (options of `check`)\n");
        told(&["--json", "."], "--format ndjson, or json (an option of `scan`, `check`, ");
        told(&["scan", "--json", "."], "tip: --format ndjson, or json\n");
    }

    #[test]
    fn options_of_the_program_itself_are_told_to_stand_before_commands() {
        let tip = "is an option of linktrawl itself, and goes before the command\n";
        told(&["scan", "--generate", "man"], &format!("tip: --generate {tip}"));
        told(&["grammar", "show", "-V"], &format!("tip: -V {tip}"));
    }

    #[test]
    fn a_uri_is_told_by_its_slashes_or_a_known_scheme() {
        let is_told = |path: &str| of_path(Path::new(path)).is_some();
        assert!(is_told("http:x") && is_told("mailto:a@b") && is_told("x-new://h/"));
        assert!(!is_told("notes:old.txt") && !is_told(r"C:\docs\a.md"));
        told(&["notes:old.txt"], "tip: `linktrawl scan PATH`");
        told(&["gopher:x"], "tip: `linktrawl parse URI`");
    }

    #[test]
    fn an_option_at_the_wrong_place_is_told_where_it_belongs() {
        told(&["--offline", "docs"], "tip: --offline is an option of `check`, and goes after it");
        told(&["scan", "--offline", "."], "tip: --offline is an option of `check`");
        told(&["scan", "--write", "."], "tip: --write is an option of `fix`");
        told(&["-q", "scan", "."], "tip: -q is an option of `scan`, `check`, `fix`");
    }

    #[test]
    fn a_command_written_as_an_option_is_told_as_a_command() {
        told(&["--scan"], "tip: `linktrawl scan PATH`\n");
        told(&["--parse", "x:"], "tip: `linktrawl parse URI`\n");
        told(&["--config", "x", "scan"], "tip: --config is an option of `scan`, `check`");
    }

    #[test]
    fn a_path_that_became_the_file_of_state_is_told() {
        let tip = "tip: l.txt was read as the FILE of --state: put PATH first, or write --state=";
        told(&["check", "--state", "l.txt"], tip);
        told(&["check", "--offline", "--state", "l.txt"], tip);
    }

    #[test]
    fn the_choice_of_inputs_is_told_to_belong_to_plan() {
        let tip = "tip: --hidden is for `plan`, which chooses the inputs\n";
        told(&["scan", "--split", "-", "--hidden"], tip);
        told(&["scan", "--hidden", "--split=-"], tip);
    }

    #[test]
    fn a_value_with_one_likely_meaning_is_told_it() {
        told(&["scan", "--as", "md", "."], "tip: a similar value exists: 'markdown'\n");
        told(&["scan", "--as", "YML", "."], "tip: a similar value exists: 'yaml'\n");
        told(&["scan", "--as", "pdf", "."], "tip: PDF is read without --as\n");
        told(&["scan", "--fail-on", "ok", "."], "tip: --fail-on never\n");
        told(
            &["help", "scan", "foo"],
            "tip: scan has no subcommand \"foo\": linktrawl help scan\n",
        );
        told(&["explain", "404"], "tip: see missing, or linktrawl help classes\n");
        told(&["explain", "222"], "tip: linktrawl help classes\n");
    }

    #[test]
    fn an_input_without_a_command_is_told_the_commands() {
        told(&["docs/"], "tip: `linktrawl scan PATH` finds links and sends no request");
        told(&["http://h/"], "tip: `linktrawl parse URI` explains one URI");
        told(&["chek"], "a similar subcommand exists: 'check'");
    }

    #[test]
    fn what_is_merely_mistyped_is_told_by_its_letters() {
        told(&["check", "--ofline", "."], "a similar argument exists: '--offline'");
    }

    #[test]
    fn no_option_of_ours_is_called_one_of_others() {
        let command = Flags::command();
        let names = OPTIONS.iter().flat_map(|(names, _)| *names);
        for name in names {
            assert!(!command.get_subcommands().any(|part| has(part, name)), "{name} is ours");
        }
        for (_, tip) in OPTIONS {
            for option in tip.split([' ', ',', ';']).filter(|word| word.starts_with("--")) {
                assert!(command.get_subcommands().any(|part| has(part, option)), "{option}");
            }
        }
        assert_eq!(of_option("--nothing-like-it", &command, &command), None);
    }
}
