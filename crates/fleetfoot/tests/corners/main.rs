//! The index of corners and the planner that searches it.

mod index;
mod paths;
mod planner;
