//! Tests `config import`: the options of a lychee.toml become options of linktrawl.

use std::fs;

use crate::home::{repository, run, stderr, stdout};

/// The note about patterns that are kept.
const WRITTEN: &str = "kept: patterns are compared with links as they are written, by lychee \
                       with whole URLs, as in file:///…";

/// Checks the file that `config import` makes of a lychee.toml, without its first line, and its
/// notes on standard error.
#[track_caller]
fn imported(lychee: &str, expected: &str, said: &[&str]) {
    let home = repository(&[("lychee.toml", lychee), ("a.txt", "x")]);
    let output = run(home.path(), &["config", "import"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert_eq!(text.split_once('\n').expect("a line").1, expected, "{lychee}");
    let told = stderr(&output).replace("linktrawl: ", "").replace("lychee.toml: ", "");
    assert_eq!(told.lines().collect::<Vec<_>>(), said, "{lychee}");
    fs::write(home.path().join("x.toml"), &text).expect("a file");
    let output = run(home.path(), &["config", "check", "--config=x.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    fs::write(home.path().join("linktrawl.toml"), text).expect("a file");
    let is_found = run(home.path(), &["config", "check"]).status.success();
    assert_eq!(is_found, !told.contains("--config FILE"), "{lychee}");
}

/// Returns the note about options that only a file named by the user may set.
fn needs_naming(options: &str) -> String {
    format!("these are taken only from a file that is given with --config FILE: {options}")
}

#[test]
fn what_lychee_was_told_is_kept_changed_or_lost_and_said_so() {
    let exclude = format!("exclude: {WRITTEN}");
    imported("exclude = ['a', '\"']", "exclude = [\"a\", \"\\\"\"]\n", &[&exclude]);
    imported("hidden = true", "hidden = true\n", &["hidden: kept"]);
    imported("threads = 2", "threads = 2\n", &["threads: kept", &needs_naming("threads")]);
    let retries = "max_retries: changed to retries = 1";
    imported("max_retries = 1", "retries = 1\n", &[retries, &needs_naming("retries")]);
    imported("timeout = 20", "timeout = \"20s\"\n", &["timeout: changed to timeout = \"20s\""]);
    let codes = "accept = [\"200\", \"429\", \"500..=999\", \"100..=103\", \"200..=203\"]";
    let accept = "accept = [200, '429,500..', '..=103', '200..204']";
    imported(accept, &format!("{codes}\n"), &[&format!("accept: changed to {codes}")]);
    let json = "format: not kept: no format is called \"yaml\"";
    imported("format = 'yaml'", "", &[json]);
    let text = "format = [\"text=a.txt\"]";
    let changed = format!("format: changed to {text}");
    imported(
        "output = 'a.txt'\nformat = 'compact'",
        &format!("{text}\n"),
        &["output: kept", &changed],
    );
    imported("output = 'a.txt'", "", &["output: not kept: it needs a format"]);
    let tls = "insecure: changed to verdict = [\"tls=ok\"]";
    imported("insecure = true", "verdict = [\"tls=ok\"]\n", &[tls]);
    imported("insecure = false", "", &["insecure: not needed: that is so here"]);
    imported("require_https = true", "", &["require_https: not kept: there is no such rule"]);
    let age = "max_cache_age: not kept: nothing is kept where `cache` is not set";
    imported("max_cache_age = '1d'", "", &[age]);
    imported(
        "cache = true\nmax_cache_age = '1d 1h'",
        "max-age = \"25h\"\nstate = \".linktrawl.db\"\n",
        &[
            "cache: changed to state = \".linktrawl.db\"",
            "max_cache_age: changed to max-age = \"25h\"",
        ],
    );
    let wayback = "archive = [\"wayback\"]";
    let suggest = format!("suggest: changed to {wayback}");
    let both = "archive = 'wayback'\nsuggest = true";
    let named = needs_naming("archive");
    imported(both, &format!("{wayback}\n"), &["archive: kept", &suggest, &named]);
    imported("suggest = true", &format!("{wayback}\n"), &[&suggest, &named]);
    imported("suggest = false", "", &["suggest: not needed: that is so here"]);
    let alone = "archive: not needed: without `suggest` no archive is asked";
    imported("archive = 'wayback'", "", &[alone]);
    imported("archive = 'x'", "", &["archive: not kept: expected wayback, found \"x\""]);
    imported("exlude = 1", "", &["exlude: not kept: lychee has no such key: perhaps exclude"]);
    let threads = "threads: not kept: expected 1 to 1024 threads, found \"x\"; omit --threads for \
                   one a processor";
    imported("threads = 'x'", "", &[threads]);
    let hidden = "hidden: not kept: expected true or false, found a whole number";
    imported("hidden = 1", "", &[hidden]);
    let accept = "accept: not kept: expected a string or a whole number, found a table";
    imported("accept = {}", "", &[accept]);
    let timeout = "timeout: not kept: expected a whole number, found a string";
    imported("timeout = '1'", "", &[timeout]);
}

#[test]
fn what_depends_on_a_value_is_said_of_that_value() {
    let case = |lychee: &str, said: &str| {
        let key = lychee.split(' ').next().expect("a key");
        imported(lychee, "", &[&format!("{key}: {said}")]);
    };
    let code = "not kept: links in code are found by their schemes, as in text, and reported";
    case("include_verbatim = false", code);
    case("include_verbatim = true", "not needed: that is so here");
    case("include_verbatim = 1", "not kept: expected true or false, found a whole number");
    for version in ["TLSv1_0", "TLSv1_1", "TLSv1_2"] {
        case(&format!("min_tls = '{version}'"), "not needed: TLS 1.2 is the minimum");
    }
    case("min_tls = 'TLSv1_3'", "not kept: TLS 1.2 is the minimum, and stays allowed");
    case("min_tls = 'SSLv3'", "not kept: expected TLSv1_0 to TLSv1_3, found \"SSLv3\"");
    case("min_tls = 1", "not kept: expected a string, found a whole number");
    let closed = "not needed: addresses that are not public are not requested, unless `allow-net` \
                  or `allow-private` opens them";
    for what in ["private", "all_private", "link_local", "loopback"] {
        case(&format!("exclude_{what} = true"), closed);
        let by = if what.ends_with("private") { "--allow-private or " } else { "" };
        let open = format!("not kept: {by}--allow-net allows requests to them");
        case(&format!("exclude_{what} = false"), &open);
    }
}

#[test]
fn what_only_a_file_that_is_named_may_say_is_told() {
    let probe = "probe = \"head\"";
    let said = [
        "max_concurrency: changed to in-flight = 9".to_owned(),
        format!("method: changed to {probe}"),
        "hidden: kept".to_owned(),
        "hosts.h.concurrency: changed to concurrency = 3".to_owned(),
        "hosts.h.request_interval: changed to gap = \"1s\"".to_owned(),
        needs_naming("in-flight, probe, hosts.\"h\".concurrency, hosts.\"h\".gap"),
    ];
    imported(
        "max_concurrency = 9\nmethod = 'head'\nhidden = true\n\
         [hosts.h]\nconcurrency = 3\nrequest_interval = '1s'\n",
        &format!(
            "hidden = true\nin-flight = 9\n{probe}\n\n\
             [hosts.\"h\"]\nconcurrency = 3\ngap = \"1s\"\n"
        ),
        &said.each_ref().map(String::as_str),
    );
    imported("root_dir = '.'", "root-dir = \".\"\n", &["root_dir: kept"]);
    let outside = needs_naming("root-dir");
    imported("root_dir = '/'", "root-dir = \"/\"\n", &["root_dir: kept", &outside]);
}

#[test]
fn what_includes_and_excludes_means_the_same_or_is_lost() {
    let (include, exclude) = (format!("include: {WRITTEN}"), format!("exclude: {WRITTEN}"));
    imported("include = ['a']", "include = [\"a\"]\n", &[&include]);
    let lost = "include: not kept: here `exclude` wins, and `include` leaves out all else: it \
                cannot stand beside `exclude` or `scheme`";
    imported("include = ['a']\nexclude = ['b']", "exclude = [\"b\"]\n", &[lost, &exclude]);
    let scheme = "include = [\"^(?i:https|ftp):\"]";
    let kept = format!("scheme: changed to {scheme}");
    let both = "scheme = ['https', 'ftp']\ninclude = ['a']";
    imported(both, &format!("{scheme}\n"), &[&kept, lost]);
    let mail = "include_mail: changed to exclude = [\"^mailto:\"]";
    imported("include_mail = false", "exclude = [\"^mailto:\"]\n", &[mail]);
    let output = {
        let home = repository(&[("lychee.toml", "exclude = ['(', 'a']")]);
        run(home.path(), &["config", "import"])
    };
    assert!(stdout(&output).ends_with("\nexclude = [\"a\"]\n"), "{}", stdout(&output));
    let pattern = "expected a regular expression, found \"(\"";
    assert!(stderr(&output).contains(pattern), "{}", stderr(&output));
}

#[test]
fn the_scheme_of_files_is_that_of_links_without_one() {
    let text = "[a](b.md) [c](#d) [e](/f/g:h) [i](./j:k) [l](?m)\n\
                <FILE:///n> [o](//p/q) <http://r/> <mailto:s@t>\n";
    let home = repository(&[("lychee.toml", "scheme = ['file']"), ("a.md", text)]);
    let options = stdout(&run(home.path(), &["config", "import"]));
    fs::write(home.path().join("linktrawl.toml"), options).expect("a file");
    let report = stdout(&run(home.path(), &["scan", "a.md", "--quiet"]));
    let found: Vec<_> = report.lines().filter_map(|line| line.rsplit(' ').next()).collect();
    assert_eq!(found, ["b.md", "#d", "/f/g:h", "./j:k", "?m", "FILE:///n"]);
}

#[test]
fn hosts_of_lychee_are_tables_and_nothing_secret_is_copied() {
    let text = "basic_auth = ['h user:hunter2']\ngithub_token = 'hunter2'\n\
                header = { Authorization = 'hunter2' }\n[hosts.\"h.example\"]\nconcurrency = 3\n\
                request_interval = '1s 500ms'\nheaders = { X = 'hunter2' }\n[hosts.'a/b']\n\
                concurrency = 1\n";
    let home = repository(&[("lychee.toml", text)]);
    let output = run(home.path(), &["config", "import"]);
    let (made, said) = (stdout(&output), stderr(&output));
    assert!(!made.contains("hunter2") && !said.contains("hunter2"), "{made}{said}");
    let tables = "\n\n[hosts.\"h.example\"]\nconcurrency = 3\ngap = \"1500ms\"\n";
    assert!(made.ends_with(tables), "{made}");
    assert_eq!(said.matches(": not kept: ").count(), 5, "{said}");
}

#[test]
fn patterns_of_lycheeignore_are_excluded() {
    let ignored = "# a remark\n^http://a/\n\nhttp://b\n";
    let files = [("lychee.toml", "exclude = ['c']"), (".lycheeignore", ignored)];
    let home = repository(&files);
    let output = run(home.path(), &["config", "import"]);
    assert_eq!(stderr(&output).matches(WRITTEN).count(), 3, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("exclude = [\"c\", \"^http://a/\", \"http://b\"]\n"), "{text}");
    let text = stdout(&run(home.path(), &["config", "import", ".lycheeignore"]));
    assert!(text.contains("exclude = [\"^http://a/\", \"http://b\"]\n"), "{text}");
    let none = repository(&[]);
    let output = run(none.path(), &["config", "import"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("expected lychee.toml"), "{}", stderr(&output));
}
