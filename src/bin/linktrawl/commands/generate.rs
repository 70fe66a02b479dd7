//! Prints texts generated from the tables: man pages, blocks of the guide.
//!
//! These texts are never written by hand elsewhere; a test compares the guide.

use std::io::{self, Write as _};

use clap::{Arg, Command, CommandFactory as _};
use clap_complete::Shell;
use linktrawl::internal::check::unwrap::GATEWAYS;
use linktrawl::internal::finding::{CLASSES, LINTS, Repairs};
use linktrawl::internal::grammar::normalize::RULE_SETS;
use linktrawl::internal::grammar::{self, GRAMMARS, Grammar};
use linktrawl::internal::report::REPORTS;
use linktrawl::internal::scheme::{Class, TABLE};
use linktrawl::internal::source::FORMATS;

use crate::args::Flags;
use crate::args::generate::{Generated, Requested, parts};
use crate::completions;
use crate::config::keys::Keys;
use crate::config::schema::schema;
use crate::config::trust;
use crate::help;

/// Prints the text `asked` for on standard output.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn run(asked: &Requested) -> anyhow::Result<()> {
    let text = match asked {
        Requested::Text(text) => print_text(*text)?,
        Requested::Page(name) => page_of(name)?,
        Requested::Topic(topic) => help::man_page(topic).into_bytes(),
    };
    let mut stdout = io::stdout().lock();
    stdout.write_all(&text)?;
    Ok(stdout.flush()?)
}

fn print_text(text: Generated) -> io::Result<Vec<u8>> {
    Ok(match text {
        Generated::Man => man_page()?,
        Generated::CompleteBash => completions::script(Shell::Bash).into_bytes(),
        Generated::CompleteZsh => completions::script(Shell::Zsh).into_bytes(),
        Generated::CompleteFish => completions::script(Shell::Fish).into_bytes(),
        Generated::CompletePowershell => completions::script(Shell::PowerShell).into_bytes(),
        Generated::CompleteElvish => completions::script(Shell::Elvish).into_bytes(),
        Generated::ConfigSchema => schema().into_bytes(),
        Generated::GuideSchemes => schemes().into_bytes(),
        Generated::GuideGrammars => grammars().into_bytes(),
        Generated::GuideVerdicts => verdicts().into_bytes(),
        Generated::GuideRules => rules().into_bytes(),
        Generated::GuideLints => lints().into_bytes(),
        Generated::GuideClasses => classes().into_bytes(),
        Generated::GuideFormats => formats().into_bytes(),
        Generated::GuideGateways => gateways().into_bytes(),
        Generated::GuideKinds => kinds().into_bytes(),
        Generated::GuideOptions => options().into_bytes(),
        Generated::GuideRefused => refused().into_bytes(),
    })
}

/// Returns one page for all subcommands, each with its options under a heading of its own.
fn man_page() -> io::Result<Vec<u8>> {
    let mut command = Flags::command();
    command.build();
    let page = clap_mangen::Man::new(command.clone());
    let mut out = Vec::new();
    page.render_title(&mut out)?;
    page.render_name_section(&mut out)?;
    page.render_synopsis_section(&mut out)?;
    page.render_description_section(&mut out)?;
    for part in parts(&command) {
        let section = clap_mangen::Man::new(part.clone());
        let mut roff = Vec::new();
        section.render_description_section(&mut roff)?;
        section.render_synopsis_section(&mut roff)?;
        section.render_options_section(&mut roff)?;
        section.render_extra_section(&mut roff)?;
        out.extend_from_slice(under_heading(part.get_name(), &roff).as_bytes());
    }
    page.render_extra_section(&mut out)?;
    append_see_also(&command, None, &mut out);
    Ok(with_named_extra(&out))
}

/// Returns the page `linktrawl-NAME` of the subcommand called `name`; empty if there is none.
fn page_of(name: &str) -> io::Result<Vec<u8>> {
    let mut command = Flags::command();
    command.build();
    let mut out = Vec::new();
    if let Some(part) = parts(&command).find(|part| part.get_name() == name) {
        let source = format!("linktrawl {}", env!("CARGO_PKG_VERSION"));
        let mut page = Vec::new();
        clap_mangen::Man::new(part.clone()).source(source).render(&mut page)?;
        out = without_inner_pages(part, &page);
        append_see_also(&command, Some(name), &mut out);
    }
    Ok(with_named_extra(&out))
}

/// Renames the subcommands of `part` in `roff`, which names a page for each: they have no pages.
fn without_inner_pages(part: &Command, roff: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(roff).into_owned();
    let name = part.get_name();
    let renamed = parts(part).map(Command::get_name).fold(text, |text, inner| {
        let page = format!("\nlinktrawl-{name}-{inner}(1)\n").replace('-', r"\-");
        text.replace(&page, &format!("\n\\fBlinktrawl {name} {inner}\\fR\n"))
    });
    renamed.into_bytes()
}

/// Appends the names of the pages of `command` and its subcommands, except `this`.
fn append_see_also(command: &Command, this: Option<&str>, out: &mut Vec<u8>) {
    let others = parts(command).map(Command::get_name).filter(|name| Some(*name) != this);
    let pages = others.map(|name| format!(r"\fBlinktrawl\-{name}\fR(1)"));
    let all = this.map(|_| r"\fBlinktrawl\fR(1)".to_owned());
    let names: Vec<_> = all.into_iter().chain(pages).collect();
    out.extend_from_slice(format!(".SH \"SEE ALSO\"\n{}\n", names.join(",\n")).as_bytes());
}

/// Renames the heading of clap's extra text in `roff`, and keeps the lines under it unfilled, until
/// the next heading.
fn with_named_extra(roff: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(roff);
    text.replace(".SH EXTRA\n", ".SH \"EXAMPLES AND EXIT CODES\"\n.nf\n")
        .replace(".SS EXTRA\n", ".SS \"EXAMPLES AND EXIT CODES\"\n.nf\n")
        .into_bytes()
}

/// Turns the section headings of `roff` into subheadings of one section called `name`.
fn under_heading(name: &str, roff: &[u8]) -> String {
    let subheadings = String::from_utf8_lossy(roff).replace("\n.SH ", "\n.SS ");
    let body = match subheadings.strip_prefix(".SH ") {
        Some(rest) => format!(".SS {rest}"),
        None => subheadings,
    };
    format!(".SH {}\n{body}", name.to_uppercase())
}

fn schemes() -> String {
    let rows = TABLE.iter().map(|scheme| {
        let form = match scheme.class {
            Class::Web => format!("`{}://host`", scheme.name),
            Class::Authority => format!("`{}://`", scheme.name),
            Class::Opaque(_) => format!("`{}:`", scheme.name),
        };
        let port = scheme.port.map(|port| port.to_string()).unwrap_or_default();
        [form, port, scheme.spec.to_owned()]
    });
    table(["Scheme", "Port", "Specification"], rows)
}

fn grammars() -> String {
    let rows = GRAMMARS.iter().map(|grammar| {
        let aliases: Vec<_> = grammar.aliases().iter().map(|name| format!("`{name}`")).collect();
        [format!("`{}`", grammar.name()), aliases.join(" "), grammar.about().to_owned()]
    });
    table(["Grammar", "Also called", "Document and start rule"], rows)
}

fn rules() -> String {
    let rows = RULE_SETS.iter().map(|rules| [format!("`{}`", rules.name), rules.about.to_owned()]);
    table(["Rules", "Document and normalisation"], rows)
}

fn lints() -> String {
    let rows = LINTS
        .iter()
        .map(|lint| [format!("`{}`", lint.id), lint.about.to_owned(), lint.spec.to_owned()]);
    table(["Lint", "Warns of", "Specification"], rows)
}

/// Texts that grammars disagree on, each for one reason.
const TELLING: [&str; 10] = [
    "http://info.cern.ch/~timbl/",
    "http://info.cern.ch/EMP?name=dobbins",
    "http://3com.com/a;b",
    "http://info.cern.ch/a b",
    "ftp://ds.internic.net/rfc;type=A",
    "gopher://gopher.micro.umn.edu/",
    "magic://a/b/c//d/e/f",
    "urn:/iana/dns/ch",
    "mailto:timbl",
    "http://例子.卷筒纸/",
];

/// Grammars from the oldest to the newest.
const TIMES: [&str; 7] =
    ["draft1993", "rfc1630", "rfc1738", "rfc3986", "rfc3987", "current", "whatwg"];

/// Returns a table of texts and grammars: `ok`, with the repairs that were needed, or the offset of
/// the first byte after which nothing could be valid.
fn verdicts() -> String {
    let grammars: Vec<_> = TIMES.iter().filter_map(|name| grammar::find(name)).collect();
    let word = |uri: &str, grammar: &dyn Grammar| match (
        grammar.read(uri.as_bytes(), Repairs::NONE),
        grammar.violations(uri.as_bytes()),
    ) {
        (Ok(_), Some(violations)) if !violations.is_empty() => "ok, violates".to_owned(),
        (Ok(repairs), _) => {
            let ids = repairs.iter().map(|repair| repair.id);
            ["ok"].into_iter().chain(ids).collect::<Vec<_>>().join(" ")
        }
        (Err(fault), _) => fault.at.map_or("no".to_owned(), |at| format!("byte {at}")),
    };
    let rows = TELLING.iter().map(|uri| {
        let mut cells = [const { String::new() }; TIMES.len() + 1];
        let words = grammars.iter().map(|grammar| word(uri, *grammar));
        let all = std::iter::once(format!("`{uri}`")).chain(words);
        cells.iter_mut().zip(all).for_each(|(cell, text)| *cell = text);
        cells
    });
    let mut head = [""; TIMES.len() + 1];
    head.iter_mut().zip(["URI"].iter().chain(&TIMES)).for_each(|(cell, name)| *cell = name);
    table(head, rows)
}

fn kinds() -> String {
    let rows = FORMATS.iter().map(|kind| {
        let suffixes = kind.suffixes().iter().map(|suffix| format!("`.{suffix}`"));
        let suffixes: Vec<_> = suffixes.collect();
        [format!("`{}`", kind.name), kind.about.to_owned(), suffixes.join(" ")]
    });
    table(["`--as`", "Contents", "Names end in"], rows)
}

fn classes() -> String {
    let rows = CLASSES.iter().map(|row| {
        [format!("`{}`", row.name), row.verdict.name().to_owned(), row.about.to_owned()]
    });
    table(["Class", "Verdict", "Meaning"], rows)
}

fn formats() -> String {
    let rows =
        REPORTS.iter().map(|report| [format!("`{}`", report.name()), report.about().to_owned()]);
    table(["Format", "Description"], rows)
}

fn gateways() -> String {
    let rows = GATEWAYS
        .iter()
        .map(|row| [format!("`{}`", row.name), row.about.to_owned(), format!("`{}`", row.form)]);
    table(["Gateway", "Product", "Form of its links"], rows)
}

fn options() -> String {
    let mut command = Flags::command();
    command.build();
    let tables = parts(&command).map(|part| {
        let is_check = part.get_name() == "check";
        let scan = command.find_subcommand("scan").filter(|_| is_check);
        let is_known = |arg: &Arg| {
            scan.is_some_and(|scan| {
                scan.get_arguments().any(|known| known.get_id() == arg.get_id())
            })
        };
        let shown = |arg: &&Arg| {
            !arg.is_hide_set() && !is_known(arg) && !matches!(arg.get_id().as_str(), "help")
        };
        let options = part.get_arguments().filter(shown).map(|arg| {
            let about = arg.get_help().map(ToString::to_string).unwrap_or_default();
            [format!("`{}`", usage(arg)), about]
        });
        let asks = parts(part).map(|ask| {
            let values: Vec<_> = ask.get_positionals().map(usage).collect();
            let about = ask.get_about().map(ToString::to_string).unwrap_or_default();
            [format!("`{}`", [&[ask.get_name().to_owned()], &values[..]].concat().join(" ")), about]
        });
        let name = part.get_name();
        let about =
            if is_check { "Effect (in addition to the options of `scan`)" } else { "Effect" };
        table([&format!("`linktrawl {name}`"), about], options.chain(asks))
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// Columns of a line of the guide.
const COLUMNS: usize = 118;

/// Returns the options that are refused from a configuration file that was found.
fn refused() -> String {
    let keys = Keys::new();
    let refused = keys.all().filter(|key| trust::refusal(*key).is_some());
    let mut names: Vec<_> = refused.map(|key| key.name).collect();
    names.sort_unstable();
    let (mut text, mut column) = (String::new(), 0);
    for (number, name) in names.iter().enumerate() {
        let end = if number + 1 < names.len() { "," } else { ".\n" };
        // With back quotes and the comma.
        let width = name.chars().count() + 3;
        let gap = match column {
            0 => "",
            _ if column + 1 + width > COLUMNS => "\n",
            _ => " ",
        };
        column = if gap == " " { column + 1 + width } else { width };
        text.push_str(&format!("{gap}`{name}`{end}"));
    }
    text
}

/// Formats the usage of `arg`: `-q, --quiet`, `--format NAME[=FILE]`, `--state [FILE]`, `PATH...`.
fn usage(arg: &Arg) -> String {
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    let names: Vec<_> = short.into_iter().chain(long).collect();
    let takes_value = arg.get_action().takes_values();
    let values = arg.get_value_names().filter(|names| takes_value && !names.is_empty());
    let value = values.map(|values| values.join(" "));
    match (names.join(", "), value) {
        (names, None) => names,
        (names, Some(value)) if names.is_empty() && is_one(arg) => value,
        (names, Some(value)) if names.is_empty() => format!("{value}..."),
        (names, Some(value)) if is_optional(arg) => format!("{names} [{value}]"),
        (names, Some(value)) => format!("{names} {value}"),
    }
}

/// Reports whether the option's value may be absent.
fn is_optional(arg: &Arg) -> bool {
    arg.get_num_args().is_some_and(|count| count.min_values() == 0)
}

/// Reports whether the option takes a single value, not a list.
fn is_one(arg: &Arg) -> bool {
    matches!(arg.get_action(), clap::ArgAction::Set)
}

/// Formats a table in Markdown; `|` in a cell is escaped.
fn table<const COLUMNS: usize>(
    head: [&str; COLUMNS],
    rows: impl Iterator<Item = [String; COLUMNS]>,
) -> String {
    let line = |cells: &[String; COLUMNS]| {
        let cells = cells.iter().map(|cell| cell.replace('|', r"\|"));
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let mut text = line(&head.map(str::to_owned));
    text.push_str(&format!("|{}\n", "---|".repeat(COLUMNS)));
    rows.for_each(|row| text.push_str(&line(&row)));
    text
}
