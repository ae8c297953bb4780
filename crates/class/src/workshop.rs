//! Builds submissions: unpacks them, finds out what they are, and runs their build in a sandbox of its own.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::archive::{self, Limits};
use crate::recipe::{ADAPTER_FOLDER, Recipe};
use crate::text::{LONGEST_LOG, kept};
use bothost::{
    Errand, ErrandEnd, ErrandError, ErrandLimits, Interrupt, Launch, Program, Sandbox, Sight,
    Walls, run_errand, text,
};
use sha2::{Digest, Sha256};

use crate::class::{make_folder, short};
use crate::scratch::Scratch;
use crate::{BuildLimits, Class, ClassError, State};
use engine::system;
use kits::Kit;

/// The type of player that is asked of the course's classes.
const COURSE_TYPE: &str = "good";

/// What the shell does: copies the sources ($1) to a folder of its own, runs the build ($2) there with `$3` before the PATH,
/// and writes what is there afterwards to standard output, but for what the other words say. What the build prints goes to
/// standard error.
const SCRIPT: &str = r#"
set -e
work=${TMPDIR:-/tmp}/build
mkdir "$work"
cp -R "$1"/. "$work"
cd "$work"
chmod -R u+w .
PATH=$3$PATH
export PATH
sh -c "$2" >&2 </dev/null
shift 3
exec tar -cf - "$@" .
"#;

/// What came of a submission.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) state: State,
    pub(crate) kind: String,
    pub(crate) command: String,
    pub(crate) log: String,
    pub(crate) digest: String,
}

impl Built {
    fn refused(why: &dyn std::fmt::Display) -> Built {
        let (kind, command, digest) = (String::new(), String::new(), String::new());
        Built { state: State::Refused, kind, command, log: fit(&why.to_string()), digest }
    }
}

/// Where submissions are built.
pub(crate) struct Workshop<'c> {
    class: &'c Class,
    launch: Launch,
    compilers: Compilers,
    /// Where they are unpacked.
    scratch: Scratch,
}

impl<'c> Workshop<'c> {
    /// Prepares to build in `scratch`.
    pub(crate) fn new(class: &'c Class, scratch: Scratch) -> Workshop<'c> {
        let launch = class.terms.launch(class.host.program.clone());
        Workshop { class, launch, compilers: Compilers::find(), scratch }
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
        let BuildLimits { files, size, .. } = self.class.config.build;
        let limits = Limits { files, bytes: u64::from(size) << 20 };
        let unpacked = self.scratch.path().join(format!("{number}-source"));
        if let Err(error) = archive::unpack(source, &unpacked, limits) {
            let name = source.file_name().unwrap_or_default().to_string_lossy();
            return Ok(Built::refused(&format_args!("{name}: {error}")));
        }
        let recipe = match Recipe::of(&unpacked, COURSE_TYPE) {
            Ok(recipe) => recipe,
            Err(error) => return Ok(Built::refused(&error)),
        };
        if let Some(kit) = recipe.adapter {
            put_adapter(kit, &unpacked)?;
        }
        let of_recipe = |state, log: String| Built {
            state,
            kind: recipe.kind.to_owned(),
            command: recipe.run.clone(),
            log: fit(&log),
            digest: String::new(),
        };
        let Some(build) = &recipe.build else {
            let digest = self.keep(&unpacked, &recipe.run)?;
            return Ok(Built { digest, ..of_recipe(State::Built, String::new()) });
        };
        let tar = self.scratch.path().join(format!("{number}.tar"));
        let (errand, said) = match self.run(&unpacked, build, &tar, interrupt) {
            Ok(errand) => {
                let said = String::from_utf8_lossy(&errand.log).into_owned();
                (errand, said)
            }
            Err(ErrandError::Start(error)) if !error.is_of_machine() => {
                return Ok(of_recipe(State::Unbuilt, error.to_string()));
            }
            Err(ErrandError::Start(error)) => return Err(ClassError::fault(error)),
            Err(ErrandError::Io(error)) => return Err(error.into()),
        };
        let failed = |why: &str| of_recipe(State::Unbuilt, format!("$ {build}\n{said}\n{why}"));
        let BuildLimits { time, size, .. } = self.class.config.build;
        match errand.end {
            ErrandEnd::Exited(status) if status.success() => {}
            ErrandEnd::Exited(status) => {
                return Ok(failed(&format!("The build failed: {status}.")));
            }
            ErrandEnd::TooLong => {
                let time = humantime::format_duration(time);
                return Ok(failed(&format!("The build took more than {time} and was ended.")));
            }
            ErrandEnd::TooMuchOutput => {
                return Ok(failed(&format!("The build leaves more than {size} MiB.")));
            }
            ErrandEnd::UsedTooMuch(what) => {
                return Ok(failed(&format!("The build was ended: {what}.")));
            }
            ErrandEnd::Interrupted => {
                return Err(ClassError::Interrupted(
                    "interrupted while a submission was built".to_owned(),
                ));
            }
        }
        let folder = self.scratch.path().join(format!("{number}-built"));
        if let Err(error) = archive::unpack_as_is(&tar, &folder, limits) {
            return Ok(failed(&format!("What the build left cannot be kept: {error}.")));
        }
        let digest = self.keep(&folder, &recipe.run)?;
        Ok(Built { digest, ..of_recipe(State::Built, said) })
    }

    /// Runs a build of the sources in `folder`, whose result goes to the file `tar`.
    fn run(
        &self,
        folder: &Path,
        build: &str,
        tar: &Path,
        interrupt: &Interrupt,
    ) -> Result<Errand, ErrandError> {
        let BuildLimits { time, memory, threads, size, allow, .. } = &self.class.config.build;
        let sandbox = self.launch.sandbox.as_ref();
        let has_world = sandbox.is_some_and(|sandbox| sandbox.walls == Walls::World);
        let words: [OsString; 6] = [
            "-c".into(),
            SCRIPT.into(),
            "build".into(),
            if has_world { Sandbox::FOLDER.into() } else { folder.into() },
            build.into(),
            self.compilers.path.clone(),
        ];
        let excluded = kits::build_folders().map(|folder| format!("--exclude=./{folder}").into());
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
            person: None,
            sight,
        };
        let allowed = || {
            let all = allow.iter().chain(&self.compilers.folders).filter(|path| path.exists());
            all.cloned().chain((!has_world).then(|| folder.to_owned())).collect()
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
        let scratch =
            sandbox.is_none().then(|| tempfile::tempdir_in(self.scratch.path())).transpose()?;
        // Without a sandbox the shell has no folder of its own but this.
        let empty = scratch.as_ref().map(|folder| folder.path().to_owned());
        let folder = if has_world { Some(folder.to_owned()) } else { empty };
        let program = Program { folder, ..program };
        let launch = Launch { sandbox, pinned: false, ponder: true, ..self.launch.clone() };
        // A tar file has a little more than the files in it.
        let output = (u64::from(*size) << 20) + (8 << 20);
        let limits = ErrandLimits { time: *time, output, log: LONGEST_LOG };
        let mut file = io::BufWriter::new(File::create(tar)?);
        let errand = run_errand(&program, &launch, limits, &mut file, interrupt)?;
        file.flush()?;
        Ok(errand)
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

/// Puts the adapter of the course's classes, which is a kit, beside them.
fn put_adapter(kit: &Kit, folder: &Path) -> Result<(), ClassError> {
    let target = folder.join(ADAPTER_FOLDER);
    // A folder of that name in the submission is not this adapter.
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    make_folder(&target)?;
    for (name, text) in kit.files {
        fs::write(target.join(name), text)?;
    }
    Ok(())
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
        digest.update(if system::is_executable(&file.metadata()?) { b"\0x\0" } else { b"\0-\0" });
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
    /// What is put before the PATH to find them.
    path: OsString,
}

impl Compilers {
    fn find() -> Compilers {
        // Most people have Rust in their home, by way of rustup, whose programs look for compilers there.
        let rust = Command::new("rustc").args(["--print", "sysroot"]).stdin(Stdio::null()).output();
        let rust = rust.ok().filter(|output| output.status.success());
        let rust = rust.and_then(|output| String::from_utf8(output.stdout).ok());
        let folders: Vec<PathBuf> =
            rust.iter().map(|folder| PathBuf::from(folder.trim_end())).collect();
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
    let lines: Vec<String> = text.lines().map(|line| text::shown(line.as_bytes())).collect();
    kept(&lines.join("\n"))
}
