//! The list of black-box tests: which there are, which this machine can run, and in which tier each
//! is.
//!
//! Under `#[test]` a test whose tool is missing could only pass. In this list it is left out,
//! counted and named.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, mem};

use libtest_mimic::{Arguments, Completion, Trial};

use crate::tools::{Tool, WINE, find_python};
use crate::wine;

/// Number of the slowest tests that are named.
const SLOWEST: usize = 10;

/// The number of programs that the fixtures have started.
pub(crate) static STARTS: AtomicUsize = AtomicUsize::new(0);

/// The tests that have ended, and how long they took.
static ENDED: Mutex<Vec<(Duration, String)>> = Mutex::new(Vec::new());

/// The names of all tests, those left out too.
static NAMES: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// When a test runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// With `cargo test`.
    First,
    /// With `cargo thorough`: what takes longer than a developer waits.
    Thorough,
    /// With `TIER=release` too: what is run once a night.
    Release,
}

/// A row of a table whose rows are tests of their own.
pub trait Row {
    /// The name of the test of this row. Anything but letters and digits becomes an underscore.
    fn name(&self) -> &str;

    /// The tools that this row needs beside those of the table.
    fn tools(&self) -> &'static [Tool] {
        &[]
    }
}

impl Row for &str {
    fn name(&self) -> &str {
        self
    }
}

/// Typed words, and what is printed about them.
impl Row for (&[&str], &str) {
    fn name(&self) -> &str {
        self.1
    }
}

impl<A> Row for (&str, A) {
    fn name(&self) -> &str {
        self.0
    }
}

impl<A, B> Row for (&str, A, B) {
    fn name(&self) -> &str {
        self.0
    }
}

impl<A, B, C> Row for (&str, A, B, C) {
    fn name(&self) -> &str {
        self.0
    }
}

/// The words of a row's name that the name of a test takes at most.
const LONGEST_NAME: usize = 6;

/// Adds functions of this module to a list of tests: `add!(tests, a_fault_is_named,
/// an_order_is_kept)`.
#[macro_export]
macro_rules! add {
    ($tests:ident, $($test:ident),+ $(,)?) => {
        $($tests.add(concat!(module_path!(), "::", stringify!($test)), $test);)+
    };
}

/// Adds a test for each row of a table: `rows!(tests, FAULTS, a_fault_is_named)`. With a number at
/// the end only so many rows are in the first tier, the others in the thorough one.
#[macro_export]
macro_rules! rows {
    ($tests:ident, $table:expr, $test:ident) => {
        $crate::rows!($tests, $table, $test, usize::MAX)
    };
    ($tests:ident, $table:expr, $test:ident, $first:expr) => {
        $tests.rows(
            concat!(module_path!(), "::", stringify!($test)),
            &$table,
            $test,
            $first,
        )
    };
}

/// Runs the tests of a list: those that the command line asks for, as far as this machine has their
/// tools.
pub fn run(list: fn(&mut Tests)) -> ExitCode {
    let mut tests = Tests::from_args();
    list(&mut tests);
    tests.run()
}

/// A list of tests, to which the modules add theirs.
pub struct Tests {
    arguments: Arguments,
    trials: Vec<Trial>,
    tools: Vec<Tool>,
    tier: Tier,
    is_release: bool,
    /// The number of tests left out, by reason.
    left_out: BTreeMap<String, usize>,
}

fn check_name(path: &str) {
    let name = path.rsplit("::").next().unwrap_or(path);
    let words = name.split('_').count();
    assert!(words <= 8, "{name} has more than eight words");
}

impl Tests {
    /// An empty list, of which the command line chooses.
    fn from_args() -> Tests {
        panic::set_hook(Box::new(|panic| {
            let report = panic.to_string();
            let kept = REPORT.with_borrow_mut(|kept| kept.replace(report.clone()));
            // Nobody collects the reports of threads that a test starts.
            if kept.is_none() {
                let _ = writeln!(io::stderr(), "{report}");
            }
        }));
        restore_signals();
        find_python();
        let mut arguments = Arguments::from_args();
        // Tests wait for programs about as long as they compute. With five a core the thorough tier
        // takes a fifth longer.
        let cores = thread::available_parallelism().map_or(1, usize::from);
        arguments.test_threads.get_or_insert(2 * cores);
        Tests {
            arguments,
            trials: Vec::new(),
            tools: Vec::new(),
            tier: Tier::First,
            is_release: env::var("TIER").is_ok_and(|tier| tier == "release"),
            left_out: BTreeMap::new(),
        }
    }

    /// Adds a test with its path; [`add!`](crate::add!) writes that.
    pub fn add(&mut self, path: &str, test: fn()) {
        check_name(path);
        self.insert(path, self.tier, self.tools.clone(), test);
    }

    /// Adds a test for each row of a table; [`rows!`](crate::rows!) writes the path.
    pub fn rows<T: Row + Copy + Send + Sync>(
        &mut self,
        path: &str,
        table: &'static [T],
        test: fn(T),
        first: usize,
    ) {
        check_name(path);
        let mut taken = BTreeSet::new();
        for (number, row) in table.iter().enumerate() {
            let words = row.name().split(|char: char| !char.is_ascii_alphanumeric());
            let words = words.filter(|word| !word.is_empty());
            let mut name = words.take(LONGEST_NAME).collect::<Vec<_>>().join("_");
            // Two rows may begin alike, and two tests must not have one name.
            if !taken.insert(name.clone()) {
                let _ = write!(name, "_{}", number + 1);
            }
            let tier = if number < first || self.tier == Tier::Release {
                self.tier
            } else {
                Tier::Thorough
            };
            let tools = [&self.tools, row.tools()].concat();
            self.insert(&format!("{path}::{name}"), tier, tools, move || test(*row));
        }
    }

    /// Adds tests that need these tools.
    pub fn needing(&mut self, tools: &[Tool], inner: impl FnOnce(&mut Tests)) {
        let outer = self.tools.len();
        self.tools.extend_from_slice(tools);
        inner(self);
        self.tools.truncate(outer);
    }

    /// Adds tests of this tier.
    pub fn tier(&mut self, tier: Tier, inner: impl FnOnce(&mut Tests)) {
        let outer = mem::replace(&mut self.tier, tier);
        inner(self);
        self.tier = outer;
    }

    fn insert(
        &mut self,
        path: &str,
        tier: Tier,
        tools: Vec<Tool>,
        test: impl Fn() + Send + 'static,
    ) {
        // A path begins with the name of the test binary.
        let name = path
            .split_once("::")
            .map_or(path, |(_, name)| name)
            .to_owned();
        names().insert(name.clone());
        let is_left_out = tier == Tier::Release && !self.is_release;
        let by_wine = wine::is_used() || tools.contains(&WINE);
        let mut missing: Vec<Tool> = Vec::new();
        for tool in tools {
            if !tool.is_found() && !missing.contains(&tool) {
                missing.push(tool);
            }
        }
        let is_ci = env::var("CI").is_ok_and(|value| value == "true");
        let may_lack = missing.iter().any(|tool| !is_ci || tool.is_optional);
        let advice: Vec<_> = missing.iter().map(Tool::to_string).collect();
        let advice = advice.join(" and ");
        let is_complete = missing.is_empty();
        let reason = format!("need {advice}");
        let trial = Trial::ignorable_test(name.clone(), move || {
            if is_complete {
                attempt(&name, by_wine, &test).map(|()| Completion::Completed)
            } else if may_lack {
                Ok(Completion::ignored_with(advice))
            } else {
                Err(format!("needs {advice}").into())
            }
        });
        let trial = trial.with_ignored_flag(tier != Tier::First);
        if !self.arguments.is_filtered_out(&trial) {
            if is_left_out {
                self.leave_out("are for a release (TIER=release cargo thorough)");
            } else if self.arguments.is_ignored(&trial) {
                self.leave_out("are in the thorough tier (cargo thorough)");
            } else if may_lack {
                self.leave_out(&reason);
            }
        }
        if !is_left_out {
            self.trials.push(trial);
        }
    }

    fn leave_out(&mut self, reason: &str) {
        *self.left_out.entry(reason.to_owned()).or_default() += 1;
    }

    /// Runs the tests that the command line asks for, and reports what was left out and what took
    /// longest.
    fn run(self) -> ExitCode {
        let conclusion = libtest_mimic::run(&self.arguments, self.trials);
        if !self.arguments.list {
            let mut report = String::new();
            for (reason, count) in self.left_out {
                let _ = writeln!(report, "left out: {count:4} {reason}");
            }
            let mut ended = ENDED.lock().unwrap_or_else(PoisonError::into_inner);
            ended.sort_by(|(one, _), (other, _)| other.cmp(one));
            let all: Duration = ended.iter().map(|(took, _)| took).sum();
            let starts = STARTS.load(Ordering::Relaxed);
            let _ = writeln!(
                report,
                "{} tests took {} s and started {starts} programs; the slowest:",
                ended.len(),
                all.as_secs()
            );
            for (took, name) in ended.iter().take(SLOWEST) {
                let _ = writeln!(report, "{:6.1} s {name}", took.as_secs_f64());
            }
            let _ = writeln!(io::stdout(), "{report}");
        }
        conclusion.exit_code()
    }
}

/// The names of all tests, also of those that are left out.
pub fn names() -> std::sync::MutexGuard<'static, BTreeSet<String>> {
    NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

thread_local! {
    /// The report of the last panic of the test on this thread, while it runs.
    static REPORT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs a test; the error is the report of its panic, which is printed among the failures. One that
/// runs programs by Wine may fail once, since Wine fails in one of some hundred programs that are
/// started at once.
fn attempt(name: &str, by_wine: bool, test: &dyn Fn()) -> Result<(), libtest_mimic::Failed> {
    let began = Instant::now();
    let once = || {
        REPORT.set(Some(String::new()));
        let result = panic::catch_unwind(AssertUnwindSafe(test));
        let report = REPORT.take().unwrap_or_default();
        result.map_err(|_| report)
    };
    let mut result = once();
    if by_wine && result.is_err() {
        result = once();
    }
    let mut ended = ENDED.lock().unwrap_or_else(PoisonError::into_inner);
    ended.push((began.elapsed(), name.to_owned()));
    Ok(result?)
}

/// Lets signals end the programs that the tests start: a shell that starts the tests in the
/// background, and `nohup`, have them ignored, and programs inherit that.
fn restore_signals() {
    #[cfg(target_os = "linux")]
    for signal in [libc::SIGINT, libc::SIGHUP] {
        // SAFETY: No handler is installed, and no thread has been started yet.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}
