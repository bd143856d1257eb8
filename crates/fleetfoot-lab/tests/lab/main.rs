//! The laboratory as its users see it: one program, so that it is linked once.

mod folders;
mod running;
