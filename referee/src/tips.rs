//! Tips in the errors of clap: the command, the option or the example to type instead.

use std::error;
use std::ffi::OsString;
use std::num::{IntErrorKind, ParseIntError};
use std::path::Path;

use bots::{SHIPPED, Shipped};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error, ValueHint};
use strsim::damerau_levenshtein;

use super::commands;
use arena::system::{quoted, quoted_word};

/// Names of commands in other programs, and the commands here.
const COMMANDS: [(&[&str], &[&str]); 14] = [
    (
        &["run", "start", "game", "fight", "duel", "go", "battle"],
        &["play"],
    ),
    (
        &[
            "versus",
            "vs",
            "bench",
            "benchmark",
            "compare",
            "sprt",
            "simulate",
        ],
        &["match"],
    ),
    (
        &["league", "cup", "contest", "arena", "ladder"],
        &["tournament"],
    ),
    (&["test", "validate", "verify", "lint", "try"], &["check"]),
    (
        &["init", "create", "template", "scaffold", "generate", "kit"],
        &["new"],
    ),
    (
        &["show", "view", "watch", "open", "log"],
        &["replay", "report"],
    ),
    (
        &["html", "page", "pages", "web-page", "export"],
        &["report"],
    ),
    (
        &[
            "stats",
            "elo",
            "ratings",
            "rating",
            "standings",
            "scores",
            "leaderboard",
        ],
        &["rank"],
    ),
    (&["games", "ls", "search", "filter", "csv"], &["list"]),
    (&["why", "analyze", "analyse", "analysis"], &["explain"]),
    (&["step", "trace"], &["debug"]),
    (&["optimize", "optimise", "train"], &["tune"]),
    (&["join", "combine", "concat"], &["merge"]),
    (
        &["man", "docs", "doc", "usage", "commands", "manual"],
        &["help"],
    ),
];

/// Names of options in other programs, and the long options here; a command has one, some or none
/// of them.
const OPTIONS: [(&[&str], &[&str]); 17] = [
    (
        &[
            "n",
            "g",
            "rounds",
            "count",
            "num",
            "number",
            "num-games",
            "iterations",
            "repeat",
            "times",
        ],
        &["games", "series"],
    ),
    (
        &["size", "board", "board-size", "grid", "dim"],
        &["rows", "cols"],
    ),
    (&["columns", "width"], &["cols"]),
    (&["height"], &["rows"]),
    (&["ships", "fleet"], &["ship"]),
    (&["game", "variant", "mode", "ruleset", "r"], &["rules"]),
    (&["output", "save", "file", "record", "pgn", "o"], &["out"]),
    (
        &[
            "threads",
            "parallel",
            "workers",
            "concurrency",
            "cores",
            "t",
        ],
        &["jobs"],
    ),
    (
        &["timeout", "time", "time-limit", "tc", "move-time"],
        &["limit", "clock"],
    ),
    (&["speed", "sleep", "interval", "slow"], &["delay"]),
    (
        &["no-wait", "no-delay", "fast", "y", "yes", "batch"],
        &["no-pause"],
    ),
    (&["overwrite", "f"], &["force"]),
    (&["continue"], &["resume"]),
    (&["silent", "s"], &["quiet"]),
    (&["opponent", "vs", "versus"], &["against"]),
    (&["html", "page"], &["report", "out"]),
    (&["v"], &["version"]),
];

/// Names of commands in other programs that are no command here, and the tips on them.
const COMMAND_TIPS: [(&[&str], &str); 5] = [
    (
        &["resume", "continue"],
        "the option --resume continues a record: referee match P1 P2 --out FILE --resume",
    ),
    (
        &["build", "compile", "make"],
        "the referee builds no bots; 'referee new LANGUAGE DIR' prints the command that builds one",
    ),
    (
        &["serve", "server", "web", "gui"],
        "a game in the browser: referee play human good --web",
    ),
    (
        &["config", "settings", "configure", "set"],
        "settings are options in a file: referee match P1 P2 --config FILE",
    ),
    (
        &["update", "upgrade", "install"],
        "the referee does not update itself; the version is printed by 'referee --version'",
    ),
];

/// Names that are no option here, the option that a command must have for the tip, and the tip.
const OPTION_TIPS: [(&[&str], &str, &str); 7] = [
    (&["twist"], "rules", "the option is --rules twist"),
    (&["classic"], "rules", "the option is --rules classic"),
    (&["swiss"], "format", "the option is --format swiss"),
    (&["gauntlet"], "format", "the option is --format gauntlet"),
    (
        &["round-robin"],
        "format",
        "the option is --format round-robin",
    ),
    (
        &["elimination", "knockout", "single-elimination", "bracket"],
        "format",
        "the option is --format knockout",
    ),
    (
        &["bots", "players", "bot", "engine"],
        "limit",
        "players are typed without an option, as in referee tournament P1 P2 P3",
    ),
];

/// Units of times and sizes, which follow a number without a space.
const UNITS: [&str; 10] = ["us", "ms", "s", "m", "h", "K", "M", "G", "MB", "GB"];

/// Returns `error`, which the words `typed` caused, with tips. `command` has the grammar of the
/// typed command, or of the program if no command was recognized.
pub(super) fn with_tips(mut error: Error, command: &Command, typed: &[OsString]) -> Error {
    let kind = error.kind();
    if kind == ErrorKind::InvalidSubcommand {
        on_command(&mut error, command, typed);
    } else if kind == ErrorKind::UnknownArgument {
        on_argument(&mut error, command, typed);
    } else if kind == ErrorKind::ValueValidation && has_invalid_digit(&error) {
        add_tip(
            &mut error,
            "the value is a whole number in digits, as in 1000",
        );
    } else if kind == ErrorKind::MissingRequiredArgument
        && let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg)
        && missing.iter().all(|name| name.starts_with("--"))
    {
        let tip = format!("add {}", missing.join(" "));
        add_tip(&mut error, &tip);
    } else if kind == ErrorKind::MissingRequiredArgument
        && let Some(example) = example(command, typed)
    {
        add_tip(&mut error, &format!("for example: {example}"));
    }
    error
}

fn has_invalid_digit(error: &Error) -> bool {
    let cause = error::Error::source(error);
    cause
        .and_then(|cause| cause.downcast_ref::<ParseIntError>())
        .is_some_and(|cause| *cause.kind() == IntErrorKind::InvalidDigit)
}

fn on_command(error: &mut Error, program: &Command, words: &[OsString]) {
    let Some(typed) = context(error, ContextKind::InvalidSubcommand) else {
        return;
    };
    let tip = COMMAND_TIPS
        .iter()
        .find(|(names, _)| names.contains(&&*typed));
    if let Some((_, tip)) = tip {
        error.remove(ContextKind::SuggestedSubcommand);
        return add_tip(error, tip);
    }
    if has_extension(&typed, "jsonl") {
        error.remove(ContextKind::SuggestedSubcommand);
        let file = quoted_word(&typed);
        let tip = format!("a record is read by a command, as in referee list {file}");
        return add_tip(error, &tip);
    }
    let is_folder = synonyms_of(&COMMANDS, &typed).is_none() && Path::new(&typed).is_dir();
    let is_player =
        is_folder || Shipped::named(&typed).is_some() || typed.contains([' ', '/', '=']);
    if is_player && words.get(1).is_some_and(|word| *word == *typed) {
        error.remove(ContextKind::SuggestedSubcommand);
        // Options may be of another command.
        let players = words[1..].iter();
        let players = players.take_while(|word| !word.to_string_lossy().starts_with('-'));
        let mut players: Vec<String> = players
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        if players.len() < 2 {
            players.push("mediocre".to_owned());
        }
        let command = if players.len() > 2 {
            "tournament"
        } else {
            "play"
        };
        let players = quoted(&players);
        return add_tip(error, &format!("for games: referee {command} {players}"));
    }
    if ["players", "bots", "levels", "opponents"].contains(&&*typed) {
        error.remove(ContextKind::SuggestedSubcommand);
        let names = SHIPPED.map(|shipped| shipped.name).join(", ");
        return add_tip(error, &format!("the shipped players are {names}"));
    }
    if typed == "version" {
        error.remove(ContextKind::SuggestedSubcommand);
        return add_tip(error, "the version is printed by 'referee --version'");
    }
    let distance = |name: &str| damerau_levenshtein(&typed, name);
    let suggested = match error.get(ContextKind::SuggestedSubcommand) {
        // clap sorts the nearest to the end, and takes `install` for `list`.
        Some(ContextValue::Strings(names)) => names.last().cloned().filter(|name| {
            let command = program.find_subcommand(name);
            3 * distance(name) <= typed.len().max(name.len())
                && command.is_none_or(|command| !command.is_hide_set())
        }),
        _ => None,
    };
    // A word that differs from a command by one mistake of typing is that command.
    let is_typo = suggested.as_deref().is_some_and(|name| distance(name) <= 1);
    let all = COMMANDS.iter().flat_map(|(synonyms, _)| *synonyms);
    let near = all
        .copied()
        .find(|synonym| synonym.len() > 3 && distance(synonym) <= 1);
    let names = match synonyms_of(&COMMANDS, &typed)
        .or(near.and_then(|near| synonyms_of(&COMMANDS, near)))
    {
        Some(names) if !is_typo => strings(names),
        _ => suggested.into_iter().collect(),
    };
    error.remove(ContextKind::SuggestedSubcommand);
    if !names.is_empty() {
        let names = ContextValue::Strings(names);
        error.insert(ContextKind::SuggestedSubcommand, names);
    }
}

fn on_argument(error: &mut Error, command: &Command, typed: &[OsString]) {
    let Some(word) = context(error, ContextKind::InvalidArg) else {
        return;
    };
    if !word.starts_with('-') {
        return on_extra_word(error, &word, command, typed);
    }
    // The tip of clap to type `--` before the word.
    if !Path::new(&word).exists() {
        error.remove(ContextKind::Suggested);
    }
    let name = word.trim_start_matches('-');
    if command.find_subcommand(name).is_some() {
        return add_tip(error, &format!("a command has no hyphens: referee {name}"));
    }
    if ["level", "difficulty"].contains(&name) {
        let names = SHIPPED.map(|shipped| shipped.name).join(", ");
        return add_tip(error, &format!("a level is a player: {names}"));
    }
    let tip = OPTION_TIPS
        .iter()
        .find(|(names, option, _)| names.contains(&name) && has_option(command, option));
    if let Some((_, _, tip)) = tip {
        suggest_arguments(error, command, Vec::new());
        return add_tip(error, tip);
    }
    let suggested = context(error, ContextKind::SuggestedArg);
    if suggested.is_some_and(|suggested| !is_near_option(name, suggested.trim_start_matches('-'))) {
        suggest_arguments(error, command, Vec::new());
    }
    let synonyms = synonyms_of(&OPTIONS, name).unwrap_or_default();
    let names = synonyms.iter().filter(|name| has_option(command, name));
    let names: Vec<String> = names.map(|name| format!("--{name}")).collect();
    let is_near = error.get(ContextKind::SuggestedArg).is_some();
    if !names.is_empty() {
        suggest_arguments(error, command, names);
        return;
    }
    let program = commands::grammar(|_| true);
    let synonyms = if is_near { &[] } else { synonyms };
    for name in [name].iter().chain(synonyms) {
        let commands: Vec<&str> = program
            .get_subcommands()
            .filter(|command| !command.is_hide_set() && has_option(command, name))
            .map(Command::get_name)
            .collect();
        if !commands.is_empty() {
            let what = format!("'--{name}' is an option of {}", commands.join(", "));
            suggest_arguments(error, command, Vec::new());
            return add_tip(error, &what);
        }
    }
}

/// Returns whether `name` may be a misspelled or shortened `option`. The measure of clap takes
/// `--twist` for `--first`.
fn is_near_option(name: &str, option: &str) -> bool {
    let is_part = name.len() > 2 && (option.starts_with(name) || name.starts_with(option));
    is_part || 3 * damerau_levenshtein(name, option) <= name.len().max(option.len())
}

fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|found| found == extension)
}

/// Returns the option and its value, with the `extra` word that a space has separated from them.
fn rejoined(extra: &str, command: &Command, typed: &[OsString]) -> Option<String> {
    let words = words(typed);
    let at = words.iter().position(|word| word == extra)?;
    let last = words.get(at.checked_sub(1)?)?;
    let option = |word: &str| {
        let name = word.strip_prefix("--")?;
        command
            .get_arguments()
            .find(|arg| arg.get_long() == Some(name))
    };
    if let Some(arg) = option(last) {
        return arg
            .is_require_equals_set()
            .then(|| format!("{last}={extra}"));
    }
    let name = words.get(at.checked_sub(2)?)?;
    let is_number = last.parse::<f64>().is_ok();
    (is_number && UNITS.contains(&extra) && option(name).is_some())
        .then(|| format!("{name} {last}{extra}"))
}

/// Replaces the arguments that clap suggests, and has put into the usage.
fn suggest_arguments(error: &mut Error, command: &Command, names: Vec<String>) {
    error.remove(ContextKind::SuggestedArg);
    if !names.is_empty() {
        error.insert(ContextKind::SuggestedArg, ContextValue::Strings(names));
    }
    let usage = command.clone().render_usage();
    error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
}

/// Adds the tips on a word behind the last one that the command expects.
fn on_extra_word(error: &mut Error, extra: &str, command: &Command, typed: &[OsString]) {
    if let Some(right) = rejoined(extra, command, typed) {
        return add_tip(error, &format!("no space in the value: {right}"));
    }
    let is_number = extra.parse::<u32>().is_ok();
    let is_player = |arg: &Arg| arg.get_value_hint() == ValueHint::CommandString;
    let has_players = command.get_positionals().any(is_player);
    for (option, is_meant) in [
        ("games", is_number),
        ("game", is_number),
        ("player", !is_number && !has_players),
    ] {
        if is_meant && has_option(command, option) {
            return add_tip(
                error,
                &format!(
                    "an option may be missing: --{option} {}",
                    quoted_word(extra)
                ),
            );
        }
    }
    if !has_players {
        return;
    }
    if ["match", "play"].contains(&command.get_name()) {
        let mut words = words(typed);
        let between = ["vs", "vs.", "versus", "against", "-", "and"];
        let count = words.len();
        words.retain(|word| !between.contains(&&**word));
        if words.len() < count {
            let right = quoted(&words);
            let name = command.get_name();
            return add_tip(
                error,
                &format!("no word between the players: referee {name} {right}"),
            );
        }
        let tournament = commands::grammar(|name| name == "tournament");
        let line = [&strings(&["referee", "tournament"]), &words[..]].concat();
        let players = match tournament.try_get_matches_from(line) {
            Ok(_) => quoted(&words),
            Err(_) => "P1 P2 P3".to_owned(),
        };
        add_tip(
            error,
            &format!("more than two players meet in a tournament: referee tournament {players}"),
        );
    }
    add_tip(
        error,
        "a command of several words is one player in quotation marks: \"./my_bot --fast\"",
    );
}

/// Returns a command line that has what is missing in the `typed` words.
fn example(command: &Command, typed: &[OsString]) -> Option<String> {
    let name = command.get_name();
    let words = words(typed);
    let is_one_player = matches!(&words[..], [player] if !player.starts_with('-'));
    if ["match", "play"].contains(&name) && is_one_player {
        let opponent = if words[0] == "mediocre" {
            "good"
        } else {
            "mediocre"
        };
        return Some(format!("referee {name} {} {opponent}", quoted(&words)));
    }
    let help = command.get_after_help()?.to_string();
    let (_, examples) = help.split_once("Examples:\n")?;
    examples
        .lines()
        .map(str::trim)
        .find(|example| example.split(' ').count() > 2)
        .map(str::to_owned)
}

/// Returns the words behind the name of the command.
fn words(typed: &[OsString]) -> Vec<String> {
    texts(typed.get(2..).unwrap_or_default())
}

fn texts(words: &[OsString]) -> Vec<String> {
    let words = words.iter();
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

fn has_option(command: &Command, name: &str) -> bool {
    let mut options = command.get_arguments();
    options.any(|arg| arg.get_long() == Some(name) && !arg.is_hide_set())
}

fn synonyms_of(
    table: &[(&[&str], &'static [&'static str])],
    typed: &str,
) -> Option<&'static [&'static str]> {
    let row = table.iter().find(|(synonyms, _)| synonyms.contains(&typed));
    row.map(|(_, names)| *names)
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn context(error: &Error, kind: ContextKind) -> Option<String> {
    error.get(kind).map(ToString::to_string)
}

fn add_tip(error: &mut Error, tip: &str) {
    let mut tips = match error.remove(ContextKind::Suggested) {
        Some(ContextValue::StyledStrs(tips)) => tips,
        _ => Vec::new(),
    };
    tips.push(StyledStr::from(tip.to_owned()));
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synonyms_name_commands_and_options() {
        let program = commands::grammar(|_| true);
        for (synonyms, names) in COMMANDS {
            for name in names {
                let is_command = program.find_subcommand(name).is_some();
                assert!(is_command || *name == "help", "{name}");
            }
            for synonym in synonyms {
                assert!(program.find_subcommand(synonym).is_none(), "{synonym}");
            }
        }
        let named = OPTION_TIPS.iter().map(|(_, option, _)| option);
        let synonyms = OPTIONS.iter().flat_map(|(_, names)| *names);
        for name in synonyms.chain(named) {
            let mut commands = program.get_subcommands();
            let is_option = commands.any(|command| has_option(command, name));
            assert!(is_option || *name == "version", "{name}");
        }
    }

    #[test]
    fn a_missing_argument_has_an_example() {
        let program = commands::grammar(|_| true);
        let mut count = 0;
        for command in program.get_subcommands() {
            let typed = ["referee", command.get_name()];
            let Err(error) = program.clone().try_get_matches_from(typed) else {
                continue;
            };
            if error.kind() == ErrorKind::MissingRequiredArgument && !command.is_hide_set() {
                count += 1;
                let typed = typed.map(OsString::from);
                let text = with_tips(error, command, &typed).to_string();
                let example = format!("for example: referee {} ", command.get_name());
                assert!(text.contains(&example), "{text}");
            }
        }
        assert!(count >= 10, "{count}");
    }
}
