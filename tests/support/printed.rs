//! Runs `linktrawl --generate`.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use super::home;

/// Returns the output of `linktrawl --generate what`.
#[track_caller]
pub(crate) fn generate(what: &str) -> String {
    let mut command = home::linktrawl();
    let output = command.args(["--generate", what]).output().expect("the binary runs");
    assert!(output.status.success(), "--generate {what}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}
