//! Feeds libFuzzer's bytes to [`fleetfoot_fuzz::fleet_record`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fleetfoot_fuzz::fleet_record(data));
