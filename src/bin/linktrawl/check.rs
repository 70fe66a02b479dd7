//! `linktrawl check`: what it adds to the options of `scan`, and what they ask of the library.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, ValueEnum};
use linktrawl::check::{Accept, Exception, Policy};
use linktrawl::finding::{CLASSES, Class, Verdict};
use linktrawl::probe::Level;
use linktrawl::run::Asking;

use crate::flags::{ScanFlags, list};

const EXIT_CODES: &str = "\
Exit codes:
  0    all is well
  1    at least one link is malformed or dead
  2    the work could not be done in full: a bad option, an input that could not be read,
       or nothing to read at all
  130  stopped by SIGINT (143: SIGTERM), behind a report of what was learnt until then";

const EXAMPLES: &str = "\
Examples:
  linktrawl check docs/ --offline
      Links between the documents of a tree: files, and places in them.

  linktrawl check README.md docs/
      The same, and every remote link, politely: one request a second to each host.

  linktrawl check docs/ --own-host docs.example.org --state links.db
      Our own site at full speed; what answered lately is not asked again.

  linktrawl check ~/Mail
      Whether the hosts are there. No path is told to anybody, so that nothing is
      unsubscribed, confirmed or opened.

  linktrawl check docs/ --verdict forbidden=ok --verdict timeout@slow.example=warn
      What answers are taken for.

  linktrawl check site/ --allow-net 127.0.0.0/8
      A server on this machine, which is never asked otherwise.";

/// Find URIs, hold each one to its grammar, and ask whether it answers.
///
/// Links of mail and news are asked for no more than their host (`--probe`). Addresses that are
/// not public are never connected to (`--allow-net`). User names and passwords of URIs are never
/// sent. The inputs are read twice: to gather links, and to report each where it stands.
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct CheckFlags {
    #[command(flatten)]
    pub(crate) scan: ScanFlags,

    #[command(flatten)]
    pub(crate) ask: AskFlags,
}

/// What `check` has beside the options of `scan`.
#[derive(Args)]
#[command(next_help_heading = "Asking")]
pub(crate) struct AskFlags {
    /// Codes of HTTP that are as good as 200: a comma-separated list, as in 403,500..=599.
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = parse_codes)]
    accept: Vec<Accept>,

    /// Look up local links only.
    #[arg(long)]
    offline: bool,

    /// How much to ask of each link [default: host for mail and news, head for all else].
    ///
    /// `host` looks up the host and connects to it; no path is told. `head` asks for the link
    /// without its body where the protocol can. `get` asks for the body at once.
    #[arg(long, value_enum, value_name = "LEVEL")]
    probe: Option<Probing>,

    /// Ask links of mail that may unsubscribe, confirm or delete something, too.
    ///
    /// Without it they are skipped as `side-effect`, whatever --probe says.
    #[arg(long)]
    probe_side_effects: bool,

    #[arg(long = "verdict", value_name = "CLASS[@HOST]=VERDICT")]
    #[arg(value_parser = parse_exception)]
    #[arg(help = VERDICT_HELP, long_help = verdict_long_help())]
    verdicts: Vec<Exception>,
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

impl AskFlags {
    /// What the library is asked to do.
    pub(crate) fn asking(&self, stop: Arc<AtomicBool>) -> anyhow::Result<Asking> {
        let level = self.probe.map(|probe| match probe {
            Probing::Host => Level::Host,
            Probing::Head => Level::Head,
            Probing::Get => Level::Get,
        });
        Ok(Asking {
            mail: level.unwrap_or(Level::Host),
            documents: level.unwrap_or(Level::Head),
            side_effects: self.probe_side_effects,
            is_offline: self.offline,
            policy: Policy { exceptions: self.verdicts.clone(), accept: self.accept.clone() },
            stop,
        })
    }
}

const VERDICT_HELP: &str = "What a class of answers is taken for: ok, warn, error or skip";

fn verdict_long_help() -> String {
    let classes = CLASSES.iter().map(|row| (row.name, row.about));
    format!(
        "{VERDICT_HELP}; repeatable, the last that fits counts.\n\nWith @HOST only for that host \
         and those below it. `tls` and `policy` stand for all whose names begin so. \
         Classes:\n{}",
        list(classes)
    )
}

/// `403` or `500..=599`.
fn parse_codes(text: &str) -> Result<Accept, String> {
    let code = |text: &str| {
        let code = text.parse().ok().filter(|code| (100..=999).contains(code));
        code.ok_or_else(|| format!("expected a code from 100 to 999, found {text:?}"))
    };
    let (first, last) = text.split_once("..=").unwrap_or((text, text));
    Ok(code(first)?..=code(last)?)
}

/// `CLASS[@HOST]=VERDICT`.
fn parse_exception(text: &str) -> Result<Exception, String> {
    let (what, verdict) = text.rsplit_once('=').ok_or("expected CLASS=VERDICT, found no `=`")?;
    let (class, host) = match what.split_once('@') {
        Some((class, host)) => (class, Some(host.to_ascii_lowercase())),
        None => (what, None),
    };
    let classes: Vec<Class> = CLASSES
        .iter()
        .filter(|row| row.name == class || is_family(class, row.name))
        .map(|row| row.class)
        .collect();
    if classes.is_empty() {
        return Err(format!("no class is called {class:?}: --help lists them"));
    }
    let verdict = match verdict {
        "ok" => Verdict::Ok,
        "warn" => Verdict::Warn,
        "error" => Verdict::Error,
        "skip" | "skipped" => Verdict::Skipped,
        other => return Err(format!("expected ok, warn, error or skip, found {other:?}")),
    };
    Ok(Exception { classes, host, verdict })
}

/// True when `name` is one of the classes that `family` stands for.
fn is_family(family: &str, name: &str) -> bool {
    matches!(family, "tls" | "policy" | "dns")
        && name.strip_prefix(family).is_some_and(|rest| rest.starts_with('-'))
}

/// `500ms`, `1s`, `2m`, `1h`, `7d`.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, u64); 5] =
        [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor);
    let millis = number.parse::<u64>().ok().zip(factor.or((text == "0").then_some(0)));
    let millis = millis.and_then(|(number, factor)| number.checked_mul(factor));
    let wanted = "expected a number with ms, s, m, h or d, as in 500ms";
    millis.map(Duration::from_millis).ok_or_else(|| format!("{wanted}, found {text:?}"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Class, Exception, Verdict, parse_codes, parse_duration, parse_exception};

    #[test]
    fn durations_have_a_unit() {
        let millis = |text| parse_duration(text).map(|duration| duration.as_millis()).ok();
        let read = ["0", "500ms", "1s", "2m", "1h", "7d"].map(millis);
        assert_eq!(read, [0, 500, 1000, 120_000, 3_600_000, 604_800_000].map(Some));
        let bad =
            ["", "5", "s", "-1s", "1.5s", "1w", "99999999999999999999s", "999999999999999999d"];
        assert_eq!(bad.map(millis), [None; 8]);
        assert_eq!(parse_duration("1s"), Ok(Duration::from_secs(1)));
    }

    #[test]
    fn codes_are_one_or_a_range() {
        assert_eq!(parse_codes("403"), Ok(403..=403));
        assert_eq!(parse_codes("500..=599"), Ok(500..=599));
        assert!(["", "99", "1000", "4xx", "200..299"].map(parse_codes).iter().all(Result::is_err));
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
        for bad in ["timeout", "nothing=ok", "timeout=good", "=ok"] {
            assert!(parse_exception(bad).is_err(), "{bad}");
        }
    }
}
