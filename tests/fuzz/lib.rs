//! The bodies of the fuzz targets, by name, for the programs in `targets`.

#[expect(dead_code, reason = "the tests of linktrawl use the seeds and the costs")]
mod bodies;

/// Runs one input of the target called `name`.
pub fn run(name: &str, bytes: &[u8]) {
    let target = bodies::TARGETS.iter().find(|target| target.name == name);
    (target.expect("a row of TARGETS").run)(bytes);
}
