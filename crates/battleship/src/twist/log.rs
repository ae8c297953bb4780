//! The log files of the original program.

use std::fmt;

use thiserror::Error;

use super::{
    Cell, Fleet, MalformedCell, MalformedOrder, OriginalQuirks, UNITS, Unit, UnitId, UnitKind,
    placed_between, two_cells,
};
use crate::protocol::Order;
use crate::{BySide, Placement, Side};

/// The lines before the first move: the starter, and each fleet, all of them followed by two empty
/// lines.
const HEAD: usize = 1 + 2 * (2 + UNITS) + 2;

/// A game as the original program logs it: a line with the number of the player that starts, each
/// fleet as it was placed, and one line a move. The log does not say which player moves; they take
/// turns.
///
/// Printed, it is byte for byte the file of the original: units in the order of their bows, row by
/// row; LF line ends; none after the last move.
///
/// A game that was played [by the rules](LogRules::Standard) says so in its first line, which the
/// original reads as a number and ignores: 21 if player 1 starts, 22 if player 2 does. Since the
/// original lets the second fleet move first in any case, that of the starter is the second in such
/// a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// By which rules the game was played.
    pub rules: LogRules,
    /// The player that starts. The original's replay ignores it; see
    /// [`OriginalQuirks::starter_ignored`](super::OriginalQuirks::starter_ignored).
    pub starter: Side,
    /// The fleets as they were placed.
    pub fleets: BySide<Fleet>,
    /// The moves, from the first on. They may be illegal; [`replay`](super::replay()) finds out.
    pub moves: Vec<Order>,
}

/// By which rules a logged game was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogRules {
    /// By those of the original program, with its quirks: it wrote the log, or a program that does
    /// as it does.
    Original,
    /// By the rules without quirks.
    Standard,
}

impl LogRules {
    /// Returns the quirks with which the [replay](super::replay()) shows the game that was played.
    pub fn quirks(self) -> OriginalQuirks {
        match self {
            LogRules::Original => OriginalQuirks::ORIGINAL,
            LogRules::Standard => OriginalQuirks::default(),
        }
    }
}

/// A line that is not allowed in a log, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {fault}")]
pub struct MalformedLog {
    /// The line, counted from 1.
    pub line: usize,
    /// The fault.
    pub fault: LogFault,
}

/// The reason why a line is not allowed in a log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LogFault {
    /// The starter is 0: the original's logs of player against computer, in which both fleets are
    /// one list and commands that are not moves are logged as moves.
    #[error(
        "the log is of a player against the computer (starter 0), and what the original program logs of such games \
         cannot be replayed"
    )]
    AgainstComputer,
    /// The first line is something else than a starter.
    #[error(
        "expected the number of the player that starts, 1 or 2, or 21 or 22 in a game without the original's quirks, not {0:?}"
    )]
    Starter(String),
    /// The log ends where this line should be.
    #[error("the log ends here, before its moves")]
    Ends,
    /// The line is not UTF-8.
    #[error("the line is not text")]
    NotText,
    /// One of the lines between the parts is not empty.
    #[error("expected an empty line, not {0:?}")]
    NotEmpty(String),
    /// The line is not three words with single spaces between them.
    #[error("expected a unit, as its bow, its stern and its size, not {0:?}")]
    Unit(String),
    /// A bow or a stern is not a cell.
    #[error(transparent)]
    Cell(#[from] MalformedCell),
    /// The third word is not 5, 3 or 1.
    #[error("no unit has the size {0:?}")]
    Size(String),
    /// The fleet has all its units of this kind already.
    #[error("the fleet has every {0} already")]
    TooMany(UnitKind),
    /// The unit cannot be there. Its number counts the units of its kind in the order of their
    /// lines.
    #[error("{0}: {1}")]
    Misplaced(UnitId, String),
    /// Another unit is on this cell.
    #[error("{0}: {1} is at {2}")]
    Overlap(UnitId, UnitId, Cell),
    /// The move is not two cells.
    #[error(transparent)]
    Move(#[from] MalformedOrder),
}

impl Log {
    /// Reads a log. A carriage return before a line feed and a line feed at the end of the file are
    /// accepted; so are units in another order than the original's.
    ///
    /// # Errors
    /// The first line that does not belong in a log. A log of player against computer is refused at
    /// its first.
    pub fn parse(bytes: &[u8]) -> Result<Log, MalformedLog> {
        let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
        // The last two lines of the head are empty themselves, so a line feed that ends them ends
        // no line more.
        if lines.len() > HEAD && lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        let mut lines = Lines {
            lines: lines.into_iter(),
            line: 0,
        };
        let (rules, starter) = lines.read(starter)?;
        lines.read_gap()?;
        let first = lines.read_fleet()?;
        lines.read_gap()?;
        let second = lines.read_fleet()?;
        lines.read_gap()?;
        let fleets = BySide::new(first, second);
        // The head is read, so every line left is a move.
        let mut moves = Vec::with_capacity(lines.lines.len());
        while lines.lines.len() > 0 {
            let (origin, target) = lines.read(|line| Ok(two_cells(line)?))?;
            moves.push(Order::new(origin, target));
        }
        Ok(Log {
            rules,
            starter,
            fleets: in_log(rules, starter, fleets),
            moves,
        })
    }

    /// Returns the line of the move with this index, counted from 1 as [`MalformedLog`] counts
    /// them.
    pub const fn line_of_move(index: usize) -> usize {
        HEAD + 1 + index
    }
}

/// The lines that are still to be read.
struct Lines<'b> {
    lines: std::vec::IntoIter<&'b [u8]>,
    /// The number of the line that was read last.
    line: usize,
}

impl Lines<'_> {
    fn read<T>(
        &mut self,
        parse: impl FnOnce(&str) -> Result<T, LogFault>,
    ) -> Result<T, MalformedLog> {
        self.line += 1;
        let line = self.lines.next().ok_or(LogFault::Ends).and_then(|bytes| {
            let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
            std::str::from_utf8(bytes).map_err(|_| LogFault::NotText)
        });
        line.and_then(parse).map_err(|fault| MalformedLog {
            line: self.line,
            fault,
        })
    }

    fn read_gap(&mut self) -> Result<(), MalformedLog> {
        for _ in 0..2 {
            self.read(|line| match line {
                "" => Ok(()),
                other => Err(LogFault::NotEmpty(other.to_owned())),
            })?;
        }
        Ok(())
    }

    fn read_fleet(&mut self) -> Result<Fleet, MalformedLog> {
        let mut unplaced = UnitId::ALL.to_vec();
        let mut placed: Vec<Unit> = Vec::with_capacity(UNITS);
        for _ in 0..UNITS {
            let unit = self.read(|line| unit(line, &mut unplaced, &placed))?;
            placed.push(unit);
        }
        // Lines may come in any order of sizes; a fleet is made in that of the units.
        placed.sort_by_key(Unit::id);
        let placements: Vec<Placement> = placed.iter().map(Unit::placement).collect();
        Ok(Fleet::new(&placements).expect("each unit was checked beside those before it"))
    }
}

/// Returns the fleets in the order in which the log has them, given that of the players, or the
/// other way round.
fn in_log<T>(rules: LogRules, starter: Side, fleets: BySide<T>) -> BySide<T> {
    match (rules, starter) {
        (LogRules::Standard, Side::One) => BySide::new(fleets.two, fleets.one),
        (LogRules::Standard, Side::Two) | (LogRules::Original, _) => fleets,
    }
}

fn starter(line: &str) -> Result<(LogRules, Side), LogFault> {
    match line {
        "1" => Ok((LogRules::Original, Side::One)),
        "2" => Ok((LogRules::Original, Side::Two)),
        "21" => Ok((LogRules::Standard, Side::One)),
        "22" => Ok((LogRules::Standard, Side::Two)),
        "0" => Err(LogFault::AgainstComputer),
        other => Err(LogFault::Starter(other.to_owned())),
    }
}

/// Reads a unit, takes it out of those that are not placed yet, and checks it beside those that
/// are.
fn unit(line: &str, unplaced: &mut Vec<UnitId>, placed: &[Unit]) -> Result<Unit, LogFault> {
    let words: Vec<&str> = line.split(' ').collect();
    let [bow, stern, size] = words[..] else {
        return Err(LogFault::Unit(line.to_owned()));
    };
    let (bow, stern): (Cell, Cell) = (bow.parse()?, stern.parse()?);
    let kind = UnitKind::ALL
        .into_iter()
        .find(|kind| kind.size().to_string() == size);
    let kind = kind.ok_or_else(|| LogFault::Size(size.to_owned()))?;
    // The log names sizes and no units. Units of a size are alike, so they are numbered in the
    // order of their lines.
    let next = unplaced.iter().position(|unit| unit.kind() == kind);
    let id = unplaced.remove(next.ok_or(LogFault::TooMany(kind))?);
    let placement =
        placed_between(id, bow, stern).map_err(|fault| LogFault::Misplaced(id, fault))?;
    let unit = Unit::new(id, bow, placement.direction).expect("both ends are on the grid");
    for other in placed {
        if let Some(cell) = (other.cells() & unit.cells()).first() {
            return Err(LogFault::Overlap(id, other.id(), cell));
        }
    }
    Ok(unit)
}

impl fmt::Display for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.rules {
            LogRules::Original => "",
            LogRules::Standard => "2",
        };
        write!(f, "{mark}{}\n\n\n", self.starter.index() + 1)?;
        for (_, fleet) in in_log(self.rules, self.starter, self.fleets.as_ref()) {
            let mut units: Vec<&Unit> = fleet.units().iter().collect();
            // The original walks over its grid row by row and writes a unit when it meets the bow.
            units.sort_by_key(|unit| (unit.bow(), unit.stern()));
            for unit in units {
                writeln!(f, "{} {} {}", unit.bow(), unit.stern(), unit.kind().size())?;
            }
            write!(f, "\n\n")?;
        }
        for (index, order) in self.moves.iter().enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            write!(f, "{end}{}", order.in_letters())?;
        }
        Ok(())
    }
}
