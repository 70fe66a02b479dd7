//! Tests errors in a configuration file, and how they are reported.

use std::fs;

use super::refused;
use crate::home::{repository, run, stderr};

#[test]
fn what_is_wrong_is_told_with_its_place() {
    refused("exlude = ['a']", &["1:1: no option is called \"exlude\": perhaps exclude"]);
    let all = "; `linktrawl config show` lists all";
    refused("\n  zzz = 1", &[&format!("2:3: no option is called \"zzz\"{all}")]);
    refused("config = 'a'", &["1:1: no option is called \"config\": perhaps confirm"]);
    let duration = "expected a number with ms, s, m, h or d, as in 500ms";
    refused("timeout = '5'", &[&format!("1:11: {duration}, found \"5\": perhaps 5s")]);
    refused("timeout = 5", &["1:11: expected a string, found a whole number"]);
    refused("retries = '5'", &["1:11: expected a whole number, found a string"]);
    refused("retries = -1", &["1:11: expected a number from 0 to 4294967295, found \"-1\""]);
    let threads = "expected 1 to 1024 threads, found \"0\"; omit --threads for one a processor";
    refused("threads = 0", &[&format!("1:11: {threads}")]);
    refused("timeout = '0s'", &["1:11: expected more than 0, found \"0s\""]);
    refused("confirm = 0", &["1:11: expected 1 or more, or iabot, found \"0\""]);
    let positive = "expected 1 or more: with 0, no request would be sent";
    refused("max-urls-per-host = 0", &[&format!("1:21: {positive}")]);
    refused("retries = 0.5", &["1:11: expected a whole number, found a number with a fraction"]);
    refused("rate = true", &["1:8: expected a number or a string, found true or false"]);
    let range = "expected a number from 0.0001 to 1000000, as in 30 or 0.5";
    refused("rate = 0.0", &[&format!("1:8: {range}, found \"0.0\"")]);
    refused("confirm = 'bot'", &["1:11: expected 1 or more, or iabot, found \"bot\""]);
    refused("unique = 'yes'", &["1:10: expected true or false, found a string"]);
    refused("exclude = 'a'", &["1:11: expected an array of strings, found a string"]);
    refused("exclude = ['a', 1]", &["1:17: expected a string, found a whole number"]);
    refused("find = []", &["1:8: expected at least one value, found none"]);
    let wrong = [
        "1:1: no option is called \"forma\": perhaps format",
        "2:12: expected one of host, head, get; found \"heat\": perhaps head",
    ];
    refused("forma = ['text']\n'probe' =  'heat'", &wrong);
    let none = "expected a file after json=, found none; --format json prints on standard output";
    refused("format = ['json=']", &[&format!("1:11: {none}")]);
    refused("a = [1", &["1:7: unclosed array, expected `]`"]);
    refused("accept = [403]", &["1:11: expected a string, found a whole number"]);
}

#[test]
fn tables_of_hosts_are_held_to_what_there_is() {
    let wrong = |text: &str, expected: &str| refused(&format!("[hosts.h]\n{text}"), &[expected]);
    wrong("gab = '1s'", "2:1: a host has no \"gab\": perhaps gap");
    let duration = "expected a number with ms, s, m, h or d, as in 500ms";
    wrong("gap = '1'", &format!("2:7: {duration}, found \"1\": perhaps 1s"));
    wrong("timeout = 1", "2:11: expected a string, found a whole number");
    wrong("timeout = '0s'", "2:11: expected more than 0, found \"0s\"");
    wrong("concurrency = 0", "2:15: expected 1 or more: with 0, no request would be sent");
    wrong("own = 'h'", "2:7: expected true or false, found a string");
    wrong("headers = 'a: b'", "2:11: expected a table, found a string");
    let elsewhere = "expected a secret to be somewhere else, { env = \"NAME\" } or \
                     { file = \"PATH\" }, found";
    wrong("token = 'hunter2'", &format!("2:9: {elsewhere} a string"));
    wrong("token = { envy = 'A' }", &format!("2:9: {elsewhere} a table"));
    wrong("token = { env = 'A', file = 'b' }", &format!("2:9: {elsewhere} a table"));
    wrong("headers.Cookie = 'hunter2'", &format!("2:18: {elsewhere} a string"));
    wrong("headers.X = 1", &format!("2:13: {elsewhere} a whole number"));
    let pair = "expected a token, or a user and a password";
    wrong("user = 'a'", &format!("2:1: {pair}"));
    wrong("password = { env = 'A' }", &format!("2:1: {pair}"));
    wrong("token = { env = 'A' }\nuser = 'a'", &format!("2:1: {pair}"));
    wrong("user = 'a:b'\npassword = { env = 'A' }", "2:8: expected a name without a colon");
    refused("hosts = 1", &["1:9: expected a table of tables, found a whole number"]);
    refused("hosts.h = 1", &["1:11: expected a table, found a whole number"]);
    let site = "expected HOST, HOST:PORT or SCHEME://HOST:PORT, found";
    refused("[hosts.'a/b']", &[&format!("1:8: {site} \"a/b\"")]);
    refused("[hosts.'x://b']", &[&format!("1:8: {site} \"x://b\"")]);
    for (header, wanted) in
        [("Host = 'a'", "need for themselves"), ("'a b' = 'x'", "a field's name")]
    {
        let home = repository(&[("x.toml", &format!("[hosts.h]\nheaders.{header}"))]);
        let said = stderr(&run(home.path(), &["config", "check", "--config=x.toml"]));
        assert!(said.contains("x.toml:2:9: ") && said.contains(wanted), "{said}");
    }
}

#[test]
fn options_that_do_not_go_together_are_told_with_their_file() {
    let case = |text: &str, expected: &str| {
        let home = repository(&[("x.toml", text)]);
        let output = run(home.path(), &["config", "check", "--config=x.toml"]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let said = stderr(&output);
        assert!(said.contains(expected) && !said.contains("Usage"), "{said}");
    };
    let missing = "expected state beside it, found none";
    case("\nconfirm = 3", &format!("x.toml:2: confirm: {missing}"));
    let several = "confirm = 3\nconfirm-gap = '3d'\n";
    case(several, &format!("x.toml:2: confirm-gap: {missing}"));
    case("max-age = '1d'\nhidden = true\nconfirm = 3", &format!("x.toml:3: confirm: {missing}"));
    let update = "hidden = true\nupdate-baseline = true";
    case(update, "x.toml:2: update-baseline: expected baseline beside it, found none");
    let both = "unique = true\nbaseline = 'b'\n";
    case(both, "x.toml:1: unique: the argument '--unique' cannot be used with '--baseline <FILE>'");
    let pattern = "expected a regular expression, found \"(\": unclosed group (character 1)";
    case("include = [\n'a',\n'(']", &format!("x.toml:3:1: {pattern}"));
    case("exclude = ['(']", &format!("x.toml:1:12: {pattern}"));
    let table = "[[paths]]\nglob = 'a'\nexclude = ['(']\n";
    case(table, &format!("x.toml:3:12: {pattern}"));
    case("ca-file = ['nowhere.pem']", "cannot read \"nowhere.pem\"");
    let refused = "cannot use the certificates or revocation lists in \"x.toml\": expected a";
    let found = "in PEM or DER, found other text";
    case("ca-file = ['x.toml']", &format!("{refused} certificate {found}"));
    case("crl-file = ['x.toml']", &format!("{refused} revocation list {found}"));
    for text in ["confirm = 3", "confirm = 3\nmax-age = '1d'"] {
        let home = repository(&[("x.toml", text)]);
        let output = run(home.path(), &["check", "--offline", ".", "--config=x.toml"]);
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains("options are taken from \"x.toml\""), "{said}");
        let (line, name) = if text.contains('\n') { (2, "max-age") } else { (1, "confirm") };
        let expected = format!("error: x.toml:{line}: {name}: expected state beside it");
        assert!(said.contains(&expected), "{said}");
    }
    let home = repository(&[("x.toml", "")]);
    // The arguments are at fault as well, but the file has a line to report.
    fs::write(home.path().join("x.toml"), "show = 'all'\nbaseline = 'b'").expect("a file");
    let output = run(home.path(), &["scan", "--unique", ".", "--config=x.toml"]);
    assert!(stderr(&output).contains("x.toml:2: baseline: the argument"), "{}", stderr(&output));
    let output = run(home.path(), &["scan", "--config=x.toml"]);
    let said = stderr(&output);
    assert!(said.contains("<PATH>") && !said.contains("x.toml:"), "{said}");
}
