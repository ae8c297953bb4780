//! The files, the screen and the browser of one game: opened in one place before the game, and closed in one place.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use battleship::game_reader::RecordedGame;
use battleship::twist::{original_differs, original_log};
use battleship::{BySide, Rules, Ruleset, Side};
use bothost::{Interrupt, Wiretap};
use screen::Left;
use screen::live::{Stage, Teller};
use screen::story::Next;

use super::{PlayOutputs, PlayPlan, new_line, rematch};
use crate::exit::Failure;
use crate::in_browser::Seating;
use crate::options::ChosenGame;
use crate::{note, say};
use arena::explain::DialogueCapture;
use arena::game::{EndedBy, Ending, Entrant, Game as _};
use arena::record::{
    Dialogue, GameLine, Output, Replacement, append_line, page_output, write_page,
};
use arena::system::{quoted, quoted_word};
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
    fn output<'p>(&self, option: &'static str, path: &'p Path) -> Output<'p> {
        Output {
            option,
            path,
            force: self.force,
        }
    }

    /// Leaves out the files that would lose what they have, and reports them.
    fn keep_old_files(&mut self, replaces_record: bool) {
        let force = self.force;
        for (option, file, is_replaced) in [
            ("--out", &mut self.out, replaces_record),
            ("--log", &mut self.log, true),
            ("--transcript", &mut self.transcript, true),
            ("--report", &mut self.report, true),
        ] {
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
    /// Opens the outputs of the game of `plan`. The people among `players` are asked there. Returns the listener to the
    /// dialogue, too.
    ///
    /// # Errors
    /// If something cannot be opened, or the person has left.
    pub(super) fn open(
        plan: &'p PlayPlan,
        players: &mut BySide<Entrant>,
        place: Option<&'p mut (dyn Seating + 'p)>,
        interrupt: &Arc<Interrupt>,
    ) -> Result<(GameSession<'p>, Option<Box<dyn Wiretap>>), Failure> {
        let outputs = &plan.outputs;
        let mut session = GameSession {
            plan,
            captured: outputs.report.is_some().then(DialogueCapture::default),
            transcript: None,
            replaces_record: outputs
                .out
                .as_ref()
                .is_some_and(|path| outputs.force && outputs.output("--out", path).has_text()),
            stage: None,
            place: None,
        };
        let wiretap = session.open_files()?;
        plan.seed.report();
        session.stage = plan.display.open(plan, players, interrupt)?;
        if let Some(place) = place {
            let teller = place.begin(plan, players, &new_line(plan))?;
            session.place = Some((place, teller));
        }
        Ok((session, wiretap))
    }

    /// Opens the files of the game: one that cannot be written is to be known before the game.
    fn open_files(&mut self) -> Result<Option<Box<dyn Wiretap>>, Failure> {
        let outputs = &self.plan.outputs;
        // All are looked at before one is made or emptied.
        for (option, path) in [
            ("--log", &outputs.log),
            ("--transcript", &outputs.transcript),
        ] {
            if let Some(path) = path {
                outputs.output(option, path).check()?;
            }
        }
        if let Some(path) = &outputs.report {
            page_output("--report", path, outputs.force).check()?;
        }
        if let Some(path) = &outputs.out {
            outputs.output("--out", path).prepare_append()?;
        }
        if let Some(path) = &outputs.log {
            outputs.output("--log", path).check_writable()?;
        }
        let names = self.plan.names();
        let mut taps: Vec<Box<dyn Wiretap>> = Vec::new();
        if let Some(captured) = &self.captured {
            taps.push(captured.wiretap(names.clone()));
        }
        if let Some(path) = &outputs.transcript {
            let output = outputs.output("--transcript", path);
            let (dialogue, replacement) = Dialogue::create(output, names)?;
            taps.push(Box::new(dialogue));
            self.transcript = replacement;
        }
        Ok(match taps.len() {
            0 | 1 => taps.pop(),
            _ => Some(Box::new(taps)),
        })
    }

    /// Returns the listener that shows the game on a screen or in a browser, if it is shown there.
    pub(super) fn teller(&self) -> Option<Teller> {
        if let Some(stage) = &self.stage {
            return Some(stage.teller(self.plan.names()));
        }
        let (_, teller) = self.place.as_ref()?;
        Some(teller.clone())
    }

    /// Writes the game, waits until the person has seen it, and prints what remains to be said. Returns the game that the person
    /// wants to play next.
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
        if is_played(line) {
            if let (Some(transcript), Some(path)) = (&mut self.transcript, &outputs.transcript)
                && let Err(error) = transcript.publish()
            {
                let output = outputs.output("--transcript", path);
                written = Err(output.failed(error).into());
            }
        } else {
            if self.transcript.is_none() {
                outputs.transcript = None;
            }
            outputs.keep_old_files(self.replaces_record);
        }
        let recorded = self.record(&outputs, line);
        let page = self.write_page(&outputs, line);
        let left = match self.stage.take() {
            Some(stage) => stage.wait(),
            None => Ok(Left::Willingly),
        };
        if let Some(winner) = ending.winner
            && is_shown
            && !outputs.json
        {
            writeln!(io::stdout(), "{} wins!", plan.names()[winner])?;
        }
        print_score(plan, ending)?;
        print(plan, line)?;
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
        let recorded = match &outputs.out {
            Some(path) => append_line(
                Output {
                    force: self.replaces_record,
                    ..outputs.output("--out", path)
                },
                line,
            ),
            None => Ok(()),
        };
        if let Some(path) = &outputs.log {
            let shown = path.display();
            let game = RecordedGame::read(&line.json).map_err(anyhow::Error::from)?;
            match original_log(&game) {
                Ok(log) => {
                    let output = outputs.output("--log", path);
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

    /// Writes the page of the game, with its dialogue.
    fn write_page(&mut self, outputs: &PlayOutputs, line: &GameLine) -> Result<(), Failure> {
        let (Some(path), Some(captured)) = (&outputs.report, &mut self.captured) else {
            return Ok(());
        };
        let page = game_page(line, 1, Some(&captured.take()), true).map_err(anyhow::Error::from)?;
        Ok(write_page("--report", path, outputs.force, &page)?)
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

/// Prints the number of games of a series that each player has won; nothing after the first game.
fn print_score(plan: &PlayPlan, ending: &Ending) -> io::Result<()> {
    let before = plan.series.score;
    if before == BySide::default() || plan.outputs.json {
        return Ok(());
    }
    let names = plan.names();
    let mut parts = Vec::new();
    for (side, name) in &names {
        let wins = before[side] + u32::from(ending.winner == Some(side));
        parts.push(format!("{name} {wins}"));
    }
    writeln!(io::stdout(), "{}", parts.join(", "))
}

/// Returns the advice for the author of a bot that played badly.
fn advice(plan: &PlayPlan, line: &GameLine, side: Side) -> Option<String> {
    let entrant = &plan.players[side];
    // A person and our own players need no advice.
    if entrant.shipped || entrant.human {
        return None;
    }
    let mut found = Vec::new();
    let has_failed = line.ended_by.is_fault()
        && line.ended_by != EndedBy::CouldNotStart
        && line.by == Some(side);
    let is_judged = plan.game.rules().is_none();
    if has_failed && is_judged && line.ended_by == EndedBy::BadReply {
        // The judge has said what would do.
        return None;
    }
    if has_failed && line.ended_by == EndedBy::BadReply {
        found.push(
            "that line is not a reply to its request; what a bot prints for its author goes to standard error"
                .to_owned(),
        );
    } else if has_failed {
        found.push("it broke the protocol".to_owned());
    }
    let turns = line.stats.turns[side];
    let wasted = line.stats.wasted[side];
    // A salvo may have more shots than there are cells left.
    let rules = match &plan.game {
        ChosenGame::Battleship(rules) => rules,
        ChosenGame::Judged(judge) => {
            let command = quoted_word(&line.players[side].command);
            let judge = quoted(&judge.arguments());
            let check = format!("referee check {command} {judge} says more");
            return found.first().map(|what| format!("{what}; {check}"));
        }
    };
    let [rows, cols] = rules.size();
    let cells = u32::try_from(rows * cols).unwrap_or(0);
    let is_salvo = rules.ruleset() == Ruleset::Salvo;
    if wasted > 0 && !(is_salvo && wasted + cells <= turns) {
        let what = if is_salvo { "shots" } else { "turns" };
        found.push(format!("{wasted} of its {turns} {what} were wasted"));
    }
    if found.is_empty() {
        return None;
    }
    let command = quoted_word(&line.players[side].command);
    let opponent = quoted_word(&line.players[side.other()].command);
    let by_rules = |command: &str| rules.command_with_house_arguments(command);
    let check = by_rules(&format!("referee check {command}"));
    let check = format!("{}; {check} says why", found.join(", and "));
    let is_usual = *rules == Rules::usual(rules.ruleset()).with(rules.options())
        && plan.first == rules.first(plan.seed.value);
    // `debug` plays the game again if its author can type all that it depends on there.
    if !(has_failed && is_usual && side == Side::One) {
        return Some(check);
    }
    // The shots of a salvo follow each other, and are one turn there.
    let game = RecordedGame::read(&line.json).ok()?;
    let replies = game.turns.chunk_by(|one, next| one.mover == next.mover);
    let turn = replies.filter(|turns| turns[0].mover == side).count() + 1;
    let debug = by_rules(&format!("referee debug {command} {opponent}"));
    let debug = format!("{debug} --seed {} --turn {turn}", plan.seed.value);
    Some(format!("{check}, {debug} stops there"))
}

/// Prints what is odd about the players, and the record if that was asked for.
fn print(plan: &PlayPlan, line: &GameLine) -> io::Result<()> {
    for (side, player) in &line.players {
        for warning in &player.warnings {
            note(&format!("{}: {warning}", player.name));
        }
        if let Some(advice) = advice(plan, line, side) {
            note(&format!("{}: {advice}", player.name));
        }
    }
    if plan.outputs.json {
        say(&format!("{}\n", line.json))?;
    }
    Ok(())
}
