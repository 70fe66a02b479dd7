//! The list of grammars: their documents, files and start rules.
//!
//! A new grammar needs an `.abnf` file and one row here. Both the build script, which compiles the
//! tables, and the library, which names them, read this list. It is plain data: no table and no
//! code of a grammar is here.

/// One selectable grammar.
pub(crate) struct Document {
    /// The name that `--grammar` takes.
    pub(crate) name: &'static str,
    /// Other names for it.
    pub(crate) aliases: &'static [&'static str],
    /// One line for help texts: document and start rule.
    pub(crate) about: &'static str,
    /// The document whose terms name faults and components.
    pub(crate) era: Era,
    /// The treatment of rules with a suffix in this document.
    pub(crate) reading: Reading,
    /// The grammar that separates generic faults from the document's own: if it accepts the text at
    /// the place of a fault, `Route::spec` refuses the text, not RFC 3986.
    pub(crate) generic: &'static str,
    /// Files under `abnf/` that hold the rules; `core.abnf` is always read.
    pub(crate) files: &'static [&'static str],
    /// The rule around the start rules; `None` if they are complete by themselves.
    pub(crate) frame: Option<Frame>,
    /// Numbers of the repairs made by the reading.
    pub(crate) repairs: &'static [u8],
    /// A prefix allowed before the scheme that is no part of the URI: `url:` (RFC 1630).
    pub(crate) prefix: &'static str,
    /// Schemes with a production of their own.
    pub(crate) routes: &'static [Route],
    /// The rule for everything else.
    pub(crate) rest: Route,
}

/// The documents whose terms a grammar uses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// RFC 3986, RFC 3987, and the schemes' documents over them.
    Generic,
    /// The draft of October 1993, and W3C's page of its BNF.
    Draft,
    /// RFC 1630.
    Rfc1630,
    /// RFC 1738.
    Rfc1738,
}

/// The treatment of rules with a suffix.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Every rule with a suffix (`-R3`, `-A2`) replaces the printed one.
    Repaired,
    /// The rules apply as printed.
    Literal,
}

/// A rule that reaches the rule `choice`, which lists the productions of all schemes: each route
/// puts its own production in the place of `choice`.
pub(crate) struct Frame {
    pub(crate) start: &'static str,
    pub(crate) choice: &'static str,
}

/// The start rule for one scheme.
pub(crate) struct Route {
    /// The scheme in lower case; empty for everything else.
    pub(crate) scheme: &'static str,
    /// The start rule.
    pub(crate) rule: &'static str,
    /// Document and section of the requirements beyond the generic grammar.
    pub(crate) spec: &'static str,
    /// The names of the components.
    pub(crate) names: Names,
    /// Another file than the document's, if the rule is defined there.
    pub(crate) file: Option<&'static str>,
    /// The repair that gives the scheme a rule of its own.
    pub(crate) repair: Option<u8>,
}

/// A production's names for its parts, and their delimiters, in addition to the components of RFC
/// 3986.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// No names of its own.
    None,
    /// The literal reading: ambiguous, so that no part can be named.
    Ambiguous,
    /// `generic` of 1993 and 1994: path and search words.
    Generic93,
    /// Login, path, search words.
    Http93,
    /// Login, path, type.
    Ftp,
    /// `*`, a group or an article.
    News,
    /// Host, group, article number.
    Nntp,
    /// Local part and host.
    Mailto93,
    /// An address, undivided.
    Mailto1738,
    /// Addresses and header fields.
    Mailto6068,
    /// Host and nothing else.
    Login,
    /// Type and selector; from RFC 1738 on also search and Gopher+ string after `%09`.
    Gopher93,
    Gopher1738,
    /// Database, search; type and document.
    Wais93,
    Wais1630,
    Wais1738,
    /// Name; version and attributes after `%00`.
    Prospero93,
    /// Name, and fields after semicolons.
    Prospero1738,
    /// A message-id or content-id.
    Mid,
    Mid1630,
    /// Host and path.
    File,
    /// NID, NSS, r-, q- and f-components.
    Urn,
    /// Everything after the scheme, undivided.
    Opaque,
}

/// Every grammar, in the order of help texts; the first is the default.
pub(crate) static DOCUMENTS: &[Document] = &[
    Document {
        name: "current",
        about: "a scheme by its own RFC where that is listed here, everything else by RFC 3987",
        generic: IRI,
        files: &[
            "rfc3986.abnf",
            "rfc3987.abnf",
            "rfc2392.abnf",
            "rfc4156.abnf",
            "rfc4157.abnf",
            "rfc4248.abnf",
            "rfc4266.abnf",
            "rfc5538.abnf",
            "rfc6068.abnf",
            "rfc6270.abnf",
            "rfc8089.abnf",
            "rfc8141.abnf",
            "current.abnf",
        ],
        // Nine of ten links are of the first two; routes are tried in this order.
        routes: &[
            hosted("https", "RFC 9110 §4.2.2"),
            hosted("http", "RFC 9110 §4.2.1"),
            route("cid", "cid-now", "RFC 2392 §2", Names::Mid),
            hosted("coap", "RFC 7252 §6.1"),
            hosted("coaps", "RFC 7252 §6.2"),
            hosted("dict", "RFC 2229 §5"),
            route("file", "file-now", "RFC 8089 §2", Names::File),
            hosted("ftp", "RFC 1738 §3.2"),
            hosted("git", NO_DEFAULT),
            route("gopher", "gopher-now", "RFC 4266 §2", Names::Gopher1738),
            hosted("icap", "RFC 3507 §4.2"),
            hosted("ipp", "RFC 3510"),
            route("mailto", "mailto-now", "RFC 6068 §2", Names::Mailto6068),
            route("mid", "mid-now", "RFC 2392 §2", Names::Mid),
            route("news", "news-now", "RFC 5538 §4", Names::News),
            hosted("nfs", "RFC 2224 §2"),
            route("nntp", "nntp-now", "RFC 5538 §3", Names::Nntp),
            hosted("pop", "RFC 2384"),
            route("prospero", "prospero-now", "RFC 4157 §2", Names::Prospero1738),
            hosted("rtsp", "RFC 7826 §4.2"),
            hosted("rtsps", "RFC 7826 §4.2"),
            hosted("sftp", NO_DEFAULT),
            hosted("ssh", NO_DEFAULT),
            hosted("svn", NO_DEFAULT),
            route("telnet", "telnet-now", "RFC 4248 §2", Names::Login),
            hosted("tftp", "RFC 3617 §3"),
            route("tn3270", "tn3270-now", "RFC 6270 §2", Names::Login),
            route("urn", "urn-now", "RFC 8141 §2", Names::Urn),
            route("wais", "wais-now", "RFC 4156 §2", Names::Wais1738),
            hosted("ws", "RFC 6455 §3"),
            hosted("wss", "RFC 6455 §3"),
        ],
        rest: route("", "IRI", "RFC 3987 §2.2", Names::None),
        ..BASE
    },
    Document {
        name: "draft1993",
        about: "the URL draft of October 1993",
        rest: route("", "generic", "URL draft 1993 BNF, generic", Names::Generic93),
        routes: &[
            route("ftp", "ftpaddress", "URL draft 1993 BNF, ftpaddress", Names::Ftp),
            route("gopher", "gopheraddress", "URL draft 1993 BNF, gopheraddress", Names::Gopher93),
            route("http", "httpaddress", "URL draft 1993 BNF, httpaddress", Names::Http93),
            route("mailto", "mailtoaddress", "URL draft 1993 BNF, mailtoaddress", Names::Mailto93),
            route("news", "newsaddress", "URL draft 1993 BNF, newsaddress", Names::News),
            route("nntp", "nntpaddress", "URL draft 1993 BNF, nntpaddress", Names::Nntp),
            route(
                "prospero",
                "prosperoaddress",
                "URL draft 1993 BNF, prosperolink",
                Names::Prospero93,
            ),
            route("telnet", "telnetaddress", "URL draft 1993 BNF, telnetaddress", Names::Login),
            route("wais", "waisaddress", "URL draft 1993 BNF, waisaddress", Names::Wais93),
        ],
        ..DRAFT
    },
    Document {
        name: "draft1993/literal",
        about: "the same as it is printed: everything that any of its rules takes",
        reading: Reading::Literal,
        repairs: &[],
        rest: route("", "url", "URL draft 1993 BNF, url", Names::Ambiguous),
        ..DRAFT
    },
    Document {
        name: "w3cbnf",
        repairs: &[1, 2, 3, 5, 6, 8, 10],
        about: "W3C's page of the draft's BNF, without nntp and mailto",
        files: &["draft1993.abnf", "w3cbnf.abnf"],
        rest: route("", "generic", "W3C URL BNF, generic", Names::Generic93),
        routes: &[
            route("ftp", "ftpaddress", "W3C URL BNF, ftpaddress", Names::Ftp),
            route("gopher", "gopheraddress", "W3C URL BNF, gopheraddress", Names::Gopher93),
            route("http", "httpaddress", "W3C URL BNF, httpaddress", Names::Http93),
            route("news", "newsaddress", "W3C URL BNF, newsaddress", Names::News),
            route("prospero", "prosperoaddress", "W3C URL BNF, prosperolink", Names::Prospero93),
            route("telnet", "telnetaddress", "W3C URL BNF, telnetaddress", Names::Login),
            route("wais", "waisaddress", "W3C URL BNF, waisaddress", Names::Wais93),
        ],
        ..DRAFT
    },
    Document {
        name: "w3cbnf/literal",
        about: "the same as it is printed",
        files: &["draft1993.abnf", "w3cbnf.abnf"],
        reading: Reading::Literal,
        repairs: &[],
        rest: route("", "page-url", "W3C URL BNF, url", Names::Ambiguous),
        ..DRAFT
    },
    Document {
        name: "rfc1630",
        about: "RFC 1630: URLs by its URL BNF, other schemes by its URI BNF",
        prefix: "url:",
        routes: &[
            route("cid", "cidaddress", "RFC 1630 BNF, cidaddress", Names::Mid1630),
            prose("file", "fileaddress", "RFC 1630, File access", Names::File),
            route("ftp", "ftpaddress", "RFC 1630 BNF, ftpaddress", Names::Ftp),
            route("gopher", "gopheraddress", "RFC 1630 BNF, gopheraddress", Names::Gopher93),
            route("http", "httpaddress", "RFC 1630 BNF, httpaddress", Names::Http93),
            route("mailto", "mailtoaddress", "RFC 1630 BNF, mailtoaddress", Names::Mailto93),
            route("mid", "midaddress", "RFC 1630 BNF, midaddress", Names::Mid1630),
            route("news", "newsaddress", "RFC 1630 BNF, newsaddress", Names::News),
            route("nntp", "nntpaddress", "RFC 1630 BNF, nntpaddress", Names::Nntp),
            route("prospero", "prosperoaddress", "RFC 1630 BNF, prosperolink", Names::Prospero93),
            prose("rlogin", "rloginaddress", "RFC 1630, Telnet, rlogin, tn3270", Names::Login),
            route("telnet", "telnetaddress", "RFC 1630 BNF, telnetaddress", Names::Login),
            prose("tn3270", "tn3270address", "RFC 1630, Telnet, rlogin, tn3270", Names::Login),
            Route {
                file: Some("rfc1630-uri.abnf"),
                ..route("url", "behind-prefix", "RFC 1630 BNF, prefixedurl", Names::Generic93)
            },
            route("wais", "waisaddress", "RFC 1630 BNF, waisaddress", Names::Wais1630),
        ],
        rest: Route {
            file: Some("rfc1630-uri.abnf"),
            ..route("", "fragmentaddress", "RFC 1630 BNF, uri", Names::Generic93)
        },
        ..RFC1630
    },
    Document {
        name: "rfc1630-url/literal",
        aliases: &["rfc1630/literal"],
        about: "RFC 1630's BNF for specific URL schemes as it is printed",
        reading: Reading::Literal,
        repairs: &[],
        frame: None,
        rest: route("", "prefixedfragmentaddress", "RFC 1630 BNF, url", Names::Ambiguous),
        ..RFC1630
    },
    Document {
        name: "rfc1630-uri",
        repairs: &[1, 2, 9],
        about: "RFC 1630's BNF of generic URI syntax",
        files: &["rfc1630-uri.abnf"],
        frame: None,
        rest: route("", "fragmentaddress", "RFC 1630 BNF, uri", Names::Generic93),
        ..RFC1630
    },
    Document {
        name: "rfc1630-uri/literal",
        about: "the same as it is printed",
        files: &["rfc1630-uri.abnf"],
        reading: Reading::Literal,
        repairs: &[],
        frame: None,
        rest: route("", "fragmentaddress", "RFC 1630 BNF, uri", Names::Ambiguous),
        ..RFC1630
    },
    Document {
        name: "rfc1738",
        about: "RFC 1738, URLs of December 1994",
        routes: &[
            route("file", "fileurl", "RFC 1738 §3.10", Names::File),
            route("ftp", "ftpurl", "RFC 1738 §3.2", Names::Ftp),
            route("gopher", "gopherurl", "RFC 1738 §3.4", Names::Gopher1738),
            route("http", "httpurl", "RFC 1738 §3.3", Names::Http93),
            route("mailto", "mailtourl", "RFC 1738 §3.5", Names::Mailto1738),
            route("news", "newsurl", "RFC 1738 §3.6", Names::News),
            route("nntp", "nntpurl", "RFC 1738 §3.7", Names::Nntp),
            route("prospero", "prosperourl", "RFC 1738 §3.11", Names::Prospero1738),
            route("telnet", "telneturl", "RFC 1738 §3.8", Names::Login),
            route("wais", "waisurl", "RFC 1738 §3.9", Names::Wais1738),
        ],
        rest: route("", "otherurl", "RFC 1738 §5", Names::Opaque),
        ..RFC1738
    },
    Document {
        name: "rfc1738/literal",
        about: "the same as it is printed: otherurl takes all that has a scheme",
        reading: Reading::Literal,
        repairs: &[],
        rest: route("", "url", "RFC 1738 §5", Names::Ambiguous),
        ..RFC1738
    },
    uri(URI, &["rfc3986"], "RFC 3986 URI", "URI", "RFC 3986 §3"),
    Document {
        generic: "rfc3986-ref",
        ..uri("rfc3986-ref", &[], "RFC 3986 URI-reference", "URI-reference", "RFC 3986 §4.1")
    },
    uri("rfc3986-absolute", &[], "RFC 3986 absolute-URI", "absolute-URI", "RFC 3986 §4.3"),
    iri(IRI, &["rfc3987"], "RFC 3987 IRI", "IRI"),
    iri("rfc3987-ref", &[], "RFC 3987 IRI-reference", "IRI-reference"),
    own(
        "rfc2392-mid",
        "RFC 2392 mid",
        &["rfc3986.abnf", "rfc2392.abnf"],
        route("", "mid-url", "RFC 2392 §2", Names::Mid),
    ),
    own(
        "rfc2392-cid",
        "RFC 2392 cid",
        &["rfc3986.abnf", "rfc2392.abnf"],
        route("", "cid-url", "RFC 2392 §2", Names::Mid),
    ),
    own(
        "rfc4156",
        "RFC 4156 wais",
        &["rfc3986.abnf", "rfc4156.abnf"],
        route("", "waisURI", "RFC 4156 §2", Names::Wais1738),
    ),
    own(
        "rfc4157",
        "RFC 4157 prospero",
        &["rfc3986.abnf", "rfc4157.abnf"],
        route("", "prosperoURI", "RFC 4157 §2", Names::Prospero1738),
    ),
    own(
        "rfc4248",
        "RFC 4248 telnet",
        &["rfc3986.abnf", "rfc4248.abnf"],
        route("", "telnetURI", "RFC 4248 §2", Names::Login),
    ),
    own(
        "rfc4266",
        "RFC 4266 gopher",
        &["rfc3986.abnf", "rfc4266.abnf"],
        route("", "gopherURI", "RFC 4266 §2", Names::Gopher1738),
    ),
    own(
        "rfc5538-news",
        "RFC 5538 news",
        &["rfc3986.abnf", "rfc5538.abnf"],
        route("", "newsURL", "RFC 5538 §4", Names::News),
    ),
    own(
        "rfc5538-nntp",
        "RFC 5538 nntp",
        &["rfc3986.abnf", "rfc5538.abnf"],
        route("", "nntpURL", "RFC 5538 §3", Names::Nntp),
    ),
    own(
        "rfc6068",
        "RFC 6068 mailto",
        &["rfc3986.abnf", "rfc6068.abnf"],
        route("", "mailtoURI", "RFC 6068 §2", Names::Mailto6068),
    ),
    own(
        "rfc6270",
        "RFC 6270 tn3270",
        &["rfc3986.abnf", "rfc6270.abnf"],
        route("", "tn3270URI", "RFC 6270 §2", Names::Login),
    ),
    own(
        "rfc8089",
        "RFC 8089 file",
        &["rfc3986.abnf", "rfc8089.abnf"],
        route("", "file-URI", "RFC 8089 §2", Names::File),
    ),
    own(
        "rfc8089-f",
        "RFC 8089 Appendix F, file as it is found",
        &["rfc3986.abnf", "rfc8089.abnf"],
        route("", "file-URI-F", "RFC 8089 App. F", Names::File),
    ),
    own(
        "rfc8141",
        "RFC 8141 urn",
        &["rfc3986.abnf", "rfc8141.abnf"],
        route("", "namestring", "RFC 8141 §2", Names::Urn),
    ),
];

/// The section that forbids an empty host for a scheme that no RFC defines and that has no default
/// host.
const NO_DEFAULT: &str = "RFC 3986 §3.2.2";

const URI: &str = "rfc3986-uri";
const IRI: &str = "rfc3987-iri";

/// The values that most rows share.
const BASE: Document = Document {
    name: "",
    aliases: &[],
    about: "",
    era: Era::Generic,
    reading: Reading::Repaired,
    generic: URI,
    files: &[],
    frame: None,
    repairs: &[],
    prefix: "",
    routes: &[],
    rest: route("", "", "", Names::None),
};

const DRAFT: Document = Document {
    era: Era::Draft,
    repairs: &[1, 2, 3, 5, 6, 7, 8, 10],
    files: &["draft1993.abnf"],
    frame: Some(Frame { start: "fragmentaddress", choice: "url" }),
    ..BASE
};

const RFC1630: Document = Document {
    era: Era::Rfc1630,
    repairs: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    files: &["rfc1630.abnf"],
    frame: Some(Frame { start: "fragmentaddress", choice: "url" }),
    ..BASE
};

const RFC1738: Document =
    Document { era: Era::Rfc1738, repairs: &[10], files: &["rfc1738.abnf"], ..BASE };

const fn route(
    scheme: &'static str,
    rule: &'static str,
    spec: &'static str,
    names: Names,
) -> Route {
    Route { scheme, rule, spec, names, file: None, repair: None }
}

/// Returns the generic rule for a scheme whose host may not be empty.
const fn hosted(scheme: &'static str, spec: &'static str) -> Route {
    route(scheme, "hosted-now", spec, Names::None)
}

/// Returns a rule of RFC 1630 that repair R11 derives from prose.
const fn prose(
    scheme: &'static str,
    rule: &'static str,
    spec: &'static str,
    names: Names,
) -> Route {
    Route { repair: Some(11), ..route(scheme, rule, spec, names) }
}

/// Returns the grammar of a start rule of RFC 3986.
const fn uri(
    name: &'static str,
    aliases: &'static [&'static str],
    about: &'static str,
    rule: &'static str,
    spec: &'static str,
) -> Document {
    let rest = route("", rule, spec, Names::None);
    Document { name, aliases, about, generic: URI, files: &["rfc3986.abnf"], rest, ..BASE }
}

/// Returns the grammar of a start rule of RFC 3987.
const fn iri(
    name: &'static str,
    aliases: &'static [&'static str],
    about: &'static str,
    rule: &'static str,
) -> Document {
    let files = &["rfc3986.abnf", "rfc3987.abnf"];
    let rest = route("", rule, "RFC 3987 §2.2", Names::None);
    Document { name, aliases, about, generic: name, files, rest, ..BASE }
}

/// Returns the grammar of a scheme's own document, over RFC 3986.
const fn own(
    name: &'static str,
    about: &'static str,
    files: &'static [&'static str],
    rest: Route,
) -> Document {
    Document { name, about, files, rest, ..BASE }
}
