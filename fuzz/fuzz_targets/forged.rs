//! Feeds libFuzzer's bytes to [`fleetfoot_fuzz::forged`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fleetfoot_fuzz::forged(data));
