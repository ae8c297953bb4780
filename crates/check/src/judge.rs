//! The check of a judge: players in memory, who know no game, play it.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use arena::game::{
    Bots, ENDLESS, EndedBy, Ending, Game, Played, Round, Stopped, Table, derived_seed,
    seeds_of_game,
};
use arena::judge::{Judge, JudgeError, dialogue_of};
use battleship::seeded::SeededRng;
use bothost::{BySide, Clock, Interrupt, Side};
use wire::Answer;

use crate::report::{CheckReport, Finding, Outcome, StepReport};

/// The games that are played and played again.
const GAMES: u64 = 20;

/// The cause of a line that does not belong where it is.
const LINES: &str =
    "protocol.md says, in its part on judges, which line may follow which, and what it looks like.";

/// The cause of replies that are not named as a player can use them.
const NAMES: &str = "People, models and this check choose from the replies that the reason names behind its last `: `, with `, ` between them, as in: bad 1 expected one of: 1, 2. Each of them has to be a whole reply that the judge accepts at this moment.";

/// Time after which no other game begins.
const LONGEST: Duration = Duration::from_secs(60);

/// Replies that no game expects.
const JUNK: [&str; 6] = [
    "?",
    "-1",
    "1 2 3 4 5 6 7 8 9",
    "\u{b2}",
    "hello world",
    "ask",
];

/// Two players who know no rules: their first reply to a request is junk, and then they choose from
/// the replies that the judge named.
struct Players {
    rng: SeededRng,
    /// What the judge said about the last reply of each player, if that broke the rules.
    refused: BySide<Option<String>>,
    line: String,
    /// The player that fails in its third turn, and how.
    fails: Option<(Side, EndedBy)>,
    turns: BySide<u32>,
    /// Whether the last reply of each player is one that the judge named.
    named: BySide<bool>,
    fault: Option<NamingFault>,
    stop: Arc<AtomicBool>,
}

/// A fault of the replies that a judge names behind `bad`.
enum NamingFault {
    /// This reason names none.
    NoReply(String),
    /// The judge refuses a reply that it named, for this reason.
    Refused { reply: String, reason: String },
}

impl Players {
    fn new(seed: u64, fails: Option<(Side, EndedBy)>, stop: &Arc<AtomicBool>) -> Players {
        Players {
            rng: SeededRng::new(seed),
            refused: BySide::default(),
            line: String::new(),
            fails,
            turns: BySide::default(),
            named: BySide::default(),
            fault: None,
            stop: stop.clone(),
        }
    }
}

impl Bots for Players {
    fn tell(&mut self, _to: Side, _line: fmt::Arguments<'_>) -> io::Result<()> {
        Ok(())
    }

    fn refuse(&mut self, to: Side, reason: &str) -> io::Result<()> {
        self.refused[to] = Some(reason.to_owned());
        Ok(())
    }

    fn ask(&mut self, of: Side, _line: fmt::Arguments<'_>) -> Result<Answer<'_>, Stopped> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Ending::interrupted().into());
        }
        let was_named = std::mem::take(&mut self.named[of]);
        self.line = match self.refused[of].take() {
            None => {
                self.turns[of] += 1;
                JUNK[self.rng.below(JUNK.len())].to_owned()
            }
            Some(reason) if was_named => {
                let reply = std::mem::take(&mut self.line);
                self.fault = Some(NamingFault::Refused { reply, reason });
                return Err(Ending::lost_by(of, EndedBy::Resigned, "resigned").into());
            }
            Some(reason) => {
                self.named[of] = true;
                let named = reason.rsplit_once(": ").map(|(_, named)| named);
                let named: Vec<&str> = named.unwrap_or_default().split(", ").collect();
                match named[self.rng.below(named.len())].trim() {
                    "" => {
                        self.fault = Some(NamingFault::NoReply(reason));
                        return Err(Ending::lost_by(of, EndedBy::Resigned, "resigned").into());
                    }
                    reply => reply.to_owned(),
                }
            }
        };
        if let Some((side, ended_by)) = self.fails
            && side == of
            && self.turns[of] > 2
        {
            return Err(Ending::lost_by(of, ended_by, "failed").into());
        }
        Ok(Answer {
            line: self.line.as_bytes(),
            time: Duration::ZERO,
        })
    }

    fn stop_flag(&self) -> Option<Arc<AtomicBool>> {
        Some(self.stop.clone())
    }

    fn comments(&mut self, _of: Side) -> Vec<u8> {
        Vec::new()
    }
}

/// A step of the check.
type Step<'g> = fn(&mut Games<'g>) -> Result<Found, Stopped>;

/// What was found of one step.
type Found = Result<(Outcome, String), Finding>;

/// Checks a judge: `on_step` is called with each step as soon as it is done.
///
/// # Errors
/// If `on_step` fails, if the user asks the referee to stop, or if the referee or its machine fails.
/// Failures of the judge are in the report.
pub fn check_judge(
    judge: &Judge,
    command: &str,
    seed: u64,
    interrupt: &Interrupt,
    on_step: &mut dyn FnMut(&StepReport) -> io::Result<()>,
) -> Result<CheckReport, Stopped> {
    let mut games = Games {
        judge,
        seed,
        stop: interrupt.flag(),
        began: Instant::now(),
        played: Vec::new(),
    };
    let steps: [(&str, &str, Step<'_>); 5] = [
        ("junk", "hears any reply without failing", |games| {
            games.junk()
        }),
        (
            "names_replies",
            "names replies that would do when it says bad, and plays whole games",
            |games| games.whole(),
        ),
        (
            "faults",
            "plays on in a new process after a player was late or gone",
            |games| games.faults(),
        ),
        (
            "repeats",
            "plays the same games in another process and another order",
            |games| games.repeats(),
        ),
        ("pictures", "shows people what happens", |games| {
            Ok(Ok((Outcome::Note, games.pictures())))
        }),
    ];
    let mut reports: Vec<StepReport> = Vec::new();
    for (number, (step, title, run)) in (1..).zip(steps) {
        let has_failed = reports.iter().any(|report| report.outcome == Outcome::Fail);
        let (outcome, said, finding) = if has_failed {
            let why = "a step before it failed".to_owned();
            (Outcome::NotTried, why, None)
        } else {
            match run(&mut games)? {
                Ok((outcome, said)) => (outcome, said, None),
                Err(finding) => (Outcome::Fail, String::new(), Some(finding)),
            }
        };
        let report = StepReport {
            number,
            step,
            title,
            outcome,
            said,
            finding,
        };
        on_step(&report)?;
        reports.push(report);
    }
    let name = judge.name();
    let rules = judge.rules();
    Ok(CheckReport::new(name, command, rules, seed, reports, None))
}

struct Games<'j> {
    judge: &'j Judge,
    seed: u64,
    stop: Arc<AtomicBool>,
    began: Instant,
    /// The games that were played: their numbers, what the judge said, and how they ended.
    played: Vec<(u64, Vec<String>, Ending)>,
}

impl Games<'_> {
    fn play(
        &self,
        table: &mut dyn Table,
        number: u64,
        fails: Option<(Side, EndedBy)>,
    ) -> Result<(Played, Option<NamingFault>), Stopped> {
        let seed = derived_seed(self.seed, "judge check", &[number]);
        let round = Round {
            seed,
            bot_seeds: seeds_of_game(seed, Side::One),
            clocks: BySide::new(Clock::None, Clock::None),
            first: Side::BOTH[usize::try_from(number % 2).unwrap_or(0)],
            max_turns: self.judge.max_turns(),
            retries: BySide::new(ENDLESS, ENDLESS),
        };
        let mut players = Players::new(seed, fails, &self.stop);
        let played = table.play(&mut players, &round, &mut ())?;
        if played.ending.ended_by == EndedBy::Interrupted {
            return Err(played.ending.into());
        }
        Ok((played, players.fault))
    }

    fn junk(&mut self) -> Result<Found, Stopped> {
        match self.judge.try_junk(&self.stop) {
            Ok(()) => Ok(Ok((Outcome::Pass, String::new()))),
            Err(JudgeError::Interrupted) => Err(Ending::interrupted().into()),
            Err(JudgeError::MachineLate(_)) => {
                let busy = "the machine was too busy to tell".to_owned();
                Ok(Ok((Outcome::NotTried, busy)))
            }
            Err(JudgeError::Io(error)) => Err(error.into()),
            Err(JudgeError::Failed { what, .. }) => Ok(Err(Finding {
                cause: if what.contains("exited") || what.contains("ended by") {
                    "It takes a reply for a number or for one of the right length before it has looked. Compare the whole reply with the replies that would do, as in: reply in legal."
                } else {
                    LINES
                }
                .to_owned(),
                what,
                expected: "bad, or the next request".to_owned(),
                dialogue: Vec::new(),
            })),
        }
    }

    fn whole(&mut self) -> Result<Found, Stopped> {
        let mut table = self.judge.table()?;
        for number in 0..GAMES {
            if number > 0 && self.began.elapsed() > LONGEST {
                break;
            }
            let (played, naming_fault) = self.play(&mut *table, number, None)?;
            let dialogue = dialogue_of(&played);
            let finding = |what: String, cause: &str| Finding {
                what,
                expected: "a game that ends by over".to_owned(),
                cause: cause.to_owned(),
                dialogue: last_lines(&dialogue),
            };
            if let Some(fault) = naming_fault {
                let what = match fault {
                    NamingFault::NoReply(reason) => {
                        format!("said bad with a reason that names no reply: {reason}")
                    }
                    NamingFault::Refused { reply, reason } => {
                        format!("refused the reply {reply:?}, which it had named: {reason}")
                    }
                };
                return Ok(Err(finding(what, NAMES)));
            }
            let ended_by = played.ending.ended_by;
            if ended_by == EndedBy::TurnCap {
                let cause = "The game goes on for ever with players who choose at random. Give it an end, as a number of turns after which it is a draw.";
                return Ok(Err(finding("did not end the game".to_owned(), cause)));
            }
            if ended_by == EndedBy::MachineLate {
                let busy = "the machine was too busy to tell".to_owned();
                return Ok(Ok((Outcome::NotTried, busy)));
            }
            if !ended_by.is_by_rules() {
                return Ok(Err(finding(played.ending.what, LINES)));
            }
            self.played.push((number, dialogue, played.ending));
        }
        let count = |winner: Option<bool>| {
            let seats = self.played.iter().map(|(number, _, ending)| {
                let first = Side::BOTH[usize::try_from(number % 2).unwrap_or(0)];
                ending.winner.map(|winner| winner == first)
            });
            seats.filter(|won| *won == winner).count()
        };
        let games = self.played.len();
        Ok(Ok((
            Outcome::Pass,
            format!(
                "{games} games at random: player 1 won {}, player 2 {}, drawn {}",
                count(Some(true)),
                count(Some(false)),
                count(None)
            ),
        )))
    }

    fn faults(&mut self) -> Result<Found, Stopped> {
        let mut table = self.judge.table()?;
        let faults = [EndedBy::Timeout, EndedBy::Exited, EndedBy::Flood];
        for (number, (side, fault)) in (GAMES..).zip(Side::BOTH.into_iter().cycle().zip(faults)) {
            self.play(&mut *table, number, Some((side, fault)))?;
            let (played, _) = self.play(&mut *table, number, None)?;
            if played.ending.ended_by == EndedBy::JudgeFailed {
                return Ok(Err(Finding {
                    what: format!("failed in the game after one in which a player failed: {}", played.ending.what),
                    expected: "a new process that begins anew: the old one is killed".to_owned(),
                    cause: "It keeps something outside of its process, as a file that two of them share.".to_owned(),
                    dialogue: Vec::new(),
                }));
            }
        }
        Ok(Ok((Outcome::Pass, String::new())))
    }

    fn repeats(&mut self) -> Result<Found, Stopped> {
        let mut table = self.judge.table()?;
        for (number, dialogue, _) in self.played.iter().rev() {
            let (played, _) = self.play(&mut *table, *number, None)?;
            let again = dialogue_of(&played);
            if again != *dialogue {
                let [then, now] = first_difference(dialogue, &again);
                return Ok(Err(Finding {
                    what: format!("said {now:?} where it had said {then:?} in the same game"),
                    expected: "the same seed and the same replies make the same game".to_owned(),
                    cause: "Something is left of the game before, or chance does not come from the number behind begin alone: seed the random numbers at each begin, and do not walk over a set whose order changes from process to process.".to_owned(),
                    dialogue: Vec::new(),
                }));
            }
        }
        Ok(Ok((Outcome::Pass, format!("{} games", self.played.len()))))
    }

    fn pictures(&self) -> String {
        let lines = self.played.iter().flat_map(|(_, dialogue, _)| dialogue);
        let shown = lines.filter(|line| line.starts_with("show ")).count();
        match shown {
            0 => "it does not: a line show * LINE is a line of the picture that people see"
                .to_owned(),
            _ => format!("{shown} lines in {} games", self.played.len()),
        }
    }
}

/// The lines at the end of a dialogue that a finding shows.
const SHOWN: usize = 12;

fn last_lines(dialogue: &[String]) -> Vec<String> {
    let lines = dialogue.iter().filter(|line| !line.starts_with("show "));
    let shown: Vec<_> = lines
        .map(|line| bothost::text::shown(line.as_bytes()))
        .collect();
    shown[shown.len().saturating_sub(SHOWN)..].to_vec()
}

/// Returns the first line in which two dialogues differ, of each.
fn first_difference<'d>(then: &'d [String], now: &'d [String]) -> [&'d str; 2] {
    let same = then.iter().zip(now).take_while(|(then, now)| then == now);
    let at = same.count();
    [then, now].map(|lines| lines.get(at).map_or("nothing", |line| line))
}
