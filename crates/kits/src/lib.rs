//! The one table of languages: how bots in each are recognized, built and run, which tools they
//! need, and the kits, which are bots to start from.
//!
//! A language is one file in `languages/`; its kit is a folder in `examples/`. Everything that
//! depends on a language asks here.

#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod languages;
mod recipe;
mod text;

use std::path::Path;

use self::languages::SHARED;
pub use self::languages::{JUDGE, LANGUAGES, tools};
pub use self::recipe::{
    ADAPTER_FOLDER, Asked, BOT_TOML, COURSE, Recipe, RecipeError, SKELETON_FOLDER, line_of,
};
pub use self::text::{cut, quoted};

/// A language, or a tool that builds bots in any of them.
#[derive(Debug)]
pub struct Language {
    /// Its name.
    pub name: &'static str,
    /// The files by which a bot in it is recognized.
    pub markers: &'static [Marker],
    /// Programs that do nothing by themselves: the file that they run is another word. Without
    /// their versions.
    pub interpreters: &'static [&'static str],
    /// The options of these interpreters that name where programs are, which another word then
    /// names without an ending.
    pub class_path: &'static [&'static str],
    /// The files that it has.
    pub endings: &'static [Ending],
    /// The tools that `referee doctor` looks for.
    pub tools: &'static [Tool],
    /// Folders that its tools make and fill: caches, and what is installed and built.
    pub caches: &'static [&'static str],
    /// Those of them that a build fills, and the built bot does not need.
    pub build_folders: &'static [&'static str],
    /// The endings of files that its tools make beside others.
    pub byproducts: &'static [&'static str],
    /// The bots to start from.
    pub kits: &'static [Kit],
    /// The way in which its interpreter starts a program that waits for a debugger.
    pub debugger: Option<Debugger>,
    /// The ways to flush a line of output: the first for an interpreter that none of the others
    /// names.
    pub flushing: &'static [Flushing],
}

/// The way to flush a line of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flushing {
    /// The interpreter that needs another way than the others of its language.
    pub interpreter: Option<&'static str>,
    /// The code, or the words of a command.
    pub code: &'static str,
    /// The end of a sentence that begins with "flush after every line"; it has the code.
    pub how: &'static str,
    /// Whether a line may stay in a buffer while the referee waits: not where the language writes
    /// each line, or the referee sets a variable to that end.
    pub is_needed: bool,
}

impl Flushing {
    const fn needed(code: &'static str, how: &'static str) -> Flushing {
        Flushing {
            interpreter: None,
            code,
            how,
            is_needed: true,
        }
    }

    const fn by_itself(code: &'static str, how: &'static str) -> Flushing {
        Flushing {
            is_needed: false,
            ..Flushing::needed(code, how)
        }
    }
}

/// The way in which an interpreter starts a program that waits for a debugger. PORT stands for the
/// port that it waits at.
#[derive(Clone, Copy, Debug)]
pub struct Debugger {
    /// The words behind the interpreter.
    pub words: &'static [&'static str],
    /// The usual port.
    pub port: u16,
    /// The way to connect.
    pub connect: &'static str,
    /// The package to install if there is none.
    pub install: &'static str,
}

impl Language {
    /// The beginning of an entry, which then says only what the language has.
    const NONE: Language = Language {
        name: "",
        markers: &[],
        interpreters: &[],
        class_path: &[],
        endings: &[],
        tools: &[],
        caches: &[],
        build_folders: &[],
        byproducts: &[],
        kits: &[],
        debugger: None,
        flushing: &[],
    };
}

/// A file by which a bot is recognized, and how such a bot is built and started in its folder.
#[derive(Debug)]
pub struct Marker {
    /// The name of the file.
    pub file: &'static str,
    /// The shell command that builds it, if it has to be built.
    pub build: Option<&'static str>,
    /// The command that starts it.
    pub run: &'static str,
    /// The part that the commands lack.
    pub lacks: Lack,
}

/// The part that the commands of a [`Marker`] lack. A bot with several markers goes by the first of
/// these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lack {
    /// The name of the program, in place of NAME; the file is a `Cargo.toml`, which has it.
    ProgramName,
    /// Nothing.
    Nothing,
    /// The files of a kit in a folder of their own, whose name is in place of ADAPTER, and a type
    /// of player in place of TYPE.
    Adapter(&'static Course),
}

/// The classes that a course asks for, and the kit that makes bots of them.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Course {
    /// The kit.
    pub kit: &'static str,
    /// The files that are handed in. Where all of them are, no other file says how the bot is
    /// built.
    pub asked: &'static [&'static str],
    /// The files that the course hands out, which may be handed in with these.
    pub handed_out: &'static [&'static str],
}

impl Course {
    /// Returns whether all that it asks for is there, if `is_there` says of each file whether that
    /// is.
    pub fn is_whole(&self, is_there: impl Fn(&str) -> bool) -> bool {
        self.asked.iter().all(|name| is_there(name))
    }
}

impl Marker {
    /// A file that tells everything.
    const fn new(file: &'static str, build: Option<&'static str>, run: &'static str) -> Marker {
        Marker {
            file,
            build,
            run,
            lacks: Lack::Nothing,
        }
    }

    /// Returns the course whose classes the file is one of, if it is.
    #[must_use]
    pub fn course(&self) -> Option<&'static Course> {
        match self.lacks {
            Lack::Adapter(course) => Some(course),
            Lack::ProgramName | Lack::Nothing => None,
        }
    }
}

/// A kind of file, by the ending of its name.
#[derive(Debug)]
pub struct Ending {
    /// The ending, without its dot.
    pub ending: &'static str,
    /// The kind of such a file.
    pub kind: FileKind,
    /// The commands that run such a file on Windows, where it is started as a program is; they are
    /// tried in turn.
    pub on_windows: &'static [&'static [&'static str]],
}

/// The role of a file in its language. In commands FILE is its path, STEM its name without the
/// ending, FOLDER its folder, and OUT the program that is built of it.
#[derive(Clone, Copy, Debug)]
pub enum FileKind {
    /// A script, with the command that runs it.
    Script(&'static str),
    /// A class that is built, with the command that runs it.
    Class(&'static str),
    /// A source file, with the command that builds OUT of it.
    Source(&'static str),
    /// A source file, with the command that builds a class of it, and the one that runs the class.
    ClassSource(&'static str, &'static str),
    /// A source file for which no one command serves.
    Other,
}

impl Ending {
    const fn new(ending: &'static str, kind: FileKind) -> Ending {
        Ending {
            ending,
            kind,
            on_windows: &[],
        }
    }

    /// A script that Windows starts too, by the first of these commands that is installed.
    const fn started(
        ending: &'static str,
        run: &'static str,
        on_windows: &'static [&'static [&'static str]],
    ) -> Ending {
        Ending {
            ending,
            kind: FileKind::Script(run),
            on_windows,
        }
    }
}

/// A tool, and the packages that have it.
#[derive(Debug)]
pub struct Tool {
    /// The command.
    pub name: &'static str,
    /// The package of Debian, or an address where there is none that serves.
    pub debian: &'static str,
    /// The package of Homebrew.
    pub homebrew: &'static str,
    /// The package of winget.
    pub winget: &'static str,
}

/// A bot to start from.
#[derive(Debug)]
pub struct Kit {
    /// The names by which it is asked for, in any case. The first is the one that is shown, and its
    /// folder.
    pub names: &'static [&'static str],
    /// Its title.
    pub title: &'static str,
    /// Its rank in a list: the easiest to begin with have the lowest.
    pub rank: u8,
    /// The file that its owner is to change first.
    pub yours: &'static str,
    /// The command that builds it in its folder, if it has to be built.
    pub build: Option<&'static str>,
    /// Its name for itself in the file `yours`; `referee new` puts the name of the folder there.
    /// `None` if that is for another place to say.
    pub own_name: Option<&'static str>,
    /// The player that it is in its folder, as a word of the shell.
    pub player: &'static str,
    /// Paths and contents.
    pub files: &'static [(&'static str, &'static str)],
}

/// The folder in a bot's folder where `referee dev` keeps its versions.
pub const VERSIONS_FOLDER: &str = ".referee-dev";

/// Folders and files that no bot needs, of tools of no one language: histories of versions,
/// settings of editors, and what operating systems leave.
const OF_ANY_TOOL: [&str; 11] = [
    VERSIONS_FOLDER,
    ".git",
    ".hg",
    ".svn",
    ".cache",
    ".idea",
    ".vscode",
    ".vs",
    "__MACOSX",
    ".DS_Store",
    "Thumbs.db",
];

/// The endings of files that such tools make beside others.
const BYPRODUCTS: [&str; 7] = [".log", ".part", ".swp", ".tmp", "~", "#", ".DS_Store"];

impl Kit {
    /// Returns the name that is shown.
    #[must_use]
    pub fn language(&self) -> &'static str {
        self.names[0]
    }

    /// Returns the files of a new bot that is called `name`, by their paths: those of the kit, and
    /// those that all kits share.
    #[must_use]
    pub fn files_of(&self, name: &str) -> Vec<(&'static str, String)> {
        let own = self.files.iter().map(|(path, text)| match self.own_name {
            Some(own) if *path == self.yours => {
                let named = text.replacen(&format!("\"{own}\""), &format!("\"{name}\""), 1);
                (*path, named)
            }
            Some(_) | None => (*path, (*text).to_owned()),
        });
        own.chain(self.shared_files()).collect()
    }

    /// Returns the files that each kit has besides its own, by their paths; none where `own_name`
    /// is for another place to say.
    #[must_use]
    fn shared_files(&self) -> Vec<(&'static str, String)> {
        let build = self
            .build
            .map_or(String::new(), |build| format!("          {build}\n"));
        let files = SHARED.iter().filter(|_| self.own_name.is_some());
        files
            .map(|(path, text)| {
                let text = text.replace("          BUILD\n", &build);
                (*path, text.replace("PLAYER", self.player))
            })
            .collect()
    }
}

/// Returns all kits, the easiest languages to begin with first.
#[must_use]
pub fn kits() -> Vec<&'static Kit> {
    let mut kits: Vec<_> = LANGUAGES
        .iter()
        .flat_map(|language| language.kits)
        .collect();
    kits.sort_by_key(|kit| kit.rank);
    kits
}

/// Returns the kit that is asked for by `word`; `None` if there is none.
#[must_use]
pub fn kit_called(word: &str) -> Option<&'static Kit> {
    kits()
        .into_iter()
        .find(|kit| kit.names.iter().any(|name| name.eq_ignore_ascii_case(word)))
}

/// Returns the language whose programs a program of this name runs, perhaps with a version as in
/// `python3.12` and `lua5.4`; `None` if it is not an interpreter.
#[must_use]
pub fn interpreted_by(name: &str) -> Option<&'static Language> {
    let name = name.split_once('.').map_or(name, |(name, _)| name);
    let without_version = name.trim_end_matches(|last: char| last.is_ascii_digit());
    let find = |name| {
        LANGUAGES
            .iter()
            .find(|language| language.interpreters.contains(&name))
    };
    find(name).or_else(|| find(without_version))
}

/// Returns the way to flush a line of what an interpreter of this name runs; `None` if it is none,
/// or the way is unknown.
#[must_use]
pub fn flushing_of(interpreter: &str) -> Option<&'static Flushing> {
    let ways = interpreted_by(interpreter)?.flushing;
    let own = ways.iter().find(|way| way.interpreter == Some(interpreter));
    own.or(ways.first())
}

/// Returns the names of all interpreters.
pub fn interpreters() -> impl Iterator<Item = &'static str> {
    let names = LANGUAGES.iter().flat_map(|language| language.interpreters);
    names.copied()
}

/// Returns the language of a file with this name, and its kind.
#[must_use]
pub fn kind_of_file(name: &Path) -> Option<(&'static Language, &'static Ending)> {
    let ending = name.extension()?.to_str()?;
    all_endings().find(|(_, known)| known.ending == ending)
}

/// Returns all endings, with their languages.
fn all_endings() -> impl Iterator<Item = (&'static Language, &'static Ending)> {
    LANGUAGES.iter().flat_map(|language| {
        language
            .endings
            .iter()
            .map(move |ending| (language, ending))
    })
}

/// Returns the names of files that tell what a bot is, and of those that a course asks for and
/// hands out.
pub fn known_files() -> impl Iterator<Item = &'static str> {
    markers().flat_map(|(_, marker)| {
        let course = marker.course();
        let files = course.map_or(vec![marker.file], |course| {
            [course.asked, course.handed_out].concat()
        });
        files.into_iter()
    })
}

/// Returns the files by which bots are recognized, with their languages.
pub fn markers() -> impl Iterator<Item = (&'static Language, &'static Marker)> {
    LANGUAGES.iter().flat_map(|language| {
        language
            .markers
            .iter()
            .map(move |marker| (language, marker))
    })
}

/// Returns the tools of all languages.
pub fn all_tools() -> impl Iterator<Item = &'static Tool> {
    LANGUAGES.iter().flat_map(|language| language.tools)
}

/// Returns the folders and files that tools make and that no bot needs.
fn caches() -> impl Iterator<Item = &'static str> {
    LANGUAGES
        .iter()
        .flat_map(|language| language.caches)
        .copied()
        .chain(OF_ANY_TOOL)
}

/// Returns the folders that a build fills, and the built bot does not need.
pub fn build_folders() -> impl Iterator<Item = &'static str> {
    LANGUAGES
        .iter()
        .flat_map(|language| language.build_folders)
        .copied()
}

/// Returns whether a folder or file of this name is made by a tool, and no part of a bot.
#[must_use]
pub fn is_cache(name: &str) -> bool {
    caches().any(|cache| cache == name)
}

/// Returns whether a file of this name is made by a tool beside others, and is not part of a bot.
#[must_use]
pub fn is_byproduct(name: &str) -> bool {
    let mut endings = LANGUAGES
        .iter()
        .flat_map(|language| language.byproducts)
        .copied()
        .chain(BYPRODUCTS);
    endings.any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests;
