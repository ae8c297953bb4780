//! Tries a reader with millions of inputs that are nearly valid. Random bytes rarely get past the first word of a format;
//! valid examples with a few changes get everywhere.
//!
//! A test tries as many as take a second or two. `MUTATIONS=1000000` in the environment is another number for each
//! reader, and `MUTATIONS_SEED=2` makes other changes.

pub mod corpus;
mod mutator;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

pub use mutator::Mutator;

/// The longest that a reader may take for one input; all of them are small.
const SLOW: Duration = Duration::from_secs(1);

/// After this time a reader hangs.
const HANGS: Duration = Duration::from_secs(60);

/// The most memory that a process may ever have had after this, in KiB: far more than a test needs, and far less than one
/// that allocates what a number in its input says.
const MEMORY: u64 = 1 << 20;

/// Calls `read` with `count` inputs, each made from one of `corpus`, or with as many as `MUTATIONS` says.
///
/// # Panics
/// If `read` panics, takes more than a second or much memory; the message has the input.
pub fn try_with(corpus: &[&[u8]], count: u64, read: impl Fn(&[u8])) {
    try_inputs(count, |mut mutator| mutator.input(corpus), read);
}

/// Calls `read` with `count` inputs of at most `longest` random bytes, or with as many as `MUTATIONS` says.
///
/// # Panics
/// As [`try_with`].
pub fn try_bytes(longest: usize, count: u64, read: impl Fn(&[u8])) {
    try_inputs(count, |mutator| mutator.bytes(longest), read);
}

fn try_inputs(count: u64, make: impl Fn(Mutator) -> Vec<u8>, read: impl Fn(&[u8])) {
    let count = number("MUTATIONS").unwrap_or(count);
    let seed = number("MUTATIONS_SEED").unwrap_or(1);
    let current = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let (alive, watch) = mpsc::channel();
        let shared = &current;
        // Ends with this function: its last message is that the sender is gone.
        scope.spawn(move || {
            let mut seen = None;
            while let Err(mpsc::RecvTimeoutError::Timeout) = watch.recv_timeout(HANGS) {
                let input = shared.lock().unwrap_or_else(PoisonError::into_inner).clone();
                if seen.as_ref() == Some(&input) {
                    complain(&format!("no end after {HANGS:?} with {}", shown(&input)));
                    std::process::abort();
                }
                seen = Some(input);
            }
        });
        let _alive: mpsc::Sender<()> = alive;
        for index in 0..count {
            let input = make(Mutator::new(seed, index));
            (*current.lock().unwrap_or_else(PoisonError::into_inner)).clone_from(&input);
            let tried = || timed(&read, &input, seed, index);
            let took = tried();
            // A busy machine may stop this process for a second, but hardly three times with the same input.
            let is_slow = took > SLOW && tried() > SLOW && tried() > SLOW;
            assert!(!is_slow, "{took:?} with input {index} of seed {seed}: {}", shown(&input));
        }
    });
    if let Some(peak) = peak_memory() {
        assert!(peak < MEMORY, "this process has had {peak} KiB of memory");
    }
}

fn timed(read: &impl Fn(&[u8]), input: &[u8], seed: u64, index: u64) -> Duration {
    let began = Instant::now();
    // The reader is done with then, so that it may be left half-way does no harm.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| read(input))) {
        complain(&format!("input {index} of seed {seed} makes it panic: {}", shown(input)));
        resume_unwind(panic);
    }
    began.elapsed()
}

/// Returns the beginning of an input, as Rust writes it. The whole one can be made again by its number.
fn shown(input: &[u8]) -> String {
    let (beginning, rest) = input.split_at(input.len().min(4000));
    let more = if rest.is_empty() { "" } else { "..." };
    format!("b\"{}\"{more}", beginning.escape_ascii())
}

#[allow(clippy::print_stderr, reason = "what a failed test has to say")]
fn complain(what: &str) {
    eprintln!("{what}");
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable}={text:?} is no number")))
}

/// Returns the most memory that this process has ever had, in KiB; `None` where the system does not say.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::collections::BTreeSet;

    use super::*;

    const CORPUS: [&[u8]; 2] = [b"{\"format\":\"x\",\"list\":[1,[2,3]]}\n", b"attack 1 2\n"];

    #[test]
    fn the_same_numbers_give_the_same_input_and_most_inputs_differ() {
        let input = |index| Mutator::new(1, index).input(&CORPUS);
        let inputs: BTreeSet<_> = (0..1000).map(input).collect();
        assert!(inputs.len() > 800, "{}", inputs.len());
        assert_eq!(input(7), input(7));
        assert_ne!(Mutator::new(2, 7).input(&CORPUS), input(7));
    }

    #[test]
    fn many_changed_lines_of_json_are_json_still() {
        let count = |index| {
            let input = Mutator::new(1, index).input(&CORPUS[..1]);
            usize::from(serde_json::from_slice::<serde_json::Value>(&input).is_ok())
        };
        let valid: usize = (0..1000).map(count).sum();
        assert!((150..900).contains(&valid), "{valid}");
    }

    #[test]
    fn a_panic_in_a_reader_is_found() {
        let (tried, last) = (Cell::new(0_u64), RefCell::new(Vec::new()));
        let found = catch_unwind(AssertUnwindSafe(|| {
            try_with(&CORPUS, 10_000, |input| {
                tried.set(tried.get() + 1);
                last.replace(input.to_owned());
                let text = String::from_utf8_lossy(input);
                assert!(!text.contains("18446744073709551615"), "too large");
            });
        }));
        assert!(found.is_err() && tried.get() > 1);
        assert!(String::from_utf8_lossy(&last.borrow()).contains("18446744073709551615"));
    }
}
