//! Many independent jobs on some threads, with results in the order of the jobs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does the jobs 0 to `count` - 1, each with the memory of the thread that takes it, and returns their results
/// in order.
///
/// Jobs are taken in order and none is begun after one has failed. So all jobs before a failed one are done,
/// and the first failure is the same however many threads there are.
pub(crate) fn parallel<M, T: Send, E: Send>(
    count: usize,
    threads: usize,
    memory: impl Fn() -> M + Sync,
    job: impl Fn(&mut M, usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(count));
    let work = || {
        let mut memory = memory();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return;
            }
            let result = job(&mut memory, index);
            if result.is_err() {
                next.store(count, Ordering::Relaxed);
            }
            done.lock().expect("no job panics").push((index, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(count) {
            scope.spawn(work);
        }
        work();
    });
    let mut done = done.into_inner().expect("no job panics");
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// As many threads as the machine has cores for us.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        for threads in [1, 2, 7] {
            let squares = parallel(100, threads, || (), |(), k| Ok::<_, ()>(k * k)).unwrap();
            assert!(squares.iter().enumerate().all(|(k, square)| k * k == *square));
            assert_eq!(squares.len(), 100);
        }
        assert_eq!(parallel(0, 3, || (), |(), _| Ok::<_, ()>(())), Ok(vec![]));
    }

    #[test]
    fn the_first_failure_counts() {
        for threads in [1, 2, 7] {
            let failed = parallel(1000, threads, || (), |(), k| if k % 100 == 42 { Err(k) } else { Ok(k) });
            assert_eq!(failed, Err(42));
        }
    }
}
