//! The name of a player that was given none.

use std::path::Path;

use bothost::text;
use bots::Shipped;

/// Names of files that say nothing of whose they are, as every kit has them.
const GENERIC_NAMES: [&str; 13] = [
    "bot", "main", "player", "run", "index", "app", "program", "strategy", "ai", "agent", "start",
    "a", "__main__",
];

/// Names of folders in which programs lie that belong to the folder above.
const GENERIC_FOLDERS: [&str; 10] = [
    "bin", "build", "out", "dist", "src", "target", "release", "debug", "classes", "lib",
];

/// Returns the name for a program that was given none: the last thing in its command line that
/// looks like a file, without its folder and ending: `my` for `python3 bots/my.py`. If any bot's
/// file has that name, it is the name of its folder: `mybot` for `python3 mybot/bot.py`, and for
/// `java -cp mybot Bot`. Relative names are looked up in `dir`.
pub(super) fn name_of_program(dir: &Path, file: &str, arguments: &[String]) -> String {
    let script = arguments.iter().rfind(|word| dir.join(word).is_file());
    let path = dir.join(script.map_or(file, String::as_str));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let runs_classes =
        kits::interpreted_by(&stem).is_some_and(|language| !language.class_path.is_empty());
    let folder = match script {
        // Of the class path, which is the only folder that a command names as a rule.
        None if runs_classes => arguments
            .iter()
            .rfind(|word| dir.join(word).is_dir())
            .and_then(|folder| dir.join(folder).canonicalize().ok()),
        // A program on the PATH is in no folder of its author, but for the one it is started in.
        None if Path::new(file).components().count() < 2 => {
            Some(dir.to_owned()).filter(|dir| !dir.as_os_str().is_empty())
        }
        None | Some(_) => std::path::absolute(&path)
            .ok()
            .and_then(|path| Some(path.parent()?.to_owned())),
    };
    let is_generic = |name: &str, known: &[&str]| known.contains(&name.to_lowercase().as_str());
    let mut name = stem.into_owned();
    if runs_classes || is_generic(&name, &GENERIC_NAMES) {
        let folders = folder.iter().flat_map(|folder| folder.ancestors());
        let mut names = folders.map(|folder| folder.file_name().map(|name| name.to_string_lossy()));
        let of_folder = names.find(|name| {
            name.as_ref()
                .is_none_or(|name| !is_generic(name, &GENERIC_FOLDERS))
        });
        if let Some(Some(of_folder)) = of_folder {
            name = of_folder.into_owned();
        }
    }
    fit_name(&name)
}

/// Returns the name of the bot in `folder`, a real path.
pub(super) fn name_of_folder(folder: &Path) -> String {
    fit_name(&folder.file_name().unwrap_or_default().to_string_lossy())
}

fn fit_name(name: &str) -> String {
    let name = text::name(name);
    match name.as_str() {
        "" => "bot".to_owned(),
        // Only the shipped players go by these, unless a player is given such a name.
        name if Shipped::named(&name.to_lowercase()).is_some() => format!("./{name}"),
        _ => name,
    }
}
