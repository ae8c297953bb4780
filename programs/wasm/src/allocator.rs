//! The memory of the interpreter, which has a limit of its own.
//!
//! A module of some MiB can be of a shape for which the interpreter allocates a hundred times as
//! much before it runs the first instruction. No limit of the interpreter covers that.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use bothost::HostVerdict;

/// Number of bytes that are allocated.
static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

/// Number of bytes that may be.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Number of bytes that may be without the memory of the module.
static OWN_LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The allocator of the system. It ends a process that allocates more than its limit, by the
/// verdict that the module took too much memory.
#[derive(Debug)]
pub struct LimitedAllocator;

impl LimitedAllocator {
    /// Limits the bytes that this process may have allocated at a time besides the memory of the
    /// module.
    pub fn limit(bytes: usize) {
        OWN_LIMIT.store(bytes, Relaxed);
        LIMIT.store(bytes, Relaxed);
    }

    /// Allows as much more as a module needs that has `bytes` of memory.
    pub(crate) fn allow_memory(bytes: usize) {
        // A vector that grows may get twice its size.
        let own = OWN_LIMIT.load(Relaxed);
        LIMIT.fetch_max(own.saturating_add(bytes.saturating_mul(2)), Relaxed);
    }

    fn count(bytes: usize) {
        let allocated = ALLOCATED.fetch_add(bytes, Relaxed).saturating_add(bytes);
        let limit = LIMIT.load(Relaxed);
        // Only one thread ends the process, and its message needs memory.
        if allocated > limit && LIMIT.swap(usize::MAX, Relaxed) != usize::MAX {
            let verdict = HostVerdict::UsedTooMuch(format!(
                "made its interpreter take more than {} MiB besides its memory (is the module too large, or nested too deep?)",
                OWN_LIMIT.load(Relaxed) >> 20
            ));
            let _ = std::io::stderr().write_all(verdict.line().as_bytes());
            std::process::exit(1);
        }
    }
}

#[allow(unsafe_code, reason = "an allocator is unsafe to implement")]
// SAFETY: each call is passed on to the allocator of the system as it is.
unsafe impl GlobalAlloc for LimitedAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LimitedAllocator::count(layout.size());
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        LimitedAllocator::count(layout.size());
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The new size first, so that the count is never below 0.
        LimitedAllocator::count(size.saturating_sub(layout.size()));
        ALLOCATED.fetch_sub(layout.size().saturating_sub(size), Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATED.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}
