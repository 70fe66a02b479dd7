//! The linktrawl binary.
fn main() {}
