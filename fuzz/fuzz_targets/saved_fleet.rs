//! Feeds libFuzzer's bytes to [`fleetfoot_fuzz::saved_fleet`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fleetfoot_fuzz::saved_fleet(data));
