//! A counting global allocator: measures what a step allocates on its thread, and what a planner holds.
//!
//! ```text
//! #[global_allocator]
//! static ALLOCATOR: Counting = Counting;
//! let (answer, taken) = counted(|| planner.step(cx));
//! assert_eq!(taken, Taken::NOTHING);
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::AddAssign;

/// The system allocator, with a counter per thread.
#[derive(Clone, Copy, Debug)]
pub struct Counting;

/// Allocations during a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Number of calls that allocated or grew memory.
    pub calls: u64,
    /// Number of bytes requested.
    pub bytes: u64,
    /// Number of bytes freed.
    pub returned: u64,
}

impl Taken {
    /// No allocations.
    pub const NOTHING: Self = Self { calls: 0, bytes: 0, returned: 0 };
}

impl AddAssign for Taken {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.bytes += other.bytes;
        self.returned += other.returned;
    }
}

thread_local! {
    /// `None` if not counting, otherwise the counts so far.
    static COUNT: Cell<Option<Taken>> = const { Cell::new(None) };
}

/// Runs `act` and returns its result with its allocations on this thread. Requires [`Counting`] as the global
/// allocator.
pub fn counted<T>(act: impl FnOnce() -> T) -> (T, Taken) {
    COUNT.set(Some(Taken::NOTHING));
    let result = act();
    (result, COUNT.take().unwrap_or_default())
}

/// Returns `true` if [`Counting`] is the global allocator of this program.
pub fn is_counting() -> bool {
    counted(|| std::hint::black_box(Box::new(0_u8))).1.calls > 0
}

fn note(taken: usize, returned: usize) {
    // A thread that is being destroyed has no counter.
    let _ = COUNT.try_with(|count| {
        if let Some(all) = count.get() {
            count.set(Some(Taken {
                calls: all.calls + u64::from(taken > 0),
                bytes: all.bytes + taken as u64,
                returned: all.returned + returned as u64,
            }));
        }
    });
}

#[expect(unsafe_code, reason = "an allocator is an unsafe trait; this one only counts and passes on")]
// SAFETY: every call is passed unchanged to the system allocator, which has the same contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size(), 0);
        // SAFETY: see above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size(), 0);
        // SAFETY: see above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size, layout.size());
        // SAFETY: see above.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        note(0, layout.size());
        // SAFETY: see above.
        unsafe { System.dealloc(block, layout) }
    }
}
