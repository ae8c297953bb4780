//! Submissions whose commands, builds and folders try to reach what is not theirs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::class::{Class, SH};
use testkit::list::{Tests, Tier};
use testkit::programs::built;
use testkit::record::list;
use testkit::text::has;
use testkit::tools::{NAMESPACES, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, a_class_has_private_files_and_its_secret);
    tests.needing(&[NAMESPACES, SYSTEM_PYTHON], |tests| {
        add!(tests, submissions_open_nothing);
        tests.tier(Tier::Thorough, |tests| {
            add!(tests, hostile_bots_change_no_grade_of_others);
        });
    });
}

/// Who may use a file or a folder.
fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// With a seed that everybody knows a student computed the fleets of the staff's bots and sank them
/// in 17 attacks.
fn a_class_has_private_files_and_its_secret() {
    let class = Class::new("ada");
    class.run("status");
    let secret = class.text("class.secret");
    assert_eq!(secret.trim().len(), 32);
    assert_ne!(secret, Class::new("").text("class.secret"));
    for file in ["class.secret", "class.toml", "class.db", "roster.csv"] {
        assert_eq!(mode(&class.path(file)), 0o600, "{file}");
    }
    assert_eq!(mode(&class.path("submissions")), 0o700);
    fs::remove_file(class.path("class.secret")).unwrap();
    class
        .step("play")
        .fails(2, "restore this file from a backup");
    class.file("class.secret", "12");
    class.step("status").fails(2, "class.secret");
}

/// A bot that ends with an error if it sees processes of others or if one of its arguments, spelled
/// in whatever way, leads to a file with the mark. In folders it looks first at the names on the
/// way to that.
const LOOKER: &str = r"
import os, sys
WANTED = {*MARKED.split('/'), 'roster.csv', 'class.db', 'submissions', 'private'}
found = [name for name in os.listdir('/proc') if name.isdigit() and int(name) > 60]
def looks(path, depth):
    try:
        if os.path.isdir(path):
            for name in sorted(os.listdir(path), key=lambda name: (name not in WANTED, name))[:12]:
                if depth: looks(os.path.join(path, name), depth - 1)
        elif os.path.isfile(path) and b'the ' + b'mark' in open(path, 'rb').read(4096): found.append(path)
    except OSError: pass
for word in sys.argv[1:]:
    for path in {word, word.partition('=')[2], word[1:], word[2:], os.path.expanduser(word), word.strip('\'`$() ')}:
        if path: looks(path, 1)
if found or os.getcwd() != '/bot': sys.exit(f'ESCAPED {found}')
replies = {'battleship': 'ready', 'place': 'place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h', 'attack': 'attack 0 0'}
for line in sys.stdin:
    if line.split()[0] in replies: print(replies[line.split()[0]], flush=True)
";

/// The words of a command besides the bot, `PRIVATE` a file of the teacher.
const WORDS: &str = "../.. .. ../../submissions 'PRIVATE' 'file://PRIVATE' '$(cat PRIVATE)' '--x=PRIVATE' '-IPRIVATE' --x=../.. -I/root '' -- ~ $HOME * /nowhere /proc/self/cwd /proc/self /proc/self/fd /tmp /home /dev/shm /proc /proc/1 /run /sys/fs /dev/pts /proc/31722 /proc/4194303";

/// Commands that start a player of the referee's own, or a program that is neither the student's
/// nor an interpreter.
const NOT_THEIRS: [(&str, &str); 6] = [
    ("s0", "good"),
    ("s1", "good-bot"),
    ("s2", "referee bot good"),
    ("s3", "env python3 bot.py"),
    ("s4", "/usr/bin/env"),
    ("s5", "../../bots"),
];

/// The name of a student is the mark of files that no bot may read.
const ROSTER: &str =
    "id,name,team\nada,the mark,\neve,,\ns0,,\ns1,,\ns2,,\ns3,,\ns4,,\ns5,,\ncopy,,\n";

/// A build whose name is a folder, and what it would run.
const BUILD: &str = "submissions/eve/2026-11-30T10-00-00/a;sh evil.sh #/../../../..";
const EVIL: &str = "cat \"$1\"/class.db ../../../../roster.csv /proc/1/cmdline && echo ESCAPED; ls -R / | grep roster.csv; false\n";

fn submissions_open_nothing() {
    let class = Class::new(ROSTER);
    class.desk.file("private file", "the mark");
    let private = class.desk.path("private file");
    let words = WORDS.replace("PRIVATE", private.to_str().unwrap());
    let run = format!("run = \"/usr/bin/python3 bot.py {words}\"\n");
    let marked = format!("{:?}", class.path("").display().to_string());
    let looker = LOOKER.replace("MARKED", &marked);
    class.hands_in("ada", &[("bot.toml", &run), ("bot.py", &looker)]);
    // Outside of a sandbox it finds them.
    let looks = class.desk.program("/usr/bin/python3", "ada/bot.py");
    looks.arg(class.path("")).fails(1, "roster.csv");
    let toml = format!("run = './bot'\nbuild = \"{BUILD}\"\n");
    let files = [("bot.toml", &*toml), ("evil.sh", EVIL)];
    class.hands_in("eve", &[&files[..], &[("a;sh evil.sh #/x", "")]].concat());
    for (id, command) in NOT_THEIRS {
        class.hands_in(id, &[("bot.toml", &format!("run = '{command}'\n"))]);
    }
    // A copy under another name, which a script would start.
    let hand_in_copy = |program: &str, at: &str| {
        let bytes = fs::read(built(program)).unwrap();
        class.desk.file("copy/data/model.bin", bytes);
        class.desk.file("copy/bot.toml", SH);
        class.desk.file("copy/bot.sh", "exec ./data/model.bin\n");
        class.run(format!("add copy copy --at {at}"));
    };
    hand_in_copy("good-bot", "2026-11-30T10-00-00");
    let intake = class.run("intake");
    intake.prints("1 built, 1 not built, 7 refused");
    intake.prints("\"good\" is a player that comes with the referee");
    intake.prints("is a copy of good-bot");
    // Nor a copy with another byte.
    let mut bytes = fs::read(built("good-bot")).unwrap();
    bytes.push(0);
    class.desk.file("copy/data/model.bin", bytes);
    class.run("add copy copy --at 2026-11-30T10-30-00");
    class
        .run("intake")
        .prints("contains a player that comes with the referee");
    // The referee is every shipped player too.
    hand_in_copy("referee", "2026-11-30T11-00-00");
    class.run("intake").prints("is a copy of referee");
    // The log of a build is what its student sees.
    let log = class.step("check eve").ends().stderr;
    has(&log, "sh: 1: submissions/eve");
    let escaped = ["ESCAPED", "roster.csv"];
    assert!(!log.lines().any(|line| escaped.contains(&line)), "{log}");
    let check = class.run("check");
    check.prints("1 checked");
    check.lacks("ESCAPED").lacks("unfit  ");

    // The night plays them, and ends.
    assert!(class.plays() > 0);
    for path in class.records().keys() {
        assert_eq!(mode(path), 0o600, "{}", path.display());
    }
    // Records do not offer the commands of submissions to a shell.
    for record in class.games() {
        for game in record.games() {
            for player in list(&game["players"]) {
                let is_handed_in = player["name"] == "ada";
                assert_eq!(player["submission"] == true, is_handed_in, "{player}");
            }
        }
    }
    let records = class.records();
    let explain = |path| class.desk.run("explain --player ada").arg(path).ends();
    let own = explain(records.keys().next().unwrap());
    own.exits(0)
        .prints("referee class dispute")
        .lacks("referee check");
}

const HONEST: [&str; 6] = ["ada", "bob", "cyd", "dan", "eli", "fay"];

/// Hostile students: the command, the build and the bot.
const HOSTILE: [(&str, &str, &str, &str); 6] = [
    (
        "u",
        "python3 bot.py ../.. /proc/self/cwd /tmp /proc/31722 /proc",
        "true",
        "for line in open(0): print('attack 0 0')",
    ),
    (
        "v",
        "./bot",
        "submissions/v/2026-11-30T10-00-00/a;sh evil.sh #/../../../..",
        "",
    ),
    ("w", "good-bot", "true", ""),
    (
        "x",
        "python3 bot.py",
        "true",
        "while True: print('x' * 4000)",
    ),
    ("y", "python3 bot.py\\u0000", "true", "print('ready')"),
    (
        "z",
        "python3 bot.py",
        "head -c 30000000 /dev/zero > big",
        "import os; os.kill(os.getppid(), 9); os.close(1)",
    ),
];

fn hostile_bots_change_no_grade_of_others() {
    let grades = [false, true].map(|hostile| {
        let class = Class::new("ada bob cyd dan eli fay u v w x y z");
        class.fix_games();
        for id in HONEST {
            class.plain(id);
            class.adds(id);
        }
        for (id, run, build, bot) in HOSTILE.iter().filter(|_| hostile) {
            let toml = format!("run = \"{run}\"\nbuild = \"{build}\"\n");
            let files = [
                ("bot.toml", &*toml),
                ("bot.py", bot),
                ("evil.sh", "ls -R /"),
            ];
            class.hands_in(id, &[&files[..], &[("a;sh evil.sh #/x", "")]].concat());
        }
        for step in ["intake", "check", "play"] {
            class.run(step);
        }
        let table = class.run("grade").stdout;
        let mut lines: Vec<_> = table.lines().map(str::to_owned).collect();
        lines.retain(|line| HONEST.contains(&&line[..3.min(line.len())]));
        lines
    });
    assert_eq!(grades[0].len(), HONEST.len());
    assert_eq!(grades[0], grades[1]);
}
