//! Runs the body `bzip2_block` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| linktrawl_fuzz::run("bzip2_block", bytes));
