//! The test harness: collects what `#[test]` registers, leaves out the thorough tier and the tests whose tools this machine
//! lacks, and runs the rest as the standard harness does, with the same options and output.
//!
//! The thorough tier is what the standard harness calls ignored: `--include-ignored` runs both tiers, `--ignored` the
//! thorough one alone. With `TIER=release` in the environment the thorough tier has the tests of a release too.

mod limit;
pub mod needs;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::{env, fs, iter, ptr};

use libtest_mimic::{Arguments, Completion, Failed, Trial};

use needs::Need;

use crate::common::wine;

/// A function below `#[test]`.
pub struct Test {
    pub module: &'static str,
    pub name: &'static str,
    pub needs: &'static [&'static Need],
    /// The number of rows in the first tier, counted from the first one. The others are in the thorough tier.
    pub first: usize,
    /// Whether it is in the tier of a release, all rows of it.
    pub is_release: bool,
    pub body: Body,
}

inventory::collect!(Test);

impl Test {
    /// Returns the module and the name, as in `play::classic::a_full_disk_is_reported`.
    fn full_name(&self) -> String {
        // The first part is the name of this binary.
        let module = self
            .module
            .split_once("::")
            .map_or("", |(_, module)| module);
        format!("{module}::{}", self.name)
    }

    /// Returns the test itself, or that of each row.
    fn singles(&self) -> Vec<Single> {
        let (name, needs) = (self.full_name(), self.needs.to_vec());
        match self.body {
            Body::One(test) => {
                vec![Single {
                    name,
                    needs,
                    is_thorough: self.first == 0,
                    is_release: self.is_release,
                    run: Box::new(test),
                }]
            }
            Body::Rows(rows) => {
                let single = |(number, row): (usize, Row)| Single {
                    name: format!("{name}::{}", row.label),
                    needs: [&needs, row.needs].concat(),
                    is_thorough: number >= self.first,
                    is_release: self.is_release,
                    run: row.run,
                };
                rows().into_iter().enumerate().map(single).collect()
            }
        }
    }
}

/// A test with the name by which it is run.
struct Single {
    name: String,
    needs: Vec<&'static Need>,
    is_thorough: bool,
    is_release: bool,
    run: Box<dyn Fn() + Send>,
}

pub enum Body {
    One(fn()),
    /// Returns the test of each row of a table.
    Rows(fn() -> Vec<Row>),
}

/// The test of one row of a table.
pub struct Row {
    label: String,
    needs: &'static [&'static Need],
    run: Box<dyn Fn() + Send>,
}

/// A row of a table whose rows are tests of their own.
pub trait Label {
    /// The name of the test of this row. Anything but letters and digits becomes an underscore.
    fn label(&self) -> &str;

    /// Returns the needs of this row alone.
    fn needs(&self) -> &'static [&'static Need] {
        &[]
    }
}

impl Label for &str {
    fn label(&self) -> &str {
        self
    }
}

/// Arguments, and what is said of them.
impl Label for (&[&str], &str) {
    fn label(&self) -> &str {
        self.1
    }
}

impl<A> Label for (&str, A) {
    fn label(&self) -> &str {
        self.0
    }
}

impl<A, B> Label for (&str, A, B) {
    fn label(&self) -> &str {
        self.0
    }
}

impl<A, B, C> Label for (&str, A, B, C) {
    fn label(&self) -> &str {
        self.0
    }
}

/// The most words of a label that the name of a test takes.
const LONGEST_LABEL: usize = 6;

/// Returns a test for each row of `table`.
pub fn rows<T: Label + Copy + Sync>(table: &'static [T], test: fn(T)) -> Vec<Row> {
    let mut taken = BTreeSet::new();
    let row = |row: &'static T| {
        let words = row
            .label()
            .split(|char: char| !char.is_ascii_alphanumeric());
        let words: Vec<_> = words
            .filter(|word| !word.is_empty())
            .take(LONGEST_LABEL)
            .collect();
        let label = words.join("_");
        // Two rows may begin alike, and two tests must not have one name.
        let mut numbers = (2..).map(|number| format!("{label}_{number}"));
        let mut unique = label.clone();
        while !taken.insert(unique.clone()) {
            unique.clone_from(&numbers.next().expect("numbers without end"));
        }
        Row {
            label: unique,
            needs: row.needs(),
            run: Box::new(move || test(*row)),
        }
    };
    table.iter().map(row).collect()
}

/// Says why a test is left out with the programs for Windows, by its name and needs.
pub type WhyLeftOut = fn(&str, &[&Need]) -> Option<String>;

/// Runs the tests that the command line asks for.
pub fn run(why_left_out: WhyLeftOut) -> ExitCode {
    panic::set_hook(Box::new(|panic| {
        let report = panic.to_string();
        // A thread that a test starts has no one who reads its report, so it says it at once.
        let is_kept = REPORT.with_borrow_mut(|kept| match kept {
            Some(kept) => {
                kept.clone_from(&report);
                true
            }
            None => false,
        });
        if !is_kept {
            let _ = writeln!(io::stderr(), "{report}");
        }
    }));
    hear_ctrl_c();
    start_python_itself();
    let mut arguments = Arguments::from_args();
    // Tests wait for programs about as long as they compute. With five a core the thorough tier takes a fifth longer.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    arguments.test_threads.get_or_insert(2 * cores);
    let is_release = env::var("TIER").is_ok_and(|tier| tier == "release");
    let is_ci = env::var("CI").is_ok_and(|value| value == "true");
    let mut left_out = LeftOut::default();
    let mut trials = Vec::new();
    let mut tests: Vec<_> = inventory::iter::<Test>().collect();
    // The order in which tests are registered is up to the linker.
    tests.sort_by_key(|test| (test.module, test.name));
    let mut elsewhere: BTreeMap<String, usize> = BTreeMap::new();
    for single in tests.into_iter().flat_map(Test::singles) {
        if wine::is_used()
            && let Some(reason) = why_left_out(&single.name, &single.needs)
        {
            *elsewhere.entry(reason).or_default() += 1;
            continue;
        }
        if single.is_release && !is_release {
            left_out.release += 1;
            continue;
        }
        let by_wine = wine::is_used()
            || single
                .needs
                .iter()
                .any(|need| ptr::eq(*need, &raw const needs::WINE));
        let missing: Vec<_> = single
            .needs
            .into_iter()
            .filter(|need| !need.is_met())
            .collect();
        let may_lack = missing.iter().any(|need| !is_ci || need.is_optional());
        let trial = trial(single.name, &missing, may_lack, by_wine, single.run);
        let trial = trial.with_ignored_flag(single.is_thorough);
        if !arguments.is_filtered_out(&trial) {
            if arguments.is_ignored(&trial) {
                left_out.thorough += 1;
            } else if may_lack {
                left_out.add(&missing);
            }
        }
        trials.push(trial);
    }
    limit::watch();
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !arguments.list {
        limit::report();
        left_out.report();
        for (reason, count) in elsewhere {
            let plural = plural(count);
            let _ = writeln!(
                io::stdout(),
                "left out on Windows: {count} test{plural}: {reason}"
            );
        }
    }
    conclusion.exit_code()
}

/// Lets Ctrl-C end programs that the tests start: a shell that starts the tests in the background has it ignored, and they
/// would inherit that.
#[cfg(target_os = "linux")]
fn hear_ctrl_c() {
    // SAFETY: No handler is installed, and no thread has been started yet.
    unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) };
}

#[cfg(not(target_os = "linux"))]
fn hear_ctrl_c() {}

/// Puts the folder of the Python interpreter first on the PATH if `python3` is a script that finds it, as that of a version
/// manager. The script takes longer than the start of Python, and the tests start many bots.
fn start_python_itself() {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|folder| folder.join("python3"));
    let is_script = |file: PathBuf| fs::read(file).is_ok_and(|bytes| bytes.starts_with(b"#!"));
    if !found
        .into_iter()
        .find(|file| file.is_file())
        .is_some_and(is_script)
    {
        return;
    }
    let program = "import os, sys; print(os.path.dirname(sys.executable), end='')";
    let Ok(output) = Command::new("python3").args(["-c", program]).output() else {
        return;
    };
    let Ok(folder) = String::from_utf8(output.stdout) else {
        return;
    };
    let folders = iter::once(PathBuf::from(folder)).chain(env::split_paths(&path));
    if let Ok(path) = env::join_paths(folders) {
        // SAFETY: No thread has been started yet.
        unsafe { env::set_var("PATH", path) };
    }
}

/// The names of all tests: of the functions, and of their rows.
pub fn names() -> impl Iterator<Item = String> {
    let singles = |test: &Test| test.singles().into_iter().map(|single| single.name);
    inventory::iter::<Test>().flat_map(move |test| singles(test).chain([test.full_name()]))
}

/// The tools that tests need, each with Debian's package.
pub fn tools() -> impl Iterator<Item = (&'static str, &'static str)> {
    let singles = inventory::iter::<Test>().flat_map(Test::singles);
    singles
        .flat_map(|single| single.needs)
        .filter_map(|need| Some((need.name(), need.package()?)))
}

/// Returns a test that runs `run`. If something is missing it is left out, or fails unless the machine `may_lack` that. One
/// that runs programs by Wine may fail once.
fn trial(
    name: String,
    missing: &[&Need],
    may_lack: bool,
    by_wine: bool,
    run: Box<dyn Fn() + Send>,
) -> Trial {
    if missing.is_empty() {
        let entry = name.clone();
        return Trial::test(name, move || {
            let _entry = limit::Entry::of(&entry);
            let result = caught(&run);
            match result {
                // Wine itself fails in one of some hundred programs that are started at once.
                Err(failed) if by_wine => {
                    let why = failed.message().unwrap_or_default();
                    let _ = writeln!(io::stderr(), "{entry} is tried again: {why}");
                    caught(&run)
                }
                result => result,
            }
        });
    }
    let advice: Vec<_> = missing.iter().map(|need| need.advice()).collect();
    let advice = advice.join("; ");
    Trial::ignorable_test(name, move || {
        if may_lack {
            Ok(Completion::ignored_with(advice))
        } else {
            Err(advice.into())
        }
    })
}

thread_local! {
    /// The message of the panic of the test on this thread while the test runs.
    static REPORT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs a test; if it panics, returns what the panic said and where, to be shown among the failures.
fn caught(test: &dyn Fn()) -> Result<(), Failed> {
    REPORT.set(Some(String::new()));
    let result = panic::catch_unwind(AssertUnwindSafe(test));
    let report = REPORT.take().unwrap_or_default();
    result.map_err(|_| report.into())
}

/// The tests that were left out.
#[derive(Default)]
struct LeftOut {
    /// Those that are in the thorough tier.
    thorough: usize,
    /// Those that are in the tier of a release.
    release: usize,
    /// Those that lack a tool.
    tests: usize,
    /// The number of them that lack a tool, by its name, and Debian's package of it.
    by_tool: BTreeMap<(&'static str, Option<&'static str>), usize>,
}

impl LeftOut {
    fn add(&mut self, missing: &[&Need]) {
        self.tests += 1;
        for need in missing {
            *self
                .by_tool
                .entry((need.name(), need.package()))
                .or_default() += 1;
        }
    }

    fn report(&self) {
        let count = self.tests + self.thorough + self.release;
        if count == 0 {
            return;
        }
        let mut text = format!("left out: {count} test{}\n", plural(count));
        if self.thorough > 0 {
            let are = if self.thorough == 1 { "is" } else { "are" };
            let _ = writeln!(
                text,
                "{:6} {are} in the thorough tier (cargo thorough)",
                self.thorough
            );
        }
        if self.release > 0 {
            let are = if self.release == 1 { "is" } else { "are" };
            let _ = writeln!(
                text,
                "{:6} {are} for a release (TIER=release cargo thorough)",
                self.release
            );
        }
        for ((name, package), count) in &self.by_tool {
            let needs = if *count == 1 { "needs" } else { "need" };
            let _ = write!(text, "{count:6} {needs} {name}");
            let _ = package.map_or(Ok(()), |package| write!(text, " (Debian: {package})"));
            text.push('\n');
        }
        let _ = writeln!(io::stdout(), "{text}");
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
