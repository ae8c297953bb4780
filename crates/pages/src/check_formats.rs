//! A check of a bot for the services that run it: annotations of GitHub, and the XML of `JUnit`.

use std::fmt::Write;

use engine::check::{Finding, Outcome, Report, StepReport};

use super::check::verdict;
use super::picture::escaped;

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

/// Returns a check as commands of a workflow of GitHub: an annotation for each step that failed or warns, and one with what it
/// comes to.
#[must_use]
pub fn check_for_github(report: &Report) -> String {
    let mut out = String::new();
    for step in &report.steps {
        let level = if step.outcome == Outcome::Fail {
            "error"
        } else {
            "warning"
        };
        let Some(text) = found(step) else { continue };
        let place = if step.step == "position" {
            "file"
        } else {
            "title"
        };
        let title = of_workflow(&step.title)
            .replace(':', "%3A")
            .replace(',', "%2C");
        writeln!(out, "::{level} {place}={title}::{}", of_workflow(&text)).expect(TAKES_ALL);
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

/// Returns a check as an XML document of the form that `JUnit` made usual.
#[must_use]
pub fn check_as_junit(report: &Report) -> String {
    let (tests, name) = (report.steps.len(), escaped(&report.name));
    let [failures, skipped] =
        [Outcome::Fail, Outcome::NotTried].map(|outcome| report.count(outcome));
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"{name}\" tests=\"{tests}\" \
         failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n"
    );
    for step in &report.steps {
        write!(
            out,
            "<testcase classname=\"{name}\" name=\"{}\">",
            escaped(&step.title)
        )
        .expect(TAKES_ALL);
        // Line by line: an escaped line end is not a line end.
        let text = found(step).unwrap_or_else(|| step.said.clone());
        let text: Vec<_> = text.lines().map(escaped).collect();
        let (first, text) = (text.first().cloned().unwrap_or_default(), text.join("\n"));
        let _ = match step.outcome {
            Outcome::Fail => write!(out, "<failure message=\"{first}\">{text}</failure>"),
            Outcome::NotTried => write!(out, "<skipped message=\"{first}\"/>"),
            Outcome::Pass | Outcome::Note | Outcome::Warn => {
                write!(out, "<system-out>{text}</system-out>")
            }
        };
        out.push_str("</testcase>\n");
    }
    out + "</testsuite>\n</testsuites>\n"
}

const TAKES_ALL: &str = "a string takes everything";
