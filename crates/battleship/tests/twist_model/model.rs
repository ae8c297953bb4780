//! A second, plain model of the rules of the twist: lists of coordinates.

use battleship::Direction;
use battleship::twist::OriginalQuirks;

pub(crate) type At = (i32, i32);

/// The rules' table: letter and size of each unit.
pub(crate) const UNITS: [(char, i32); 8] = [
    ('C', 5),
    ('C', 5),
    ('C', 5),
    ('S', 3),
    ('S', 3),
    ('S', 3),
    ('E', 1),
    ('E', 1),
];

/// A unit is the list of its parts from the bow on: where each is, and whether it is damaged.
pub(crate) type Parts = Vec<(At, bool)>;

pub(crate) fn parts(unit: usize, bow: At, direction: Direction) -> Parts {
    (0..UNITS[unit].1)
        .map(|step| match direction {
            Direction::Horizontal => ((bow.0, bow.1 + step), false),
            Direction::Vertical => ((bow.0 + step, bow.1), false),
        })
        .collect()
}

pub(crate) fn on_grid(at: At) -> bool {
    (0..12).contains(&at.0) && (0..12).contains(&at.1)
}

/// The model's result of a legal order.
#[derive(Debug, PartialEq)]
pub(crate) enum Told {
    Shot(bool),
    Repaired(Vec<usize>),
    Seen(Vec<At>, Vec<At>),
}

#[derive(Clone)]
pub(crate) struct Player {
    pub(crate) units: Vec<Parts>,
    pub(crate) marks: [[char; 12]; 12],
}

impl Player {
    pub(crate) fn unit_at(&self, at: At) -> Option<usize> {
        self.units
            .iter()
            .position(|unit| unit.iter().any(|(part, _)| *part == at))
    }

    pub(crate) fn moved(&self, unit: usize, target: At) -> Option<Parts> {
        let parts = &self.units[unit];
        let centre = parts[parts.len() / 2].0;
        let (down, right) = (target.0 - centre.0, target.1 - centre.1);
        let moved: Parts = parts
            .iter()
            .map(|((row, col), hurt)| ((row + down, col + right), *hurt))
            .collect();
        let free = |at: At| on_grid(at) && self.unit_at(at).is_none_or(|other| other == unit);
        moved.iter().all(|(at, _)| free(*at)).then_some(moved)
    }

    pub(crate) fn draw(&self) -> String {
        let numbers = "  1  2  3  4  5  6  7  8  9  10 11 12";
        let mut lines = vec![format!("{numbers}\t{numbers}")];
        for (row, letter) in (0..12).zip("ABCDEFGHILMN".chars()) {
            let own = |col| {
                self.unit_at((row, col)).map_or('~', |unit| {
                    let hurt = self.units[unit].contains(&((row, col), true));
                    if hurt {
                        UNITS[unit].0.to_ascii_lowercase()
                    } else {
                        UNITS[unit].0
                    }
                })
            };
            let half = |symbols: Vec<char>| {
                let symbols: String = symbols
                    .into_iter()
                    .flat_map(|symbol| [symbol, ' ', ' '])
                    .collect();
                format!("{letter} {symbols}{letter}")
            };
            let marks = self.marks[usize::try_from(row).unwrap()].to_vec();
            lines.push(format!(
                "{}\t{}",
                half((0..12).map(own).collect()),
                half(marks)
            ));
        }
        lines.push(format!("{numbers}\t{numbers}\n"));
        lines.join("\n")
    }
}

pub(crate) struct Model {
    pub(crate) players: [Player; 2],
    pub(crate) quirks: OriginalQuirks,
}

impl Model {
    pub(crate) fn act(&mut self, side: usize, origin: At, target: At) -> Option<Told> {
        if self
            .players
            .iter()
            .any(|player| player.units.iter().all(Vec::is_empty))
        {
            return None;
        }
        let unit = self.players[side].unit_at(origin)?;
        let parts = &self.players[side].units[unit];
        if parts[parts.len() / 2].0 != origin && !self.quirks.any_origin {
            return None;
        }
        let fires = UNITS[unit].0 == 'C';
        let told = if fires {
            Told::Shot(self.shoot(side, target))
        } else {
            let moved = self.players[side].moved(unit, target)?;
            self.players[side].units[unit] = moved;
            if UNITS[unit].0 == 'S' {
                self.repair(side, unit, target)
            } else {
                self.search(side, target)
            }
        };
        Some(told)
    }

    fn shoot(&mut self, side: usize, target: At) -> bool {
        let enemy = &mut self.players[1 - side];
        let struck = enemy.unit_at(target);
        if let Some(unit) = struck {
            for part in enemy.units[unit].iter_mut().filter(|part| part.0 == target) {
                part.1 = true;
            }
            if enemy.units[unit].iter().all(|part| part.1) {
                enemy.units[unit].clear();
            }
        }
        self.mark(side, target, if struck.is_some() { 'X' } else { 'O' });
        struck.is_some()
    }

    fn repair(&mut self, side: usize, support: usize, centre: At) -> Told {
        let self_repair = self.quirks.self_repair;
        let mut repaired = Vec::new();
        for (unit, parts) in self.players[side].units.iter_mut().enumerate() {
            let near = parts
                .iter()
                .any(|((row, col), _)| (row - centre.0).abs() <= 1 && (col - centre.1).abs() <= 1);
            if near && (unit != support || self_repair) && parts.iter().any(|part| part.1) {
                for part in parts.iter_mut() {
                    part.1 = false;
                }
                repaired.push(unit);
            }
        }
        Told::Repaired(repaired)
    }

    fn search(&mut self, side: usize, centre: At) -> Told {
        let (mut undamaged, mut damaged) = (Vec::new(), Vec::new());
        for down in -2..=2 {
            for right in -2..=2 {
                // The 17 cells: down and right, or up and left, or the centre.
                let diagonal = (down >= 0 && right >= 0) || (down <= 0 && right <= 0);
                let at = (centre.0 + down, centre.1 + right);
                let enemy = &self.players[1 - side];
                let Some(unit) = enemy
                    .unit_at(at)
                    .filter(|_| diagonal || !self.quirks.diagonal_sonar)
                else {
                    continue;
                };
                if enemy.units[unit].contains(&(at, true)) {
                    damaged.push(at);
                    self.mark(side, at, 'X');
                } else {
                    undamaged.push(at);
                    self.mark(side, at, 'Y');
                }
            }
        }
        Told::Seen(undamaged, damaged)
    }

    fn mark(&mut self, side: usize, at: At, mark: char) {
        let (row, col) = (
            usize::try_from(at.0).unwrap(),
            usize::try_from(at.1).unwrap(),
        );
        self.players[side].marks[row][col] = mark;
    }
}
