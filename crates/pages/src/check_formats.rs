//! A check of a bot as annotations of a workflow of GitHub.

use std::fmt::Write;

use check::{CheckReport, Finding, Outcome, StepReport};

use super::check::verdict;

/// Returns what a step has found, as lines of text; `None` if nothing is wrong.
fn found(step: &StepReport) -> Option<String> {
    let Finding {
        what,
        expected,
        cause,
        dialogue,
    } = step.finding.as_ref()?;
    let lines = [
        format!("seen: {what}"),
        format!("expected: {expected}"),
        format!("cause: {cause}"),
    ];
    Some([&lines[..], dialogue].concat().join("\n"))
}

/// Returns a check as commands of a workflow of GitHub: an annotation for each step that failed or
/// warns, and one with what it comes to.
#[must_use]
pub fn check_for_github(report: &CheckReport) -> String {
    let mut out = String::new();
    for step in &report.steps {
        let level = if step.outcome == Outcome::Fail {
            "error"
        } else {
            "warning"
        };
        let Some(text) = found(step) else { continue };
        let title = of_workflow(step.title)
            .replace(':', "%3A")
            .replace(',', "%2C");
        writeln!(out, "::{level} title={title}::{}", of_workflow(&text)).expect(TAKES_ALL);
    }
    writeln!(out, "::notice::{}", of_workflow(&verdict(report))).expect(TAKES_ALL);
    out
}

/// Returns text as a command of a workflow has it, on one line.
fn of_workflow(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

const TAKES_ALL: &str = "a string takes everything";
