//! Reads tables for single hosts, `[hosts."example.org"]`: their rate limits, and header fields to
//! send to them.
//!
//! A table holds for exactly that host, without its subdomains. Fields are sent over TLS, unless
//! the table's name begins with `http://`, and to that port alone; they are never sent to the
//! target of a redirect. The file holds no secrets, only their location. Secrets are never shown,
//! only their origin is.

use std::fs;
use std::io::Read as _;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use linktrawl::internal::grammar::split;
use linktrawl::internal::probe::OwnField;
use linktrawl::internal::probe::guard::Host;
use linktrawl::internal::probe::schedule;
use linktrawl::internal::run::{RequestOptions, Terms};
use toml::de::{DeTable, DeValue};

use super::reading::Reading;
use super::source::{Trust, type_of};
use super::toml_text::quoted;
use crate::args::alike::perhaps;
use crate::args::values::parse_duration;
use crate::environment;
use crate::stderr;

/// Number of tables of one file: each is compared with every host that links lead to.
const TABLES_MAX: usize = 1000;

/// The keys of a table.
pub(super) const KEYS: [(&str, Says); 9] = [
    ("concurrency", Says::Like("host-concurrency")),
    ("gap", Says::Like("host-gap")),
    ("headers", Says::Headers),
    ("own", Says::Truth),
    ("password", Says::Secret),
    ("robots", Says::Truth),
    ("timeout", Says::Like("timeout")),
    ("token", Says::Secret),
    ("user", Says::Text),
];

/// The type of a key's value.
#[derive(Clone, Copy)]
pub(super) enum Says {
    /// Like that of this option.
    Like(&'static str),
    /// `true` or `false`.
    Truth,
    Text,
    /// A table with the location of a secret.
    Secret,
    /// A table of fields.
    Headers,
}

/// The keys that are accepted from a file that was found: strangers must not decide about fields
/// sent to servers, or about rates.
const HARMLESS: [&str; 1] = ["timeout"];

/// Reports whether `key` is accepted from a file that was found.
pub(super) fn is_harmless(key: &str) -> bool {
    HARMLESS.contains(&key)
}

/// Fields whose values are secrets (RFC 9110 §11.6.2, §11.7.2, RFC 6265 §4.2).
const SECRET: [&str; 3] = ["authorization", "proxy-authorization", "cookie"];

/// Bytes of a file that holds a secret; servers accept no longer fields.
const SECRET_LEN_MAX: u64 = 16 * 1024;

/// One table. Not `Debug`: values may be secrets.
pub(crate) struct HostTable {
    /// Its name, as written.
    name: String,
    /// The terms for the host.
    terms: Terms,
    fields: Vec<Field>,
    /// The line of its name, from 1.
    line: usize,
}

/// A header field to be sent.
struct Field {
    name: String,
    form: Form,
    origin: Origin,
}

/// The conversion of a value to that of a field.
enum Form {
    /// Unchanged.
    Plain,
    /// As a token (RFC 6750 §2.1).
    Bearer,
    /// As the password of this user (RFC 7617 §2).
    Basic(String),
}

/// The location of a value.
enum Origin {
    Here(String),
    Variable(String),
    File(PathBuf),
}

impl Reading<'_> {
    /// Reads the tables in `value`.
    pub(super) fn hosts(&mut self, value: &DeValue<'_>, span: Range<usize>) -> Vec<HostTable> {
        let Some(tables) = value.as_table() else {
            self.mistyped::<()>(span, "a table of tables", value);
            return Vec::new();
        };
        if tables.len() > TABLES_MAX {
            self.complain(span, format!("expected at most {TABLES_MAX} tables, found more"));
            return Vec::new();
        }
        let mut hosts = Vec::new();
        for (name, value) in tables {
            let terms = match terms_of(name.get_ref()) {
                Ok(terms) => terms,
                Err(message) => {
                    self.complain(name.span(), message);
                    continue;
                }
            };
            let Some(table) = value.get_ref().as_table() else {
                self.mistyped::<()>(value.span(), "a table", value.get_ref());
                continue;
            };
            let line = self.line(name.span());
            let host = HostTable { name: name.to_string(), terms, fields: Vec::new(), line };
            hosts.push(self.host(host, table));
        }
        // The more specific name wins, regardless of order.
        hosts.sort_by_key(|host| {
            (host.terms.port.is_some(), host.terms.scheme.is_some(), host.line)
        });
        hosts
    }

    fn host(&mut self, mut host: HostTable, table: &DeTable<'_>) -> HostTable {
        for (name, value) in table {
            let (key, span) = (name.get_ref().as_ref(), value.span());
            let value = value.get_ref();
            let Some((_, says)) = KEYS.iter().find(|(known, _)| *known == key) else {
                let hint = perhaps(key, KEYS.iter().map(|(known, _)| *known));
                self.complain(name.span(), format!("a host has no {key:?}{hint}"));
                continue;
            };
            if self.trust() == Trust::Found && !is_harmless(key) {
                self.complain(name.span(), super::trust::refused(&format!("hosts.*.{key}")));
                continue;
            }
            match says {
                Says::Like(option) => self.limit(&mut host, (key, option), value, span),
                Says::Truth => {
                    let is = self.truth(value, span);
                    let slot =
                        if key == "own" { &mut host.terms.is_own } else { &mut host.terms.robots };
                    *slot = is;
                }
                Says::Headers => self.headers(&mut host, value, span),
                // These are handled together below.
                Says::Text | Says::Secret => {}
            }
        }
        self.credentials(&mut host, table);
        host
    }

    fn truth(&mut self, value: &DeValue<'_>, span: Range<usize>) -> Option<bool> {
        value.as_bool().or_else(|| self.mistyped(span, "true or false", value))
    }

    /// Reads a limit, whose value has the syntax of `option`.
    fn limit(
        &mut self,
        host: &mut HostTable,
        (key, option): (&str, &str),
        value: &DeValue<'_>,
        span: Range<usize>,
    ) {
        let Some(text) = self.option(option, value, span) else { return };
        match key {
            "gap" => host.terms.pace.gap = parse_duration(&text).ok().map(millis),
            "timeout" => host.terms.timeout = parse_duration(&text).ok(),
            _ => host.terms.pace.concurrency = text.parse().ok(),
        }
    }

    fn headers(&mut self, host: &mut HostTable, value: &DeValue<'_>, span: Range<usize>) {
        let Some(fields) = value.as_table() else {
            return self.mistyped::<()>(span, "a table", value).unwrap_or_default();
        };
        for (name, value) in fields {
            let is_secret = SECRET.iter().any(|secret| name.get_ref().eq_ignore_ascii_case(secret));
            let origin = match value.get_ref() {
                DeValue::String(text) if !is_secret => Some(Origin::Here(text.to_string())),
                other => self.origin(other, value.span()),
            };
            let Some(origin) = origin else { continue };
            let field = Field { name: name.get_ref().to_string(), form: Form::Plain, origin };
            self.field(host, field, name.span());
        }
    }

    /// Reads a token, or a user with a password.
    fn credentials(&mut self, host: &mut HostTable, table: &DeTable<'_>) {
        if self.trust() == Trust::Found {
            return;
        }
        let [token, user, password] =
            ["token", "user", "password"].map(|key| table.get_key_value(key));
        let (form, (key, value)) = match (token, user, password) {
            (None, None, None) => return,
            (Some(token), None, None) => (Form::Bearer, token),
            (None, Some((_, user)), Some(password)) => match user.get_ref().as_str() {
                Some(name) if !name.contains(':') => (Form::Basic(name.to_owned()), password),
                Some(_) => return self.complain(user.span(), "expected a name without a colon"),
                None => {
                    return self
                        .mistyped::<()>(user.span(), "a string", user.get_ref())
                        .unwrap_or_default();
                }
            },
            (token, user, password) => {
                let key = token.or(user).or(password).map(|(key, _)| key.span());
                let message = "expected a token, or a user and a password";
                return self.complain(key.unwrap_or_default(), message);
            }
        };
        if let Some(origin) = self.origin(value.get_ref(), value.span()) {
            let field = Field { name: "authorization".to_owned(), form, origin };
            self.field(host, field, key.span());
        }
    }

    /// Reads the location of a secret.
    fn origin(&mut self, value: &DeValue<'_>, span: Range<usize>) -> Option<Origin> {
        let table = value.as_table().filter(|table| table.len() == 1);
        let of = |key: &str| table.and_then(|table| table.get(key)?.get_ref().as_str());
        match (of("env"), of("file")) {
            (Some(name), _) => Some(Origin::Variable(name.to_owned())),
            (_, Some(path)) => Some(Origin::File(self.directory().join(path))),
            (None, None) => {
                let expected = "expected a secret to be somewhere else, { env = \"NAME\" } or \
                                { file = \"PATH\" }, found";
                self.complain(span, format!("{expected} {}", type_of(value)));
                None
            }
        }
    }

    fn field(&mut self, host: &mut HostTable, field: Field, span: Range<usize>) {
        let is_twice = host.fields.iter().any(|old| old.name.eq_ignore_ascii_case(&field.name));
        if is_twice {
            return self.complain(span, format!("{:?} is there twice", field.name));
        }
        let value = match &field.origin {
            Origin::Here(value) => value,
            Origin::Variable(_) | Origin::File(_) => "",
        };
        match OwnField::new(&host.site(), &field.name, value) {
            Ok(_) => host.fields.push(field),
            Err(error) => self.complain(span, error.to_string()),
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Parses `HOST`, `HOST:PORT`, `SCHEME://HOST`, or all three parts.
fn terms_of(name: &str) -> Result<Terms, String> {
    let wrong = || format!("expected HOST, HOST:PORT or SCHEME://HOST:PORT, found {name:?}");
    let (scheme, rest) = match name.split_once("://") {
        Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
        None => (None, name),
    };
    if scheme.as_deref().is_some_and(|scheme| linktrawl::internal::probe::find(scheme).is_none()) {
        return Err(wrong());
    }
    let whole = format!("x://{rest}");
    let uri = split(whole.as_bytes());
    let is_host_alone = uri.userinfo.is_none()
        && uri.path.start == uri.path.end
        && uri.query.is_none()
        && uri.fragment.is_none();
    let host = uri.host.filter(|_| is_host_alone).ok_or_else(wrong)?;
    let host = Host::parse(host.of(whole.as_bytes())).map_err(|failure| failure.message)?;
    let port = uri.port.map(|span| String::from_utf8_lossy(span.of(whole.as_bytes())));
    let port = port.map(|port| port.parse().map_err(|_| wrong())).transpose()?;
    let pace = schedule::Terms::default();
    Ok(Terms { host, scheme, port, pace, timeout: None, is_own: None, robots: None })
}

impl HostTable {
    /// Returns the site that its fields are sent to.
    fn site(&self) -> String {
        let Terms { host, scheme, port, .. } = &self.terms;
        let scheme = scheme.as_deref().unwrap_or("https");
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        format!("{scheme}://{host}{port}")
    }

    /// Formats the table for people, as TOML without the values of fields.
    pub(crate) fn shown(&self) -> String {
        let Terms { pace, timeout, is_own, robots, .. } = &self.terms;
        let ms = |millis: u64| quoted(&format!("{millis}ms"));
        let lines = [
            ("gap", pace.gap.map(ms)),
            ("concurrency", pace.concurrency.map(|number| number.to_string())),
            ("timeout", timeout.map(|timeout| ms(millis(timeout)))),
            ("own", is_own.map(|is| is.to_string())),
            ("robots", robots.map(|is| is.to_string())),
        ];
        let mut text = String::new();
        for (key, value) in lines {
            text.extend(value.map(|value| format!("{key} = {value}\n")));
        }
        for field in &self.fields {
            let name = quoted(&field.name);
            let origin = field.origin.shown();
            text.push_str(&format!("# {name} is sent to {}, from {origin}\n", self.site()));
        }
        text
    }

    /// Returns its name as a key of TOML, and its line.
    pub(crate) fn heading(&self) -> (String, usize) {
        (quoted(&self.name), self.line)
    }
}

impl Origin {
    fn shown(&self) -> String {
        match self {
            Self::Here(_) => "the file".to_owned(),
            Self::Variable(name) => format!("the environment's {}", quoted(name)),
            Self::File(path) => format!("the file {}", quoted(&path.to_string_lossy())),
        }
    }

    /// Returns the value; `None` if the variable is not set. That is no error: not everyone who
    /// runs a check knows the secrets.
    fn value(&self) -> anyhow::Result<Option<String>> {
        match self {
            Self::Here(value) => Ok(Some(value.clone())),
            Self::Variable(name) => match environment::variable(name) {
                None => Ok(None),
                Some(value) => value.into_string().map(Some).map_err(|_| {
                    anyhow::anyhow!(
                        "expected UTF-8 in the environment's {name:?}, found other bytes"
                    )
                }),
            },
            Self::File(path) => {
                let at = |error| anyhow::anyhow!("cannot read {path:?}: {error}");
                let mut text = String::new();
                let file = fs::File::open(path).map_err(at)?;
                file.take(SECRET_LEN_MAX).read_to_string(&mut text).map_err(at)?;
                let line = text.trim_end_matches(['\n', '\r']);
                Ok(Some(line.to_owned()))
            }
        }
    }
}

impl Field {
    /// Returns the field for `site`; `None` if its value is missing.
    fn own(&self, site: &str) -> anyhow::Result<Option<OwnField>> {
        let Some(value) = self.origin.value()? else { return Ok(None) };
        let value = match &self.form {
            Form::Plain => value,
            Form::Bearer => format!("Bearer {value}"),
            Form::Basic(user) => {
                let pair = format!("{user}:{value}");
                format!("Basic {}", data_encoding::BASE64.encode(pair.as_bytes()))
            }
        };
        Ok(Some(OwnField::new(site, &self.name, &value)?))
    }
}

/// Adds the terms and fields of `hosts` to `requests`.
///
/// # Errors
/// When a value to be sent cannot be read, or cannot be sent.
pub(super) fn add_to(requests: &mut RequestOptions, hosts: &[HostTable]) -> anyhow::Result<()> {
    for host in hosts {
        requests.terms.push(host.terms.clone());
        let site = host.site();
        for field in &host.fields {
            match field.own(&site)? {
                Some(own) => requests.net.fields.push(own),
                None => stderr::say(&format!(
                    "warning: {} is not set: {:?} is not sent to {site}",
                    field.origin.shown(),
                    field.name
                )),
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::terms_of;

    #[test]
    fn names_of_tables_are_sites() {
        let case = |name: &str, expected: (Option<&str>, &str, Option<u16>)| {
            let terms = terms_of(name).expect("a site");
            let found = (terms.scheme.as_deref(), &*terms.host.to_string(), terms.port);
            assert_eq!(found, expected, "{name}");
        };
        case("Example.ORG.", (None, "example.org", None));
        case("example.org:8080", (None, "example.org", Some(8080)));
        case("HTTP://example.org", (Some("http"), "example.org", None));
        case("ftp://[::1]:21", (Some("ftp"), "[::1]", Some(21)));
        case("127.0.0.1", (None, "127.0.0.1", None));
        for bad in ["", "a/b", "https://a/", "a@b", "a:x", "a:99999", "x://a", "a b", "*.a", "a?b"]
        {
            assert!(terms_of(bad).is_err(), "{bad}");
        }
    }
}
