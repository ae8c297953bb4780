//! A check of a bot, step by step, as text.

use std::borrow::Cow;
use std::io::{self, Write};

use textwrap::{Options, WordSplitter};

use arena::words::counted;
use check::{CheckReport, Finding, Outcome, StepReport};

/// The longest line of text of our own, in characters.
pub(super) const WIDTH: usize = 110;

/// The column at which the text about a step begins.
const INDENT: usize = 10;

/// Prints the steps of a check as they are done.
#[derive(Debug)]
pub struct CheckPrinter<W> {
    out: W,
    /// Steps in a row that were not tried for one reason and are not printed yet: the first, the
    /// last, and why.
    not_tried: Option<(StepReport, usize)>,
    /// The steps that have found something, and the cause of that: what has the same cause is told
    /// once.
    causes: Vec<(usize, String)>,
}

impl<W: Write> CheckPrinter<W> {
    /// Returns a printer to `out`.
    pub fn new(out: W) -> CheckPrinter<W> {
        CheckPrinter {
            out,
            not_tried: None,
            causes: Vec::new(),
        }
    }

    /// Prints one step.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn step(&mut self, step: &StepReport) -> io::Result<()> {
        let StepReport {
            number,
            title,
            outcome,
            said,
            ..
        } = step;
        if *outcome == Outcome::NotTried {
            match &mut self.not_tried {
                Some((first, last)) if first.said == *said => *last = *number,
                Some(_) | None => {
                    self.not_tried()?;
                    self.not_tried = Some((step.clone(), *number));
                }
            }
            return Ok(());
        }
        self.not_tried()?;
        let colon = if said.is_empty() { "" } else { ": " };
        writeln!(
            self.out,
            "{:<6}{number:>2}  {title}{colon}{said}",
            mark(*outcome)
        )?;
        if let Some(finding) = &step.finding {
            self.finding(*number, finding)?;
        }
        self.out.flush()
    }

    /// Prints the steps that were not tried and are not printed yet.
    fn not_tried(&mut self) -> io::Result<()> {
        match self.not_tried.take() {
            None => Ok(()),
            Some((
                StepReport {
                    number,
                    title,
                    said,
                    ..
                },
                last,
            )) if last == number => {
                writeln!(self.out, "-     {number:>2}  {title}: not tried, {said}")
            }
            Some((StepReport { number, said, .. }, last)) => {
                let steps = format!("{number}-{last}");
                writeln!(self.out, "- {steps:>6}  not tried: {said}")
            }
        }
    }

    fn finding(&mut self, step: usize, finding: &Finding) -> io::Result<()> {
        let Finding {
            what,
            expected,
            cause,
            dialogue,
        } = finding;
        if let Some((first, _)) = self.causes.iter().find(|(_, other)| other == cause) {
            let text = format!("{what}: the same fault as step {first}");
            for line in wrapped(&text, WIDTH - INDENT) {
                writeln!(self.out, "{:INDENT$}{line}", "")?;
            }
            return writeln!(self.out);
        }
        self.causes.push((step, cause.clone()));
        for (word, text) in [("seen", what), ("expected", expected), ("cause", cause)] {
            let mut word = word;
            for line in wrapped(text, WIDTH - INDENT - 10) {
                writeln!(self.out, "{:INDENT$}{word:<10}{line}", "")?;
                word = "";
            }
        }
        for line in dialogue {
            writeln!(self.out, "{:INDENT$}{line}", "")?;
        }
        writeln!(self.out)
    }

    /// Prints the verdict.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(&mut self, report: &CheckReport) -> io::Result<()> {
        self.not_tried()?;
        let counts = [
            (Outcome::Fail, "failed"),
            (Outcome::Warn, "with a warning"),
            (Outcome::NotTried, "not tried"),
        ];
        let counts = counts.map(|(outcome, word)| {
            (
                report
                    .steps
                    .iter()
                    .filter(|step| step.outcome == outcome)
                    .count(),
                word,
            )
        });
        let others: Vec<_> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        let others = if others.is_empty() {
            "all well".to_owned()
        } else {
            others.join(", ")
        };
        writeln!(self.out, "\n{}, {others}.", verdict(report))?;
        self.out.flush()
    }
}

/// Returns what a check comes to, and of how many steps.
pub(super) fn verdict(
    CheckReport {
        name,
        verdict,
        steps,
        ..
    }: &CheckReport,
) -> String {
    format!("{name} {verdict}: {}", counted(steps.len() as u64, "step"))
}

fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "ok",
        Outcome::Note => "note",
        Outcome::Warn => "warn",
        Outcome::Fail => "FAIL",
        Outcome::NotTried => "-",
    }
}

/// Returns `text` in lines of at most `width` characters, broken between words only: a longer word
/// may be a command, which would be another one in two pieces.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<Cow<'_, str>> {
    let options = Options::new(width)
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation);
    textwrap::wrap(text, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_cause_is_told_once() {
        let step = |number, what: &str| StepReport {
            number,
            step: "attack",
            title: "attacks",
            outcome: Outcome::Fail,
            said: String::new(),
            finding: Some(Finding {
                what: what.to_owned(),
                expected: "a line".to_owned(),
                cause: "It ends.".to_owned(),
                dialogue: vec!["-> attack 1 1".to_owned()],
            }),
        };
        let mut out = Vec::new();
        let mut printer = CheckPrinter::new(&mut out);
        printer.step(&step(4, "exited")).unwrap();
        printer.step(&step(7, "exited again")).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.ends_with(
                "FAIL   7  attacks\n          exited again: the same fault as step 4\n\n"
            ),
            "{text}"
        );
        assert_eq!(text.matches("It ends.").count(), 1, "{text}");
    }

    #[test]
    fn lines_are_cut_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("extraordinary", 7), ["extraordinary"]);
        assert_eq!(wrapped("", 7), [""]);
    }
}
