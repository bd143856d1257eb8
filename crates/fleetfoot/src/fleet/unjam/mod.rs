//! Rules for units that are stuck: penalties, one-way lanes, and joint searches for groups.

pub(crate) mod gate;
pub(crate) mod gather;
pub(crate) mod groups;
pub(crate) mod groups_save;
pub(crate) mod joint_search;
pub(crate) mod lanes;
pub(crate) mod lanes_save;
pub(crate) mod lists;
pub(crate) mod patch;
pub(crate) mod penalties;
pub(crate) mod progress;
