//! The list of grammars: which documents, which files, which start rules.
//!
//! A grammar is added with its `.abnf` file and one row here. Both the build script, which
//! compiles the tables, and the library, which names them, read this list. It is plain
//! data: no table and no code of a grammar is here.

/// One selectable grammar.
pub(crate) struct Document {
    /// The name that `--grammar` takes.
    pub(crate) name: &'static str,
    /// Other names for it.
    pub(crate) aliases: &'static [&'static str],
    /// One line for help texts: document and start rule.
    pub(crate) about: &'static str,
    /// The grammar that tells generic faults from the document's own: what this one takes
    /// at the place of a fault is refused by `Route::spec`, not by RFC 3986.
    pub(crate) generic: &'static str,
    /// Files under `abnf/` that hold the rules; `core.abnf` is always read.
    pub(crate) files: &'static [&'static str],
    /// Schemes with a production of their own.
    pub(crate) routes: &'static [Route],
    /// What everything else is held to.
    pub(crate) rest: Route,
}

/// The start rule for one scheme.
pub(crate) struct Route {
    /// The scheme in lower case; empty for everything else.
    pub(crate) scheme: &'static str,
    /// The start rule.
    pub(crate) rule: &'static str,
    /// Document and section of what the rule asks beyond the generic grammar.
    pub(crate) spec: &'static str,
}

/// Every grammar, in the order that help texts list them; the first is the default.
pub(crate) static DOCUMENTS: &[Document] = &[
    Document {
        name: "current",
        aliases: &[],
        about: "each scheme by its own RFC of today, everything else by RFC 3987",
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
        routes: &[
            route("cid", "cid-now", "RFC 2392 §2"),
            route("file", "file-now", "RFC 8089 §2"),
            route("gopher", "gopher-now", "RFC 4266 §2"),
            route("mailto", "mailto-now", "RFC 6068 §2"),
            route("mid", "mid-now", "RFC 2392 §2"),
            route("news", "news-now", "RFC 5538 §4"),
            route("nntp", "nntp-now", "RFC 5538 §3"),
            route("prospero", "prospero-now", "RFC 4157 §2"),
            route("telnet", "telnet-now", "RFC 4248 §2"),
            route("tn3270", "tn3270-now", "RFC 6270 §2"),
            route("urn", "urn-now", "RFC 8141 §2"),
            route("wais", "wais-now", "RFC 4156 §2"),
        ],
        rest: route("", "IRI", "RFC 3987 §2.2"),
    },
    uri(URI, &["rfc3986"], "RFC 3986 URI", URI, "URI", "RFC 3986 §3"),
    uri(
        "rfc3986-ref",
        &[],
        "RFC 3986 URI-reference",
        "rfc3986-ref",
        "URI-reference",
        "RFC 3986 §4.1",
    ),
    uri("rfc3986-absolute", &[], "RFC 3986 absolute-URI", URI, "absolute-URI", "RFC 3986 §4.3"),
    iri(IRI, &["rfc3987"], "RFC 3987 IRI", "IRI"),
    iri("rfc3987-ref", &[], "RFC 3987 IRI-reference", "IRI-reference"),
    own("rfc2392-mid", "RFC 2392 mid", &["rfc3986.abnf", "rfc2392.abnf"], "mid-url", "RFC 2392 §2"),
    own("rfc2392-cid", "RFC 2392 cid", &["rfc3986.abnf", "rfc2392.abnf"], "cid-url", "RFC 2392 §2"),
    own("rfc4156", "RFC 4156 wais", &["rfc3986.abnf", "rfc4156.abnf"], "waisURI", "RFC 4156 §2"),
    own(
        "rfc4157",
        "RFC 4157 prospero",
        &["rfc3986.abnf", "rfc4157.abnf"],
        "prosperoURI",
        "RFC 4157 §2",
    ),
    own(
        "rfc4248",
        "RFC 4248 telnet",
        &["rfc3986.abnf", "rfc4248.abnf"],
        "telnetURI",
        "RFC 4248 §2",
    ),
    own(
        "rfc4266",
        "RFC 4266 gopher",
        &["rfc3986.abnf", "rfc4266.abnf"],
        "gopherURI",
        "RFC 4266 §2",
    ),
    own(
        "rfc5538-news",
        "RFC 5538 news",
        &["rfc3986.abnf", "rfc5538.abnf"],
        "newsURL",
        "RFC 5538 §4",
    ),
    own(
        "rfc5538-nntp",
        "RFC 5538 nntp",
        &["rfc3986.abnf", "rfc5538.abnf"],
        "nntpURL",
        "RFC 5538 §3",
    ),
    own(
        "rfc6068",
        "RFC 6068 mailto",
        &["rfc3986.abnf", "rfc6068.abnf"],
        "mailtoURI",
        "RFC 6068 §2",
    ),
    own(
        "rfc6270",
        "RFC 6270 tn3270",
        &["rfc3986.abnf", "rfc6270.abnf"],
        "tn3270URI",
        "RFC 6270 §2",
    ),
    own("rfc8089", "RFC 8089 file", &["rfc3986.abnf", "rfc8089.abnf"], "file-URI", "RFC 8089 §2"),
    own(
        "rfc8089-f",
        "RFC 8089 Appendix F, file as it is found",
        &["rfc3986.abnf", "rfc8089.abnf"],
        "file-URI-F",
        "RFC 8089 App. F",
    ),
    own("rfc8141", "RFC 8141 urn", &["rfc3986.abnf", "rfc8141.abnf"], "namestring", "RFC 8141 §2"),
];

const URI: &str = "rfc3986-uri";
const IRI: &str = "rfc3987-iri";

const fn route(scheme: &'static str, rule: &'static str, spec: &'static str) -> Route {
    Route { scheme, rule, spec }
}

/// A start rule of RFC 3986.
const fn uri(
    name: &'static str,
    aliases: &'static [&'static str],
    about: &'static str,
    generic: &'static str,
    rule: &'static str,
    spec: &'static str,
) -> Document {
    let rest = route("", rule, spec);
    Document { name, aliases, about, generic, files: &["rfc3986.abnf"], routes: &[], rest }
}

/// A start rule of RFC 3987.
const fn iri(
    name: &'static str,
    aliases: &'static [&'static str],
    about: &'static str,
    rule: &'static str,
) -> Document {
    let files = &["rfc3986.abnf", "rfc3987.abnf"];
    let rest = route("", rule, "RFC 3987 §2.2");
    Document { name, aliases, about, generic: name, files, routes: &[], rest }
}

/// A scheme's own document, over RFC 3986.
const fn own(
    name: &'static str,
    about: &'static str,
    files: &'static [&'static str],
    rule: &'static str,
    spec: &'static str,
) -> Document {
    let rest = route("", rule, spec);
    Document { name, aliases: &[], about, generic: URI, files, routes: &[], rest }
}
