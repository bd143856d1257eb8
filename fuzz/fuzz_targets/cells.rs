//! Feeds libFuzzer's bytes to [`fleetfoot_fuzz::cells`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fleetfoot_fuzz::cells(data));
