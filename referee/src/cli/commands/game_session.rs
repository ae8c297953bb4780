//! The files, page, screen and browser that show and keep one game, opened before the game and closed in one place.

use std::io::{self, Write};
use std::sync::Arc;

use battleship::game_reader::RecordedGame;
use battleship::twist::{original_differs, original_log};
use battleship::{BySide, Rules, Ruleset, Side};
use bothost::{Interrupt, Wiretap};
use screen::Left;
use screen::story::Next;

use super::play::{PlayPlan, WrittenGame, new_line};
use super::series;
use super::show::Shown;
use crate::cli::exit::{self, Failure};
use crate::cli::in_browser::Seating;
use crate::cli::{complain, say};
use arena::explain::DialogueCapture;
use arena::game::{EndedBy, Ending, Entrant, Game as _};
use arena::record::{
    Dialogue, GameLine, Output, Replacement, append_line, page_output, write_page,
};
use arena::system::quoted_word;
use pages::game_page;
use screen::live::{Stage, Teller};

/// All that follows one game, but for what is printed while it is played.
pub(super) struct GameSession<'p> {
    plan: &'p PlayPlan,
    /// The dialogue of the game, for its page.
    captured: Option<DialogueCapture>,
    /// What puts the transcript into the place of another file.
    transcript: Option<Replacement>,
    /// Whether the game takes the place of those in the record.
    replaces_record: bool,
    stage: Option<Stage>,
    /// The place where the person plays, and the listener that shows the game there.
    place: Option<(&'p mut (dyn Seating + 'p), Teller)>,
}

impl<'p> GameSession<'p> {
    /// Opens what the game of `plan` is written to and shown on. The people among `players` are asked there. Returns what is to
    /// hear the dialogue, too.
    ///
    /// # Errors
    /// If something cannot be opened, or the person has left.
    pub(super) fn begin(
        plan: &'p PlayPlan,
        players: &mut BySide<Entrant>,
        place: Option<&'p mut (dyn Seating + 'p)>,
        interrupt: &Arc<Interrupt>,
    ) -> Result<(GameSession<'p>, Option<Box<dyn Wiretap>>), Failure> {
        let captured = plan.written.html.is_some().then(DialogueCapture::default);
        let written = &plan.written;
        let replaces_record = written.record.as_ref().is_some_and(|path| {
            let output = written.output("--record", path);
            output.force && output.has_text()
        });
        let (wiretap, transcript) = open_files(plan, captured.as_ref())?;
        plan.seed.report();
        let stage = match plan.show.begin(plan, players, interrupt)? {
            Shown::Words => None,
            Shown::On(stage) => Some(stage),
            Shown::Left => return Err(Failure::Said(exit::INTERRUPTED)),
        };
        let place = match place {
            None => None,
            Some(place) => {
                let line = new_line(plan, &BySide::default(), &BySide::default());
                let teller = place.begin(plan, players, &line)?;
                Some((place, teller))
            }
        };
        Ok((
            GameSession {
                plan,
                captured,
                transcript,
                replaces_record,
                stage,
                place,
            },
            wiretap,
        ))
    }

    /// Returns what shows the game on a screen or in a browser, if it is shown there.
    pub(super) fn teller(&self) -> Option<Teller> {
        let on_stage = self
            .stage
            .as_ref()
            .map(|stage| stage.teller(self.plan.names()));
        on_stage.or_else(|| self.place.as_ref().map(|(_, teller)| teller.clone()))
    }

    /// Writes the game, waits until the person has seen it, and prints what there is to say. Returns what the person wants to play
    /// next.
    ///
    /// # Errors
    /// The first of what failed; the rest is done all the same.
    pub(super) fn close(
        mut self,
        line: &GameLine,
        ending: &Ending,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Option<Next>, Failure> {
        let is_shown = self.stage.is_some() || self.place.is_some();
        let mut complaints = Vec::new();
        let mut written = self.plan.written.clone();
        let mut transcribed = Ok(());
        if is_played(line) {
            if let (Some(transcript), Some(path)) = (&mut self.transcript, &written.transcript) {
                let output = written.output("--transcript", path);
                let published = transcript.publish().map(drop);
                transcribed = published.map_err(|error| output.failed(error));
            }
        } else {
            if self.transcript.is_none() {
                written.transcript = None;
            }
            written.keep_what_is_there(self.replaces_record, &mut complaints);
        }
        let published = publish(&written, self.replaces_record, line, &mut complaints);
        let page = self.captured.as_mut().map_or(Ok(()), |captured| {
            write_html(&written, line, &captured.take())
        });
        let seen = self.stage.take().map_or(Ok(Left::Willingly), Stage::wait);
        if let Some(winner) = ending
            .winner
            .filter(|_| is_shown && !self.plan.written.json)
        {
            writeln!(io::stdout(), "{} wins!", self.plan.names()[winner])?;
        }
        print_score(self.plan, ending)?;
        print(self.plan, line, &complaints)?;
        published?;
        transcribed?;
        let left = self
            .place
            .take()
            .map_or(Ok(None), |(place, _)| place.end(line, interrupt));
        page?;
        match seen? {
            Left::For(next) => Ok(Some(next)),
            Left::Willingly if !is_shown => Ok(series::ask(self.plan, line, interrupt)?),
            Left::Willingly | Left::Interrupted => left,
        }
    }
}

/// Returns whether there is a game to speak of: what is there is not replaced by another one.
fn is_played(line: &GameLine) -> bool {
    let ended_by = line.ended_by;
    let is_placement = matches!(ended_by, EndedBy::CannotPlace | EndedBy::IllegalPlacement);
    let has_fleets = || {
        let game = RecordedGame::read(&line.json);
        game.is_ok_and(|game| game.fleets.iter().all(|(_, fleet)| fleet.is_some()))
    };
    ended_by != EndedBy::Interrupted && (is_placement || has_fleets())
}

/// Prints how many games of a series each player has won; nothing after the first game.
fn print_score(plan: &PlayPlan, ending: &Ending) -> io::Result<()> {
    let (before, names) = (plan.series.score, plan.names());
    if before == BySide::default() || plan.written.json {
        return Ok(());
    }
    let won = names.iter().map(|(side, name)| {
        format!(
            "{name} {}",
            before[side] + u32::from(ending.winner == Some(side))
        )
    });
    writeln!(io::stdout(), "{}", won.collect::<Vec<_>>().join(", "))
}

/// What hears the dialogue.
type Tap = Option<Box<dyn Wiretap>>;

/// Opens the files that the game is written to: one that cannot be written is to be known before the game.
fn open_files(
    plan: &PlayPlan,
    captured: Option<&DialogueCapture>,
) -> Result<(Tap, Option<Replacement>), Failure> {
    let written = &plan.written;
    // All are looked at before one is made or emptied.
    for (option, path) in [
        ("--log", &written.log),
        ("--transcript", &written.transcript),
    ] {
        path.as_ref()
            .map_or(Ok(()), |path| written.output(option, path).check())?;
    }
    if let Some(path) = &written.html {
        page_output("--html", path, written.force).check()?;
    }
    if let Some(path) = &written.record {
        written.output("--record", path).prepare_append()?;
    }
    if let Some(path) = &written.log {
        written.output("--log", path).check_writable()?;
    }
    let mut taps: Vec<Box<dyn Wiretap>> = Vec::new();
    taps.extend(captured.map(|captured| captured.wiretap(plan.names())));
    let mut transcript = None;
    if let Some(path) = &written.transcript {
        let output = written.output("--transcript", path);
        let (dialogue, replacement) = Dialogue::create(output, plan.names())?;
        taps.push(Box::new(dialogue));
        transcript = replacement;
    }
    let tap = match taps.len() {
        0 | 1 => taps.pop(),
        _ => Some(Box::new(taps) as Box<dyn Wiretap>),
    };
    Ok((tap, transcript))
}

/// Writes the page of the game with what was said in it.
fn write_html(written: &WrittenGame, line: &GameLine, dialogue: &[u8]) -> Result<(), Failure> {
    let Some(path) = &written.html else {
        return Ok(());
    };
    let page = game_page(line, 1, Some(dialogue), true).map_err(anyhow::Error::from)?;
    Ok(write_page("--html", path, written.force, &page)?)
}

/// Writes the game where that was asked for, and adds what is to be said of it to `complaints`.
fn publish(
    written: &WrittenGame,
    replaces_record: bool,
    line: &GameLine,
    complaints: &mut Vec<String>,
) -> anyhow::Result<()> {
    let recorded = written.record.as_ref().map_or(Ok(()), |path| {
        let output = Output {
            force: replaces_record,
            ..written.output("--record", path)
        };
        append_line(output, line).map_err(anyhow::Error::from)
    });
    if let Some(path) = &written.log {
        let game = RecordedGame::read(&line.json)?;
        match original_log(&game) {
            Ok(log) => {
                written
                    .output("--log", path)
                    .write(log.to_string().as_bytes())?;
                if let Some((line, stops)) = original_differs(&log) {
                    let what = if stops {
                        "stops at"
                    } else {
                        "shows another game from"
                    };
                    complaints.push(format!(
                        "--log {}: the original program {what} line {line}, because of its quirks; referee replay \
                         shows the game",
                        path.display()
                    ));
                }
            }
            Err(why) => {
                complaints.push(format!("--log {} is not written: {why}", path.display()));
            }
        }
    }
    recorded
}

/// Returns where the author of a bot that played badly reads why.
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
    if has_failed {
        let is_print = line.ended_by == EndedBy::BadReply;
        found.push(if is_print {
            "that line is not a reply to its request; what a bot prints for its author goes to standard error"
                .to_owned()
        } else {
            "it broke the protocol".to_owned()
        });
    }
    let (turns, wasted) = (line.stats.turns[side], line.stats.wasted[side]);
    // A salvo may have more shots than there are cells left.
    let [rows, cols] = plan.rules.size();
    let cells = u32::try_from(rows * cols).unwrap_or(0);
    let is_salvo = plan.rules.ruleset() == Ruleset::Salvo;
    if wasted > 0 && !(is_salvo && wasted + cells <= turns) {
        let what = if is_salvo { "shots" } else { "turns" };
        found.push(format!("{wasted} of its {turns} {what} were wasted"));
    }
    if found.is_empty() {
        return None;
    }
    let [command, opponent] =
        [side, side.other()].map(|side| quoted_word(&line.players[side].command));
    let by_rules = |command: &str| plan.rules.command_with_house_arguments(command);
    let check = by_rules(&format!("referee check {command}"));
    let check = format!("{}; {check} says why", found.join(", and "));
    let PlayPlan {
        rules, seed, first, ..
    } = plan;
    let is_usual = *rules == Rules::usual(rules.ruleset()).with(rules.options())
        && *first == rules.first(seed.value);
    // `debug` plays the game again if its author can type all that it depends on there.
    if !(has_failed && is_usual && side == Side::One) {
        return Some(check);
    }
    // The shots of a salvo follow each other, and are one turn there.
    let game = RecordedGame::read(&line.json).ok()?;
    let replies = game.turns.chunk_by(|one, next| one.mover == next.mover);
    let turn = replies.filter(|turns| turns[0].mover == side).count() + 1;
    let debug = by_rules(&format!("referee debug {command} {opponent}"));
    let debug = format!("{debug} --seed {} --turn {turn}", seed.value);
    Some(format!("{check}, {debug} stops there"))
}

/// Prints what is to be said of the game and what is odd about the players, and the record if that was asked for.
fn print(plan: &PlayPlan, line: &GameLine, complaints: &[String]) -> io::Result<()> {
    for complaint in complaints {
        complain(complaint);
    }
    for (side, player) in &line.players {
        for warning in &player.warnings {
            complain(&format!("{}: {warning}", player.name));
        }
        if let Some(advice) = advice(plan, line, side) {
            complain(&format!("{}: {advice}", player.name));
        }
    }
    if plan.written.json {
        say(&format!("{}\n", line.json))?;
    }
    Ok(())
}
