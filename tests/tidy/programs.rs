//! Limits the number of test programs, and requires that each file of tests is in one of them: if
//! no `mod` leads to a file, its tests are never run.

use std::collections::BTreeSet;

use proc_macro2::TokenTree;

use super::File;
use super::tokens::{ident, is_punct};

/// Programs of tests: each is linked with everything there is, which takes longer than its tests.
const PROGRAMS_MAX: usize = 10;
/// Packages of their own, which are built as such.
const PACKAGES: [&str; 2] = ["tests/embed/", "tests/fuzz/"];
/// The folder of code that tests share, and the module that each program has for it.
const SUPPORT: &str = "support";

pub(crate) fn tests_are_in_few_programs(files: &[File]) -> Vec<String> {
    let is_test = |file: &&File| file.path.starts_with("tests/") && file.is_rust();
    let is_ours = |file: &&File| !PACKAGES.iter().any(|package| file.path.starts_with(package));
    let tests = files.iter().filter(is_test).filter(is_ours);
    let (programs, modules): (Vec<&File>, Vec<&File>) = tests.partition(|file| is_program(file));
    let named: BTreeSet<String> =
        programs.iter().chain(&modules).flat_map(|file| submodules(file)).collect();
    let lost = modules.iter().filter(|file| !named.contains(&file.path));
    let lost = lost.map(|file| file.complain(1, "no `mod` leads to this file of tests"));
    let count = programs.len();
    let many = (count > PROGRAMS_MAX).then(|| format!("tests/: {count} programs are linked"));
    lost.chain(many).collect()
}

/// Reports whether cargo makes a program of the file by itself.
fn is_program(file: &File) -> bool {
    match file.path.split('/').collect::<Vec<_>>()[..] {
        [_, _] => true,
        [_, _, name] => name == "main.rs",
        _ => false,
    }
}

/// Returns the paths that the modules of `file` have.
fn submodules(file: &File) -> Vec<String> {
    let own = file.path.strip_suffix("/main.rs").or(file.path.strip_suffix(".rs"));
    let trees: Vec<TokenTree> = file.tokens().into_iter().flatten().collect();
    let mut paths = Vec::new();
    collect(&trees, own.unwrap_or_default(), &mut paths);
    paths
}

/// Appends the path of each `mod name;` in `trees`, and in the modules within them.
fn collect(trees: &[TokenTree], folder: &str, paths: &mut Vec<String>) {
    for window in trees.windows(3) {
        let [word, name, end] = window else { continue };
        if ident(Some(word)).as_deref() != Some("mod") {
            continue;
        }
        let Some(name) = ident(Some(name)) else { continue };
        if is_punct(Some(end), ';') {
            paths.push(format!("{folder}/{name}.rs"));
        } else if let TokenTree::Group(group) = end {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            let shared = (name == SUPPORT).then(|| format!("tests/{SUPPORT}"));
            collect(&inside, &shared.unwrap_or(format!("{folder}/{name}")), paths);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::File;
    use super::{PROGRAMS_MAX, tests_are_in_few_programs};

    #[test]
    fn a_file_of_tests_that_no_program_has_is_seen() {
        let main = "#[path = \"../support\"] mod support { mod a; mod b { mod c; } } mod x;";
        let files = [
            File::new("tests/m/main.rs", main),
            File::new("tests/m/x.rs", "mod z;"),
            File::new("tests/m/x/z.rs", ""),
            File::new("tests/m/y.rs", "mod main; // mod y;"),
            File::new("tests/support/a.rs", ""),
            File::new("tests/support/b/c.rs", ""),
            File::new("tests/support/d.rs", ""),
            File::new("tests/fuzz/lib.rs", ""),
        ];
        let lost = ["tests/m/y.rs", "tests/support/d.rs"];
        let expected = lost.map(|path| format!("{path}:1: no `mod` leads to this file of tests"));
        assert_eq!(tests_are_in_few_programs(&files), expected);
    }

    #[test]
    fn too_many_programs_are_seen() {
        let program = |number: usize| match number % 2 {
            0 => File::new(&format!("tests/p{number}.rs"), ""),
            _ => File::new(&format!("tests/p{number}/main.rs"), ""),
        };
        let mut files: Vec<File> = (0..PROGRAMS_MAX).map(program).collect();
        assert_eq!(tests_are_in_few_programs(&files), [""; 0]);
        files.push(program(PROGRAMS_MAX));
        assert_eq!(tests_are_in_few_programs(&files), ["tests/: 11 programs are linked"]);
    }
}
