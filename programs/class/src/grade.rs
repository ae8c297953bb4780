//! The results of each student, as CSV and for Gradescope.

use std::io;
use std::path::Path;

use serde::Serialize;

use crate::class::write_whole;
use crate::current::Entry;
use crate::privacy::{make_private_folder, make_results_folder};
use crate::requirement::Reached;
use crate::waiting::Waiting;
use crate::{Class, ClassError, Odd, Requirement, State, Store, Sum, Verdict};
use pages::{Cell, CsvTable, reason_in_words};

/// Returns what cost a bot games besides its strength, in words without a verb.
pub(crate) fn costs(all: &Sum) -> Vec<String> {
    let Odd {
        wasted, attacks, ..
    } = &all.odd;
    let games = all.results.games.max(all.odd.n_faults());
    let faults = all.odd.faults.iter();
    let mut costs: Vec<String> = faults
        .map(|(why, count)| format!("{count} of {games} games: {}", reason_in_words(*why)))
        .collect();
    if *wasted > 0 {
        costs.push(format!("{wasted} of {attacks} attacks wasted"));
    }
    costs
}

impl Class {
    /// Returns the grades as CSV and who has none yet, and writes a `results.json` for each student
    /// into `gradescope`. Work that waits for games, for the next step or for the machine has no
    /// points.
    ///
    /// # Errors
    /// If there are no requirements, the index cannot be read, or a file cannot be written.
    pub fn grades(&self, gradescope: Option<&Path>) -> Result<(Vec<u8>, Vec<Waiting>), ClassError> {
        let store = self.store()?;
        let current = self.current(&store)?;
        let games = self.requirement_games(&store)?;
        if self.config.grade.is_empty() {
            let file = self.folder.config();
            let what =
                "there is no [[grade]], so nothing can be passed; add against, above and points";
            return Err(ClassError::misuse(format!("{}: {what}", file.display())));
        }
        let reached = |entry: &Entry<'_>| -> Vec<Reached> {
            self.config
                .grade
                .iter()
                .map(|one| {
                    let bots = entry.bot.as_ref().zip(current.staff(&one.against));
                    bots.map(|(bot, staff)| self.reached(one, staff, bot, &games))
                        .unwrap_or_default()
                })
                .collect()
        };
        let mut head = vec![
            "id".to_owned(),
            "name".to_owned(),
            "team".to_owned(),
            "points".to_owned(),
        ];
        for one in &self.config.grade {
            let title = title(one);
            head.extend([
                format!("{title} passed"),
                format!("{title} score"),
                format!("{title} low"),
                format!("{title} games"),
            ]);
        }
        head.push("why".to_owned());
        let mut table = CsvTable::new(head);
        if let Some(folder) = gradescope {
            make_results_folder(folder)?;
        }
        let mut all_waiting = Vec::new();
        for entry in &current.entries {
            let all = reached(entry);
            let waiting = self.waiting_for_grade(entry, &all)?;
            let points = points(&self.config.grade, &all).filter(|_| waiting.is_none());
            all_waiting.extend(entry.student.members.iter().filter_map(|_| waiting.clone()));
            let mut reached = Vec::new();
            for one in &all {
                let shown = |value: Option<f64>| {
                    value.map_or_else(
                        || Cell::from(""),
                        |value| Cell::Number(format!("{value:.4}")),
                    )
                };
                // A requirement may still be passed by work that waits.
                let decided = one.decided().filter(|passed| *passed || waiting.is_none());
                reached.push(Cell::from(match decided {
                    None => "",
                    Some(true) => "yes",
                    Some(false) => "no",
                }));
                reached.push(shown(one.score.map(|score| score.0)));
                reached.push(shown(one.score.map(|score| score.1)));
                reached.push(Cell::number(one.sum.results.games));
            }
            let mut problem = why(self, entry)?;
            let in_words = waiting.as_ref().map_or("", Waiting::in_words);
            if problem.is_empty() {
                in_words.clone_into(&mut problem);
            } else if !problem.starts_with(in_words) {
                problem = format!("{problem}; {in_words}");
            }
            let detail = waiting.as_ref().and_then(Waiting::detail);
            let why = |is_for_teacher: bool| {
                let mut reasons = vec![problem.clone()];
                reasons.extend(detail.filter(|_| is_for_teacher).map(str::to_owned));
                let required = self.config.grade.iter().zip(&all);
                let required = required.filter(|(one, _)| is_for_teacher || !one.hidden);
                for (one, reached) in required.filter(|(_, reached)| !reached.is_passed()) {
                    reasons.extend(reached.in_words(one));
                    reasons.extend(costs(&reached.sum));
                }
                reasons.retain(|reason| !reason.is_empty());
                reasons.join("; ")
            };
            reached.push(Cell::from(why(true)));
            let results = gradescope
                .map(|_| results(self, &store, entry, &all, waiting.as_ref(), why(false)))
                .transpose()?;
            for member in &entry.student.members {
                let person = [
                    // The learning platform finds the student by it; the roster has none that is
                    // taken for a formula.
                    Cell::from(&member.id),
                    Cell::from(&member.name),
                    Cell::from(&entry.student.team),
                    points.map_or_else(|| Cell::from(""), Cell::number),
                ];
                table.add(person.into_iter().chain(reached.iter().cloned()));
                if let Some((folder, results)) = gradescope.zip(results.as_ref()) {
                    let folder = folder.join(&member.id);
                    make_private_folder(&folder)?;
                    let text = serde_json::to_string_pretty(results).map_err(io::Error::from)?;
                    write_whole(&folder.join("results.json"), (text + "\n").as_bytes(), true)?;
                }
            }
        }
        Ok((table.into_bytes(), all_waiting))
    }
}

fn title(one: &Requirement) -> String {
    format!("{} above {}", one.against, one.above)
}

/// Returns the points of the requirements that are passed; `None` while one is open.
fn points(grade: &[Requirement], reached: &[Reached]) -> Option<f64> {
    // The sum of no numbers would be -0.
    grade
        .iter()
        .zip(reached)
        .try_fold(0.0, |sum, (one, reached)| {
            let passed = reached.decided()?;
            Some(if passed { sum + one.points } else { sum })
        })
}

/// Returns why a student has no bot that plays, or plays with an earlier version.
///
/// # Errors
/// If what was handed in cannot be read.
pub(crate) fn why(class: &Class, entry: &Entry<'_>) -> Result<String, ClassError> {
    if let Some(waiting) = class.waiting_for_bot(entry)? {
        let what = waiting.in_words();
        return Ok(match entry.bot {
            Some(_) => format!("{what}; an earlier version plays"),
            None => what.to_owned(),
        });
    }
    let newest = entry.versions.last();
    let failed = entry
        .newest
        .as_ref()
        .filter(|bot| bot.verdict == Some(Verdict::Unfit));
    let what = match (newest, failed) {
        (None, _) => {
            let handed_in = class.handed_in(entry.student)?;
            let last = class.last_moment(entry.student);
            if handed_in.late(last) > 0 {
                "handed in too late"
            } else {
                "nothing was handed in"
            }
        }
        (Some(version), _) if version.state != State::Built => match version.state {
            State::Waiting => "the class waits for the course's files",
            State::Refused => "the newest version was refused",
            State::Unbuilt | State::Built => "the newest version cannot be built",
        },
        (Some(_), Some(_)) => "the newest version is unfit to play: see its check",
        (Some(_), None) => return Ok(String::new()),
    };
    Ok(match entry.bot {
        Some(_) => format!("{what}; an earlier one plays"),
        None => what.to_owned(),
    })
}

/// The results of a student as Gradescope's autograder reads them: see "Autograder specifications"
/// in its documentation.
#[derive(Debug, Serialize)]
pub struct GradescopeResults {
    /// The points of the requirements that are passed. None while work waits, and none if a
    /// requirement is hidden: then Gradescope adds up the tests that a student may see.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// The reasons why points are missing, or an earlier version plays; otherwise empty.
    output: String,
    /// The build, the check, and each requirement.
    tests: Vec<Test>,
}

/// A part of the results: the build, the check or a requirement.
#[derive(Debug, Serialize)]
struct Test {
    name: String,
    /// The points that it brings. The build and the check have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// The most that it can bring.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<f64>,
    /// `passed` or `failed`.
    status: &'static str,
    output: String,
    /// `visible` or `after_published`.
    visibility: &'static str,
}

impl Test {
    fn new(name: impl Into<String>, passed: bool, output: String) -> Test {
        let status = if passed { "passed" } else { "failed" };
        let name = name.into();
        let visibility = "visible";
        Test {
            name,
            score: None,
            max_score: None,
            status,
            output,
            visibility,
        }
    }
}

/// Returns the results of a student.
fn results(
    class: &Class,
    store: &Store,
    entry: &Entry<'_>,
    reached: &[Reached],
    waiting: Option<&Waiting>,
    output: String,
) -> Result<GradescopeResults, ClassError> {
    let build = entry.versions.last();
    let (state, log) = match build {
        None => ("nothing was handed in".to_owned(), String::new()),
        Some(version) => (version.state.to_string(), store.log(version)?),
    };
    let is_built = build.is_some_and(|version| version.state == State::Built);
    let mut tests = vec![Test::new("Build", is_built, format!("{state}\n{log}"))];
    if let Some(bot) = &entry.newest {
        let passed = bot.verdict == Some(Verdict::Sound);
        let name = "Check of the protocol, and ten games";
        tests.push(Test::new(name, passed, store.report(bot.id)?));
    }
    for (required, one) in class.config.grade.iter().zip(reached) {
        let said = one.in_words(required);
        let said = said.unwrap_or_else(|| "no games were played".to_owned());
        // Gradescope would add up the points of tests where there is no sum.
        let decided = one.decided().filter(|_| waiting.is_none());
        tests.push(Test {
            score: decided.map(|passed| if passed { required.points } else { 0.0 }),
            max_score: decided.map(|_| required.points),
            visibility: if required.hidden {
                "after_published"
            } else {
                "visible"
            },
            ..Test::new(
                format!("Against {}", title(required)),
                one.is_passed(),
                said,
            )
        });
    }
    let has_hidden = class.config.grade.iter().any(|one| one.hidden);
    if has_hidden && waiting.is_none() {
        // Without a sum each test needs points.
        for test in tests.iter_mut().filter(|test| test.score.is_none()) {
            test.score = Some(0.0);
            test.max_score = Some(0.0);
        }
    }
    let score = points(&class.config.grade, reached);
    let score = score.filter(|_| waiting.is_none() && !has_hidden);
    Ok(GradescopeResults {
        score,
        output,
        tests,
    })
}
