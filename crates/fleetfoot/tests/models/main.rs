//! Planners and their parts against plain models of them, and against the truth. What every planner must do is in
//! `tests/kit`. One program: linking and the library's generic code take longer to compile than the tests do to run.

mod abstraction;
mod changing;
mod corners;
mod databases;
mod learners;
mod oracle;
mod p_lrta_ida_hill_climb;
mod parts;
mod ribs;
mod time_bounded;
