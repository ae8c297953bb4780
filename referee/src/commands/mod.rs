//! The commands. [`COMMANDS`] is the one place that names a command; each has a file with its
//! arguments and its run.

pub(super) mod bot;
pub(super) mod check;
mod completions;
mod debug;
mod demo;
mod dev;
mod doctor;
mod explain;
mod list;
pub(super) mod match_;
mod merge;
mod new;
mod rank;
mod replay;
mod report;
pub(super) mod sandbox;
pub(super) mod tournament;
mod tune;

use std::ffi::OsString;

use clap::{ArgMatches, Args};

pub(super) use self::replay::{replay_grammar, run_as_original};
use super::exit::Failure;
use super::help::{self, Group};
use super::play::PlayArguments;
use super::words::{self, SettingsFile};
use super::{World, player, tips};

/// A command and its arguments.
pub(super) trait CommandArgs: Args {
    const NAME: &'static str;
    /// The command in one line.
    const ABOUT: &'static str;
    const GROUP: Group;
    /// The end of the command's help, with examples.
    const EXAMPLES: &'static str;

    /// Runs the command.
    ///
    /// # Errors
    /// The reason for another exit code than 0.
    fn run(self, world: &World) -> Result<(), Failure>;
}

/// A command of the program.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) group: Group,
    grammar: fn() -> clap::Command,
    run: fn(&ArgMatches, &World) -> Result<(), Failure>,
}

/// The commands, in the order in which a newcomer meets them.
pub(super) static COMMANDS: [Command; 18] = [
    of::<new::NewArguments>(),
    of::<PlayArguments>(),
    of::<match_::MatchArguments>(),
    of::<tournament::TournamentArguments>(),
    of::<check::CheckArguments>(),
    of::<debug::DebugArguments>(),
    of::<dev::DevArguments>(),
    of::<replay::ReplayArguments>(),
    of::<list::ListArguments>(),
    of::<explain::ExplainArguments>(),
    of::<report::ReportArguments>(),
    of::<rank::RankArguments>(),
    of::<merge::MergeArguments>(),
    of::<tune::TuneArguments>(),
    of::<demo::DemoArguments>(),
    of::<doctor::DoctorArguments>(),
    of::<completions::CompletionsArguments>(),
    of::<bot::BotArguments>(),
];

const fn of<C: CommandArgs>() -> Command {
    Command {
        name: C::NAME,
        about: C::ABOUT,
        group: C::GROUP,
        grammar: || {
            // Behind the arguments, whose definitions are not about the command.
            let grammar = C::augment_args(clap::Command::new(C::NAME));
            let grammar = grammar.about(C::ABOUT).long_about(None::<&str>);
            let grammar = grammar.hide(matches!(C::GROUP, Group::Hidden));
            help::with_help(grammar.after_help(C::EXAMPLES))
        },
        run: |matches, world| match C::from_arg_matches(matches) {
            Ok(arguments) => arguments.run(world),
            Err(error) => error.exit(),
        },
    }
}

/// Returns the grammar of the referee, with the whole grammars of those commands that `is_wanted`
/// names: to build all takes as long as everything else that a bot's process does before it is
/// ready.
pub(super) fn grammar(is_wanted: impl Fn(&str) -> bool) -> clap::Command {
    let commands = COMMANDS.iter().map(|command| {
        if is_wanted(command.name) {
            (command.grammar)()
        } else {
            clap::Command::new(command.name).about(command.about)
        }
    });
    help::program().subcommands(commands)
}

/// Runs the command that is typed, the program's name first. Ends the program if help is asked for,
/// or if the words are wrong.
///
/// # Errors
/// The reason for another exit code than 0.
pub(super) fn run_typed(typed: Vec<OsString>) -> Result<(), Failure> {
    let (matches, settings) = parse(&typed)?;
    let Some((name, matches)) = matches.subcommand() else {
        return Ok(());
    };
    let command = COMMANDS.iter().find(|command| command.name == name);
    let world = World { typed, settings };
    let run = command.expect("the grammar has these commands alone").run;
    run(matches, &world).map_err(|failure| world.located(failure))
}

/// Reads the words of a command, behind those of its file of settings.
fn parse(typed: &[OsString]) -> Result<(ArgMatches, Option<SettingsFile>), Failure> {
    let grammar = grammar(|name| typed.iter().skip(1).take(2).any(|word| word == name));
    let command = typed.get(1).and_then(|name| grammar.find_subcommand(name));
    let Some(command) = command else {
        let template = help::template(grammar.get_styles());
        let mut grammar = grammar.help_template(template);
        let matches = grammar.try_get_matches_from_mut(typed);
        let error = matches.expect_err("a command is required");
        tips::with_tips(error, &grammar, typed).exit();
    };
    player::refuse_unquoted(typed, command)?;
    words::parse(grammar, typed)
}

/// Returns the arguments of a command that another program has read.
///
/// # Errors
/// If the words, the program's name first, are not those of the command.
pub(super) fn arguments_of<C: CommandArgs>(typed: Vec<OsString>) -> Result<(C, World), Failure> {
    let (matches, settings) = parse(&typed)?;
    let matches = matches
        .subcommand()
        .map(|(_, matches)| C::from_arg_matches(matches));
    match matches {
        Some(Ok(arguments)) => Ok((arguments, World { typed, settings })),
        Some(Err(error)) => error.exit(),
        None => Err(Failure::misuse(format!(
            "{}: there are no arguments",
            C::NAME
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::help::WIDTH;
    use arena::system::split_words;

    fn help(command: &str, option: &str) -> String {
        let matches = grammar(|_| true).try_get_matches_from(["referee", command, option]);
        matches.unwrap_err().render().to_string()
    }

    fn visible() -> impl Iterator<Item = &'static Command> {
        COMMANDS
            .iter()
            .filter(|command| command.group != Group::Hidden)
    }

    #[test]
    fn the_grammar_is_consistent() {
        grammar(|_| true).debug_assert();
    }

    #[test]
    fn short_help_fits_a_terminal() {
        for command in visible() {
            let help = help(command.name, "--help");
            assert!(help.lines().count() <= 55, "{help}");
            let wide = help.lines().find(|line| line.chars().count() > WIDTH);
            assert_eq!(wide, None, "{}", command.name);
        }
        for command in ["play", "match", "tournament"] {
            let help = help(command, "-h");
            assert!(help.lines().count() <= 50, "{help}");
            assert!(help.contains("\n\nThe game:\n"), "{help}");
        }
    }

    #[test]
    fn machine_settings_are_in_all_help_only() {
        for command in ["play", "match", "tournament", "check"] {
            for (option, is_there) in [("-h", false), ("--help", false), ("--help-all", true)] {
                let help = help(command, option);
                assert_eq!(help.contains("--max-memory"), is_there, "{help}");
            }
        }
    }

    #[test]
    fn the_program_lists_twelve_commands_first() {
        let help = help::template(grammar(|_| false).get_styles());
        let (first, more) = help.split_once("More").unwrap();
        let is_in = |text: &str, command: &&Command| text.contains(command.about);
        assert_eq!(
            visible().filter(|command| is_in(first, command)).count(),
            12
        );
        assert!(visible().all(|command| is_in(first, &command) || is_in(more, &command)));
    }

    /// An example that is refused would teach the wrong thing.
    #[test]
    fn examples_of_help_can_be_typed() {
        for command in visible() {
            let help = help(command.name, "-h");
            let (_, examples) = help.rsplit_once("\nExamples:\n").expect(command.name);
            for example in examples.lines() {
                assert!(example.starts_with(&format!("  referee {}", command.name)));
                // The shell redirects the output to another file.
                let typed = split_words(example.split(" > ").next().unwrap()).unwrap();
                if let Err(error) = grammar(|_| true).try_get_matches_from(typed) {
                    panic!("{example}: {error}");
                }
            }
        }
    }
}
