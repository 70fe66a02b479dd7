//! Runs the body `xz_blocks` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| linktrawl_fuzz::run("xz_blocks", bytes));
