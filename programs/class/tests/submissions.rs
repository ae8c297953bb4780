//! The submissions of students.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use testkit::programs::{project_file, referee};

/// It knows the usual board alone, and takes lines as a check ends them.
const PLAIN: &str = "\
while read -r word; do
  case $word in
    battleship*) echo ready ;;
    place*) cell=0; echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h ;;
    attack*) echo attack $((cell / 10)) $((cell % 10)); cell=$((cell + 1)) ;;
    quit*) exit ;;
  esac
done
";

/// The folder in which submissions are made before they are handed in.
pub(super) struct Desk(TempDir);

impl Desk {
    pub(super) fn new() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A kit as `referee new` makes it. Its name is not in it, so that two of them are the same.
    pub(super) fn kit(&self, language: &str, name: &str) -> PathBuf {
        let folder = self.path(name);
        fs::create_dir_all(&folder).unwrap();
        referee()
            .args(["new", language, "bot"])
            .current_dir(&folder)
            .assert()
            .success();
        folder.join("bot")
    }

    /// A folder with these files.
    pub(super) fn folder(&self, name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = self.path(name);
        for (file, text) in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    /// The Python kit, whose bot does `deed` before each of its attacks.
    pub(super) fn python_that(&self, name: &str, deed: &str) -> PathBuf {
        let kit = self.kit("python", name);
        let path = kit.join("strategy.py");
        let text = fs::read_to_string(&path).unwrap();
        let (head, body) = text.split_once("    def attack(self").unwrap();
        let (signature, rest) = body.split_once(":\n").unwrap();
        let changed = format!("{head}    def attack(self{signature}:\n        {deed}\n{rest}");
        fs::write(&path, changed).unwrap();
        kit
    }

    /// A bot that starts in a millisecond and attacks the board cell by cell. Its name makes it one of its own.
    pub(super) fn plain(&self, name: &str) -> PathBuf {
        self.folder(
            name,
            &[
                ("bot.toml", "run = 'sh bot.sh'\n"),
                ("bot.sh", &format!("# {name}\n{PLAIN}")),
            ],
        )
    }

    /// The course's classes.
    pub(super) fn course_classes(&self, name: &str) -> PathBuf {
        let folder = self.path(name);
        fs::create_dir_all(&folder).unwrap();
        for entry in fs::read_dir(project_file("tests/programs/cs32")).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
        folder
    }

    /// Has Python make the file `name`; `{}` in the program is its path.
    pub(super) fn made_by_python(&self, name: &str, program: &str) -> PathBuf {
        let path = self.path(name);
        let program = program.replace("{}", &format!("{:?}", path.display().to_string()));
        let made = Command::new("python3")
            .args(["-c", &program])
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
        path
    }

    /// A folder as a zip file.
    pub(super) fn zip(&self, folder: &Path, name: &str) -> PathBuf {
        let folder = folder.display().to_string();
        self.made_by_python(
            name,
            &format!("import shutil; shutil.make_archive({{}}[:-4], 'zip', {folder:?})"),
        )
    }

    /// A folder as a tar file, compressed if its name says so.
    pub(super) fn tar(&self, folder: &Path, name: &str) -> PathBuf {
        let path = self.path(name);
        let mut tar = Command::new("tar");
        tar.args(["-c", if name.ends_with("gz") { "-zf" } else { "-f" }])
            .arg(&path);
        let status = tar.arg("-C").arg(folder).arg(".").status().unwrap();
        assert!(status.success());
        path
    }
}

/// A zip file of 200 kB that is 200 MB unpacked.
pub(super) const BOMB: &str = "\
import zipfile
with zipfile.ZipFile({}, 'w', zipfile.ZIP_DEFLATED) as z:
    z.writestr('bot.py', 'x')
    for i in range(20): z.writestr(f'zeros{i}', bytes(10 << 20))";

/// A zip file that would write beside the folder in which it is unpacked.
pub(super) const OUTSIDE: &str = "\
import zipfile
with zipfile.ZipFile({}, 'w') as z:
    z.writestr('bot.py', 'x')
    z.writestr('../../escaped.txt', 'x')";
