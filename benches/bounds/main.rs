//! The proof of bounds on the mean number of attacks for a fleet that may lie anywhere: `cargo bench --bench bounds`. It counts
//! all placements of the larger ships, which takes a minute or two.

mod argument;

use std::io::{self, Write};

use argument::{Bound, Waters, bounds};

const FORMS: [&str; 3] = [
    "four ships are told, a cell lies in four places",
    "... and not every cell does",
    "... and the other ships are unknown too",
];

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "attacks that a shooter needs at least, in the mean over all fleets"
    )?;
    let waters = Waters {
        rows: 10,
        cols: 10,
        ships: &[5, 4, 3, 3, 2],
    };
    for (form, bound) in FORMS.into_iter().zip(bounds(&waters)) {
        let [over, under] = attacks(bound);
        writeln!(
            out,
            "  {form:50}{}  = {over} / {under}",
            decimal(over, under)
        )?;
        let Bound { fleets, misses } = bound;
        writeln!(out, "    {misses} misses for {fleets} fleets")?;
    }
    Ok(())
}

/// The mean number of attacks, 17 of them hits, as a fraction in lowest terms.
fn attacks(bound: Bound) -> [u64; 2] {
    let over = 17 * bound.fleets + bound.misses;
    let (mut one, mut other) = (over, bound.fleets);
    while other > 0 {
        (one, other) = (other, one % other);
    }
    [over / one, bound.fleets / one]
}

/// Six digits behind the point, rounded down.
fn decimal(over: u64, under: u64) -> String {
    let millionths = u128::from(over) * 1_000_000 / u128::from(under);
    format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000)
}
