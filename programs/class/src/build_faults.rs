//! Why a build failed: by a fault of the machine, or of the student's files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitStatus;

use bothost::find_on_path;
use kits::{Recipe, cut};

use crate::ClassError;
use crate::project;
use crate::workshop::{ADAPTER_SOURCE, NOT_BEGUN, Workshop, list};

impl Workshop<'_> {
    /// Finds out whether the machine is at fault for a build that ended with `status` and printed
    /// `said`.
    ///
    /// # Errors
    /// If it is: a program of the build was killed, a tool of the kits is missing, or a resource is
    /// used up that no sandbox limits.
    pub(crate) fn blame_machine(&self, status: ExitStatus, said: &str) -> Result<(), ClassError> {
        if status.code() == Some(NOT_BEGUN) {
            let why = said.lines().last().unwrap_or_default();
            let what = format!("the build could not be begun: {}", cut(why));
            return Err(ClassError::fault(what));
        }
        // As a shell, a compiler and make report it.
        let mut signs = ["Killed signal", "error: Killed", "] Killed"].into_iter();
        let is_reported = signs.any(|sign| said.contains(sign));
        if is_reported || matches!(status.code(), None | Some(137 | 143)) {
            let what = "the build was killed, as by a system without memory";
            return Err(ClassError::fault(what));
        }
        // By itself make calls the GNU compilers.
        let tools = kits::all_tools().map(|tool| tool.name);
        if let Some(name) = tools.chain(["gcc", "g++"]).find(|name| {
            let named = format!(" {name}: ");
            said.lines().any(|line| {
                let ends = ["not found", "No such file or directory"];
                line.contains(&named) && ends.iter().any(|end| line.ends_with(end))
            }) && find_on_path(name.as_ref()).is_none()
        }) {
            return Err(ClassError::NotInstalled(name.to_owned()));
        }
        // A sandbox has limits of its own for all of these, and a build that reaches them is at
        // fault.
        let is_limited = self.launch.sandbox.is_some();
        for (what, is_own) in [
            ("No space left on device", self.has_world()),
            ("Cannot allocate memory", is_limited),
            ("Too many open files", is_limited),
            ("Resource temporarily unavailable", is_limited),
            ("Input/output error", false),
        ] {
            if !is_own && said.contains(what) {
                return Err(ClassError::fault(format!("the build failed: {what}")));
            }
        }
        Ok(())
    }

    /// Returns which of the files that the course asks for is not in `project`, and in which folder
    /// of the submission it is.
    pub(crate) fn forgotten(&self, recipe: &Recipe, project: &Path) -> io::Result<Option<String>> {
        let asked = recipe.course.map_or(&[][..], |course| course.asked);
        let Some(name) = asked.iter().find(|name| !project.join(name).is_file()) else {
            return Ok(None);
        };
        let root = project
            .ancestors()
            .find(|folder| folder.parent() == Some(self.scratch.path()))
            .unwrap_or(project);
        let mut files = Vec::new();
        list(root, &mut files)?;
        let elsewhere = files.iter().filter_map(|path| path.strip_prefix(root).ok());
        let place = elsewhere
            .filter(|path| {
                path.file_name()
                    .is_some_and(|file| file.eq_ignore_ascii_case(name))
            })
            .find_map(|path| path.parent().and_then(Path::to_str));
        Ok(Some(match place {
            Some(folder) => format!(
                "{name} is in the folder {folder}, and the others are not; put all into one folder"
            ),
            None => format!("{name} is missing; hand in all of {}", asked.join(", ")),
        }))
    }
}

/// Returns the first line of `log` that says what is wrong, with the names of files alone, as their
/// author knows them; `None` if no line is known to do so.
pub(crate) fn first_error(log: &str) -> Option<String> {
    const SIGNS: [&str; 5] = [
        "error:",
        "error[",
        "undefined reference",
        "undefined:",
        "multiple definition",
    ];
    let line = log
        .lines()
        .find(|line| SIGNS.iter().any(|sign| line.contains(sign)))?
        .trim();
    // Of a linker's line, behind the place in the program.
    if let Some(at) = line.find("undefined reference") {
        return Some(format!("{}, which no file defines", &line[at..]));
    }
    if let Some(at) = line.find("multiple definition") {
        return Some(line[at..].split(';').next().unwrap_or_default().to_owned());
    }
    let (path, rest) = line.split_once(':').unwrap_or(("", line));
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    if let Some((_, message)) = rest
        .split_once("error: ")
        .filter(|_| file == ADAPTER_SOURCE)
    {
        return Some(format!(
            "the classes lack what the course asks for: {message}"
        ));
    }
    Some(if path.is_empty() {
        line.to_owned()
    } else {
        format!("{file}:{rest}")
    })
}

/// Returns what is wrong with a source in `folder` that is UTF-16 text; only of those that
/// `command` names, if that is given.
pub(crate) fn utf16_source(folder: &Path, command: Option<&str>) -> io::Result<Option<String>> {
    for path in project::entries(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_used = command.is_none_or(|command| command.contains(&*name));
        if !is_used || !path.is_file() || kits::kind_of_file(&path).is_none() {
            continue;
        }
        let mut mark = [0; 2];
        let count = File::open(&path)?.read(&mut mark)?;
        if count == 2 && matches!(mark, [0xff, 0xfe] | [0xfe, 0xff]) {
            return Ok(Some(format!("{name} is UTF-16 text; save it as UTF-8")));
        }
    }
    Ok(None)
}
