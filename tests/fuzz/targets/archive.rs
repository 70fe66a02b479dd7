//! Runs the body `archive` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| linktrawl_fuzz::run("archive", bytes));
