//! Feeds libFuzzer's bytes to [`fleetfoot_fuzz::record`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fleetfoot_fuzz::record(data));
