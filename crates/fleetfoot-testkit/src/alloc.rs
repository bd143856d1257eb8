//! A global allocator that counts: what a step allocates, on the thread that takes it, and what a planner holds.
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

/// The system's allocator, with a count per thread.
#[derive(Clone, Copy, Debug)]
pub struct Counting;

/// What was taken from the allocator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Calls that took memory, or more of it.
    pub calls: u64,
    /// Bytes asked for.
    pub bytes: u64,
    /// Bytes given back.
    pub returned: u64,
}

impl Taken {
    /// Nothing at all.
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
    /// Not counting, or what has been taken since.
    static COUNT: Cell<Option<Taken>> = const { Cell::new(None) };
}

/// Does something and tells what it has taken on this thread. Needs [`Counting`] as the global allocator.
pub fn counted<T>(act: impl FnOnce() -> T) -> (T, Taken) {
    COUNT.set(Some(Taken::NOTHING));
    let result = act();
    (result, COUNT.take().unwrap_or_default())
}

/// Whether [`Counting`] is the global allocator of this program.
pub fn is_counting() -> bool {
    counted(|| std::hint::black_box(Box::new(0_u8))).1.calls > 0
}

fn note(taken: usize, returned: usize) {
    // A thread that is being torn down has no count any more.
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
// SAFETY: every call is handed unchanged to the system's allocator, whose contract is the same.
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
