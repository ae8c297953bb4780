//! A person of the twist game chooses a unit and what it does.

use battleship::twist::{Cell, CellSet, Fleet, Order, Refused, Unit, UnitId, UnitKind, View};

use crate::picture::At;

/// An order that is being put together.
#[derive(Clone, Debug)]
pub(super) struct Ordering {
    /// The unit that has been chosen.
    unit: Option<UnitId>,
    /// Where on the own grid the person looks, while no unit is chosen, or where the chosen one is to move.
    own: At,
    /// Where on the other's grid the person aims.
    target: At,
}

/// Which grid the arrow keys are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    Own,
    Other,
}

/// What the grids show of an order that is being put together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Preview {
    /// Where the unit would be.
    pub(super) outline: Vec<At>,
    pub(super) forbidden: bool,
    /// Where it may be.
    pub(super) own: Vec<At>,
    /// What it would reach on the other's grid.
    pub(super) other: Vec<At>,
}

impl Ordering {
    /// Begins an order; the person looks at the first unit afloat.
    pub(super) fn new(fleet: &Fleet, target: At) -> Ordering {
        let own = fleet.afloat().next().map_or((0, 0), |unit| at(unit.centre()));
        Ordering { unit: None, own, target }
    }

    pub(super) fn unit(&self) -> Option<UnitId> {
        self.unit
    }

    pub(super) fn target(&self) -> At {
        self.target
    }

    /// Returns which grid the arrow keys are for, and where they are on it.
    pub(super) fn aim(&self) -> (On, At) {
        match self.unit.map(UnitId::kind) {
            Some(UnitKind::Battleship) => (On::Other, self.target),
            Some(UnitKind::Support | UnitKind::Submarine) | None => (On::Own, self.own),
        }
    }

    pub(super) fn move_to(&mut self, (row, col): At) {
        let place = (row.min(11), col.min(11));
        match self.aim().0 {
            On::Own => self.own = place,
            On::Other => self.target = place,
        }
    }

    pub(super) fn move_by(&mut self, down: isize, right: isize) {
        let (_, (row, col)) = self.aim();
        self.move_to((row.saturating_add_signed(down), col.saturating_add_signed(right)));
    }

    /// Looks at the next unit afloat, or the one before. One that has been chosen gives way to it.
    pub(super) fn next_unit(&mut self, fleet: &Fleet, back: bool) {
        let afloat: Vec<&Unit> = fleet.afloat().collect();
        let here = afloat.iter().position(|unit| unit.cells().contains(cell(self.own)));
        let here = self.unit.map_or(here, |unit| afloat.iter().position(|one| one.id() == unit));
        let count = afloat.len();
        let next = match here {
            Some(here) if back => (here + count - 1) % count.max(1),
            Some(here) => (here + 1) % count.max(1),
            None => 0,
        };
        self.unit = None;
        if let Some(unit) = afloat.get(next) {
            self.own = at(unit.centre());
        }
    }

    /// Chooses the unit under the aim.
    ///
    /// # Errors
    /// If there is none: what is wrong, as a sentence.
    pub(super) fn choose(&mut self, fleet: &Fleet) -> Result<(), String> {
        let unit = fleet.unit_at(cell(self.own));
        let unit = unit.ok_or_else(|| format!("None of your units is at {}.", cell(self.own)))?;
        self.unit = Some(unit);
        self.own = at(fleet.unit(unit).centre());
        Ok(())
    }

    /// Gives the chosen unit back. Returns whether there was one.
    pub(super) fn back(&mut self) -> bool {
        self.unit.take().is_some()
    }

    /// Returns the order that has been put together.
    ///
    /// # Errors
    /// If the rules refuse it: why, as a sentence.
    pub(super) fn order(&self, view: &View) -> Result<Order, String> {
        let unit = self.unit.ok_or("Choose a unit first.")?;
        let order = Order { origin: view.fleet().unit(unit).centre(), target: cell(self.aim().1) };
        view.check(order).map_err(sentence)?;
        Ok(order)
    }

    /// Returns what the grids show of it.
    pub(super) fn preview(&self, view: &View) -> Preview {
        let (fleet, Some(id)) = (view.fleet(), self.unit) else { return Preview::default() };
        let unit = fleet.unit(id);
        let there = cell(self.own);
        let cells = |cells: CellSet| -> Vec<At> { cells.iter().map(at).collect() };
        if id.kind() == UnitKind::Battleship {
            return Preview::default();
        }
        let destinations = fleet.destinations(id);
        let is_submarine = id.kind() == UnitKind::Submarine;
        Preview {
            outline: cells(unit.moved(there).map_or(there.into(), |moved| moved.cells())),
            forbidden: !destinations.contains(there),
            own: cells(if is_submarine { destinations } else { CellSet::around(there, 1) }),
            other: if is_submarine { cells(view.quirks().sonar_area(there)) } else { Vec::new() },
        }
    }

    /// Returns how many damaged units a support ship would repair where the aim is.
    pub(super) fn repairs(&self, fleet: &Fleet) -> usize {
        let area = CellSet::around(cell(self.own), 1);
        let others = fleet.afloat().filter(|unit| Some(unit.id()) != self.unit);
        let near = others.filter(|unit| !(unit.cells() & area).is_empty());
        near.filter(|unit| !unit.damaged().is_empty()).count()
    }
}

/// Says as a sentence why the rules refuse an order.
pub(super) fn sentence(why: Refused) -> String {
    format!("That is not possible: {why}.")
}

pub(super) fn at(cell: Cell) -> At {
    (usize::from(cell.row()), usize::from(cell.column()))
}

/// Returns the cell of the grid; the last one, for places beyond it.
pub(super) fn cell((row, col): At) -> Cell {
    let number = |number: usize| u8::try_from(number.min(11)).unwrap_or(11);
    Cell::new(number(row), number(col)).expect("rows and columns go from 0 to 11")
}
