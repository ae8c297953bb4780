//! What the good player thinks, for those who want to learn from it.

use std::fmt::Write;

use battleship::Point;

use super::grid::index;
use super::shooter::{Choice, Method};
use super::sight::Sight;

/// The board before an attack at `choice`, in lines: `X` for a hit, `o` for a miss, else the percentage of the fleets
/// still possible that have a ship on the cell; and what the cells that were tried out are worth.
pub(super) fn explain(sight: &Sight, choice: &Choice) -> String {
    let Choice { point, chances, trials } = choice;
    let mut text = match chances.method {
        Method::Counted(total) => {
            format!("good: {total:.0} fleets, weighed, agree with what was seen")
        }
        Method::Sampled => "good: too many fleets to count; by a sample".to_owned(),
        Method::Alone => "good: no fleet found that agrees with what was seen".to_owned(),
    };
    let mut line = |words: std::fmt::Arguments<'_>| {
        text.write_fmt(words).expect("a string takes all that is written to it");
    };
    line(format_args!(". Chances to hit, in percent:\n  "));
    for col in 0..sight.cols {
        line(format_args!("{col:>4}"));
    }
    for row in 0..sight.rows {
        line(format_args!("\n{row} "));
        for col in 0..sight.cols {
            let point = Point::new(row, col);
            match (sight.hits.contains(point), sight.misses.contains(point)) {
                (true, _) => line(format_args!("   X")),
                (false, true) => line(format_args!("   o")),
                (false, false) => {
                    let percent = 100.0 * chances.cells[index(point)];
                    line(format_args!("{percent:>4.0}"));
                }
            }
        }
    }
    line(format_args!("\n"));
    for (point, attacks) in trials {
        line(format_args!("{point}: {attacks:.2} attacks to the end\n"));
    }
    let chance = 100.0 * chances.cells[index(*point)];
    line(format_args!("It attacks {point}, which hits in {chance:.1}%.\n\n"));
    text
}
