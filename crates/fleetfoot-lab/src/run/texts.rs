//! The texts about an environment in rows, made once for consecutive runs.

use std::sync::Arc;

use super::job::Job;
use crate::places::Place;

/// The texts of an environment.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) map: String,
    pub(super) world: String,
    pub(super) rules: String,
}

/// The environment of the last run.
#[derive(Debug, Default)]
pub(super) struct Texts(Option<(Arc<Place>, Written)>);

impl Texts {
    pub(super) fn of(&mut self, job: &Job) -> &Written {
        let place = &job.place;
        if self.0.as_ref().is_none_or(|(last, _)| !Arc::ptr_eq(last, place)) {
            self.0 = None;
        }
        let write = || {
            let (map, world) = (place.map.to_string(), place.scene.to_string());
            (Arc::clone(place), Written { map, world, rules: place.rules_text() })
        };
        &self.0.get_or_insert_with(write).1
    }
}
