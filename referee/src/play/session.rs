//! The files, the screen and the browser of one game: opened in one place before the game, and
//! closed in one place.

use std::path::PathBuf;
use std::sync::Arc;

use battleship::game_reader::{BattleshipReader, RecordedGame};
use battleship::twist::{original_differs, original_log};
use battleship::{BySide, Rules, Ruleset, Side};
use bothost::{DialogueListener, Interrupt};
use check::recorded_fault;
use screen::Left;
use screen::live::{Stage, Teller};
use screen::story::Next;

use super::{PlayOutputs, PlayPlan, new_line, rematch};
use crate::exit::Failure;
use crate::in_browser::Seating;
use crate::{note, say, typed_name};
use arena::command::PrintedCommand;
use arena::explain::DialogueCapture;
use arena::game::{EndedBy, Ending, Entrant, Game as _};
use arena::record::{
    Dialogue, GameLine, Output, Replacement, append_line, page_output, write_page,
};
use pages::game_page;

/// The outputs of one game, but for its transcript in words.
pub(super) struct GameSession<'p> {
    plan: &'p PlayPlan,
    /// The dialogue of the game, for its page.
    captured: Option<DialogueCapture>,
    /// The transcript, if it is to take the place of another file.
    transcript: Option<Replacement>,
    /// Whether the game takes the place of those in the record.
    replaces_record: bool,
    stage: Option<Stage>,
    /// The place where the person plays, and the listener that shows the game there.
    place: Option<(&'p mut (dyn Seating + 'p), Teller)>,
}

impl PlayOutputs {
    fn output<'p>(&self, option: &'static str, path: Option<&'p PathBuf>) -> Option<Output<'p>> {
        let force = self.force;
        path.map(|path| Output {
            option,
            path,
            force,
        })
    }

    /// Leaves out the files that would lose what they have, and reports them.
    fn keep_old_files(&mut self, replaces_record: bool) {
        let force = self.force;
        for (option, file) in self.files_mut() {
            let is_replaced = option != "--out" || replaces_record;
            let kept = file.take_if(|path| {
                let output = Output {
                    option,
                    path,
                    force,
                };
                is_replaced && output.has_text()
            });
            if let Some(path) = kept {
                note(&format!("{option} {} is left as it was", path.display()));
            }
        }
    }
}

impl<'p> GameSession<'p> {
    /// Opens the outputs of the game of `plan`. The people among `players` are asked there. Returns
    /// the listener to the dialogue, too.
    ///
    /// # Errors
    /// If something cannot be opened, or the person has left.
    pub(super) fn open(
        plan: &'p PlayPlan,
        players: &mut BySide<Entrant>,
        place: Option<&'p mut (dyn Seating + 'p)>,
        interrupt: &Arc<Interrupt>,
    ) -> Result<(GameSession<'p>, Option<Box<dyn DialogueListener>>), Failure> {
        let outputs = &plan.outputs;
        let record = outputs.output("--out", outputs.out.as_ref());
        let log = outputs.output("--log", outputs.log.as_ref());
        let transcript = outputs.output("--transcript", outputs.transcript.as_ref());
        let mut session = GameSession {
            plan,
            captured: outputs.report.is_some().then(DialogueCapture::default),
            transcript: None,
            replaces_record: record.is_some_and(|record| record.force && record.has_text()),
            stage: None,
            place: None,
        };
        // All files are looked at before one is made or emptied: one that cannot be written is to
        // be known before the game.
        for output in [log, transcript].into_iter().flatten() {
            output.check()?;
        }
        if let Some(path) = &outputs.report {
            page_output("--report", path, outputs.force).check()?;
        }
        if let Some(record) = record {
            record.prepare_append()?;
        }
        if let Some(log) = log {
            log.check_writable()?;
        }
        let mut listeners: Vec<Box<dyn DialogueListener>> = Vec::new();
        if let Some(captured) = &session.captured {
            listeners.push(captured.listener(plan.names()));
        }
        if let Some(transcript) = transcript {
            let (dialogue, replacement) = Dialogue::create(transcript, plan.names())?;
            listeners.push(Box::new(dialogue));
            session.transcript = replacement;
        }
        plan.seed.report();
        if let (Some(screen), Some(rules)) = (plan.screen, plan.game.rules.as_ref()) {
            session.stage = screen.open(plan, rules, players, interrupt)?;
        }
        if let Some(place) = place {
            let teller = place.begin(plan, players, &new_line(plan))?;
            session.place = Some((place, teller));
        }
        let dialogue = match listeners.len() {
            0 | 1 => listeners.pop(),
            _ => Some(Box::new(listeners) as Box<dyn DialogueListener>),
        };
        Ok((session, dialogue))
    }

    /// Returns the listener that shows the game on a screen or in a browser, if it is shown there.
    pub(super) fn teller(&self) -> Option<Teller> {
        if let Some(stage) = &self.stage {
            return Some(stage.teller(self.plan.names()));
        }
        let (_, teller) = self.place.as_ref()?;
        Some(teller.clone())
    }

    /// Writes the game, waits until the person has seen it, and prints what remains to be said.
    /// Returns the game that the person wants to play next.
    ///
    /// # Errors
    /// The first failure; the rest is done all the same.
    pub(super) fn close(
        mut self,
        line: &GameLine,
        ending: &Ending,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Option<Next>, Failure> {
        let plan = self.plan;
        let is_shown = self.stage.is_some() || self.place.is_some();
        let mut outputs = plan.outputs.clone();
        let mut written: Result<(), Failure> = Ok(());
        if !is_played(line) {
            if self.transcript.is_none() {
                outputs.transcript = None;
            }
            outputs.keep_old_files(self.replaces_record);
        } else if let Some(transcript) = &mut self.transcript
            && let Some(output) = outputs.output("--transcript", outputs.transcript.as_ref())
            && let Err(error) = transcript.publish()
        {
            written = Err(output.failed(error).into());
        }
        let recorded = self.record(&outputs, line);
        let mut page: Result<(), Failure> = Ok(());
        if let (Some(path), Some(captured)) = (&outputs.report, &mut self.captured) {
            page = game_page(line, 1, Some(&captured.take()), true)
                .map_err(|error| anyhow::Error::from(error).into())
                .and_then(|page| Ok(write_page("--report", path, outputs.force, &page)?));
        }
        let left = match self.stage.take() {
            Some(stage) => stage.wait(),
            None => Ok(Left::Willingly),
        };
        if !outputs.json {
            let names = plan.names();
            if let Some(winner) = ending.winner.filter(|_| is_shown) {
                say(&format!("{} wins!\n", names[winner]))?;
            }
            let before = plan.series.score;
            if before != BySide::default() {
                let score = BySide::from_fn(|side| {
                    let wins = before[side] + u32::from(ending.winner == Some(side));
                    format!("{} {wins}", names[side])
                });
                say(&format!("{}, {}\n", score.one, score.two))?;
            }
        }
        for (side, player) in &line.players {
            for warning in &player.warnings {
                note(&format!("{}: {warning}", player.name));
            }
            if let Some(advice) = advice(plan, line, side) {
                note(&format!("{}: {advice}", player.name));
                typed_name::note_once();
            }
        }
        if outputs.json {
            say(&format!("{}\n", line.json))?;
        }
        recorded?;
        written?;
        let next = match self.place.take() {
            Some((place, _)) => place.end(line, interrupt),
            None => Ok(None),
        };
        page?;
        match left? {
            Left::For(next) => Ok(Some(next)),
            Left::Willingly if !is_shown => Ok(rematch::ask(plan, line, interrupt)?),
            Left::Willingly | Left::Interrupted => next,
        }
    }

    /// Writes the record and the log of the game.
    fn record(&self, outputs: &PlayOutputs, line: &GameLine) -> Result<(), Failure> {
        let mut recorded = Ok(());
        if let Some(record) = outputs.output("--out", outputs.out.as_ref()) {
            let force = self.replaces_record;
            recorded = append_line(Output { force, ..record }, line);
        }
        if let Some(output) = outputs.output("--log", outputs.log.as_ref()) {
            let shown = output.path.display();
            let game = RecordedGame::read(&line.json).map_err(anyhow::Error::from)?;
            match original_log(&game) {
                Ok(log) => {
                    output.write(log.to_string().as_bytes())?;
                    if let Some((line, stops)) = original_differs(&log) {
                        let what = if stops {
                            "stops at"
                        } else {
                            "shows another game from"
                        };
                        note(&format!(
                            "--log {shown}: the original program {what} line {line}, because of its quirks; referee replay \
                             shows the game"
                        ));
                    }
                }
                Err(why) => note(&format!("--log {shown} is not written: {why}")),
            }
        }
        Ok(recorded?)
    }
}

/// Returns whether the game began, so that it may replace files.
fn is_played(line: &GameLine) -> bool {
    let ended_by = line.ended_by;
    if matches!(ended_by, EndedBy::CannotPlace | EndedBy::IllegalPlacement) {
        return true;
    }
    if line.is_judged() {
        return ended_by.is_by_rules() || line.stats.turns != BySide::default();
    }
    let game = RecordedGame::read(&line.json);
    let has_fleets = game.is_ok_and(|game| game.fleets.iter().all(|(_, fleet)| fleet.is_some()));
    has_fleets && ended_by != EndedBy::Interrupted
}

/// Returns the advice for the author of a bot that played badly.
fn advice(plan: &PlayPlan, line: &GameLine, side: Side) -> Option<String> {
    // A person and our own players need no advice.
    if plan.players[side].shipped || plan.players[side].human {
        return None;
    }
    let has_failed = line.ended_by.is_fault()
        && line.ended_by != EndedBy::CouldNotStart
        && line.by == Some(side);
    let rules = plan.game.rules.as_ref();
    let mut found = Vec::new();
    if has_failed && line.ended_by == EndedBy::BadReply {
        // A judge has said what would do.
        rules?;
        let fault = recorded_fault(line, &BattleshipReader, side)?;
        found.push(fault.cause.trim_end_matches('.').to_owned());
    } else if has_failed {
        found.push("it broke the protocol".to_owned());
    }
    let turns = line.stats.turns[side];
    let wasted = line.stats.wasted[side];
    // A salvo may have more shots than there are cells left.
    let salvo = rules.filter(|rules| rules.ruleset() == Ruleset::Salvo);
    let [rows, cols] = salvo.map_or([0, 0], Rules::size);
    let is_spared = salvo.is_some() && i64::from(wasted) + i64::from(rows * cols) <= turns.into();
    if rules.is_some() && wasted > 0 && !is_spared {
        let what = if salvo.is_some() { "shots" } else { "turns" };
        found.push(format!("{wasted} of its {turns} {what} were wasted"));
    }
    if found.is_empty() {
        return None;
    }
    let found = found.join(", and ");
    let bot = &plan.players[side];
    let check = PrintedCommand::check(bot, &plan.terms, &*plan.game.game);
    let Some(rules) = rules else {
        return Some(format!("{found}; {check} says more"));
    };
    // `debug` has the bot move first.
    let is_same_game = side == Side::One
        && !plan.players[side.other()].human
        && plan.first == rules.first(plan.seed.value);
    if !(has_failed && is_same_game) {
        return Some(format!("{found}; {check} says why"));
    }
    // The shots of a salvo follow each other, and are one turn there.
    let game = RecordedGame::read(&line.json).ok()?;
    let replies = game.turns.chunk_by(|one, next| one.mover == next.mover);
    let turn = replies.filter(|turns| turns[0].mover == side).count() + 1;
    let opponent = &plan.players[side.other()];
    let seed = plan.seed.value.to_string();
    let debug = PrintedCommand::debug(bot, opponent, &plan.terms, &*plan.game.game).with([
        "--seed",
        &seed,
        "--turn",
        &turn.to_string(),
    ]);
    Some(format!("{found}; {check} says why, {debug} stops there"))
}
