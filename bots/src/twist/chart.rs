//! The sights of the enemy's grid, and their times.

use battleship::twist::{Cell, CellSet};

use super::lines::{CELLS, index};

/// The abilities that the enemy showed by using them, as long as those units cannot have been sunk
/// since.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Afloat {
    pub(super) fires: bool,
    pub(super) moves: bool,
}

/// The knowledge about the enemy's grid: the content of each cell when it was seen last, by sonar
/// or by a shot, and how much can have changed since.
#[derive(Debug)]
pub(super) struct Chart {
    empty: CellSet,
    whole: CellSet,
    damaged: CellSet,
    /// Those of the damaged that were hit by a shot and not seen since: the unit may have sunk with
    /// that.
    struck: CellSet,
    /// Cells that were hit when no unit was known to be next to them: probably a submarine was
    /// there.
    lone: CellSet,
    /// Cells seen empty after a unit had been damaged there: it sank or moved away.
    gone: CellSet,
    /// Cells that were empty when no unit can have sunk there before. No battleship is on them,
    /// ever.
    never_battleship: CellSet,
    /// Cells on which units are taken to have sunk.
    buried: CellSet,
    /// The abilities that the enemy has used since the last hit.
    afloat: Afloat,
    /// Turns in which the enemy did not fire, and so moved a unit.
    moves: u32,
    /// The number of moves when a cell was seen last.
    seen: [u32; CELLS],
}

impl Chart {
    pub(super) fn new() -> Chart {
        Chart {
            empty: CellSet::EMPTY,
            whole: CellSet::EMPTY,
            damaged: CellSet::EMPTY,
            struck: CellSet::EMPTY,
            lone: CellSet::EMPTY,
            gone: CellSet::EMPTY,
            never_battleship: CellSet::EMPTY,
            buried: CellSet::EMPTY,
            afloat: Afloat::default(),
            moves: 0,
            seen: [0; CELLS],
        }
    }

    /// The enemy had a turn and did not fire.
    pub(super) const fn enemy_moved(&mut self) {
        self.moves += 1;
        self.afloat.moves = true;
    }

    /// The enemy had a turn and fired.
    pub(super) const fn enemy_fired(&mut self) {
        self.afloat.fires = true;
    }

    /// A shot hit something on `cell`.
    pub(super) fn hit_at(&mut self, cell: Cell) {
        self.afloat = Afloat::default();
        if ((CellSet::around(cell, 1) & self.to_explain()) - cell.into()).is_empty() {
            self.lone.insert(cell);
        }
        self.saw_damaged(cell.into());
        self.struck.insert(cell);
    }

    pub(super) const fn afloat(&self) -> Afloat {
        self.afloat
    }

    /// These cells are empty.
    pub(super) fn saw_empty(&mut self, cells: CellSet) {
        self.gone |= cells & self.damaged;
        self.never_battleship |= cells - self.gone - self.buried;
        self.see(cells);
        self.empty |= cells;
    }

    /// There are undamaged parts of units on these cells.
    pub(super) fn saw_whole(&mut self, cells: CellSet) {
        self.see(cells);
        self.gone -= cells;
        self.whole |= cells;
    }

    /// There are damaged parts of units on these cells, or one that was just hit and is sunk with
    /// that.
    pub(super) fn saw_damaged(&mut self, cells: CellSet) {
        self.see(cells);
        self.gone -= cells;
        self.damaged |= cells;
    }

    fn see(&mut self, cells: CellSet) {
        self.empty -= cells;
        self.whole -= cells;
        self.damaged -= cells;
        self.struck -= cells;
        for cell in cells {
            self.seen[index(cell)] = self.moves;
        }
    }

    /// A unit is taken to have sunk on these cells: they need no explanation any more.
    pub(super) fn bury(&mut self, cells: CellSet) {
        self.damaged -= cells;
        self.gone -= cells;
        self.empty |= cells - self.whole;
        self.buried |= cells;
    }

    /// That was wrong, for all units: something else may have happened to the cells.
    pub(super) fn exhume(&mut self) {
        self.gone |= self.buried;
        self.buried = CellSet::EMPTY;
    }

    /// Returns the number of moves of the enemy since `cell` was seen.
    pub(super) const fn age(&self, cell: usize) -> u32 {
        self.moves - self.seen[cell]
    }

    /// Cells that were empty when last seen.
    pub(super) const fn empty(&self) -> CellSet {
        self.empty
    }

    /// Cells on which no battleship is.
    pub(super) fn never_battleship(&self) -> CellSet {
        self.never_battleship | self.gone | self.buried
    }

    /// Cells whose last sight must have a reason: a unit is there, or was and has left.
    pub(super) fn to_explain(&self) -> CellSet {
        self.whole | self.damaged | self.gone
    }

    /// Cells with damaged parts when last seen.
    pub(super) const fn damaged(&self) -> CellSet {
        self.damaged
    }

    /// Cells that were hit and not seen whole since: a unit on these alone has sunk.
    pub(super) fn hit(&self) -> CellSet {
        self.damaged | self.gone
    }

    /// Cells where a unit was hit that may have sunk with that.
    pub(super) const fn struck(&self) -> CellSet {
        self.struck
    }

    /// Cells where a unit of one cell was hit, by the look of it.
    pub(super) const fn lone(&self) -> CellSet {
        self.lone
    }

    /// Cells where units have sunk or left, as far as is known.
    pub(super) fn wrecks(&self) -> CellSet {
        self.gone | self.damaged | self.buried
    }

    /// Cells that are empty now for certain.
    pub(super) fn surely_empty(&self) -> CellSet {
        self.empty
            .iter()
            .filter(|cell| self.age(index(*cell)) == 0)
            .collect::<CellSet>()
            - self.buried
    }

    /// Cells that the unit that was damaged there has left, sunk or not.
    pub(super) const fn gone(&self) -> CellSet {
        self.gone
    }
}
