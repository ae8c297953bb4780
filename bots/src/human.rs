//! A person who plays the classic game at a terminal.

use battleship::{AttackResult, Board, Direction, Game, Player, Point, ShipId};

use crate::terminal::{Gone, Terminal};

/// Asks until two whole numbers are typed, which need not be on one line: as the sample program
/// reads them, with `cin >> row >> column` and the rest of the line ignored. Parentheses and commas
/// may stand around them, as the game itself writes cells.
fn ask_for_two_integers(terminal: &Terminal, prompt: &str) -> Result<Point, Gone> {
    'prompt: loop {
        let mut numbers = Vec::new();
        let mut line = terminal.ask(prompt)?;
        loop {
            if is_call_for_help(&line) {
                terminal.show(HELP)?;
                continue 'prompt;
            }
            let plain = line.replace(['(', ')', ','], " ");
            let mut rest = plain.trim_start();
            while numbers.len() < 2 && !rest.is_empty() {
                let Some((number, behind)) = leading_integer(rest) else {
                    terminal.show("You must enter two integers.\n")?;
                    continue 'prompt;
                };
                numbers.push(number);
                rest = behind.trim_start();
            }
            if let [row, col] = numbers[..] {
                return Ok(Point::new(row, col));
            }
            line = terminal.ask("")?;
        }
    }
}

const HELP: &str = concat!(
    "Type a row and a column, from 0, as 3 5 or (3,5). For a direction, type h (to the right) or v (down).\n",
    "The end of the input (",
    end_of_input!(),
    ") resigns; Ctrl-C leaves.\n"
);

/// Whether a person wants to know what can be typed.
pub(crate) fn is_call_for_help(line: &str) -> bool {
    matches!(line.trim().to_ascii_lowercase().as_str(), "?" | "help")
}

fn leading_integer(text: &str) -> Option<(i32, &str)> {
    let text = text.trim_start();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let after = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let (number, rest) = text.split_at(text.len() - after.len());
    Some((number.parse().ok()?, rest))
}

/// A person who places ships and attacks by typing, asked in the words of the course's sample
/// program. The end of the terminal's input resigns.
#[derive(Debug)]
pub(crate) struct Human {
    name: String,
    game: Game,
    terminal: Terminal,
    resigned: bool,
}

impl Human {
    /// A person called `name` in `game`, who sits at `terminal`.
    pub(crate) fn new(name: &str, game: &Game, terminal: Terminal) -> Human {
        Human {
            name: name.to_owned(),
            game: game.clone(),
            terminal,
            resigned: false,
        }
    }

    fn ask_for_ship(&self, board: &mut Board<'_>, ship: ShipId) -> Result<(), Gone> {
        let terminal = &self.terminal;
        let prompt = format!(
            "Enter h or v for direction of {} (length {}): ",
            self.game.ship_name(ship),
            self.game.ship_length(ship)
        );
        let direction = loop {
            let line = terminal.ask(&prompt)?;
            if is_call_for_help(&line) {
                terminal.show(HELP)?;
                continue;
            }
            match line.chars().next().and_then(Direction::from_letter) {
                Some(direction) => break direction,
                None => terminal.show("Direction must be h or v.\n")?,
            }
        };
        let prompt = match direction {
            Direction::Horizontal => "Enter row and column of leftmost cell (e.g. 3 5): ",
            Direction::Vertical => "Enter row and column of topmost cell (e.g. 3 5): ",
        };
        loop {
            let top_or_left = ask_for_two_integers(terminal, prompt)?;
            match board.place_ship(top_or_left, ship, direction) {
                Ok(()) => return Ok(()),
                Err(_) => terminal.show("The ship can not be placed there.\n")?,
            }
        }
    }

    fn ask_for_fleet(&self, board: &mut Board<'_>) -> Result<(), Gone> {
        let n_ships = self.game.n_ships();
        let s = if n_ships == 1 { "" } else { "s" };
        self.terminal.show(format_args!(
            "{} must place {n_ships} ship{s}.\n",
            self.name
        ))?;
        for ship in 0..n_ships {
            self.terminal.show(board.display(false))?;
            self.ask_for_ship(board, ship)?;
        }
        Ok(())
    }

    fn resign(&mut self) {
        self.resigned = true;
        // The output after it begins on a line of its own, if the terminal is still there.
        let _ = self.terminal.show("\n");
    }
}

impl Player for Human {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_human(&self) -> bool {
        true
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        let placed = self.ask_for_fleet(board).is_ok();
        if !placed {
            self.resign();
        }
        placed
    }

    fn recommend_attack(&mut self) -> Point {
        let prompt = "Enter the row and column to attack (e.g, 3 5): ";
        let answer = ask_for_two_integers(&self.terminal, prompt);
        answer.unwrap_or_else(|Gone| {
            self.resign();
            Point::default()
        })
    }

    fn has_resigned(&self) -> bool {
        self.resigned
    }

    fn record_attack_result(&mut self, _at: Point, _result: AttackResult) {}

    fn record_attack_by_opponent(&mut self, _at: Point) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::testing::Screen;

    fn person_typing(game: &Game, typed: &'static str) -> (Human, Screen) {
        let screen = Screen::default();
        let terminal = Terminal::new(typed.as_bytes(), screen.clone());
        (Human::new("Shuman", game, terminal), screen)
    }

    fn mini_game() -> Game {
        let mut game = Game::new(2, 3).unwrap();
        game.add_ship(2, 'R', "rowboat").unwrap();
        game.add_ship(1, 'B', "buoy").unwrap();
        game
    }

    #[test]
    fn placement_asks_until_each_answer_serves() {
        let game = mini_game();
        let (mut person, screen) = person_typing(
            &game,
            "\ndiagonal\nhelp\nhorizontal\n\n3\nx\nx y\n0 2\n\n0\n\n1 or so\nv\n0 1\n?\n(-1,0)\n1,+2\n",
        );
        let mut board = Board::new(&game);
        assert!(person.place_ships(&mut board));
        assert_eq!(board.display(false), "  012\n0 .RR\n1 ..B\n");
        let direction = |ship| format!("Enter h or v for direction of {ship}: ");
        let leftmost = "Enter row and column of leftmost cell (e.g. 3 5): ";
        let topmost = "Enter row and column of topmost cell (e.g. 3 5): ";
        let expected = [
            "Shuman must place 2 ships.\n  012\n0 ...\n1 ...\n",
            &direction("rowboat (length 2)"),
            "Direction must be h or v.\n",
            &direction("rowboat (length 2)"),
            "Direction must be h or v.\n",
            &direction("rowboat (length 2)"),
            HELP,
            &direction("rowboat (length 2)"),
            &[leftmost, "You must enter two integers.\n"]
                .concat()
                .repeat(2),
            leftmost,
            "The ship can not be placed there.\n",
            leftmost,
            "  012\n0 .RR\n1 ...\n",
            &direction("buoy (length 1)"),
            topmost,
            "The ship can not be placed there.\n",
            topmost,
            HELP,
            topmost,
            "The ship can not be placed there.\n",
            topmost,
        ];
        assert_eq!(screen.text(), expected.concat());
    }

    #[test]
    fn an_attack_outside_the_board_is_not_refused() {
        let (mut person, screen) = person_typing(&mini_game(), "five 5\n9999999999 1\n99 -5\n");
        assert_eq!(person.recommend_attack(), Point::new(99, -5));
        let prompt = "Enter the row and column to attack (e.g, 3 5): ";
        let again = [prompt, "You must enter two integers.\n"].concat();
        assert_eq!(screen.text(), [&again, &again, prompt].concat());
        assert!(!person.has_resigned());
    }

    #[test]
    fn the_end_of_input_resigns() {
        let game = mini_game();
        let (mut person, screen) = person_typing(&game, "h\n");
        assert!(!person.place_ships(&mut Board::new(&game)));
        assert!(person.has_resigned());
        assert!(screen.text().ends_with("(e.g. 3 5): \n"));
        let (mut person, _) = person_typing(&game, "");
        person.recommend_attack();
        assert!(person.has_resigned());
    }
}
