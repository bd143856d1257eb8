//! Planners and building blocks against simple models and against reference results. The properties of all planners
//! are tested in `tests/kit`. One program, since linking and compiling the library's generic code take longer than
//! running the tests.

mod abstraction;
mod changing;
mod corners;
mod databases;
mod frit;
mod learners;
mod oracle;
mod p_lrta_ida_hill_climb;
mod parts;
mod ribs;
mod time_bounded;
