//! Runs the body `zstd_frames` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| linktrawl_fuzz::run("zstd_frames", bytes));
