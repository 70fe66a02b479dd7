//! Defines the options that `linktrawl check` adds to those of `scan`.

use std::net::{IpAddr, SocketAddr};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PathBufValueParser, PossibleValue, TypedValueParser as _, ValueHint};
use clap::{Args, ValueEnum};
use linktrawl::internal::check::local::Base;
use linktrawl::internal::check::{Accept, Exception};
use linktrawl::internal::finding::{CLASSES, Class, FAMILIES, Verdict};
use linktrawl::internal::grammar::{resolve, split};
use linktrawl::internal::probe::guard::{Host, Network};
use linktrawl::internal::probe::proxy::Proxy;
use linktrawl::internal::run::{Archive, Own, Service};

use super::alike::perhaps;
use super::scan::ScanFlags;
use super::values::{
    Confirm, Rate, list, parse_confirm, parse_duration, parse_number, parse_positive, parse_rate,
    parse_timeout,
};

/// The default file for stored results.
pub(crate) const STATE_FILE: &str = ".linktrawl.db";

const EXIT_CODES: &str = "\
Exit codes:
  0    all is well
  1    at least one link is malformed or dead; --fail-on says what counts
  2    the run is incomplete: a bad option, an input that could not be read,
       or nothing to read at all; with --fail-if-empty, no link, too
  130  stopped by SIGINT (129: SIGHUP on Linux, 143: SIGTERM);
       the report has the answers until then";

const EXAMPLES: &str = "\
Examples:
  linktrawl check docs/ --offline
      Links between the documents of a tree: files, and places in them.

  linktrawl check README.md docs/
      The same, and every remote link, politely: one request a second to each
      host.

  linktrawl check docs/ --own-host docs.example.org --state links.db
      Your own site at full speed; links that answered recently are not
      requested again.

  linktrawl check ~/Mail
      Whether the hosts are there. No path is sent to anybody, so that nothing
      is unsubscribed, confirmed or opened.

  linktrawl check docs/ --verdict forbidden=ok \\
          --verdict timeout@slow.example=warn
      Other verdicts on two classes of answers, one of them for a single host.

  linktrawl check site/ --allow-net 127.0.0.0/8
      A server on this machine, which is never requested otherwise.";

/// Find URIs, check each one against its grammar, and ask whether it answers.
///
/// For links of mail and news, only the host is asked (`--probe`). Addresses that are not public
/// are never connected to (`--allow-net`). User names and passwords of URIs are never sent. The
/// inputs are read once; a finding is reported when its link has been asked.
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct CheckFlags {
    #[command(flatten)]
    pub(crate) scan: ScanFlags,

    #[command(flatten)]
    pub(crate) ask: AskFlags,
}

/// The options of `check` besides those of `scan`.
#[derive(Args)]
#[command(next_help_heading = "Checking")]
pub(crate) struct AskFlags {
    /// Codes of HTTP that count as success: a list with commas, and ranges, as in 403,500..=599.
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = parse_codes)]
    pub(crate) accept: Vec<Accept>,

    /// Look up dead links in this archive of the Web: `wayback`, the address of another one, or a
    /// file; repeatable.
    ///
    /// The copy nearest to the date of the message or file is reported. FILE is a WARC, or an index
    /// in CDXJ or CDX; files are read first, and no network archive learns of a link that they
    /// hold. An address is that of a TimeGate, a TimeMap or a CDX server: the link follows it, or
    /// takes the place of {url}, and its date that of {timestamp}.
    ///
    /// An archive on the network receives the whole link, without user, password and fragment. It
    /// never receives links of which only the host is asked, which are those of mail without
    /// --probe head or get, links of mail that act, or, if it is public, links to hosts that are
    /// not.
    #[arg(long = "archive", value_name = "WHERE", value_parser = parse_archive)]
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) archives: Vec<Archive>,

    /// Look up all links in the archives, not only dead ones; with --offline, in files alone.
    #[arg(long, requires = "archives")]
    #[arg(hide_short_help = true)]
    pub(crate) archive_all: bool,

    /// Where copies of an --archive that is a file are replayed: the address before the time and
    /// the link, as in http://localhost:8080/c1/.
    #[arg(long, value_name = "URL", value_parser = parse_replay, requires = "archives")]
    #[arg(hide_short_help = true)]
    pub(crate) archive_replay: Option<String>,

    /// The base of relative links of documents, instead of the document: a URI, or a directory.
    #[arg(long = "base-url", value_name = "URI|DIR", value_parser = parse_base)]
    #[arg(value_hint = ValueHint::Url)]
    pub(crate) base: Option<Base>,

    /// Endings to try if a file is missing, without their dots: a comma-separated list.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = parse_ending)]
    #[arg(hide_short_help = true)]
    pub(crate) fallback_extensions: Vec<String>,

    /// Where to look for the places that fragments name.
    #[arg(long, value_enum, value_name = "WHERE", default_value_t)]
    pub(crate) fragments: LookedFor,

    /// Report a link as dead after this many runs in a row; before, it is a warning.
    ///
    /// `iabot` is the rule of InternetArchiveBot: 3 runs, each 3 days after the previous one, as
    /// by `--confirm 3 --confirm-gap 3d`.
    #[arg(long, value_name = "N", value_parser = parse_confirm)]
    #[arg(default_value = "1", requires = "state", allow_hyphen_values = true)]
    #[arg(hide_short_help = true)]
    pub(crate) confirm: Confirm,

    /// Count a run that finds a link dead only this long after the last one that counted.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, requires = "state")]
    #[arg(hide_short_help = true, allow_hyphen_values = true)]
    pub(crate) confirm_gap: Option<Duration>,

    /// The files that a link to a directory shows, of which the first that exists counts; `.` is
    /// the directory itself [default: any directory will do].
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_hint = ValueHint::Other)]
    #[arg(hide_short_help = true)]
    pub(crate) index_files: Option<Vec<PathBuf>>,

    /// The directory where links that begin with a slash start, and which no link may leave.
    ///
    /// Without it they start at the PATH that a document was found in, and links may lead out of
    /// that to existing files.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) root_dir: Option<PathBuf>,

    /// Connect to this network, too: 10.0.0.0/8, fd00::/8, or one address; repeatable.
    ///
    /// Otherwise only public addresses are connected to, at the ports of a link's scheme; a
    /// network named here is allowed at every port. Hosts of loopback have no gap between
    /// requests, and all other limits apply to them: see --own-host.
    #[arg(long = "allow-net", value_name = "CIDR", value_parser = parse_network)]
    #[arg(hide_short_help = true)]
    pub(crate) networks: Vec<Network>,

    /// Connect to the private addresses of sites, too (RFC 1918, RFC 4193, RFC 6598).
    ///
    /// This machine is still refused: --allow-net 127.0.0.0/8 allows it.
    #[arg(long)]
    pub(crate) allow_private: bool,

    /// Trust the authorities whose certificates are in this file, too: PEM or DER; repeatable.
    #[arg(long = "ca-file", value_name = "FILE")]
    #[arg(hide_short_help = true)]
    pub(crate) authorities: Vec<PathBuf>,

    /// Refuse certificates that the list in this file revokes: PEM or DER; repeatable.
    ///
    /// Authorities themselves are never contacted: they would learn which hosts are checked.
    #[arg(long = "crl-file", value_name = "FILE")]
    #[arg(hide_short_help = true)]
    pub(crate) revoked: Vec<PathBuf>,

    /// An address at which operators of servers can reach you.
    ///
    /// Servers receive `linktrawl/VERSION (ADDRESS)`, or without this only the name and version:
    /// their operators can then block the program, but not ask you.
    #[arg(long, value_name = "URI-OR-MAIL", value_parser = parse_contact)]
    pub(crate) contact: Option<String>,

    /// Count links as dead by the rules of a study, in place of our own.
    #[arg(long, value_enum, value_name = "RULES")]
    #[arg(hide_short_help = true)]
    pub(crate) count_as: Option<CountAs>,

    /// Report which pages have changed since an earlier run that read them; with --probe get.
    ///
    /// Pages are read up to a limit, and their words are compared; scripts, markup and blanks do
    /// not count. A page that is too long is not compared.
    #[arg(long, requires = "state")]
    #[arg(hide_short_help = true)]
    pub(crate) drift: bool,

    /// Requests to one host at once [default: 1, 16 for own hosts].
    #[arg(long, value_name = "N", value_parser = parse_positive::<NonZeroU32>)]
    #[arg(hide_short_help = true, allow_hyphen_values = true)]
    pub(crate) host_concurrency: Option<NonZeroU32>,

    /// The least time between two requests to a host; own hosts and loopback have no gap.
    ///
    /// Hosts that are slow, or ask for it, get a longer gap.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "1s")]
    #[arg(allow_hyphen_values = true)]
    pub(crate) host_gap: Duration,

    /// Requests at once, in all; fewer if the system allows fewer open files.
    ///
    /// Fewer, too, as long as answers arrive as fast as they are processed: a run begins with 64,
    /// and adds more when it is idle.
    #[arg(long, value_name = "N", default_value = "1000")]
    #[arg(value_parser = parse_positive::<NonZeroUsize>)]
    #[arg(hide_short_help = true, allow_hyphen_values = true)]
    pub(crate) in_flight: NonZeroUsize,

    /// Use answers of earlier runs for no longer than this, whatever they are.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, requires = "state")]
    #[arg(hide_short_help = true, allow_hyphen_values = true)]
    pub(crate) max_age: Option<Duration>,

    /// Request at most this many links of one host.
    #[arg(long, value_name = "N", value_parser = parse_positive::<NonZeroU32>)]
    #[arg(hide_short_help = true, allow_hyphen_values = true)]
    pub(crate) max_urls_per_host: Option<NonZeroU32>,

    /// Ask this name server instead of the system's, as in 9.9.9.9 or 9.9.9.9:53; repeatable.
    #[arg(long = "name-server", value_name = "ADDRESS[:PORT]", value_parser = parse_name_server)]
    #[arg(hide_short_help = true)]
    pub(crate) name_servers: Vec<SocketAddr>,

    /// The server that knows about links of `news`, which name none: HOST or HOST:PORT.
    #[arg(long, value_name = "HOST[:PORT]", value_parser = parse_news_server)]
    #[arg(hide_short_help = true)]
    pub(crate) news_server: Option<(Host, u16)>,

    /// Request all links again, despite answers of earlier runs; the new answers are kept.
    #[arg(long, requires = "state")]
    #[arg(hide_short_help = true)]
    pub(crate) no_cache: bool,

    /// Do not request robots.txt, and request links that it forbids to programs.
    #[arg(long)]
    #[arg(hide_short_help = true)]
    pub(crate) no_robots: bool,

    /// A host that is yours, with those below it, or a network; repeatable.
    ///
    /// It is requested at full speed, and without robots.txt. A network matches addresses, not
    /// the names that lead to them.
    #[arg(long = "own-host", value_name = "HOST|CIDR", value_parser = parse_own)]
    pub(crate) own: Vec<Own>,

    /// Look up local links only.
    #[arg(long)]
    pub(crate) offline: bool,

    /// How much to ask of each link [default: host for mail and news, head for all else].
    ///
    /// `host` looks up the host and connects to it; no path is sent. `head` requests the link
    /// without its body if the protocol can. `get` requests the body at once.
    ///
    /// Links of mail that act are skipped as `side-effect` by their text, and by the words around
    /// them. No table of words is complete: with `head` and `get`, a link that acts may be
    /// requested where mail describes it as an article, in a picture, or in a language that is not
    /// known.
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub(crate) probe: Option<Probing>,

    /// Request links of mail that may unsubscribe, confirm or delete something, too.
    ///
    /// Without it they are skipped as `side-effect`, whatever --probe says.
    #[arg(long)]
    pub(crate) probe_side_effects: bool,

    /// Connect through this proxy: http://HOST:PORT (CONNECT) or socks5://HOST:PORT.
    ///
    /// Names are looked up here, and the proxy receives only addresses that are allowed. No proxy
    /// is read from the environment.
    #[arg(long, value_name = "URI", value_parser = parse_proxy)]
    pub(crate) proxy: Option<Proxy>,

    /// Requests a second, in all, as in 30 or 0.5.
    #[arg(long, value_name = "N", value_parser = parse_rate, allow_hyphen_values = true)]
    pub(crate) rate: Option<Rate>,

    /// Retries after temporary failures: no connection, a server that fails or is overloaded.
    ///
    /// The first comes after 2 to 20 seconds, the second after 2 to 80, further ones after at most
    /// 5 minutes, so that a run with one such link takes a minute more.
    #[arg(long, value_name = "N", default_value = "2", value_parser = parse_number)]
    #[arg(hide_short_help = true, allow_hyphen_values = true)]
    pub(crate) retries: u32,

    /// Suspect pages that are shown for any name; with --probe get.
    ///
    /// For each directory with a link that answers 200, one invented name is requested.
    /// Links that show the same page, or lead to the same place, are `soft-404`: a warning. At most
    /// eight directories of a host are tried.
    #[arg(long = "soft-404")]
    pub(crate) soft: bool,

    /// Keep answers in this file, and do not request links with fresh answers again.
    ///
    /// A run that was stopped or killed is resumed when it is started again with the same
    /// arguments. The file is an SQLite database; no password gets into it. Without FILE it is
    /// .linktrawl.db in the working directory; a PATH right after it would be read as FILE.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = STATE_FILE)]
    #[arg(value_parser = PathBufValueParser::new().try_map(state_file))]
    pub(crate) state: Option<PathBuf>,

    /// The longest time that one request may take, in all.
    #[arg(long, value_name = "DURATION", value_parser = parse_timeout, default_value = "30s")]
    #[arg(allow_hyphen_values = true)]
    pub(crate) timeout: Duration,

    /// The service that resolves links of `urn`: a URI of the Web in which {urn} is the link.
    #[arg(long, value_name = "TEMPLATE", value_parser = parse_template)]
    #[arg(hide_short_help = true)]
    pub(crate) urn_resolver: Option<String>,

    #[arg(long = "verdict", value_name = "RULE")]
    #[arg(value_parser = parse_exception)]
    #[arg(help = VERDICT_HELP, long_help = verdict_long_help())]
    pub(crate) verdicts: Vec<Exception>,
}

/// `--count-as`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CountAs {
    /// Pew Research Center, "When Online Content Disappears", 2024: nine status codes, and silence
    Pew,
}

/// `--fragments`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LookedFor {
    /// Nowhere
    None,
    /// In files
    #[default]
    Local,
    /// In files and in pages of the Web, which are then requested with their bodies
    All,
}

/// `--probe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Probing {
    /// Whether the host is there
    Host,
    /// Whether the link answers
    Head,
    /// The same, with its body
    Get,
}

/// Parses the contact for the user agent: printable US-ASCII without blanks, parentheses and
/// backslashes.
fn parse_contact(text: &str) -> Result<String, String> {
    let is_plain = |byte: u8| matches!(byte, b'!'..=b'~') && !b"()\\".contains(&byte);
    let is_address = text.contains('@') || resolve::is_base(text.as_bytes());
    if is_address && text.bytes().all(is_plain) {
        return Ok(text.to_owned());
    }
    Err(format!("expected a URI or a mail address, found {text:?}"))
}

/// Parses `wayback`, an address of the Web, or the path of a file that is there.
fn parse_archive(text: &str) -> Result<Archive, String> {
    if text == "wayback" || resolve::is_base(text.as_bytes()) {
        return Service::parse(text).map(Archive::Service);
    }
    let path = PathBuf::from(text);
    if path.is_file() {
        return Ok(Archive::File(path));
    }
    Err(format!("expected wayback, http(s)://… or an existing file, found {text:?}"))
}

/// Parses the beginning of addresses of mementos, and adds a slash where it has none.
fn parse_replay(text: &str) -> Result<String, String> {
    Service::parse(text).map_err(|_| format!("expected http(s)://…, found {text:?}"))?;
    let slash = if text.ends_with('/') { "" } else { "/" };
    Ok(format!("{text}{slash}"))
}

/// Parses the ending of a name, without its dot.
fn parse_ending(text: &str) -> Result<String, String> {
    match text.trim_start_matches('.') {
        "" => Err("expected the ending of a name, found none".to_owned()),
        ending if ending == text => Ok(ending.to_owned()),
        ending => {
            Err(format!("expected an ending without its dot, found {text:?}: perhaps {ending}"))
        }
    }
}

/// Parses a URI if it has a scheme, and a directory otherwise.
fn parse_base(text: &str) -> Result<Base, String> {
    let uri = split(text.as_bytes());
    let is_opaque = uri.host.is_none() && !uri.path.of(uri.text).starts_with(b"/");
    if resolve::is_base(uri.text) && is_opaque {
        return Err(format!("expected a URI with a host or a path from the root, found {text:?}"));
    }
    if resolve::is_base(uri.text) {
        return Ok(Base::Uri(uri.text.to_vec()));
    }
    let directory = PathBuf::from(text);
    if directory.is_dir() {
        return Ok(Base::Directory(directory));
    }
    let which = if directory.exists() { ", which is a file" } else { ", which is neither" };
    Err(format!("expected a URI with a scheme, or a directory, found {text:?}{which}"))
}

/// Parses an address with a port, or one alone, whose port is that of DNS (RFC 1035 §4.2).
fn parse_name_server(text: &str) -> Result<SocketAddr, String> {
    const PORT: u16 = 53;
    let alone = || text.parse::<IpAddr>().ok().map(|address| SocketAddr::new(address, PORT));
    let server = text.parse().ok().or_else(alone);
    server.ok_or_else(|| format!("expected an IP address, with a port or without, found {text:?}"))
}

/// Parses `HOST` or `HOST:PORT`.
fn parse_news_server(text: &str) -> Result<(Host, u16), String> {
    let uri = format!("nntp://{text}");
    linktrawl::internal::probe::guard::target("nntp", &split(uri.as_bytes())).map_err(|failure| {
        format!("expected HOST or HOST:PORT, found {text:?}: {}", failure.message)
    })
}

fn parse_template(text: &str) -> Result<String, String> {
    let is_web = text.starts_with("http://") || text.starts_with("https://");
    if is_web && text.contains("{urn}") {
        return Ok(text.to_owned());
    }
    Err(format!("expected http(s)://… with {{urn}} in it, found {text:?}"))
}

fn parse_proxy(text: &str) -> Result<Proxy, String> {
    text.parse().map_err(|error: linktrawl::Error| {
        let whole = format!("http://{text}");
        let is_bare = !text.contains("://") && whole.parse::<Proxy>().is_ok();
        let hint = if is_bare { format!(": perhaps {whole}") } else { String::new() };
        format!("{error}{hint}")
    })
}

fn parse_network(text: &str) -> Result<Network, String> {
    text.parse().map_err(|error: linktrawl::Error| {
        let hint = match Host::parse(text.as_bytes()) {
            Ok(Host::Name(_)) => "; for a host's name see --own-host, for this machine 127.0.0.0/8",
            _ => "",
        };
        format!("{error}{hint}")
    })
}

/// Parses a network if it looks like one, and a name otherwise.
fn parse_own(text: &str) -> Result<Own, String> {
    if let Ok(network) = text.parse() {
        return Ok(Own::Network(network));
    }
    match Host::parse(text.as_bytes()) {
        Ok(Host::Name(name)) => Ok(Own::Name(name)),
        _ => {
            let host = host_of(text).map(|host| format!(": perhaps {host}"));
            let hint = host.unwrap_or_default();
            Err(format!("expected a host's name or a network, found {text:?}{hint}"))
        }
    }
}

/// Returns the host of the URI `text`, if it is a name.
fn host_of(text: &str) -> Option<String> {
    let host = split(text.as_bytes()).host?;
    match Host::parse(host.of(text.as_bytes())) {
        Ok(Host::Name(name)) => Some(name),
        _ => None,
    }
}

const VERDICT_HELP: &str = "Verdict on a class of answers, CLASS=ok, warn, error or skip";

fn verdict_long_help() -> String {
    let classes = CLASSES.iter().map(|row| (row.name, row.about));
    let families: Vec<_> = FAMILIES.iter().map(|family| (family.name, family.members())).collect();
    let families = families.iter().map(|(name, members)| (*name, members.as_str()));
    format!(
        "{VERDICT_HELP}; repeatable, the last that fits counts.\n\nCLASS@HOST=VERDICT is only for \
         that host and those below it. Classes:\n{}\n\nWords for several classes:\n{}",
        list(classes),
        list(families)
    )
}

/// Returns each class and family with each verdict, as `--verdict` accepts them.
pub(crate) fn verdict_values() -> impl Iterator<Item = PossibleValue> {
    let classes = CLASSES.iter().map(|row| (row.name, row.about.to_owned()));
    let families = FAMILIES.iter().map(|family| (family.name, family.members()));
    let each = |(name, about): (&'static str, String)| {
        let named = |verdict| PossibleValue::new(format!("{name}={verdict}"));
        VERDICTS.map(|verdict| named(verdict).help(about.clone()))
    };
    classes.chain(families).flat_map(each)
}

/// Returns the values of `--verdict` as a pattern (ECMA-262, for JSON Schemas).
pub(crate) fn verdict_pattern() -> String {
    let families = FAMILIES.iter().map(|family| family.name);
    let names: Vec<_> = CLASSES.iter().map(|row| row.name).chain(families).collect();
    format!("^({})(@.+)?=({}|skipped)$", names.join("|"), VERDICTS.join("|"))
}

/// Parses `403` or `500..=599`.
fn parse_codes(text: &str) -> Result<Accept, String> {
    let code = |text: &str| text.parse().ok().filter(|code| (100..=999).contains(code));
    let (first, last) = text.split_once("..=").unwrap_or((text, text));
    let codes = code(first).zip(code(last)).map(|(first, last)| first..=last);
    let codes = codes.ok_or_else(|| {
        let range = text.split_once('-');
        let range = range.and_then(|(first, last)| code(first).zip(code(last)));
        let hint = range.map(|(first, last)| format!(": perhaps {first}..={last}"));
        let hint = hint.unwrap_or_default();
        format!("expected a code from 100 to 999, or a range as in 500..=599, found {text:?}{hint}")
    })?;
    if codes.is_empty() {
        return Err(format!("expected a range from the lower to the higher code, found {text:?}"));
    }
    Ok(codes)
}

/// Parses `CLASS[@HOST]=VERDICT`.
fn parse_exception(text: &str) -> Result<Exception, String> {
    let (what, verdict) = text.rsplit_once('=').ok_or("expected CLASS=VERDICT, found no `=`")?;
    let (class, host) = match what.split_once('@') {
        Some((_, "")) => return Err("expected a host after the @, found none".to_owned()),
        Some((class, host)) => (class, Some(host.to_ascii_lowercase())),
        None => (what, None),
    };
    let family = FAMILIES.iter().find(|family| family.name == class);
    let classes: Vec<Class> = CLASSES
        .iter()
        .filter(|row| row.name == class || family.is_some_and(|family| family.holds(row)))
        .map(|row| row.class)
        .collect();
    if classes.is_empty() {
        let families = FAMILIES.iter().map(|family| family.name);
        let names = CLASSES.iter().map(|row| row.name).chain(families);
        let hint = perhaps(class, names);
        let list = "`linktrawl help classes` lists them";
        if what.contains('=') {
            return Err(format!(
                "expected one CLASS=VERDICT, found {text:?}: give --verdict twice"
            ));
        }
        return Err(format!("no class is called {class:?}{hint}; {list}"));
    }
    let verdict = match verdict {
        "ok" => Verdict::Ok,
        "warn" => Verdict::Warn,
        "error" => Verdict::Error,
        "skip" | "skipped" => Verdict::Skipped,
        other => {
            let hint = perhaps(other, VERDICTS.into_iter());
            return Err(format!("expected ok, warn, error or skip, found {other:?}{hint}"));
        }
    };
    Ok(Exception { classes, host, verdict })
}

/// The verdicts that a class can have.
const VERDICTS: [&str; 4] = ["ok", "warn", "error", "skip"];

/// Checks `path`, which need not exist, but must not be a directory. A directory is mostly an input
/// that follows `--state` by mistake.
fn state_file(path: PathBuf) -> Result<PathBuf, String> {
    let hint = "put `--state` after all paths, or write `--state=FILE`";
    if path.is_dir() {
        return Err(format!("expected a file, found a directory, no regular file: {hint}"));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::{
        Class, Exception, Verdict, parse_base, parse_codes, parse_ending, parse_exception,
        parse_network, parse_news_server, parse_own, parse_proxy, verdict_long_help,
    };

    #[track_caller]
    fn told<T>(parsed: Result<T, String>, wanted: &str) {
        assert_eq!(parsed.err().as_deref(), Some(wanted));
    }

    #[test]
    fn values_that_would_never_work_are_refused() {
        let dot = "expected an ending without its dot, found \".html\": perhaps html";
        told(parse_ending(".html"), dot);
        told(parse_ending("."), "expected the ending of a name, found none");
        assert_eq!(parse_ending("tar.gz").as_deref(), Ok("tar.gz"));
        let base = "expected a URI with a host or a path from the root, found \"mailto:x\"";
        told(parse_base("mailto:x"), base);
        assert!(parse_base("https://h.example/a").is_ok() && parse_base("file:/a").is_ok());
        let two = "missing=warn,gone=ok";
        let one = format!("expected one CLASS=VERDICT, found {two:?}: give --verdict twice");
        told(parse_exception(two), &one);
    }

    #[test]
    fn hosts_networks_and_proxies_are_told_apart() {
        let own = "expected a host's name or a network, found";
        told(parse_own("http://a/"), &format!("{own} \"http://a/\": perhaps a"));
        told(parse_own("a b"), &format!("{own} \"a b\""));
        let server = "expected HOST or HOST:PORT, found";
        assert!(parse_news_server("a b").is_err_and(|words| words.starts_with(server)));
        let network = |text: &str| parse_network(text).expect_err("a refusal");
        let hint = "; for a host's name see --own-host, for this machine 127.0.0.0/8";
        assert!(network("localhost").ends_with(hint), "{}", network("localhost"));
        assert!(!network("10.0.0.0/33").contains("--own-host"), "{}", network("10.0.0.0/33"));
        let proxy = |text: &str| parse_proxy(text).expect_err("a refusal");
        let scheme = "expected http://host:port or socks5://host:port, found";
        let bare = format!("{scheme} \"10.0.0.1:8080\": perhaps http://10.0.0.1:8080");
        assert_eq!(proxy("10.0.0.1:8080"), bare);
        let https = "expected the scheme http or socks5, found \"https://a:1\"";
        assert_eq!(proxy("https://a:1"), https);
        told(
            parse_base("no-such-directory"),
            "expected a URI with a scheme, or a directory, found \"no-such-directory\", which is \
             neither",
        );
    }

    #[test]
    fn codes_are_one_or_a_range() {
        assert_eq!(parse_codes("403"), Ok(403..=403));
        assert_eq!(parse_codes("500..=599"), Ok(500..=599));
        assert!(["", "99", "1000", "4xx"].map(parse_codes).iter().all(Result::is_err));
        let exclusive = parse_codes("500..600").expect_err("a refusal");
        assert!(exclusive.contains("as in 500..=599, found \"500..600\""), "{exclusive}");
        let hyphen = parse_codes("200-300").expect_err("a refusal");
        assert!(hyphen.ends_with("found \"200-300\": perhaps 200..=300"), "{hyphen}");
        let reversed = parse_codes("300..=299").expect_err("a refusal");
        assert!(reversed.contains("from the lower to the higher code"), "{reversed}");
    }

    #[test]
    fn exceptions_name_a_class_or_a_family() {
        let one = Exception {
            classes: vec![Class::Timeout],
            host: Some("h.example".to_owned()),
            verdict: Verdict::Skipped,
        };
        assert_eq!(parse_exception("timeout@H.example=skip"), Ok(one));
        let dns = parse_exception("dns=ok").unwrap();
        assert_eq!(dns.classes, [Class::DnsNxdomain, Class::DnsFailure]);
        let tls = parse_exception("tls=warn").unwrap();
        assert!(tls.classes.len() > 5 && tls.classes.contains(&Class::TlsName));
        let policy = parse_exception("policy=error").unwrap().classes;
        assert!(policy.contains(&Class::SideEffect) && policy.contains(&Class::PolicyRobots));
        assert!(!policy.contains(&Class::Unverifiable) && !policy.contains(&Class::NotAsked));
        let one = parse_exception("side-effect=error").unwrap();
        assert_eq!(one.classes, [Class::SideEffect]);
        let help = verdict_long_help();
        assert!(help.contains("\n  dns     dns-nxdomain, dns-failure"), "{help}");
        assert!(help.contains("\n  policy  side-effect, policy-address, "), "{help}");
        for bad in ["timeout", "nothing=ok", "timeout=good", "=ok"] {
            assert!(parse_exception(bad).is_err(), "{bad}");
        }
        let refusal = |text| parse_exception(text).expect_err("a refusal");
        let class = "no class is called \"mising\": perhaps missing; `linktrawl help classes` \
                     lists them";
        assert_eq!(refusal("mising=ok"), class);
        assert!(refusal("missing=eror").ends_with("found \"eror\": perhaps error"));
    }
}
