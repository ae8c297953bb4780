//! Reports of `referee check`.

use std::ops::Deref;

use serde_json::Value;

use crate::run::{Dir, Done};

/// So long that no bot here is ever late for it, however busy the machine.
pub const PATIENT: &str = "--grace 60s --limit 60s --start-limit 60s";

/// A report, and how the check has ended.
#[derive(Debug)]
pub struct Report {
    done: Done,
    steps: Vec<Value>,
}

impl Deref for Report {
    type Target = Done;

    fn deref(&self) -> &Done {
        &self.done
    }
}

impl Report {
    /// Checks a bot with these options.
    #[track_caller]
    pub fn of(dir: &Dir, bot: &str, options: &str) -> Report {
        Report::within(dir, ".", bot, options)
    }

    /// The same in a folder of the folder.
    #[track_caller]
    pub fn within(dir: &Dir, folder: &str, bot: &str, options: &str) -> Report {
        let run = dir.run("check --json").within(folder);
        let done = run.arg(bot).args(options).ends();
        let steps = done.json()["steps"].as_array().unwrap().clone();
        Report { done, steps }
    }

    #[track_caller]
    fn step(&self, name: &str) -> &Value {
        let step = self.steps.iter().find(|step| step["step"] == name);
        step.unwrap_or_else(|| self.fail(&format!("there is no step {name}")))
    }

    /// `pass`, `fail`, `warn`, `note` or `not_tried`.
    pub fn outcome(&self, name: &str) -> &str {
        self.step(name)["outcome"].as_str().unwrap()
    }

    /// The remark about a step.
    pub fn remark(&self, name: &str) -> &str {
        self.step(name)["said"].as_str().unwrap_or_default()
    }

    /// What was found in a step: its `what`, `expected`, `cause` or `dialogue`.
    pub fn finding(&self, name: &str, part: &str) -> &str {
        self.step(name)["finding"][part]
            .as_str()
            .unwrap_or_default()
    }

    pub fn dialogue(&self, name: &str) -> Vec<&str> {
        let lines = self.step(name)["finding"]["dialogue"].as_array().unwrap();
        lines.iter().map(|line| line.as_str().unwrap()).collect()
    }

    /// The steps that ended so.
    pub fn steps_that(&self, outcome: &str) -> Vec<&str> {
        let steps = self.steps.iter().filter(|step| step["outcome"] == outcome);
        steps.map(|step| step["step"].as_str().unwrap()).collect()
    }

    /// A step has this outcome, and its cause or remark has these words. The exit code fits.
    #[track_caller]
    pub fn finds(&self, name: &str, outcome: &str, words: &str) {
        let found = [
            self.finding(name, "cause"),
            self.finding(name, "what"),
            self.remark(name),
        ];
        if self.outcome(name) != outcome || !found.iter().any(|text| text.contains(words)) {
            self.fail(&format!("{name} is not {outcome}: {words}"));
        }
        self.exits(if self.steps_that("fail").is_empty() {
            0
        } else {
            4
        });
    }

    /// Nothing fails, and at most these steps warn.
    #[track_caller]
    pub fn passes_but_for(&self, warned: &[&str]) {
        self.exits(0);
        if !self
            .steps_that("warn")
            .iter()
            .all(|step| warned.contains(step))
        {
            self.fail("it warns");
        }
        assert_eq!(self.remark("seed"), "it does");
    }
}
