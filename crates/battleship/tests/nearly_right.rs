//! Nearly valid inputs: examples with a few changes, which get further into a reader than random
//! bytes do.

use std::time::{Duration, Instant};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestRunner;

/// Replacements of a word, a number or a sign: numbers at the limits of types, and values of other
/// types.
const VALUES: &str = r#"0 -0 -1 007 +1 11 255 65536 2147483648 4294967295 -2147483649 9223372036854775808 18446744073709551615
    18446744073709551616 1e400 1e-400 1.5 null true {} [] [null] "" "\u0000\u202e" "\ud800""#;

/// Bytes that mean something to a reader.
const BYTES: &[u8] = b"\0\n\r \\\"\x1b\xc3\xe2\xff";

/// The longest that a reader may take for one input, on a busy machine.
const SLOW: Duration = Duration::from_secs(20);

/// The most memory that this process may have had afterwards, in KiB: less than a reader takes that
/// believes a large number.
const MEMORY: u64 = 1 << 20;

/// Cuts a text where a change can begin or end.
type Cut = fn(&[u8]) -> Vec<&[u8]>;

const CUTS: [Cut; 4] = [
    |text| text.chunks(1).collect(),
    |text| {
        text.chunk_by(|one, next| is_of_word(*one) && is_of_word(*next))
            .collect()
    },
    // Members of JSON: without one of them it is JSON more often than not.
    |text| text.split_inclusive(|byte| *byte == b',').collect(),
    |text| text.split_inclusive(|byte| *byte == b'\n').collect(),
];

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-".contains(&byte)
}

/// One of `examples` with some changes: parts of it that are lost, are there twice, or are replaced
/// by a piece or by parts of another example.
fn nearly_right(examples: &[&[u8]]) -> impl Strategy<Value = Vec<u8>> + use<> {
    let examples: Vec<Vec<u8>> = examples.iter().map(|example| example.to_vec()).collect();
    let place = || (any::<Index>(), prop_oneof![3 => Just(1), 2 => 0..10_usize]);
    let long = [vec![b'['; 300], vec![b'9'; 5000]];
    let pieces = VALUES
        .split_whitespace()
        .map(str::as_bytes)
        .chain(BYTES.chunks(1));
    let pieces: Vec<Vec<u8>> = pieces.map(<[u8]>::to_vec).chain(long).collect();
    let change = (select(&CUTS[..]), place(), place(), select(pieces), 0..5);
    (
        select(examples.clone()),
        select(examples),
        vec(change, 1..5),
    )
        .prop_map(|(mut input, other, changes)| {
            for (cut, place, other_place, piece, kind) in changes {
                let within = |(from, length): (Index, usize), parts: &[&[u8]]| {
                    let from = from.index(parts.len() + 1);
                    from..(from + length).min(parts.len())
                };
                let (mut parts, others) = (cut(&input), cut(&other));
                let place = within(place, &parts);
                let new = match kind {
                    0 => Vec::new(),
                    1 => parts[place.clone()].repeat(2),
                    2 => others[within(other_place, &others)].to_vec(),
                    _ => vec![&piece[..]],
                };
                parts.splice(place, new);
                input = parts.concat();
            }
            input
        })
}

/// Calls `read` with `count` nearly valid inputs, or with as many as `PROPTEST_CASES` says.
///
/// # Panics
/// If `read` panics, takes long or much memory; the message has the smallest such input that was
/// found.
pub(crate) fn try_with(examples: &[&[u8]], count: u32, read: impl Fn(&[u8])) {
    let mut config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = count;
    }
    let tried = TestRunner::new(config).run(&nearly_right(examples), |input| {
        let began = Instant::now();
        read(&input);
        prop_assert!(began.elapsed() < SLOW, "it takes {:?}", began.elapsed());
        Ok(())
    });
    tried.unwrap_or_else(|error| panic!("{error}"));
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.split(' ').rev().nth(1));
    let peak = peak.map_or(0, |kib| kib.parse().expect("the kernel writes a number"));
    assert!(peak < MEMORY, "this process has had {peak} KiB of memory");
}
