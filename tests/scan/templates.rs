//! Tests links that a template, a program or a shell fills in: such a text is no address yet.

use crate::support::scanned;

/// The URIs that the binary finds in a file of this name.
fn found(name: &str, content: &str) -> Vec<String> {
    let (records, _) = scanned::scan("templates", name, content.as_bytes());
    let uris = records.iter().filter_map(|record| record["uri"].as_str());
    uris.map(str::to_owned).collect()
}

#[test]
fn what_a_program_works_out_is_no_address() {
    let text =
        "[a](b.md) <a href={url}>x</a> <img src={props.img}/> <a href={'https://h.example/'}>";
    let (records, code) = scanned::scan("templates", "page.mdx", text.as_bytes());
    let found: Vec<&str> = records.iter().filter_map(|record| record["uri"].as_str()).collect();
    assert_eq!((found, code), (vec!["b.md", "https://h.example/"], Some(0)));
    assert_eq!(records.last().expect("a summary")["skipped"]["template"], 2);
}

#[test]
fn what_a_template_fills_in_is_no_address() {
    for text in [
        "http://h/${id}/x",
        "http://h/api?id=${id}",
        "http://h/{{ id }}",
        "http://h/{% id %}",
        "http://h/a.{{ id }}",
        "<http://h/${id}>",
        "http://h/{id}",
        "http://h/a{?page}",
        "http://$host/",
        "http://host:port/",
        "http://localhost:NNNN",
        "https://h.example/%{name}-%{version}.tgz",
        "https://h.example%{REQUEST_URI}",
        "https://h.example/{$owner}/x",
        "return 301 https://h.example$request_uri;",
        "http://h/%lu",
        "git log --format=http://h/commit/%H",
        "\"http://h/?a=$row[id]\"",
        "\"http://h/?a=$row[id]&b=$row[b]\"",
    ] {
        assert_eq!(found("filled.txt", text), [""; 0], "{text}");
        assert_eq!(found("filled.md", text), [""; 0], "{text}");
    }
    assert_eq!(found("filled.txt", "curl http://h.example/\"$ID\"/x"), [""; 0]);
    // A link that Markdown makes has the placeholder as its target, and no address.
    let variable = "<http://h/{id}/x?page=2>";
    assert_eq!(found("filled.txt", variable), [""; 0]);
    assert_eq!(found("filled.md", variable).len(), 1);
    for text in [
        "http://h/{~}id",
        "{color:red}http://h/a{color}",
        "{#if a}http://h/b{/if}",
        "http://h/$ {id}",
        "http://h/ {{ id }}",
        "{% if a %}http://h/{% endif %}",
        "<a href='http://h/'{% if a %} b{% endif %}>",
    ] {
        assert_eq!(found("filled.txt", text).len(), 1, "{text}");
    }
    // A message has the text that its sender wrote.
    let mail = "From: a@b\nTo: c@d\n\nhttp://h/${id}\n";
    assert_eq!(found("filled.eml", mail), ["http://h/$"]);
    assert_eq!(found("port.eml", "From: a@b\nTo: c@d\n\nhttp://host:port/\n").len(), 1);
}

#[test]
fn a_pattern_of_hosts_or_ports_is_no_address() {
    for text in [
        "script-src https://*.h.example/* 'self'",
        "http://*:8080",
        "connect-src http://localhost:* ws://localhost:*;",
        "\"http://localhost:*/x\"",
        "http://127.0.0.1:*/",
    ] {
        assert_eq!(found("pattern.txt", text), [""; 0], "{text}");
        assert_eq!(found("pattern.md", text), [""; 0], "{text}");
    }
    assert_eq!(found("linked.md", "[a](https://*.h.example/)"), [""; 0]);
    for text in ["http://h/a*b", "*http://h/*", "**see http://h:**", "*see http://h:*"] {
        assert_eq!(found("pattern.txt", text).len(), 1, "{text}");
        assert_eq!(found("pattern.md", text).len(), 1, "{text}");
    }
}

#[test]
fn a_placeholder_between_two_marks_is_no_address() {
    for text in [
        "https://h/dl/%VERSION%/x-%VERSION%.zip",
        "https://%HOST%/a",
        "https://h/%VERSION%",
        "http://h/%~dp0/a",
        "http://h/d%%20x",
        "https://@HOST@/a",
        "http://h:@PORT@/",
        "https://h/@V@/x.tgz",
        "https://h/x-@VERSION@.tgz",
    ] {
        assert_eq!(found("placeholder.txt", text), [""; 0], "{text}");
        assert_eq!(found("placeholder.md", text), [""; 0], "{text}");
    }
    let links = "http://h/%AB%20 http://USER@h/ https://h/@NASA@social.example http://h/50%";
    assert_eq!(found("placeholder.txt", links).len(), 4);
    // In a document, a link that has a percent sign for itself is a slip.
    assert_eq!(found("slip.md", "[a](https://h/%NAME%/) [b](http://h/%%n)").len(), 2);
    assert_eq!(found("rule.txt", "http://h/j/%.tgz http://h/%/a"), [""; 0]);
    assert_eq!(found("rule.md", "http://h/j/%.tgz http://h/%/a").len(), 2);
}

#[test]
fn a_variable_in_capitals_is_no_address() {
    for text in [
        "https://h/download/v$V/x-$V-linux.tgz",
        "https://h/$ARCH/a",
        "http://h/b/$1",
        "https://x/wiki/$1;",
        "http://$1/mm",
        "https://h/$env:NAME/a",
        "https://h/v$(VERSION)/a",
    ] {
        assert_eq!(found("variable.txt", text), [""; 0], "{text}");
        assert_eq!(found("variable.md", text), [""; 0], "{text}");
    }
    for text in [
        "http://h/db.nsf/0/$FILE/a.pdf",
        "http://h/db.nsf/$First",
        "http://h/$metadata?$filter=a",
        "http://h/a/Map$Entry.html",
        "http://h/US$5",
        "news:b7o$1@h.example",
    ] {
        assert_eq!(found("variable.txt", text).len(), 1, "{text}");
    }
}

/// An empty variable in a template makes such a link.
#[test]
fn a_relative_link_without_its_host_is_an_error() {
    let verdict = |name: &str, text: &str| {
        let (records, _) = scanned::scan("templates", name, text.as_bytes());
        let mut findings = records.iter().filter(|record| record["type"] == "finding");
        findings.next_back().and_then(|record| record["verdict"].as_str().map(str::to_owned))
    };
    for text in ["//", "//?a", "//#a", "//:80/", "//@/"] {
        let page = format!("<base href='https://h.example/'><a href='{text}'>b</a>");
        assert_eq!(verdict("host.html", &page).as_deref(), Some("error"), "{text}");
    }
    assert_eq!(verdict("host.md", "[a](//)").as_deref(), Some("error"));
    for text in ["//h", "/a", "///a", "a//b", "?//"] {
        assert_eq!(verdict("host.md", &format!("[a]({text})")).as_deref(), Some("ok"), "{text}");
    }
}

#[test]
fn brackets_of_markdown_around_a_blank_are_no_autolink() {
    for (text, expected) in [
        ("<https://h.example/page label>", vec!["https://h.example/page"]),
        ("see <mailto:a@h.example x y> b", vec!["mailto:a@h.example"]),
        ("<https://h.example/page>", vec!["https://h.example/page"]),
        ("<URL: https://h.example/page>", vec!["https://h.example/page"]),
        ("`<https://h.example/a b/c>`", vec!["https://h.example/ab/c"]),
        ("<https://h.example/a/\nb/c>", vec!["https://h.example/a/b/c"]),
        (
            "[a](<https://h.example/a)\n[b](https://h.example/b>)",
            vec!["https://h.example/a", "https://h.example/b>"],
        ),
    ] {
        assert_eq!(found("brackets.md", text), expected, "{text}");
    }
    assert_eq!(found("brackets.txt", "<https://h.example/a b/c>"), ["https://h.example/ab/c"]);
}

#[test]
fn a_string_that_a_program_joins_is_no_address() {
    for text in ["x('see https://h/'+id+'/x')", "x('see https://h/'.$id)"] {
        assert_eq!(found("joined.js", text), [""; 0], "{text}");
    }
    assert_eq!(found("joined.js", "x('see https://h/a','b')"), ["https://h/a"]);
}

#[test]
fn a_scheme_without_slashes_may_be_divided_by_tags() {
    let page = "<p><i>mail</i>to:joe@h.example <b>tel</b>:+1-555-0100 <b>urn</b>:isbn:0451450523";
    let expected = ["mailto:joe@h.example", "tel:+1-555-0100", "urn:isbn:0451450523"];
    assert_eq!(found("divided.html", page), expected);
    let mail = format!("From: a@b\nTo: c@d\nContent-Type: text/html\n\n{page}\n");
    assert_eq!(found("divided.eml", &mail), expected);
}

#[test]
fn a_property_of_an_object_is_no_link() {
    for text in ["f({cid:e.uid,row:e})", "{a:1,sip:a.b}", "{geo:1,2:3}"] {
        let page = format!("<script>{text}</script>");
        assert_eq!(found("object.js", text), [""; 0], "{text}");
        assert_eq!(found("object.html", &page), [""; 0], "{text}");
        assert_eq!(scanned::scan("templates", "object.js", text.as_bytes()).1, Some(0), "{text}");
    }
    for text in ["stun:a.example,stun:b.example", "{mailto:a@h.example}", "\\url{sip:h.example}"] {
        assert_eq!(found("object.js", text).len(), 1, "{text}");
    }
    let mail = "From: a@b\nTo: c@d\n\n{news:a.b}\n";
    assert_eq!(found("object.eml", mail), ["news:a.b"]);
}

#[test]
fn a_disarmed_address_is_no_link() {
    for text in [
        "http://evil.example[.]com/login",
        "https://evil[dot]example/x",
        "https://10.0.0[.]1/x",
        "http://evil(.)example/",
        "http://evil{.}example/",
        "http://evil[:]//",
    ] {
        let mail = format!("From: a@b\nTo: c@d\n\n{text}\n");
        for (name, text) in [("disarmed.txt", text), ("disarmed.md", text), ("a.eml", &mail)] {
            let (records, code) = scanned::scan("templates", name, text.as_bytes());
            let [summary] = records.as_slice() else { panic!("{name}: {records:?}") };
            assert_eq!((&summary["skipped"]["disarmed"], code), (&1.into(), Some(0)), "{text}");
        }
    }
    assert_eq!(found("footnote.txt", "http://h.example[1] http://h.example/[.]").len(), 2);
}
