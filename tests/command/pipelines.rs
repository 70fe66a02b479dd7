//! Tests the files that users run in their pipelines: the action, the hooks for pre-commit, the
//! examples. All are read as YAML, and run as far as is possible without the network.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use yaml_rust2::{Yaml, YamlLoader};

use crate::home::{fresh, stdout};
use crate::support::written;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const BINARY: &str = env!("CARGO_BIN_EXE_linktrawl");
const ACTION: &str = ".github/actions/linktrawl";

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).expect("a file of the tree")
}

#[track_caller]
fn yaml(path: &str) -> Yaml {
    let mut documents = YamlLoader::load_from_str(&read(path)).expect(path);
    assert_eq!(documents.len(), 1, "{path}");
    documents.remove(0)
}

/// Copies the documentation of the corpus to `to`.
fn copy_docs(to: &Path) {
    let from = Path::new(ROOT).join("corpus/docs/tree");
    let copied = Command::new("cp").arg("-R").arg(from).arg(to).status().expect("cp runs");
    assert!(copied.success());
}

// ---- the action -------------------------------------------------------------------------

/// Runs the action's script in `at`, with nothing in its environment but `inputs` and a PATH.
fn act(at: &Path, inputs: &[(&str, &str)]) -> Output {
    Command::new(Path::new(ROOT).join(ACTION).join("run"))
        .current_dir(at)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("LINKTRAWL_BINARY", BINARY)
        .envs(inputs.iter().copied())
        .output()
        .expect("the script runs")
}

/// A workflow command: its name, its properties, what it says.
fn parse(line: &str) -> (String, BTreeMap<String, String>, String) {
    let (head, data) =
        line.strip_prefix("::").and_then(|rest| rest.split_once("::")).expect("a command");
    let (name, properties) = head.split_once(' ').unwrap_or((head, ""));
    let decode = |text: &str| {
        let escapes = [("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")];
        escapes.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    };
    let pair = |one: &str| {
        let (key, value) = one.split_once('=').expect("a property");
        (key.to_owned(), decode(value))
    };
    let properties = properties.split(',').filter(|one| !one.is_empty()).map(pair).collect();
    (name.to_owned(), properties, decode(data))
}

#[test]
fn annotations_stand_on_the_right_lines() {
    let inputs = [("LINKTRAWL_PATHS", "corpus/docs/tree"), ("LINKTRAWL_ARGS", "--offline")];
    let output = act(Path::new(ROOT), &inputs);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let text = stdout(&output);
    let mut rows = String::new();
    for (level, properties, words) in text.lines().map(parse) {
        assert_eq!(level, "error");
        let number = |key: &str| properties[key].parse::<usize>().expect("a number");
        let (line, column, end) = (number("line"), number("col"), number("endColumn"));
        // The underlined text is the one that the message mentions.
        let source = read(&properties["file"]);
        let source = source.lines().nth(line - 1).expect("the line");
        let underlined: String = source.chars().take(end - 1).skip(column - 1).collect();
        assert!(words.starts_with(&format!("{underlined}: ")), "{underlined:?} {words}");
        let file = properties["file"].strip_prefix("corpus/docs/tree/").expect("below the tree");
        let title = properties["title"].strip_prefix("linktrawl: ").expect("our title");
        rows.push_str(&format!("{file}\t{line}\t{column}\t{title}\n"));
    }
    assert_eq!(rows, read("corpus/docs/annotations.tsv"));
}

#[test]
fn a_step_has_outputs_and_fails_where_it_is_told_to() {
    let home = fresh("pipelines/outputs");
    copy_docs(&home.join("docs"));
    let (outputs, temporary) = (home.join("outputs"), home.join("temporary files"));
    fs::create_dir(&temporary).expect("a directory");
    let text = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let (outputs_name, temporary_name) = (text(&outputs), text(&temporary));
    let step = |fail_on: &str| {
        let _ = fs::remove_file(&outputs);
        let inputs = [
            ("GITHUB_OUTPUT", &*outputs_name),
            ("RUNNER_TEMP", &temporary_name),
            ("LINKTRAWL_PATHS", "docs"),
            ("LINKTRAWL_ARGS", "--offline"),
            ("LINKTRAWL_FAIL_ON", fail_on),
        ];
        act(&home, &inputs).status.code()
    };
    assert_eq!(step("error"), Some(1));
    let saved = temporary.join("linktrawl.ndjson");
    let expected = format!("exit-code=1\nsaved={}\n", text(&saved));
    assert_eq!(fs::read_to_string(&outputs).expect("outputs"), expected);
    let told = Command::new(BINARY).arg("report").arg(&saved).output().expect("the binary runs");
    assert_eq!(told.status.code(), Some(1));
    assert!(stdout(&told).contains("docs/guide.md:5:44: error[wrong-case]"), "{told:?}");
    assert_eq!(step("never"), Some(0));
    fs::remove_dir_all(home.join("docs")).expect("a directory");
    fs::create_dir(home.join("docs")).expect("a directory");
    fs::write(home.join("docs/a.txt"), "ftp://me:secret@h/\n").expect("a file");
    assert_eq!(step("warn"), Some(1));
    assert_eq!(step("error"), Some(0));
    assert_eq!(step(""), Some(0));
    // Options that the workflow does not give may be in the repository.
    fs::write(home.join("linktrawl.toml"), "fail-on = \"warn\"\n").expect("a file");
    assert_eq!(step(""), Some(1));
    assert_eq!(step("error"), Some(0));
    assert!(fs::read_to_string(&outputs).expect("outputs").starts_with("exit-code=0\n"));
}

#[test]
fn inputs_are_words_and_never_read_by_a_shell() {
    let home = fresh("pipelines/words");
    for name in ["-a b.md", "$(touch c).md", "*"] {
        fs::write(home.join(name), "<http://h/%zz>\n").expect("a file");
    }
    let inputs = [
        ("LINKTRAWL_COMMAND", "scan"),
        ("LINKTRAWL_PATHS", "-a b.md\n\n$(touch c).md\r\n*"),
        ("LINKTRAWL_ARGS", "--exclude=`touch d` $HOME;touch e\n--threads\n1\n"),
    ];
    let output = act(&home, &inputs);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout(&output).lines().all(|line| parse(line).2.contains("(and 2 more times)")));
    assert_eq!(fs::read_dir(&home).expect("a directory").count(), 3);
}

#[test]
fn what_makes_no_sense_is_refused_in_one_annotation() {
    let home = fresh("pipelines/refused");
    for (key, value, wanted) in [
        ("LINKTRAWL_COMMAND", "fix\n::warning::a%0Ab", "found fix\n::warning::a%0Ab"),
        ("LINKTRAWL_FAIL_ON", "all", "expected error, warn or never, found all"),
        ("LINKTRAWL_BINARY", "no/such", "there is no program no/such"),
    ] {
        let output = act(&home, &[(key, value)]);
        assert_eq!(output.status.code(), Some(2));
        let text = stdout(&output);
        assert_eq!(text.lines().count(), 1, "{text}");
        let (level, _, words) = parse(text.trim_end());
        assert!(level == "error" && words.contains(wanted), "{text}");
    }
}

/// A cargo that records its arguments, and builds the program, or fails.
const CARGO: &str = r#"#!/bin/sh
pwd >cargo.log.$$
[ "$MAKES" ] || exit 101
while [ "$1" != --target-dir ]; do echo "$1" >>"$LOG"; shift; done
mkdir -p "$2/release" && ln -s "$MAKES" "$2/release/linktrawl"
rm cargo.log.$$
"#;

#[test]
fn without_a_binary_one_is_built_from_the_actions_own_sources() {
    let home = fresh("pipelines/built");
    let sources = home.join("sources");
    fs::create_dir_all(sources.join(ACTION)).expect("a directory");
    let script = sources.join(ACTION).join("run");
    let original = Path::new(ROOT).join(ACTION).join("run");
    written::program(&script, &fs::read_to_string(original).expect("a script"));
    fs::create_dir(home.join("bin")).expect("a directory");
    written::program(&home.join("bin/cargo"), CARGO);
    fs::write(home.join("a.md"), "<http://h/%zz>\n").expect("a file");
    let run = |makes: &str| {
        let output = Command::new(&script)
            .current_dir(&home)
            .env_clear()
            .env("PATH", format!("{}/bin:/usr/bin:/bin", home.display()))
            .env("RUNNER_TEMP", &home)
            .envs([("LOG", home.join("log"))])
            .envs([("MAKES", makes), ("LINKTRAWL_PATHS", "a.md"), ("LINKTRAWL_COMMAND", "scan")])
            .output()
            .expect("the script runs");
        (output.status.code(), stdout(&output))
    };
    let (code, text) = run("");
    assert_eq!(code, Some(2));
    assert!(text.contains("could not be built"), "{text}");
    let (code, text) = run(BINARY);
    assert_eq!(code, Some(1));
    assert!(text.starts_with("::error file=a.md,line=1,col=2,"), "{text}");
    let told = fs::read_to_string(home.join("log")).expect("a log");
    assert_eq!(told, "build\n--release\n--locked\n--bin\nlinktrawl\n");
}

/// A curl that brings files of the folder `$RELEASE`, and writes down what it is asked for.
const CURL: &str = r#"#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" = --output ] && to="$2"; shift; done
echo "$1" >>"$LOG"
cp "$RELEASE/${1##*/}" "$to" 2>/dev/null || exit 22
"#;

const URL: &str = "https://git.example/us/linktrawl/releases/download";

/// The action in a place of its own, with a release of the program for this system.
struct Released {
    home: PathBuf,
    archive: PathBuf,
}

impl Released {
    fn new(name: &str) -> Self {
        let home = fresh(&format!("pipelines/{name}"));
        let sources = home.join("sources");
        let (bin, release) = (home.join("bin"), home.join("release"));
        for path in [&sources.join(ACTION), &bin, &release] {
            fs::create_dir_all(path).expect("a directory");
        }
        for path in [&*format!("{ACTION}/run"), "Cargo.toml"] {
            fs::copy(Path::new(ROOT).join(path), sources.join(path)).expect("a file");
        }
        for (name, text) in [("curl", CURL), ("cargo", "#!/bin/sh\necho cargo >>$LOG\nexit 101\n")]
        {
            fs::write(bin.join(name), text).expect("a program");
            let mode = fs::Permissions::from_mode(0o755);
            fs::set_permissions(bin.join(name), mode).expect("permissions");
        }
        fs::write(home.join("a.md"), "<http://h/%zz>\n").expect("a file");
        let target = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
        let top = format!("linktrawl-{}-{target}", env!("CARGO_PKG_VERSION"));
        fs::create_dir(home.join(&top)).expect("a directory");
        // In place of the program itself, which takes long to be packed.
        let program = home.join(&top).join("linktrawl");
        fs::write(&program, format!("#!/bin/sh\nexec '{BINARY}' \"$@\"\n")).expect("a program");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
        let archive = release.join(format!("{top}.tar.gz"));
        let pack = r#"tar -czf "$0" "$1" && cd release && sha256sum "${0##*/}" >"$0.sha256""#;
        let words = ["-ec", pack, archive.to_str().expect("UTF-8"), &*top];
        let packed = Command::new("sh").args(words).current_dir(&home).status();
        assert!(packed.expect("a shell").success());
        fs::write(release.join("commit"), "0a1b\n").expect("a file");
        Self { home, archive }
    }

    /// Runs the action for the reference `asked`; returns its exit code, its output, and the names
    /// of what it asked for.
    fn run(&self, asked: &str) -> (Option<i32>, String, Vec<String>) {
        let log = self.home.join("log");
        let temporary = self.home.join("temporary");
        let _ = (fs::remove_file(&log), fs::remove_dir_all(&temporary));
        fs::create_dir(&temporary).expect("a directory");
        let output = Command::new(self.home.join("sources").join(ACTION).join("run"))
            .current_dir(&self.home)
            .env_clear()
            .env("PATH", format!("{}/bin:/usr/bin:/bin", self.home.display()))
            .envs([("RUNNER_TEMP", &temporary), ("LOG", &log)])
            .env("RELEASE", self.home.join("release"))
            .envs([("ACTION_REPOSITORY", "us/linktrawl"), ("ACTION_REF", asked)])
            .envs([("GITHUB_SERVER_URL", "https://git.example"), ("LINKTRAWL_PATHS", "a.md")])
            .env("LINKTRAWL_COMMAND", "scan")
            .output()
            .expect("the script runs");
        let version = format!("{URL}/v{}/", env!("CARGO_PKG_VERSION"));
        let asked = fs::read_to_string(&log).unwrap_or_default();
        let asked = asked.lines().map(|line| line.replace(&version, "")).collect();
        (output.status.code(), stdout(&output), asked)
    }

    /// The names of the archive and of its checksum.
    fn names(&self) -> [String; 2] {
        let name = self.archive.file_name().and_then(|name| name.to_str()).expect("UTF-8");
        [name.to_owned(), format!("{name}.sha256")]
    }
}

#[test]
fn the_released_program_is_taken_and_nothing_is_built() {
    let released = Released::new("released");
    let names = released.names();
    let tag = concat!("v", env!("CARGO_PKG_VERSION"));
    for (asked, first) in [(tag, None), ("0a1b", Some("commit"))] {
        let (code, text, fetched) = released.run(asked);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.starts_with("::error file=a.md,line=1,col=2,"), "{text}");
        let expected: Vec<_> = first.into_iter().chain(names.iter().map(|name| &**name)).collect();
        assert_eq!(fetched, expected);
    }
}

#[test]
fn where_there_is_no_release_of_the_same_sources_one_is_built() {
    let released = Released::new("no release");
    let [archive, checksum] = released.names();
    // A branch, another release, another commit: the sources are not those of the release.
    assert_eq!(released.run("main").2, ["cargo"]);
    assert_eq!(released.run("v0.0.0").2, ["cargo"]);
    assert_eq!(released.run("").2, ["cargo"]);
    assert_eq!(released.run("0a1c").2, ["commit", "cargo"]);
    let tag = concat!("v", env!("CARGO_PKG_VERSION"));
    fs::remove_file(released.archive.with_file_name(&checksum)).expect("a file");
    assert_eq!(released.run(tag).2, [&*archive, &*checksum, "cargo"]);
    fs::remove_file(&released.archive).expect("a file");
    assert_eq!(released.run(tag).2, [&*archive, "cargo"]);
}

#[test]
fn a_program_with_another_checksum_is_refused_and_not_run() {
    let released = Released::new("another checksum");
    let mut bytes = fs::read(&released.archive).expect("an archive");
    *bytes.last_mut().expect("bytes") ^= 1;
    fs::write(&released.archive, bytes).expect("an archive");
    let (code, text, fetched) = released.run(concat!("v", env!("CARGO_PKG_VERSION")));
    assert_eq!(code, Some(2));
    assert_eq!(fetched, released.names());
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("::error ") && text.contains("another checksum"), "{text}");
}

#[test]
fn the_action_gives_its_script_every_input() {
    let action = yaml(&format!("{ACTION}/action.yml"));
    let step = &action["runs"]["steps"][0];
    assert_eq!(action["runs"]["using"].as_str(), Some("composite"));
    assert_eq!(step["run"].as_str(), Some("exec \"$GITHUB_ACTION_PATH/run\""));
    let script = read(&format!("{ACTION}/run"));
    let given = step["env"].as_hash().expect("an environment");
    let mut names = BTreeSet::new();
    for (key, value) in given {
        let key = key.as_str().expect("a name");
        // Whose release it is, which nobody has to say.
        if let Some(context) = key.strip_prefix("ACTION_") {
            let context = context.to_lowercase();
            assert_eq!(value.as_str(), Some(&*format!("${{{{ github.action_{context} }}}}")));
            continue;
        }
        let name = key.strip_prefix("LINKTRAWL_").expect("our name").to_lowercase();
        let name = name.replace('_', "-");
        let expected = format!("${{{{ inputs.{name} }}}}");
        assert_eq!(value.as_str(), Some(&*expected));
        assert!(script.contains(&format!("${{{key}:")), "{key} is not read");
        names.insert(name);
    }
    let inputs = action["inputs"].as_hash().expect("inputs");
    let declared: BTreeSet<_> =
        inputs.keys().map(|key| key.as_str().expect("a name").to_owned()).collect();
    assert_eq!(names, declared);
    assert!(inputs.values().all(|input| input["default"].as_str().is_some()), "{inputs:?}");
    for (name, output) in action["outputs"].as_hash().expect("outputs") {
        let name = name.as_str().expect("a name");
        let expected = format!("${{{{ steps.run.outputs.{name} }}}}");
        assert_eq!(output["value"].as_str(), Some(&*expected));
        assert!(script.contains(&format!("'{name}=%")), "{name} is not written");
    }
}

// ---- hooks and examples -----------------------------------------------------------------

/// Every YAML file below the root that is for others or for ourselves.
#[test]
fn all_yaml_is_yaml() {
    let mut found = BTreeSet::from([".pre-commit-hooks.yaml".to_owned()]);
    for entry in walkdir::WalkDir::new(Path::new(ROOT).join(".github")) {
        let entry = entry.expect("a directory that can be read");
        let path = entry.path().strip_prefix(ROOT).expect("below").to_str().expect("UTF-8");
        if path.ends_with(".yml") || path.ends_with(".yaml") {
            found.insert(path.to_owned());
        }
    }
    assert!(found.len() >= 5, "{found:?}");
    for path in found {
        let document = yaml(&path);
        assert!(document.as_hash().is_some() || document.as_vec().is_some(), "{path}");
    }
}

/// The words after `uses:` in `node` and below it.
fn used(node: &Yaml, found: &mut Vec<String>) {
    let below = node.as_vec().into_iter().flatten();
    let pairs = node.as_hash().into_iter().flatten();
    for (key, value) in pairs {
        match value.as_str() {
            Some(action) if key.as_str() == Some("uses") => found.push(action.to_owned()),
            _ => used(value, found),
        }
    }
    below.for_each(|one| used(one, found));
}

/// A tag can be moved to a commit of an attacker who has taken over the repository of an action.
#[test]
fn actions_of_others_are_pinned_by_their_commit() {
    let mut found = Vec::new();
    let workflows = [".github/workflows/ci.yml", ".github/workflows/release.yml"];
    for path in workflows.into_iter().chain([".github/examples/github-workflow.yml"]) {
        let text = read(path);
        let before = found.len();
        used(&yaml(path), &mut found);
        // The comment is the version of the commit, which a reader can look up.
        let pins = text.lines().filter(|line| line.contains("uses: ") && line.contains(" # v"));
        let ours = found.iter().skip(before).filter(|action| action.contains(ACTION)).count();
        assert_eq!(pins.count() + ours, found.len() - before, "{path}");
    }
    found.retain(|action| !action.contains(ACTION));
    assert!(found.len() > 15, "{found:?}");
    for action in &found {
        let (_, commit) = action.split_once('@').expect("a reference");
        let is_hash = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(is_hash, "{action}");
    }
    // One commit for each action, wherever it is used.
    let one: BTreeSet<_> = found.iter().collect();
    let names: BTreeSet<_> = found.iter().filter_map(|action| action.split('@').next()).collect();
    assert_eq!(one.len(), names.len(), "{one:?}");
}

/// A directory on PATH in which our program has its name.
fn path_with_us(home: &Path) -> String {
    let bin = home.join("bin");
    fs::create_dir(&bin).expect("a directory");
    symlink(BINARY, bin.join("linktrawl")).expect("a link");
    format!("{}:/usr/bin:/bin", bin.display())
}

#[test]
fn hooks_find_what_is_wrong_in_the_files_that_they_are_given() {
    let home = fresh("pipelines/hooks");
    copy_docs(&home.join("docs"));
    fs::rename(home.join("docs/guide.md"), home.join("-guide.md")).expect("a file");
    let path = path_with_us(&home);
    let hooks = yaml(".pre-commit-hooks.yaml");
    let of = |hook: &Yaml, files: &[&str]| {
        assert_eq!(hook["language"].as_str(), Some("python"));
        let entry = hook["entry"].as_str().expect("an entry").split(' ');
        let args = hook["args"].as_vec().expect("arguments").iter();
        let mut words = entry.chain(args.map(|word| word.as_str().expect("a word")));
        let output = Command::new(words.next().expect("a program"))
            .args(words.chain(files.iter().copied()))
            .current_dir(&home)
            .env("PATH", &path)
            .output()
            .expect("the hook runs");
        assert_eq!(output.stderr, b"", "{output:?}");
        output.status.code()
    };
    let codes: BTreeMap<_, _> = hooks
        .as_vec()
        .expect("hooks")
        .iter()
        .map(|hook| {
            let codes = ["docs/README.md", "-guide.md", "docs/drum.svg"];
            (hook["id"].as_str().expect("an id"), codes.map(|file| of(hook, &[file])))
        })
        .collect();
    let (bad, well) = (Some(1), Some(0));
    let expected = [("linktrawl", [bad, bad, well]), ("linktrawl-scan", [well, bad, well])];
    assert_eq!(codes, BTreeMap::from(expected));
}

/// pre-commit installs the package at the root, which asks for the wheel of the same version.
#[test]
fn hooks_are_installed_with_the_program_of_their_own_version() {
    let project = read("pyproject.toml");
    let version = env!("CARGO_PKG_VERSION");
    assert!(project.contains(&format!("\nversion = \"{version}\"\n")), "{project}");
    let asked = format!("\ndependencies = [\"linktrawl=={version}\"]\n");
    assert!(project.contains(&asked), "{project}");
}

#[test]
fn the_jobs_for_gitlab_run_as_they_stand() {
    let home = fresh("pipelines/gitlab");
    copy_docs(&home.join("docs"));
    fs::write(home.join("README.md"), "[guide](docs/guide.md)\n").expect("a file");
    let path = path_with_us(&home);
    let jobs = yaml(".github/examples/gitlab-ci.yml");
    for (name, offline) in [("links:local", ""), ("links:remote", " --offline")] {
        let lines = ["before_script", "script"].map(|key| jobs[name][key].as_vec().cloned());
        let mut code = None;
        for line in lines.into_iter().flatten().flatten() {
            let line = line.as_str().expect("a command").to_owned();
            let offline = if line.starts_with("linktrawl") { offline } else { "" };
            let output = Command::new("sh")
                .args(["-ec", &format!("{line}{offline}")])
                .current_dir(&home)
                .env("PATH", &path)
                .output()
                .expect("a shell");
            code = output.status.code();
        }
        assert_eq!(code, Some(1), "{name}");
        let artifact = jobs[".linktrawl"]["artifacts"]["paths"][0].as_str().expect("a path");
        fs::remove_file(home.join(artifact)).expect(name);
    }
    let kept = jobs["links:remote"]["cache"]["paths"][0].as_str().expect("a path");
    assert_eq!(fs::read_dir(home.join(kept)).expect("what is kept").count(), 1);
}

/// Returns the value of a word of a rule: `"text"`, or `$NAME` where that is set.
fn value<'v>(word: &'v str, variables: &[(&str, &'v str)]) -> Option<&'v str> {
    match word.strip_prefix('$') {
        Some(name) => variables.iter().find(|(known, _)| *known == name).map(|(_, value)| *value),
        None => word.strip_prefix('"')?.strip_suffix('"'),
    }
}

/// Reports whether all terms of `rule` are true: `$A == "b"`, `$A == $B`, joined by `&&`.
fn holds(rule: &str, variables: &[(&str, &str)]) -> bool {
    rule.split(" && ").all(|term| {
        let (one, other) = term.split_once(" == ").expect("a comparison");
        let (one, other) = (value(one, variables), value(other, variables));
        one.is_some() && one == other
    })
}

#[test]
fn each_pipeline_of_gitlab_has_one_job_and_no_change_has_two_pipelines() {
    let jobs = yaml(".github/examples/gitlab-ci.yml");
    let of = |source: &str, branch: Option<&str>| {
        let mut variables = vec![("CI_PIPELINE_SOURCE", source), ("CI_DEFAULT_BRANCH", "main")];
        variables.extend(branch.map(|branch| ("CI_COMMIT_BRANCH", branch)));
        let is_run = |name: &&str| {
            let rules = jobs[*name]["rules"].as_vec().expect("rules");
            rules.iter().any(|rule| holds(rule["if"].as_str().expect("a rule"), &variables))
        };
        ["links:local", "links:remote"].into_iter().filter(is_run).collect::<Vec<_>>()
    };
    assert_eq!(of("push", Some("a-branch")), [""; 0]);
    assert_eq!(of("merge_request_event", None), ["links:local"]);
    assert_eq!(of("push", Some("main")), ["links:local"]);
    assert_eq!(of("schedule", Some("main")), ["links:remote"]);
}

#[test]
fn the_workflow_for_github_gives_inputs_that_the_action_takes() {
    let home = fresh("pipelines/workflow");
    copy_docs(&home.join("docs"));
    fs::write(home.join("README.md"), "[guide](docs/guide.md)\n").expect("a file");
    let action = yaml(&format!("{ACTION}/action.yml"));
    let workflow = yaml(".github/examples/github-workflow.yml");
    let jobs = workflow["jobs"].as_hash().expect("jobs");
    assert_eq!(jobs.len(), 2);
    for job in jobs.values() {
        let steps = job["steps"].as_vec().expect("steps");
        let uses = |step: &&Yaml| step["uses"].as_str().is_some_and(|used| used.contains(ACTION));
        let step = steps.iter().find(uses).expect("a step of ours");
        let with = step["with"].as_hash().expect("inputs");
        for name in with.keys() {
            assert!(
                action["inputs"][name.as_str().expect("a name")].as_hash().is_some(),
                "{name:?}"
            );
        }
        let input = |name: &str| step["with"][name].as_str().unwrap_or_default().to_owned();
        let args = format!("{}\n--offline", input("args").replace("--offline", ""));
        let inputs = [("LINKTRAWL_PATHS", &*input("paths")), ("LINKTRAWL_ARGS", &args)];
        let output = act(&home, &inputs);
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(stdout(&output).lines().count(), 6);
    }
}

#[test]
fn the_image_is_built_by_the_compiler_that_the_package_asks_for() {
    let image = read(".github/examples/Containerfile");
    let manifest = read("Cargo.toml");
    let version = |line: &str| line.strip_prefix("rust-version = \"").map(str::to_owned);
    let version = manifest.lines().find_map(version).expect("a version");
    let version = version.trim_end_matches('"');
    assert!(image.contains(&format!("/rust:{version}-")), "{version}");
    let entry = image.lines().find_map(|line| line.strip_prefix("ENTRYPOINT ")).expect("an entry");
    let entry = YamlLoader::load_from_str(entry).expect("a list");
    let program = entry[0][0].as_str().expect("a program");
    assert!(image.contains(&format!("/build/target/dist/linktrawl {program}\n")), "{program}");
}

#[test]
fn the_image_is_given_what_the_build_reads_and_nothing_that_grows() {
    let image = read(".github/examples/Containerfile");
    let home = fresh("pipelines/image");
    let mut names = BTreeSet::new();
    for line in image.lines().filter(|line| !line.starts_with("COPY --from=")) {
        let Some(words) = line.strip_prefix("COPY ") else { continue };
        let words: Vec<_> = words.split(' ').collect();
        let (to, from) = words.split_last().expect("words");
        for name in from {
            let source = Path::new(ROOT).join(name);
            let copy = Command::new("cp").arg("-R").arg(source).arg(home.join(to)).status();
            assert!(copy.expect("cp runs").success(), "{line}");
            names.insert((*name).to_owned());
        }
    }
    assert!(names.contains("src") && !names.contains("."), "{names:?}");
    // Cargo finds all that the manifest names.
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version=1"])
        .current_dir(&home)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout(&output).contains("benches/scan.rs"));
    // The sources of the program include no file from elsewhere, except in its tests.
    for entry in walkdir::WalkDir::new(home.join("src")) {
        let entry = entry.expect("a directory that can be read");
        let Ok(text) = fs::read_to_string(entry.path()) else { continue };
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        assert!(!code.contains("include_str!(\"../../corpus"), "{:?}", entry.path());
    }
}

/// A text in backticks that begins like a path of the tree is one.
#[test]
fn what_contributors_are_sent_to_is_there() {
    for document in [".github/CONTRIBUTING.md", ".github/SECURITY.md"] {
        let text = read(document);
        let quoted = text.split('`').skip(1).step_by(2);
        let is_path = |text: &&str| {
            ["src/", "tests/", "corpus/", "benches/", ".github/"]
                .iter()
                .any(|at| text.starts_with(at))
        };
        let paths: Vec<_> = quoted.filter(is_path).filter(|path| !path.contains("NAME")).collect();
        assert!(paths.len() > 2, "{document}: {paths:?}");
        for path in paths {
            assert!(Path::new(ROOT).join(path).exists(), "{document}: {path} is not there");
        }
    }
}
