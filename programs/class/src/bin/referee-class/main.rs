//! `referee-class`: from a folder of submissions to standings. The arguments go to [`class`], and
//! its results are printed.

mod play;

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bothost::{Launch, text};
use clap::{Parser, Subcommand};
use class::{
    Arrived, Checked, Class, ClassError, Host, Imported, Intake, PerBot, State, ToCheck, Verdict,
    Version, Waiting, keep_output, moment, shown_time,
};
use jiff::Timestamp;

use arena::record::Output;
use arena::terms::GameTerms;
use pages::plain;
use referee::{self, Failure, exit, listen, note, own_program, parse_called, test_sandbox};

/// The most characters of a reason on the terminal: a name that is quoted, and what is wrong with
/// it.
const LONGEST_REASON: usize = 400;

/// The most of those that could not be done for one reason and are named.
const MOST_NAMED: usize = 20;

/// Runs a class: builds, checks, nights of games, pages and grades
#[derive(Debug, Parser)]
#[command(name = "referee-class", bin_name = "referee class", version, after_help = EXAMPLES)]
#[command(arg_required_else_help = true)]
struct ClassArguments {
    /// The folder of the class [default: the current one]
    #[arg(short = 'C', long = "class", value_name = "DIR", global = true)]
    folder: Option<PathBuf>,
    #[command(subcommand)]
    step: Step,
}

/// The steps of a class, in the order of a night.
#[derive(Debug, Subcommand)]
enum Step {
    /// Make the folder of a class: class.toml, roster.csv, submissions/
    Init {
        /// The name of the class [default: as its folder]
        #[arg(value_name = "NAME")]
        name: Option<String>,
    },
    /// Add a submission: a folder, or a file that was dropped somewhere
    Add {
        /// The student, as in the roster
        #[arg(value_name = "ID")]
        id: String,
        /// A folder, or a .zip, .tar, .tar.gz, .tgz, .7z or .rar file
        #[arg(value_name = "FILE")]
        source: PathBuf,
        /// Time when it was handed in (UTC), as 2026-12-01T23-59-00 [default: now]
        #[arg(long, value_name = "TIME", value_parser = moment)]
        at: Option<Timestamp>,
    },
    /// Add a download of Canvas, Moodle or Gradescope
    Import {
        /// Downloads, or folders with what was in them
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// Time when all of it was handed in [default: as the downloads say]
        #[arg(long, value_name = "TIME", value_parser = moment)]
        at: Option<Timestamp>,
    },
    /// Give a student more time than the others
    Extend {
        /// The student; the team has as much time
        #[arg(value_name = "ID")]
        id: String,
        /// Until when (UTC), as 2026-12-03T23-59-00
        #[arg(value_name = "UNTIL", value_parser = moment)]
        until: Timestamp,
    },
    /// Unpack and build the newest version of each student
    Intake,
    /// Check new bots: the steps of referee check, and ten games
    Check {
        /// Print the stored report of this student's newest bot; check it if it is new
        #[arg(value_name = "ID")]
        id: Option<String>,
        /// Check that bot once more and keep both results
        #[arg(long, requires = "id")]
        again: bool,
    },
    /// Play what is missing, new bots first
    Play(Box<play::PlayOptions>),
    /// Write the pages: site/ for all, private/ for each student
    Site,
    /// Print the grades as CSV
    Grade {
        /// Write the table to this file instead
        #[arg(long, value_name = "FILE")]
        csv: Option<PathBuf>,
        /// Write a results.json for each student into this folder
        #[arg(long, value_name = "DIR")]
        gradescope: Option<PathBuf>,
        /// Replace the file of --csv
        #[arg(long)]
        force: bool,
    },
    /// Play a game again, and say whether the same happens
    Dispute {
        /// The student
        #[arg(value_name = "ID")]
        id: String,
        /// The game as the student's page names it: OPPONENT:NUMBER
        #[arg(value_name = "GAME")]
        game: String,
    },
    /// List students whose programs are identical or play alike
    Suspicious,
    /// Say what waits, what runs and what is done
    Status,
}

const EXAMPLES: &str = "\
A night: referee class intake, check, play --until 06:00, site. Each can be
stopped and run again: nothing is done twice. docs/teaching.md shows
the whole way.

Examples:
  referee class -C cs32 init
  referee class -C cs32 import submissions.zip
  referee class -C cs32 intake
  referee class -C cs32 play --until 06:00";

fn main() -> ExitCode {
    referee::program_main("referee-class", |typed| {
        run(&ClassArguments::parse_from(typed))
    })
}

/// Does one step of a class.
fn run(arguments: &ClassArguments) -> Result<(), Failure> {
    let folder = arguments.folder.as_deref().unwrap_or(Path::new("."));
    match &arguments.step {
        Step::Init { name } => init(folder, name.as_deref()),
        Step::Add { id, source, at } => {
            let at = at.unwrap_or_else(Timestamp::now);
            Ok(say(open(folder)?.add(id, source, at)?)?)
        }
        Step::Import { files, at } => import(folder, files, *at),
        Step::Extend { id, until } => {
            open(folder)?.extend(id, *until)?;
            Ok(say(format_args!(
                "{id} may hand in until {until}; the next intake counts it"
            ))?)
        }
        Step::Intake => intake(folder),
        Step::Check { id: None, .. } => check(folder),
        Step::Check {
            id: Some(id),
            again,
        } => check_one(folder, id, *again),
        Step::Play(options) => play::run(folder, options),
        Step::Site => site(folder),
        Step::Grade {
            csv,
            gradescope,
            force,
        } => grade(folder, csv.as_deref(), gradescope.as_deref(), *force),
        Step::Dispute { id, game } => dispute(folder, id, game),
        Step::Suspicious => suspicious(folder),
        Step::Status => status(folder),
    }
}

fn init(folder: &Path, name: Option<&str>) -> Result<(), Failure> {
    let folder = class::init(folder, name)?;
    writeln!(
        io::stdout(),
        "The class is in {}. Next:\n  \
         write the students into roster.csv: a line ID,NAME,TEAM for each\n  \
         look at class.toml: the game, the deadline, what is a pass\n  \
         referee class import FILE, as a learning platform made it, or put submissions into submissions/ID/TIME\n  \
         referee class intake; referee class check; referee class play; referee class site",
        folder.display()
    )?;
    Ok(())
}

fn import(folder: &Path, files: &[PathBuf], at: Option<Timestamp>) -> Result<(), Failure> {
    let Imported {
        new,
        known,
        strangers,
        failed,
        undated,
    } = open(folder)?.import(files, at)?;
    for Arrived { id, at, is_late } in &new {
        let late = if *is_late { "  too late" } else { "" };
        say(format_args!("{id}  {}{late}", shown_time(*at)))?;
    }
    let late = new.iter().filter(|one| one.is_late).count();
    say(format_args!(
        "{} new, {late} of them too late; {known} known",
        new.len()
    ))?;
    if undated > 0 {
        say(format_args!(
            "not said when: {undated}; these count as handed in at the deadline, and --at TIME says otherwise"
        ))?;
    }
    if !strangers.is_empty() {
        say(
            "These went to nobody. A name or number that roster.csv lacks goes into a column of its own there; then import again, \
             or: referee class add ID FILE",
        )?;
    }
    for stranger in &strangers {
        say(format_args!("  {stranger}"))?;
    }
    done(failed, "imported", "import")?.1
}

fn intake(folder: &Path) -> Result<(), Failure> {
    let interrupt = listen()?;
    let Intake {
        new,
        known,
        none,
        late,
    } = open(folder)?.intake(&interrupt, &|version: &Version, why: &str| {
        let line = format!(
            "{}  {}  {:8}  {:10}  {}",
            version.student,
            shown_time(version.submitted),
            version.state,
            version.kind,
            text::cut(why, LONGEST_REASON)
        );
        writeln!(io::stdout(), "{}", line.trim_end())
    })?;
    let (built, undone) = done(new, "built", "intake")?;
    let of = |state: State| built.iter().filter(|one| **one == state).count();
    writeln!(
        io::stdout(),
        "{} new: {} built, {} not built, {} refused; {known} known; {none} students have handed in nothing; {late} too late",
        built.len(),
        of(State::Built),
        of(State::Unbuilt),
        of(State::Refused),
    )?;
    undone
}

/// Prints the result of a check in a line.
fn say_checked(
    Checked {
        name, verdict, why, ..
    }: &Checked,
) -> io::Result<()> {
    say(format_args!("{name}  {verdict}  {why}"))
}

fn check(folder: &Path) -> Result<(), Failure> {
    let interrupt = listen()?;
    let results = open(folder)?.check(ToCheck::New, &interrupt, &say_checked)?;
    if results.is_empty() {
        return Ok(say("every bot has been checked")?);
    }
    let (checked, undone) = done(results, "checked", "check")?;
    let count = |verdict| {
        checked
            .iter()
            .filter(|checked| checked.verdict == verdict)
            .count()
    };
    say(format_args!(
        "{} checked: {} sound, {} that play but break the protocol, {} unfit to play",
        checked.len(),
        count(Verdict::Sound),
        count(Verdict::Faulty),
        count(Verdict::Unfit)
    ))?;
    undone
}

/// Prints the results of the checks of one student's newest bot, which are made only if there are
/// none or if the bot is to be checked `again`.
fn check_one(folder: &Path, id: &str, again: bool) -> Result<(), Failure> {
    let interrupt = listen()?;
    let class = open(folder)?;
    if again || class.stored_checks(id)?.is_empty() {
        let results = class.check(ToCheck::Again(id), &interrupt, &|_: &Checked| Ok(()))?;
        done(results, "checked", "check")?.1?;
    }
    let checks = class.stored_checks(id)?;
    for (number, checked) in (1..).zip(&checks) {
        if number > 1 {
            say(format_args!(
                "\nAnother check, which does not change the verdict, ended at {}:",
                shown_time(checked.played)
            ))?;
        }
        say_checked(checked)?;
        say(format_args!("\n{}", checked.report))?;
    }
    match checks.first() {
        Some(decisive) if decisive.verdict == Verdict::Unfit => {
            Err(Failure::Reported(exit::NOT_STARTED))
        }
        Some(_) | None => Ok(()),
    }
}

fn site(folder: &Path) -> Result<(), Failure> {
    let pages = open(folder)?.write_pages()?;
    Ok(say(format_args!(
        "{}: the page for all; {}: which page in that folder is whose",
        pages.index.display(),
        pages.list.display()
    ))?)
}

fn grade(
    folder: &Path,
    csv: Option<&Path>,
    gradescope: Option<&Path>,
    force: bool,
) -> Result<(), Failure> {
    let class = open(folder)?;
    if let Some(path) = csv.filter(|path| class.keeps(path)) {
        return Err(Failure::misuse(format!(
            "--csv {} is a file of the class; name another one",
            path.display()
        )));
    }
    let (table, waiting) = class.grades(gradescope)?;
    match csv {
        // A program gets the names as they are. On a terminal they could control it.
        None if io::stdout().is_terminal() => say(String::from_utf8_lossy(&table))?,
        None => io::stdout().lock().write_all(&table)?,
        Some(path) => {
            let output = Output {
                option: "--csv",
                path,
                force,
            };
            output.check()?;
            keep_output(path)?;
            output.write(&table)?;
        }
    }
    match Waiting::summary(&waiting) {
        None => Ok(()),
        Some(summary) => {
            note(&summary);
            Err(Failure::Reported(exit::FAULT))
        }
    }
}

/// Plays a game again. `game` is OPPONENT:NUMBER, as pages name it.
fn dispute(folder: &Path, student: &str, game: &str) -> Result<(), Failure> {
    let _interrupt = listen()?;
    let class = open(folder)?;
    let (opponent, number) = game
        .rsplit_once(':')
        .and_then(|(opponent, number)| Some((opponent, number.parse::<u32>().ok()?.checked_sub(1)?)))
        .ok_or_else(|| {
            Failure::misuse(format!(
                "{game:?} names no game; write OPPONENT:NUMBER as the student's page has it, as in mediocre:17"
            ))
        })?;
    let again = class.dispute(student, opponent, number)?;
    let record = &again.record;
    say(format_args!(
        "{} against {}, game {}, seed {}: {}",
        record.players.one.name,
        record.players.two.name,
        number + 1,
        record.seed,
        record.reason
    ))?;
    let Some(difference) = again.difference else {
        return Ok(say(
            "It was played again from its versions and seed: the same happened.",
        )?);
    };
    say(format_args!(
        "It was played again from its versions and seed, and something else happened: {difference}."
    ))?;
    say(
        "A bot that draws from its seed alone plays the same game again; one that looks at the clock, has several \
         threads or draws otherwise may not.",
    )?;
    Err(Failure::Reported(exit::NOT_STARTED))
}

fn suspicious(folder: &Path) -> Result<(), Failure> {
    let lines = open(folder)?.suspicious(&listen()?)?;
    if lines.is_empty() {
        say("nothing is odd")?;
    }
    Ok(lines.into_iter().try_for_each(say)?)
}

fn status(folder: &Path) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for line in open(folder)?.status()? {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Opens the class in `folder`.
fn open(folder: &Path) -> Result<Class, Failure> {
    let host = Host {
        program: own_program()?,
        player: |name: &str, command: &str, program: &Path| {
            parse_called(name, command, program).map_err(|error| error.to_string())
        },
        test_sandbox: |terms: &GameTerms, launch: &Launch| {
            test_sandbox(terms, launch).map_err(|failure| {
                if let Failure::NotStarted(why) = failure {
                    ClassError::NotStarted(why)
                } else {
                    ClassError::Fault(failure.to_string().into())
                }
            })
        },
        note,
    };
    Ok(Class::open(folder, host)?)
}

/// Prints something on standard output. Names are of students and texts of their bots: none of it
/// controls a terminal.
fn say(what: impl Display) -> io::Result<()> {
    let text = plain(what.to_string().as_bytes());
    writeln!(io::stdout(), "{}", text.trim_end())
}

/// Returns the results of those in which the machine did not fail, and the failure with which the
/// command ends after it has said these. It names the others, which could not be `done` and which
/// the next `step` tries again: one submission does not stop the others.
///
/// # Errors
/// If the referee was interrupted, or its output is closed.
fn done<T>(
    results: PerBot<T>,
    done: &str,
    step: &str,
) -> Result<(Vec<T>, Result<(), Failure>), Failure> {
    let mut decided = Vec::new();
    let mut failures = Vec::new();
    for (bot, result) in results {
        match result.map_err(Failure::from) {
            Ok(one) => decided.push(one),
            Err(failure @ Failure::Interrupted(_)) => return Err(failure),
            Err(failure) if !failure.has_message() => return Err(failure),
            Err(failure) => failures.push((bot, failure)),
        }
    }
    Ok((decided, left_undone(failures, done, step)))
}

/// Says once for each reason what could not be `done`, which the next `step` tries again.
///
/// # Errors
/// If there is any.
fn left_undone(
    failures: impl IntoIterator<Item = (String, Failure)>,
    done: &str,
    step: &str,
) -> Result<(), Failure> {
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    let mut code = None;
    for (what, failure) in failures {
        let reason = text::shown(failure.to_string().as_bytes());
        match reasons.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, all)) => all.push(what),
            None => reasons.push((reason, vec![what])),
        }
        code.get_or_insert(failure.exit_code());
    }
    for (reason, all) in &mut reasons {
        let more = all.len().saturating_sub(MOST_NAMED);
        all.truncate(MOST_NAMED);
        if more > 0 {
            all.push(format!("{more} more"));
        }
        note(&format!(
            "could not be {done}: {}: {reason}",
            all.join(", ")
        ));
    }
    let Some(code) = code else { return Ok(()) };
    note(&format!("the next {step} tries these again"));
    Err(Failure::Reported(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bot_that_the_machine_fails_in_does_not_stop_the_others() {
        let fault = || ClassError::Fault("no memory".into());
        let of = |name: &str, result| (name.to_owned(), result);
        let results = vec![of("ada", Ok(1)), of("bob", Err(fault())), of("cyd", Ok(3))];
        let (built, undone) = done(results, "built", "intake").unwrap();
        assert_eq!((built, undone.unwrap_err().exit_code()), (vec![1, 3], 1));
        let lacks = ClassError::Misuse("no headers".to_owned());
        let (_, undone) = done::<i32>(vec![of("ada", Err(lacks))], "built", "intake").unwrap();
        assert_eq!(undone.unwrap_err().exit_code(), 2);
        let stopped = ClassError::Interrupted("by hand".to_owned());
        let stopped = vec![of("ada", Ok(1)), of("bob", Err(stopped))];
        assert!(done(stopped, "checked", "check").is_err());
        assert!(left_undone([], "decided", "night").is_ok());
    }
}
