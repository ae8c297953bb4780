//! The last two or three ships of a fleet, counted without looking at their pairs.
//!
//! How many places of ship B are free of a place `a` of ship A? All of B's, without the shadow of B on `a`. So the
//! pairs of two ships are counted place by place of one of them. For three ships A, B, C, and a place `a`,
//!
//! ```text
//! triples with a = sum over b apart from a of (C - shadow(C, a) - shadow(C, b) + C on both a and b)
//! ```
//!
//! The first two terms are products of shadows, the third is the shadow of B on `a`, each b weighted with the shadow of C
//! on it. The last is easy if C has at most two cells: C lies on both only as an edge between a cell x of `a` and a
//! neighbour y of it; the b there are those that cover y, without those that cover x and y.

use super::grid::{Grid, Row, SIZE, Sums, add, subtract, times};
use super::lines::{Lines, Shadow};

/// A ship that can still be anywhere: its length, and the weight of each of its places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free<'l> {
    pub(super) length: usize,
    pub(super) lines: &'l Lines,
}

/// The weights of all arrangements of two or three ships, by the places of each of them.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    /// The sum over all arrangements.
    pub(super) total: f64,
    pub(super) a: Lines,
    /// `None` if B is the same as A.
    pub(super) b: Option<Lines>,
    pub(super) c: Lines,
}

/// For each place of A, `lines` of it times what `of` gives for the ship's direction and the row that it begins on.
fn weighted(lines: &Lines, of: impl Fn(usize, usize) -> Row) -> Lines {
    let mut result = Lines::ZERO;
    for way in 0..2 {
        for along in 0..SIZE {
            result.ways[way][along] = times(of(way, along), &lines.ways[way][along]);
        }
    }
    result
}

/// `value` without `shadow`, number by number.
fn without(value: f64, shadow: Row) -> Row {
    shadow.map(|shadow| value - shadow)
}

/// The weights of the pairs of A and B that share no cell, by the places of A.
pub(super) fn pairs(a: Free<'_>, b: &Shadow, b_sum: f64) -> Lines {
    weighted(a.lines, |way, along| {
        without(b_sum, b.on(way, along, a.length))
    })
}

/// The figures about A and B that the count of three ships needs.
struct Partner<'l> {
    ship: Free<'l>,
    sum: f64,
    /// By direction: how much of the ship covers each cell in that direction.
    covered: [Grid; 2],
    shadow: Shadow,
    /// The shadow of the ship, each place weighted with the shadow of C on it.
    through_c: Shadow,
    through_c_sum: f64,
}

impl<'l> Partner<'l> {
    fn new(ship: Free<'l>, c: &Shadow) -> Partner<'l> {
        let covered = [
            ship.lines.ways[0].covered(ship.length),
            ship.lines.ways[1].covered(ship.length),
        ];
        let shadow = Shadow::of(ship.lines, ship.length, &covered);
        let on_c = weighted(ship.lines, |way, along| c.on(way, along, ship.length));
        Partner {
            ship,
            sum: ship.lines.sum(),
            covered,
            shadow,
            through_c: Shadow::cast(&on_c, ship.length),
            through_c_sum: on_c.sum(),
        }
    }

    /// Returns the part of the ship that covers each cell, in the layout of each direction.
    fn on_cells(&self) -> [Grid; 2] {
        let mut cells = self.covered.clone();
        cells[0].add_scaled(1.0, &self.covered[1].transposed());
        cells[1].add_scaled(1.0, &self.covered[0].transposed());
        cells
    }
}

/// The part of a ship that lies on the edges between cells: by direction, from each cell to the next in that direction.
struct Edges {
    /// That covers the edge's first cell and not the second.
    first: [Grid; 2],
    /// That covers the edge's second cell and not the first.
    second: [Grid; 2],
}

impl Edges {
    fn of(partner: &Partner<'_>) -> Edges {
        let cells = partner.on_cells();
        let (mut first, mut second) = ([Grid::ZERO, Grid::ZERO], [Grid::ZERO, Grid::ZERO]);
        for way in 0..2 {
            // Ships that begin before the edge and reach beyond it, one cell shorter than the ship: both cells of the
            // edge are then covered.
            let both = partner.ship.lines.ways[way].covered(partner.ship.length - 1);
            for along in 0..SIZE - 1 {
                first[way][along] = subtract(cells[way][along], &both[along]);
                second[way][along] = subtract(cells[way][along + 1], &both[along]);
            }
        }
        Edges { first, second }
    }
}

/// For each place of A: the weight of the pairs of B and C in which C, of length 2, lies on both A and B.
struct Bridges {
    /// By direction: from a cell to the next, C on the edge between them and B on the next; and the other way round.
    forth: [Grid; 2],
    back: [Grid; 2],
    /// By direction of A: the sums along it of the edges that leave it to its sides.
    sides: [Sums; 2],
}

impl Bridges {
    fn new(c: &Lines, b: &Edges) -> Bridges {
        let (mut forth, mut back) = ([Grid::ZERO, Grid::ZERO], [Grid::ZERO, Grid::ZERO]);
        let mut leaving = [Grid::ZERO, Grid::ZERO];
        for way in 0..2 {
            for along in 0..SIZE - 1 {
                forth[way][along] = times(c.ways[way][along], &b.second[way][along]);
                back[way][along] = times(c.ways[way][along], &b.first[way][along]);
                leaving[way][along] = add(leaving[way][along], &forth[way][along]);
                leaving[way][along + 1] = back[way][along];
            }
        }
        let sides = [
            Sums::of(&leaving[1].transposed()),
            Sums::of(&leaving[0].transposed()),
        ];
        Bridges { forth, back, sides }
    }

    /// For the places of a ship of `length` that begin on the cells of that row.
    fn from(&self, way: usize, along: usize, length: usize) -> Row {
        let mut sum = self.sides[way].between(along, along + length);
        if along > 0 {
            sum = add(sum, &self.back[way][along - 1]);
        }
        if along + length < SIZE {
            sum = add(sum, &self.forth[way][along + length - 1]);
        }
        sum
    }
}

/// The weights of the triples, by the places of `one`.
fn triples_by(
    one: &Partner<'_>,
    other: &Partner<'_>,
    c: (&Shadow, f64),
    bridges: Option<&Bridges>,
) -> Lines {
    let length = one.ship.length;
    weighted(one.ship.lines, |way, along| {
        let c_apart = without(c.1, c.0.on(way, along, length));
        let other_apart = without(other.sum, other.shadow.on(way, along, length));
        let on_c = without(other.through_c_sum, other.through_c.on(way, along, length));
        // C apart from the ship, for each other ship apart from it, without the C on that other ship. The C on both came
        // off twice and are added again: the bridges.
        let sum = subtract(times(c_apart, &other_apart), &on_c);
        match bridges {
            Some(bridges) => add(sum, &bridges.from(way, along, length)),
            None => sum,
        }
    })
}

/// The weights of the arrangements of A, B and C, where C has one or two cells. If B is `None`, it is the same as A.
pub(super) fn triples(a: Free<'_>, b: Option<Free<'_>>, c: Free<'_>) -> Counts {
    let c_shadow = Shadow::cast(c.lines, c.length);
    let c_sum = c.lines.sum();
    let one = Partner::new(a, &c_shadow);
    let two = b.map(|b| Partner::new(b, &c_shadow));
    let other = two.as_ref().unwrap_or(&one);
    let edges = (c.length == 2).then(|| (Edges::of(&one), two.as_ref().map(Edges::of)));
    let bridges = |edges: &Edges| Bridges::new(c.lines, edges);

    let to_other = edges
        .as_ref()
        .map(|(one, two)| bridges(two.as_ref().unwrap_or(one)));
    let by_a = triples_by(&one, other, (&c_shadow, c_sum), to_other.as_ref());
    let by_b = two.as_ref().map(|two| {
        let to_one = edges.as_ref().map(|(one, _)| bridges(one));
        triples_by(two, &one, (&c_shadow, c_sum), to_one.as_ref())
    });

    // The pairs of A and B that are apart from C: all pairs, without those in which A lies on C and those in which B does.
    // Pairs in which both do were taken away twice.
    let a_pairs = pairs(a, &other.shadow, other.sum);
    let pair_sum = a_pairs.sum();
    let a_on = Shadow::cast(&a_pairs, a.length);
    let b_on = two
        .as_ref()
        .map(|two| Shadow::cast(&pairs(two.ship, &one.shadow, one.sum), two.ship.length));
    let by_c = weighted(c.lines, |way, along| {
        let a_on = a_on.on(way, along, c.length);
        let b_on = b_on
            .as_ref()
            .map_or(a_on, |b_on| b_on.on(way, along, c.length));
        let apart = without(pair_sum, add(a_on, &b_on));
        let Some((one, two)) = &edges else {
            return apart;
        };
        let two = two.as_ref().unwrap_or(one);
        let forth = times(one.first[way][along], &two.second[way][along]);
        let back = times(one.second[way][along], &two.first[way][along]);
        add(apart, &add(forth, &back))
    });
    Counts {
        total: by_a.sum(),
        a: by_a,
        b: by_b,
        c: by_c,
    }
}
