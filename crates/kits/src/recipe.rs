//! The way to build and start a bot: by its `bot.toml`, or by files that tell its language.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use serde::Deserialize;
use thiserror::Error;

use crate::text::{cut, quoted};
use crate::{Course, Lack, Language, Marker};

/// The commands that build and start a bot, both in its folder.
#[derive(Debug)]
pub struct Recipe {
    /// Its language or tool, for people.
    pub kind: &'static str,
    /// The command of the shell that builds it; `None` if it needs no build.
    pub build: Option<String>,
    /// The command that starts it.
    pub run: String,
    /// The course, if the bot consists of a course's classes: the adapter has to be beside it.
    pub course: Option<&'static Course>,
}

/// The file in which an author says how a bot is built and started.
pub const BOT_TOML: &str = "bot.toml";

/// The kind of bots that consist of the classes of the course.
pub const COURSE: &str = "classes of the course";

/// The folder for the files that the course hands out.
pub const SKELETON_FOLDER: &str = "referee-skeleton";

/// The folder for the adapter of the course's classes.
pub const ADAPTER_FOLDER: &str = "referee-adapter";

/// The most bytes of a file that says how a bot is built.
const MOST_BYTES: u64 = 64 << 10;

/// The most bytes of a command. The system takes 128 KiB, and a failure there cannot be blamed on
/// anyone.
const LONGEST_COMMAND: usize = 4096;

/// Requirements of a class for submissions.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'c> {
    /// The type of player of the course's classes.
    pub player: &'c str,
    /// Options of the compiler for these, if it has others.
    pub flags: Option<&'c str>,
    /// Whether the class has the files that the course hands out.
    pub has_skeleton: bool,
}

impl Asked<'_> {
    /// Returns the command of a kit with these values.
    fn with_values(&self, build: &str) -> String {
        let mut build = build
            .replace("=TYPE", &format!("={}", word(self.player)))
            .replace("ADAPTER", ADAPTER_FOLDER);
        if self.has_skeleton {
            build.push_str(" SKELETON=../");
            build.push_str(SKELETON_FOLDER);
        }
        if let Some(flags) = self.flags {
            build.push_str(" CXXFLAGS=");
            build.push_str(&word(flags));
        }
        build
    }

    /// Returns the files that are looked for in `folder`, in words; for those who were told of the
    /// course alone, its files.
    fn looked_for(&self, folder: &Path) -> String {
        let course = "no folder and no archive here has Player.cpp, Board.cpp and Game.cpp";
        let courses = crate::markers().filter_map(|(_, marker)| marker.course());
        let has_some = courses
            .flat_map(|course| course.asked)
            .any(|name| folder.join(name).is_file());
        if self.has_skeleton || has_some {
            return format!("{course}; hand in these three files");
        }
        format!(
            "{course}, and no file tells how another bot is started; begin with one of the kits (referee new), or add a {BOT_TOML} \
             with run = \"COMMAND\", and build = \"COMMAND\" if it has to be built"
        )
    }
}

/// Returns `text` as one word of a shell.
fn word(text: &str) -> String {
    if !text.is_empty()
        && text
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || "-_./".contains(char))
    {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The reason why a folder is not a bot.
#[derive(Debug, Error)]
pub enum RecipeError {
    /// The author's file says something else.
    #[error("{BOT_TOML}: {0}")]
    File(String),
    /// The machine cannot read it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// No file tells what it is.
    #[error("{looked_for}; found: {here}")]
    Unknown {
        /// The files that were looked for.
        looked_for: String,
        /// The files that are there.
        here: String,
    },
}

/// The contents of `bot.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BotToml {
    run: String,
    build: Option<String>,
}

/// Returns the markers that are in `folder`, each with its language.
fn markers_in(folder: &Path) -> impl Iterator<Item = (&'static Language, &'static Marker)> {
    crate::markers().filter(move |(_, marker)| folder.join(marker.file).is_file())
}

impl Recipe {
    /// Finds out how the bot of a person is built and started, in its own `folder`.
    ///
    /// # Errors
    /// If nothing tells it: what does, and what is there instead.
    pub fn of_own_bot(folder: &Path) -> Result<Recipe, String> {
        Recipe::in_folder(folder)?.ok_or_else(|| {
            let whole = crate::markers().filter(|(_, marker)| marker.course().is_none());
            let mut known: Vec<_> = whole.map(|(_, marker)| marker.file).collect();
            known.dedup();
            let here = listed(folder);
            format!(
                "no bot is recognized by its files, as {} are; add a {BOT_TOML} with run = \"COMMAND\", and build = \"COMMAND\" \
                 if it has to be built; found: {}",
                known.join(", "),
                if here.is_empty() { "no files" } else { &here }
            )
        })
    }

    /// Finds out how the bot of a person in `folder` is built and started; `None` if no file tells
    /// it.
    ///
    /// # Errors
    /// If the file that tells it is wrong.
    pub fn in_folder(folder: &Path) -> Result<Option<Recipe>, String> {
        let asked = Asked {
            player: "",
            flags: None,
            has_skeleton: false,
        };
        match Recipe::of(folder, &asked) {
            // Its adapter is a kit, which has a file of its own.
            Ok(Recipe {
                course: Some(_), ..
            })
            | Err(RecipeError::Unknown { .. }) => Ok(None),
            Ok(recipe) => Ok(Some(recipe)),
            Err(error @ (RecipeError::File(_) | RecipeError::Io(_))) => Err(error.to_string()),
        }
    }

    /// Finds out how the bot in `folder` is built and started, as `asked` says.
    ///
    /// # Errors
    /// If no file tells it.
    pub fn of(folder: &Path, asked: &Asked<'_>) -> Result<Recipe, RecipeError> {
        let bot_toml = folder.join(BOT_TOML);
        // A link that leads nowhere is an error and not an absent file.
        if bot_toml.symlink_metadata().is_ok() {
            return Recipe::in_bot_toml(fs::File::open(&bot_toml)?);
        }
        // A project of the course may have a Makefile of its own, which makes another program.
        let is_whole = |marker: &Marker| {
            marker
                .course()
                .is_some_and(|course| course.is_whole(|name| folder.join(name).is_file()))
        };
        let first = markers_in(folder).min_by_key(|(_, marker)| (!is_whole(marker), marker.lacks));
        let Some((language, marker)) = first else {
            return Err(RecipeError::Unknown {
                looked_for: asked.looked_for(folder),
                here: listed(folder),
            });
        };
        let recipe = Recipe {
            kind: language.name,
            build: marker.build.map(str::to_owned),
            run: marker.run.to_owned(),
            course: None,
        };
        match marker.lacks {
            Lack::ProgramName => {
                let name = program_name(&folder.join(marker.file))?;
                let build = recipe.build.map(|build| build.replace("NAME", &name));
                Ok(Recipe {
                    build,
                    run: recipe.run.replace("NAME", &name),
                    ..recipe
                })
            }
            Lack::Nothing => {
                // A build file is of no language.
                let whole = markers_in(folder).filter(|(_, marker)| marker.lacks == Lack::Nothing);
                let kind = whole
                    .last()
                    .map_or(recipe.kind, |(language, _)| language.name);
                Ok(Recipe { kind, ..recipe })
            }
            Lack::Adapter(course) => {
                let build = recipe.build.map(|build| asked.with_values(&build));
                Ok(Recipe {
                    kind: COURSE,
                    build,
                    course: Some(course),
                    ..recipe
                })
            }
        }
    }

    pub(crate) fn in_bot_toml(file: impl Read) -> Result<Recipe, RecipeError> {
        let text = read(file)?.map_err(RecipeError::File)?;
        let BotToml { run, build } = toml::from_str(&text).map_err(|error| {
            let line = line_of(&text, &error).unwrap_or(1);
            RecipeError::File(format!("line {line}: {}", cut(error.message())))
        })?;
        if run.trim().is_empty() {
            return Err(RecipeError::File("run = \"\" names no program".to_owned()));
        }
        for (key, command) in [("run", Some(&run)), ("build", build.as_ref())] {
            if let Some(why) = command.and_then(|command| fault_of(command)) {
                return Err(RecipeError::File(format!("{key}: {why}")));
            }
        }
        Ok(Recipe {
            kind: BOT_TOML,
            build,
            run,
            course: None,
        })
    }
}

/// Returns the line of `text` where an error is, from 1, if that is known.
#[must_use]
pub fn line_of(text: &str, error: &toml::de::Error) -> Option<usize> {
    let before = text.get(..error.span()?.start).unwrap_or(text);
    Some(1 + before.matches('\n').count())
}

/// Returns the name of the program that the `Cargo.toml` at `path` builds.
fn program_name(path: &Path) -> Result<String, RecipeError> {
    let wrong = |what: String| RecipeError::File(format!("Cargo.toml: {what}"));
    let text = read(fs::File::open(path)?)?.map_err(wrong)?;
    let table: toml::Table = toml::from_str(&text).map_err(|error| wrong(cut(error.message())))?;
    let of_table = |table: &toml::Table| Some(table.get("name")?.as_str()?.to_owned());
    let program = table
        .get("bin")
        .and_then(|bins| of_table(bins.as_array()?.first()?.as_table()?));
    let package = || of_table(table.get("package")?.as_table()?);
    let name = program
        .or_else(package)
        .ok_or_else(|| wrong("there is no package.name".to_owned()))?;
    if name.len() > LONGEST_COMMAND
        || !name
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || "-_".contains(char))
    {
        return Err(wrong(format!(
            "{} is not the name of a program",
            quoted(&name)
        )));
    }
    Ok(name)
}

/// Returns the text of a file, or why it is none: it is long, or not UTF-8.
fn read(file: impl Read) -> io::Result<Result<String, String>> {
    let mut text = Vec::new();
    let length = file.take(MOST_BYTES + 1).read_to_end(&mut text)? as u64;
    if length > MOST_BYTES {
        return Ok(Err(format!("it has more than {} KiB", MOST_BYTES >> 10)));
    }
    Ok(String::from_utf8(text).map_err(|error| error.to_string()))
}

/// Returns the fault of a command that cannot be run; `None` if it can. The system takes no zeros,
/// and control characters are not typed.
fn fault_of(command: &str) -> Option<String> {
    if let Some(odd) = command
        .chars()
        .find(|char| char.is_control() && !['\n', '\t'].contains(char))
    {
        return Some(format!(
            "it has the control character U+{:04X}",
            u32::from(odd)
        ));
    }
    let length = command.len();
    (length > LONGEST_COMMAND)
        .then(|| format!("it has {length} bytes; at most {LONGEST_COMMAND} are allowed"))
}

/// Returns the first names in a folder.
fn listed(folder: &Path) -> String {
    const MOST: usize = 10;
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let more = names.len().saturating_sub(MOST);
    names.truncate(MOST);
    let names = cut(&names.join(", "));
    if more > 0 {
        format!("{names} and {more} more")
    } else {
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(files: &[(&str, &str)]) -> Result<Recipe, String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let asked = Asked {
            player: "good",
            flags: None,
            has_skeleton: false,
        };
        Recipe::of(folder.path(), &asked).map_err(|error| error.to_string())
    }

    #[test]
    fn a_kit_is_known_by_its_files() {
        for (file, build, run) in [
            ("bot.py", None, "python3 bot.py"),
            ("bot.js", None, "node bot.js"),
            ("bot.rb", None, "ruby bot.rb"),
            ("Bot.java", Some("javac *.java"), "java -cp . Bot"),
            ("go.mod", Some("go build -o bot ."), "./bot"),
            ("Makefile", Some("make"), "./bot"),
            ("bot.c", Some("cc -O2 -o bot *.c"), "./bot"),
        ] {
            let found = recipe(&[(file, ""), ("README.md", "")]).unwrap();
            assert_eq!(
                (found.build.as_deref(), &*found.run),
                (build, run),
                "{file}"
            );
        }
        let rust = recipe(&[("Cargo.toml", "[package]\nname = 'popeye'\n")]).unwrap();
        assert_eq!(rust.run, "bin/popeye");
        let rust =
            recipe(&[("Cargo.toml", "[package]\nname = 'a'\n[[bin]]\nname = 'b'\n")]).unwrap();
        assert_eq!(rust.run, "bin/b");
    }

    #[test]
    fn classes_of_the_course_need_an_adapter() {
        let found = recipe(&[("Player.cpp", ""), ("Board.cpp", ""), ("Game.cpp", "")]).unwrap();
        assert!(found.course.is_some());
        assert!(found.build.unwrap().contains("TYPE=good"));
    }

    #[test]
    fn course_classes_come_before_a_build_file() {
        let all = [
            ("Player.cpp", ""),
            ("Board.cpp", ""),
            ("Game.cpp", ""),
            ("Makefile", ""),
        ];
        assert!(recipe(&all).unwrap().course.is_some());
        assert_eq!(recipe(&all[1..]).unwrap().build.as_deref(), Some("make"));
        let asked = Asked {
            player: "it's",
            flags: Some("-O2 -g"),
            has_skeleton: true,
        };
        assert_eq!(
            asked.with_values("make -C ADAPTER TYPE=TYPE"),
            r"make -C referee-adapter TYPE='it'\''s' SKELETON=../referee-skeleton CXXFLAGS='-O2 -g'"
        );
    }

    #[test]
    fn what_its_author_says_counts_more() {
        let text = "run = 'mono Bot.exe'\nbuild = 'mcs Bot.cs'\n";
        let found = recipe(&[("bot.toml", text), ("bot.py", "")]).unwrap();
        assert_eq!(
            (found.build.as_deref(), &*found.run),
            (Some("mcs Bot.cs"), "mono Bot.exe")
        );
    }

    #[test]
    fn a_command_that_cannot_be_started_is_refused() {
        let long = format!("run = 'x {}'", "y".repeat(5000));
        let many = format!("# {}\nrun = 'x'", "y".repeat(70_000));
        for (text, what) in [
            (
                &*long,
                "bot.toml: run: it has 5002 bytes; at most 4096 are allowed",
            ),
            (&many, "bot.toml: it has more than 64 KiB"),
            (
                "run = \"a\\u0000b\"",
                "run: it has the control character U+0000",
            ),
            (
                "run = 'x'\nbuild = \"a\\u001bb\"",
                "build: it has the control character U+001B",
            ),
        ] {
            let error = recipe(&[("bot.toml", text)]).unwrap_err();
            assert!(error.contains(what), "{what}: {error}");
        }
        let lines = recipe(&[("bot.toml", "run = './bot'\nbuild = \"a\\n\\tb\"")]).unwrap();
        assert_eq!(lines.build.as_deref(), Some("a\n\tb"));
        let error = recipe(&[("bot.toml", &format!("run = 'x'\n{} = 1", "k".repeat(9000)))]);
        assert!(error.unwrap_err().len() < 400);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (files, what) in [
            (
                &[("bot.toml", "")][..],
                "bot.toml: line 1: missing field `run`",
            ),
            (
                &[("bot.toml", "run = 'x'\nbulid = 'y'")],
                "bot.toml: line 2: unknown field `bulid`",
            ),
            (&[("bot.toml", "run = ' '")], "names no program"),
            (
                &[("bot.toml", &format!("{} = 1", "x".repeat(60_000)))],
                "unknown field `xxxxxx",
            ),
            (
                &[(
                    "Cargo.toml",
                    &format!("[package]\nname = '{}'", "x".repeat(5000)),
                )],
                "xxx…\" is not the name",
            ),
            (&[("Cargo.toml", "[")], "Cargo.toml: "),
            (&[("Cargo.toml", "[package]")], "there is no package.name"),
            (&[("a.txt", ""), ("b.txt", "")], "found: a.txt, b.txt"),
        ] {
            let error = recipe(files).unwrap_err();
            assert!(error.contains(what) && error.len() < 500, "{what}: {error}");
        }
    }
}
