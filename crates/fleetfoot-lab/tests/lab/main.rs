//! Tests the laboratory as users see it, in one program that is linked once.

mod folders;
mod running;
