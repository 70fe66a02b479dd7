//! Any bytes as a configuration file, ours and lychee's: the program takes it, or refuses it.
//!
//! The program reads options, and not the library: under libFuzzer, `LINKTRAWL` names the program,
//! and coverage does not lead the search.

use std::fs;
use std::process::Command;

/// The exit code for a file that is refused.
const REFUSED: i32 = 2;

/// Runs one input.
pub(crate) fn run(bytes: &[u8]) {
    let built = option_env!("CARGO_BIN_EXE_linktrawl").map(str::to_owned);
    let Some(program) = built.or_else(|| std::env::var("LINKTRAWL").ok()) else { return };
    let home = tempfile::tempdir().expect("a directory");
    let words = [("linktrawl.toml", ["config", "check"]), ("lychee.toml", ["config", "import"])];
    for (name, words) in words {
        fs::write(home.path().join(name), bytes).expect("a file");
        let output = Command::new(&program).current_dir(home.path()).args(words).output();
        let output = output.expect("the program runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | REFUSED)), "{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
        fs::remove_file(home.path().join(name)).expect("it was there");
    }
}
