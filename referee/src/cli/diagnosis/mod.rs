//! The checks of `referee doctor`: each file here is a part of the machine, and returns findings.

mod folder;
mod game;
mod languages;
mod machine;
mod sandbox;
mod terminal;

use textwrap::{Options, WordSplitter};

/// The width of the report: terminals are seldom narrower.
const WIDTH: usize = 80;

/// Before the text of a finding: its state and its name.
const INDENT: usize = 20;

/// The state of a part of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// As it should be.
    Ok,
    /// It works, with a drawback.
    Note,
    /// It is not there.
    Missing,
    /// It does not work.
    Failed,
}

impl State {
    const fn word(self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Note => "note",
            State::Missing => "missing",
            State::Failed => "failed",
        }
    }
}

/// A finding about a part of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    /// The name of the part.
    name: &'static str,
    state: State,
    /// The facts that were found.
    found: String,
    /// Advice on how to get the rest, if something is missing.
    hint: Option<String>,
}

impl Finding {
    fn new(name: &'static str, state: State, found: impl Into<String>) -> Finding {
        Finding {
            name,
            state,
            found: found.into(),
            hint: None,
        }
    }

    fn ok(name: &'static str, found: impl Into<String>) -> Finding {
        Finding::new(name, State::Ok, found)
    }

    fn note(name: &'static str, found: impl Into<String>, hint: impl Into<String>) -> Finding {
        Finding {
            hint: Some(hint.into()),
            ..Finding::new(name, State::Note, found)
        }
    }

    fn missing(name: &'static str, found: impl Into<String>, hint: impl Into<String>) -> Finding {
        Finding {
            state: State::Missing,
            ..Finding::note(name, found, hint)
        }
    }
}

/// The report on the parts of this machine.
#[derive(Clone, Debug)]
pub(super) struct Report {
    version: &'static str,
    os: &'static str,
    arch: &'static str,
    /// Whether a game was played.
    pub(super) playable: bool,
    findings: Vec<Finding>,
}

impl Report {
    /// Looks at everything. Uses no network, and leaves no file behind.
    pub(super) fn make() -> Report {
        let game = game::play();
        let playable = game.state == State::Ok;
        let mut findings = vec![game];
        findings.extend(sandbox::look());
        findings.extend(machine::look());
        findings.push(folder::look());
        findings.extend(terminal::look());
        findings.extend(languages::look());
        Report {
            version: env!("CARGO_PKG_VERSION"),
            os: std::env::consts::OS,
            arch: std::env::consts::ARCH,
            playable,
            findings,
        }
    }

    /// Returns the report as lines of at most 80 columns.
    pub(super) fn text(&self) -> String {
        let Report {
            version,
            os,
            arch,
            playable,
            findings,
        } = self;
        let verdict = if *playable {
            "games can be played"
        } else {
            "no game can be played"
        };
        let mut lines = vec![
            format!("referee {version}, {os} {arch}: {verdict}"),
            String::new(),
        ];
        for Finding {
            name,
            state,
            found,
            hint,
        } in findings
        {
            let text = match hint {
                Some(hint) => format!("{found}; {hint}"),
                None => found.clone(),
            };
            let head = format!("  {:7}  {name:9}", state.word());
            let indent = " ".repeat(INDENT);
            let options = Options::new(WIDTH)
                .initial_indent(&indent)
                .subsequent_indent(&indent);
            let options = options.word_splitter(WordSplitter::NoHyphenation);
            let text = textwrap::fill(&text, options);
            lines.push(format!(
                "{head}{}",
                text.get(head.len()..).unwrap_or_default()
            ));
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_finding_is_broken_into_lines_below_its_text() {
        let found = format!("/a/long/path/{} and then words", "x".repeat(90));
        let finding = Finding::note("sandbox", found, "fix it");
        let report = Report {
            version: "0",
            os: "os",
            arch: "arch",
            playable: false,
            findings: vec![Finding::ok("game", "played"), finding],
        };
        let text = report.text();
        assert!(
            text.starts_with("referee 0, os arch: no game can be played\n\n"),
            "{text}"
        );
        assert!(
            text.contains("\n  ok       game     played\n  note     sandbox  /a/"),
            "{text}"
        );
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(
            text.ends_with(&format!("words;\n{}fix it", " ".repeat(INDENT))),
            "{text}"
        );
    }
}
