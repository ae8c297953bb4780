//! The transcript of a game, as the programs of the course print it.

use std::io::{self, Write};
use std::sync::Arc;

use battleship::protocol::{Order, OrderResult};
use battleship::{AttackResult, Board, BySide, Point, Side, twist};
use bothost::Interrupt;

use super::fleet_orders::{told_openly, told_to_opponent};
use super::pauses::{Pause, Pauses};
use engine::game::{EndedBy, Ending, Event, Listener, Played, Position, Stop};

/// Prints a game: a classic one in the words of the course's sample program, byte for byte; a twist game with the grids
/// as its original draws them.
#[derive(Debug)]
pub struct Transcript<W> {
    out: W,
    names: BySide<String>,
    human: BySide<bool>,
    pauses: Option<Pauses>,
    /// Whether the game is worth playing on when the reader of this transcript has left.
    play_on: bool,
    /// The reader has left.
    unread: bool,
}

impl<W: Write> Transcript<W> {
    /// Returns a transcript on `out` of a game between players of these names.
    pub fn new(out: W, names: BySide<String>, human: BySide<bool>) -> Transcript<W> {
        Transcript { out, names, human, pauses: None, play_on: false, unread: false }
    }

    /// Adds a `pause` after each attack but the last, which `interrupt` cuts short.
    #[must_use]
    pub fn pausing(self, pause: Pause, interrupt: &Arc<Interrupt>) -> Transcript<W> {
        Transcript { pauses: Some(Pauses::new(pause, interrupt.clone())), ..self }
    }

    /// Lets the game continue when the transcript's reader has left, because it is recorded too.
    #[must_use]
    pub fn play_on_unread(self, play_on: bool) -> Transcript<W> {
        Transcript { play_on, ..self }
    }

    /// Shows the board that `mover` attacks; a human does not get to see undamaged ships.
    fn show_target(&mut self, mover: Side, boards: &BySide<Board<'_>>) -> io::Result<()> {
        let target = &boards[mover.other()];
        write!(self.out, "{}", target.display(self.human[mover]))
    }

    fn show_ending(&mut self, ending: &Ending, position: Option<Position<'_>>) -> io::Result<()> {
        if ending.ended_by.is_forfeit() || ending.ended_by == EndedBy::Resigned {
            let person = ending.by.is_some_and(|side| self.human[side]);
            if person && ending.ended_by != EndedBy::Resigned {
                // Behind the prompt that was not answered.
                writeln!(self.out)?;
            }
            writeln!(self.out, "{}.", ending.reason(self.names.as_ref()))?;
        }
        // The sample program prints no line about a game without a winner; neither does this.
        let Some(winner) = ending.winner else { return self.out.flush() };
        let name = &self.names[winner];
        writeln!(self.out, "{name} wins!")?;
        if let (Some(Position::Classic(boards)), true) = (position, self.human[winner.other()]) {
            let board = &boards[winner];
            // A loser who gave up early may have left the winner no time to place any.
            if !board.occupied().is_empty() {
                writeln!(self.out, "Here's where {name}'s ships were:")?;
                write!(self.out, "{}", board.display(false))?;
            }
        }
        self.out.flush()
    }

    fn pause(&mut self) -> Result<(), Stop> {
        match &mut self.pauses {
            Some(pauses) => pauses.pause(&mut self.out),
            None => Ok(()),
        }
    }

    fn show(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        match *event {
            Event::Placed { .. } | Event::Comment { .. } => Ok(()),
            Event::Turn { mover, position } => Ok(self.show_turn(mover, position)?),
            Event::Played { mover, played, position, time: _ } => match (played, position) {
                (Played::Attack { at, result }, Position::Classic(boards)) => {
                    self.show_attack(mover, at, result, boards)
                }
                (Played::Order { order, result }, Position::Twist(state)) => {
                    self.show_order(mover, order, result, state)
                }
                // Each game has its own turns and its own position.
                (Played::Attack { .. }, Position::Twist(_))
                | (Played::Order { .. }, Position::Classic(_)) => Ok(()),
            },
            Event::Ended { ending, position } => Ok(self.show_ending(ending, position)?),
        }
    }

    fn show_turn(&mut self, mover: Side, position: Position<'_>) -> io::Result<()> {
        match position {
            Position::Classic(boards) => {
                let [attacker, defender] = [&self.names[mover], &self.names[mover.other()]];
                writeln!(self.out, "{attacker}'s turn.  Board for {defender}:")?;
                self.show_target(mover, boards)?;
            }
            Position::Twist(state) if self.human[mover] => {
                write!(self.out, "{}", twist::show(state.view(mover)))?;
            }
            Position::Twist(_) => return Ok(()),
        }
        // Before the player thinks: a person decides by what is on the screen.
        self.out.flush()
    }

    fn show_attack(
        &mut self,
        mover: Side,
        at: Point,
        result: AttackResult,
        boards: &BySide<Board<'_>>,
    ) -> Result<(), Stop> {
        let (name, target) = (&self.names[mover], &boards[mover.other()]);
        let done = match result {
            AttackResult::Miss => "missed",
            AttackResult::Hit => "hit something",
            AttackResult::Sunk(ship) => &format!("destroyed the {}", target.game().ship_name(ship)),
            AttackResult::Wasted => {
                writeln!(self.out, "{name} wasted a shot at {at}.")?;
                return self.pause();
            }
        };
        writeln!(self.out, "{name} attacked {at} and {done}, resulting in:")?;
        self.show_target(mover, boards)?;
        // The sample program does not pause after the last attack.
        let won = matches!(result, AttackResult::Sunk(_)) && target.all_ships_destroyed();
        if won { Ok(()) } else { self.pause() }
    }

    fn show_order(
        &mut self,
        mover: Side,
        order: Order,
        result: &OrderResult,
        state: &twist::State,
    ) -> Result<(), Stop> {
        let name = &self.names[mover];
        // A person at the table does not get to see what its opponent does.
        if self.human[mover.other()] && !self.human[mover] {
            writeln!(self.out, "{}", told_to_opponent(name, order, result))?;
        } else {
            writeln!(self.out, "{}", told_openly(name, order, result))?;
            write!(self.out, "{}", twist::show(state.view(mover)).headed(mover))?;
        }
        if state.winner().is_none() { self.pause() } else { Ok(()) }
    }
}

impl<W: Write> Listener for Transcript<W> {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        // A closed pipe is not tried again: the game goes on for its record.
        if self.unread {
            return Ok(());
        }
        match self.show(event) {
            Err(Stop::Io(error)) if self.play_on && error.kind() == io::ErrorKind::BrokenPipe => {
                self.unread = true;
                Ok(())
            }
            Err(Stop::Io(error)) => {
                let what = format!("standard output: {error}");
                Err(io::Error::new(error.kind(), what).into())
            }
            shown => shown,
        }
    }
}
