//! Precomputed databases and their planners: records against hill climbing, the index against a linear scan, kNN
//! LRTA* against a simple model.

mod knn;
