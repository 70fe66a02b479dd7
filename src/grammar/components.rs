//! Splits a text into components under the names of its document's productions.
//!
//! For a text that the grammar accepts, the components are those of its productions, with ambiguous
//! rules read as `abnf/` says. Nothing is validated, decoded or refused here. Empty and absent are
//! different: `ftp://u:@h/` has an empty password (RFC 1738 §3.1).

use super::documents::{Era, Names};
use super::split::split;
use crate::span::Span;
use crate::uri::{Component, Uri};

/// Number of components in RFC 3986; few schemes of today add names of their own.
const GENERIC_MAX: usize = 7;

/// Returns the parts of `text`, which begins with its scheme, in the order of the text.
pub(super) fn components<'t>(text: &'t [u8], names: Names, era: Era) -> Vec<Component<'t>> {
    let mut parts = Parts { text, at: 0, list: Vec::new(), era };
    if names == Names::Ambiguous {
        return parts.list;
    }
    if era == Era::Generic {
        let uri = split(text);
        parts.list.reserve(GENERIC_MAX);
        parts.list.extend(uri.components());
        if names != Names::None {
            parts.of_today(&uri, names);
        }
        return parts.list;
    }
    let scheme = parts.until(|byte| byte == b':');
    parts.put("scheme", scheme);
    parts.at += 1;
    match names {
        Names::Opaque => parts.put_rest("opaque"),
        Names::Mailto1738 => parts.put_rest("addr"),
        _ => {
            let fragment = parts.cut_fragment();
            parts.of_the_past(names);
            parts.list.extend(fragment);
        }
    }
    parts.list
}

/// A text from the front of which parts are taken.
struct Parts<'t> {
    text: &'t [u8],
    at: usize,
    list: Vec<Component<'t>>,
    era: Era,
}

impl<'t> Parts<'t> {
    fn put(&mut self, name: &'static str, text: &'t [u8]) {
        self.list.push(Component::of(name, text));
    }

    fn put_rest(&mut self, name: &'static str) {
        let rest = self.rest();
        self.put(name, rest);
    }

    /// Appends each piece of `text` between `separator` bytes under `name`.
    fn put_each(&mut self, name: &'static str, text: &'t [u8], separator: u8) {
        text.split(|&byte| byte == separator).for_each(|piece| self.put(name, piece));
    }

    fn rest(&self) -> &'t [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Takes the text before the first byte that is `wanted`, or the whole rest.
    fn until(&mut self, wanted: impl Fn(u8) -> bool) -> &'t [u8] {
        let rest = self.rest();
        let len = rest.iter().position(|&byte| wanted(byte)).unwrap_or(rest.len());
        self.at += len;
        rest.get(..len).unwrap_or_default()
    }

    /// Skips `expected` if the rest begins with it, and reports whether it did.
    fn take(&mut self, expected: &[u8]) -> bool {
        let is_there = self.rest().starts_with(expected);
        self.at += if is_there { expected.len() } else { 0 };
        is_there
    }

    /// Takes the text before the first `delimiter`, or the whole rest.
    fn until_text(&mut self, delimiter: &[u8]) -> &'t [u8] {
        let rest = self.rest();
        let len = memchr::memmem::find(rest, delimiter).unwrap_or(rest.len());
        self.at += len;
        rest.get(..len).unwrap_or_default()
    }

    /// Cuts the fragment off the text, and returns it.
    fn cut_fragment(&mut self) -> Option<Component<'t>> {
        let hash = memchr::memchr(b'#', self.text)?;
        let (before, after) = self.text.split_at(hash);
        self.text = before;
        Some(Component::of("fragment", after.get(1..).unwrap_or_default()))
    }

    /// Reads `[ "//" ] hostport` or `login`, up to the first byte for which `ends` is true.
    fn authority(&mut self, ends: impl Fn(u8) -> bool) {
        if !self.take(b"//") {
            return;
        }
        let authority = self.until(ends);
        let host = match memchr::memrchr(b'@', authority) {
            None => authority,
            Some(at) => {
                let (user, host) = authority.split_at(at);
                self.pair(["user", "password"], user);
                host.get(1..).unwrap_or_default()
            }
        };
        self.pair(["host", "port"], host);
    }

    /// Appends the part of `text` before its first colon and, if there is a colon, the part after
    /// it.
    fn pair(&mut self, [first, second]: [&'static str; 2], text: &'t [u8]) {
        let colon = memchr::memchr(b':', text).unwrap_or(text.len());
        let (before, after) = text.split_at(colon);
        self.put(first, before);
        if let Some((_, after)) = after.split_first() {
            self.put(second, after);
        }
    }

    /// Reads `[ "?" search ]`, with its words if the document has words (1993, RFC 1630).
    fn search(&mut self) {
        if !self.take(b"?") {
            return;
        }
        let search = self.rest();
        self.put("search", search);
        if matches!(self.era, Era::Draft | Era::Rfc1630) {
            self.put_each("word", search, b'+');
        }
        self.at = self.text.len();
    }

    /// Reads the productions of 1993 and 1994, after the scheme's colon.
    fn of_the_past(&mut self, names: Names) {
        let in_path = |byte| matches!(byte, b'/' | b'?');
        match names {
            Names::Ftp | Names::Login => self.authority(|byte| byte == b'/'),
            Names::Generic93 | Names::Mailto93 | Names::Mid1630 => {}
            _ => self.authority(in_path),
        }
        match names {
            Names::Generic93 => {
                let path = self.until(|byte| byte == b'?');
                self.put("path", path);
                self.search();
            }
            Names::Http93 => {
                let path = self.until(|byte| byte == b'?');
                self.put_some("path", path);
                self.search();
            }
            Names::Ftp => self.ftp(),
            Names::Login => {
                let path = self.rest();
                self.put_some("path", path);
            }
            Names::News => self.news(self.rest()),
            Names::Nntp => {
                self.take(b"/");
                self.group_and_number("number");
            }
            Names::Mailto93 => self.address("local", self.rest()),
            Names::Mid1630 => self.put_rest("addr"),
            Names::Gopher93 | Names::Gopher1738 => self.gopher(names),
            Names::Wais93 | Names::Wais1630 | Names::Wais1738 => self.wais(names),
            Names::Prospero93 => self.prospero_with_attributes(),
            Names::Prospero1738 => self.prospero_with_fields(),
            Names::File => self.file(),
            Names::None
            | Names::Ambiguous
            | Names::Opaque
            | Names::Mailto1738
            | Names::Mailto6068
            | Names::Mid
            | Names::Urn => {}
        }
    }

    fn put_some(&mut self, name: &'static str, text: &'t [u8]) {
        if !text.is_empty() {
            self.put(name, text);
        }
    }

    /// Reads the path with its slash, each segment of it, and the type.
    fn ftp(&mut self) {
        let path = self.rest();
        if path.is_empty() {
            return;
        }
        let type_at = memchr::memmem::rfind(path, b";type=").filter(|_| self.era != Era::Draft);
        let (path, after) = path.split_at(type_at.unwrap_or(path.len()));
        self.put("path", path);
        self.put_each("segment", path.get(1..).unwrap_or_default(), b'/');
        if let Some(ftptype) = after.strip_prefix(b";type=") {
            // The production's name, and the keyword in the URL.
            self.put("ftptype", ftptype);
            self.put("type", ftptype);
        }
    }

    fn file(&mut self) {
        let path = self.rest();
        self.put("path", path);
        self.put_each("segment", path.get(1..).unwrap_or_default(), b'/');
    }

    /// Reads `*`, a group, or an article with its host.
    fn news(&mut self, text: &'t [u8]) {
        if memchr::memchr(b'@', text).is_some() {
            self.address("article", text);
        } else {
            self.put("group", text);
        }
    }

    /// Appends the part before the last `@`, and the host after it.
    fn address(&mut self, name: &'static str, text: &'t [u8]) {
        let at = memchr::memrchr(b'@', text).unwrap_or(text.len());
        self.put(name, text.get(..at).unwrap_or_default());
        self.put("host", text.get(at + 1..).unwrap_or_default());
    }

    fn group_and_number(&mut self, number: &'static str) {
        let group = self.until(|byte| byte == b'/');
        self.put("group", group);
        if self.take(b"/") {
            self.put_rest(number);
        }
    }

    /// Reads `[ "/" [ gtype [ selector … ] ] ]`. From RFC 1738 on, a search and a Gopher+ string
    /// follow the first and the second `%09`.
    fn gopher(&mut self, names: Names) {
        if !self.take(b"/") {
            return self.search();
        }
        let in_draft = self.era == Era::Draft;
        let end = self.rest().iter().position(|&byte| in_draft && byte == b'?');
        let command = self.rest().get(..end.unwrap_or(self.rest().len())).unwrap_or_default();
        let type_len = if command.starts_with(b"%") { 3 } else { 1 };
        let (gtype, selector) = command.split_at(type_len.min(command.len()));
        self.put(if self.era == Era::Generic { "gophertype" } else { "gtype" }, gtype);
        let after_selector = self.at + command.len();
        if names == Names::Gopher93 {
            self.put_some("selector", selector);
        } else if !gtype.is_empty() {
            self.at += gtype.len();
            let selector = self.until_text(b"%09");
            self.put_some("selector", selector);
            for (name, delimiter) in [("search", &b"%09"[..]), ("gplus", b"\0")] {
                if self.take(b"%09") {
                    let part = self.until_text(delimiter);
                    self.put(name, part);
                }
            }
        }
        self.at = after_selector;
        self.search();
    }

    /// Reads `"/" database [ "?" search / "/" wtype "/" … ]`.
    fn wais(&mut self, names: Names) {
        self.take(b"/");
        let database = self.until(|byte| matches!(byte, b'/' | b'?'));
        self.put("database", database);
        if !self.take(b"/") {
            return self.search();
        }
        let wtype = self.until(|byte| byte == b'/');
        self.put("wtype", wtype);
        self.take(b"/");
        match names {
            Names::Wais93 => {
                let length = self.until(|byte| byte == b'/');
                self.put("length", length);
                self.take(b"/");
                self.put_rest("path");
            }
            Names::Wais1630 => {
                let wpath = self.rest();
                self.put("wpath", wpath);
                self.put_each("field", wpath.strip_suffix(b";").unwrap_or(wpath), b';');
            }
            _ => self.put_rest("wpath"),
        }
    }

    /// Reads `"/" hsoname [ "%00" version *( "%00" attribute ) ]`.
    fn prospero_with_attributes(&mut self) {
        self.take(b"/");
        let hsoname = self.until_text(b"%00");
        self.put("hsoname", hsoname);
        let mut name = "version";
        while self.take(b"%00") {
            let part = self.until_text(b"%00");
            self.put(name, part);
            name = "attribute";
        }
    }

    /// Reads `"/" ppath *( ";" fieldname "=" fieldvalue )`.
    fn prospero_with_fields(&mut self) {
        self.take(b"/");
        let hsoname = self.until(|byte| byte == b';');
        self.put("hsoname", hsoname);
        while self.take(b";") {
            let field = self.until(|byte| byte == b';');
            self.put("field", field);
        }
    }

    /// Appends the components that a scheme's own RFC names, beside those of RFC 3986.
    fn of_today(&mut self, uri: &Uri<'t>, names: Names) {
        let part = |span: Option<Span>| span.map(|span| span.of(self.text));
        let path = uri.path.of(self.text);
        let (query, fragment) = (part(uri.query), part(uri.fragment));
        // After the authority, as the older productions have it, and without the fragment.
        self.at = uri.path.start;
        self.text = self.text.get(..uri.query.unwrap_or(uri.path).end).unwrap_or_default();
        match names {
            Names::Mailto6068 => {
                self.put_some("to", path);
                query.into_iter().for_each(|query| self.put_each("hfield", query, b'&'));
            }
            Names::Urn => self.urn(path, query, fragment),
            Names::Mid => {
                self.put("id", path);
                let slash = memchr::memchr(b'/', path);
                if let Some((message, content)) = slash.map(|slash| path.split_at(slash)) {
                    self.put("message-id", message);
                    self.put("content-id", content.get(1..).unwrap_or_default());
                }
            }
            Names::News => {
                self.take(b"/");
                let name =
                    if memchr::memchr(b'@', self.rest()).is_some() { "article" } else { "group" };
                self.put_rest(name);
            }
            Names::Nntp => {
                self.take(b"/");
                self.group_and_number("article-number");
            }
            Names::Gopher1738 => self.gopher(names),
            Names::Wais1738 => self.wais(names),
            Names::Prospero1738 => self.prospero_with_fields(),
            Names::File => {
                // Appendix F of RFC 8089 has a drive without a slash before it.
                let segments = path.strip_prefix(b"/").unwrap_or(path);
                self.put_each("segment", segments, b'/');
            }
            _ => {}
        }
    }

    /// Reads an NID, an NSS and the components of RFC 8141 §2: the r-component ends at the first
    /// `?=`.
    fn urn(&mut self, path: &'t [u8], query: Option<&'t [u8]>, fragment: Option<&'t [u8]>) {
        self.pair(["nid", "nss"], path);
        let query = query.unwrap_or_default();
        if let Some(after) = query.strip_prefix(b"+") {
            let end = memchr::memmem::find(after, b"?=");
            let (resolution, rest) = after.split_at(end.unwrap_or(after.len()));
            self.put("r", resolution);
            rest.strip_prefix(b"?=").into_iter().for_each(|rest| self.put("q", rest));
        } else if let Some(after) = query.strip_prefix(b"=") {
            self.put("q", after);
        }
        fragment.into_iter().for_each(|fragment| self.put("f", fragment));
    }
}
