//! Implements `linktrawl grammar`: lists the grammars, and prints their rules.

use std::io::{self, Write as _};

use linktrawl::internal::grammar::{GRAMMARS, Grammar, Rules};

use crate::args::grammar::{Ask, GrammarFlags};
use crate::args::values::list;

/// Runs the command of `flags`.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn run(flags: &GrammarFlags) -> anyhow::Result<()> {
    let text = match &flags.ask {
        Ask::List => all(),
        Ask::Show { grammar } => one(*grammar),
    };
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}

fn all() -> String {
    let name = |grammar: &dyn Grammar| match grammar.aliases() {
        [] => grammar.name().to_owned(),
        aliases => format!("{} ({})", grammar.name(), aliases.join(", ")),
    };
    let width = GRAMMARS.iter().map(|grammar| name(*grammar).len()).max().unwrap_or_default();
    let line = |grammar: &&dyn Grammar| {
        let starts = grammar.rules().starts;
        let states: usize = starts.iter().map(|start| start.states).sum();
        let (name, about) = (name(*grammar), grammar.about());
        let (count, rules) = (starts.len(), if starts.len() == 1 { "rule" } else { "rules" });
        format!("{name:width$}  {count:>2} {rules:5}  {states:>4} states  {about}\n")
    };
    GRAMMARS.iter().map(line).collect()
}

fn one(grammar: &dyn Grammar) -> String {
    let Rules { starts, files } = grammar.rules();
    let mut text = format!("{}: {}\n", grammar.name(), grammar.about());
    if !grammar.aliases().is_empty() {
        text += &format!("also called {}\n", grammar.aliases().join(", "));
    }
    if starts.is_empty() {
        return text + "\nno rules: this grammar is a machine of states, not an ABNF\n";
    }
    let width = starts.iter().map(|start| start.rule.len()).max().unwrap_or_default();
    text += "\nstart rules\n";
    for start in &starts {
        let scheme = if start.scheme.is_empty() { "other" } else { start.scheme };
        let (rule, spec) = (start.rule, start.spec);
        let (states, classes) = (start.states, start.classes);
        text += &format!(
            "  {scheme:8}  {rule:width$}  {states:>3} states  {classes:>2} classes  {spec}\n"
        );
    }
    if !grammar.repairs().is_empty() {
        text += "\nrepairs\n";
        text += &list(grammar.repairs().iter().map(|repair| (repair.id, repair.about)));
        text.push('\n');
    }
    for (name, rules) in files {
        text += &format!("\nrules of {name}\n\n{rules}");
    }
    text
}
