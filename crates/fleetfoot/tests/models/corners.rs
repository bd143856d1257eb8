//! The index of corners against one made anew, and paths among them against Dijkstra.

mod index;
mod paths;
mod planner;
