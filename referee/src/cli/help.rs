//! The help: commands in groups, text that fits the terminal, and what only `--help-all` shows.
//!
//! Options for a machine, as those of the sandbox and of clusters, and others that few people need have `hide_short_help`.
//! Neither `-h` nor `--help` shows them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write;

use super::programs::{Companion, PROGRAMS};
use clap::builder::PossibleValue;
use clap::builder::styling::Style;
use clap::{Arg, ArgAction, Args, Command};
use textwrap::{Options, WordSplitter};

/// The commands, in the order in which a newcomer meets them.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Begin", &["new", "play", "demo"]),
    (
        "Compare",
        &["match", "tournament", "tune", "check", "debug", "dev"],
    ),
    (
        "Look back",
        &["replay", "list", "explain", "report", "rank", "merge"],
    ),
    ("More", &["doctor", "completions", "bot"]),
];

/// The text below the groups.
pub(super) const AFTER: &str = "\
Examples:
  referee play human good
  referee new python my-bot
  referee match mediocre good --games 100
  referee report cup.jsonl --open

referee COMMAND --help describes a command, all its options, and players.
Exit codes: 0 done (play: a player won), 1 the referee failed, 2 wrong
arguments, 3 a game without a winner, 4 a player could not be started, failed
its check or did not repeat its game, 130 interrupted.";

/// The width of lines of help: terminals are seldom narrower.
const WIDTH: usize = 80;

/// The column at which clap begins the description of an option below the option.
const INDENT: usize = 10;

/// Returns the whole grammar with its commands in groups, each with the sentence that it has there.
pub(super) fn grouped(grammar: Command) -> Command {
    let styles = grammar.get_styles();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let about = |name: &str| grammar.find_subcommand(name).and_then(Command::get_about);
    let widest = GROUPS
        .iter()
        .flat_map(|(_, names)| *names)
        .map(|name| name.len())
        .max();
    let widest = widest.unwrap_or_default();
    let row = |name: &&str| {
        let about = about(name).map(ToString::to_string).unwrap_or_default();
        format!("  {literal}{name:widest$}{literal:#}  {about}\n")
    };
    let groups = GROUPS.map(|(title, names)| {
        let rows: Vec<_> = names.iter().map(row).collect();
        format!("{header}{title}:{header:#}\n{}\n", rows.concat())
    });
    let groups = groups.concat() + &companions(header, literal, widest);
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{header}Options:{header:#}\n{{options}}{{after-help}}"
    );
    grammar.help_template(template)
}

/// Returns the programs beside the referee as a group, each with whether it is installed.
fn companions(header: &Style, literal: &Style, widest: usize) -> String {
    let mut group = format!("{header}Programs of their own:{header:#}\n");
    for program in &PROGRAMS {
        let note = if program.is_installed() {
            ""
        } else {
            " (not installed)"
        };
        let Companion { word, about, .. } = program;
        let _ = writeln!(group, "  {literal}{word:widest$}{literal:#}  {about}{note}");
    }
    group + "\n"
}

/// The option of commands that have more options than `--help` shows.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct MoreHelp {
    /// Print help with all options: limits, sandbox, clusters
    #[arg(long, action = ArgAction::HelpLong)]
    help_all: Option<bool>,
}

/// The amount that the help of a command says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// A line or two for each option.
    Short,
    /// All that there is to say of these options.
    Long,
    /// The same of every option.
    All,
}

impl Detail {
    /// Returns what help is asked for; `None` if it is not.
    pub(super) fn asked_for(typed: &[OsString]) -> Option<Detail> {
        let is_typed = |word: &str| typed.iter().any(|typed| typed == word);
        if is_typed("--help-all") {
            Some(Detail::All)
        } else if is_typed("--help") || typed.get(1).is_some_and(|word| word == "help") {
            Some(Detail::Long)
        } else {
            is_typed("-h").then_some(Detail::Short)
        }
    }
}

/// Returns the whole grammar with the descriptions of options broken into lines, which clap leaves to the terminal.
pub(super) fn fitted(grammar: Command, detail: Detail) -> Command {
    grammar.mut_subcommands(|command| {
        let command = fitted(command, detail).mut_args(|arg| {
            let is_more = arg.is_hide_short_help_set() && detail != Detail::All;
            let is_hidden = is_more || arg.is_hide_set();
            arg.hide(is_hidden).hide_short_help(false)
        });
        // clap decides for the long form in the same way.
        let is_long = detail != Detail::Short && command.get_arguments().any(has_more_to_say);
        let columns = columns(&command);
        let fit = |arg: Arg| {
            let column = if is_long {
                INDENT
            } else {
                columns.get(&section(&arg)).copied().unwrap_or_default()
            };
            fit(arg, WIDTH.saturating_sub(column), is_long)
        };
        // The width 0 is none: clap is not to move descriptions below their options.
        command.term_width(0).mut_args(fit)
    })
}

fn has_more_to_say(arg: &Arg) -> bool {
    arg.get_long_help().is_some()
        || arg
            .get_possible_values()
            .iter()
            .any(|value| value.get_help().is_some())
}

/// The part of the help that an argument is listed in. Each has columns of its own.
fn section(arg: &Arg) -> (bool, Option<String>) {
    (
        arg.is_positional(),
        arg.get_help_heading().map(ToOwned::to_owned),
    )
}

/// Returns in which column clap begins the descriptions of each section.
fn columns(command: &Command) -> BTreeMap<(bool, Option<String>), usize> {
    let mut columns = BTreeMap::new();
    // Only arguments that are built know their values, and with them how wide they are.
    let mut command = command.clone();
    command.build();
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
        // Before and behind the argument, and the letter before a long option.
        let around = 4 + if arg.is_positional() { 0 } else { 4 };
        let column: &mut usize = columns.entry(section(arg)).or_default();
        *column = (*column).max(arg.to_string().chars().count() + around);
    }
    columns
}

fn fit(arg: Arg, width: usize, is_long: bool) -> Arg {
    let help = if is_long {
        arg.get_long_help().or(arg.get_help())
    } else {
        arg.get_help()
    };
    let Some(help) = help.map(ToString::to_string) else {
        return arg;
    };
    if is_long {
        return arg.long_help(wrapped(&help, width));
    }
    let values = arg.get_possible_values();
    if values.is_empty() || arg.is_hide_possible_values_set() || !arg.get_action().takes_values() {
        return arg.help(wrapped(&help, width));
    }
    // Clap would put them behind the last line, however long that is.
    let names: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
    let help = format!("{help} [possible values: {}]", names.join(", "));
    arg.help(wrapped(&help, width)).hide_possible_values(true)
}

fn wrapped(text: &str, width: usize) -> String {
    let options = Options::new(width).word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(text, options.break_words(false))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;
    use crate::cli::arguments::Arguments;

    fn visible() -> Vec<Command> {
        let mut grammar = Arguments::command();
        grammar.build();
        let shown = grammar
            .get_subcommands()
            .filter(|command| !command.is_hide_set());
        shown
            .filter(|command| command.get_name() != "help")
            .cloned()
            .collect()
    }

    /// The help of `command`, or of the referee, as it is printed.
    fn help(command: Option<&str>, detail: Detail) -> String {
        let option = match detail {
            Detail::Short => "-h",
            Detail::Long => "--help",
            Detail::All => "--help-all",
        };
        let typed = ["referee"].into_iter().chain(command).chain([option]);
        let grammar = fitted(grouped(Arguments::command()), detail);
        grammar
            .try_get_matches_from(typed)
            .unwrap_err()
            .render()
            .to_string()
    }

    #[test]
    fn every_command_is_in_one_group() {
        let grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        let commands = visible();
        let [mut in_groups, mut all] = [
            grouped,
            commands.iter().map(Command::get_name).collect::<Vec<_>>(),
        ];
        in_groups.sort_unstable();
        all.sort_unstable();
        assert_eq!(in_groups, all);
        let help = help(None, Detail::Long);
        for command in &commands {
            let (name, about) = (command.get_name(), command.get_about().unwrap());
            assert_eq!(
                help.matches(&format!("\n  {name:11}  {about}\n")).count(),
                1,
                "{help}"
            );
        }
        for (title, _) in GROUPS {
            assert!(help.contains(&format!("\n\n{title}:\n  ")), "{help}");
        }
    }

    #[test]
    fn help_fits_a_terminal_of_80_columns() {
        let names = visible();
        let commands = names
            .iter()
            .map(|command| Some(command.get_name()))
            .chain([None]);
        for command in commands {
            for detail in [Detail::Short, Detail::Long] {
                let help = help(command, detail);
                let wide: Vec<_> = help
                    .lines()
                    .filter(|line| line.chars().count() > WIDTH)
                    .collect();
                assert!(wide.is_empty(), "{command:?} {detail:?}: {wide:#?}");
            }
        }
    }

    #[test]
    fn short_help_fits_two_screens() {
        for command in visible() {
            let help = help(Some(command.get_name()), Detail::Short);
            assert!(
                help.lines().count() <= 50,
                "{}: {help}",
                help.lines().count()
            );
        }
    }

    #[test]
    fn machine_settings_are_in_all_help_only() {
        for command in ["play", "match", "tournament", "check"] {
            for detail in [Detail::Short, Detail::Long, Detail::All] {
                let shown = help(Some(command), detail).contains("--max-memory");
                assert_eq!(shown, detail == Detail::All, "{command} {detail:?}");
            }
        }
    }

    /// An example that is refused would teach the wrong thing.
    #[test]
    fn examples_of_help_can_be_typed() {
        for command in visible()
            .iter()
            .map(Command::get_name)
            .filter(|name| *name != "bot")
        {
            let help = help(Some(command), Detail::Short);
            let (_, examples) = help.rsplit_once("\nExamples:\n").expect(command);
            let examples: Vec<_> = examples.lines().collect();
            assert!((1..=5).contains(&examples.len()), "{examples:?}");
            for example in examples {
                assert!(
                    example.starts_with(&format!("  referee {command}")),
                    "{example}"
                );
                // The shell redirects the output to another file.
                let typed = example.split(" > ").next().unwrap();
                let typed = shlex::split(typed).unwrap();
                if let Err(error) = Arguments::try_parse_from(typed) {
                    panic!("{example}: {error}");
                }
            }
        }
    }

    #[test]
    fn help_is_asked_for_in_four_ways() {
        for (typed, detail) in [
            ("referee -h", Some(Detail::Short)),
            ("referee play -h", Some(Detail::Short)),
            ("referee --help", Some(Detail::Long)),
            ("referee help play", Some(Detail::Long)),
            ("referee match --help-all", Some(Detail::All)),
            ("referee play human good", None),
            ("referee", None),
        ] {
            let typed: Vec<_> = typed.split(' ').map(OsString::from).collect();
            assert_eq!(Detail::asked_for(&typed), detail, "{typed:?}");
        }
    }
}
