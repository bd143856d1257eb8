//! Tests the simulator as users see it, in one program that is linked once.

mod changing;
mod lives;
mod published_maps;
