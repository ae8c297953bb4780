//! Builds submissions: unpacks them, finds out what they are, and runs their build in a sandbox of its own.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use crate::archive::{self, Limits};
use crate::error::TaskError;
use crate::project;
use crate::text::{LONGEST_LOG, kept};
use bothost::{
    Errand, ErrandEnd, ErrandError, ErrandLimits, Interrupt, Launch, Program, Sandbox, Sight,
    Walls, find_on_path, run_errand, text,
};
use kits::cut;
use kits::{ADAPTER_FOLDER, Recipe, RecipeError, SKELETON_FOLDER};
use sha2::{Digest, Sha256};

use crate::class::{make_folder, short};
use crate::scratch::Scratch;
use crate::{BuildLimits, Class, ClassError, State};
use engine::system;
use kits::Course;

/// The source of the adapter, which no student has seen.
const ADAPTER_SOURCE: &str = "adapter.cpp";

/// The script of the shell. It copies the sources ($1) to a folder of its own, runs the build ($2) there with `$3` before the
/// PATH, and writes the files that are there afterwards to standard output, except those that the other words exclude. The
/// output of the build goes to standard error. It ends with 125 if it cannot begin the build, and never after that.
const SCRIPT: &str = r#"
work=${TMPDIR:-/tmp}/build
mkdir "$work" && cp -R "$1"/. "$work" && cd "$work" || exit 125
# A basic sandbox refuses it.
chmod -R u+w . 2>/dev/null
PATH=$3$PATH
export PATH
sh -c "$2" >&2 </dev/null || { code=$?; [ $code = 125 ] && exit 1; exit $code; }
shift 3
exec tar -cf - "$@" .
"#;

/// The status with which the script ends if it cannot begin the build.
const NOT_BEGUN: i32 = 125;

/// Makes a tar file of archives that the referee does not read: libarchive's.
const CONVERTER: &str = "bsdtar";

/// The same for an archive: the folder with it is `$1`.
const CONVERT: &str = r#"exec bsdtar -cf - --format=pax "@$1/archive""#;

/// The result of a submission.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) state: State,
    pub(crate) kind: String,
    pub(crate) command: String,
    pub(crate) log: String,
    pub(crate) digest: String,
}

impl Built {
    fn refused(why: &str) -> Built {
        let (kind, command, digest) = (String::new(), String::new(), String::new());
        Built {
            state: State::Refused,
            kind,
            command,
            log: fit(why),
            digest,
        }
    }
}

/// The place where submissions are built.
pub(crate) struct Workshop<'c> {
    class: &'c Class,
    launch: Launch,
    compilers: Compilers,
    /// The folder in which they are unpacked.
    scratch: Scratch,
}

impl<'c> Workshop<'c> {
    /// Prepares to build in `scratch`.
    pub(crate) fn new(class: &'c Class, scratch: Scratch) -> Workshop<'c> {
        let launch = class.terms.launch(class.host.program.clone());
        Workshop {
            class,
            launch,
            compilers: Compilers::find(),
            scratch,
        }
    }

    /// Builds the submission at `source`; `number` tells it from others that are built at the same time.
    ///
    /// # Errors
    /// If the machine fails, or the referee is interrupted: that says nothing of the submission.
    pub(crate) fn build(
        &self,
        source: &Path,
        number: usize,
        interrupt: &Interrupt,
    ) -> Result<Built, ClassError> {
        match self.try_build(source, number, interrupt) {
            Ok(built) => Ok(built),
            Err(TaskError::Student(why)) => Ok(Built::refused(&why)),
            Err(TaskError::Other(error)) => Err(error),
        }
    }

    fn try_build(
        &self,
        source: &Path,
        number: usize,
        interrupt: &Interrupt,
    ) -> Result<Built, TaskError> {
        let BuildLimits { files, size, .. } = self.class.config.build;
        let limits = Limits {
            files,
            bytes: u64::from(size) << 20,
        };
        let unpacked = self.scratch.path().join(format!("{number}-source"));
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        let converted = self.converted(source, number, interrupt);
        let archive = converted.map_err(TaskError::about(&name))?;
        let archive = archive.as_deref().unwrap_or(source);
        let done = archive::unpack(archive, &unpacked, limits).map_err(TaskError::from);
        done.map_err(TaskError::about(&name))?;
        let unpacked = project::find(&unpacked, limits)?;
        let recipe = match Recipe::of(&unpacked, &self.class.config.build.asked()) {
            Ok(recipe) => recipe,
            Err(RecipeError::Io(error)) => return Err(error.into()),
            Err(error) => return Err(TaskError::student(error)),
        };
        if let Some(course) = recipe.course {
            self.put_course(course, &unpacked)?;
        }
        let of_recipe = |state, log: String| Built {
            state,
            kind: recipe.kind.to_owned(),
            command: recipe.run.clone(),
            log: fit(&log),
            digest: String::new(),
        };
        let Some(build) = &recipe.build else {
            if let Some(why) = utf16_source(&unpacked, Some(&recipe.run))? {
                return Err(TaskError::Student(why));
            }
            let digest = self.keep(&unpacked, &recipe.run)?;
            return Ok(Built {
                digest,
                ..of_recipe(State::Built, String::new())
            });
        };
        let tar = self.scratch.path().join(format!("{number}.tar"));
        let errand = match self.run(SCRIPT, &unpacked, build, &tar, interrupt) {
            Ok(errand) => errand,
            Err(ErrandError::Start(error)) if !error.is_of_machine() => {
                return Ok(of_recipe(State::Unbuilt, error.to_string()));
            }
            Err(error) => return Err(ClassError::fault(error).into()),
        };
        let said = String::from_utf8_lossy(&errand.log).into_owned();
        let failed = |why: &str| of_recipe(State::Unbuilt, format!("$ {build}\n{said}\n{why}"));
        let BuildLimits { time, size, .. } = self.class.config.build;
        match errand.end {
            ErrandEnd::Exited(status) if status.success() => {}
            ErrandEnd::Exited(status) => {
                self.blame_machine(status, &said)?;
                let mut why = utf16_source(&unpacked, None)?;
                if why.is_none() && said.contains("undefined reference") {
                    why = self.forgotten(&recipe, &unpacked)?;
                }
                let why = why.or_else(|| first_error(&said));
                let why = why.unwrap_or_else(|| format!("{status}."));
                return Ok(failed(&format!("The build failed: {why}")));
            }
            ErrandEnd::TooLong => {
                let time = humantime::format_duration(time);
                return Ok(failed(&format!(
                    "The build took more than {time} and was ended."
                )));
            }
            ErrandEnd::TooMuchOutput => {
                return Ok(failed(&format!("The build leaves more than {size} MiB.")));
            }
            ErrandEnd::UsedTooMuch(what) => {
                return Ok(failed(&format!("The build was ended: {what}.")));
            }
            ErrandEnd::Interrupted => return Err(interrupted().into()),
        }
        let folder = self.scratch.path().join(format!("{number}-built"));
        match archive::unpack_as_is(&tar, &folder, limits).map_err(TaskError::from) {
            Ok(()) => {}
            Err(TaskError::Student(why)) => {
                return Ok(failed(&format!(
                    "What the build left cannot be kept: {why}."
                )));
            }
            Err(error) => return Err(error),
        }
        let digest = self.keep(&folder, &recipe.run)?;
        Ok(Built {
            digest,
            ..of_recipe(State::Built, said)
        })
    }

    /// Finds out whether the machine is at fault for a build that ended with `status` and printed `said`.
    ///
    /// # Errors
    /// If it is: a program of the build was killed, a tool of the kits is missing, or a resource is used up that no sandbox
    /// limits.
    fn blame_machine(&self, status: ExitStatus, said: &str) -> Result<(), ClassError> {
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
        let is_missing = |name: &&str| {
            let named = format!(" {name}: ");
            let is_it = |line: &str| {
                let ends = ["not found", "No such file or directory"];
                line.contains(&named) && ends.iter().any(|end| line.ends_with(end))
            };
            said.lines().any(is_it) && find_on_path(name.as_ref()).is_none()
        };
        // By itself make calls the GNU compilers.
        let tools = kits::all_tools().map(|tool| tool.name);
        if let Some(name) = tools.chain(["gcc", "g++"]).find(is_missing) {
            let what = format!("{name} is not installed on this machine");
            return Err(ClassError::fault(what));
        }
        // A sandbox has limits of its own for all of these, and a build that reaches them is at fault.
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

    /// Returns which of the files that the course asks for is not in `project`, and in which folder of the submission it is.
    fn forgotten(&self, recipe: &Recipe, project: &Path) -> io::Result<Option<String>> {
        let asked = recipe.course.map_or(&[][..], |course| course.asked);
        let Some(name) = asked.iter().find(|name| !project.join(name).is_file()) else {
            return Ok(None);
        };
        let is_whole = |folder: &&Path| folder.parent() == Some(self.scratch.path());
        let root = project.ancestors().find(is_whole).unwrap_or(project);
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

    fn has_world(&self) -> bool {
        let sandbox = self.launch.sandbox.as_ref();
        sandbox.is_some_and(|sandbox| sandbox.walls == Walls::World)
    }

    /// Has another program make a tar file of an archive that the referee does not read, in the sandbox of a build. Returns where
    /// it is; `None` if the referee reads the archive, or the program is missing.
    fn converted(
        &self,
        source: &Path,
        number: usize,
        interrupt: &Interrupt,
    ) -> Result<Option<PathBuf>, TaskError> {
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        if source.is_dir() || !archive::is_foreign(&name) {
            return Ok(None);
        }
        if find_on_path(CONVERTER.as_ref()).is_none() {
            let what = format!("{CONVERTER}, which opens .7z and .rar files, is not installed");
            return Err(ClassError::fault(what).into());
        }
        let folder = self.scratch.path().join(format!("{number}-archive"));
        make_folder(&folder)?;
        fs::copy(source, folder.join("archive"))?;
        let tar = self.scratch.path().join(format!("{number}-converted.tar"));
        let errand = self
            .run(CONVERT, &folder, CONVERTER, &tar, interrupt)
            .map_err(ClassError::fault)?;
        let said = String::from_utf8_lossy(&errand.log).into_owned();
        match errand.end {
            ErrandEnd::Exited(status) if status.success() => Ok(Some(tar)),
            ErrandEnd::Exited(status) => {
                self.blame_machine(status, &said)?;
                let why = said.lines().next().unwrap_or("it is damaged");
                Err(TaskError::student(format!(
                    "it cannot be unpacked: {}",
                    cut(why)
                )))
            }
            ErrandEnd::Interrupted => Err(interrupted().into()),
            ErrandEnd::TooMuchOutput => Err(TaskError::student(format!(
                "unpacked it has more than {} MiB",
                self.class.config.build.size
            ))),
            ErrandEnd::TooLong | ErrandEnd::UsedTooMuch(_) => Err(TaskError::student(
                "it takes too much to unpack it; hand in a .zip",
            )),
        }
    }

    /// Runs a script of ours for what is in `folder`: a build, whose result goes to the file `tar`.
    fn run(
        &self,
        script: &str,
        folder: &Path,
        build: &str,
        tar: &Path,
        interrupt: &Interrupt,
    ) -> Result<Errand, ErrandError> {
        let BuildLimits {
            time,
            memory,
            threads,
            size,
            allow,
            ..
        } = &self.class.config.build;
        let sandbox = self.launch.sandbox.as_ref();
        let has_world = self.has_world();
        let words: [OsString; 6] = [
            "-c".into(),
            script.into(),
            "build".into(),
            if has_world {
                Sandbox::FOLDER.into()
            } else {
                folder.into()
            },
            build.into(),
            self.compilers.path.clone(),
        ];
        let excluded = kits::build_folders().chain([SKELETON_FOLDER]);
        let excluded = excluded.map(|folder| format!("--exclude=./{folder}").into());
        // The folder and the command come from a student.
        let mut sight = Sight::closed();
        if has_world {
            sight.hide([self.class.folder.path().to_owned()]);
        } else {
            sight.hide(self.class.folder.all_but_bots());
        }
        let program = Program {
            file: "/bin/sh".into(),
            arguments: words.into_iter().chain(excluded).collect(),
            folder: None,
            command_line: build.to_owned(),
            on_terminal: false,
            variables: Vec::new(),
            person: None,
            sight,
        };
        let allowed = || {
            let all = allow
                .iter()
                .chain(&self.compilers.folders)
                .filter(|path| path.exists());
            all.cloned()
                .chain((!has_world).then(|| folder.to_owned()))
                .collect()
        };
        let memory = u64::from(*memory) << 20;
        let sandbox = sandbox.map(|sandbox| Sandbox {
            allow: allowed(),
            memory,
            threads: (*threads).into(),
            // Compilers write more than bots.
            file_size: memory,
            descriptors: 1024,
            ..sandbox.clone()
        });
        let scratch = sandbox
            .is_none()
            .then(|| tempfile::tempdir_in(self.scratch.path()))
            .transpose()?;
        // Without a sandbox the shell has no folder of its own but this.
        let empty = scratch.as_ref().map(|folder| folder.path().to_owned());
        let folder = if has_world {
            Some(folder.to_owned())
        } else {
            empty
        };
        // A sandbox names another one.
        let temporary = folder.iter().map(|folder| ("TMPDIR".into(), folder.into()));
        let program = Program {
            variables: temporary.collect(),
            folder: folder.clone(),
            ..program
        };
        let launch = Launch {
            sandbox,
            pinned: false,
            ponder: true,
            ..self.launch.clone()
        };
        // A tar file has a little more than the files in it.
        let output = (u64::from(*size) << 20) + (8 << 20);
        let limits = ErrandLimits {
            time: *time,
            output,
            log: LONGEST_LOG,
        };
        let mut file = io::BufWriter::new(File::create(tar)?);
        let errand = run_errand(&program, &launch, limits, &mut file, interrupt)?;
        file.flush()?;
        Ok(errand)
    }

    /// Puts the adapter of the course's classes, which is a kit, and what the course hands out beside the classes in `folder`.
    ///
    /// # Errors
    /// If something is missing that the course hands out: that is the teacher's to put there.
    fn put_course(&self, course: &Course, folder: &Path) -> Result<(), ClassError> {
        let adapter = folder.join(ADAPTER_FOLDER);
        without(&adapter)?;
        make_folder(&adapter)?;
        let kit = kits::kit_called(course.kit);
        for (name, text) in kit.map_or(&[][..], |kit| kit.files) {
            fs::write(adapter.join(name), text)?;
        }
        let BuildLimits {
            skeleton,
            files,
            size,
            ..
        } = &self.class.config.build;
        let beside = folder.join(SKELETON_FOLDER);
        without(&beside)?;
        let config = self.class.folder.config();
        if let Some(skeleton) = skeleton {
            let from = self.class.folder.path().join(skeleton);
            let limits = Limits {
                files: *files,
                bytes: u64::from(*size) << 20,
            };
            archive::unpack_as_is(&from, &beside, limits).map_err(|error| {
                let place = format!("{}, [build] skeleton", config.display());
                ClassError::misuse(format!("{place}: {}: {error}", skeleton.display()))
            })?;
        }
        project::mend_cases(folder, skeleton.is_some().then_some(&beside))?;
        let is_there = |name: &&str| folder.join(name).is_file() || beside.join(name).is_file();
        let missing: Vec<&str> = course
            .handed_out
            .iter()
            .copied()
            .filter(|name| !is_there(name))
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let missing = missing.join(", ");
        let config = config.display();
        Err(ClassError::misuse(match skeleton {
            None => format!(
                "the class has no {missing}, which the course hands out; put these into a folder, and write skeleton = \"FOLDER\" \
                 below [build] into {config}"
            ),
            Some(skeleton) => format!(
                "{} has no {missing}, and neither has the submission; put these there, or correct skeleton in {config}",
                skeleton.display()
            ),
        }))
    }

    /// Moves a finished bot to its place, if it is not there yet. Returns its digest.
    fn keep(&self, folder: &Path, command: &str) -> Result<String, ClassError> {
        let digest = digest_of(folder, command)?;
        let place = self.class.bot_folder(&digest);
        match fs::rename(folder, &place) {
            Ok(()) => {}
            // The same bot was built before.
            Err(_) if place.is_dir() => {}
            Err(error) => return Err(error.into()),
        }
        Ok(digest)
    }
}

fn interrupted() -> ClassError {
    ClassError::Interrupted("interrupted while a submission was built".to_owned())
}

/// Makes room for a folder of ours in a submission: what has its name there is something else.
fn without(target: &Path) -> io::Result<()> {
    if target.is_dir() {
        fs::remove_dir_all(target)
    } else if target.exists() {
        fs::remove_file(target)
    } else {
        Ok(())
    }
}

/// Returns the first line of `log` that says what is wrong, with the names of files alone, as their author knows them; `None` if
/// no line is known to do so.
fn first_error(log: &str) -> Option<String> {
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

/// Returns what is wrong with a source in `folder` that is UTF-16 text; only of those that `command` names, if that is given.
fn utf16_source(folder: &Path, command: Option<&str>) -> io::Result<Option<String>> {
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

/// Returns the digest of all files in `folder`, their names and which of them are programs, and of `command`.
fn digest_of(folder: &Path, command: &str) -> io::Result<String> {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    let mut digest = Sha256::new();
    digest.update(command.as_bytes());
    let mut buffer = vec![0; 1 << 16];
    for path in files {
        let name = path.strip_prefix(folder).unwrap_or(&path);
        let mut file = File::open(&path)?;
        digest.update(b"\0");
        digest.update(name.as_os_str().as_encoded_bytes());
        digest.update(if system::is_executable(&file.metadata()?) {
            b"\0x\0"
        } else {
            b"\0-\0"
        });
        digest.update(file.seek(io::SeekFrom::End(0))?.to_le_bytes());
        file.rewind()?;
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                count => digest.update(&buffer[..count]),
            }
        }
    }
    Ok(short(&digest.finalize()))
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // There are no links: they were not unpacked.
        if entry.file_type()?.is_dir() {
            list(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// Compilers that are not installed with the system.
struct Compilers {
    /// The folders in which they are.
    folders: Vec<PathBuf>,
    /// The folders to put before the PATH to find them.
    path: OsString,
}

impl Compilers {
    fn find() -> Compilers {
        // Most people have Rust in their home, by way of rustup, whose programs look for compilers there.
        let rust = Command::new("rustc")
            .args(["--print", "sysroot"])
            .stdin(Stdio::null())
            .output();
        let rust = rust.ok().filter(|output| output.status.success());
        let rust = rust.and_then(|output| String::from_utf8(output.stdout).ok());
        let folders: Vec<PathBuf> = rust
            .iter()
            .map(|folder| PathBuf::from(folder.trim_end()))
            .collect();
        let mut path = OsString::new();
        for folder in &folders {
            path.push(folder.join("bin"));
            path.push(":");
        }
        Compilers { folders, path }
    }
}

/// Returns text of a submission, line by line fit to be shown, and no longer than is kept.
pub(crate) fn fit(text: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(|line| text::shown(line.as_bytes()))
        .collect();
    kept(&lines.join("\n"))
}
