//! A position: the dialogue of a game up to a request, and what is expected of the reply to it. A text that people read and write.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use battleship::protocol::{Reply, Request, cell_at, fleet_of};
use battleship::twist::{Quirks, View};
use battleship::{AttackResult, Point, RuleOptions, Rules, Ruleset, ShipType, Side};
use battleship_bots::HitChance;
use thiserror::Error;

use super::asked::Asked;
use super::examination::{Examination, Observations};
use super::examine::{report, step_report};
use super::halt::Halt;
use super::report::{CheckVerdict, Finding, Outcome, Report, StepReport};
use super::session::Session;
use super::setup::CheckSetup;
use super::step::Verdict;
use crate::game::GameStopped;
use bothost::text;

/// An expectation of a reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// It wastes nothing: ships that the rules allow, an untried cell of the board, an order that can be carried out.
    Legal,
    /// An attack on one of these cells.
    Among(Vec<Point>),
    /// An attack on none of these cells.
    NotAmong(Vec<Point>),
    /// It comes in this time.
    Within(Duration),
    /// An attack that is so likely to hit, from 0 to 1, by what is known.
    Chance(f64),
}

/// A text that says nothing that can be expected.
#[derive(Debug, Error)]
#[error(
    "expected one of: legal; attack among (0,3) (0,4); attack not among (0,3); within 100 ms; chance at least 0.2"
)]
pub struct NothingExpected;

impl FromStr for Expected {
    type Err = NothingExpected;

    fn from_str(text: &str) -> Result<Expected, NothingExpected> {
        let after = |start| text.strip_prefix(start);
        let expected = if text == "legal" {
            Some(Expected::Legal)
        } else if let Some(text) = after("attack among ") {
            cells(text).map(Expected::Among)
        } else if let Some(text) = after("attack not among ") {
            cells(text).map(Expected::NotAmong)
        } else if let Some(text) = after("within ") {
            let millis = text
                .strip_suffix("ms")
                .and_then(|text| text.trim().parse::<u32>().ok());
            millis.map(|millis| Expected::Within(Duration::from_millis(millis.into())))
        } else {
            let chance = after("chance at least ").and_then(|text| text.parse().ok());
            chance
                .filter(|chance| (0.0..=1.0).contains(chance))
                .map(Expected::Chance)
        };
        expected.ok_or(NothingExpected)
    }
}

/// Returns the cells in a text, as messages have them, `(0,3) (0,4)`, or as the protocol does, `0 3 0 4`.
fn cells(text: &str) -> Option<Vec<Point>> {
    let words = text
        .split([' ', '(', ')', ','])
        .filter(|word| !word.is_empty());
    let numbers: Vec<i32> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let pairs = numbers.chunks_exact(2);
    let is_whole = !numbers.is_empty() && pairs.remainder().is_empty();
    is_whole.then(|| pairs.map(|pair| Point::new(pair[0], pair[1])).collect())
}

/// As a position has it behind `expect`.
impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = |cells: &[Point]| {
            cells
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        };
        match self {
            Expected::Legal => f.write_str("legal"),
            Expected::Among(cells) => write!(f, "attack among {}", all(cells)),
            Expected::NotAmong(cells) => write!(f, "attack not among {}", all(cells)),
            Expected::Within(limit) => write!(f, "within {} ms", limit.as_millis()),
            Expected::Chance(chance) => write!(f, "chance at least {chance}"),
        }
    }
}

/// A text that is not a position: where, and what is wrong.
#[derive(Debug, Error)]
#[error("line {line}: {what}")]
pub struct BadPosition {
    line: usize,
    what: String,
}

/// A line of the dialogue.
#[derive(Clone, Debug)]
enum Line {
    /// A line that needs no reply.
    Told(Request),
    /// A request, and the reply to it.
    Asked(Asked, Reply),
}

/// The dialogue of a game up to a request, and what is expected of the reply to it.
#[derive(Clone, Debug)]
pub struct Position {
    lines: Vec<Line>,
    request: Asked,
    expected: Vec<Expected>,
    rules: Rules,
    /// The attacks of this game.
    attacks: Vec<(Point, AttackResult)>,
    /// The player's view of a twist game, once its units are placed.
    view: Option<View>,
}

/// A position that is read.
#[derive(Default)]
struct Reader {
    lines: Vec<Line>,
    request: Option<Asked>,
    expected: Vec<Expected>,
    game: Option<(Ruleset, [i32; 2])>,
    ships: Vec<ShipType>,
    options: RuleOptions,
    attacks: Vec<(Point, AttackResult)>,
    view: Option<View>,
}

impl FromStr for Position {
    type Err = BadPosition;

    fn from_str(text: &str) -> Result<Position, BadPosition> {
        let mut reader = Reader::default();
        let mut last = 1;
        for (number, line) in (1..).zip(text.lines()) {
            last = number;
            reader
                .line(line.trim())
                .map_err(|what| BadPosition { line: number, what })?;
        }
        reader
            .end()
            .map_err(|what| BadPosition { line: last, what })
    }
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        let quoted = || text::excerpt(line.as_bytes());
        if let Some(expected) = line.strip_prefix("expect ") {
            let expected = expected.trim().parse();
            self.expected
                .push(expected.map_err(|why| format!("{}: {why}", quoted()))?);
            return Ok(());
        }
        if !self.expected.is_empty() {
            return Err(format!(
                "{} stands behind what is expected; move it before that",
                quoted()
            ));
        }
        if let Some(told) = line.strip_prefix("<- ") {
            let request = Request::parse(told.as_bytes());
            self.told(request.map_err(|why| format!("{} is not a request: {why}", quoted()))?)
        } else if let Some(said) = line.strip_prefix("-> ") {
            let reply = Reply::parse(said.as_bytes());
            self.said(reply.map_err(|why| format!("{} is not a reply: {why}", quoted()))?)
        } else {
            let forms =
                "\"<- ...\" (to the bot), \"-> ...\" (its reply), \"expect ...\" or \"# ...\"";
            Err(format!("expected {forms}, got {}", quoted()))
        }
    }

    fn told(&mut self, request: Request) -> Result<(), String> {
        if let Some(asked) = self.request {
            return Err(format!(
                "the request {asked} has no reply; add it before this line"
            ));
        }
        if let Some(asked) = Asked::in_game(&request) {
            let rules = self.rules()?;
            if asked != Asked::Placement && asked.word() != rules.turn_request().word() {
                return Err(format!(
                    "the game {} has no request {asked}",
                    rules.ruleset()
                ));
            }
            self.request = Some(asked);
            return Ok(());
        }
        if let Request::Game {
            ruleset,
            rows,
            cols,
        } = request
        {
            let (lines, game) = (
                std::mem::take(&mut self.lines),
                Some((ruleset, [rows, cols])),
            );
            *self = Reader {
                lines,
                game,
                ..Reader::default()
            };
        } else if let Request::Ship {
            length,
            symbol,
            name,
            ..
        } = &request
        {
            self.ships.push(ShipType {
                length: *length,
                symbol: *symbol,
                name: name.clone(),
            });
        } else if let Request::Rule(words) = &request {
            self.options.heed(words);
        } else if let Request::Result(at, result) = request {
            self.attacked(at, result)?;
        } else if let (Request::OrderResult(order, result), Some(view)) = (&request, &mut self.view)
        {
            if let (Some(order), Some(effect)) = (order.on_grid(), result.effect()) {
                view.acted(order, effect)
                    .map_err(|why| format!("\"{request}\": {why}"))?;
            }
        } else if let (Request::Opponent(at), Some(view)) = (&request, &mut self.view) {
            view.opponent_acted(cell_at(*at));
        }
        // Each bot is greeted before its position.
        if matches!(request, Request::Battleship(_)) {
            return Ok(());
        }
        self.lines.push(Line::Told(request));
        Ok(())
    }

    /// Notes an attack of the player.
    fn attacked(&mut self, at: Point, result: AttackResult) -> Result<(), String> {
        let is_new =
            is_inside(&self.rules()?, at) && self.attacks.iter().all(|(tried, _)| *tried != at);
        let is_so = match result {
            AttackResult::Miss | AttackResult::Hit => is_new,
            AttackResult::Sunk(ship) => {
                let was_afloat = self.attacks.iter().all(|(_, before)| *before != result);
                is_new && was_afloat && ship < self.ships.len()
            }
            AttackResult::Wasted => true,
        };
        if !is_so {
            return Err("the result contradicts the lines before it".to_owned());
        }
        self.attacks.push((at, result));
        Ok(())
    }

    fn said(&mut self, reply: Reply) -> Result<(), String> {
        let answered = Asked::answered_by(&reply);
        // It belongs to the greeting, or is for people.
        if answered.is_none_or(|asked| asked == Asked::Greeting) && reply != Reply::Resign {
            return Ok(());
        }
        if let (Some((Ruleset::Twist, _)), Reply::Place(placed)) = (self.game, &reply) {
            let fleet = fleet_of(placed).map_err(|why| format!("\"{reply}\": {why}"))?;
            self.view = Some(View::new(fleet, Quirks::default()));
        }
        match self.request.take() {
            Some(asked) if answered == Some(asked) => {
                if let (Reply::Salvo(cells), true) = (&reply, self.options.count) {
                    // No result will name them.
                    self.attacks
                        .extend(cells.iter().map(|at| (*at, AttackResult::Wasted)));
                }
                self.lines.push(Line::Asked(asked, reply));
                Ok(())
            }
            Some(asked) => Err(format!("\"{reply}\" is not a reply to the request {asked}")),
            None => Err(format!("\"{reply}\" stands behind no request; delete it")),
        }
    }

    /// Returns the rules that the last `game` line and the `ship` lines behind it announce.
    fn rules(&self) -> Result<Rules, String> {
        let Some((ruleset, size)) = self.game else {
            return Err("no line \"<- game ...\" stands before this one; add it".to_owned());
        };
        let rules = Rules::new(ruleset, size, &self.ships).map_err(|why| why.to_string())?;
        Ok(rules.with(self.options))
    }

    fn end(self) -> Result<Position, String> {
        let Some(request) = self.request else {
            let what = "the last line of the dialogue is not the request whose reply is tested; end it with";
            return Err(format!(
                "{what} \"<- attack\", \"<- salvo ...\", \"<- act\" or \"<- place\""
            ));
        };
        let fits = |expected: &Expected| {
            request == Asked::Attack || matches!(expected, Expected::Legal | Expected::Within(_))
        };
        if let Some(expected) = self.expected.iter().find(|expected| !fits(expected)) {
            let what = "does not fit the request";
            return Err(format!(
                "\"expect {expected}\" {what} {request}; expect legal or within"
            ));
        }
        if self.expected.is_empty() {
            return Err("nothing is expected of the reply; add e.g. \"expect legal\"".to_owned());
        }
        let rules = self.rules()?;
        let Reader {
            lines,
            expected,
            attacks,
            view,
            ..
        } = self;
        Ok(Position {
            lines,
            request,
            expected,
            rules,
            attacks,
            view,
        })
    }
}

fn is_inside(rules: &Rules, at: Point) -> bool {
    let [rows, cols] = rules.size();
    (0..rows).contains(&at.row) && (0..cols).contains(&at.col)
}

impl Position {
    /// Returns the rules of the game.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns how likely a reply is to hit, and the most likely cell; `None` if it is not an attack.
    pub fn chance(&self, reply: &Reply) -> Option<HitChance> {
        let (Rules::Classic(game), Reply::Attack(at)) = (&self.rules, reply) else {
            return None;
        };
        // The result of this attack is not known yet, and a wasted attack reveals nothing.
        let attacks: Vec<_> = self
            .attacks
            .iter()
            .copied()
            .chain([(*at, AttackResult::Wasted)])
            .collect();
        battleship_bots::review(game, &attacks)
            .attacks
            .last()
            .copied()
    }

    fn is_untried(&self, at: Point) -> bool {
        is_inside(&self.rules, at) && self.attacks.iter().all(|(tried, _)| *tried != at)
    }

    fn is_legal(&self, reply: &Reply) -> bool {
        if let Reply::Place(ships) = reply {
            self.rules.begin().place(Side::One, ships).is_ok()
        } else if let Reply::Attack(at) = reply {
            self.is_untried(*at)
        } else if let Reply::Salvo(cells) = reply {
            let is_new = |(index, at): &(usize, &Point)| {
                self.is_untried(**at) && !cells[..*index].contains(at)
            };
            // If fewer cells are left than there are shots, the rest has to be wasted.
            let board = self
                .rules
                .game()
                .into_iter()
                .flat_map(battleship::Game::points);
            let left = board.filter(|at| self.is_untried(*at)).count();
            cells.iter().enumerate().filter(is_new).count() == left.min(cells.len())
        } else if let (Reply::Act(order), Some(view)) = (reply, &self.view) {
            order
                .on_grid()
                .is_some_and(|order| view.check(order).is_ok())
        } else {
            false
        }
    }

    /// Feeds the dialogue to a fresh bot, whatever it replies, and checks its next reply.
    fn try_on(&self, examination: &Examination<'_>) -> Result<Verdict, Halt> {
        let mut session = Session::open(examination)?;
        let (mut turn, mut differs) = (0, None);
        for line in &self.lines {
            match line {
                Line::Told(request) => session.tell(request)?,
                Line::Asked(asked, then) => {
                    let (now, _) = session.ask_for(*asked, &self.rules)?;
                    turn += u32::from(*asked != Asked::Placement);
                    // If its ships lie still, no attack depends on their places.
                    let counts = turn > 0 || !self.rules.ruleset().hits_once();
                    if counts && now != *then {
                        differs.get_or_insert((turn, now, then));
                    }
                }
            }
        }
        let (reply, time) = session.ask_for(self.request, &self.rules)?;
        session.close()?;
        let shown = |reply: &Reply| text::excerpt(reply.to_string().as_bytes());
        let said = format!("replied {}", shown(&reply));
        for expected in &self.expected {
            let mut what = said.clone();
            let is_met = match (expected, &reply) {
                (Expected::Legal, _) => self.is_legal(&reply),
                (Expected::Among(cells), Reply::Attack(at)) => cells.contains(at),
                (Expected::NotAmong(cells), Reply::Attack(at)) => !cells.contains(at),
                (Expected::Within(limit), _) => {
                    what = format!("{said} after {} ms", time.as_millis());
                    time <= *limit
                }
                (Expected::Chance(least), _) => {
                    let found = self.chance(&reply);
                    if found.is_some_and(|found| found.best_chance == 0.0) {
                        what = format!("{said}, and no fleet agrees with all results");
                    } else if let Some(HitChance {
                        chance,
                        best: Some(best),
                        best_chance,
                    }) = found
                    {
                        what = format!(
                            "{said}: {chance:.2} likely to hit; {best} is {best_chance:.2}"
                        );
                    }
                    found.is_some_and(|found| found.chance >= *least)
                }
                (Expected::Among(_) | Expected::NotAmong(_), _) => false,
            };
            if !is_met {
                let cause = match differs {
                    None => "Its replies up to there are those of the position.".to_owned(),
                    Some((turn, now, then)) => {
                        let place = if turn == 0 {
                            "its placement".to_owned()
                        } else {
                            format!("turn {turn}")
                        };
                        let (now, then) = (shown(&now), shown(then));
                        format!(
                            "Its replies differ from {place} on: {now}, in the position {then}. If it keeps its own \
                             replies in mind, and not what `result` lines tell, it is not in this position."
                        )
                    }
                };
                let expected = expected.to_string();
                return Ok(Verdict::Fail(Finding {
                    what,
                    expected,
                    cause,
                    dialogue: Vec::new(),
                }));
            }
        }
        Ok(Verdict::Pass(said))
    }
}

/// Checks the bot's replies in positions, each in a fresh process. Each position is a step, and has its name; `hear` is called
/// with it as soon as it is done.
///
/// # Errors
/// As [`super::examine`].
pub fn examine_positions(
    setup: &CheckSetup,
    positions: &[(String, Position)],
    hear: &mut dyn FnMut(&StepReport) -> std::io::Result<()>,
) -> Result<Report, GameStopped> {
    let mut reports = Vec::new();
    let mut seen = Observations::default();
    for (number, (name, position)) in (1..).zip(positions) {
        let setup = CheckSetup {
            rules: position.rules.clone(),
            ..setup.clone()
        };
        let mut examination = Examination::new(&setup);
        examination.seen = seen;
        let verdict = match position.try_on(&examination) {
            Ok(verdict) => verdict,
            Err(Halt::Fault(fault)) => Verdict::Fail(fault.finding),
            Err(Halt::Busy(what)) => Verdict::Unknown(format!("the machine was busy: {what}")),
            Err(Halt::Over(over)) => return Err(over),
        };
        seen = examination.seen;
        let step = step_report(number, "position", Cow::Owned(name.clone()), verdict);
        hear(&step).map_err(GameStopped::Failed)?;
        reports.push(step);
    }
    let failed = reports.iter().any(|step| step.outcome == Outcome::Fail);
    let verdict = if failed {
        CheckVerdict::RepliesOtherwise
    } else {
        CheckVerdict::RepliesAsExpected
    };
    let mut examination = Examination::new(setup);
    examination.seen = seen;
    Ok(report(&examination, reports, verdict))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nearly_right::try_with;

    const CLASSIC: &str = "# A comment\n<- battleship 1\n-> name a\n-> ready\n<- game classic 3 4\n<- ship 0 2 P patrol boat\n\
        <- seed 1\n<- limit 100\n<- place\n-> place 0 0 h\n<- attack\n-> # why = 1\n-> attack 1 1\n<- result 1 1 miss\n\
        <- opponent 0 0\n<- attack\nexpect legal\nexpect attack among 0 1, 0 2\n";

    fn twist() -> String {
        let lines = Rules::Twist.announcement();
        let lines = lines
            .iter()
            .map(|line| format!("<- {line}\n"))
            .collect::<Vec<_>>()
            .concat();
        let place = "<- place\n-> place 0 0 h 2 0 h 4 0 h 6 0 h 8 0 h 10 0 h 1 0 h 3 0 h\n";
        format!(
            "{lines}{place}<- act\n-> act 1 0 9 9\n<- result 1 0 9 9 found\n<- opponent 3 0\n<- act\nexpect legal\n"
        )
    }

    #[test]
    fn what_is_expected_is_read_as_it_is_shown() {
        for (typed, shown) in [
            ("legal", "legal"),
            ("attack among 0 3, 0 4", "attack among (0,3) (0,4)"),
            ("attack not among (0,3)", "attack not among (0,3)"),
            ("within 100ms", "within 100 ms"),
            ("chance at least .25", "chance at least 0.25"),
        ] {
            let expected: Expected = typed.parse().unwrap();
            assert_eq!(expected.to_string(), shown);
            assert_eq!(shown.parse::<Expected>().unwrap(), expected);
        }
        for wrong in [
            "",
            "attack among",
            "attack among 1",
            "attack among a b",
            "chance at least 2",
            "within 1 s",
        ] {
            assert!(wrong.parse::<Expected>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_attack_is_legal_on_an_untried_cell_of_the_board() {
        let position: Position = CLASSIC.parse().unwrap();
        for (reply, is_legal) in [
            ("attack 0 0", true),
            ("attack 1 1", false),
            ("attack 3 0", false),
        ] {
            assert_eq!(
                position.is_legal(&Reply::parse(reply.as_bytes()).unwrap()),
                is_legal,
                "{reply}"
            );
        }
    }

    #[test]
    fn an_order_is_legal_to_a_unit_where_it_is_now() {
        let position: Position = twist().parse().unwrap();
        for (reply, is_legal) in [
            ("act 9 9 1 0", true),
            ("act 1 0 9 9", false),
            ("act 3 0 5 5", false),
        ] {
            assert_eq!(
                position.is_legal(&Reply::parse(reply.as_bytes()).unwrap()),
                is_legal,
                "{reply}"
            );
        }
    }

    #[test]
    fn positions_that_are_nearly_right_are_read_without_a_panic() {
        try_with(&[CLASSIC.as_bytes(), twist().as_bytes()], 2_000, |bytes| {
            let _ = String::from_utf8_lossy(bytes).parse::<Position>();
        });
    }
}
