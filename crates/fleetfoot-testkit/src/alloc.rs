//! A global allocator that counts: what a step allocates, on the thread that takes it.
//!
//! ```text
//! #[global_allocator]
//! static ALLOCATOR: Counting = Counting;
//! let (answer, taken) = counted(|| planner.step(cx));
//! assert_eq!(taken, Taken::NOTHING);
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

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
}

impl Taken {
    /// Nothing at all.
    pub const NOTHING: Self = Self { calls: 0, bytes: 0 };
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

fn note(bytes: usize) {
    // A thread that is being torn down has no count any more.
    let _ = COUNT.try_with(|count| {
        if let Some(taken) = count.get() {
            count.set(Some(Taken { calls: taken.calls + 1, bytes: taken.bytes + bytes as u64 }));
        }
    });
}

#[expect(unsafe_code, reason = "an allocator is an unsafe trait; this one only counts and passes on")]
// SAFETY: every call is handed unchanged to the system's allocator, whose contract is the same.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: see above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: see above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        // SAFETY: see above.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: see above.
        unsafe { System.dealloc(block, layout) }
    }
}
