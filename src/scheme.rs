//! Every known scheme, once: its port, its specification, and its appearance in text.
//!
//! Sources: the IANA registry of URI schemes ("provisional" where the registration names no
//! standard), the documents of 1993 and 1994, and a few unregistered names that are common
//! in text. A scheme that is not listed is still found where `://` follows it.

use Shape::{
    Address, Data, Doi, Dotted, Geo, Hash, Info, Mailto, Nested, Never, News, Nntp, Number, Path,
    Query, Room, Tag, Track, Urn, Uuid, Wallet,
};

/// One URI scheme.
#[derive(Debug, PartialEq, Eq)]
pub struct Scheme {
    /// The name in lower case.
    pub name: &'static str,
    /// The default port of an authority without one.
    pub port: Option<u16>,
    /// The document that defines the syntax, with its section.
    pub spec: &'static str,
    /// The form of the rest of the URI.
    pub class: Class,
    /// Whether its connections begin with TLS.
    has_tls: bool,
    /// Whether the rest of the URI is an address with a domain.
    has_domain: bool,
}

impl Scheme {
    /// Reports whether the scheme is special in browsers, which read a backslash as a slash there
    /// and never miss a slash before the host (WHATWG URL §4.2).
    #[must_use]
    pub const fn is_special(&self) -> bool {
        matches!(self.class, Class::Web) || matches!(self.name.as_bytes(), b"file" | b"ftp")
    }

    /// Reports whether connections of the scheme begin with TLS.
    #[must_use]
    pub const fn is_tls(&self) -> bool {
        self.has_tls
    }

    /// Reports whether URIs of the scheme are addresses, `local@domain`, whose domains are looked
    /// up in the domain name system.
    #[must_use]
    pub const fn has_domain(&self) -> bool {
        self.has_domain
    }

    /// Marks a scheme whose connections begin with TLS.
    const fn tls(self) -> Self {
        Self { has_tls: true, ..self }
    }

    /// Marks a scheme of addresses with domains.
    const fn addressed(self) -> Self {
        Self { has_domain: true, ..self }
    }
}

/// The form of the text after a scheme's colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `//` and an authority that names a host: an empty host is no URI of the scheme.
    Web,
    /// `//` and an authority, which may be empty.
    Authority,
    /// Something of the scheme's own, with or without `//`.
    Opaque(Shape),
}

/// The form that the text after an opaque scheme's colon must have, before a scanner accepts it as
/// a bare URI in prose.
///
/// These are evidence, not grammar: strict enough that `news: it`, `data: yes` and
/// `std::tag` are words with a colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Something on both sides of an `@`.
    Address,
    /// A media type or parameter, then a comma: `text/plain,x`.
    Data,
    /// `10.`, a number, a slash: a DOI name.
    Doi,
    /// An address, or a name with a dot inside.
    Dotted,
    /// Two numbers with a comma between.
    Geo,
    /// The name of an algorithm, a semicolon, and hexadecimal digits.
    Hash,
    /// A word, a slash, more, and a digit somewhere.
    Info,
    /// An address, or `?` and header fields.
    Mailto,
    /// Another URI.
    Nested,
    /// Never accepted in prose: it would be code, or a name for something that cannot be requested.
    Never,
    /// A newsgroup with a dot, or a message-id.
    News,
    /// A newsgroup, a slash, an article number.
    Nntp,
    /// Digits, with the punctuation of telephone numbers.
    Number,
    /// A slash.
    Path,
    /// `?` and a query, or a name and a query.
    Query,
    /// A user or a room, a colon, a host: `r/somewhere:example.org`.
    Room,
    /// An authority, a comma, a year: `example.org,2004:x`.
    Tag,
    /// Words, each with a colon, and an identifier of 22 letters and digits.
    Track,
    /// A namespace identifier, a colon, more.
    Urn,
    /// A UUID.
    Uuid,
    /// An address of Bitcoin.
    Wallet,
}

/// Longest run of scheme characters that is examined: registered names reach 36 bytes.
pub const SCHEME_LEN_MAX: usize = 40;

const fn row(name: &'static str, port: Option<u16>, spec: &'static str, class: Class) -> Scheme {
    Scheme { name, port, spec, class, has_tls: false, has_domain: false }
}

/// The schemes, sorted by name.
pub static TABLE: &[Scheme] = &[
    row("about", None, "RFC 6694", Class::Opaque(Never)),
    row("acct", None, "RFC 7565", Class::Opaque(Address)).addressed(),
    row("adiumxtra", None, "provisional", Class::Authority),
    row("afp", Some(548), "provisional", Class::Authority),
    row("afs", None, "RFC 1738 §4", Class::Authority),
    row("aim", None, "provisional", Class::Authority),
    row("amqp", Some(5672), "provisional", Class::Authority),
    row("amqps", Some(5671), "provisional", Class::Authority).tls(),
    row("apt", None, "provisional", Class::Opaque(Never)),
    row("bitcoin", None, "provisional", Class::Opaque(Wallet)),
    row("blob", None, "W3C FileAPI", Class::Opaque(Nested)),
    row("bzr", None, "unregistered", Class::Authority),
    row("callto", None, "provisional", Class::Opaque(Number)),
    row("chrome", None, "provisional", Class::Authority),
    row("cid", None, "RFC 2392 §2", Class::Opaque(Dotted)),
    row("coap", Some(5683), "RFC 7252 §6.1", Class::Authority),
    row("coaps", Some(5684), "RFC 7252 §6.2", Class::Authority).tls(),
    row("crid", None, "RFC 4078", Class::Authority),
    row("cvs", Some(2401), "provisional", Class::Authority),
    row("data", None, "RFC 2397 §3", Class::Opaque(Data)),
    row("dav", None, "RFC 4918", Class::Opaque(Never)),
    row("dict", Some(2628), "RFC 2229", Class::Authority),
    row("dns", Some(53), "RFC 4501", Class::Authority),
    row("docker", None, "unregistered", Class::Authority),
    row("doi", None, "provisional", Class::Opaque(Doi)),
    row("dweb", None, "provisional", Class::Authority),
    row("ed2k", None, "provisional", Class::Authority),
    row("facetime", None, "provisional", Class::Opaque(Number)),
    row("feed", None, "provisional", Class::Authority),
    row("file", None, "RFC 8089", Class::Opaque(Path)),
    row("finger", Some(79), "provisional", Class::Authority),
    row("fish", None, "provisional", Class::Authority),
    row("ftp", Some(21), "RFC 1738 §3.2", Class::Authority),
    row("ftps", Some(990), "unregistered", Class::Authority).tls(),
    row("gemini", Some(1965), "provisional", Class::Authority).tls(),
    row("geo", None, "RFC 5870 §3.3", Class::Opaque(Geo)),
    row("git", Some(9418), "provisional", Class::Authority),
    row("go", None, "RFC 3368", Class::Opaque(Never)),
    row("gopher", Some(70), "RFC 4266 §2", Class::Authority),
    row("gophers", Some(70), "unregistered", Class::Authority).tls(),
    row("h323", Some(1720), "RFC 3508", Class::Opaque(Address)),
    row("hdfs", None, "unregistered", Class::Authority),
    row("http", Some(80), "RFC 9110 §4.2.1", Class::Web),
    row("https", Some(443), "RFC 9110 §4.2.2", Class::Web).tls(),
    row("iax", Some(4569), "RFC 5456", Class::Opaque(Address)),
    row("icap", Some(1344), "RFC 3507", Class::Authority),
    row("im", None, "RFC 3860", Class::Opaque(Address)).addressed(),
    row("imap", Some(143), "RFC 5092", Class::Authority),
    row("imaps", Some(993), "unregistered", Class::Authority).tls(),
    row("info", None, "RFC 4452", Class::Opaque(Info)),
    row("ipfs", None, "provisional", Class::Authority),
    row("ipns", None, "provisional", Class::Authority),
    row("ipp", Some(631), "RFC 3510", Class::Authority),
    row("ipps", Some(631), "RFC 7472", Class::Authority).tls(),
    row("irc", Some(6667), "provisional", Class::Authority),
    row("irc6", Some(6667), "provisional", Class::Authority),
    row("ircs", Some(6697), "provisional", Class::Authority).tls(),
    row("iris", Some(702), "RFC 3981", Class::Authority),
    row("iris.beep", Some(702), "RFC 3983", Class::Authority),
    row("jabber", None, "provisional", Class::Opaque(Address)),
    row("jar", None, "provisional", Class::Opaque(Nested)),
    row("javascript", None, "provisional", Class::Opaque(Never)),
    row("jdbc", None, "unregistered", Class::Opaque(Nested)),
    row("jms", None, "RFC 6167", Class::Opaque(Never)),
    row("ldap", Some(389), "RFC 4516 §2", Class::Authority),
    row("ldaps", Some(636), "unregistered", Class::Authority).tls(),
    row("magnet", None, "provisional", Class::Opaque(Query)),
    row("mailserver", None, "RFC 6196", Class::Opaque(Never)),
    row("mailto", None, "RFC 6068 §2", Class::Opaque(Mailto)).addressed(),
    row("maps", None, "provisional", Class::Opaque(Never)),
    row("matrix", None, "provisional", Class::Opaque(Room)),
    row("mid", None, "RFC 2392 §2", Class::Opaque(Address)),
    row("mms", Some(1755), "provisional", Class::Authority),
    row("mongodb", Some(27017), "unregistered", Class::Authority),
    row("mqtt", Some(1883), "provisional", Class::Authority),
    row("mqtts", Some(8883), "provisional", Class::Authority).tls(),
    row("msrp", Some(2855), "RFC 4975", Class::Authority),
    row("msrps", Some(2855), "RFC 4975", Class::Authority).tls(),
    row("mumble", Some(64738), "provisional", Class::Authority),
    row("mysql", Some(3306), "unregistered", Class::Authority),
    row("news", Some(119), "RFC 5538 §4", Class::Opaque(News)),
    row("nfs", Some(2049), "RFC 2224", Class::Authority),
    row("ni", None, "RFC 6920", Class::Authority),
    row("nih", None, "RFC 6920", Class::Opaque(Hash)),
    row("nntp", Some(119), "RFC 5538 §3", Class::Opaque(Nntp)),
    row("nntps", Some(563), "unregistered", Class::Authority).tls(),
    row("opaquelocktoken", None, "RFC 4918", Class::Opaque(Uuid)),
    row("pkcs11", None, "RFC 7512", Class::Opaque(Never)),
    row("pop", Some(110), "RFC 2384", Class::Authority),
    row("postgres", Some(5432), "unregistered", Class::Authority),
    row("postgresql", Some(5432), "unregistered", Class::Authority),
    row("pres", None, "RFC 3859", Class::Opaque(Address)).addressed(),
    row("prospero", Some(1525), "RFC 4157 §2", Class::Authority),
    row("redis", Some(6379), "provisional", Class::Authority),
    row("rediss", Some(6379), "provisional", Class::Authority).tls(),
    row("rlogin", Some(513), "RFC 1630", Class::Authority),
    row("rmi", Some(1099), "unregistered", Class::Authority),
    row("rsync", Some(873), "RFC 5781", Class::Authority),
    row("rtmp", Some(1935), "unregistered", Class::Authority),
    row("rtsp", Some(554), "RFC 7826", Class::Authority),
    row("rtsps", Some(322), "RFC 7826", Class::Authority).tls(),
    row("s3", None, "unregistered", Class::Authority),
    row("scp", Some(22), "unregistered", Class::Authority),
    row("service", None, "RFC 2609", Class::Opaque(Nested)),
    row("sftp", Some(22), "provisional", Class::Authority),
    row("shttp", Some(80), "RFC 2660", Class::Authority),
    row("sieve", Some(4190), "RFC 5804", Class::Authority),
    row("sip", Some(5060), "RFC 3261 §19.1", Class::Opaque(Dotted)).addressed(),
    row("sips", Some(5061), "RFC 3261 §19.1", Class::Opaque(Dotted)).tls().addressed(),
    row("skype", None, "provisional", Class::Opaque(Query)),
    row("smb", Some(445), "provisional", Class::Authority),
    row("sms", None, "RFC 5724", Class::Opaque(Number)),
    row("smtp", Some(25), "unregistered", Class::Authority),
    row("smtps", Some(465), "unregistered", Class::Authority).tls(),
    row("snews", Some(563), "RFC 5538", Class::Opaque(News)).tls(),
    row("snmp", Some(161), "RFC 4088", Class::Authority),
    row("soap.beep", Some(605), "RFC 4227", Class::Authority),
    row("soap.beeps", Some(605), "RFC 4227", Class::Authority).tls(),
    row("spotify", None, "provisional", Class::Opaque(Track)),
    row("ssh", Some(22), "provisional", Class::Authority),
    row("steam", None, "provisional", Class::Authority),
    row("stun", Some(3478), "RFC 7064 §3.1", Class::Opaque(Dotted)),
    row("stuns", Some(5349), "RFC 7064 §3.1", Class::Opaque(Dotted)).tls(),
    row("svn", Some(3690), "provisional", Class::Authority),
    row("tag", None, "RFC 4151 §2.1", Class::Opaque(Tag)),
    row("teamspeak", None, "provisional", Class::Authority),
    row("tel", None, "RFC 3966 §3", Class::Opaque(Number)),
    row("telnet", Some(23), "RFC 4248 §2", Class::Authority),
    row("tftp", Some(69), "RFC 3617", Class::Authority),
    row("tip", Some(3372), "RFC 2371", Class::Authority),
    row("tn3270", Some(23), "RFC 6270 §2", Class::Authority),
    row("turn", Some(3478), "RFC 7065 §3.1", Class::Opaque(Dotted)),
    row("turns", Some(5349), "RFC 7065 §3.1", Class::Opaque(Dotted)).tls(),
    row("tv", None, "RFC 2838", Class::Opaque(Never)),
    row("udp", None, "provisional", Class::Authority),
    row("unix", None, "unregistered", Class::Authority),
    row("urn", None, "RFC 8141 §2", Class::Opaque(Urn)),
    row("ut2004", None, "provisional", Class::Authority),
    row("uuid-in-package", None, "provisional", Class::Opaque(Never)),
    row("vbscript", None, "unregistered", Class::Opaque(Never)),
    row("vemmi", Some(575), "RFC 2122", Class::Authority),
    row("ventrilo", None, "provisional", Class::Authority),
    row("view-source", None, "provisional", Class::Opaque(Nested)),
    row("vnc", Some(5900), "RFC 7869", Class::Authority),
    row("wais", Some(210), "RFC 4156 §2", Class::Authority),
    row("whois", Some(43), "unregistered", Class::Authority),
    row("whois++", Some(63), "RFC 1835", Class::Authority),
    row("ws", Some(80), "RFC 6455 §3", Class::Web),
    row("wss", Some(443), "RFC 6455 §3", Class::Web).tls(),
    row("x500", None, "RFC 1630", Class::Opaque(Never)),
    row("xcon", None, "RFC 6501", Class::Opaque(Address)),
    row("xmlrpc.beep", Some(602), "RFC 3529", Class::Authority),
    row("xmpp", None, "RFC 5122 §2.2", Class::Opaque(Dotted)).addressed(),
    row("ymsgr", None, "provisional", Class::Opaque(Query)),
    row("z39.50", None, "RFC 2056", Class::Authority),
    row("z39.50r", Some(210), "RFC 2056", Class::Authority),
    row("z39.50s", Some(210), "RFC 2056", Class::Authority),
];

/// Returns the scheme called `name`, in any case (RFC 3986 §3.1).
///
/// Called for many words before a colon: the first letter, the last letter and the length reject
/// nearly all words that are no scheme.
#[must_use]
pub fn find(name: &[u8]) -> Option<&'static Scheme> {
    let (first, last) = (name.first()?, name.last()?);
    let mut idx = usize::from(BUCKETS.first[bucket(*first, *last)]);
    while let Some(scheme) = TABLE.get(idx) {
        if scheme.name.len() == name.len() && scheme.name.as_bytes().eq_ignore_ascii_case(name) {
            return Some(scheme);
        }
        idx = usize::from(BUCKETS.next[idx]);
    }
    None
}

/// Reports whether `name`, in any case, is `http` or `https` (RFC 9110 §4.2).
#[must_use]
pub const fn is_http(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"http") || name.eq_ignore_ascii_case(b"https")
}

/// Returns the length of the scheme at the start of `text`, without its colon; zero if `text` has
/// none and is a relative reference (RFC 3986 §4.1).
#[must_use]
pub fn name_len(text: &[u8]) -> usize {
    let len = text.iter().take_while(|byte| is_scheme_byte(**byte)).count();
    let is_scheme =
        text.first().is_some_and(u8::is_ascii_alphabetic) && text.get(len) == Some(&b':');
    if is_scheme { len } else { 0 }
}

/// Returns a remark on the scheme of `uri` that its syntax does not express: the documents of 1993
/// and 1994 name schemes that they do not define.
#[must_use]
pub fn remark(uri: &[u8]) -> Option<&'static str> {
    let colon = uri.iter().take(SCHEME_LEN_MAX).position(|&byte| byte == b':')?;
    let name = uri.get(..colon)?;
    let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
    if is("afs") {
        Some("afs is a historical note in the documents of 1993 and 1994, no URL production")
    } else if is("x500") {
        Some("x500 is reserved for further study (RFC 1630); its syntax was never defined")
    } else if is("whois++") {
        Some("whois++ is reserved for further study (RFC 1630); its syntax was never defined")
    } else if name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case(b"x-")) {
        Some("x- begins an experimental scheme; its users agree on its syntax (RFC 1738 §4)")
    } else {
        None
    }
}

/// An index of the table's names by their first and last byte.
struct Buckets {
    /// For each bucket, the index of a scheme in it; the table's length if the bucket is empty.
    first: [u8; 1024],
    /// For each scheme, the index of the next scheme in its bucket; the table's length if it is the
    /// last.
    next: [u8; TABLE.len()],
}

static BUCKETS: Buckets = buckets();

/// Combines the lower five bits of each of two bytes, so that letter case makes no difference.
const fn bucket(first: u8, last: u8) -> usize {
    ((first & 31) as usize) << 5 | (last & 31) as usize
}

#[expect(clippy::cast_possible_truncation, reason = "asserted in the first line")]
const fn buckets() -> Buckets {
    assert!(TABLE.len() < 256);
    let none = TABLE.len() as u8;
    let mut buckets = Buckets { first: [none; 1024], next: [none; TABLE.len()] };
    let mut idx = 0;
    while idx < TABLE.len() {
        let name = TABLE[idx].name.as_bytes();
        let bucket = bucket(name[0], name[name.len() - 1]);
        buckets.next[idx] = buckets.first[bucket];
        buckets.first[bucket] = idx as u8;
        idx += 1;
    }
    buckets
}

/// Reports whether the name of some known scheme ends in the two bytes `last`.
///
/// Rejects most words before a colon without searching for their beginning.
#[must_use]
#[inline]
pub fn may_end_in(last: [u8; 2]) -> bool {
    PAIRS[usize::from(last[1] & 31)] >> (last[0] & 31) & 1 == 1
}

/// For each last byte, the set of bytes before it, both by their lower five bits, so that letter
/// case makes no difference. A digit or a dot looks like some letter, which does no harm.
static PAIRS: [u32; 32] = pairs();

const fn pairs() -> [u32; 32] {
    let mut pairs = [0; 32];
    let mut idx = 0;
    while idx < TABLE.len() {
        let name = TABLE[idx].name.as_bytes();
        pairs[(name[name.len() - 1] & 31) as usize] |= 1 << (name[name.len() - 2] & 31);
        idx += 1;
    }
    pairs
}

/// Returns the length of the name, and the scheme, if the bytes `before` a colon end in `http` or
/// `https` and no scheme byte precedes the name.
///
/// Nine of ten URIs have one of these two schemes; the comparison needs no loop.
#[must_use]
#[inline]
pub fn web(before: [u8; 8]) -> Option<(usize, &'static Scheme)> {
    const LOWER: u64 = 0x2020_2020_2020_2020;
    const HTTP_NAME: u64 = u64::from_le_bytes(*b"\0\0\0\0http");
    const HTTPS_NAME: u64 = u64::from_le_bytes(*b"\0\0\0https");
    let word = u64::from_le_bytes(before) | LOWER;
    if word >> 24 == HTTPS_NAME >> 24 && !is_scheme_byte(before[2]) {
        return Some((5, TABLE.get(HTTP + 1)?));
    }
    if word >> 32 == HTTP_NAME >> 32 && !is_scheme_byte(before[3]) {
        return Some((4, TABLE.get(HTTP)?));
    }
    None
}

/// The index of `http`, which `https` follows.
const HTTP: usize = index_of_http();

const fn index_of_http() -> usize {
    let mut idx = 0;
    while !matches!(TABLE[idx].name.as_bytes(), b"http") {
        idx += 1;
    }
    idx
}

static SCHEME_BYTES: [bool; 256] = scheme_bytes();

const fn scheme_bytes() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        byte += 1;
    }
    table
}

/// Reports whether `byte` is allowed in a scheme, at any position: `scheme = ALPHA *( ALPHA / DIGIT
/// / "+" / "-" / "." )` (RFC 3986 §3.1).
#[must_use]
#[inline]
pub fn is_scheme_byte(byte: u8) -> bool {
    SCHEME_BYTES[usize::from(byte)]
}

#[cfg(test)]
mod tests {
    use super::{SCHEME_LEN_MAX, TABLE, find, is_scheme_byte, may_end_in, web};

    #[test]
    fn the_table_is_sorted_and_has_no_name_twice() {
        assert!(TABLE.windows(2).all(|pair| pair[0].name < pair[1].name));
    }

    #[test]
    fn every_name_is_lower_case_short_and_found_in_any_case() {
        for scheme in TABLE {
            assert!(scheme.name.bytes().all(is_scheme_byte), "{}", scheme.name);
            assert!(scheme.name.len() <= SCHEME_LEN_MAX, "{}", scheme.name);
            assert_eq!(find(scheme.name.to_uppercase().as_bytes()), Some(scheme));
            assert_eq!(scheme.name, scheme.name.to_lowercase());
        }
    }

    #[test]
    fn the_web_is_told_at_a_glance() {
        let name = |before| web(before).map(|(len, scheme)| (len, scheme.name));
        assert_eq!(name(*b"ee hTTps"), Some((5, "https")));
        assert_eq!(name(*b"see<http"), Some((4, "http")));
        assert_eq!([name(*b"see-http"), name(*b"ahttps e"), name(*b"xxxttps ")], [None; 3]);
    }

    #[test]
    fn a_special_scheme_is_one_of_browsers() {
        let names: Vec<_> = TABLE.iter().filter(|it| it.is_special()).map(|it| it.name).collect();
        assert_eq!(names, ["file", "ftp", "http", "https", "ws", "wss"]);
    }

    #[test]
    fn every_name_ends_as_names_end() {
        for scheme in TABLE {
            let name = scheme.name.to_uppercase().into_bytes();
            assert!(may_end_in([name[name.len() - 2], name[name.len() - 1]]), "{}", scheme.name);
        }
        assert!(!may_end_in(*b"om"));
    }

    #[test]
    fn an_unknown_or_endless_name_is_not_found() {
        assert_eq!(find(b"subject"), None);
        assert_eq!(find(b""), None);
        assert_eq!(find(&[b'a'; 2 * SCHEME_LEN_MAX]), None);
    }
}
