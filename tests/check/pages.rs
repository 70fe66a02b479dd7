//! Tests pages as servers send them: coded, in any charset, after redirects that set cookies,
//! protected by guards that send a page of their own, and from servers that do not support HEAD.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

use crate::ask;
use crate::support::servers::site::{Reply, Request, Site};

/// A page with one place.
const PAGE: &str = "<!doctype html><title>A page</title><p id=here>words</p>\n";

/// `PAGE` as Brotli has it (RFC 7932): one block that is not compressed, and an empty last one.
fn brotli(page: &[u8]) -> Vec<u8> {
    let len = u32::try_from(page.len() - 1).expect("a short page");
    // Window of 16 bits (0), not the last (0), four nibbles of length (00), then the length, then
    // that it is not compressed (1).
    let bits = len << 4 | 1 << 20;
    let mut coded = bits.to_le_bytes()[..3].to_vec();
    coded.extend_from_slice(page);
    coded.push(3);
    coded
}

fn gzip(page: &[u8]) -> Vec<u8> {
    let mut coder = GzEncoder::new(Vec::new(), Compression::default());
    coder.write_all(page).expect("memory");
    coder.finish().expect("memory")
}

fn zlib(page: &[u8]) -> Vec<u8> {
    let mut coder = ZlibEncoder::new(Vec::new(), Compression::default());
    coder.write_all(page).expect("memory");
    coder.finish().expect("memory")
}

fn deflate(page: &[u8]) -> Vec<u8> {
    let mut coder = DeflateEncoder::new(Vec::new(), Compression::default());
    coder.write_all(page).expect("memory");
    coder.finish().expect("memory")
}

fn zstd(page: &[u8]) -> Vec<u8> {
    zstd::encode_all(page, 0).expect("memory")
}

/// An answer with these fields and this body.
fn answer(fields: &str, body: &[u8]) -> Reply {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{fields}\r\n", body.len());
    Reply::Raw([head.as_bytes(), body].concat())
}

/// Returns verdict, class and message of the links to `fragments` of a page with `fields` and
/// `body`.
#[track_caller]
fn judged(fields: &str, body: &[u8], fragments: &[&str]) -> Vec<String> {
    let (fields, body) = (fields.to_owned(), body.to_vec());
    let site = Site::start(move |_| answer(&fields, &body));
    let uris: Vec<_> = fragments.iter().map(|it| site.uri(1, &format!("/page{it}"))).collect();
    let (lines, _) = ask(&uris, &["--fragments=all"]);
    assert_eq!(lines.len(), fragments.len(), "{lines:#?}");
    lines.iter().zip(&uris).map(|(line, uri)| line.replace(uri, "URI")).collect()
}

const FOUND: &str = "ok URI";
const MISSING: &str =
    "error[fragment-missing]: URI: expected a place of this name in the page, found none";

const HTML: &str = "Content-Type: text/html\r\n";

#[test]
fn a_coded_page_is_decoded() {
    let page = PAGE.as_bytes();
    for (coding, body) in [
        ("gzip", gzip(page)),
        ("x-gzip", gzip(page)),
        ("GZIP", gzip(page)),
        ("deflate", zlib(page)),
        ("deflate", deflate(page)),
        ("deflate", gzip(page)),
        ("br", brotli(page)),
        ("zstd", zstd(page)),
        ("identity", page.to_vec()),
        ("gzip, identity", gzip(page)),
        ("gzip, gzip", gzip(&gzip(page))),
        ("deflate, br", brotli(&zlib(page))),
        ("zstd,x-gzip , deflate", zlib(&gzip(&zstd(page)))),
        ("gzip\r\nContent-Encoding: br", brotli(&gzip(page))),
        // Two members, and what no member is.
        ("gzip", [gzip(&page[..9]), gzip(&page[9..])].concat()),
        ("gzip", [gzip(page), vec![0; 9]].concat()),
        // An unknown coding, over a page that is not coded.
        ("UTF-8", page.to_vec()),
        ("none", page.to_vec()),
        ("", page.to_vec()),
        ("none, gzip", gzip(page)),
        (", ,", page.to_vec()),
    ] {
        let fields = format!("{HTML}Content-Encoding: {coding}\r\n");
        let found = judged(&fields, &body, &["", "#here", "#no"]);
        assert_eq!(found, [FOUND, FOUND, MISSING], "{coding}");
    }
    let (first, rest) = (&gzip(page)[..9], &gzip(page)[9..]);
    let len = format!("{:x}\r\n", rest.len());
    let chunked = [b"9\r\n", first, b"\r\n", len.as_bytes(), rest, b"\r\n0\r\n\r\n"];
    let head = format!("HTTP/1.1 200 OK\r\n{HTML}Transfer-Encoding: gzip, chunked\r\n\r\n");
    let reply = [head.as_bytes(), &chunked.concat()].concat();
    let site = Site::start(move |_| Reply::Raw(reply.clone()));
    let uris = [site.uri(1, "/page#here"), site.uri(1, "/page#no")];
    let (lines, code) = ask(&uris, &["--fragments=all"]);
    assert!(lines[0].starts_with("ok ") && lines[1].starts_with("error[fragment-missing]"));
    assert_eq!(code, Some(1), "{lines:#?}");
}

#[test]
fn a_page_that_cannot_be_decoded_says_so() {
    let page = PAGE.as_bytes();
    let broken = "the page cannot be decoded: its coding is broken";
    for (coding, body, why) in [
        ("gzip", page.to_vec(), broken),
        ("br", b"\xFF\xFF\xFF".to_vec(), broken),
        ("zstd", page.to_vec(), broken),
        ("deflate", b"\x78\x9C\xFF\xFF".to_vec(), broken),
        ("gzip", gzip(page)[..20].to_vec(), broken),
        ("compress", page.to_vec(), "the page has the coding \"compress\", which is not supported"),
        ("gzip, dcb", page.to_vec(), "the page has the coding \"dcb\", which is not supported"),
        ("secret", gzip(page), "the page has an unknown coding"),
        (
            "gzip, gzip, gzip, gzip, gzip",
            page.to_vec(),
            "expected at most 4 codings of the page, found more",
        ),
    ] {
        let fields = format!("{HTML}Content-Encoding: {coding}\r\n");
        let found = judged(&fields, &body, &["", "#here"]);
        assert_eq!(found, [FOUND.to_owned(), format!("skipped[unverifiable]: URI: {why}")]);
    }
}

#[test]
fn a_bomb_is_read_so_far_and_costs_no_more() {
    let long = "skipped[unverifiable]: URI: the page is too long to look for a place in all of it";
    let bomb = vec![b' '; 64 * 1024 * 1024];
    for (coding, body) in [
        ("gzip", gzip(&bomb)),
        ("zstd", zstd(&bomb)),
        ("gzip, gzip", gzip(&gzip(&bomb))),
        // Nothing but members that are empty, a thousand times as many as are sent.
        ("gzip, gzip", gzip(&gzip(b"").repeat(400_000))),
    ] {
        let fields = format!("{HTML}Content-Encoding: {coding}\r\n");
        assert_eq!(judged(&fields, &body, &["#no"]), [long], "{coding}");
    }
}

fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).expect("ISO 8859-1")).collect()
}

fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

#[test]
fn a_page_is_read_in_its_charset() {
    let place = "<p id=\"\u{FC}berschrift\">x</p>\n";
    let meta = |meta: &str| latin1(&format!("<!doctype html>{meta}{place}"));
    let wide = |mark: &str, to_bytes| utf16(&format!("{mark}<!doctype html>{place}"), to_bytes);
    let mark = "\u{FEFF}";
    for (charset, body) in [
        ("; charset=iso-8859-1", latin1(place)),
        ("; Charset=\"ISO-8859-1\"", latin1(place)),
        (" ;charset='latin1'; x=y", latin1(place)),
        ("", meta("<meta charset=iso-8859-1>")),
        ("", meta("<meta http-equiv=content-type content='text/html; charset=latin1'>")),
        ("; charset=windows-1252", meta("<meta charset=koi8-r>")),
        ("", latin1(place)),
        ("", place.as_bytes().to_vec()),
        ("", [b"\xEF\xBB\xBF", place.as_bytes()].concat()),
        ("; charset=koi8-r", [b"\xEF\xBB\xBF", place.as_bytes()].concat()),
        ("", wide(mark, u16::to_le_bytes)),
        ("", wide(mark, u16::to_be_bytes)),
        ("; charset=utf-8", wide(mark, u16::to_be_bytes)),
        ("; charset=utf-16", wide("", u16::to_le_bytes)),
        ("; charset=UTF-16LE", wide("", u16::to_le_bytes)),
        ("; charset=utf-16be", wide("", u16::to_be_bytes)),
    ] {
        let fields = format!("Content-Type: text/html{charset}\r\n");
        let fragments = ["#\u{FC}berschrift", "#%C3%BCberschrift", "#%FCberschrift"];
        let found = judged(&fields, &body, &fragments);
        assert_eq!(found, [FOUND, FOUND, MISSING], "{charset} {}", body.escape_ascii());
    }
}

/// Returns the report of `check` on `/page` of a server that answers by `reply`, and the requests.
fn asked(
    reply: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    args: &[&str],
) -> (String, Vec<String>) {
    let site = Site::start(reply);
    let uri = site.uri(1, "/page");
    let (lines, _) = ask(std::slice::from_ref(&uri), args);
    (lines.join("\n").replace(&uri, "URI"), site.lines())
}

#[test]
fn a_circle_that_sets_a_cookie_is_not_dead() {
    let with_cookie = |place: &str| {
        let fields = format!("Location: {place}\r\nSet-Cookie: c=1\r\n");
        Reply::Page(302, fields, String::new())
    };
    let to_itself = move |_: &Request| with_cookie("/page");
    let first_sets = move |request: &Request| match request.target.as_str() {
        "/page" => with_cookie("/wall"),
        _ => Reply::to(303, "/page"),
    };
    let wall_sets = move |request: &Request| match request.target.as_str() {
        "/page" => Reply::to(307, "/wall"),
        _ => with_cookie("/page"),
    };
    let endless = move |request: &Request| {
        let next = request.target.rsplit('=').next().and_then(|it| it.parse().ok()).unwrap_or(0);
        with_cookie(&format!("/page?n={}", next + 1))
    };
    let wall = "which end for those who keep cookies, perhaps";
    for args in [&[][..], &["--probe=get"], &["--fragments=all"]] {
        for found in [
            asked(to_itself, args),
            asked(first_sets, args),
            asked(wall_sets, args),
            asked(endless, args),
        ] {
            let is_skipped = found.0.starts_with("skipped[unverifiable]: URI -> ");
            assert!(is_skipped && found.0.contains(wall), "{found:?}");
        }
        let plain = asked(|_| Reply::to(302, "/page"), args).0;
        assert!(plain.starts_with("error[protocol-error]: URI -> "), "{plain}");
        assert!(!plain.contains("cookie"), "{plain}");
    }
}

#[test]
fn an_error_after_a_temporary_redirect_with_a_cookie_is_not_dead() {
    let ends = |moved: u16, status: u16, place: &'static str| {
        asked(
            move |request: &Request| match request.target.as_str() {
                "/page" => {
                    let fields = format!("Location: {place}\r\nSet-Cookie: c=1\r\n");
                    Reply::Page(moved, fields, String::new())
                }
                "/wall" => Reply::to(302, "/error"),
                _ => Reply::Page(status, String::new(), String::new()),
            },
            &[],
        )
        .0
    };
    for status in [400, 404, 410, 500, 503] {
        for (moved, place) in [(302, "/error"), (303, "/wall"), (307, "/error")] {
            let found = ends(moved, status, place);
            assert!(found.starts_with("skipped[unverifiable]: URI -> "), "{found}");
            assert!(found.contains("not for those who keep cookies, perhaps"), "{found}");
        }
    }
    // The target of a permanent redirect depends on no cookie.
    let found = ends(301, 404, "/page/");
    assert!(found.starts_with("error[missing]: URI -> "), "{found}");
}

#[test]
fn get_decides_where_head_comes_to_nothing() {
    let by_method = |of_head: fn() -> Reply, of_get: fn() -> Reply| {
        move |request: &Request| match (request.method.as_str(), request.target.as_str()) {
            ("HEAD", "/page") => of_head(),
            ("GET", "/page") => of_get(),
            (_, "/circle") => Reply::to(302, "/round"),
            (_, "/round") => Reply::to(302, "/circle"),
            (_, "/away") => Reply::to(302, "ftp://127.0.7.9/"),
            (_, "/there") => Reply::code(200),
            _ => Reply::code(404),
        }
    };
    for of_head in [
        || Reply::code(503),
        || Reply::code(429),
        || Reply::code(502),
        || Reply::code(504),
        || Reply::code(405),
        || Reply::code(418),
        || Reply::to(302, "/nowhere"),
        || Reply::to(301, "/circle"),
        || Reply::to(302, "/page"),
        || Reply::to(302, "ftp://127.0.7.9/"),
        || Reply::to(302, "/away"),
    ] {
        let (found, lines) = asked(by_method(of_head, || Reply::code(200)), &[]);
        assert_eq!(found, FOUND, "{lines:#?}");
        assert_eq!(lines.last().map(String::as_str), Some("GET /page"), "{lines:#?}");
        let (found, lines) = asked(by_method(of_head, || Reply::code(410)), &[]);
        assert_eq!(found, "error[gone]: URI: 410 Gone", "{lines:#?}");
        // With `--probe=host`, no path is requested.
        let (_, lines) = asked(by_method(of_head, || Reply::code(200)), &["--probe=host"]);
        assert!(lines.is_empty(), "{lines:#?}");
    }
    // A redirect to what is there is believed.
    let (found, lines) = asked(by_method(|| Reply::to(302, "/there"), || Reply::code(410)), &[]);
    assert_eq!((&*found, lines.len()), (FOUND, 2), "{lines:#?}");
}

#[test]
fn a_server_that_wants_to_be_left_alone_is_asked_by_get_when_it_is_asked_again() {
    let reply = |request: &Request| match &*request.method {
        "HEAD" => Reply::Page(429, "Retry-After: 1\r\n".to_owned(), String::new()),
        _ => Reply::code(200),
    };
    let (found, lines) = asked(reply, &["--retries=1"]);
    assert_eq!((&*found, lines), (FOUND, vec!["HEAD /page".to_owned(), "GET /page".to_owned()]));
    let (found, lines) = asked(reply, &["--retries=0"]);
    assert!(found.starts_with("warn[throttled]: URI: 429"), "{found}");
    assert_eq!(lines, ["HEAD /page"]);
}

#[test]
fn the_page_of_a_guard_is_not_the_page() {
    let page = "<!doctype html><html><head><title>Making sure you&#39;re not a bot!</title>\
                <script id=\"anubis_challenge\" type=\"application/json\">{}</script></head>\
                <body><p>Loading...</p></body></html>";
    for (fields, body, expected) in [
        (HTML.to_owned(), page.as_bytes().to_vec(), "a page of Anubis in its place"),
        (
            format!("{HTML}Content-Encoding: gzip\r\n"),
            gzip(page.as_bytes()),
            "a page of Anubis in its place",
        ),
        (
            format!("{HTML}cf-mitigated: challenge\r\n"),
            PAGE.as_bytes().to_vec(),
            "Cloudflare blocks programs",
        ),
        (format!("{HTML}x-amzn-waf-action: challenge\r\n"), Vec::new(), "AWS WAF blocks programs"),
    ] {
        let found = judged(&fields, &body, &["#part"]);
        assert_eq!(found, [format!("warn[blocked]: URI: 200 OK: {expected}")]);
    }
}

#[test]
fn a_page_with_the_place_of_its_link_is_no_riddle() {
    let widget = "<p>words</p><form><div class=h-captcha></div></form>";
    let page = format!("<!doctype html><h1 id=part>A page</h1>{widget}");
    let blocked = "warn[blocked]: URI: 200 OK: a page of hCaptcha in its place";
    assert_eq!(judged(HTML, page.as_bytes(), &["#part"]), [FOUND]);
    assert_eq!(judged(HTML, page.as_bytes(), &["#no"]), [blocked]);
    assert_eq!(judged(HTML, page.as_bytes(), &["#top"]), [blocked]);
    assert_eq!(judged(HTML, widget.as_bytes(), &["#L1"]), [blocked]);
}

#[test]
fn the_last_valid_media_type_counts() {
    for fields in [
        "Content-Type: text/html, text/html\r\n",
        "Content-Type: text/plain\r\nContent-Type: text/html\r\n",
        "Content-Type: text/html,application/xhtml+xml\r\n",
        "Content-Type: html\r\n",
    ] {
        assert_eq!(
            judged(fields, PAGE.as_bytes(), &["#here", "#no"]),
            [FOUND, MISSING],
            "{fields}"
        );
    }
}

#[test]
fn a_range_of_lines_is_there_where_its_first_line_is() {
    let page = "<!doctype html><title>A page</title><p id=L10>words<p id=L20>words";
    for range in ["#L10-L20", "#L10-20", "#L10C1-L20C2", "#L10,L20", "#L10:L20", "#L10-"] {
        assert_eq!(judged(HTML, page.as_bytes(), &[range]), [FOUND], "{range}");
    }
    let unknown = "skipped[unverifiable]: URI: no place of this name: a program of the page may \
                   read the fragment";
    assert_eq!(judged(HTML, page.as_bytes(), &["#L11-L20"]), [unknown]);
    let github = "<!doctype html><title>A page</title><div id=LC10>words</div>";
    for line in ["#L10", "#L10-L12", "#L10C2"] {
        assert_eq!(judged(HTML, github.as_bytes(), &[line]), [FOUND], "{line}");
    }
    assert_eq!(judged(HTML, github.as_bytes(), &["#L11"]), [unknown]);
}

#[test]
fn a_fragment_that_a_program_may_read_is_not_missing() {
    let unknown = "skipped[unverifiable]: URI: no place of this name: a program of the page may \
                   read the fragment";
    for fragment in [
        "#gid=0",
        "#heading=h.x",
        "#slide=id.p",
        "#map=12/1.2/3.4",
        "#12/1.2/3.4",
        "#q=1",
        "#a=b&c=d",
        "#?q=1",
        "#narrow/stream/1",
        "#@1,2,3z",
        "#a%3Db",
    ] {
        assert_eq!(judged(HTML, PAGE.as_bytes(), &[fragment]), [unknown], "{fragment}");
    }
    let page = "<!doctype html><title>A page</title><p id='a=b'>words<p id='a/b'>words";
    assert_eq!(judged(HTML, page.as_bytes(), &["#a=b", "#a/b", "#no"]), [FOUND, FOUND, MISSING]);
}

#[test]
fn a_fragment_is_not_missing_in_the_page_of_a_login() {
    const LOGIN: &str = "<title>Log in</title><form method=post><input type=password></form>";
    let itself = "warn[auth-required]: URI: the page of a login is in the place of the page";
    assert_eq!(judged(HTML, LOGIN.as_bytes(), &["#part"]), [itself]);
    let found = |to: &'static str, cookie: &'static str| {
        let site = Site::start(move |request: &Request| match request.target.as_str() {
            "/page" => {
                let fields = format!("Location: {to}\r\n{cookie}");
                Reply::Page(302, fields, String::new())
            }
            _ => Reply::html(PAGE),
        });
        ask(&[site.uri(1, "/page#part")], &["--fragments=all"]).0
    };
    for to in ["/login?next=%2Fpage", "/Account/LogOn", "/sso/start", "/wp-login.php", "/sign-in"] {
        let lines = found(to, "");
        assert!(lines.len() == 1 && lines[0].starts_with("warn[auth-required]"), "{lines:?}");
    }
    let lines = found("/page2", "Set-Cookie: age=18\r\n");
    assert!(lines.len() == 1 && lines[0].starts_with("skipped[unverifiable]"), "{lines:?}");
    let lines = found("/page2", "");
    assert!(lines.len() == 1 && lines[0].starts_with("error[fragment-missing]"), "{lines:?}");
}

#[test]
fn a_page_whose_script_leads_on_may_lead_to_the_place() {
    let page = "<h1>This page has moved</h1><p>The page is now <a href=/new>here</a>.</p>\
                <script>location.href=\"/new\"+location.hash</script>";
    let unknown = "skipped[unverifiable]: URI: the script of the page leads to another one";
    assert_eq!(judged(HTML, page.as_bytes(), &["#part"]), [unknown]);
}

#[test]
fn a_guard_may_send_its_page_as_an_error() {
    let guards = "<title>A</title><script id=\"anubis_challenge\">{}</script>";
    let own = "<title>Not found</title><p>There is nothing here.</p>";
    for args in [&[][..], &["--probe=get"], &["--fragments=all"]] {
        for code in [403, 404, 500, 503] {
            let html = |page: &'static str| {
                move |_: &Request| Reply::Page(code, HTML.to_owned(), page.to_owned())
            };
            let (found, lines) = asked(html(guards), &[args, &["--retries=0"]].concat());
            assert!(found.starts_with("warn[blocked]: URI: "), "{found}");
            assert!(found.ends_with(": a page of Anubis in its place"), "{found}");
            assert_eq!(lines.last().map(String::as_str), Some("GET /page"));
            let (found, _) = asked(html(own), &[args, &["--retries=0"]].concat());
            assert!(!found.contains("blocked"), "{found}");
        }
    }
}

#[test]
fn a_long_delay_says_nothing_of_the_link_whatever_the_code() {
    for code in [408, 425, 429, 500, 502, 503, 504, 529] {
        let later = |seconds: u32| {
            move |_: &Request| {
                Reply::Page(code, format!("Retry-After: {seconds}\r\n"), String::new())
            }
        };
        for args in [&[][..], &["--retries=0"], &["--probe=get"]] {
            let (found, lines) = asked(later(7200), args);
            assert!(found.starts_with(&format!("warn[throttled]: URI: {code}")), "{found}");
            assert_eq!(lines.len(), 1, "{lines:?}");
        }
    }
}

#[test]
fn the_fragment_of_a_redirect_replaces_that_of_the_link() {
    let by_redirect = ": a redirect of the link names it";
    for (place, fragment, expected) in [
        ("/new", "#here", FOUND.to_owned()),
        ("/new", "#no", MISSING.to_owned()),
        ("/new#here", "#no", FOUND.to_owned()),
        ("/new#no", "#here", format!("{MISSING}{by_redirect}")),
        ("/new#", "#no", FOUND.to_owned()),
    ] {
        let site = Site::start(move |request| match request.target.as_str() {
            "/page" => Reply::to(302, place),
            _ => Reply::html(PAGE),
        });
        let uri = site.uri(1, &format!("/page{fragment}"));
        let (lines, _) = ask(std::slice::from_ref(&uri), &["--fragments=all"]);
        let to = format!(" -> {}", site.uri(1, place));
        let found = lines.join("\n");
        assert_eq!(found.contains(&to), expected.starts_with(MISSING), "{found}");
        let found = found.replace(&to, "").replace(&uri, "URI");
        assert_eq!(found, expected, "{place} {fragment}");
    }
}

#[test]
fn a_page_that_is_coded_without_a_word_is_decoded_or_said_to_be_no_text() {
    let page = PAGE.as_bytes();
    for body in [gzip(page), zstd(page)] {
        assert_eq!(judged(HTML, &body, &["#here", "#no"]), [FOUND, MISSING]);
    }
    let binary = "skipped[unverifiable]: URI: the page is no text, though the server declares it \
                  as text";
    for body in [zlib(page), b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR".to_vec()] {
        assert_eq!(judged(HTML, &body, &["#here"]), [binary]);
    }
    let other = "Content-Type: application/octet-stream\r\n";
    assert_eq!(judged(other, &gzip(page), &["#here"]), [FOUND]);
}

#[test]
fn a_page_that_leads_on_may_take_the_fragment_along() {
    for (refresh, expected) in [("0; url=/new", FOUND), ("0;/new", FOUND), ("600", MISSING)] {
        let fields = format!("{HTML}Refresh: {refresh}\r\n");
        assert_eq!(judged(&fields, PAGE.as_bytes(), &["#no"]), [expected], "{refresh}");
    }
}

#[test]
fn the_places_of_a_page_that_a_script_makes_are_not_known() {
    let shell = "<!doctype html><title>A page</title><div id=root></div><script src=a.js></script>";
    let found = judged(HTML, shell.as_bytes(), &["", "#root", "#no"]);
    let unknown = "skipped[unverifiable]: URI: the page is made by its script, which is not run";
    assert_eq!(found, [FOUND, FOUND, unknown]);
    // GitHub's page of a file, with the text in the data of a script, and of a folder, without.
    let file = r#"<react-app><script type="application/json" data-target="react-app.embeddedData">
        {"richText":"\u003ch2\u003e","toc":[{"anchor":"here"}]}</script>Code</react-app>"#;
    assert_eq!(judged(HTML, file.as_bytes(), &["#here", "#no"]), [FOUND, MISSING]);
    let folder = file.replace("\"richText\":\"\\u003ch2\\u003e\",", "");
    assert_eq!(judged(HTML, folder.as_bytes(), &["#here", "#no"]), [FOUND, unknown]);
    let cookie = "<script>document.cookie='a=1';location.reload()</script>";
    let found = judged(HTML, cookie.as_bytes(), &["#no"]);
    assert_eq!(found, ["warn[blocked]: URI: 200 OK: a page of a guard in its place"]);
}

#[test]
fn a_head_that_is_too_long_says_nothing_of_the_link() {
    let long = format!("{HTML}Content-Security-Policy: {}\r\n", "a".repeat(20_000));
    assert_eq!(judged(&long, PAGE.as_bytes(), &["#here"]), [FOUND]);
    let too_long = format!("{HTML}X: {}\r\n", "a".repeat(600_000));
    let found = judged(&too_long, PAGE.as_bytes(), &["#here"]);
    let expected = "skipped[unverifiable]: URI: the head of the answer is longer than this \
                    program reads: more than ";
    assert!(found.len() == 1 && found[0].starts_with(expected), "{found:?}");
}
