//! The manual pages of all programs, made of their help.

use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use referee::EXIT_CODES;

/// The line that separates the examples of a help from what precedes them.
const EXAMPLES: &str = "Examples:";

/// Writes the pages into `folder`.
pub(crate) fn write(folder: &Path) -> anyhow::Result<()> {
    let date = date(env::var("SOURCE_DATE_EPOCH").ok().as_deref())?;
    let failed = |path: &Path| format!("{} cannot be written", path.display());
    fs::create_dir_all(folder).with_context(|| failed(folder))?;
    for (place, program) in referee::grammars().into_iter().enumerate() {
        let program = program.mut_subcommands(|command| {
            let is_help = command.get_name() == "help";
            let is_hidden = is_help || command.is_hide_set();
            command.hide(is_hidden)
        });
        for (name, page) in pages(&program, place == 0, &date)? {
            let path = folder.join(format!("{name}.1"));
            fs::write(&path, page).with_context(|| failed(&path))?;
        }
    }
    Ok(())
}

/// Returns the date of the pages, so that a package is the same whenever it is built: none, or the
/// one that its build gives as seconds since 1970.
fn date(given: Option<&str>) -> anyhow::Result<String> {
    let Some(given) = given.filter(|given| !given.is_empty()) else {
        return Ok(String::new());
    };
    let time = given.parse().ok().and_then(|seconds| {
        SystemTime::UNIX_EPOCH
            .checked_add(Duration::from_secs(seconds))
            .filter(|_| seconds < 1 << 37)
    });
    let time = time.with_context(|| {
        format!(
            "SOURCE_DATE_EPOCH={given}: write a number of seconds since 1970, or unset the variable"
        )
    })?;
    let written = humantime::format_rfc3339_seconds(time).to_string();
    Ok(written.split('T').next().unwrap_or_default().to_owned())
}

/// Returns the page of `command` and of all below it that are not hidden, each with its name.
fn pages(command: &Command, is_referee: bool, date: &str) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut pages = vec![(
        name_of(command).to_owned(),
        page(command, is_referee, date)?,
    )];
    for below in command
        .get_subcommands()
        .filter(|below| !below.is_hide_set())
    {
        pages.extend(self::pages(below, is_referee, date)?);
    }
    Ok(pages)
}

fn name_of(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

fn page(command: &Command, is_referee: bool, date: &str) -> io::Result<Vec<u8>> {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage).to_owned();
    let about = command
        .get_long_about()
        .or(command.get_about())
        .map(ToString::to_string);
    let help = command.get_after_long_help().or(command.get_after_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    // The general help ends with the exit codes, which every page has as a section.
    let (notes, examples) = match help.split_once(EXAMPLES) {
        Some((notes, examples)) => (notes, examples.split("\n\n").next().unwrap_or_default()),
        None => (help.as_str(), ""),
    };
    let man = Man::new(command.clone().override_usage(usage));
    let mut page = title(name_of(command), date).into_bytes();
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    let mut roff = Roff::new();
    roff.control("SH", ["DESCRIPTION"]);
    prose(&mut roff, &sentence(&about.unwrap_or_default()));
    prose(&mut roff, notes);
    roff.to_writer(&mut page)?;
    if command
        .get_arguments()
        .any(|argument| !argument.is_hide_set())
    {
        man.render_options_section(&mut page)?;
    }
    if command.get_subcommands().any(|below| !below.is_hide_set()) {
        man.render_subcommands_section(&mut page)?;
    }
    let mut roff = Roff::new();
    if !examples.trim().is_empty() {
        roff.control("SH", ["EXAMPLES"]);
        literal(
            &mut roff,
            examples.lines().filter(|line| !line.trim().is_empty()),
        );
    }
    if is_referee {
        roff.control("SH", ["EXIT STATUS"]);
        for (code, meaning) in EXIT_CODES {
            roff.control("TP", []);
            roff.text([bold(code.to_string())]);
            roff.text([roman(meaning)]);
        }
    }
    roff.control("SH", ["SEE ALSO"]);
    roff.text(see_also(command));
    roff.to_writer(&mut page)?;
    Ok(page)
}

/// Returns the first line of a page. Written here because an empty date has to keep its place.
fn title(name: &str, date: &str) -> String {
    let name = name.to_uppercase().replace('-', "\\-");
    let version = env!("CARGO_PKG_VERSION");
    format!(".TH {name} 1 \"{date}\" \"referee {version}\" \"Battleship referee\"\n")
}

/// Returns the page above the page of `command`, or that of the referee.
fn see_also(command: &Command) -> [clap_mangen::roff::Inline; 2] {
    let above = match name_of(command).rsplit_once('-') {
        Some((above, _)) if above.starts_with("referee") => above,
        Some(_) | None => {
            if command.get_name() == "referee" {
                "replay"
            } else {
                "referee"
            }
        }
    };
    [bold(above), roman("(1)")]
}

/// Returns what a command does as a sentence: in lists it has no full stop.
fn sentence(about: &str) -> String {
    if about.is_empty() || about.ends_with('.') {
        about.to_owned()
    } else {
        format!("{about}.")
    }
}

/// Writes paragraphs. Lines that are indented in the help stay as they are.
fn prose(roff: &mut Roff, text: &str) {
    for paragraph in text
        .split("\n\n")
        .filter(|paragraph| !paragraph.trim().is_empty())
    {
        roff.control("PP", []);
        let mut lines = paragraph.lines().filter(|line| !line.is_empty()).peekable();
        while let Some(line) = lines.next() {
            if !line.starts_with(' ') {
                roff.text([roman(line)]);
                continue;
            }
            let mut block = vec![line];
            while let Some(line) = lines.next_if(|line| line.starts_with(' ')) {
                block.push(line);
            }
            literal(roff, block.into_iter());
            if lines.peek().is_some() {
                roff.control("PP", []);
            }
        }
    }
}

/// Number of columns behind the usual indentation of 7 on a terminal of 80 columns.
const FITS: usize = 73;

/// Writes lines as they are, without the indentation that they have in the help. Longer ones begin
/// further left.
fn literal<'l>(roff: &mut Roff, lines: impl Iterator<Item = &'l str>) {
    let lines: Vec<_> = lines
        .map(|line| line.strip_prefix("  ").unwrap_or(line))
        .collect();
    roff.control("PP", []).control("nf", []);
    if lines.iter().any(|line| line.chars().count() > FITS) {
        roff.control("in", ["2n"]);
    }
    for line in lines {
        roff.text([roman(line)]);
    }
    // The next macro sets the indentation itself.
    roff.control("fi", []);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_is_that_of_the_build_or_none() {
        assert_eq!(date(None).unwrap(), "");
        assert_eq!(date(Some("")).unwrap(), "");
        assert_eq!(date(Some("1700000000")).unwrap(), "2023-11-14");
        for wrong in ["today", "-1", "99999999999999999999", "9999999999999999"] {
            assert!(
                date(Some(wrong)).unwrap_err().to_string().contains(wrong),
                "{wrong}"
            );
        }
    }
}
