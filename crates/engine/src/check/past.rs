//! A recorded game, played to a bot again.

use std::time::Duration;

use battleship::protocol::{Outcome as GameOutcome, Reply, Request};
use battleship::{GameInPlay, Placement, PlayedTurn, Rules, Side, Turn};

use super::asked::Asked;
use super::examination::Examination;
use super::examine::{report, step_report};
use super::halt::{Fault, Halt};
use super::placing::ask_for_fleet;
use super::recorded::asked;
use super::report::{CheckVerdict, Finding, Outcome, Report, StepReport};
use super::session::Session;
use super::setup::CheckSetup;
use super::step::Verdict;
use crate::game::{EndedBy, GameStopped, announcement};
use crate::record::{GameRecord, ReplayError, placement_of, rules_of};
use bothost::text;

/// A recorded game as one of its players heard it.
#[derive(Clone, Debug)]
pub struct Past {
    pub(super) record: GameRecord,
    /// 0 or 1.
    pub(super) seat: usize,
    pub(super) rules: Rules,
    /// The places of the player's ships; `None` if the record does not say.
    pub(super) placed: Option<Vec<Placement>>,
    pub(super) turns: Vec<Heard>,
}

/// The outcome of a turn as the player hears it.
#[derive(Clone, Debug)]
pub(super) enum Heard {
    /// Its own: the request, its reply, and the results that it was told.
    Own(Request, Reply, Vec<Request>),
    /// The opponent's, as far as the player was told of it.
    Opponents(Request),
}

impl Past {
    /// The recorded game as the player on `seat`, 0 or 1, heard it.
    ///
    /// # Errors
    /// If the record contradicts the rules.
    pub fn new(record: GameRecord, seat: usize) -> Result<Past, ReplayError> {
        let rules = rules_of(&record)?;
        // Records of before 1.0.0 have the first of too many ships as a fleet.
        let placed = record.fleets[seat]
            .as_ref()
            .filter(|_| !was_refused(&record, seat));
        let placed = placed.map(|fleet| fleet.iter().map(placement_of).collect::<Result<_, _>>());
        let placed = placed.transpose()?;
        let turns = turns_heard_by(&record, &rules, seat);
        Ok(Past {
            record,
            seat,
            rules,
            placed,
            turns,
        })
    }

    /// Returns the rules of the game.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns how long the player had for a reply; `None` if there was no limit.
    pub fn limit(&self) -> Option<Duration> {
        self.record.players[self.seat]
            .limit_ms
            .map(Duration::from_millis)
    }

    /// Returns the dialogue up to the request for the player's turn `turn`, from 1, or for its placement, 0, as a
    /// [`super::Position`] has it; and what it replied, if that is recorded. `None` if it had no such turn.
    #[must_use]
    pub fn up_to(&self, turn: u32) -> Option<(Vec<String>, Option<Reply>)> {
        let seed = self.record.players[self.seat].seed;
        let told = |request: &Request| format!("<- {request}");
        let mut lines: Vec<String> = announcement(&self.rules, seed, self.limit())
            .iter()
            .map(told)
            .collect();
        lines.push(told(&Request::Place));
        let placed = self.placed.clone().map(Reply::Place);
        if turn == 0 {
            return Some((lines, placed));
        }
        lines.push(format!("-> {}", placed?));
        let mut made = 0;
        for heard in &self.turns {
            match heard {
                Heard::Opponents(notice) => lines.push(told(notice)),
                Heard::Own(request, reply, results) => {
                    made += 1;
                    lines.push(told(request));
                    if made == turn {
                        return Some((lines, Some(reply.clone())));
                    }
                    lines.push(format!("-> {reply}"));
                    lines.extend(results.iter().map(told));
                }
            }
        }
        let asked = asked(&self.record, self.seat).filter(|asked| *asked != Asked::Placement);
        let request = asked
            .filter(|_| self.fault().is_some() && made + 1 == turn)?
            .request();
        lines.push(told(&request));
        Some((lines, None))
    }

    /// Returns the name of the player.
    #[must_use]
    pub fn player(&self) -> &str {
        &self.record.players[self.seat].name
    }

    /// Returns the reason why the game ended, fit to be shown.
    fn reason(&self) -> String {
        text::shortened(&self.record.reason)
    }

    /// Returns the end of the game, if it was the player's own fault.
    fn fault(&self) -> Option<EndedBy> {
        let reason = self.record.ended_by;
        let is_fault = reason.is_fault() || reason == EndedBy::Resigned;
        (is_fault && self.record.by == Some(self.seat)).then_some(reason)
    }
}

/// Returns whether the placement of the player on `seat` was not legal, which ended the game.
pub(super) fn was_refused(record: &GameRecord, seat: usize) -> bool {
    record.ended_by == EndedBy::IllegalPlacement && record.by == Some(seat)
}

/// Returns the turns of a recorded game as the player on `seat` heard them: of its opponent's, what it was told of.
pub(super) fn turns_heard_by(record: &GameRecord, rules: &Rules, seat: usize) -> Vec<Heard> {
    let mut heard = Vec::new();
    // The game decides how many turns are in a reply.
    let mut game = game_of(record, rules);
    let mut turns = record.turns();
    while let Some(PlayedTurn { mover, .. }) = turns.first() {
        let request = game.turn_request();
        let mut count = 0;
        while let Some(next) = turns.get(count) {
            game.play(&next.turn.reply());
            count += 1;
            if !game.is_amid_reply() {
                break;
            }
        }
        let (reply, rest) = turns.split_at(count);
        let reply: Vec<Turn> = reply.iter().map(|played| played.turn.clone()).collect();
        if mover.index() != seat {
            heard.extend(reply.iter().filter_map(Turn::notice).map(Heard::Opponents));
        } else if let Some(said) = rules.reply_of(&reply) {
            heard.push(Heard::Own(request, said, rules.results(&reply)));
        }
        turns = rest;
    }
    heard
}

/// Returns a recorded game at its first turn, as far as the record has one.
fn game_of<'g>(record: &GameRecord, rules: &'g Rules) -> Box<dyn GameInPlay + 'g> {
    let mut game = rules.begin();
    for (side, fleet) in Side::BOTH.into_iter().zip(&record.fleets) {
        let placed = fleet
            .iter()
            .flatten()
            .map(placement_of)
            .collect::<Result<Vec<_>, _>>();
        // A placement that the rules do not allow is reported when the game is played again.
        let _ = placed.map(|placed| game.place(side, &placed));
    }
    game.start(Side::try_from(record.first).unwrap_or(Side::One));
    game
}

/// Returns the request for the turn after the last recorded one.
pub(super) fn next_request(record: &GameRecord, rules: &Rules) -> Request {
    let mut game = game_of(record, rules);
    for played in record.turns() {
        game.play(&played.turn.reply());
    }
    game.turn_request()
}

/// The steps of such a check, by number: the word and the title. The last depends on how the game ended.
const GREETING: (&str, &str) = ("greeting", "answers the greeting");
const PLACEMENT: (&str, &str) = ("placement", "places its ships as recorded");
const REPLIES: (&str, &str) = ("replies", "says what is recorded, turn by turn");
const FAULT: (&str, &str) = ("fault", "does better than recorded where it failed");
const END: (&str, &str) = ("end", "accepts the end of the game");

/// The reason why the steps that follow are not tried.
enum Stopped {
    /// The step broke off.
    Halt(Halt),
    /// The reply is not the recorded one.
    Left(Finding),
}

impl From<Halt> for Stopped {
    fn from(halt: Halt) -> Stopped {
        Stopped::Halt(halt)
    }
}

/// Plays a recorded game to the bot as one of its players heard it, as long as the bot replies what that player did; `hear`
/// is called with each step as soon as it is done.
///
/// # Errors
/// As [`super::examine`].
pub fn examine_past(
    setup: &CheckSetup,
    past: &Past,
    hear: &mut dyn FnMut(&StepReport) -> std::io::Result<()>,
) -> Result<Report, GameStopped> {
    let examination = Examination::new(setup);
    let last = if past.fault().is_some() { FAULT } else { END };
    let mut reports: Vec<StepReport> = Vec::new();
    let mut session = None;
    let mut stopped = None;
    for (number, (step, title)) in (1..).zip([GREETING, PLACEMENT, REPLIES, last]) {
        let verdict = match &stopped {
            Some(number) => Verdict::Unknown(format!("it is over with step {number}")),
            None => match again(&examination, past, number, &mut session) {
                Ok(said) => Verdict::Pass(said),
                Err(why) => {
                    stopped = Some(number);
                    match why {
                        Stopped::Left(finding) => Verdict::Warn(finding),
                        Stopped::Halt(Halt::Fault(fault)) => Verdict::Fail(compared(past, *fault)),
                        Stopped::Halt(Halt::Busy(what)) => Verdict::Unknown(what),
                        Stopped::Halt(Halt::Over(over)) => return Err(over),
                    }
                }
            },
        };
        let step = step_report(number, step, title.into(), verdict);
        hear(&step).map_err(GameStopped::Failed)?;
        reports.push(step);
    }
    let outcome = |wanted| reports.iter().any(|report| report.outcome == wanted);
    let verdict = if outcome(Outcome::Fail) {
        CheckVerdict::Fails
    } else if outcome(Outcome::Warn) {
        CheckVerdict::LeavesRecord
    } else if past.fault().is_some() {
        CheckVerdict::DoesNotFailAgain
    } else {
        CheckVerdict::PlaysAsRecorded
    };
    Ok(report(&examination, reports, verdict))
}

/// Does the step with this number. Returns what there is to say of it.
fn again<'e>(
    examination: &'e Examination<'e>,
    past: &Past,
    number: usize,
    session: &mut Option<Session<'e>>,
) -> Result<String, Stopped> {
    let Some(open) = session else {
        *session = Some(Session::open(examination)?);
        return Ok(String::new());
    };
    match number {
        2 => placement(past, open),
        3 => replies(past, open),
        _ if past.fault().is_some() => beyond_fault(past, open),
        _ => {
            let outcome = match &past.record.winner {
                None => GameOutcome::Void,
                Some(name) if *name == past.record.players[past.seat].name => GameOutcome::Won,
                Some(_) => GameOutcome::Lost,
            };
            open.tell_end(outcome, past.record.ended_by)?;
            session.take().map_or(Ok(()), Session::close)?;
            Ok(past.reason())
        }
    }
}

/// Announces the game, and has the ships placed, unless that was where it failed.
fn placement(past: &Past, session: &mut Session<'_>) -> Result<String, Stopped> {
    session.announce(&past.rules, past.record.players[past.seat].seed)?;
    let Some(placed) = &past.placed else {
        return Ok("no placement is recorded".to_owned());
    };
    let reply = session.ask_for_placement("\"place ROW COL h|v ...\"")?;
    let same = reply.is_some_and(|fleet| {
        let alike = |(place, (now, then)): (usize, (&Placement, &Placement))| {
            // A ship of one cell lies in both directions at once.
            let only_cell = past
                .record
                .ships
                .get(place)
                .is_some_and(|ship| ship.length == 1);
            now.top_or_left == then.top_or_left && (now.direction == then.direction || only_cell)
        };
        fleet.len() == placed.len() && fleet.iter().zip(placed).enumerate().all(alike)
    });
    if same {
        return Ok(String::new());
    }
    Err(left_record(session, 1, &Reply::Place(placed.clone())))
}

/// Plays the recorded turns.
fn replies(past: &Past, session: &mut Session<'_>) -> Result<String, Stopped> {
    let mut count = 0;
    for turn in &past.turns {
        match turn {
            Heard::Opponents(notice) => session.tell(notice)?,
            Heard::Own(request, then, results) => {
                let reply = session.ask_for_turn(request, &past.rules)?;
                count += 1;
                if reply != *then {
                    return Err(left_record(session, count + 1, then));
                }
                results.iter().try_for_each(|result| session.tell(result))?;
            }
        }
    }
    let turns = if count == 1 { "turn" } else { "turns" };
    Ok(format!("{count} {turns} of its own"))
}

/// Asks what the recorded player failed to answer.
fn beyond_fault(past: &Past, session: &mut Session<'_>) -> Result<String, Stopped> {
    let then = past.reason();
    if past.record.ended_by != EndedBy::CouldNotStart {
        if past.placed.is_some() {
            session.ask_for_turn(&next_request(&past.record, &past.rules), &past.rules)?;
        } else if ask_for_fleet(session, &past.rules)?.is_none() {
            return Err(Stopped::Left(Finding {
                what: "said \"place none\" again".to_owned(),
                expected: "a placement of its ships".to_owned(),
                cause: format!("As recorded: {then}."),
                dialogue: session.dialogue(),
            }));
        }
    }
    Ok(format!("the fault does not appear again ({then})"))
}

fn left_record(session: &Session<'_>, number: usize, then: &Reply) -> Stopped {
    let said = text::excerpt(&session.last_reply());
    Stopped::Left(Finding {
        what: format!("left the record at its reply {number}: it said {said}"),
        expected: format!("\"{then}\", as recorded"),
        cause: "This bot is not the one of that game, or it does not follow its seed: what is random in it has to come \
                from the number in the `seed` line alone. (In a series it may also have learned from the games before \
                this one, which are not played again.)"
            .to_owned(),
        dialogue: session.dialogue(),
    })
}

/// Returns the finding of a fault, compared with the recorded one.
fn compared(past: &Past, fault: Fault) -> Finding {
    let then = past.reason();
    let what = match past.fault() {
        Some(reason) if reason == fault.ended_by => {
            format!("fails as recorded ({reason}): {}", fault.finding.what)
        }
        Some(reason) => {
            format!(
                "fails, but not as recorded ({reason}: {then}): {}",
                fault.finding.what
            )
        }
        None => format!(
            "fails, which it did not in the recorded game: {}",
            fault.finding.what
        ),
    };
    Finding {
        what,
        ..fault.finding
    }
}
