//! Faults of the machine: no student is blamed for them, the command fails, and the next one tries
//! again. And two programs that do the same step of one class.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::thread;

use crate::class::{AT, Class, PLAIN, SH};
use testkit::disks::run_where_disks_are_tiny;
use testkit::list::Tests;
use testkit::run::Dir;
use testkit::text::has;
use testkit::tools::{LANDLOCK, MAKE, NAMESPACES, OWN_MOUNTS, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, a_killed_init_is_made_again);
    tests.needing(&[OWN_MOUNTS, SYSTEM_PYTHON], |tests| {
        rows!(tests, ROOM, a_full_disk_is_no_students_fault, 1);
    });
    tests.needing(&[MAKE, NAMESPACES], |tests| {
        add!(tests, what_the_machine_lacks_is_tried_again);
    });
    tests.needing(&[NAMESPACES], |tests| {
        add!(tests, a_step_that_runs_already_is_named);
    });
    tests.needing(&[SYSTEM_PYTHON], |tests| {
        add!(tests, imports_at_once_leave_whole_submissions);
    });
    tests.needing(&[LANDLOCK], |tests| {
        add!(tests, a_basic_sandbox_builds);
    });
}

/// Does each step on a disk with this much space, and again when there is more; `$code` is how each
/// ended.
const STEPS: &str = r#"
mount -t tmpfs -o size=6m tiny "$tiny"
step() {
    head -c 6m /dev/zero > "$tiny/fill" 2> /dev/null || true
    truncate -s "-$left" "$tiny/fill"
    code=0
    "$referee" class -C "$tiny/class" "$@" > full.txt 2>&1 || code=$?
    rm "$tiny/fill"
    echo "$1 $left $code" >> codes.txt
    if grep -q 'built  ' full.txt && [ $code != 0 ]; then cat full.txt; fi
    "$referee" class -C "$tiny/class" "$@" > room.txt 2>&1
}
for left in ROOM; do
    cp -r "the teacher's class" "$tiny/class"
    step import download
    for word in intake check play site; do step $word; done
    step grade --gradescope "$tiny/grades"
    "$referee" class -C "$tiny/class" grade >> grades.txt
    rm -r "$tiny/class" "$tiny/grades"
done
"#;

const ROOM: [&str; 2] = ["12k 150k", "48k 100k 200k"];

fn a_full_disk_is_no_students_fault(room: &str) {
    let class = Class::new("ada bob");
    class.fix_games();
    class.set("[build]", "[game]\nsandbox = false\n[build]");
    for id in ["ada", "bob"] {
        let toml = "run = 'sh bot.sh'\nbuild = 'head -c 30000 /dev/urandom > blob'\n";
        let data = "x".repeat(40_000);
        for (name, text) in [("bot.sh", PLAIN), ("data", &data), ("bot.toml", toml)] {
            class.desk.file(&format!("download/{id}/{name}"), text);
        }
    }
    run_where_disks_are_tiny(&class.desk.path(""), &STEPS.replace("ROOM", room));
    let codes = class.desk.text("codes.txt");
    for step in ["import", "intake", "check", "play", "site", "grade"] {
        let failed = format!("{step} 12k 1\n");
        assert!(codes.contains(&failed) || !room.contains("12k"), "{codes}");
    }
    let mut ends = codes.lines();
    assert!(ends.all(|line| line.ends_with(['0', '1'])), "{codes}");
    // With space each student has a bot that plays, and the points of it.
    let grades = class.desk.text("grades.txt");
    let passed = 2 * room.split(' ').count();
    assert_eq!(grades.matches(",40,yes,").count(), passed, "{grades}");
}

fn what_the_machine_lacks_is_tried_again() {
    let class = Class::new("gone killed ruby sound");
    let make = ("bot.toml", "run = 'sh bot.sh'\nbuild = 'make'\n");
    class.hands_in(
        "killed",
        &[make, ("bot.sh", ""), ("Makefile", "all:\n\tkill -9 $$$$\n")],
    );
    let ruby = ("bot.toml", "run = 'sh bot.sh'\nbuild = 'ruby build.rb'\n");
    class.hands_in("ruby", &[ruby, ("bot.sh", "")]);
    class.hands_in("sound", &[("bot.toml", SH), ("bot.sh", "exit\n")]);
    // What cannot be read is not nothing.
    class.file("submissions/gone", "");
    let tools = class.desk.path("tools");
    fs::create_dir(&tools).unwrap();
    class.set(
        "[build]",
        &format!("[build]\nallow = ['{}']", tools.display()),
    );
    let path = std::env::var_os("PATH").unwrap();
    for tool in ["sh", "make", "mkdir", "cp", "chmod", "tar"] {
        let mut paths = std::env::split_paths(&path).map(|folder| folder.join(tool));
        symlink(paths.find(|path| path.is_file()).unwrap(), tools.join(tool)).unwrap();
    }
    // Run without the programs of this machine, and without any.
    let intake = |path: &std::ffi::OsStr| class.step("intake").env("PATH", path);
    for _ in 0..2 {
        let done = intake(tools.as_os_str()).ends();
        done.exits(1);
        for sentence in [
            "could not be built: killed: the build was killed",
            "could not be built: ruby: ruby is not installed on this machine",
            "could not be built: gone: ",
            "the next intake tries these again",
            " new: ",
            " 0 not built, 0 refused",
        ] {
            if !done.stdout.contains(sentence) {
                done.warns(sentence);
            }
        }
    }
    let unbegun = "could not be built: killed, ruby: the build could not be begun: ";
    intake("".as_ref()).fails(1, unbegun);
    for step in ["site", "grade", "status"] {
        class.step(step).fails(1, "submissions/gone: ");
    }
}

/// Holds a lock of the class as another process does.
fn locked(class: &Class, name: &str) -> File {
    class.file(name, "process 7 on elsewhere since noon");
    let held = File::open(class.path(name)).unwrap();
    held.lock().unwrap();
    held
}

fn a_step_that_runs_already_is_named() {
    let class = Class::new("ada");
    for (lock, step) in [("night", "play"), ("check", "check"), ("intake", "intake")] {
        let held = locked(&class, &format!(".{lock}.lock"));
        let running = format!("another {lock} of this class is running: process 7 on elsewhere");
        class.step(step).fails(1, &running);
        drop(held);
        class.run(step);
    }
    // An import waits.
    let held = locked(&class, ".import.lock");
    class.plain("ada");
    let mut import = class.step("add ada ada").piped();
    let mut line = String::new();
    let mut stderr = BufReader::new(import.stderr.take().unwrap());
    stderr.read_line(&mut line).unwrap();
    let waits = "process 7 on elsewhere since noon; waiting for its end";
    has(&line, waits);
    drop(held);
    assert!(import.wait().unwrap().success());
    assert_eq!(class.count("submissions/ada"), 1);
}

/// The files of some submissions were torn, and those of some were mixed.
fn imports_at_once_leave_whole_submissions() {
    let ids: Vec<String> = (0..20).map(|number| format!("s{number}")).collect();
    let class = Class::new(&ids.join(" "));
    // On another disk, with what a killed import left.
    let disk = tempfile::tempdir_in("/dev/shm").unwrap();
    fs::remove_dir(class.path("submissions")).unwrap();
    symlink(disk.path(), class.path("submissions")).unwrap();
    fs::create_dir_all(disk.path().join(".build-import/hand-in")).unwrap();
    class.run("intake").prints("0 new");
    let text = |id: &str| format!("{id}\n").repeat(50_000);
    for id in &ids {
        for name in ["bot.py", "more.py"] {
            class.desk.file(&format!("all/{id}/{name}"), text(id));
        }
    }
    class.zip("all");
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| class.run(format!("import all.zip --at {AT}")));
        }
    });
    for id in &ids {
        for file in ["bot.py", "more.py"] {
            let submitted = class.text(&format!("submissions/{id}/{AT}/{file}"));
            assert!(submitted == text(id), "{id}");
        }
        assert_eq!(class.count(&format!("submissions/{id}")), 1);
    }
    assert_eq!(class.count("submissions"), ids.len());
}

/// A class whose secret was written and whose settings were not could not be made again, and drew
/// its seeds from nothing.
fn a_killed_init_is_made_again() {
    let dir = Dir::new();
    let secret = "00112233445566778899aabbccddeeff\n";
    dir.file("class.secret", secret);
    dir.run("class init").succeeds();
    assert_eq!(dir.text("class.secret"), secret);
}

/// Builds failed there, since they may not change permissions.
fn a_basic_sandbox_builds() {
    let class = Class::new("ada");
    class.set("[build]", "[game]\nsandbox = 'basic'\n[build]");
    let toml = "run = 'sh bot.sh'\nbuild = 'echo exit > bot.sh'\n";
    class.hands_in("ada", &[("bot.toml", toml)]);
    class.run("intake").prints("1 new: 1 built");
}
