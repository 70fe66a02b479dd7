//! Compiles the grammars.
fn main() {}
