//! A class in a folder whose name needs quotation marks, and beside it what its students hand in.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use testkit::programs::project_file;
use testkit::record::Record;
use testkit::run::{Dir, Done, Run};

/// When everything is handed in that has no other time.
pub(crate) const AT: &str = "2026-11-30T10-00-00";

const FOLDER: &str = "the teacher's class";

/// A night of a whole class takes minutes.
const LONGEST: Duration = Duration::from_secs(20 * 60);

/// A command that starts a script for `sh`.
pub(crate) const SH: &str = "run = 'sh bot.sh'\n";

/// A bot that starts in a millisecond and attacks cell by cell. It knows the usual board alone, and
/// takes lines as a check ends them.
pub(crate) const PLAIN: &str = concat!(
    "while read -r word; do case $word in battleship*) echo ready ;; quit*) exit ;;\n",
    "place*) cell=0; echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h ;;\n",
    "attack*) echo attack $((cell / 10)) $((cell % 10)); cell=$((cell + 1)) ;; esac; done\n",
);

pub(crate) struct Class {
    /// The folder in which commands are typed and submissions are made.
    pub(crate) desk: Dir,
}

impl Class {
    /// A class of students with these ids, or with this text as its roster.
    pub(crate) fn new(roster: &str) -> Class {
        let class = Class { desk: Dir::new() };
        class.run("init 'CS 32'");
        let ids = format!("id\n{}\n", roster.replace(' ', "\n"));
        let roster = if roster.contains(',') { roster } else { &ids };
        class.file("roster.csv", roster);
        class.file("class.toml", include_str!("class.toml"));
        class
    }

    /// Draws games by a fixed secret: the few games of a requirement have other results by another.
    pub(crate) fn fix_games(&self) {
        self.file("class.secret", "00112233445566778899aabbccddeeff\n");
    }

    /// A step of the class.
    pub(crate) fn step(&self, words: impl AsRef<str>) -> Run<'_> {
        let run = self.desk.run(format!("class {}", words.as_ref()));
        run.arg("-C").arg(FOLDER).patient(LONGEST)
    }

    /// Runs a step, which has to succeed.
    #[track_caller]
    pub(crate) fn run(&self, words: impl AsRef<str>) -> Done {
        self.step(words).succeeds()
    }

    /// Where a file of the class is.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.desk.path(FOLDER).join(name)
    }

    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>) {
        self.desk.file(&format!("{FOLDER}/{name}"), text);
    }

    #[track_caller]
    pub(crate) fn text(&self, name: &str) -> String {
        self.desk.text(&format!("{FOLDER}/{name}"))
    }

    /// The number of files and folders in a folder of the class.
    pub(crate) fn count(&self, folder: &str) -> usize {
        fs::read_dir(self.path(folder)).unwrap().count()
    }

    /// Changes the settings of the class.
    #[track_caller]
    pub(crate) fn set(&self, from: &str, to: &str) {
        self.edit(&format!("{FOLDER}/class.toml"), from, to);
    }

    /// Changes a file of the desk.
    #[track_caller]
    pub(crate) fn edit(&self, file: &str, from: &str, to: &str) {
        let text = self.desk.text(file);
        assert!(text.contains(from), "{from}: {text}");
        self.desk.file(file, text.replace(from, to));
    }

    /// Makes a folder of these files, and hands it in.
    #[track_caller]
    pub(crate) fn hands_in(&self, id: &str, files: &[(&str, &str)]) {
        for (name, text) in files {
            self.desk.file(&format!("{id}/{name}"), text);
        }
        self.adds(id);
    }

    /// Hands in the folder that has the id of its student.
    #[track_caller]
    pub(crate) fn adds(&self, id: &str) {
        self.run(format!("add {id} {id} --at {AT}"));
    }

    /// Makes a bot that is fast. Its name makes it one of its own.
    pub(crate) fn plain(&self, id: &str) {
        self.desk.file(&format!("{id}/bot.toml"), SH);
        self.desk
            .file(&format!("{id}/bot.sh"), format!("# {id}\n{PLAIN}"));
    }

    /// Makes a kit. Its name is not in it, so that two of them are the same.
    pub(crate) fn kit(&self, language: &str, id: &str) {
        self.desk.run(format!("new {language} bot")).succeeds();
        fs::rename(self.desk.path("bot"), self.desk.path(id)).unwrap();
    }

    /// Makes the kit for Python, whose bot does `deed` before each of its attacks.
    pub(crate) fn python_that(&self, id: &str, deed: &str) {
        self.kit("python", id);
        let attack = "    def attack(self):\n";
        let changed = format!("{attack}        {deed}\n");
        self.edit(&format!("{id}/strategy.py"), attack, &changed);
    }

    /// Makes the files of the course's project, as our own solution has them, whose names end so.
    pub(crate) fn course(&self, folder: &str, ending: &str) {
        for entry in fs::read_dir(project_file("tests/programs/cs32")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if name.ends_with(ending) {
                self.desk
                    .file(&format!("{folder}/{name}"), fs::read(&path).unwrap());
            }
        }
    }

    /// Gives the class the headers of the course.
    pub(crate) fn skeleton(&self) {
        let build = "[build]\nskeleton = 'handed out'\nflags = '-O0'";
        self.set("[build]", build);
        self.course(&format!("{FOLDER}/handed out"), ".h");
    }

    /// Runs a program of Python.
    #[track_caller]
    pub(crate) fn python(&self, program: &str) {
        self.desk.program("python3", "-c").arg(program).succeeds();
    }

    /// Makes a zip file beside a folder.
    pub(crate) fn zip(&self, folder: &str) {
        self.python(&format!(
            "import shutil; shutil.make_archive('{folder}', 'zip', '{folder}')"
        ));
    }

    /// Plays until nothing is left; returns the number of series.
    #[track_caller]
    pub(crate) fn plays(&self) -> usize {
        let done = self.run("play");
        if done.stdout.starts_with("nothing to play") {
            return 0;
        }
        done.prints("nothing is left to play");
        self.run("status").prints("left        nothing");
        done.stdout.split(' ').next().unwrap().parse().unwrap()
    }

    /// The records with their bytes.
    pub(crate) fn records(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut folders = vec![self.path("games")];
        let mut records = BTreeMap::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.path().is_dir() {
                    folders.push(entry.path());
                } else {
                    records.insert(entry.path(), fs::read(entry.path()).unwrap());
                }
            }
        }
        records
    }

    /// The records as `merge` reads them, which refuses one in which a series is twice.
    pub(crate) fn games(&self) -> Vec<Record> {
        let mut all = Vec::new();
        for (path, bytes) in self.records() {
            // An empty one is of a series that was stopped.
            if bytes.is_empty() {
                continue;
            }
            self.desk.run("merge --out merged").arg(path).succeeds();
            all.push(self.desk.record("merged"));
            fs::remove_file(self.desk.path("merged")).unwrap();
        }
        all.sort_by_key(|record| record.without_times()[0].to_string());
        all
    }

    /// Checks that each record has its series from the first to the last, each once, and that the
    /// index counts as many games. Returns the number of series.
    #[track_caller]
    pub(crate) fn is_whole(&self) -> usize {
        let mut games = 0;
        let mut series = 0;
        for record in self.games() {
            let ends = record.of("battleship-series");
            for (number, end) in (1..).zip(&ends) {
                assert_eq!(end["series"], number, "{record:?}");
            }
            games += record.games().len();
            series += ends.len();
        }
        let all = format!("; {games} games in all");
        self.run("status").prints(&all);
        series
    }

    /// The page of a student.
    #[track_caller]
    pub(crate) fn page(&self, id: &str) -> String {
        let list = self.text("private/pages.csv");
        let mut lines = list.lines();
        let line = lines.find(|line| line.starts_with(&format!("{id},")));
        let (_, name) = line.expect(id).rsplit_once(',').unwrap();
        self.text(&format!("private/{name}"))
    }

    /// The page of everybody.
    pub(crate) fn public_page(&self) -> String {
        self.text("site/index.html")
    }

    /// Checks that the pages of these students have these texts.
    #[track_caller]
    pub(crate) fn pages_have(&self, texts: &[(&str, &str)]) {
        for (id, text) in texts {
            assert!(self.page(id).contains(text), "{id}: {text}");
        }
    }
}
