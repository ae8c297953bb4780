//! The exact count of all fleets that agree with what was seen.
//!
//! A standard board has 30,093,975,536 fleets, far too many to list at each move. Three ideas make the count quick. Ships
//! that cannot be told apart are counted as one class. Hits are few, so the ways to cover them are searched one by one,
//! and only the ships on no hit are counted in bulk. Of these, the last two or three are counted together by the sums of
//! [`super::tail`], without a look at their pairs.

use battleship::CellSet;

use super::super::cells::real;
use super::super::sight::Sight;
use super::class::{Candidate, Class};
use super::lines::{Lines, Shadow, ShipLine};
use super::posterior::Posterior;
use super::prior::Prior;
use super::tail::{Free, pairs, triples};

/// Takes away all places of ships of `length` that share a cell with the ship of `other_length` at `line`.
fn clear_around(lines: &mut Lines, length: usize, line: ShipLine, other_length: usize) {
    let ShipLine { way, along, across } = line;
    // In the same direction, a ship meets the line if it begins on it, or up to its own length before it.
    let first = (along + 1).saturating_sub(length);
    for row in &mut lines.ways[way].0[first..along + other_length] {
        row[across] = 0.0;
    }
    // Across it, a ship meets the line if it reaches its row and begins in one of its columns.
    let first = (across + 1).saturating_sub(length);
    for row in &mut lines.ways[1 - way].0[first..=across] {
        row[along..along + other_length].fill(0.0);
    }
}

/// Counts all fleets that agree with `sight`, under `prior`.
pub(super) fn count(sight: &Sight, prior: &Prior) -> Posterior {
    let mut counter = Counter::new(sight, prior);
    let left: Vec<usize> = counter
        .classes
        .iter()
        .map(|class| class.ships.len())
        .collect();
    let total = counter.sunk(0, &left, &[], CellSet::EMPTY, 1.0);
    let Counter { classes, sums, .. } = counter;
    Posterior::new(total, classes, sums)
}

/// A search through all ways to cover the hits. Only then are the ships that lie on no hit counted.
struct Counter {
    classes: Vec<Class>,
    /// The indices of the classes of sunk ships.
    wrecks: Vec<usize>,
    hits: CellSet,
    sums: Vec<Lines>,
}

impl Counter {
    fn new(sight: &Sight, prior: &Prior) -> Counter {
        let mut classes: Vec<Class> = Vec::new();
        let mut tables: Vec<Option<usize>> = Vec::new();
        let mut wrecks = Vec::new();
        for (ship, (length, table)) in prior.ships.iter().enumerate() {
            let wreck = sight.wrecks[ship];
            // A sunk ship lies where its last hit was, so it is told apart from the others of its length.
            let same = |(class, of): (&Class, &Option<usize>)| {
                wreck.is_none() && class.length == *length && *of == Some(*table)
            };
            if let Some(class) = classes.iter().zip(&tables).position(same) {
                classes[class].ships.push(ship);
                continue;
            }
            let (free, on_hits) = (Lines::ZERO, Vec::new());
            let mut class = Class {
                length: *length,
                ships: vec![ship],
                free,
                on_hits,
            };
            for (line, weight) in prior.tables[*table].nonzero() {
                let cells = line.cells(*length);
                if !sight.allows(ship, cells) {
                    continue;
                }
                // The places on hits are few and are tried one by one; the others are many and are only summed up.
                if (cells & sight.hits).is_empty() {
                    class.free.set(line, weight);
                } else {
                    class.on_hits.push(Candidate {
                        line,
                        cells,
                        weight,
                    });
                }
            }
            if wreck.is_some() {
                wrecks.push(classes.len());
            }
            tables.push(wreck.is_none().then_some(*table));
            classes.push(class);
        }
        let sums = vec![Lines::ZERO; classes.len()];
        Counter {
            classes,
            wrecks,
            hits: sight.hits,
            sums,
        }
    }

    /// Places the sunk ships from the `index`th on, in all ways.
    fn sunk(
        &mut self,
        index: usize,
        left: &[usize],
        placed: &[(usize, ShipLine)],
        taken: CellSet,
        scale: f64,
    ) -> f64 {
        let Some(&class) = self.wrecks.get(index) else {
            return self.cover(left, placed, taken, self.hits - taken, scale);
        };
        // Sunk ships go first: their places are few, and each leaves fewer hits for the others to explain.
        self.place(class, left, placed, |counter, left, placed, candidate| {
            if !(candidate.cells & taken).is_empty() {
                return 0.0;
            }
            let taken = taken | candidate.cells;
            counter.sunk(index + 1, left, placed, taken, scale * candidate.weight)
        })
    }

    /// Covers the hits in `open` by ships afloat, in all ways: the ship on the first of them, then the rest.
    fn cover(
        &mut self,
        left: &[usize],
        placed: &[(usize, ShipLine)],
        taken: CellSet,
        open: CellSet,
        scale: f64,
    ) -> f64 {
        let Some(first) = open.first() else {
            return self.open_water(left, placed, scale);
        };
        // Exactly one ship lies on the first hit. So every fleet is found once, and in one order only.
        let mut total = 0.0;
        for class in 0..left.len() {
            if left[class] == 0 {
                continue;
            }
            // Each of the ships left in the class could be the one. They are alike, so one is tried and counts for all.
            let scale = scale * real(left[class]);
            total += self.place(class, left, placed, |counter, left, placed, candidate| {
                let Candidate { cells, weight, .. } = *candidate;
                if !cells.contains(first) || !(cells & taken).is_empty() {
                    return 0.0;
                }
                counter.cover(left, placed, taken | cells, open - cells, scale * weight)
            });
        }
        total
    }

    /// Puts a ship of `class` on each of its places on hits. `then` says what the fleets with it there weigh, given
    /// what is left and placed with it.
    fn place(
        &mut self,
        class: usize,
        left: &[usize],
        placed: &[(usize, ShipLine)],
        then: impl Fn(&mut Counter, &[usize], &[(usize, ShipLine)], &Candidate) -> f64,
    ) -> f64 {
        let mut left = left.to_vec();
        left[class] -= 1;
        let mut placed = placed.to_vec();
        let mut total = 0.0;
        for index in 0..self.classes[class].on_hits.len() {
            let candidate = self.classes[class].on_hits[index];
            placed.push((class, candidate.line));
            let sum = then(self, &left, &placed, &candidate);
            placed.pop();
            // All fleets found below have a ship of the class here.
            self.sums[class].add(candidate.line, sum);
            total += sum;
        }
        total
    }

    /// Counts the ships that are left, where they lie on no cell attacked so far.
    fn open_water(&mut self, left: &[usize], placed: &[(usize, ShipLine)], scale: f64) -> f64 {
        let mut order: Vec<usize> = Vec::with_capacity(8);
        for (class, many) in left.iter().enumerate() {
            order.extend(std::iter::repeat_n(class, *many));
        }
        // The longest ships have the fewest places: they go first. The shortest are counted together.
        order.sort_by_key(|class| std::cmp::Reverse((self.classes[*class].length, *class)));
        // Ships on hits reach into the open water and take places from those that lie there.
        let mut fields = vec![None; left.len()];
        for &class in &order {
            if fields[class].is_none() {
                let Class { length, free, .. } = &self.classes[class];
                let mut field = Field {
                    class,
                    length: *length,
                    free: free.clone(),
                };
                for (other, line) in placed {
                    field.clear(*line, self.classes[*other].length);
                }
                fields[class] = Some(field);
            }
        }
        // From here on ships name their field by its place among those that are needed, so that few are copied below.
        let number = |class: &usize| fields[..*class].iter().flatten().count();
        let order: Vec<usize> = order.iter().map(number).collect();
        let fields: Vec<Field> = fields.into_iter().flatten().collect();
        self.rest(&fields, &order, scale)
    }

    /// Counts the ships in `order`, all of them in open water.
    fn rest(&mut self, fields: &[Field], order: &[usize], scale: f64) -> f64 {
        let singly = order.len() - together(order, |field| fields[field].length);
        if let ([first, ..], true) = (order, singly > 0) {
            let field = &fields[*first];
            let mut total = 0.0;
            let mut cleared = fields.to_vec();
            for (line, weight) in field.free.nonzero() {
                // `clone_from` keeps the buffers: this loop runs some 16,000 times on a blank board.
                for (to, from) in cleared.iter_mut().zip(fields) {
                    to.free.clone_from(&from.free);
                    to.clear(line, field.length);
                }
                let sum = self.rest(&cleared, &order[1..], scale * weight);
                self.sums[field.class].add(line, sum);
                total += sum;
            }
            return total;
        }
        match *order {
            [] => scale,
            [a] => {
                let a = &fields[a];
                self.sums[a.class].add_scaled(scale, &a.free);
                scale * a.free.sum()
            }
            [a, b] => self.pair(&fields[a], &fields[b], scale),
            [a, b, c, ..] => self.triple(&fields[a], &fields[b], &fields[c], scale),
        }
    }

    fn pair(&mut self, a: &Field, b: &Field, scale: f64) -> f64 {
        let by_a = pairs(a.as_free(), &Shadow::cast(&b.free, b.length), b.free.sum());
        self.sums[a.class].add_scaled(scale, &by_a);
        if a.class == b.class {
            // Each pair is met twice, with its ships swapped: once from either ship.
            self.sums[a.class].add_scaled(scale, &by_a);
        } else {
            let by_b = pairs(b.as_free(), &Shadow::cast(&a.free, a.length), a.free.sum());
            self.sums[b.class].add_scaled(scale, &by_b);
        }
        scale * by_a.sum()
    }

    fn triple(&mut self, a: &Field, b: &Field, c: &Field, scale: f64) -> f64 {
        let other = (a.class != b.class).then(|| b.as_free());
        let counts = triples(a.as_free(), other, c.as_free());
        self.sums[a.class].add_scaled(scale, &counts.a);
        self.sums[b.class].add_scaled(scale, counts.b.as_ref().unwrap_or(&counts.a));
        self.sums[c.class].add_scaled(scale, &counts.c);
        scale * counts.total
    }
}

/// Returns how many of the ships in `order` are counted together, at its end: three if the last has one or two cells, else two.
fn together(order: &[usize], length: impl Fn(usize) -> usize) -> usize {
    match order {
        // The sum for three needs a last ship that can lie on two others only by an edge between them: one of at most two
        // cells.
        [.., last] if length(*last) <= 2 => order.len().min(3),
        _ => order.len().min(2),
    }
}

/// The possible places of the ships of a class in open water.
#[derive(Clone, Debug)]
struct Field {
    class: usize,
    length: usize,
    free: Lines,
}

impl Field {
    const fn as_free(&self) -> Free<'_> {
        Free {
            length: self.length,
            lines: &self.free,
        }
    }

    /// A ship of `other_length` lies at `line`.
    fn clear(&mut self, line: ShipLine, other_length: usize) {
        clear_around(&mut self.free, self.length, line, other_length);
    }
}
