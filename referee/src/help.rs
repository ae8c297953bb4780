//! The help of the program and of its commands.
//!
//! `--help` of a command shows what a person needs often, `--help-all` the rest: the options with
//! `hide_short_help`, such as those of the sandbox.

use std::fmt::Write;

use clap::builder::Styles;
use clap::{Arg, ArgAction, Command};

use super::commands::COMMANDS;
use super::options::headings;
use super::programs::PROGRAMS;

/// The width of lines of help: terminals are seldom narrower.
pub(super) const WIDTH: usize = 80;

/// The headings under which the program's help lists its commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Begin,
    LookBack,
    More,
    /// Not for people: the referee starts it.
    Hidden,
}

const EXAMPLES: &str = "\
Examples:
  referee play human good
  referee new python my-bot
  referee match mediocre good --games 100
  referee report cup.jsonl --open

referee COMMAND --help describes a command and its options.
Exit codes: 0 done (play: a player won), 1 the referee failed, 2 wrong
arguments, 3 a game without a winner, 4 a player could not be started, failed
its check or did not repeat its game, 130 interrupted.";

/// Returns the grammar of the program without its commands.
pub(super) fn program() -> Command {
    Command::new("referee")
        .bin_name("referee")
        .about("Plays Battleship between programs and judges them")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .term_width(WIDTH)
        .after_help(EXAMPLES)
}

/// Returns the help of the program, which lists its commands in groups.
pub(super) fn template(styles: &Styles) -> String {
    let header = styles.get_header();
    let literal = styles.get_literal();
    let mut groups = String::new();
    for (title, group) in [
        ("Begin and compare", Group::Begin),
        ("Look back", Group::LookBack),
        ("More", Group::More),
    ] {
        let _ = writeln!(groups, "{header}{title}:{header:#}");
        for command in COMMANDS.iter().filter(|command| command.group == group) {
            let name = command.name;
            let about = command.about;
            let _ = writeln!(groups, "  {literal}{name:11}{literal:#}  {about}");
        }
        if group == Group::More {
            for program in &PROGRAMS {
                let word = program.word;
                let about = program.about;
                let missing = if program.file().is_some() {
                    ""
                } else {
                    " (not installed)"
                };
                let _ = writeln!(groups, "  {literal}{word:11}{literal:#}  {about}{missing}");
            }
        }
        groups.push('\n');
    }
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{header}Options:{header:#}\n{{options}}{{after-help}}"
    )
}

/// Returns the grammar of a command with its options for help, and text that fits a terminal.
#[must_use]
pub fn with_help(command: Command) -> Command {
    let has_rare = command.get_arguments().any(Arg::is_hide_short_help_set);
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::HelpShort)
        .help_heading(headings::MORE)
        .help("Print help");
    let all = Arg::new("help-all")
        .long("help-all")
        .action(ArgAction::HelpLong)
        .help_heading(headings::MORE)
        .help("Print help with all options: limits, sandbox and others");
    let command = command.disable_help_flag(true).term_width(WIDTH).arg(help);
    if has_rare { command.arg(all) } else { command }
}
