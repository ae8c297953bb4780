//! Builds submissions: unpacks them, finds out what they are, and runs their build in a sandbox of
//! its own.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::archive::{self, Limits};
use crate::build_faults::{first_error, utf16_source};
use crate::error::TaskError;
use crate::project;
use crate::text::{LONGEST_LOG, kept};
use bothost::{
    BotProgram, Interrupt, Launch, RunEnd, RunLimits, RunResult, Sandbox, SandboxKind, View,
    find_on_path, make_readable, run_to_end, text,
};
use kits::cut;
use kits::{ADAPTER_FOLDER, Recipe, RecipeError, SKELETON_FOLDER};
use sha2::{Digest, Sha256};

use crate::class::{make_folder, short};
use crate::privacy::keep_bot;
use crate::scratch::Scratch;
use crate::{Class, ClassError, State};
use arena::system;
use kits::Course;

/// The source of the adapter, which no student has seen.
pub(crate) const ADAPTER_SOURCE: &str = "adapter.cpp";

/// The script of the shell. It copies the sources ($1) to a folder of its own, runs the build ($2)
/// there with `$3` before the PATH, and writes the files that are there afterwards to standard
/// output, except those that the other words exclude. The output of the build goes to standard
/// error. It ends with 125 if it cannot begin the build, and never after that.
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
pub(crate) const NOT_BEGUN: i32 = 125;

/// Makes a tar file of archives that the referee does not read: libarchive's.
const CONVERTER: &str = "bsdtar";

/// The same for an archive: the folder with it is `$1`.
const CONVERT: &str = r#"exec bsdtar -cf - --format=pax "@$1/archive""#;

/// The time that a build may take.
const TIME: Duration = Duration::from_secs(120);

/// The memory of all processes of a build together, in bytes.
const MEMORY: u64 = 2 << 30;

/// The threads and processes of a build.
const THREADS: u32 = 64;

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
        let kind = String::new();
        let command = String::new();
        let digest = String::new();
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
    pub(crate) launch: Launch,
    compilers: Compilers,
    /// The folder in which they are unpacked.
    pub(crate) scratch: Scratch,
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

    /// Builds the submission at `source`; `number` tells it from others that are built at the same
    /// time.
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
        let limits = Limits::SUBMISSION;
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
        let RunResult { end, log } = self
            .run(SCRIPT, &unpacked, build, &tar, interrupt)
            .map_err(ClassError::fault)?;
        let said = String::from_utf8_lossy(&log).into_owned();
        let failed = |why: &str| of_recipe(State::Unbuilt, format!("$ {build}\n{said}\n{why}"));
        match end {
            RunEnd::NotStarted(error) if error.is_of_machine() => {
                return Err(ClassError::fault(error).into());
            }
            RunEnd::NotStarted(error) => return Ok(of_recipe(State::Unbuilt, error.to_string())),
            RunEnd::Exited(status) if status.success() => {}
            RunEnd::Exited(status) => {
                self.blame_machine(status, &said)?;
                let mut why = utf16_source(&unpacked, None)?;
                if why.is_none() && said.contains("undefined reference") {
                    why = self.forgotten(&recipe, &unpacked)?;
                }
                let why = why.or_else(|| first_error(&said));
                let why = why.unwrap_or_else(|| format!("{status}."));
                return Ok(failed(&format!("The build failed: {why}")));
            }
            RunEnd::TooLong => {
                let time = humantime::format_duration(TIME);
                return Ok(failed(&format!(
                    "The build took more than {time} and was ended."
                )));
            }
            RunEnd::TooMuchOutput => {
                let most = Limits::SUBMISSION.mebibytes();
                return Ok(failed(&format!("The build leaves more than {most} MiB.")));
            }
            RunEnd::UsedTooMuch(what) => {
                return Ok(failed(&format!("The build was ended: {what}.")));
            }
            RunEnd::Interrupted => return Err(interrupted().into()),
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

    pub(crate) fn has_world(&self) -> bool {
        let sandbox = self.launch.sandbox.as_ref();
        sandbox.is_some_and(|sandbox| sandbox.kind == SandboxKind::Namespaces)
    }

    /// Has another program make a tar file of an archive that the referee does not read, in the
    /// sandbox of a build. Returns where it is; `None` if the referee reads the archive, or the
    /// program is missing.
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
        let RunResult { end, log } = self
            .run(CONVERT, &folder, CONVERTER, &tar, interrupt)
            .map_err(ClassError::fault)?;
        let said = String::from_utf8_lossy(&log).into_owned();
        match end {
            RunEnd::NotStarted(error) => Err(ClassError::fault(error).into()),
            RunEnd::Exited(status) if status.success() => Ok(Some(tar)),
            RunEnd::Exited(status) => {
                self.blame_machine(status, &said)?;
                let why = said.lines().next().unwrap_or("it is damaged");
                Err(TaskError::student(format!(
                    "it cannot be unpacked: {}",
                    cut(why)
                )))
            }
            RunEnd::Interrupted => Err(interrupted().into()),
            RunEnd::TooMuchOutput => Err(TaskError::student(format!(
                "unpacked it has more than {} MiB",
                Limits::SUBMISSION.mebibytes()
            ))),
            RunEnd::TooLong | RunEnd::UsedTooMuch(_) => Err(TaskError::student(
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
    ) -> io::Result<RunResult> {
        make_readable(folder)?;
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
        let mut view = View::closed();
        if has_world {
            view.hide([self.class.folder.path().to_owned()]);
        } else {
            view.hide(self.class.folder.all_but_bots());
        }
        let program = BotProgram {
            file: "/bin/sh".into(),
            arguments: words.into_iter().chain(excluded).collect(),
            command_line: build.to_owned(),
            view,
            ..BotProgram::default()
        };
        let sandbox = sandbox.map(|sandbox| Sandbox {
            allow: self
                .class
                .config
                .build
                .allow
                .iter()
                .chain(&self.compilers.folders)
                .filter(|path| path.exists())
                .cloned()
                .chain((!has_world).then(|| folder.to_owned()))
                .collect(),
            memory: MEMORY,
            threads: THREADS.into(),
            // Compilers write more than bots.
            file_size: MEMORY,
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
        let program = BotProgram {
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
        let output = Limits::SUBMISSION.bytes + (8 << 20);
        let limits = RunLimits {
            time: TIME,
            output,
            log: LONGEST_LOG,
        };
        let mut file = io::BufWriter::new(File::create(tar)?);
        let result = run_to_end(&program, &launch, limits, &mut file, interrupt)?;
        file.flush()?;
        Ok(result)
    }

    /// Puts the adapter of the course's classes, which is a kit, and what the course hands out
    /// beside the classes in `folder`.
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
        let skeleton = &self.class.config.build.skeleton;
        let beside = folder.join(SKELETON_FOLDER);
        without(&beside)?;
        let config = self.class.folder.config();
        if let Some(skeleton) = skeleton {
            let from = self.class.folder.path().join(skeleton);
            archive::unpack_as_is(&from, &beside, Limits::SUBMISSION).map_err(|error| {
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
        make_readable(folder)?;
        let digest = digest_of(folder, command)?;
        keep_bot(folder)?;
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

/// Moves away what a submission has under the name of a folder of the class.
fn without(target: &Path) -> io::Result<()> {
    if target.is_dir() {
        fs::remove_dir_all(target)
    } else if target.exists() {
        fs::remove_file(target)
    } else {
        Ok(())
    }
}

/// Returns the digest of all files in `folder`, their names and which of them are programs, and of
/// `command`.
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

pub(crate) fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
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
        // Most people have Rust in their home, by way of rustup, whose programs look for compilers
        // there.
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
