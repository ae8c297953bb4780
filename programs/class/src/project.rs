//! The search for the project in a submission: below other folders, in an archive within the
//! archive, or under names that platforms and other systems gave its files.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use kits::Course;
use thiserror::Error;

use crate::archive::{self, Limits, UnpackError};
use crate::import::PlatformName;
use kits::BOT_TOML;
use kits::{cut, quoted};

/// An archive within an archive within an archive has no project.
const DEEPEST_ARCHIVE: usize = 2;

/// The file that builds programs of any kind.
const BUILD_FILE: &str = "Makefile";

/// Number of levels of folders in which projects are looked for.
const DEEPEST: usize = 6;

/// The reason why there is no project.
#[derive(Debug, Error)]
pub(crate) enum ProjectError {
    /// Several folders could be it.
    #[error("it has more than one project: {0}; hand in one")]
    Several(String),
    /// Several archives could have it.
    #[error("it has more than one archive: {0}; hand in one")]
    Archives(String),
    /// The archive in it is opened by another program.
    #[error("{}: a .7z or .rar file within an archive is not opened; hand in a .zip", quoted(.0))]
    Foreign(String),
    /// The archive in it cannot be unpacked.
    #[error("{}: {error}", quoted(name))]
    Archive {
        /// Its name.
        name: String,
        /// The error.
        error: UnpackError,
    },
    /// The machine fails.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Returns the folder of the project in `unpacked`, whose files have the names that their project
/// gave them; `unpacked` itself if nothing tells where it is. `limits` are those of an archive in
/// it.
///
/// # Errors
/// If there is more than one, or an archive in it cannot be unpacked.
pub(crate) fn find(unpacked: &Path, limits: Limits) -> Result<PathBuf, ProjectError> {
    let mut root = unpacked.to_owned();
    for depth in 0..=DEEPEST_ARCHIVE {
        let Search { projects, archives } = search(&root)?;
        let at = |is_one: &dyn Fn(&Found) -> bool| {
            let depth = projects
                .iter()
                .filter(|one| is_one(one))
                .map(|one| one.depth)
                .min();
            let of_level = projects
                .iter()
                .filter(|one| Some(one.depth) == depth && is_one(one));
            of_level.collect::<Vec<_>>()
        };
        let first = at(&|_| true);
        let of_first = |is_one: fn(&Found) -> bool| {
            first
                .iter()
                .copied()
                .filter(|one| is_one(one))
                .collect::<Vec<_>>()
        };
        let has_only_builds = first.iter().all(|one| one.is_build);
        // The word of the author counts more than the requests of the course, and those more than
        // files that tools made.
        for level in [
            of_first(|one| one.has_toml),
            of_first(|one| one.is_whole),
            if has_only_builds {
                at(&|one| one.is_whole)
            } else {
                Vec::new()
            },
            of_first(|_| true),
        ] {
            let level: Vec<PathBuf> = level.into_iter().map(|one| one.folder.clone()).collect();
            match &level[..] {
                [] => {}
                [project] => return Ok(project.clone()),
                several => return Err(ProjectError::Several(named(several, unpacked))),
            }
        }
        match &archives[..] {
            [inner] if depth < DEEPEST_ARCHIVE => {
                let name = inner
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                if archive::is_foreign(&name) {
                    return Err(ProjectError::Foreign(name));
                }
                let into = unpacked.with_extension(format!("inner{depth}"));
                archive::unpack(inner, &into, limits)
                    .map_err(|error| ProjectError::Archive { name, error })?;
                root = into;
            }
            [] | [_] => break,
            several => return Err(ProjectError::Archives(named(several, unpacked))),
        }
    }
    Ok(unpacked.to_owned())
}

/// The contents of a folder.
#[derive(Default)]
struct Search {
    /// The shallowest first.
    projects: Vec<Found>,
    archives: Vec<PathBuf>,
}

/// A folder that could be the project.
struct Found {
    folder: PathBuf,
    /// Its depth in folders.
    depth: usize,
    /// Whether its author says how it is built.
    has_toml: bool,
    /// Whether it has all that a course asks for.
    is_whole: bool,
    /// Whether only a build file tells that it is one.
    is_build: bool,
}

/// Looks for projects and archives in `root` and the folders below it.
fn search(root: &Path) -> io::Result<Search> {
    let mut found = Search::default();
    let mut folders = vec![root.to_owned()];
    for depth in 0..DEEPEST {
        let mut below = Vec::new();
        for folder in folders {
            restore_names(&folder)?;
            let names = names_in(&folder)?;
            for path in entries(&folder)? {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if path.is_dir() {
                    below.push(path);
                } else if archive::is_archive(&name) {
                    found.archives.push(path);
                }
            }
            if is_project(&names) {
                found.projects.push(Found {
                    depth,
                    has_toml: names.contains(BOT_TOML),
                    is_whole: course_of(&names).is_some(),
                    is_build: !names
                        .iter()
                        .any(|name| name != BUILD_FILE && is_marker(name)),
                    folder,
                });
            }
        }
        folders = below;
    }
    Ok(found)
}

/// Returns whether one of these files tells how a bot is built or started.
fn is_project(names: &BTreeSet<String>) -> bool {
    names.iter().any(|name| is_marker(name))
}

fn is_marker(name: &str) -> bool {
    name == BOT_TOML || kits::markers().any(|(_, marker)| marker.file == name)
}

/// Returns the course all of whose files are among these, if there is one.
fn course_of(names: &BTreeSet<String>) -> Option<&'static Course> {
    let mut courses = kits::markers().filter_map(|(_, marker)| marker.course());
    courses.find(|course| course.is_whole(|name| names.contains(name)))
}

/// Returns the names of the files in `folder`.
fn names_in(folder: &Path) -> io::Result<BTreeSet<String>> {
    let files = entries(folder)?.into_iter().filter(|path| path.is_file());
    Ok(files
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
        .collect())
}

/// Returns what is in `folder`, by name.
pub(crate) fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_, _>>()?;
    paths.sort();
    Ok(paths)
}

/// Returns paths as they are below `root`.
fn named(paths: &[PathBuf], root: &Path) -> String {
    cut(&paths
        .iter()
        .map(|path| {
            path.strip_prefix(root)
                .unwrap_or(path)
                .display()
                .to_string()
        })
        .collect::<Vec<_>>()
        .join(", "))
}

/// Gives files in `folder` back the names that their project needs, if that makes one of it. Of
/// several that would have one name, the one with the highest number, which was handed in last,
/// gets it.
fn restore_names(folder: &Path) -> io::Result<()> {
    let names = names_in(folder)?;
    let mut given: BTreeMap<String, (u32, &str)> = BTreeMap::new();
    for name in &names {
        let (plain, number) = plain_name(name);
        let plain = known_name(&plain).map_or(plain, str::to_owned);
        let is_later = given.get(&plain).is_none_or(|(other, _)| *other < number);
        // Of a strange name nothing may be left, or that of a folder.
        if !names.contains(&plain) && is_later && !folder.join(&plain).exists() {
            given.insert(plain, (number, name));
        }
    }
    let after: BTreeSet<String> = names.iter().chain(given.keys()).cloned().collect();
    let course = course_of(&after);
    // A project that is recognized uses its names as they are, but for those that the course asks
    // for.
    let is_given = |plain: &str| match course {
        Some(course) if is_project(&names) => course
            .asked
            .iter()
            .chain(course.handed_out)
            .any(|name| *name == plain),
        Some(_) => true,
        None => !is_project(&names) && is_project(&after),
    };
    for (plain, (_, name)) in given.iter().filter(|(plain, _)| is_given(plain)) {
        fs::rename(folder.join(name), folder.join(plain))?;
    }
    Ok(())
}

/// Returns a name without what a platform adds, and the number of the copy that it says: Canvas
/// makes `ada_123_4567_bot.py` and `ada_LATE_123_4567_bot.py` of `bot.py`, and `bot-1.py` of one
/// that is handed in again; browsers make `bot (1).py`.
fn plain_name(name: &str) -> (String, u32) {
    let named = PlatformName::parse(name).map(|named| named.own);
    let name = named
        .filter(|own| !own.is_empty())
        .unwrap_or_else(|| name.to_owned());
    let (stem, ending) = match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => (stem, format!(".{ending}")),
        _ => return (name, 0),
    };
    let copy = stem
        .strip_suffix(')')
        .and_then(|stem| stem.rsplit_once('('));
    let (bare, number) = match copy.or_else(|| stem.rsplit_once('-')) {
        Some((bare, number)) if !bare.trim().is_empty() => (bare.trim_end(), number.parse()),
        _ => return (name, 0),
    };
    match number {
        Ok(number) => (format!("{bare}{ending}"), number),
        Err(_) => (name, 0),
    }
}

/// Returns the file of a language that `name` is but for its case.
fn known_name(name: &str) -> Option<&'static str> {
    kits::known_files().find(|known| known.eq_ignore_ascii_case(name))
}

/// Puts a file under each name into `folder` by which another one there includes a file, as systems
/// do that do not tell cases apart. `beside` is a folder with further files, if there is one.
///
/// # Errors
/// If the machine fails.
pub(crate) fn mend_cases(folder: &Path, beside: Option<&Path>) -> io::Result<()> {
    let files: Vec<PathBuf> = entries(folder)?
        .into_iter()
        .filter(|path| path.is_file())
        .collect();
    let others = beside.map(entries).transpose()?.unwrap_or_default();
    for path in &files {
        let is_source =
            kits::kind_of_file(path).is_some() || path.extension() == Some("h".as_ref());
        if !is_source {
            continue;
        }
        let text = fs::read(path)?;
        let text = String::from_utf8_lossy(&text);
        let included = text.lines().filter_map(|line| {
            line.trim_start()
                .strip_prefix("#include")?
                .trim_start()
                .strip_prefix('"')?
                .split('"')
                .next()
        });
        for name in included.filter(|name| !name.contains(['/', '\\']) && !name.is_empty()) {
            let is_there = |folder: &Path| folder.join(name).exists();
            if is_there(folder) || beside.is_some_and(is_there) {
                continue;
            }
            if let Some(meant) = files.iter().chain(&others).find(|path| {
                path.file_name()
                    .and_then(OsStr::to_str)
                    .is_some_and(|other| other.eq_ignore_ascii_case(name))
            }) {
                // Not a copy, which would be included a second time.
                let meant = meant.file_name().unwrap_or_default().to_string_lossy();
                fs::write(folder.join(name), format!("#include \"{meant}\"\n"))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_platforms_are_taken_back() {
        for (name, plain, number) in [
            ("bot.py", "bot.py", 0),
            ("ada_12345_678901_Player.cpp", "Player.cpp", 0),
            ("ada_LATE_12345_678901_Player.cpp", "Player.cpp", 0),
            ("ada_12345_678901_my_bot.py", "my_bot.py", 0),
            ("ada_12345_678901_Player-2.cpp", "Player.cpp", 2),
            ("Player (3).cpp", "Player.cpp", 3),
            ("Player-1.cpp", "Player.cpp", 1),
            ("well-known.cpp", "well-known.cpp", 0),
            ("-1.cpp", "-1.cpp", 0),
            ("a_1_2", "a_1_2", 0),
            ("", "", 0),
        ] {
            assert_eq!(plain_name(name), (plain.to_owned(), number), "{name}");
        }
    }

    fn made(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("in");
        for (name, text) in files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        (outer, folder)
    }

    const LIMITS: Limits = Limits {
        files: 100,
        bytes: 1 << 20,
    };

    #[test]
    fn the_folder_with_the_project_is_found() {
        for (files, found) in [
            ("bot.py", ""),
            (
                "P3/P3/Player.cpp | P3/P3.xcodeproj/project.pbxproj",
                "P3/P3",
            ),
            ("P3/Player.cpp | report.docx", "P3"),
            (
                "workspace/.project | workspace/src/Bot.java",
                "workspace/src",
            ),
            ("PLAYER.CPP | P3/notes.txt", ""),
            ("notes.txt", ""),
            (
                "Makefile | src/Player.cpp | src/Game.cpp | src/Board.cpp",
                "src",
            ),
            (
                "bot.toml | src/Player.cpp | src/Game.cpp | src/Board.cpp",
                "",
            ),
            ("Cargo.toml | tests/bot.toml", ""),
            ("bot.py | old/Player.cpp | old/Game.cpp | old/Board.cpp", ""),
            (
                "a_12_34_ | a_12_35_. | bot (1).py | bot.py/x | a_12_34_bot.js",
                "",
            ),
            (
                "src/Player.cpp | src/Game.cpp | src/Board.cpp | cmake-build-debug/Makefile",
                "src",
            ),
        ] {
            let files: Vec<_> = files.split(" | ").map(|name| (name, "")).collect();
            let (_outer, folder) = made(&files);
            assert_eq!(
                find(&folder, LIMITS).unwrap(),
                folder.join(found),
                "{files:?}"
            );
        }
        let (_outer, folder) = made(&[("a/bot.py", ""), ("b/bot.py", "")]);
        let error = find(&folder, LIMITS).unwrap_err().to_string();
        assert_eq!(error, "it has more than one project: a, b; hand in one");
    }

    #[test]
    fn the_copy_that_came_last_gets_the_name() {
        let (_outer, folder) = made(&[
            ("player-1.cpp", "1"),
            ("Player-12.cpp", "12"),
            ("x-1.h", ""),
        ]);
        find(&folder, LIMITS).unwrap();
        assert_eq!(fs::read_to_string(folder.join("Player.cpp")).unwrap(), "12");
        assert!(folder.join("x.h").is_file() && folder.join("player-1.cpp").is_file());
    }

    #[test]
    fn an_include_finds_its_file_in_any_case() {
        let text =
            "#include \"player.h\"\n  #include \"GLOBALS.H\"\n#include \"../x\"\n#include \"\"\n";
        let (_outer, folder) = made(&[
            ("Player.cpp", text),
            ("Player.h", "p"),
            ("none.txt", ""),
            ("skel/globals.h", "g"),
        ]);
        mend_cases(&folder, Some(&folder.join("skel"))).unwrap();
        let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(text("player.h"), "#include \"Player.h\"\n");
        assert_eq!(text("GLOBALS.H"), "#include \"globals.h\"\n");
    }
}
