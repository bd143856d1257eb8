//! The simulator as its users see it: one program, so that it is linked once.

mod changing;
mod lives;
mod published_maps;
