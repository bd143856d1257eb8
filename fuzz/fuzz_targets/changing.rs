//! Feeds libFuzzer's bytes to [`fleetfoot_fuzz::changing`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fleetfoot_fuzz::changing(data));
