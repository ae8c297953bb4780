//! The thoughts of the good player, for those who want to learn from it.

use std::fmt::Write;

use battleship::drawing::draw;
use battleship::{CellSet, Labels};

use super::beliefs::Beliefs;
use super::cells::{index, real};
use super::shooter::{Basis, ChosenAttack, Shooter};

/// The ideas of the opponent that are told.
const IDEAS: usize = 3;
/// The trials that are told: of single cells there are no more.
const TRIALS: usize = 8;

/// The board before an attack at `choice`, in lines: `X` for a hit, `o` for a miss, else the
/// percentage of the fleets still possible that have a ship on the cell; what the cells that were
/// tried out are worth; and what is believed of the opponent.
pub(super) fn explain(shooter: &Shooter, choice: &ChosenAttack) -> String {
    let ChosenAttack {
        cells,
        chances,
        trials,
    } = choice;
    let sight = &shooter.sight;
    let mut text = match chances.basis {
        Basis::All(many) => format!("good: {many} fleets agree with what was seen"),
        Basis::Sample(many) => {
            format!("good: {many} fleets drawn from those that agree with what was seen")
        }
        Basis::Alone => "good: no fleet found that agrees with what was seen".to_owned(),
    };
    let mut line = |words: std::fmt::Arguments<'_>| {
        text.write_fmt(words)
            .expect("a string takes all that is written to it");
    };
    let size = [sight.rows, sight.cols];
    let grid = draw(Labels::Digits, size, 4, |point| {
        match (sight.hits.contains(point), sight.misses.contains(point)) {
            (true, _) => "X".to_owned(),
            (false, true) => "o".to_owned(),
            (false, false) => format!("{:.0}", 100.0 * chances.cells[index(point)]),
        }
    });
    line(format_args!(". Chances to hit, in percent:\n{grid}"));
    let list = |cells: &CellSet| {
        cells
            .iter()
            .map(|point| point.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let turns = if cells.len() == 1 {
        "attacks"
    } else {
        "salvos"
    };
    for (cells, many) in trials.iter().take(TRIALS) {
        line(format_args!(
            "{}: {many:.2} {turns} to the end\n",
            list(cells)
        ));
    }
    let believed = believed(shooter);
    if !believed.is_empty() {
        line(format_args!(
            "Believed of the opponent's fleet: {}.\n",
            believed.join("; ")
        ));
    }
    let hits: f64 = cells.iter().map(|point| chances.cells[index(point)]).sum();
    let cells = list(cells);
    if turns == "attacks" {
        line(format_args!(
            "It attacks {cells}, which hits in {:.1}%.\n\n",
            100.0 * hits
        ));
    } else {
        line(format_args!(
            "It fires at {cells}; {hits:.2} of these shots hit on average.\n\n"
        ));
    }
    text
}

/// The likeliest ideas of how the opponent placed this fleet, with their chances.
fn believed(shooter: &Shooter) -> Vec<String> {
    let parts = &shooter.mixture.parts;
    let Some(sample) = shooter.sample.as_ref().filter(|_| parts.len() > 1) else {
        return Vec::new();
    };
    let mut many: Vec<(usize, usize)> = parts.iter().map(|part| (0, part.idea)).collect();
    for fleet in 0..sample.len() {
        many[usize::from(sample.model(fleet))].0 += 1;
    }
    many.sort_unstable_by(|one, other| other.cmp(one));
    let likely = many.into_iter().take(IDEAS).filter(|(many, _)| *many > 0);
    let words = |(many, idea): (usize, usize)| {
        let percent = 100.0 * real(many) / real(sample.len());
        format!("{} {percent:.0}%", Beliefs::words(idea))
    };
    likely.map(words).collect()
}
