//! Tests links that mail gateways wrapped, through the program: which hosts it requests, and what
//! it prints.
//!
//! The recipient in the tokens of a thousand wrapped links is a word that occurs nowhere else. No
//! output holds it in any form, and no host of a gateway is requested. Nothing leaves this machine:
//! a name server on loopback answers queries for names, and knows none of them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Output;
use std::sync::{Arc, Mutex};

use data_encoding::BASE64;
use linktrawl::internal::report::REPORTS;
use serde_json::Value;

use crate::support::home;
use crate::support::servers::name_server::{NameServer, Reply};

/// The recipient.
const READER: &str = "kwzqvjreader";

/// The number of wrapped links.
const LINKS: usize = 1_000;

/// The host of the targets.
const TARGETS: &str = "target.example";

fn linktrawl(home: &Path, args: &[&str]) -> Output {
    home::run(home, args)
}

/// A wrapped link to the target of this number, with the recipient in its tokens.
fn link(number: usize) -> String {
    let address = format!("{READER}@example.com");
    let plain = address.clone();
    let once = format!("{READER}%40example.com");
    let twice = format!("{READER}%2540example.com");
    let coded = BASE64.encode(address.as_bytes());
    let token = [&plain, &once, &twice, &coded][number / 16 % 4];
    let value = format!("https%3A%2F%2F{number}.{TARGETS}%2Fa");
    match number % 16 {
        0 => format!(
            "https://nam01.safelinks.protection.outlook.com/?url={value}&data=05%7C02%7C{token}\
             %7C&sdata={token}&reserved=0"
        ),
        1 => format!("https://urldefense.proofpoint.com/v1/url?u={value}&k={token}&r={token}"),
        2 => format!(
            "https://urldefense.proofpoint.com/v2/url?u=https-3A__{number}.{TARGETS}_a&d={token}\
             &c={token}&r={token}&m=&s=&e="
        ),
        3 => format!("https://urldefense.com/v3/__https://{number}.{TARGETS}/a__;!!{token}!a$"),
        4 => format!("https://secure-web.cisco.com/{token}/{value}"),
        5 => format!("https://linkprotect.cudasvc.com/url?a={value}&c=E,1,{token}&typo=1"),
        6 => {
            let value = BASE64.encode(format!("https://{number}.{TARGETS}/a").as_bytes());
            format!("https://us-west-2.protection.sophos.com/?d=h.example&u={value}&i={token}")
        }
        7 => format!("https://clicktime.symantec.com/{token}?u={value}"),
        8 => format!(
            "https://imsva91-ctp.trendmicro.com/wis/clicktime/v1/query?url={value}&umid={token}"
        ),
        9 => format!("https://protect2.fireeye.com/v1/url?k={token}&q=1&e={token}&u={value}"),
        10 => format!("https://www.google.com/url?q={value}&usg={token}"),
        11 => format!("https://l.facebook.com/l.php?u={value}&h={token}"),
        12 => format!("https://protect-us.mimecast.com/s/{token}?domain={TARGETS}"),
        13 => format!("https://url.avanan.click/v2/___https:/{number}.{TARGETS}/a___.{token}"),
        // A wrapper in a wrapper, with tokens in both.
        14 => format!(
            "https://www.google.com/url?q=https%3A%2F%2Fnam01.safelinks.protection.outlook.com%2F\
             %3Furl%3Dhttps%253A%252F%252F{number}.{TARGETS}%252Fa%26data%3D05%257C{READER}\
             %2540example.com&usg={token}"
        ),
        // A link that can no longer be unwrapped.
        _ => format!("https://urldefense.com/v3/__https://{number}.{TARGETS}/*__;!!{token}!a$"),
    }
}

/// The gateways' own domains.
const GATEWAYS: [&str; 13] = [
    "outlook.com",
    "proofpoint.com",
    "urldefense.com",
    "cisco.com",
    "cudasvc.com",
    "sophos.com",
    "symantec.com",
    "trendmicro.com",
    "fireeye.com",
    "google.com",
    "facebook.com",
    "mimecast.com",
    "avanan.click",
];

/// A mailbox with all links, as text and as HTML.
fn mailbox() -> String {
    let mut text = String::new();
    for number in 0..LINKS {
        let link = link(number);
        let html = link.replace('&', "&amp;");
        write!(
            text,
            "From a@example.org Thu Dec  1 00:00:00 1994\nFrom: a@example.org\nSubject: {number}\n\
             Message-ID: <{number}@example.org>\nMIME-Version: 1.0\n\
             Content-Type: multipart/mixed; boundary=b\n\n--b\n\nSee <{link}> or\n{link}\n\
             --b\nContent-Type: text/html\n\n<a href=\"{html}\">{number}.{TARGETS}</a>\n--b--\n\n"
        )
        .expect("memory");
    }
    text
}

/// Reports whether `printed` holds the recipient, in clear or in base64.
fn tells_reader(printed: &[u8]) -> bool {
    let lower = printed.to_ascii_lowercase();
    let holds = |text: &[u8], part: &[u8]| text.windows(part.len()).any(|it| it == part);
    // The part of the base64 that does not depend on what follows.
    let coded = BASE64.encode(READER.as_bytes());
    holds(&lower, READER.as_bytes()) || holds(printed, &coded.as_bytes()[..12])
}

#[test]
fn no_output_tells_whom_a_wrapped_link_was_sent_to() {
    let home = tempfile::tempdir().expect("a directory");
    fs::write(home.path().join("a.mbox"), mailbox()).expect("a file");
    let links: String = (0..LINKS).map(|number| link(number) + "\n").collect();
    fs::write(home.path().join("a.txt"), &links).expect("a file");
    assert!(tells_reader(links.as_bytes()));
    for args in [&["scan", "a.mbox", "a.txt"][..], &["scan", "--no-unwrap", "a.mbox", "a.txt"]] {
        let mut args = args.to_vec();
        let names: Vec<&str> = REPORTS.iter().map(|report| report.name()).collect();
        let formats: Vec<_> =
            names.iter().map(|name| format!("--format={name}=r.{name}")).collect();
        args.extend(formats.iter().map(String::as_str));
        args.extend(["--grammar", "current,rfc1738,draft1993"]);
        let output = linktrawl(home.path(), &args);
        assert!(!tells_reader(&output.stdout) && !tells_reader(&output.stderr), "{args:?}");
        for name in names {
            let report = fs::read(home.path().join(format!("r.{name}"))).expect("a report");
            assert!(!report.is_empty(), "{name}");
            assert!(!tells_reader(&report), "{name} tells the reader with {args:?}");
        }
    }
}

#[test]
fn no_command_tells_it_either() {
    let home = tempfile::tempdir().expect("a directory");
    for number in 0..64 {
        let link = link(number);
        for args in [
            &["parse", &link][..],
            &["parse", "--format", "ndjson", &link],
            &["parse", "--grammar", "whatwg", &link],
            &["explain", &link],
            &["resolve", "http://h.example/", &link],
            &["compare", &link, "http://h.example/"],
        ] {
            let output = linktrawl(home.path(), args);
            let printed = [output.stdout, output.stderr].concat();
            assert!(!printed.is_empty(), "{args:?}");
            assert!(!tells_reader(&printed), "{args:?}: {}", String::from_utf8_lossy(&printed));
        }
    }
}

/// A name server that knows no name, and the names that it was asked for.
fn name_server() -> (NameServer, Arc<Mutex<BTreeSet<String>>>) {
    let asked = Arc::new(Mutex::new(BTreeSet::new()));
    let names = Arc::clone(&asked);
    let server = NameServer::start(move |name, _| {
        names.lock().expect("whole").insert(name.to_owned());
        // RFC 1035 §4.1.1: the name does not exist.
        Reply::Code(3)
    });
    (server, asked)
}

#[test]
fn no_gateway_is_asked() {
    let (server, asked) = name_server();
    let home = tempfile::tempdir().expect("a directory");
    fs::write(home.path().join("a.mbox"), mailbox()).expect("a file");
    let address = server.address.to_string();
    let usual = ["check", "a.mbox", "--retries=0", "--no-robots", "--name-server", &address];
    let formats = ["--format=text", "--format=ndjson=run.ndjson", "--state=state.db"];
    let run = |more: &[&str]| {
        asked.lock().expect("whole").clear();
        let output = linktrawl(home.path(), &[&usual[..], &formats, more].concat());
        assert!(!tells_reader(&output.stdout) && !tells_reader(&output.stderr), "{more:?}");
        for file in ["run.ndjson", "state.db"] {
            assert!(!tells_reader(&fs::read(home.path().join(file)).expect("it")), "{file}");
        }
        asked.lock().expect("whole").clone()
    };
    let of_gateways = |names: &BTreeSet<String>| {
        let is_of = |name: &&String| GATEWAYS.iter().any(|gateway| name.ends_with(gateway));
        names.iter().filter(is_of).count()
    };
    for more in [&[][..], &["--probe=get", "--probe-side-effects"]] {
        let names = run(more);
        assert_eq!(of_gateways(&names), 0, "{names:?}");
        let targets = names.iter().filter(|name| name.ends_with(TARGETS)).count();
        // Two of sixteen links have no target that anybody knows.
        assert!(targets >= LINKS * 13 / 16, "{targets}");
    }
    let records = fs::read_to_string(home.path().join("run.ndjson")).expect("records");
    let records: Vec<Value> =
        records.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let wrapped: Vec<_> = records.iter().filter(|line| line["wrapped_by"].is_array()).collect();
    assert!(wrapped.len() >= 2 * LINKS, "{}", wrapped.len());
    for record in wrapped {
        let is_known = record["target"].is_string();
        assert_eq!(is_known, record["target_unknown"].is_null(), "{record}");
        assert!(!is_known || record["target"] == record["uri"], "{record}");
        assert!(is_known || record["reach"]["class"] == "wrapped", "{record}");
    }
    // The name server would have heard of them.
    assert!(of_gateways(&run(&["--no-unwrap", "--probe-side-effects"])) > 10);
}

#[test]
fn no_gateway_is_asked_for_links_that_name_it_in_other_ways() {
    const WRAPPED: &str = "?url=https%3A%2F%2Fa.target.example%2F&amp;data=x";
    let (server, asked) = name_server();
    let home = tempfile::tempdir().expect("a directory");
    let gateway = "nam06.safelinks.protection.outlook.com";
    let page = format!(
        "<a href=\"//{gateway}/{WRAPPED}\">a</a>\n\
         <a href=\"https://nam06.safelinks.protection.outlook%2Ecom/{WRAPPED}\">b</a>\n\
         <a href=\"https://nam06.safelinks.protection.outlook\u{3002}com/{WRAPPED}\">c</a>\n\
         <a href=\"https://nam06.safelinks.protection.out\u{AD}look.com/{WRAPPED}\">d</a>\n"
    );
    fs::write(home.path().join("a.html"), &page).expect("a file");
    let base = format!("https://{gateway}/");
    fs::write(home.path().join("b.md"), format!("[e](<x/{}>)\n", WRAPPED.replace("amp;", "")))
        .expect("a file");
    let address = server.address.to_string();
    let usual = ["--retries=0", "--no-robots", "--name-server", &address, "--format=ndjson"];
    let run = |more: &[&str]| {
        asked.lock().expect("whole").clear();
        let output = linktrawl(home.path(), &[&["check"][..], &usual, more].concat());
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        asked.lock().expect("whole").iter().cloned().collect::<Vec<_>>()
    };
    let scan = linktrawl(home.path(), &["scan", "a.html", "--format=ndjson"]).stdout;
    let scan = String::from_utf8(scan).expect("UTF-8");
    assert_eq!(scan.matches("\"wrapped_by\":[\"safelinks\"]").count(), 4, "{scan}");
    // Of a name that does not exist, the site is looked up.
    let target = [format!("a.{TARGETS}"), TARGETS.to_owned()];
    assert_eq!(run(&["a.html"]), target);
    assert_eq!(run(&["b.md", "--base-url", &base]), target);
    assert!(run(&["b.md", "--base-url", &base, "--no-unwrap"])[0].ends_with("outlook.com"));
}

#[test]
fn no_gateway_is_asked_where_a_line_break_follows_its_host() {
    const WRAPPERS: [&str; 6] = [
        "https://nam02.safelinks.protection.outlook.com/\n?url=https%3A%2F%2Fh.example&data=05",
        "https://secure-web.cisco.com/\n1token/https%3A%2F%2Fh.example",
        "https://protect2.fireeye.com/\nv1/url?k=a&q=1&u=https%3A%2F%2Fh.example",
        "https://linkprotect.cudasvc.com/\nurl?a=https%3A%2F%2Fh.example&c=E,1,tok",
        "https://eu-central-1.protection.sophos.com\n?d=h.example&u=aHR0cHM6Ly9o&i=tok",
        "https://url.emailprotection.link/\n?abctok",
    ];
    let (server, asked) = name_server();
    let home = tempfile::tempdir().expect("a directory");
    let mail = format!("From: a@example.org\nSubject: a\n\n{}\n", WRAPPERS.join("\n\n"));
    fs::write(home.path().join("a.eml"), mail).expect("a file");
    let address = server.address.to_string();
    let usual = ["check", "a.eml", "--retries=0", "--no-robots", "--name-server", &address];
    let output = linktrawl(home.path(), &[&usual[..], &["--format=ndjson"]].concat());
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(printed.matches("\"class\":\"wrapped\"").count(), WRAPPERS.len(), "{printed}");
    let cut = "wrapped, target unknown: a line break cut the wrapper";
    assert_eq!(printed.matches(cut).count(), WRAPPERS.len() - 1, "{printed}");
    assert!(asked.lock().expect("whole").is_empty(), "{asked:?}");
}

#[test]
fn no_token_is_shown_of_a_link_whose_scheme_was_forgotten() {
    const LINKS: [&str; 10] = [
        "protect-us.mimecast.com/s/kwzqvjreader?domain=h.example",
        "./protect-us.mimecast.com/s/kwzqvjreader",
        "../protect-us.mimecast.com/s/kwzqvjreader",
        "/protect-us.mimecast.com/s/kwzqvjreader",
        "/r/secure-web.cisco.com/kwzqvjreader/https%3A%2F%2Fh.example",
        "a/b/url.avanan.click/v2/___https://h.example/___.kwzqvjreader",
        "imsva91-ctp.trendmicro.com:443/wis/clicktime/v1/query?url=https%3A%2F%2Fh.example&amp;\
         umid=kwzqvjreader&amp;auth=kwzqvjreader",
        "h.example@secure-web.cisco.com/kwzqvjreader/https%3A%2F%2Fh.example",
        "./h.example@secure-web.cisco.com:443/kwzqvjreader/https%3A%2F%2Fh.example",
        "x/nam01.safelinks.protection.outlook.com/?url=a&amp;data=kwzqvjreader",
    ];
    let home = tempfile::tempdir().expect("a directory");
    fs::create_dir(home.path().join("b")).expect("a directory");
    let page = LINKS.map(|link| format!("<a href=\"{link}\">a</a>\n")).concat();
    fs::write(home.path().join("b/a.html"), &page).expect("a file");
    for more in [&[][..], &["--root-dir=."], &["--base-url=https://i.example/"], &["--no-unwrap"]] {
        for format in ["--format=text", "--format=ndjson"] {
            let usual = ["check", "--offline", "b/a.html", format];
            let output = linktrawl(home.path(), &[&usual[..], more].concat());
            let printed = [output.stdout, output.stderr].concat();
            let printed = String::from_utf8(printed).expect("UTF-8");
            assert!(printed.contains("mimecast.com"), "{printed}");
            assert!(!printed.contains("kwzqvj"), "{more:?}: {printed}");
        }
    }
}

/// The findings of `text` in mail.
fn found(text: &str, args: &[&str]) -> Vec<Value> {
    let home = tempfile::tempdir().expect("a directory");
    let mail = format!("From: a@example.org\nSubject: a\nMessage-ID: <1@example.org>\n\n{text}\n");
    fs::write(home.path().join("a.eml"), mail).expect("a file");
    let usual = ["scan", "a.eml", "--format=ndjson"];
    let output = linktrawl(home.path(), &[&usual[..], args].concat());
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let lines = lines.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    lines.filter(|line: &Value| line["type"] == "finding").collect()
}

const SAFE: &str = "https://nam01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.example%2Fa\
                    &data=05%7C02%7Creader%40example.com&reserved=0";

#[test]
fn a_finding_is_of_its_target_and_keeps_its_text() {
    let [record] = &found(SAFE, &[])[..] else { unreachable!("one finding") };
    assert_eq!(record["uri"], "https://h.example/a");
    assert_eq!(record["target"], "https://h.example/a");
    assert_eq!(record["wrapped_by"], serde_json::json!(["safelinks"]));
    let raw = "https://nam01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.example%2Fa\
               &data=***&reserved=0";
    assert_eq!(record["raw"], raw);
    let [record] = &found(SAFE, &["--no-unwrap"])[..] else { unreachable!("one finding") };
    assert_eq!((&record["uri"], &record["raw"]), (&Value::from(raw), &Value::from(raw)));
    assert!(record["wrapped_by"].is_null() && record["target"].is_null());
}

#[test]
fn grammar_lints_and_filters_are_of_the_target() {
    let faulty = SAFE.replace("%2Fa", "%2F%25zz");
    assert_eq!(found(&faulty, &[])[0]["syntax"]["rule"], "pct-encoded");
    let port = SAFE.replace("h.example%2Fa", "h.example%3A65536%2F");
    assert_eq!(found(&port, &[])[0]["warnings"][0]["rule"], "port-range");
    assert_eq!(found(SAFE, &["--exclude", "outlook"]).len(), 1);
    assert_eq!(found(SAFE, &["--exclude", "h[.]example"]).len(), 0);
    let twice = format!("{SAFE}\n{}\nhttps://h.example/a", SAFE.replace("nam01", "eur02"));
    assert_eq!(found(&twice, &[]).len(), 3);
    assert_eq!(found(&twice, &["--unique"]).len(), 1);
    let password = SAFE.replace("%2F%2Fh", "%2F%2Fu%3Akwzqvj%40h");
    let printed = found(&password, &[]);
    assert_eq!(printed[0]["target"], "https://u:***@h.example/a");
    assert!(!printed[0].to_string().contains("kwzqvj"));
}

#[test]
fn parse_and_explain_show_each_layer() {
    let home = tempfile::tempdir().expect("a directory");
    let inner = "https%3A%2F%2Furldefense.com%2Fv3%2F__https%3A%2F%2Fh.example%2Fa__%3B!!b!c%24";
    let link = SAFE.replace("https%3A%2F%2Fh.example%2Fa", inner);
    let told =
        |args: &[&str]| String::from_utf8(linktrawl(home.path(), args).stdout).expect("UTF-8");
    let wanted = "  wrapper   safelinks: https://nam01.safelinks.protection.outlook.com/?url=***\
                  &data=***&reserved=0\n  \
                  wrapper   urldefense: https://urldefense.com/v3/__https://h.example/a__;***\n  \
                  target    https://h.example/a\n";
    let text = told(&["parse", &link]);
    assert!(text.ends_with(wanted), "{text}");
    let text = told(&["explain", &link]);
    assert!(text.contains(wanted) && text.contains("URL Defense of Proofpoint"), "{text}");
    let record: Value =
        serde_json::from_str(&told(&["parse", "--format", "ndjson", &link])).expect("JSON");
    assert_eq!(record["wrapped_by"], serde_json::json!(["safelinks", "urldefense"]));
    assert_eq!(
        (record["wrappers"].as_array().map(Vec::len), &record["target"]),
        (Some(2), &Value::from("https://h.example/a"))
    );
    let opaque = told(&["parse", "https://url.uk.m.mimecastprotect.com/s/abcdefgh"]);
    assert!(opaque.ends_with("  target    unknown: the gateway keeps it\n"), "{opaque}");
}

#[test]
fn an_unknown_target_is_said_to_be_unknown() {
    let home = tempfile::tempdir().expect("a directory");
    fs::write(home.path().join("a.txt"), "https://url.uk.m.mimecastprotect.com/s/abcdefgh\n")
        .expect("a file");
    let output = linktrawl(home.path(), &["scan", "-q", "a.txt"]);
    let wanted = "a.txt:1:1: ok https://url.uk.m.mimecastprotect.com/s/***: wrapped, target \
                  unknown: the gateway keeps it\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), wanted);
}
