//! What is computed beforehand, and the planners that use it: records against hill
//! climbing, the index against a linear scan, kNN LRTA* against the plainest model of it.

#[path = "databases/knn.rs"]
mod knn;
