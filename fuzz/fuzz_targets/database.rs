//! Feeds libFuzzer's bytes to [`fleetfoot_fuzz::database`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fleetfoot_fuzz::database(data));
