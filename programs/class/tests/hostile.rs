//! Submissions whose commands and folders try to reach what is not theirs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use battleship::seeded::SeededRng;
use bothost::{ErrandEnd, ErrandLimits, Interrupt, Launch, Program, Sandbox, Sight, run_errand};

use super::submissions::Desk;
use super::{Class, SETTINGS};
use testkit::list::{Tests, Tier};
use testkit::tools::{NAMESPACES, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_class_has_a_secret_of_its_own_and_its_files_are_private
    );
    tests.needing(&[NAMESPACES, SYSTEM_PYTHON], |tests| {
        add!(
            tests,
            the_words_of_a_submission_open_nothing,
            random_words_of_a_command_open_nothing
        );
    });
    tests.needing(&[NAMESPACES], |tests| {
        add!(
            tests,
            a_build_whose_name_is_a_folder_reaches_no_shell_and_no_file,
            the_referees_own_players_and_other_programs_are_refused
        );
    });
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[NAMESPACES, SYSTEM_PYTHON], |tests| {
            add!(tests, eight_thousand_random_words_of_commands_open_nothing);
        })
    });
}

/// A bot that says on standard error, and ends, if an argument opens what is not its own, or if it sees processes of others.
const READER: &str = "
import os, sys
def reads(path):
    try:
        if os.path.isdir(path):
            return {'class.db', 'class.secret', 'roster.csv', 'submissions'} & set(os.listdir(path))
        return 'private' in path and open(path, 'rb').read(1)
    except OSError:
        return None
if os.getcwd() != '/bot': print('ESCAPED: it is in', os.getcwd(), file=sys.stderr)
found = [path for path in sys.argv[1:] if reads(path)]
others = [name for name in os.listdir('/proc') if name.isdigit() and int(name) > 60]
if found or others:
    print('ESCAPED', found, others, file=sys.stderr)
    sys.exit(1)
for line in sys.stdin:
    word = line.split()[0]
    if word == 'battleship': print('ready', flush=True)
    elif word == 'place': print('place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h', flush=True)
    elif word == 'attack': print('attack 0 0', flush=True)
";

/// The words of a command besides its bot, `PRIVATE` a file of the teacher.
const WORDS: [&str; 2] = [
    "../.. .. ../../submissions PRIVATE --x=../.. -I/root \"\" -- ~ $HOME * /nowhere",
    "/proc/self/cwd /proc/self /proc/self/fd /tmp /home /dev/shm /proc /proc/1 /run /sys/fs /dev/pts /proc/31722 /proc/4194303",
];

fn the_words_of_a_submission_open_nothing() {
    let students = ["ada", "bob"];
    let (class, desk) = (
        Class::new(SETTINGS, &students.map(|id| (id, "", ""))),
        Desk::new(),
    );
    let private = desk.path("private file");
    fs::write(&private, "secret").unwrap();
    for (id, words) in students.into_iter().zip(WORDS) {
        let words = words.replace("PRIVATE", &format!("{:?}", private.to_str().unwrap()));
        let run = format!("run = '''/usr/bin/python3 bot.py {words}'''\n");
        let folder = desk.folder(id, &[("bot.toml", &run), ("bot.py", READER)]);
        class.succeeds(&[
            "add",
            id,
            folder.to_str().unwrap(),
            "--at",
            "2026-11-30T10-00-00",
        ]);
    }
    let said = class.succeeds(&["intake"]);
    assert!(said.contains("2 built"), "{said}");
    let said = class.succeeds(&["check"]);
    assert!(
        said.contains("2 checked") && !said.contains("ESCAPED"),
        "{said}"
    );
    assert!(!said.contains("unfit  "), "{said}");
    // The night plays all of them, and ends.
    class.plays();
    for (path, _) in class.records() {
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
    // Their records do not offer the commands to a shell.
    let games = class
        .games()
        .into_iter()
        .flatten()
        .filter(|line| line["format"] == "battleship-game");
    let players = games.map(|game| game["players"].as_array().cloned().unwrap());
    for player in players.flatten() {
        let is_handed_in = students.contains(&player["name"].as_str().unwrap());
        assert_eq!(player["submission"] == true, is_handed_in, "{player}");
    }
    let explain = |record: &Path, id: &str| {
        testkit::programs::referee()
            .arg("explain")
            .arg(record)
            .args(["--player", id])
            .output()
            .unwrap()
    };
    for id in students {
        let all = class.records();
        let own = all
            .iter()
            .map(|(path, _)| explain(path, id))
            .find(|said| said.status.success());
        let said = String::from_utf8(own.unwrap().stdout).unwrap();
        assert!(
            said.contains("referee class dispute") && !said.contains("referee check"),
            "{said}"
        );
    }
}

fn a_build_whose_name_is_a_folder_reaches_no_shell_and_no_file() {
    let (class, desk) = (Class::new(SETTINGS, &[("eve", "", "")]), Desk::new());
    let build = "submissions/eve/2026-11-30T10-00-00/a;sh evil.sh #/../../../..";
    let evil = "cat \"$1\"/class.db ../../../../roster.csv /proc/1/cmdline && echo ESCAPED; ls -R / | grep roster.csv; false\n";
    let files = [
        (
            "bot.toml",
            &*format!("run = './bot'\nbuild = \"{build}\"\n"),
        ),
        ("evil.sh", evil),
        ("a;sh evil.sh #/x", ""),
    ];
    let folder = desk.folder("eve", &files);
    class.succeeds(&[
        "add",
        "eve",
        folder.to_str().unwrap(),
        "--at",
        "2026-11-30T10-00-00",
    ]);
    let said = class.succeeds(&["intake"]);
    assert!(said.contains("0 built, 1 not built"), "{said}");
    // Its log is what the student sees.
    let output = class.output(&["check", "eve"]);
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(log.contains("sh: 1: submissions/eve"), "{log}");
    assert!(
        !log.lines()
            .any(|line| ["ESCAPED", "roster.csv"].contains(&line)),
        "{log}"
    );
}

/// Commands that start a player of the referee's own, or a program that is neither the student's nor an interpreter.
const NOT_THEIRS: [&str; 6] = [
    "good",
    "good-bot",
    "referee bot good",
    "env python3 bot.py",
    "/usr/bin/env",
    "../../bots",
];

fn the_referees_own_players_and_other_programs_are_refused() {
    let students: Vec<String> = (0..=NOT_THEIRS.len())
        .map(|number| format!("s{number}"))
        .collect();
    let roster: Vec<_> = students.iter().map(|id| (id.as_str(), "", "")).collect();
    let (class, desk) = (Class::new(SETTINGS, &roster), Desk::new());
    let at = ["--at", "2026-11-30T10-00-00"];
    for (id, command) in students.iter().zip(NOT_THEIRS) {
        let folder = desk.folder(id, &[("bot.toml", &format!("run = '{command}'\n"))]);
        class.succeeds(&[&["add", id, folder.to_str().unwrap()], &at[..]].concat());
    }
    // A copy under another name, which a script would start.
    let id = students.last().unwrap();
    let folder = desk.folder(
        id,
        &[
            ("bot.toml", "run = 'sh bot.sh'\n"),
            ("bot.sh", "exec ./data/model.bin\n"),
        ],
    );
    fs::create_dir(folder.join("data")).unwrap();
    fs::copy(
        testkit::programs::built("good-bot"),
        folder.join("data/model.bin"),
    )
    .unwrap();
    class.succeeds(&[&["add", id, folder.to_str().unwrap()], &at[..]].concat());
    let said = class.succeeds(&["intake"]);
    assert!(said.contains("0 built, 0 not built, 7 refused"), "{said}");
    assert!(
        said.contains("\"good\" is a player that comes with the referee"),
        "{said}"
    );
    assert!(said.contains("is a copy of good-bot"), "{said}");
    // The referee is every shipped player too.
    fs::copy(
        testkit::programs::built("referee"),
        folder.join("data/model.bin"),
    )
    .unwrap();
    let later = ["--at", "2026-11-30T11-00-00"];
    class.succeeds(&[&["add", id, folder.to_str().unwrap()], &later[..]].concat());
    let said = class.succeeds(&["intake"]);
    assert!(said.contains("is a copy of referee"), "{said}");
}

/// Returns who may use a file or a folder.
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;

    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// With a seed that everybody knows a student computed the fleets of the staff's bots and sank them in 17 attacks.
fn a_class_has_a_secret_of_its_own_and_its_files_are_private() {
    let class = Class::new(SETTINGS, &[("ada", "", "")]);
    class.succeeds(&["status"]);
    let secret = |class: &Class| fs::read_to_string(class.path("class.secret")).unwrap();
    assert_eq!(secret(&class).trim().len(), 32);
    assert_ne!(secret(&class), secret(&Class::new(SETTINGS, &[])));
    for file in ["class.secret", "class.toml", "class.db", "roster.csv"] {
        assert_eq!(mode(&class.path(file)), 0o600, "{file}");
    }
    assert_eq!(mode(&class.path("submissions")), 0o700);
    // Without it the class plays as before, and the teacher is told.
    fs::remove_file(class.path("class.secret")).unwrap();
    let said = String::from_utf8(class.output(&["play"]).stderr).unwrap();
    assert!(said.contains("students can compute the seeds"), "{said}");
    fs::write(class.path("class.secret"), "12").unwrap();
    let refused = class.output(&["status"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
}

/// Looks into what each of its arguments could name, first at names on the way to the mark, and prints where the mark is and which processes it sees.
const LOOKER: &str = r"
import os, sys
WANTED = {*MARKED.split('/'), 'roster.csv', 'class.db', 'submissions', 'private'}
def looks(path, depth):
    try:
        if os.path.isdir(path):
            for name in sorted(os.listdir(path), key=lambda name: (name not in WANTED, name))[:12]:
                if depth: looks(os.path.join(path, name), depth - 1)
        elif os.path.isfile(path):
            if b'the ' + b'mark' in open(path, 'rb').read(4096): print('FOUND', path)
    except OSError: pass
for word in sys.argv[1:]:
    for path in {word, word.partition('=')[2], word[1:], word[2:], os.path.expanduser(word), word.strip('\'`$() ')}:
        if path: looks(path, 3)
seen = [name for name in os.listdir('/proc') if name.isdigit() and int(name) > 60]
if seen: print('FOUND processes', seen)
";

/// Pieces of words: `CLASS` is the folder of the class, `OWN` that of the bot, `FILE` a file of the teacher elsewhere.
const PLACES: [&str; 32] = [
    "CLASS",
    "CLASS/roster.csv",
    "CLASS/class.db",
    "CLASS/submissions",
    "CLASS/bots",
    "OWN",
    "OWN/..",
    "OWN/../..",
    "FILE",
    "/proc/PID/cwd",
    "/proc/PID",
    "/proc",
    "/proc/1/root",
    "/proc/self/cwd",
    "/proc/self/fd/0",
    "/proc/4194303",
    "/",
    "/tmp",
    "/home",
    "/root",
    "/etc",
    "/dev/shm",
    "/sys",
    "/run",
    "/usr",
    "..",
    "../..",
    "../../roster.csv",
    "bot.py",
    "/no such file",
    "~",
    "*",
];

/// The spellings of a path in a word.
const SPELLINGS: [&str; 12] = [
    "@",
    "@",
    "@",
    "@/",
    "@/.",
    "--x=@",
    "-I@",
    "'@'",
    "$(cat @)",
    "`@`",
    "file://@",
    "@/a;sh b #",
];

/// Names of the folder of a class.
const CLASSES: [&str; 4] = [
    "class",
    "the teacher's class",
    "a;sh evil.sh #",
    "b\u{fc}cher -x",
];

/// The number of words that a command has: the start of a world takes far longer than to look at a word.
const WORDS_AT_ONCE: usize = 40;

/// Runs the bot with random words, as many commands as `count`, each in a world of its own.
fn random_words_open_nothing(count: usize) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("private");
    fs::write(&file, "the mark").unwrap();
    let mut rng = SeededRng::keyed([29; 4]);
    let mut of = |choices: &[&'static str]| choices[rng.below(choices.len())];
    for number in 0..count {
        let class = folder.path().join(of(&CLASSES));
        let own = class.join("bots/0123456789abcdef");
        fs::create_dir_all(&own).unwrap();
        fs::create_dir_all(class.join("submissions/eve")).unwrap();
        for name in ["roster.csv", "class.db", "submissions/eve/bot.py"] {
            fs::write(class.join(name), "the mark").unwrap();
        }
        let looker = LOOKER.replace("MARKED", &format!("{:?}", class.to_str().unwrap()));
        fs::write(own.join("bot.py"), looker).unwrap();
        let word = |place: &str, spelling: &str| {
            let place = place
                .replace("CLASS", class.to_str().unwrap())
                .replace("OWN", own.to_str().unwrap())
                .replace("FILE", file.to_str().unwrap())
                .replace("PID", &std::process::id().to_string());
            spelling.replace('@', &place)
        };
        let words: Vec<String> = (0..WORDS_AT_ONCE)
            .map(|_| word(of(&PLACES), of(&SPELLINGS)))
            .collect();
        let mut sight = Sight::closed();
        sight.hide([class.clone()]);
        let said = looks(&own, &words, sight);
        assert_eq!(said, "", "command {number}: {words:?}");
        if number == 0 {
            // A person's command opens the files that it names.
            let words = [class.to_str().unwrap().to_owned()];
            assert!(looks(&own, &words, Sight::default()).contains("FOUND"));
        }
    }
}

/// Returns what the bot in `own` prints.
fn looks(own: &Path, words: &[String], sight: Sight) -> String {
    let program = Program {
        file: "/usr/bin/python3".into(),
        arguments: ["-I", "-S", "bot.py"]
            .into_iter()
            .map(Into::into)
            .chain(words.iter().map(Into::into))
            .collect(),
        folder: Some(own.to_owned()),
        command_line: "bot.py".to_owned(),
        on_terminal: false,
        variables: Vec::new(),
        person: None,
        sight,
    };
    let referee = PathBuf::from(testkit::programs::built("referee"));
    let launch = Launch {
        sandbox: Some(Sandbox::default()),
        ..Launch::supervised_by(referee)
    };
    let limits = ErrandLimits {
        time: Duration::from_secs(300),
        output: 1 << 20,
        log: 1 << 16,
    };
    let (mut said, interrupt) = (Vec::new(), Interrupt::deaf().unwrap());
    let errand = run_errand(&program, &launch, limits, &mut said, &interrupt).unwrap();
    let ErrandEnd::Exited(status) = errand.end else {
        panic!("{words:?}: {errand:?}")
    };
    assert!(
        status.success(),
        "{words:?}: {}",
        String::from_utf8_lossy(&errand.log)
    );
    String::from_utf8(said).unwrap()
}

fn random_words_of_a_command_open_nothing() {
    random_words_open_nothing(4);
}

fn eight_thousand_random_words_of_commands_open_nothing() {
    random_words_open_nothing(200);
}
