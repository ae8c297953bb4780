//! The pages about commands: what each accepts, from the grammars of the programs themselves.

use std::fmt::Write;
use std::path::PathBuf;

use battleship_referee::cli;
use clap::builder::PossibleValue;
use clap::{Arg, Command};
use mdbook_driver::book::{BookItem, Chapter, SectionNumber};

/// The line that separates the examples of a help from what precedes them.
const EXAMPLES: &str = "Examples:";

/// Adds a list of all programs and commands to `chapter`, and below it a chapter for each.
pub(crate) fn add(chapter: &mut Chapter) {
    let mut list = String::new();
    let programs = cli::grammars();
    for (place, program) in programs.iter().enumerate() {
        let is_referee = place == 0;
        let heading = if is_referee {
            "The commands of the referee"
        } else {
            "Other programs"
        };
        if place < 2 {
            let _ = write!(list, "\n## {heading}\n\n| | |\n|---|---|\n");
        }
        if !is_referee {
            list.push_str(&add_page(chapter, program));
            continue;
        }
        for command in program
            .get_subcommands()
            .filter(|command| is_shown(command))
        {
            list.push_str(&add_page(chapter, command));
        }
    }
    chapter.content.push_str(&list);
}

/// Returns whether a command is for users. Manual pages are for packagers, but are made by a command all the same.
fn is_shown(command: &Command) -> bool {
    command.get_name() != "help" && (!command.is_hide_set() || command.get_name() == "man")
}

/// Adds the page of `command` below `chapter`, and returns its row in the list.
fn add_page(chapter: &mut Chapter, command: &Command) -> String {
    let title = title(command);
    let path = PathBuf::from(format!("commands/{}.md", title.replace(' ', "-")));
    let about = command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default();
    let row = format!(
        "| [`{title}`]({}) | {} |\n",
        path.display(),
        escaped(&about).replace('|', "\\|")
    );
    let mut parents = chapter.parent_names.clone();
    parents.push(chapter.name.clone());
    let mut page = Chapter::new(&title, page(command, 1), path, parents);
    // No file to be edited.
    page.source_path = None;
    let place = u32::try_from(chapter.sub_items.len() + 1).unwrap_or(u32::MAX);
    page.number = chapter.number.as_ref().map(|number| {
        let mut number: Vec<u32> = number.to_vec();
        number.push(place);
        SectionNumber::new(number)
    });
    chapter.sub_items.push(BookItem::Chapter(page));
    row
}

/// Returns the words that call `command`.
fn title(command: &Command) -> String {
    command
        .get_bin_name()
        .unwrap_or(command.get_name())
        .to_owned()
}

/// Returns the page of `command`, and of the commands below it, with a first heading of this level.
fn page(command: &Command, level: usize) -> String {
    let hashes = "#".repeat(level);
    let mut page = format!("{hashes} {}\n\n", title(command));
    let about = command
        .get_long_about()
        .or(command.get_about())
        .map(ToString::to_string);
    let about = about.unwrap_or_default();
    let stop = if about.ends_with('.') { "" } else { "." };
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    let usage: Vec<_> = usage.lines().map(str::trim).collect();
    let _ = write!(
        page,
        "{}{stop}\n\n```text\n{}\n```\n",
        escaped(&about),
        usage.join("\n")
    );
    let help = command.get_after_long_help().or(command.get_after_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    let (notes, examples) = help.split_once(EXAMPLES).unwrap_or((&help, ""));
    page.push_str(&prose(notes));
    if !examples.trim().is_empty() {
        let lines: Vec<_> = examples.trim().lines().map(str::trim).collect();
        let _ = write!(
            page,
            "\n{hashes}# Examples\n\n```text\n{}\n```\n",
            lines.join("\n")
        );
    }
    for (heading, arguments) in sections(command) {
        let _ = write!(page, "\n{hashes}# {heading}\n\n");
        for argument in arguments {
            page.push_str(&definition(argument));
        }
    }
    for below in command
        .get_subcommands()
        .filter(|command| is_shown(command))
    {
        page.push('\n');
        page.push_str(&self::page(below, level + 1));
    }
    page
}

/// Returns the arguments that are shown, by the headings under which the help has them.
fn sections(command: &Command) -> Vec<(String, Vec<&Arg>)> {
    let mut sections: Vec<(String, Vec<&Arg>)> = Vec::new();
    for argument in command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set())
    {
        let usual = if argument.is_positional() {
            "Arguments"
        } else {
            "Options"
        };
        let heading = argument.get_help_heading().unwrap_or(usual);
        match sections.iter_mut().find(|(found, _)| found == heading) {
            Some((_, arguments)) => arguments.push(argument),
            None => sections.push((heading.to_owned(), vec![argument])),
        }
    }
    sections.sort_by_key(|(heading, _)| heading != "Arguments");
    sections
}

/// Returns an argument as a term and its definition.
fn definition(argument: &Arg) -> String {
    let help = argument
        .get_long_help()
        .or(argument.get_help())
        .map(ToString::to_string);
    let mut lines = vec![prose(&help.unwrap_or_default()).trim().to_owned()];
    let values = argument.get_possible_values();
    let is_choice = argument.get_action().takes_values() && !argument.is_hide_possible_values_set();
    let shown = values
        .iter()
        .filter(|value| is_choice && !value.is_hide_set());
    let values: Vec<String> = shown.map(value).collect();
    if !values.is_empty() {
        lines.push(values.concat());
    }
    let defaults = argument
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy());
    let defaults: Vec<_> = defaults.map(|value| format!("`{value}`")).collect();
    if !defaults.is_empty() && argument.get_action().takes_values() {
        lines.push(format!("Default: {}.", defaults.join(", ")));
    }
    let text = lines.join("\n\n").replace('\n', "\n  ");
    format!("`{}`\n: {}\n\n", term(argument), text.trim_end())
}

/// Returns how an argument is typed, in all ways.
fn term(argument: &Arg) -> String {
    let short = argument
        .get_short()
        .filter(|_| argument.get_long().is_some());
    short.map_or(String::new(), |short| format!("-{short}, ")) + &argument.to_string()
}

fn value(value: &PossibleValue) -> String {
    let help = value
        .get_help()
        .map(|help| format!(": {}", escaped(&help.to_string())));
    format!("- `{}`{}\n", value.get_name(), help.unwrap_or_default())
}

/// Returns the text of a help as Markdown: paragraphs, and what is indented as blocks.
fn prose(help: &str) -> String {
    let mut page = String::new();
    let mut is_block = false;
    for line in help.trim_end().lines() {
        let indented = line.starts_with("  ");
        if indented != is_block && !(is_block && line.is_empty()) {
            page.push_str(if indented { "\n```text\n" } else { "```\n\n" });
            is_block = indented;
        }
        page.push_str(&if is_block {
            line.trim_start().to_owned()
        } else {
            linked(&escaped(line))
        });
        page.push('\n');
    }
    if is_block {
        page.push_str("```\n");
    }
    page
}

/// Returns a line in which the pages that it names are links, from the folder of the pages about commands.
fn linked(line: &str) -> String {
    let link = |word: &str| {
        let name = word.trim_end_matches(['.', ',', ';', ':', ')']);
        match name
            .strip_prefix("docs/")
            .filter(|page| page.strip_suffix(".md").is_some())
        {
            Some(page) => format!("[{name}](../{page}){}", &word[name.len()..]),
            None => word.to_owned(),
        }
    };
    line.split(' ').map(link).collect::<Vec<_>>().join(" ")
}

/// Returns `text` without a meaning in Markdown. What is quoted by backticks stays code.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    let mut is_code = false;
    for char in text.chars() {
        is_code ^= char == '`';
        if !is_code && "\\*_<>[]#&~".contains(char) {
            escaped.push('\\');
        }
        escaped.push(char);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chapter() -> Chapter {
        let mut chapter = Chapter::new("Commands", String::new(), "commands.md", Vec::new());
        chapter.number = Some(SectionNumber::new([3]));
        add(&mut chapter);
        chapter
    }

    fn pages(chapter: &Chapter) -> Vec<(String, String)> {
        let page = |item: &BookItem| {
            let BookItem::Chapter(page) = item else {
                return None;
            };
            Some((page.name.clone(), page.content.clone()))
        };
        chapter.sub_items.iter().filter_map(page).collect()
    }

    #[test]
    fn every_option_of_every_command_has_its_place() {
        let chapter = chapter();
        let pages = pages(&chapter);
        assert!(pages.len() > 20, "{pages:?}");
        let programs = cli::grammars();
        let mut commands: Vec<&Command> = programs.iter().skip(1).collect();
        commands.extend(
            programs[0]
                .get_subcommands()
                .filter(|command| is_shown(command)),
        );
        for command in commands {
            let title = title(command);
            let (_, page) = pages
                .iter()
                .find(|(name, _)| *name == title)
                .expect("a page for each");
            let row = format!("[`{title}`](commands/");
            assert!(chapter.content.contains(&row), "{title} is listed");
            let below = command
                .get_subcommands()
                .filter(|command| is_shown(command));
            for command in below.chain([command]) {
                assert_has_every_option(page, command);
            }
        }
    }

    /// Asserts that the part of `page` about `command` has each of its options once.
    fn assert_has_every_option(page: &str, command: &Command) {
        let heading = format!("# {}\n", title(command));
        let (_, part) = page
            .split_once(&heading)
            .expect("a heading for each command");
        let part = part.split("# referee ").next().expect("a first part");
        for argument in command
            .get_arguments()
            .filter(|argument| !argument.is_hide_set())
        {
            let term = format!("\n`{}`\n: ", term(argument));
            assert_eq!(part.matches(&term).count(), 1, "{heading}{term}\n{part}");
        }
    }

    #[test]
    fn help_becomes_markdown_with_its_blocks_and_without_accidents() {
        let help =
            "Plays <DIR> *now*, as docs/a.md says:\n\n  referee play\n    more\n\nand `<code>`.";
        let page = "Plays \\<DIR\\> \\*now\\*, as [docs/a.md](../a.md) says:\n\n\n```text\nreferee play\nmore\n\n```\n\nand `<code>`.\n";
        assert_eq!(prose(help), page);
    }
}
