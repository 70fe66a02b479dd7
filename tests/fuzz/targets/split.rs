//! Runs the body `split` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| linktrawl_fuzz::run("split", bytes));
