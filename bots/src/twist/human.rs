//! A person who plays the twist game at a terminal.

use battleship::protocol::{Order, OrderResult};
use battleship::twist::{
    Cell, CellSet, Command, Fleet, OriginalQuirks, UnitId, View, placed_between, show_grid,
    show_titled, two_cells,
};
use battleship::{Placement, Point, TwistBot};

use crate::human::is_call_for_help;
use crate::terminal::{Gone, Terminal};

/// A person who plays the twist game by typing: bow and stern of each unit, then origin and target
/// of each order. What is not possible is asked again. The end of the terminal's input resigns.
#[derive(Debug)]
pub struct TwistHuman {
    name: String,
    terminal: Terminal,
    /// The view of the person, once the units are placed.
    view: Option<View>,
    resigned: bool,
}

const PROMPT: &str = "Enter origin and target (e.g. C3 A1; SS SS for help): ";

const HELP_ON_PLACES: &str = concat!(
    "\
Type the first and the last cell of the unit, from left to right or from the top down: B6 B8 for three
cells, and one cell twice, as B6 B6, for one. A row is a letter at the side, a column a number above.
The end of the input (",
    end_of_input!(),
    ") resigns; Ctrl-C leaves.\n"
);

const HELP: &str = concat!(
    "\
ORIGIN TARGET  the unit with its centre at ORIGIN acts: a battleship (C) fires at TARGET; a support
               ship (S) moves its centre there and repairs the units around it; a submarine (E)
               moves there and searches the cells around it
XX XX          show both grids
AA AA          clear the sonar's sightings (Y); BB BB the hits (X); CC CC the misses (O); DD DD all
SS SS          show this, as help and ? do; the end of the input (",
    end_of_input!(),
    ") resigns\n"
);

impl TwistHuman {
    /// A person called `name`, who sits at `terminal`.
    #[must_use]
    pub fn new(name: &str, terminal: Terminal) -> TwistHuman {
        TwistHuman {
            name: name.to_owned(),
            terminal,
            view: None,
            resigned: false,
        }
    }

    fn ask_for_fleet(&self) -> Result<Vec<Placement>, Gone> {
        let terminal = &self.terminal;
        terminal.show(format_args!("{} must place 8 units.\n", self.name))?;
        let mut placements: Vec<Placement> = Vec::new();
        for unit in UnitId::ALL {
            terminal.show(drawn(&placements))?;
            let name = unit.kind();
            let size = unit.kind().size();
            let example = format!("B6 B{}", 5 + size);
            let prompt =
                format!("Enter bow and stern of a {name} (length {size}, e.g. {example}): ");
            loop {
                let line = terminal.ask(&prompt)?;
                if is_call_for_help(&line) {
                    terminal.show(HELP_ON_PLACES)?;
                    continue;
                }
                match placed(unit, &line, &placements) {
                    Ok(placement) => {
                        placements.push(placement);
                        break;
                    }
                    Err(why) => terminal.show(format_args!("{why}\n"))?,
                }
            }
        }
        Ok(placements)
    }

    fn ask_for_order(&mut self) -> Result<Order, Gone> {
        let terminal = &self.terminal;
        let view = self.view.as_mut().ok_or(Gone)?;
        loop {
            let line = terminal.ask(PROMPT)?;
            if is_call_for_help(&line) {
                terminal.show(HELP)?;
                continue;
            }
            match line.trim().parse::<Command>() {
                Ok(Command::Order(order)) => match view.check(order) {
                    Ok(()) => return Ok(order),
                    Err(why) => {
                        terminal.show(format_args!("That is not possible: {why}.\n"))?;
                    }
                },
                Ok(Command::Show) => terminal.show(show_titled(view))?,
                Ok(Command::Help) => terminal.show(HELP)?,
                Ok(Command::Clear(what)) => {
                    view.clear(what);
                    terminal.show(show_titled(view))?;
                }
                Err(why) => terminal.show(format_args!("{why}\n"))?,
            }
        }
    }

    fn resign(&mut self) {
        self.resigned = true;
        // The output after it begins on a line of its own, if the terminal is still there.
        let _ = self.terminal.show("\n");
    }
}

/// The placement of `unit` by its bow and stern as typed, beside those that have been placed.
fn placed(unit: UnitId, typed: &str, others: &[Placement]) -> Result<Placement, String> {
    let (bow, stern) = two_cells(typed.trim())
        .map_err(|why| format!("Two cells are needed, as B6 B10: {why}."))?;
    let cannot = |why: &dyn std::fmt::Display| format!("It cannot be placed there: {why}.");
    let placement = placed_between(unit, bow, stern).map_err(|fault| cannot(&fault))?;
    let cells = cells_of(unit, placement);
    for (other, placement) in UnitId::ALL.into_iter().zip(others) {
        if !(cells_of(other, *placement) & cells).is_empty() {
            return Err(cannot(&format_args!("a {} is in the way", other.kind())));
        }
    }
    Ok(placement)
}

/// Returns the cells of a unit with both ends on the grid.
fn cells_of(unit: UnitId, placement: Placement) -> CellSet {
    let bow = Cell::at(placement.top_or_left);
    bow.and_then(|bow| CellSet::line(bow, placement.direction, unit.kind().size()))
        .unwrap_or_default()
}

/// The units placed so far on the defence grid.
fn drawn(placements: &[Placement]) -> String {
    show_grid(|cell| {
        let unit = UnitId::ALL
            .into_iter()
            .zip(placements)
            .find(|(unit, placement)| cells_of(*unit, **placement).contains(cell));
        unit.map_or('~', |(unit, _)| unit.kind().letter())
    })
}

impl TwistBot for TwistHuman {
    fn new_game(&mut self, _seed: u64) {
        self.view = None;
        self.resigned = false;
    }

    fn place_units(&mut self) -> Option<Vec<Placement>> {
        let Ok(placements) = self.ask_for_fleet() else {
            self.resign();
            return None;
        };
        let fleet = Fleet::new(&placements).expect("each was checked beside the others");
        self.view = Some(View::new(fleet, OriginalQuirks::default()));
        Some(placements)
    }

    fn act(&mut self) -> Order {
        self.ask_for_order().unwrap_or_else(|Gone| {
            self.resign();
            Order::new(Point::default(), Point::default())
        })
    }

    fn act_result(&mut self, order: Order, result: &OrderResult) {
        if let Some(view) = &mut self.view {
            // A referee that contradicts itself cannot be argued with.
            let _ = view.acted(order, result);
        }
    }

    fn opponent_fired(&mut self, at: Point) {
        if let Some(view) = &mut self.view {
            view.opponent_fired(at);
        }
    }

    fn has_resigned(&self) -> bool {
        self.resigned
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::testing::Screen;

    const FLEET: &str = "A1 A5\nB1 B5\nC1 C5\nE1 E3\nF1 F3\nG1 G3\nI1 I1\nI3 I3\n";

    fn person_typing(typed: String) -> (TwistHuman, Screen) {
        let screen = Screen::default();
        let terminal = Terminal::new(std::io::Cursor::new(typed), screen.clone());
        (TwistHuman::new("Shuman", terminal), screen)
    }

    #[test]
    fn bow_and_stern_are_asked_for_each_unit() {
        let typed = format!("\nA1\nA1 A4\nA5 A1\nA1 J5\n{FLEET}").replace("C1 C5", "B3 F3\nC1 C5");
        let (mut person, screen) = person_typing(typed);
        let placed = person.place_units().unwrap();
        assert_eq!(placed.len(), 8);
        assert_eq!(placed[3].top_or_left, Point::new(4, 0));
        let text = screen.text();
        assert!(
            text.starts_with("Shuman must place 8 units.\n  1  2  3 "),
            "{text}"
        );
        let first = "Enter bow and stern of a battleship (length 5, e.g. B6 B10): ";
        assert_eq!(text.matches(first).count(), 3 + 5 + 1, "{text}");
        assert_eq!(
            text.matches("support ship (length 3, e.g. B6 B8): ")
                .count(),
            3,
            "{text}"
        );
        assert_eq!(
            text.matches("submarine (length 1, e.g. B6 B6): ").count(),
            2,
            "{text}"
        );
        for why in [
            "Two cells are needed, as B6 B10: an order is two cells with one space between them.\n",
            "is 4 cells long, and the unit is 5.\n",
            "It cannot be placed there: a battleship is in the way.\n",
        ] {
            assert!(text.contains(why), "{why}\n{text}");
        }
        let last = text.rsplit("  1  2  3 ").nth(1).unwrap();
        assert!(
            last.contains("\nA C  C  C  C  C  ~  ~  ~  ~  ~  ~  ~  A\nB "),
            "{last}"
        );
        assert!(last.contains("\nI E  ~  ~ "), "{last}");
    }

    #[test]
    fn an_impossible_order_is_asked_again() {
        let typed = "N1 A1\nA1 A1\nE2 A1\nxx xx\nAA AA\nSS SS\nboo\nE2 L6\n";
        let (mut person, screen) = person_typing(format!("{FLEET}{typed}"));
        person.place_units().unwrap();
        let before = screen.text().len();
        let order = person.act();
        assert_eq!(order.to_string(), "4 1 9 5");
        let text = screen.text().split_off(before);
        assert_eq!(text.matches(PROMPT).count(), 8, "{text}");
        assert!(
            text.contains("That is not possible: there is no unit at N1.\n"),
            "{text}"
        );
        assert!(
            text.contains("support ship 3 does not fit on the grid at A1.\n"),
            "{text}"
        );
        assert!(
            text.contains("A C  C  C  C  C  ~  ~  ~  ~  ~  ~  ~  A\tA ~ "),
            "{text}"
        );
        assert!(text.contains("XX XX          show both grids\n"), "{text}");
    }

    #[test]
    fn the_grids_show_what_happened() {
        let (mut person, screen) = person_typing(format!("{FLEET}XX XX\nA3 A1\n"));
        person.place_units().unwrap();
        let fire = |to| Order {
            origin: Point::new(0, 2),
            target: Point::new(to, 11),
        };
        person.act_result(fire(0), &OrderResult::Hit);
        person.act_result(fire(1), &OrderResult::Miss);
        person.opponent_fired(Point::new(1, 0));
        person.act();
        let text = screen.text();
        assert!(
            text.contains("\tA ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  X  A\n"),
            "{text}"
        );
        assert!(
            text.contains("\nB c  C  C  C  C  ~  ~  ~  ~  ~  ~  ~  B\tB ~ "),
            "{text}"
        );
    }

    #[test]
    fn the_end_of_input_resigns() {
        let (mut person, _) = person_typing("A1 A5\n".to_owned());
        assert_eq!(person.place_units(), None);
        assert!(person.has_resigned());
    }
}
